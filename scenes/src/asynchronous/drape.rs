//! A cloth falls over each of the solids with sharp features that the fundamental cases are made of.

use drystone_contact::shape::{Surface, SurfaceError};
use drystone_engine::simulator::asynchronous::{AsynchronousError, ContactLaw, SurfaceMaterial};
use drystone_engine::{Pose, PrescribedMotion};
use glam::DVec3;

use super::sheet::sheet;
use super::{SurfaceScene, mesh_error};
use crate::solids::{Proportions, crack_block, frustum, hole_block, internal_edge_block, spike, wedge};

/// The scene size of the solids; they are about 20 cm large.
const SIZE: f64 = 2.0;

/// Along each side of the cloth.
const CELLS: u32 = 24;

/// m.
const CELL: f64 = 0.01;

pub fn over_spike() -> Result<SurfaceScene, AsynchronousError> {
    over(spike(Proportions::of_size(SIZE)))
}

pub fn over_wedge() -> Result<SurfaceScene, AsynchronousError> {
    over(wedge(Proportions::of_size(SIZE)))
}

pub fn over_crack() -> Result<SurfaceScene, AsynchronousError> {
    over(crack_block(SIZE))
}

pub fn over_hole() -> Result<SurfaceScene, AsynchronousError> {
    over(hole_block(SIZE))
}

pub fn over_cliff() -> Result<SurfaceScene, AsynchronousError> {
    over(frustum(0.1, 0.0, 0.06, 0.1))
}

pub fn over_internal_edges() -> Result<SurfaceScene, AsynchronousError> {
    over(internal_edge_block(SIZE))
}

fn over(solid: Result<Surface, SurfaceError>) -> Result<SurfaceScene, AsynchronousError> {
    let cloth = SurfaceMaterial { area_density: 0.2, stretching: 15.0, bending: 1e-6, damping: 1e-3 };
    let solid = solid.map_err(mesh_error)?;
    let (low, high) = solid.bounds();
    let middle = 0.5 * (low + high);
    let half = 0.5 * f64::from(CELLS) * CELL;
    // Turned a little, so that its edges are not along those of the solid.
    let (along, across) = (DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.8, 0.0, -0.6));
    let corner = DVec3::new(middle.x, high.y + 0.004, middle.z) - (along + across) * half;
    let mut surface = sheet(corner, [along, across], [CELLS, CELLS], CELL, &cloth)?;
    surface.add_obstacle(&solid, &Pose::IDENTITY, &PrescribedMotion::default(), 1e-6)?;
    Ok(SurfaceScene {
        surface,
        prescribed: Vec::new(),
        gravity: DVec3::NEG_Y * 9.82,
        law: ContactLaw { stiffness: 100.0, speed: 3.0, friction: 0.2, ..ContactLaw::default() },
        velocities: Vec::new(),
        duration: 0.3,
    })
}
