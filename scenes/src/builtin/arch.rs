//! The Arch (assessment paper, section 5.1.2): seven voussoirs with straight sides between the radii 1.5 m and 2 m, on two
//! pillars of three stones; every interface has 0.5 m × 2 m = 1 m².
//!
//! Two truths: `published` has the directions between centres of mass (equation 6), `corrected` the normals of the
//! interfaces. They differ only at the two springings, horizontal planes 6° from the line of centres.

use std::f64::consts::PI;

use drystone_contact::shape::{Surface, SurfaceError};
use drystone_contact::sorting::CompactSort;
use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground, turned};
use crate::cases::{Model, materials};
use crate::recorded;
use crate::scene::{BodyProblem, Scene, SceneBody};
use crate::solids::{cuboid, trapezoidal_prism};
use crate::truth::{PairTruth, Truth};

/// Outer and inner radius, m.
const RADII: [f64; 2] = [2.0, 1.5];

/// Extent along z, m.
const DEPTH: f64 = 2.0;

/// Height of a pillar, m.
const PILLAR: f64 = 2.0;

/// Stones of a pillar.
const STONES: usize = 3;

/// Stones of the arch.
const VOUSSOIRS: usize = 7;

/// The Arch.
///
/// # Errors
/// Never for want of data; see [`BodyProblem`].
pub fn scene(model: Model) -> Result<Scene, BodyProblem> {
    let (materials, stone, ground_material) = materials()?;
    let names = names();
    let bodies = match model {
        Model::Recorded => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            recorded::structure(BuiltIn::Arch.name(), &names, &materials)?
        }
        Model::Procedural => {
            let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
            let [outer, inner] = RADII;
            let half = DVec3::new(outer - inner, PILLAR / STONES as f64, DEPTH) / 2.0;
            let block = at_rest("block", cuboid(-half, half), place, false, stone)?;
            let wedge = at_rest("voussoir", voussoir(), place, false, stone)?;
            let mut names = names.into_iter().skip(1);
            let mut next = || names.next().unwrap_or_default();
            let mut bodies = vec![ground(10.0, ground_material)?];
            for k in 0..STONES {
                for side in [-1.0, 1.0] {
                    let centre = DVec3::new(side * (outer + inner) / 2.0, (2 * k + 1) as f64 * half.y, 0.0);
                    bodies.push(block.copy(next(), &Pose::from_parts(centre, DQuat::IDENTITY))?);
                }
            }
            for k in 0..VOUSSOIRS {
                let turn = (k as f64 + 0.5) * PI / VOUSSOIRS as f64 - PI / 2.0;
                bodies.push(wedge.copy(next(), &Pose::from_parts(DVec3::Y * PILLAR, turned(DVec3::Z, turn)))?);
            }
            bodies
        }
    };
    let (corrected, published) = (truth(), published_truth(&bodies));
    let scene = BuiltIn::Arch.of_bodies(bodies, materials, corrected);
    Ok(Scene { published_truth: Some(published), ..scene })
}

/// A voussoir upright, its circles around the origin.
fn voussoir() -> Result<Surface, SurfaceError> {
    let half_angle = PI / (2 * VOUSSOIRS) as f64;
    let (sin, cos) = (libm::sin(half_angle), libm::cos(half_angle));
    let [outer, inner] = RADII;
    trapezoidal_prism([inner * sin, outer * sin], [inner * cos, outer * cos], DEPTH / 2.0)
}

/// Ground; the stones of both pillars from below, that at −x first; the voussoirs from +x to −x.
fn names() -> Vec<String> {
    let pillars = (1..=STONES).flat_map(|k| ["left", "right"].map(|side| format!("{side} stone {k}")));
    let voussoirs = (1..=VOUSSOIRS).map(|k| format!("voussoir {k}"));
    std::iter::once("ground".to_owned()).chain(pillars).chain(voussoirs).collect()
}

/// The 14 interfaces with four corners and 1 m² each, across the normals of their planes.
pub fn truth() -> Truth {
    let area = (RADII[0] - RADII[1]) * DEPTH;
    let pair = |a: usize, b: usize, normal: DVec3| {
        PairTruth::interface(BodyId::new(a as u32), BodyId::new(b as u32), normal, 4, area)
    };
    let stone = |k: usize, side: usize| 1 + 2 * k + side;
    let voussoir = |k: usize| 1 + 2 * STONES + k;
    let mut pairs = Vec::new();
    for side in 0..2 {
        pairs.push(pair(0, stone(0, side), DVec3::Y));
        pairs.extend((1..STONES).map(|k| pair(stone(k - 1, side), stone(k, side), DVec3::Y)));
    }
    pairs.push(pair(stone(STONES - 1, 0), voussoir(VOUSSOIRS - 1), DVec3::Y));
    pairs.push(pair(stone(STONES - 1, 1), voussoir(0), DVec3::Y));
    for k in 1..VOUSSOIRS {
        let angle = k as f64 * PI / VOUSSOIRS as f64;
        let normal = DVec3::new(-libm::sin(angle), libm::cos(angle), 0.0);
        pairs.push(pair(voussoir(k - 1), voussoir(k), normal));
    }
    pairs.compact_sort_by_key(|pair| (pair.a, pair.b));
    Truth { pairs }
}

/// The same interfaces across the lines between centres of mass at t = 0, with the ground across y (equation 6).
fn published_truth(bodies: &[SceneBody]) -> Truth {
    let mut truth = truth();
    for pair in truth.pairs.iter_mut().filter(|pair| pair.a.index() != 0) {
        let centre = |id: BodyId| bodies[id.index()].body.position;
        pair.normals = vec![(centre(pair.b) - centre(pair.a)).normalize().into()];
    }
    truth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fourteen_square_metres() {
        let truth = truth();
        assert_eq!((truth.pairs.len(), truth.minimum()), (14, 56));
        assert!((truth.pairs.iter().filter_map(|p| p.area).sum::<f64>() - 14.0).abs() < 1e-12);
        assert!((voussoir().unwrap().volume() - 0.7593).abs() < 5e-5);
    }

    #[test]
    fn the_truths_differ_at_the_springings_only() {
        for model in [Model::Procedural, Model::Recorded] {
            let scene = scene(model).unwrap();
            let published = scene.published_truth.as_ref().unwrap();
            let agreement = |(c, p): (&PairTruth, &PairTruth)| {
                assert_eq!((c.a, c.b), (p.a, p.b));
                c.normals[0].direction.dot(p.normals[0].direction).abs()
            };
            let agreements: Vec<f64> = scene.truth.pairs.iter().zip(&published.pairs).map(agreement).collect();
            let springings: Vec<f64> = agreements.iter().copied().filter(|&a| a < 1.0 - 1e-6).collect();
            assert_eq!(springings.len(), 2, "{agreements:?}");
            assert!(springings.iter().all(|&a| (a - 0.9945).abs() < 5e-4), "{springings:?}");
        }
    }
}
