//! Two cloths fall onto a bed of nails, and are tugged across it. A nail is four slivers of triangles.

use drystone_engine::simulator::asynchronous::{
    AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::SurfaceScene;
use super::sheet::sheet;

/// Nails along each side.
const NAILS: i32 = 5;

/// Between nails, m.
const SPACING: f64 = 0.04;

/// Of a nail: its height and half the side of its foot, m.
const NAIL: [f64; 2] = [0.05, 0.003];

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let steel = SurfaceMaterial { area_density: 1.0, stretching: 1.0, bending: 0.0, damping: 0.0 };
    let cloth = SurfaceMaterial { area_density: 0.2, stretching: 15.0, bending: 1e-6, damping: 1e-3 };
    let [height, half] = NAIL;
    let nail = |x: f64, z: f64| {
        let foot = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[a, b]| DVec3::new(x + a * half, 0.0, z + b * half));
        let points = [&foot[..], &[DVec3::new(x, height, z)]].concat();
        DeformableSurface::new(points, &[[1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]], &steel)
    };
    let at = |i: i32| SPACING * (f64::from(i) - 0.5 * f64::from(NAILS - 1));
    let mut surface = nail(at(0), at(0))?;
    for k in 1..NAILS * NAILS {
        surface.append(&nail(at(k / NAILS), at(k % NAILS))?);
    }
    let mut prescribed: Vec<u32> = (0..surface.positions().len() as u32).collect();
    let (cells, cell) = (24, 0.01);
    let mut tugged = Vec::new();
    for layer in 0..2 {
        let low = -0.5 * f64::from(cells) * cell;
        let corner = DVec3::new(low, height + 0.004 + 0.004 * f64::from(layer), low);
        let first = surface.append(&sheet(corner, [DVec3::Z, DVec3::X], [cells, cells], cell, &cloth)?);
        // The row with the least z.
        tugged.extend(first..=first + cells);
    }
    let tug = VelocityKey { time: 0.15, vertices: tugged.clone(), velocity: DVec3::new(0.0, 0.1, -0.4) };
    prescribed.extend(tugged);
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: DVec3::NEG_Y * 9.82,
        law: ContactLaw { stiffness: 100.0, speed: 3.0, friction: 0.2, ..ContactLaw::default() },
        velocities: vec![tug],
        duration: 0.4,
    })
}
