//! The Wall (assessment paper, section 5.1.1): ten layers of eight bricks in running bond, without half bricks, so that
//! odd layers reach half a brick farther to +x.
//!
//! Equation (1) gives the normal of any two bricks from their heights. Here it is applied once, to the pairs of bricks
//! that share a face at the start: 8 with the ground, 70 across head joints, 135 across bed joints. No two bricks share
//! only an edge or a corner. Contacts of any other pair are wrong and cover no area.

use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground};
use crate::cases::{Model, materials};
use crate::recorded;
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::{PairTruth, Truth};
use drystone_contact::sorting::CompactSort;

/// Layers of bricks, L.
const LAYERS: usize = 10;

/// Bricks in a layer, S.
const SPAN: usize = 8;

/// Width (x), height (y) and depth (z) of a brick, m: the wall is 5 m wide, 4 m high and 0.5 m thick.
const BRICK: DVec3 = DVec3::new(0.625, 0.4, 0.5);

/// The Wall.
///
/// # Errors
/// Never for want of data; see [`BodyProblem`].
pub fn scene(model: Model) -> Result<Scene, BodyProblem> {
    let (materials, stone, ground_material) = materials()?;
    let bodies = match model {
        Model::Recorded => {
            let names = names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            recorded::structure(BuiltIn::Wall.name(), &names, &materials)?
        }
        Model::Procedural => {
            let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
            let brick = at_rest("brick", cuboid(-BRICK / 2.0, BRICK / 2.0), place, false, stone)?;
            let mut bodies = vec![ground(10.0, ground_material)?];
            for (name, centre) in names().into_iter().skip(1).zip(centres()) {
                bodies.push(brick.copy(name, &Pose::from_parts(centre, DQuat::IDENTITY))?);
            }
            bodies
        }
    };
    Ok(BuiltIn::Wall.of_bodies(bodies, materials, truth()))
}

/// Ground, then the bricks from below, in a layer from −x.
fn names() -> Vec<String> {
    let bricks = (1..=LAYERS).flat_map(|layer| (1..=SPAN).map(move |k| format!("layer {layer} brick {k}")));
    std::iter::once("ground".to_owned()).chain(bricks).collect()
}

/// Where the centres of the bricks are, in the order of their ids.
fn centres() -> impl Iterator<Item = DVec3> {
    (0..LAYERS).flat_map(|i| {
        (0..SPAN).map(move |j| {
            let aside = if i % 2 == 1 { 0.5 } else { 0.0 };
            let x = (j as f64 + aside) * BRICK.x - 2.5;
            DVec3::new(x, (i as f64 + 0.5) * BRICK.y, 0.0)
        })
    })
}

/// 213 interfaces of four corners; their areas follow equation (4).
pub fn truth() -> Truth {
    let ground = BodyId::new(0);
    let id = |layer: usize, k: usize| BodyId::new((1 + layer * SPAN + k) as u32);
    let bed = BRICK.x * BRICK.z;
    let mut pairs: Vec<PairTruth> =
        (0..SPAN).map(|k| PairTruth::interface(ground, id(0, k), DVec3::Y, 4, bed)).collect();
    for layer in 0..LAYERS {
        let head = BRICK.y * BRICK.z;
        pairs.extend((1..SPAN).map(|k| PairTruth::interface(id(layer, k - 1), id(layer, k), DVec3::X, 4, head)));
    }
    for layer in 1..LAYERS {
        for k in 0..SPAN {
            // Odd layers lie to +x of even ones, so brick k above rests on k and its neighbour on that side.
            let other = if layer % 2 == 1 { Some(k + 1).filter(|&n| n < SPAN) } else { k.checked_sub(1) };
            for below in [Some(k), other].into_iter().flatten() {
                pairs.push(PairTruth::interface(id(layer - 1, below), id(layer, k), DVec3::Y, 4, bed / 2.0));
            }
        }
    }
    pairs.compact_sort_by_key(|pair| (pair.a, pair.b));
    Truth { pairs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_that_of_equation_four() {
        let truth = truth();
        let areas: Vec<f64> = truth.pairs.iter().filter_map(|pair| pair.area).collect();
        assert_eq!((truth.pairs.len(), areas.len()), (213, 213));
        let count = |area: f64| areas.iter().filter(|&&a| (a - area).abs() < 1e-15).count();
        assert_eq!((count(0.3125), count(0.2), count(0.15625)), (8, 70, 135));
        assert!((areas.iter().sum::<f64>() - 37.59375).abs() < 1e-12);
    }

    /// The list of pairs by brute force: boxes that share a rectangle, and equation (1).
    #[test]
    fn pairs_are_those_that_share_a_face() {
        let centres: Vec<DVec3> = centres().collect();
        let mut faces = 0;
        for (i, a) in centres.iter().enumerate() {
            for (j, b) in centres.iter().enumerate().skip(i + 1) {
                let overlap = BRICK - (*b - *a).abs();
                let axes = overlap.to_array().into_iter().filter(|&o| o > 1e-9).count();
                let touches = overlap.min_element() > -1e-9;
                let truth = truth();
                let pair = truth.of(BodyId::new(1 + i as u32), BodyId::new(1 + j as u32));
                assert_eq!(pair.is_some(), touches && axes == 2, "{i}, {j}");
                assert!(!touches || axes == 2, "{i}, {j} share an edge or a corner only");
                if let Some(pair) = pair {
                    let expected = if (a.y - b.y).abs() < BRICK.y / 4.0 { DVec3::X } else { DVec3::Y };
                    assert!(pair.directions().eq([expected]));
                    faces += 1;
                }
            }
        }
        assert_eq!(faces, 205);
    }
}
