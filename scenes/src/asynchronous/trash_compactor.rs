//! Four walls close in on hollow balls that lie on a floor.

use drystone_engine::simulator::asynchronous::{
    AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::sheet::plate;
use super::{SurfaceScene, mesh_error};
use crate::icosphere::icosphere;

/// From the middle to a wall at the start, m.
const WALLS: f64 = 0.16;

/// Of each wall, m/s.
const SPEED: f64 = 0.5;

/// A floor and four walls that end at a height over it (m), and how the walls move. All of their vertices are prescribed.
pub fn floor_and_walls(height: f64) -> Result<(DeformableSurface, Vec<VelocityKey>), AsynchronousError> {
    let mut surface = plate(DVec3::ZERO, [DVec3::Z, DVec3::X], 2.0)?;
    let mut velocities = Vec::new();
    for (axis, other) in [(DVec3::X, DVec3::Z), (DVec3::Z, DVec3::X)] {
        for side in [-1.0, 1.0] {
            let first =
                surface.append(&plate(axis * (side * WALLS) + DVec3::Y * (0.75 + height), [DVec3::Y, other], 1.5)?);
            let vertices = (first..first + 4).collect();
            velocities.push(VelocityKey { time: 0.0, vertices, velocity: axis * (-side * SPEED) });
        }
    }
    Ok((surface, velocities))
}

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let material = SurfaceMaterial { area_density: 0.3, stretching: 60.0, bending: 3e-5, damping: 2e-3 };
    let (mut surface, velocities) = floor_and_walls(0.05)?;
    let prescribed = (0..surface.positions().len() as u32).collect();
    for k in 0..8 {
        let radius = if k % 2 == 0 { 0.05 } else { 0.04 };
        let ball = icosphere(radius, 2).map_err(mesh_error)?;
        let side = |bit: u32| if k >> bit & 1 == 0 { -0.07 } else { 0.07 };
        let centre = DVec3::new(side(0), 0.06 + if k < 4 { 0.0 } else { 0.12 }, side(1));
        let positions = ball.vertices().iter().map(|&p| p + centre).collect();
        surface.append(&DeformableSurface::new(positions, ball.triangles(), &material)?);
    }
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: DVec3::NEG_Y * 9.82,
        law: ContactLaw { stiffness: 300.0, speed: 3.0, friction: 0.2, restitution: 0.5, ..ContactLaw::default() },
        velocities,
        duration: 0.2,
    })
}
