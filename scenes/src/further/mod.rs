//! Further scenes whose contacts are known by argument: round solids in closed form, fits without play, edges and
//! corners, facets that are nearly parallel, regions that are not convex.
//!
//! A file is a family of scenes with one argument, which it gives first; each scene says what is its own. Bodies are of
//! stone, in metres, with the gravity of the suite; fixed bodies come first, and the expected normals follow from the
//! geometry alone.

use crate::cases::materials;
use crate::scene::{BodyProblem, Scene, SceneBody};
use crate::truth::{PairTruth, Truth};

pub mod corners_and_edges;
pub mod fits;
pub mod nearly_flat;
pub mod regions;
pub mod round_solids;
mod solids;
pub mod turned_fits;

/// The bodies of a scene and what is known of their contacts.
type Made = Result<(Vec<SceneBody>, Vec<PairTruth>), BodyProblem>;

/// A further scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Further {
    /// [`round_solids::ball_in_groove`]
    BallInGroove,
    /// [`round_solids::ball_in_funnel`]
    BallInFunnel,
    /// [`round_solids::ball_over_slot`]
    BallOverSlot,
    /// [`round_solids::ball_in_socket`]
    BallInSocket,
    /// [`round_solids::cylinder_on_saddle`]
    CylinderOnSaddle,
    /// [`round_solids::cylinder_across_cylinder`]
    CylinderAcrossCylinder,
    /// [`round_solids::cylinders_nearly_parallel`]
    CylindersNearlyParallel,
    /// [`round_solids::capsule_in_trough`]
    CapsuleInTrough,
    /// [`round_solids::cone_in_funnel`]
    ConeInFunnel,
    /// [`round_solids::rounded_box_in_corner`]
    RoundedBoxInCorner,
    /// [`round_solids::tilted_coin`]
    TiltedCoin,
    /// [`round_solids::ball_on_three_balls`]
    BallOnThreeBalls,
    /// [`fits::dovetail`]
    Dovetail,
    /// [`fits::key_in_keyhole`]
    KeyInKeyhole,
    /// [`fits::comb_in_comb`]
    CombInComb,
    /// [`fits::plate_in_slot`]
    PlateInSlot,
    /// [`fits::stair_on_stair`]
    StairOnStair,
    /// [`fits::halved_joint`]
    HalvedJoint,
    /// [`turned_fits::stacked_cups`]
    StackedCups,
    /// [`turned_fits::nested_bowls`]
    NestedBowls,
    /// [`turned_fits::ball_joint`]
    BallJoint,
    /// [`turned_fits::screw_in_nut`]
    ScrewInNut,
    /// [`corners_and_edges::crossed_ridges`]
    CrossedRidges,
    /// [`corners_and_edges::ridges_nearly_parallel`]
    RidgesNearlyParallel,
    /// [`corners_and_edges::edge_past_edge`]
    EdgePastEdge,
    /// [`corners_and_edges::corner_past_corner`]
    CornerPastCorner,
    /// [`corners_and_edges::cube_in_corner`]
    CubeInCorner,
    /// [`corners_and_edges::pyramid_in_pit`]
    PyramidInPit,
    /// [`corners_and_edges::cube_over_hole`]
    CubeOverHole,
    /// [`nearly_flat::cube_on_shallow_roof`]
    CubeOnShallowRoof,
    /// [`nearly_flat::cube_in_shallow_valley`]
    CubeInShallowValley,
    /// [`nearly_flat::cube_on_shallow_tip`]
    CubeOnShallowTip,
    /// [`nearly_flat::roof_in_shallow_valley`]
    RoofInShallowValley,
    /// [`nearly_flat::cube_on_its_edge`]
    CubeOnItsEdge,
    /// [`nearly_flat::fine_drum`]
    FineDrum,
    /// [`nearly_flat::fine_ball_in_corner`]
    FineBallInCorner,
    /// [`regions::plus_on_plus`]
    PlusOnPlus,
    /// [`regions::grating_on_grating`]
    GratingOnGrating,
    /// [`regions::box_on_terrain`]
    BoxOnTerrain,
    /// [`regions::chain_links`]
    ChainLinks,
    /// [`regions::needle_in_haystack`]
    NeedleInHaystack,
}

impl Further {
    /// One line for people.
    pub fn title(self) -> &'static str {
        self.entry().0
    }

    /// The scene.
    ///
    /// # Errors
    /// [`BodyProblem`], which the sizes of these scenes do not run into.
    pub fn scene(self) -> Result<Scene, BodyProblem> {
        let (title, make) = self.entry();
        let (bodies, pairs) = make()?;
        let (materials, _, _) = materials()?;
        Ok(Scene::of_suite([self.name(), title], bodies, materials, &Truth { pairs }))
    }

    /// Title and maker.
    fn entry(self) -> (&'static str, fn() -> Made) {
        match self {
            Further::BallInGroove => {
                ("a ball in a groove whose walls have different slopes", round_solids::ball_in_groove)
            }
            Further::BallInFunnel => ("a ball in a funnel of five walls", round_solids::ball_in_funnel),
            Further::BallOverSlot => ("a ball on the two edges of a slot", round_solids::ball_over_slot),
            Further::BallInSocket => {
                ("a ball in a socket of thirteen facets, all tangent to it", round_solids::ball_in_socket)
            }
            Further::CylinderOnSaddle => ("a cylinder on the two ridges of a saddle", round_solids::cylinder_on_saddle),
            Further::CylinderAcrossCylinder => {
                ("a cylinder across another at 60 degrees", round_solids::cylinder_across_cylinder)
            }
            Further::CylindersNearlyParallel => {
                ("a cylinder across another at 30 mrad", round_solids::cylinders_nearly_parallel)
            }
            Further::CapsuleInTrough => {
                ("a capsule on the floor of a trough, between its walls", round_solids::capsule_in_trough)
            }
            Further::ConeInFunnel => {
                ("a cone, tip down, in a funnel of six walls as steep as it is", round_solids::cone_in_funnel)
            }
            Further::RoundedBoxInCorner => {
                ("a box with rounded edges on a floor, against a wall", round_solids::rounded_box_in_corner)
            }
            Further::TiltedCoin => ("a coin on the lowest point of its rim", round_solids::tilted_coin),
            Further::BallOnThreeBalls => ("a ball on three others", round_solids::ball_on_three_balls),
            Further::Dovetail => ("a dovetail in its groove", fits::dovetail),
            Further::KeyInKeyhole => ("a key with a T for its section in its keyhole", fits::key_in_keyhole),
            Further::CombInComb => ("a comb between the thin teeth of another", fits::comb_in_comb),
            Further::PlateInSlot => ("a thin plate upright in a slot as wide", fits::plate_in_slot),
            Further::StairOnStair => ("a stair on the stair that it fits", fits::stair_on_stair),
            Further::HalvedJoint => ("two beams across each other, each in the notch of the other", fits::halved_joint),
            Further::StackedCups => ("a cup in a cup, walls on walls", turned_fits::stacked_cups),
            Further::NestedBowls => ("a bowl in a bowl, floor and two rings of walls", turned_fits::nested_bowls),
            Further::BallJoint => {
                ("the head of a ball joint in a socket that reaches over it", turned_fits::ball_joint)
            }
            Further::ScrewInNut => ("a nut on one turn of a screw with a stepped thread", turned_fits::screw_in_nut),
            Further::CrossedRidges => {
                ("a wedge on its ridge across the ridge of another", corners_and_edges::crossed_ridges)
            }
            Further::RidgesNearlyParallel => ("the same at 5 mrad", corners_and_edges::ridges_nearly_parallel),
            Further::EdgePastEdge => {
                ("the edge of a box passes the parallel edge of another", corners_and_edges::edge_past_edge)
            }
            Further::CornerPastCorner => {
                ("the corner of a box passes the corner of another", corners_and_edges::corner_past_corner)
            }
            Further::CubeInCorner => {
                ("a cube on its tip in the corner of three walls", corners_and_edges::cube_in_corner)
            }
            Further::PyramidInPit => ("a pyramid in a pit that it fills", corners_and_edges::pyramid_in_pit),
            Further::CubeOverHole => (
                "a cube, tip down, with three edges on the edges of a triangular hole",
                corners_and_edges::cube_over_hole,
            ),
            Further::CubeOnShallowRoof => {
                ("a cube on the ridge of a roof that falls by 15 mrad", nearly_flat::cube_on_shallow_roof)
            }
            Further::CubeInShallowValley => {
                ("a cube in a valley that rises by 15 mrad", nearly_flat::cube_in_shallow_valley)
            }
            Further::CubeOnShallowTip => {
                ("a cube on the tip of a pyramid whose ridges fall by 15 mrad", nearly_flat::cube_on_shallow_tip)
            }
            Further::RoofInShallowValley => {
                ("a block whose bottom fits a valley that rises by 12 mrad", nearly_flat::roof_in_shallow_valley)
            }
            Further::CubeOnItsEdge => ("a cube on one of its edges, tilted by 30 mrad", nearly_flat::cube_on_its_edge),
            Further::FineDrum => ("a drum of 400 sides lies on one of them", nearly_flat::fine_drum),
            Further::FineBallInCorner => {
                ("a ball of 5120 triangles on a floor, against a wall", nearly_flat::fine_ball_in_corner)
            }
            Further::PlusOnPlus => {
                ("a plate with the shape of a plus on another, turned by 45 degrees", regions::plus_on_plus)
            }
            Further::GratingOnGrating => ("a grating of five bars across another", regions::grating_on_grating),
            Further::BoxOnTerrain => ("a box on the three highest vertices of a rough ground", regions::box_on_terrain),
            Further::ChainLinks => ("a link of a chain hangs in another one", regions::chain_links),
            Further::NeedleInHaystack => {
                ("a needle across two others, thirty more around it", regions::needle_in_haystack)
            }
        }
    }
}

drystone_contact::named!(Further, "scene":
    BallInGroove = "ball-in-groove",
    BallInFunnel = "ball-in-funnel",
    BallOverSlot = "ball-over-slot",
    BallInSocket = "ball-in-socket",
    CylinderOnSaddle = "cylinder-on-saddle",
    CylinderAcrossCylinder = "cylinder-across-cylinder",
    CylindersNearlyParallel = "cylinders-nearly-parallel",
    CapsuleInTrough = "capsule-in-trough",
    ConeInFunnel = "cone-in-funnel",
    RoundedBoxInCorner = "rounded-box-in-corner",
    TiltedCoin = "tilted-coin",
    BallOnThreeBalls = "ball-on-three-balls",
    Dovetail = "dovetail",
    KeyInKeyhole = "key-in-keyhole",
    CombInComb = "comb-in-comb",
    PlateInSlot = "plate-in-slot",
    StairOnStair = "stair-on-stair",
    HalvedJoint = "halved-joint",
    StackedCups = "stacked-cups",
    NestedBowls = "nested-bowls",
    BallJoint = "ball-joint",
    ScrewInNut = "screw-in-nut",
    CrossedRidges = "crossed-ridges",
    RidgesNearlyParallel = "ridges-nearly-parallel",
    EdgePastEdge = "edge-past-edge",
    CornerPastCorner = "corner-past-corner",
    CubeInCorner = "cube-in-corner",
    PyramidInPit = "pyramid-in-pit",
    CubeOverHole = "cube-over-hole",
    CubeOnShallowRoof = "cube-on-shallow-roof",
    CubeInShallowValley = "cube-in-shallow-valley",
    CubeOnShallowTip = "cube-on-shallow-tip",
    RoofInShallowValley = "roof-in-shallow-valley",
    CubeOnItsEdge = "cube-on-its-edge",
    FineDrum = "fine-drum",
    FineBallInCorner = "fine-ball-in-corner",
    PlusOnPlus = "plus-on-plus",
    GratingOnGrating = "grating-on-grating",
    BoxOnTerrain = "box-on-terrain",
    ChainLinks = "chain-links",
    NeedleInHaystack = "needle-in-haystack",
);

#[cfg(test)]
mod tests;
