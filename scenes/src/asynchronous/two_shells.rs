//! Two hollow balls collide off centre, and go on swinging: no damping, no friction.

use drystone_engine::simulator::asynchronous::{
    AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::{SurfaceScene, mesh_error};
use crate::icosphere::icosphere;

/// m.
const RADIUS: f64 = 0.1;

/// With which they come together, m/s.
const SPEED: f64 = 2.0;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let material = SurfaceMaterial { area_density: 0.2, stretching: 100.0, bending: 1e-4, damping: 0.0 };
    shells(3, &material, DVec3::new(2.2 * RADIUS, 0.4 * RADIUS, 0.0), 2e-3, 0.1)
}

/// The same of 40,960 triangles, softer, and next to each other at the start: what windows are measured with.
pub fn fine() -> Result<SurfaceScene, AsynchronousError> {
    let material = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-6, damping: 0.0 };
    let way = DVec3::new(1.0, 0.2, 0.1).normalize() * (2.0 * RADIUS + 0.002);
    shells(5, &material, way, 1e-3, 0.004)
}

/// Balls of an icosahedron that is refined so often, the second some way from the first, m; a thickness in m and a duration in s.
fn shells(
    levels: u32,
    material: &SurfaceMaterial,
    way: DVec3,
    thickness: f64,
    duration: f64,
) -> Result<SurfaceScene, AsynchronousError> {
    let sphere = icosphere(RADIUS, levels).map_err(mesh_error)?;
    let ball = |centre: DVec3| {
        let positions = sphere.vertices().iter().map(|&p| p + centre).collect();
        DeformableSurface::new(positions, sphere.triangles(), material)
    };
    let mut surface = ball(DVec3::ZERO)?;
    let first = surface.append(&ball(way)?);
    let count = surface.positions().len() as u32;
    let key = |vertices: Vec<u32>, speed: f64| VelocityKey { time: 0.0, vertices, velocity: DVec3::X * speed };
    Ok(SurfaceScene {
        surface,
        prescribed: Vec::new(),
        gravity: DVec3::ZERO,
        law: ContactLaw { thickness, stiffness: 500.0, speed: 2.0 * SPEED, ..ContactLaw::default() },
        velocities: vec![key((0..first).collect(), 0.5 * SPEED), key((first..count).collect(), -0.5 * SPEED)],
        duration,
    })
}
