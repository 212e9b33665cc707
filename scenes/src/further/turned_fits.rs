//! Cups, bowls, a ball joint, a screw, turned about y with six sides, each in what it fits.
//!
//! As in [`fits`](super::fits), every facet of one lies on a facet of the other, and all hold at once: the expected
//! normals are those of the facets. Opposite sides of a cup have different normals, which all point up; of walls that are
//! upright, or repeat above what they are below, opposite ones share a direction. Coordinates have rounding errors here,
//! unlike those of boxes: facets that are one plane in reason are so to 1e-16.

use drystone_contact::shape::{Shape, TetrahedralMeshError};
use glam::DVec3;

use super::Made;
use super::solids::{Place, Turned};
use crate::extended::hexahedra::{Cell, solid};
use crate::extended::{fixed, moving, only_pair};

const HEXAGON: Turned = Turned { sides: 6 };

/// A cup whose outside and inside are each a path from the ground to the rim, with a floor between the first places.
fn cup(outside: &[Place], inside: &[Place]) -> Result<Shape, TetrahedralMeshError> {
    let walls: Vec<[Place; 4]> =
        outside.windows(2).zip(inside.windows(2)).map(|(o, i)| [o[0], o[1], i[1], i[0]]).collect();
    let mut cells = HEXAGON.rings(&walls);
    cells.extend(HEXAGON.cores(&[[outside[0], inside[0]]]));
    solid(&cells)
}

/// The normals of walls that go so far outward and up, seen from inside.
fn walls(outward: f64, up: f64) -> impl Iterator<Item = DVec3> {
    HEXAGON.all_outward().map(move |side| (DVec3::Y * outward - side * up).normalize())
}

/// A cup in a cup, as in a stack: six walls that lean 1 to 4 on six others, from the ground of the upper cup to the rim
/// of the lower. The floors are 10 cm apart. 24 contacts. The walls hold the cup by friction, as a wedge.
pub fn stacked_cups() -> Made {
    let wall = |height: f64| (0.3 + 0.25 * height, height);
    let lower = cup(&[(0.4, -0.1), (0.7, 0.8)], &[wall(0.0), wall(0.8)])?;
    let (rim, height) = wall(1.0);
    let upper = cup(&[wall(0.1), wall(1.0)], &[(0.2, 0.2), (rim - 0.08, height)])?;
    let bodies = vec![fixed("lower cup", &lower)?, moving("upper cup", &upper, DVec3::ZERO)?];
    Ok((bodies, only_pair(walls(0.25, 1.0).collect(), 24)))
}

/// A bowl in a bowl: floor on floor, a hexagon, and two rings of walls on walls: 6 + 24 + 24 contacts along 13 normals.
/// Between the rings and at the floor, concave edges of one bowl are filled by convex edges of the other.
pub fn nested_bowls() -> Made {
    let between = [(0.3, 0.0), (0.6, 0.2), (0.8, 0.6)];
    let lower = cup(&[(0.35, -0.1), (0.7, 0.1), (0.95, 0.6)], &between)?;
    let upper = cup(&between, &[(0.25, 0.08), (0.55, 0.28), (0.72, 0.6)])?;
    let bodies = vec![fixed("lower bowl", &lower)?, moving("upper bowl", &upper, DVec3::ZERO)?];
    let normals = walls(0.3, 0.2).chain(walls(0.2, 0.4)).chain([DVec3::Y]).collect();
    Ok((bodies, only_pair(normals, 54)))
}

/// The head of a ball joint, with facets in place of the sphere, in a socket that reaches over its middle: walls of 45°
/// below, upright ones, and walls of 45° above, which are parallel to those below on the other side. So there are 6 + 3
/// directions for 18 facets, 72 contacts, and the head cannot leave.
pub fn ball_joint() -> Made {
    let socket = HEXAGON.rings(&[
        [(0.3, -0.55), (0.9, -0.55), (0.9, -0.25), (0.6, -0.25)],
        [(0.6, -0.25), (0.9, -0.25), (0.9, 0.25), (0.6, 0.25)],
        [(0.6, 0.25), (0.9, 0.25), (0.9, 0.45), (0.4, 0.45)],
    ]);
    let path = [(0.25, -0.6), (0.6, -0.25), (0.6, 0.25), (0.25, 0.6)];
    let levels: Vec<[Place; 2]> = path.windows(2).map(|p| [p[0], p[1]]).collect();
    let bodies =
        vec![fixed("socket", &solid(&socket)?)?, moving("head", &solid(&HEXAGON.cores(&levels))?, DVec3::ZERO)?];
    let normals = walls(1.0, 1.0).chain((0..3).map(|side| HEXAGON.outward(side))).collect();
    Ok((bodies, only_pair(normals, 72)))
}

/// How much higher the thread is one side further, m.
const RISE: f64 = 0.1;

/// The cells behind a side, one for each two heights in `heights`, from the first on.
fn columns(apothems: [f64; 2], heights: impl Fn(u32) -> Vec<f64>) -> Vec<Cell> {
    let [inner, outer] = apothems;
    let mut cells = Vec::new();
    for side in 0..HEXAGON.sides {
        let column = heights(side);
        let section = |y: &[f64]| [(inner, y[0]), (outer, y[0]), (outer, y[1]), (inner, y[1])];
        cells.extend(column.windows(2).map(|y| HEXAGON.sector(side, section(y))));
    }
    cells
}

/// A nut on one turn of a screw: a thread that goes up in six level steps around the axis and ends in one riser as high
/// as the turn. Six treads along y, and six risers along the three directions across the corners of the hexagon: 48
/// contacts. A thread that rises evenly would have facets that are no planes; steps keep what makes a thread hard, flats
/// at all heights around one axis, and the ends of the turn. As for stairs, each tread is a region.
pub fn screw_in_nut() -> Made {
    let sides = HEXAGON.sides;
    let level = |k: u32| RISE * f64::from(k);
    let screw = columns([0.2, 0.6], |side| [-0.3].into_iter().chain((0..=side).map(level)).collect());
    let nut = columns([0.25, 0.55], |side| (side..sides).map(level).chain([0.8]).collect());
    let bodies = vec![fixed("screw", &solid(&screw)?)?, moving("nut", &solid(&nut)?, DVec3::ZERO)?];
    let normals = (0..3).map(|side| HEXAGON.along(side)).chain([DVec3::Y]).collect();
    Ok((bodies, only_pair(normals, 48)))
}
