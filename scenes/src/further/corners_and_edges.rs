//! Edges on edges and corners on corners, convex ones and such that are filled.
//!
//! Two edges that cross have one direction across both, and no other plane has one body on each side: the angle between
//! them does not matter, however small. Of two parallel convex edges, or two convex corners, many planes part the bodies;
//! here the motion leaves one of them. A velocity v is admitted by the planes with v · n ≥ 0, n from A to B, and v is
//! chosen so that this is one normal of the common normal cone: nothing has to be preferred. Bodies that pass slide along
//! each other without a gap in all later steps; then the faces have a rectangle in common. In corners and pits that are
//! filled, all walls hold at once.

use std::f64::consts::{FRAC_PI_2, SQRT_2};

use drystone_engine::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::Made;
use super::solids::{Turned, lattice, of_surface};
use crate::builtin::{self, turned};
use crate::cases::DENSITY;
use crate::extended::hexahedra::solid;
use crate::extended::{STONE, fixed, moving, only_pair};
use crate::solids::{Proportions, cuboid, hole_block, spike, wedge};

/// A wedge on its ridge on the ridge of another, turned by an angle (rad) about y.
fn ridges(angle: f64) -> Made {
    const WEDGE: Proportions = Proportions { height: 0.5, half_base: 0.4 };
    let shape = of_surface(wedge(WEDGE))?;
    let lower = builtin::fixed("lower wedge", &shape, Pose::from_translation(DVec3::NEG_Y * WEDGE.height), STONE)?;
    let upside_down = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let pose = Pose::from_parts(DVec3::Y * WEDGE.height, turned(DVec3::Y, angle) * upside_down);
    let upper = builtin::moving("upper wedge", &shape, DENSITY, pose, DVec3::ZERO, STONE)?;
    Ok((vec![lower, upper], only_pair(vec![DVec3::Y], 1)))
}

/// Two ridges at right angles: 1 contact, y.
pub fn crossed_ridges() -> Made {
    ridges(FRAC_PI_2)
}

/// Two ridges at 5 mrad. They cross in one point; at their ends, 0.8 m further, they are 4 mm aside of each other at the
/// same height. 1 contact, y. A method that takes the ridges for parallel finds two contacts, 0.8 m from where the bodies
/// touch, or one of the many normals of a common line. Arguable: bodies that are 4 mm aside at their ends are, for most
/// purposes, on a line. The truth is that of the geometry as it is given.
pub fn ridges_nearly_parallel() -> Made {
    ridges(0.005)
}

/// The edge of a box at the edge of another, in front of it and above, moving down. Between x and y all directions part
/// them; down is admitted by x alone (v · n = −n_y). At the start an edge on an edge, 2 contacts; afterwards side along
/// side.
pub fn edge_past_edge() -> Made {
    let lower = of_surface(cuboid(DVec3::new(-1.0, -1.0, -0.5), DVec3::new(0.0, 0.0, 0.5)))?;
    let upper = of_surface(cuboid(DVec3::ZERO.with_z(-0.3), DVec3::new(1.0, 1.0, 0.3)))?;
    let bodies = vec![fixed("lower box", &lower)?, moving("upper box", &upper, DVec3::NEG_Y)?];
    Ok((bodies, only_pair(vec![DVec3::X], 2)))
}

/// A corner of a box at the opposite corner of another, moving down and back. All directions with positive components
/// part them; v = (0, −1, −1) is admitted by x alone. 1 contact at the start, and afterwards a rectangle that grows.
pub fn corner_past_corner() -> Made {
    let lower = of_surface(cuboid(-DVec3::ONE, DVec3::ZERO))?;
    let upper = of_surface(cuboid(DVec3::ZERO, DVec3::ONE))?;
    let bodies = vec![fixed("lower box", &lower)?, moving("upper box", &upper, DVec3::new(0.0, -1.0, -1.0))?];
    Ok((bodies, only_pair(vec![DVec3::X], 1)))
}

/// A cube in the corner of three walls, which stands on its tip so that all three carry: 12 contacts. Three concave edges
/// and the corner are filled by edges and the corner of the cube.
pub fn cube_in_corner() -> Made {
    let cuts: &[f64] = &[-0.3, 0.0, 1.2];
    let room = lattice([cuts; 3], |cell| cell != [1, 1, 1])?;
    let cube = of_surface(cuboid(DVec3::ZERO, DVec3::splat(0.8)))?;
    let upright = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    let pose = Pose::from_parts(DVec3::ZERO, upright);
    let room = builtin::fixed("corner", &room, pose, STONE)?;
    let cube = builtin::moving("cube", &cube, DENSITY, pose, DVec3::ZERO, STONE)?;
    Ok((vec![room, cube], only_pair(DVec3::AXES.map(|axis| upright * axis).to_vec(), 12)))
}

/// A pyramid in a pit that it fills: four walls of 45°, each a triangle from the tip to the rim, 12 contacts of which
/// four are at the tip, with a normal each. The pyramid is higher than the pit is deep.
pub fn pyramid_in_pit() -> Made {
    const PYRAMID: Proportions = Proportions { height: 0.7, half_base: 0.7 };
    let pose = Pose::from_parts(DVec3::Y * PYRAMID.height, DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let pyramid = builtin::moving("pyramid", &of_surface(spike(PYRAMID))?, DENSITY, pose, DVec3::ZERO, STONE)?;
    let normals = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z].map(|aside| (DVec3::Y + aside).normalize());
    Ok((vec![fixed("block with pit", &of_surface(hole_block(20.0))?)?, pyramid], only_pair(normals.to_vec(), 12)))
}

/// A cube, tip down, in a triangular hole that is too small for it. The edges that go up from the tip lie across the
/// edges of the hole, each in its middle, and the normal there is the one across both, (−u, √2)/√3 with u the way from
/// the axis to the edge of the hole, which no facet has. Three crossings, 3 contacts; all three carry.
pub fn cube_over_hole() -> Made {
    const HOLE: f64 = 0.2;
    let triangle = Turned { sides: 3 };
    let plate = solid(&triangle.rings(&[[(HOLE, -0.3), (0.9, -0.3), (0.9, 0.0), (HOLE, 0.0)]]))?;
    // The edges of the cube at its tip, right-handed.
    let edges = [0, 2, 1].map(|side| (triangle.outward(side) * SQRT_2 + DVec3::Y) / 3f64.sqrt());
    let orientation = DQuat::from_mat3(&DMat3::from_cols(edges[0], edges[1], edges[2]));
    let pose = Pose::from_parts(DVec3::NEG_Y * (HOLE / SQRT_2), orientation);
    let cube = of_surface(cuboid(DVec3::ZERO, DVec3::splat(0.8)))?;
    let cube = builtin::moving("cube", &cube, DENSITY, pose, DVec3::ZERO, STONE)?;
    let normals = triangle.all_outward().map(|outward| (DVec3::Y * SQRT_2 - outward) / 3f64.sqrt()).collect();
    Ok((vec![fixed("plate", &plate)?, cube], only_pair(normals, 3)))
}
