//! A ribbon is squeezed between two plates that come together until there is no room for it: it ends with an error, and nothing has passed through
//! anything.

use drystone_engine::simulator::asynchronous::{AsynchronousError, ContactLaw, SurfaceMaterial, VelocityKey};
use glam::DVec3;

use super::SurfaceScene;
use super::sheet::{plate, sheet};

/// Of the ribbon, in cells.
const CELLS: [u32; 2] = [20, 3];

/// m.
const CELL: f64 = 0.01;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let material = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-6, damping: 0.0 };
    let mut surface = sheet(DVec3::ZERO, [DVec3::Z, DVec3::X], CELLS, CELL, &material)?;
    let middle = CELL * DVec3::new(0.5 * f64::from(CELLS[1]), 0.0, 0.5 * f64::from(CELLS[0]));
    let at = |y: f64| plate(middle + DVec3::Y * y, [DVec3::Z, DVec3::X], 1.0);
    let lower = surface.append(&at(-0.01)?);
    surface.append(&at(0.01)?);
    let prescribed: Vec<u32> = (lower..lower + 8).collect();
    let velocity = VelocityKey { time: 0.0, vertices: prescribed[..4].to_vec(), velocity: DVec3::Y };
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: DVec3::ZERO,
        law: ContactLaw { stiffness: 500.0, speed: 2.0, ..ContactLaw::default() },
        velocities: vec![velocity],
        duration: 0.1,
    })
}
