//! Ten nearly rigid cubes are dropped into the trash compactor.

use drystone_engine::Pose;
use drystone_engine::simulator::asynchronous::{AffineMaterial, AsynchronousError, ContactLaw};
use glam::{DQuat, DVec3};

use super::trash_compactor::floor_and_walls;
use super::{SurfaceScene, mesh_error};
use crate::solids::cuboid;

/// Half the side of a cube, m.
const HALF: f64 = 0.02;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let material = AffineMaterial { density: 1000.0, stiffness: 1e6, damping: 100.0 };
    let (mut surface, velocities) = floor_and_walls(0.002)?;
    let prescribed = (0..surface.positions().len() as u32).collect();
    let cube = cuboid(DVec3::splat(-HALF), DVec3::splat(HALF)).map_err(mesh_error)?;
    for k in 0..10 {
        // Four in each layer, turned by another angle each.
        let side = |bit: u32| if k >> bit & 1 == 0 { -0.05 } else { 0.05 };
        let angle = f64::from(k);
        let pose = Pose {
            rotation: DQuat::from_scaled_axis(DVec3::new(0.4 * angle, 0.9 * angle + 0.3, 0.2 - 0.5 * angle)),
            translation: DVec3::new(side(0), 0.05 + 0.08 * f64::from(k / 4), side(1)),
        };
        surface.add_body(&cube, &material, &pose, [DVec3::NEG_Y, DVec3::ZERO])?;
    }
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: DVec3::NEG_Y * 9.82,
        law: ContactLaw { stiffness: 5e3, speed: 3.0, friction: 0.3, restitution: 0.5, ..ContactLaw::default() },
        velocities,
        duration: 0.2,
    })
}
