//! A ribbon is squeezed between two plates that come together until there is no room for it: it ends with an error, and nothing has passed through
//! anything.

use drystone_engine::simulator::asynchronous::{
    AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::SurfaceScene;

/// Of the ribbon, in cells.
const CELLS: [u32; 2] = [20, 3];

/// m.
const CELL: f64 = 0.01;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let material = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-6, damping: 0.0 };
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=CELLS[0] {
        for j in 0..=CELLS[1] {
            positions.push(DVec3::new(f64::from(i), 0.0, f64::from(j)) * CELL);
            if i < CELLS[0] && j < CELLS[1] {
                let row = CELLS[1] + 1;
                let [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[p, q]| (i + p) * row + j + q);
                triangles.extend([[a, c, b], [a, d, c]]);
            }
        }
    }
    let mut surface = DeformableSurface::new(positions, &triangles, &material)?;
    let plate = |y: f64| {
        let corners = [[-1.0, -1.0], [0.1, 1.0], [1.2, -1.0]].map(|[x, z]| DVec3::new(x, y, z));
        DeformableSurface::new(corners.to_vec(), &[[0, 1, 2]], &material)
    };
    let lower = surface.append(&plate(-0.01)?);
    surface.append(&plate(0.01)?);
    let prescribed: Vec<u32> = (lower..lower + 6).collect();
    let velocity = VelocityKey { time: 0.0, vertices: prescribed[..3].to_vec(), velocity: DVec3::Y };
    Ok(SurfaceScene {
        surface,
        prescribed,
        gravity: DVec3::ZERO,
        law: ContactLaw { stiffness: 500.0, speed: 2.0, ..ContactLaw::default() },
        velocities: vec![velocity],
        duration: 0.1,
    })
}
