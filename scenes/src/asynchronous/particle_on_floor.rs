//! A particle falls onto a floor that does not move: figure 6 of the paper. `examples/queue.rs` prints its events.

use drystone_engine::simulator::asynchronous::{AsynchronousError, ContactLaw, DeformableSurface};
use glam::DVec3;

use super::SurfaceScene;
use super::sheet::plate;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let mut surface = DeformableSurface::particle(DVec3::Y * 0.02, 0.01)?;
    let first = surface.append(&plate(DVec3::ZERO, [DVec3::Z, DVec3::X], 1.0)?);
    Ok(SurfaceScene {
        surface,
        prescribed: (first..first + 4).collect(),
        gravity: DVec3::NEG_Y * 9.82,
        law: ContactLaw { thickness: 0.01, stiffness: 20.0, speed: 1.0, ..ContactLaw::default() },
        velocities: Vec::new(),
        duration: 0.2,
    })
}
