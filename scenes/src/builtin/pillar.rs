//! The Pillar (assessment paper, figures 5 and 6): seven stones on each other, 3.5 m high, made so that faces meet in
//! cliff edges and internal edges only.
//!
//! The "circles" are hexagons with a vertex along +x, each cap a fan of six triangles around a vertex in its centre. The
//! recorded model has mass, inertia and centre of mass of circular frusta, which the program behind the tables computes
//! from the radii; the procedural model has those of the hexagonal mesh. So the centres of mass of the two differ.

use drystone_contact::shape::{Surface, SurfaceError};
use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest};
use crate::cases::{Model, materials};
use crate::recorded;
use crate::scene::{BodyProblem, Scene};
use crate::solids::{cuboid, hexagonal_frustum};
use crate::truth::{PairTruth, Truth};

/// Total height without the ground, m.
const HEIGHT: f64 = 3.5;

/// Width of plinth and abacus, twice the radius of base and capital where they are widest, m.
const WIDTH: f64 = 0.5;

/// Shares of the height: plinth, base cone, three drums together, capital cone, abacus.
const SHARES: [f64; 5] = [0.06, 0.06, 0.80, 0.05, 0.03];

/// What the bodies are called, in the order of their ids.
const NAMES: [&str; 8] = ["ground", "plinth", "base cone", "drum 1", "drum 2", "drum 3", "capital cone", "abacus"];

/// The radii between stones 2 to 6 (base cone to capital cone), from below: those of the base cone's foot and of the
/// capital's head first and last.
fn radii() -> [f64; 6] {
    [0.25, 0.2, 0.2 - 0.05 / 3.0, 0.2 - 0.1 / 3.0, 0.15, 0.25]
}

/// The heights of the seven interfaces and of the top, m.
fn levels() -> [f64; 8] {
    let [plinth, base, drums, capital, _] = SHARES.map(|share| HEIGHT * share);
    let foot = plinth + base;
    let drum = |k: f64| foot + k * drums / 3.0;
    [0.0, plinth, foot, drum(1.0), drum(2.0), drum(3.0), drum(3.0) + capital, HEIGHT]
}

/// The Pillar.
///
/// # Errors
/// Never for want of data; see [`BodyProblem`].
pub fn scene(model: Model) -> Result<Scene, BodyProblem> {
    let (materials, stone, ground) = materials()?;
    let bodies = match model {
        Model::Recorded => recorded::structure(BuiltIn::Pillar.name(), &NAMES, &materials)?,
        Model::Procedural => {
            let half = WIDTH / 2.0;
            let (y, r) = (levels(), radii());
            let slab =
                |low: f64, high: f64, half: f64| cuboid(DVec3::new(-half, low, -half), DVec3::new(half, high, half));
            let solid = |stone: usize| -> Result<Surface, SurfaceError> {
                match stone {
                    0 => slab(-0.3, 0.0, 1.5),
                    1 | 7 => slab(y[stone - 1], y[stone], half),
                    k => hexagonal_frustum(r[k - 2], y[k - 1], r[k - 1], y[k]),
                }
            };
            let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
            let body =
                |(k, name): (usize, &&str)| at_rest(name, solid(k), place, k == 0, if k == 0 { ground } else { stone });
            NAMES.iter().enumerate().map(body).collect::<Result<_, _>>()?
        }
    };
    Ok(BuiltIn::Pillar.of_bodies(bodies, materials, truth()))
}

/// Seven interfaces across y: four corners of the plinth on the ground, and six of the smaller hexagon above each other
/// stone; the areas are those of that square and of those hexagons.
pub fn truth() -> Truth {
    let hexagon = |r: f64| 1.5 * 3f64.sqrt() * r * r;
    let interface = |(below, (minimum, area)): (u32, (usize, f64))| {
        PairTruth::interface(BodyId::new(below), BodyId::new(below + 1), DVec3::Y, minimum, area)
    };
    let square = (4, WIDTH * WIDTH);
    let hexagons = radii().map(|r| (6, hexagon(r)));
    Truth { pairs: (0..).zip([square].into_iter().chain(hexagons)).map(interface).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_needs_forty_contacts() {
        let truth = truth();
        assert_eq!((truth.pairs.len(), truth.minimum()), (7, 40));
        assert!((truth.pairs[1].area.unwrap() - 0.162_379_763).abs() < 1e-9);
    }

    #[test]
    fn procedural_masses_are_those_of_hexagons() {
        let mass = |model: Model, k: usize| scene(model).unwrap().bodies[k].body.mass();
        assert!((mass(Model::Recorded, 2) - 67.073).abs() < 1e-3);
        assert!((mass(Model::Procedural, 2) - 55.47).abs() < 0.01);
        assert!((mass(Model::Procedural, 1) / mass(Model::Recorded, 1) - 1.0).abs() < 1e-7);
    }
}
