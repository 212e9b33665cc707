//! Two cloths fall onto a bed of nails, are tugged across it, and coarse projectiles are thrown at them. A nail is four slivers of triangles.

use drystone_engine::Pose;
use drystone_engine::simulator::asynchronous::{
    AffineMaterial, AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::sheet::sheet;
use super::{SurfaceScene, mesh_error};
use crate::icosphere::icosphere;

/// Nails along each side.
const NAILS: i32 = 5;

/// Between nails, m.
const SPACING: f64 = 0.04;

/// Of a nail: its height and half the side of its foot, m.
const NAIL: [f64; 2] = [0.05, 0.003];

/// m/s².
const GRAVITY: DVec3 = DVec3::new(0.0, -9.82, 0.0);

/// The radius of a projectile, m.
const PROJECTILE: f64 = 0.012;

/// When each projectile would get to a point above the bed, s, that point, m, and its velocity there, m/s.
const THROWN: [(f64, DVec3, DVec3); 5] = [
    (0.34, DVec3::new(-0.06, 0.08, -0.04), DVec3::new(1.0, -3.0, 0.0)),
    (0.36, DVec3::new(0.06, 0.08, -0.06), DVec3::new(-1.0, -3.0, 0.5)),
    (0.38, DVec3::new(0.01, 0.08, -0.02), DVec3::new(0.0, -4.0, -0.5)),
    (0.40, DVec3::new(-0.02, 0.08, -0.07), DVec3::new(0.5, -3.0, 1.0)),
    (0.42, DVec3::new(0.05, 0.08, -0.04), DVec3::new(-2.0, -2.0, -1.0)),
];

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
    let ball = icosphere(PROJECTILE, 0).map_err(mesh_error)?;
    let wood = AffineMaterial { density: 500.0, stiffness: 1e6, damping: 100.0 };
    for (time, at, velocity) in THROWN {
        // They fly freely until then.
        let pose = Pose::from_translation(at - velocity * time + GRAVITY * (0.5 * time * time));
        let spin = DVec3::new(8.0, 0.0, 5.0);
        surface.add_body(&ball, &wood, &pose, [velocity - GRAVITY * time, spin])?;
    }
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: GRAVITY,
        law: ContactLaw { stiffness: 100.0, speed: 3.0, friction: 0.2, ..ContactLaw::default() },
        velocities: vec![tug],
        duration: 0.5,
    })
}
