//! Facets that are nearly parallel, and round solids out of many facets.
//!
//! Two facets that differ by 15 to 30 mrad lie within a few millimetres of each other over the whole of a cube, yet they
//! touch along an edge. A method with a collision envelope sees faces on faces. The truth is that of the geometry as it
//! is given: the edge carries, and the normal is that of the facet it lies on, or of its own place between two facets.
//! What is arguable is how small an angle may be before the bodies are flat on each other for all purposes. No two
//! directions between which a method has to decide here differ by less than 15 mrad; the measure of the paper takes 14 for
//! one.

use std::f64::consts::PI;

use drystone_contact::shape::Shape;
use drystone_engine::Pose;
use glam::DVec3;

use super::Made;
use super::solids::{extruded, lattice, of_surface};
use crate::builtin::{self, turned};
use crate::cases::DENSITY;
use crate::extended::hexahedra::{columns, solid};
use crate::extended::{STONE, fixed, moving, only_pair};
use crate::icosphere::icosphere;
use crate::scene::BodyProblem;
use crate::solids::cuboid;

/// By how much the sides of roof and valley fall, and rise, a metre.
const SLOPE: f64 = 0.015;

/// A cube of 0.6 m on y = `height`.
fn cube(height: f64) -> Result<Shape, BodyProblem> {
    of_surface(cuboid(DVec3::new(-0.3, height, -0.3), DVec3::new(0.3, height + 0.6, 0.3)))
}

/// A block whose top has its middle at the origin and changes by so much a metre to both sides.
fn block(slope: f64) -> Result<Shape, BodyProblem> {
    extruded(&[(-1.0, -0.5), (1.0, -0.5), (1.0, slope), (0.0, 0.0), (-1.0, slope)], (0.0, -0.3), 0.5)
}

/// A cube on the ridge of a roof whose sides fall by 15 mrad. The ridge is convex and lies in the bottom of the cube,
/// which is a plane: y parts the bodies and nothing else does. 2 contacts. The cube balances; its sides are 4.5 mm above
/// the roof.
pub fn cube_on_shallow_roof() -> Made {
    let bodies = vec![fixed("roof", &block(-SLOPE)?)?, moving("cube", &cube(0.0)?, DVec3::ZERO)?];
    Ok((bodies, only_pair(vec![DVec3::Y], 2)))
}

/// A cube in a valley whose sides rise by 15 mrad. It touches with two of its edges, each on one side, and is 4.5 mm
/// above the middle. The planes of both sides hold at once, for the valley is concave: two normals, 15 mrad beside y, 4
/// contacts.
pub fn cube_in_shallow_valley() -> Made {
    let bodies = vec![fixed("valley", &block(SLOPE)?)?, moving("cube", &cube(0.3 * SLOPE)?, DVec3::ZERO)?];
    let normals = [1.0, -1.0].map(|sign| DVec3::new(sign * SLOPE, 1.0, 0.0).normalize());
    Ok((bodies, only_pair(normals.to_vec(), 4)))
}

/// A cube on the tip of a pyramid whose four ridges fall by 15 mrad, and its facets by 21. The tip is convex and lies in
/// the bottom of the cube: y, 1 contact.
pub fn cube_on_shallow_tip() -> Made {
    let pyramid = solid(&columns(&[-1.0, 0.0, 1.0], -0.5, |x, z| -SLOPE * (x.abs() + z.abs())))?;
    Ok((vec![fixed("pyramid", &pyramid)?, moving("cube", &cube(0.0)?, DVec3::ZERO)?], only_pair(vec![DVec3::Y], 1)))
}

/// A block whose bottom is the valley that it lies in, both sides of 12 mrad: two faces on two faces, 8 contacts. The two
/// normals differ by 24 mrad, a little more than directions that the strict scores take for one; whether they are two or
/// one decides whether the ends of the ridge are contacts.
pub fn roof_in_shallow_valley() -> Made {
    const FALL: f64 = 0.012;
    let side = 0.3 * FALL;
    let roof = extruded(&[(0.0, 0.0), (0.3, side), (0.3, 0.6), (-0.3, 0.6), (-0.3, side)], (0.0, 0.3), 0.3)?;
    let normals = [1.0, -1.0].map(|sign| DVec3::new(sign * FALL, 1.0, 0.0).normalize());
    let bodies = vec![fixed("valley", &block(FALL)?)?, moving("block", &roof, DVec3::ZERO)?];
    Ok((bodies, only_pair(normals.to_vec(), 8)))
}

/// A cube that stands on one of its edges, tilted by 30 mrad against the floor. Its far edge is 18 mm above the floor and
/// falls: in five steps the tilt goes back to 18 mrad. The floor is a plane and alone parts the bodies: y, 2 contacts.
pub fn cube_on_its_edge() -> Made {
    let floor = of_surface(cuboid(DVec3::new(-1.0, -0.5, -1.0), DVec3::new(1.0, 0.0, 1.0)))?;
    let cube = of_surface(cuboid(DVec3::ZERO.with_z(-0.3), DVec3::new(0.6, 0.6, 0.3)))?;
    let tilted = Pose::from_parts(DVec3::ZERO, turned(DVec3::Z, 0.03));
    let cube = builtin::moving("cube", &cube, DENSITY, tilted, DVec3::ZERO, STONE)?;
    Ok((vec![fixed("floor", &floor)?, cube], only_pair(vec![DVec3::Y], 2)))
}

/// A drum of 400 sides that lies on one of them. Each side is 8 mm wide and 16 mrad beside the next, which ends 0.12 mm
/// above the floor. One facet touches: 4 contacts, y.
pub fn fine_drum() -> Made {
    const SIDES: u32 = 400;
    const RADIUS: f64 = 0.5;
    let corner = |k: u32| 2.0 * PI * (f64::from(k) + 0.5) / f64::from(SIDES) - 0.5 * PI;
    // The lowest side is level to the last bit.
    let low = RADIUS * libm::cos(PI / f64::from(SIDES));
    let height = |k: u32| if k == 0 || k == SIDES - 1 { 0.0 } else { low + RADIUS * libm::sin(corner(k)) };
    let section: Vec<(f64, f64)> = (0..SIDES).map(|k| (RADIUS * libm::cos(corner(k)), height(k))).collect();
    let floor = of_surface(cuboid(DVec3::new(-1.0, -0.5, -1.0), DVec3::new(1.0, 0.0, 1.0)))?;
    let drum = extruded(&section, (0.0, low), 0.4)?;
    Ok((vec![fixed("floor", &floor)?, moving("drum", &drum, DVec3::ZERO)?], only_pair(vec![DVec3::Y], 4)))
}

/// A ball out of 5120 triangles on a floor and against a wall of the same body. Its vertices on the axes touch both, each
/// in one point; the facets around them rise by 43 mrad and more. 2 contacts, x and y. The vertices beside them are 1.2 mm
/// above the floor, within the envelope of most methods.
pub fn fine_ball_in_corner() -> Made {
    const RADIUS: f64 = 0.5;
    let cuts: [&[f64]; 3] = [&[-2.0, 0.0, 0.5], &[-0.5, 0.0, 2.0], &[-1.0, 1.0]];
    let corner = fixed("L", &lattice(cuts, |[i, j, _]| [i, j] != [0, 1])?)?;
    let pose = Pose::from_translation(DVec3::new(-RADIUS, RADIUS, 0.0));
    let ball = builtin::moving("ball", &of_surface(icosphere(RADIUS, 4))?, DENSITY, pose, DVec3::ZERO, STONE)?;
    Ok((vec![corner, ball], only_pair(vec![DVec3::X, DVec3::Y], 2)))
}
