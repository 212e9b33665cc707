//! A particle goes slowly through four curtains, and then very fast.

use drystone_engine::simulator::asynchronous::{
    AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::SurfaceScene;
use super::sheet::sheet;

/// Between curtains, m.
const SPACING: f64 = 0.02;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let cloth = SurfaceMaterial { area_density: 0.2, stretching: 15.0, bending: 1e-6, damping: 1e-3 };
    let [rows, columns] = [24, 16];
    let cell = 0.01;
    let mut surface = DeformableSurface::particle(DVec3::new(0.0, 0.0, -0.03), 1.0)?;
    let mut prescribed = vec![0];
    for curtain in 0..4 {
        let corner = DVec3::new(-0.5 * f64::from(columns) * cell, 0.1, SPACING * f64::from(curtain));
        let first = surface.append(&sheet(corner, [DVec3::NEG_Y, DVec3::X], [rows, columns], cell, &cloth)?);
        prescribed.extend(first..=first + columns);
    }
    let key = |time: f64, speed: f64| VelocityKey {
        time,
        vertices: vec![0],
        velocity: DVec3::new(0.0, -0.3, 1.0).normalize() * speed,
    };
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: DVec3::NEG_Y * 9.82,
        law: ContactLaw { stiffness: 200.0, speed: 5.0, friction: 0.1, ..ContactLaw::default() },
        velocities: vec![key(0.0, 0.4), key(0.2, 10.0), key(0.215, 0.0)],
        duration: 0.4,
    })
}
