//! Two ribbons, laid as a loose reef knot, are pulled tight by their ends.

use drystone_contact::shape::mesh_file::{Format, parse};
use drystone_engine::simulator::asynchronous::{
    AsynchronousError, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use glam::DVec3;

use super::SurfaceScene;

/// A mesh of Codim-IPC (Apache-2.0).
const MESH: &[u8] = include_bytes!("../../data/asynchronous/ribbon1.6K.obj");

/// Lengths of the mesh in m.
const SCALE: f64 = 0.05;

/// The ends are this share of the length.
const END: f64 = 0.01;

/// Of either end, m/s.
const SPEED: f64 = 1.0;

pub fn scene() -> Result<SurfaceScene, AsynchronousError> {
    let mesh = parse(MESH, Format::Obj).map_err(|error| AsynchronousError::Mesh { problem: error.to_string() })?;
    let material = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-6, damping: 0.0 };
    let positions: Vec<DVec3> = mesh.vertices.iter().map(|&p| p * SCALE).collect();
    let (low, high) = positions.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.x), h.max(p.x)));
    let end = |is_end: &dyn Fn(f64) -> bool| -> Vec<u32> {
        (0..).zip(&positions).filter(|(_, p)| is_end(p.x)).map(|(v, _)| v).collect()
    };
    let margin = END * (high - low);
    let ends = [end(&|x| x < low + margin), end(&|x| x > high - margin)];
    let prescribed = ends.concat();
    let [left, right] = ends;
    let velocities = vec![
        VelocityKey { time: 0.0, vertices: left, velocity: DVec3::NEG_X * SPEED },
        VelocityKey { time: 0.0, vertices: right, velocity: DVec3::X * SPEED },
    ];
    Ok(SurfaceScene {
        surface: DeformableSurface::new(positions, &mesh.triangles, &material)?,
        prescribed,
        gravity: DVec3::ZERO,
        law: ContactLaw { thickness: 7e-4, stiffness: 200.0, speed: 4.0, friction: 0.2, ..ContactLaw::default() },
        velocities,
        duration: 0.135,
    })
}
