//! Scenes beyond the assessment suite whose contacts are known by argument: mixed curvature, several walls at once, and
//! floors of many tiles and triangles.
//!
//! Each file argues for the expected normals of its scene and for the minimal number of contacts. Bodies are of
//! stone, in metres, with the gravity of the suite; fixed bodies come first.

use drystone_contact::shape::Shape;
use drystone_engine::{BodyId, MaterialId, Pose};
use glam::{DQuat, DVec3};

use crate::builtin;
use crate::cases::{DENSITY, materials};
use crate::scene::{BodyProblem, Scene, SceneBody};
use crate::truth::{ExpectedNormal, PairTruth, Truth};

pub mod box_on_step;
pub mod gear_teeth;
pub(crate) mod hexahedra;
pub mod l_corner;
pub mod ring_on_peg;
pub(crate) mod saddle;
pub mod saddle_on_saddle;
mod sliding_box;
pub mod spike_on_saddle;
pub mod tiled_floor;
pub mod tip_on_cliff;
pub mod triangulated_floor;

/// A scene beyond the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extended {
    /// [`tiled_floor`]
    TiledFloor,
    /// [`triangulated_floor`]
    TriangulatedFloor,
    /// [`spike_on_saddle`]
    SpikeOnSaddle,
    /// [`saddle_on_saddle`]
    SaddleOnSaddle,
    /// [`ring_on_peg`]
    RingOnPeg,
    /// [`gear_teeth`]
    GearTeeth,
    /// [`l_corner`]
    LCorner,
    /// [`box_on_step`]
    BoxOnStep,
    /// [`tip_on_cliff`]
    TipOnCliff,
}

impl Extended {
    /// One line for people.
    pub fn title(self) -> &'static str {
        match self {
            Extended::TiledFloor => "a box slides over a floor of a hundred tiles",
            Extended::TriangulatedFloor => "a box slides over a floor of ten thousand irregular triangles",
            Extended::SpikeOnSaddle => "the apex of a spike leaves the centre of a saddle along a valley",
            Extended::SaddleOnSaddle => "a saddle rests on another that it fits, ridges in valleys",
            Extended::RingOnPeg => "a hexagonal ring falls along a hexagonal peg that fills it",
            Extended::GearTeeth => "a tooth of a rack rests on the flanks of two others",
            Extended::LCorner => "a box on a floor is pushed against a wall of the same body",
            Extended::BoxOnStep => "a box rests on a step and juts out over the lower one",
            Extended::TipOnCliff => "a spike stands on its apex, exactly on the edge of a block",
        }
    }

    /// The scene.
    ///
    /// # Errors
    /// None that the sizes of these scenes could have; see [`BodyProblem`].
    pub fn scene(self) -> Result<Scene, BodyProblem> {
        match self {
            Extended::TiledFloor => tiled_floor::scene(),
            Extended::TriangulatedFloor => triangulated_floor::scene(),
            Extended::SpikeOnSaddle => spike_on_saddle::scene(),
            Extended::SaddleOnSaddle => saddle_on_saddle::scene(),
            Extended::RingOnPeg => ring_on_peg::scene(),
            Extended::GearTeeth => gear_teeth::scene(),
            Extended::LCorner => l_corner::scene(),
            Extended::BoxOnStep => box_on_step::scene(),
            Extended::TipOnCliff => tip_on_cliff::scene(),
        }
    }

    /// The scene of these bodies, all of the first material of the suite.
    fn of_bodies(self, bodies: Vec<SceneBody>, pairs: Vec<PairTruth>) -> Result<Scene, BodyProblem> {
        let (materials, _, _) = materials()?;
        Ok(Scene::of_suite([self.name(), self.title()], bodies, materials, &Truth { pairs }))
    }
}

/// Stone, the first material of the suite.
pub(crate) const STONE: MaterialId = MaterialId::new(0);

/// Where a solid stands that was drawn in its place.
pub(crate) fn in_place() -> Pose {
    Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY)
}

/// A body that stays where it was drawn.
pub(crate) fn fixed(name: &str, shape: &Shape) -> Result<SceneBody, BodyProblem> {
    builtin::fixed(name, shape, in_place(), STONE)
}

/// A body that starts where it was drawn, with a velocity in m/s.
pub(crate) fn moving(name: &str, shape: &Shape, velocity: DVec3) -> Result<SceneBody, BodyProblem> {
    builtin::moving(name, shape, DENSITY, in_place(), velocity, STONE)
}

/// What is expected between the only two bodies.
pub(crate) fn only_pair(normals: Vec<DVec3>, minimum: usize) -> Vec<PairTruth> {
    let normals = normals.into_iter().map(ExpectedNormal::from).collect();
    vec![PairTruth { a: BodyId::new(0), b: BodyId::new(1), normals, minimum, area: None }]
}

drystone_contact::named!(Extended, "scene":
    TiledFloor = "tiled-floor",
    TriangulatedFloor = "triangulated-floor",
    SpikeOnSaddle = "spike-on-saddle",
    SaddleOnSaddle = "saddle-on-saddle",
    RingOnPeg = "ring-on-peg",
    GearTeeth = "gear-teeth",
    LCorner = "l-corner",
    BoxOnStep = "box-on-step",
    TipOnCliff = "tip-on-cliff",
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_region::{RegionSettings, corners};
    use drystone_engine::Body;

    #[test]
    fn names_are_read_back() {
        for scene in Extended::ALL {
            assert_eq!(scene.name().parse(), Ok(scene));
            assert_eq!(scene.scene().unwrap().name, scene.name());
        }
        assert!("moebius".parse::<Extended>().unwrap_err().to_string().contains("ring-on-peg"));
    }

    #[test]
    fn the_corners_of_the_touching_features_are_the_minimal_number_of_contacts() {
        for scene in Extended::ALL {
            let scene = scene.scene().unwrap();
            let poses: Vec<Pose> = scene.states().iter().map(Body::pose).collect();
            // Twice a rounding error: the scenes touch exactly.
            let exact = RegionSettings { envelope: 1e-14, ..RegionSettings::default() };
            for settings in [exact, RegionSettings::default()] {
                assert_eq!(corners(&scene, &scene.truth, &poses, &settings), scene.truth.minimum(), "{}", scene.name);
            }
            assert!(scene.truth.pairs.iter().flat_map(PairTruth::directions).all(|n| n.is_normalized()));
        }
    }
}
