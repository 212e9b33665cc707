//! Plane regions that are not convex or lie where a convex hull would not have them, and bodies that pass through each
//! other's holes.
//!
//! Each pair touches in one plane across y: one body has a facet there, and the other lies above it. So y is the only
//! normal. The minimal number of contacts is that of the corners of the region, or of its points, where its border turns,
//! inward or outward, as for all scenes of the suite. That is arguable where the region is not convex: loads need the
//! corners of its convex hull only, but stick and slip and the area need all.

use std::f64::consts::{FRAC_PI_4, PI};

use drystone_contact::shape::Shape;
use drystone_contact::split_mix::SplitMix;
use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::Made;
use super::solids::{extruded, lattice, of_surface};
use crate::builtin::{self, turned};
use crate::cases::DENSITY;
use crate::extended::hexahedra::{columns, solid};
use crate::extended::{STONE, fixed, moving, only_pair};
use crate::scene::BodyProblem;
use crate::solids::cuboid;
use crate::truth::{ExpectedNormal, PairTruth};

/// A plate with the shape of a plus on another, turned by 45° against it. The arms cross in four pairs of strips; what
/// they have in common is the union of four rhombi around the centre, a star of eight points: 8 corners outward and 8
/// inward, 16 contacts.
pub fn plus_on_plus() -> Made {
    let cuts: &[f64] = &[-1.0, -0.2, 0.2, 1.0];
    let plus = |y: &[f64]| lattice([cuts, y, cuts], |[i, _, k]| i == 1 || k == 1);
    let lower = fixed("lower plate", &plus(&[-0.3, 0.0])?)?;
    let pose = Pose::from_parts(DVec3::ZERO, turned(DVec3::Y, FRAC_PI_4));
    let upper = builtin::moving("upper plate", &plus(&[0.0, 0.3])?, DENSITY, pose, DVec3::ZERO, STONE)?;
    Ok((vec![lower, upper], only_pair(vec![DVec3::Y], 16)))
}

/// Five bars on a plate, and the same upside down across them: 25 squares, 100 contacts.
pub fn grating_on_grating() -> Made {
    let x: Vec<f64> = (0..10).map(|k| 0.1 * f64::from(k) - 0.45).collect();
    let (plate, bars, along): (&[f64], &[f64], &[f64]) = (&[-0.2, -0.1, 0.0], &[0.0, 0.1, 0.2], &[-0.6, 0.6]);
    let lower = lattice([&x, plate, along], |[i, j, _]| j == 0 || i % 2 == 0)?;
    let upper = lattice([along, bars, &x], |[_, j, k]| j == 1 || k % 2 == 0)?;
    let bodies = vec![fixed("lower grating", &lower)?, moving("upper grating", &upper, DVec3::ZERO)?];
    Ok((bodies, only_pair(vec![DVec3::Y], 100)))
}

/// A box on rough ground. Of its 81 vertices three are in y = 0, around the middle of the box; the others are 4 to 12 cm
/// lower, at random, so that pits, ridges and saddles are everywhere. 3 contacts, y.
pub fn box_on_terrain() -> Made {
    const CELL: f64 = 0.15;
    const PEAKS: [[usize; 2]; 3] = [[2, 2], [6, 2], [4, 6]];
    let mut sequence = SplitMix::new(3);
    let mut heights = [[0.0; 9]; 9];
    for (i, row) in heights.iter_mut().enumerate() {
        for (k, height) in row.iter_mut().enumerate() {
            let depth = 0.04 + 0.08 * sequence.next_fraction();
            *height = if PEAKS.contains(&[i, k]) { 0.0 } else { -depth };
        }
    }
    let cuts: Vec<f64> = (0..9).map(|k| CELL * (f64::from(k) - 4.0)).collect();
    let number = |x: f64| (x / CELL + 4.0).round() as usize;
    let ground = solid(&columns(&cuts, -0.5, |x, z| heights[number(x)][number(z)]))?;
    let cuboid = of_surface(cuboid(DVec3::new(-0.5, 0.0, -0.5), DVec3::new(0.5, 0.4, 0.5)))?;
    let bodies = vec![fixed("ground", &ground)?, moving("box", &cuboid, DVec3::ZERO)?];
    Ok((bodies, only_pair(vec![DVec3::Y], 3)))
}

/// A link of a chain that hangs in another one: the upper bar of the moving link lies across the lower bar of the fixed
/// one. Each link goes through the hole of the other, so that no plane parts them as wholes. The square in common: 4
/// contacts.
pub fn chain_links() -> Made {
    let wide: &[f64] = &[-0.3, -0.2, 0.2, 0.3];
    let thin: &[f64] = &[-0.05, 0.05];
    let upper = lattice([wide, &[-0.5, -0.4, 0.4, 0.5], thin], |[i, j, _]| [i, j] != [1, 1])?;
    let lower = lattice([thin, &[-1.3, -1.2, -0.4, -0.3], wide], |[_, j, k]| [j, k] != [1, 1])?;
    Ok((vec![fixed("upper link", &upper)?, moving("lower link", &lower, DVec3::ZERO)?], only_pair(vec![DVec3::Y], 4)))
}

/// Needles of hay around the one that is looked at.
const HAY: u32 = 30;

/// A needle of 2 × 2 cm along z lies across the ridges of two others. Thirty more lie around it in all directions, each
/// aside of its axis by 8 cm or more and so at least 3 cm from its surface: with them there are no contacts. Each ridge
/// crosses the bottom in a segment: 2 contacts each, y.
pub fn needle_in_haystack() -> Made {
    const THICK: f64 = 0.02;
    const HALF: f64 = 0.4;
    let section = [(-0.5 * THICK, -THICK), (0.5 * THICK, -THICK), (0.0, 0.0)];
    let straw: Shape = extruded(&section, (0.0, -0.6 * THICK), HALF)?;
    let along_x = turned(DVec3::Y, 0.5 * PI);
    let straw_at = |name: String, place: DVec3, turn: DQuat| -> Result<_, BodyProblem> {
        builtin::fixed(&name, &straw, Pose::from_parts(place, turn), STONE)
    };
    let mut bodies = Vec::new();
    for (k, z) in [-0.2, 0.2].into_iter().enumerate() {
        bodies.push(straw_at(format!("support {}", k + 1), DVec3::Z * z, along_x)?);
    }
    let mut sequence = SplitMix::new(7);
    for k in 0..HAY {
        let mut between = |low: f64, high: f64| low + (high - low) * sequence.next_fraction();
        // Across the way from the needle's axis to its own middle, so that it comes no nearer.
        let (aside, turn, slant) = (between(0.08, 0.15), between(0.0, 2.0 * PI), between(0.0, PI));
        let around = turned(DVec3::Z, turn);
        let middle = around * DVec3::new(0.0, aside, 0.0) + DVec3::new(0.0, 0.5 * THICK, between(-0.4, 0.4));
        bodies.push(straw_at(format!("straw {}", k + 1), middle, around * turned(DVec3::Y, slant))?);
    }
    let needle = of_surface(cuboid(DVec3::new(-0.5 * THICK, 0.0, -HALF), DVec3::new(0.5 * THICK, THICK, HALF)))?;
    let the_needle = BodyId::new(bodies.len() as u32);
    bodies.push(moving("needle", &needle, DVec3::ZERO)?);
    let pair = |support: u32| {
        let normals = vec![ExpectedNormal::from(DVec3::Y)];
        PairTruth { a: BodyId::new(support), b: the_needle, normals, minimum: 2, area: None }
    };
    Ok((bodies, vec![pair(0), pair(1)]))
}
