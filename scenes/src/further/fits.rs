//! Solids that fit into each other without play: a dovetail, a key, combs, a thin plate, a clip, stairs, a halved joint.
//!
//! Every wall of one body lies on a wall of the other. No motion parts the bodies but the one along all the walls, if
//! there is one, and a half space over one wall alone would cut through the body that touches the next one. So all walls
//! hold at once, and the expected normals are theirs, as many as there are directions: the sense is free, and opposite
//! walls share one. Each wall touches over a rectangle with four corners, the minimal number of contacts; edges and
//! corners where two walls meet are on the border of both and no contacts of their own. The inner body is longer than the
//! outer one, or shorter, so that no ends coincide.
//!
//! A fit without play is what a method finds hardest: moved by a rounding error, one wall overlaps and the one opposite
//! is open. Gravity acts on the horizontal walls alone; where there are none the body slides along the others.

use glam::DVec3;

use super::Made;
use super::solids::{extruded, lattice, of_surface};
use crate::extended::hexahedra::{Cell, prism, slab, solid};
use crate::extended::{fixed, moving, only_pair};
use crate::solids::{cuboid, trapezoidal_prism};

/// A dovetail: a tail that widens downward in a groove that it fills. The flanks lean over the tail, so that their
/// normals from groove to tail, (±3, −2, 0)/√13, point down, and up from the floor: the tail can slide along z and
/// nothing else. Floor and two flanks: 12 contacts.
pub fn dovetail() -> Made {
    let (depth, foot, neck) = (0.3, 0.4, 0.2);
    let right = [(foot, 0.0), (0.8, 0.0), (0.8, depth), (neck, depth)];
    let left = [(-0.8, 0.0), (-foot, 0.0), (-neck, depth), (-0.8, depth)];
    let base = [[-0.8, -foot], [-foot, foot], [foot, 0.8]].map(|x| slab(x, [-0.3, 0.0], 0.5));
    let cells: Vec<Cell> = base.into_iter().chain([prism(left, 0.5), prism(right, 0.5)]).collect();
    let tail = of_surface(trapezoidal_prism([foot, neck], [0.0, depth], 0.7))?;
    let bodies = vec![fixed("groove", &solid(&cells)?)?, moving("tail", &tail, DVec3::ZERO)?];
    let flanks = [1.0, -1.0].map(|sign| DVec3::new(sign * depth, neck - foot, 0.0).normalize());
    Ok((bodies, only_pair(vec![DVec3::Y, flanks[0], flanks[1]], 12)))
}

/// A key with a T for its section in the keyhole of a plate. Eight sides, upright and level, among them those beside the
/// two concave edges of the key: 32 contacts.
pub fn key_in_keyhole() -> Made {
    let x: &[f64] = &[-0.6, -0.3, -0.1, 0.1, 0.3, 0.6];
    let y: &[f64] = &[-0.6, -0.4, 0.2, 0.4, 0.6];
    let is_hole = |i: usize, j: usize| (j == 2 && (1..=3).contains(&i)) || (j == 1 && i == 2);
    let plate = lattice([x, y, &[-0.1, 0.1]], |[i, j, _]| !is_hole(i, j))?;
    let key = lattice([x, y, &[-0.3, 0.3]], |[i, j, _]| is_hole(i, j))?;
    let bodies = vec![fixed("plate", &plate)?, moving("key", &key, DVec3::ZERO)?];
    Ok((bodies, only_pair(vec![DVec3::X, DVec3::Y], 32)))
}

/// A comb of four teeth in a comb of five, all 3 cm thick, without play. The tips of the upper comb stand on the ground
/// of the lower; those of the lower end 10 cm below the back of the upper. Eight flanks and four tips: 48 contacts. Where
/// a tooth is looked at whole, the flank behind it is as near as the one in front.
pub fn comb_in_comb() -> Made {
    const TOOTH: f64 = 0.03;
    let x: Vec<f64> = (0..10).map(|k| TOOTH * f64::from(k)).collect();
    let lower = lattice([&x, &[-0.2, 0.0, 0.3], &[-0.2, 0.2]], |[i, j, _]| j == 0 || i % 2 == 0)?;
    let upper = lattice([&x[1..9], &[0.0, 0.4, 0.6], &[-0.15, 0.15]], |[i, j, _]| j == 1 || i % 2 == 0)?;
    let bodies = vec![fixed("lower comb", &lower)?, moving("upper comb", &upper, DVec3::ZERO)?];
    Ok((bodies, only_pair(vec![DVec3::X, DVec3::Y], 48)))
}

/// A plate 5 mm thick, upright in a slot as wide: two sides and the narrow bottom, 12 contacts. The sides are as near to
/// each other as an envelope of 1 % of the size of the scene.
pub fn plate_in_slot() -> Made {
    const THICKNESS: f64 = 0.005;
    let cuts: [&[f64]; 3] = [&[-0.3, 0.0, THICKNESS, 0.3], &[-0.3, 0.0, 0.3], &[-0.5, 0.5]];
    let slot = lattice(cuts, |[i, j, _]| [i, j] != [1, 1])?;
    let plate = of_surface(cuboid(DVec3::new(0.0, 0.0, -0.4), DVec3::new(THICKNESS, 1.0, 0.4)))?;
    let bodies = vec![fixed("slot", &slot)?, moving("plate", &plate, DVec3::ZERO)?];
    Ok((bodies, only_pair(vec![DVec3::X, DVec3::Y], 12)))
}

/// A stair on the stair that it fits: three treads and two risers of 45°. Treads are at three heights
/// and so three regions, though seen from above they would not overlap: 20 contacts. That the normals of all treads are
/// one, and four contacts at the outermost corners would hold the same loads, is an argument for fewer; the regions of
/// this suite end where the faces do.
pub fn stair_on_stair() -> Made {
    let steps = [(0.4, 0.0), (0.1, 0.3), (-0.4, 0.3), (-0.7, 0.6), (-1.2, 0.6)];
    let lower = [&[(-1.2, -0.5), (1.0, -0.5), (1.0, 0.0)][..], &steps].concat();
    let back = steps.iter().rev().copied();
    let upper: Vec<(f64, f64)> = [(1.0, 0.0), (1.0, 1.2), (-1.2, 1.2)].into_iter().chain(back).collect();
    let lower = fixed("lower stair", &extruded(&lower, (-0.3, -0.3), 0.5)?)?;
    let upper = moving("upper stair", &extruded(&upper, (0.0, 0.9), 0.4)?, DVec3::ZERO)?;
    Ok((vec![lower, upper], only_pair(vec![DVec3::Y, DVec3::new(1.0, 1.0, 0.0).normalize()], 20)))
}

/// A halved joint: two beams across each other, each notched by half its height, so that each lies in the notch of the
/// other. The seat and the walls of both notches: five rectangles along three axes, 20 contacts. The seat ends at the
/// four walls, and each of its corners is a place of three contacts.
pub fn halved_joint() -> Made {
    const HALF: f64 = 0.15;
    let ends = [-1.0, -HALF, HALF, 1.0];
    let lower: Vec<Cell> = ends
        .windows(2)
        .flat_map(|x| [[-HALF, 0.0], [0.0, HALF]].map(|y| slab([x[0], x[1]], y, HALF)))
        .enumerate()
        .filter_map(|(k, cell)| (k != 3).then_some(cell))
        .collect();
    // Turned about the axis between x and z, which takes the notch from above to below.
    let upper: Vec<Cell> = lower.iter().map(|cell| cell.map(|p| DVec3::new(p.z, -p.y, p.x))).collect();
    let lower = fixed("lower beam", &solid(&lower)?)?;
    let upper = moving("upper beam", &solid(&upper)?, DVec3::ZERO)?;
    Ok((vec![lower, upper], only_pair(vec![DVec3::X, DVec3::Y, DVec3::Z], 20)))
}
