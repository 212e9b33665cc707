//! The scenes that come with the project, by name: the ten fundamental [`cases`](crate::cases), the structures of
//! stones that the paper measures beside them, larger scenes whose size is a parameter, those of
//! [`extended`](crate::extended) and [`further`](crate::further), and those of [`general`](crate::general).

use std::fmt;
use std::str::FromStr;

use drystone_contact::generator::UnknownName;
use drystone_contact::named::by_name;
use drystone_contact::shape::{Shape, Surface, SurfaceError, TetrahedralizationSettings};
use drystone_engine::{MaterialId, MaterialTable, Pose};
use glam::{DQuat, DVec3};

use crate::cases::{Case, DENSITY, Model};
use crate::extended::Extended;
use crate::further::Further;
use crate::general::General;
use crate::scene::{BodyProblem, Placement, Scene, SceneBody};
use crate::solids::cuboid;
use crate::truth::Truth;

use box_stack::BoxStack;
use card_house::CardHouse;
use drop_scene::DropScene;
use funnel::Funnel;
use masonry::Masonry;
use pile::Pile;
use pyramid::Pyramid;

pub mod arch;
pub mod box_stack;
pub mod card_house;
pub mod drop_scene;
pub mod funnel;
pub mod masonry;
pub mod pile;
pub mod pillar;
pub mod pyramid;
pub mod wall;

/// A scene that comes with the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BuiltIn {
    /// One of the ten fundamental cases.
    Case(Case),
    /// [`pillar`]
    Pillar,
    /// [`wall`]
    Wall,
    /// [`arch`]
    Arch,
    /// [`box_stack`]
    BoxStack,
    /// [`pyramid`]
    Pyramid,
    /// [`card_house`]
    CardHouse,
    /// [`masonry`]
    Masonry,
    /// [`funnel`]
    Funnel,
    /// [`pile`]
    Pile,
    /// [`drop_scene`]
    DropScene,
    /// One of those beyond the suite.
    Extended(Extended),
    /// One of the further ones beyond the suite.
    Further(Further),
    /// One of those with general solids.
    General(General),
}

/// What the size of a scene means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// What it measures or counts.
    pub of: &'static str,
    /// The size unless told otherwise.
    pub default: f64,
    /// The largest number where it counts something; `None` where it is a length that scales the scene.
    pub most: Option<u32>,
}

impl BuiltIn {
    /// All of them, those of the assessment first.
    pub fn all() -> Vec<BuiltIn> {
        let larger = [
            BuiltIn::BoxStack,
            BuiltIn::Pyramid,
            BuiltIn::CardHouse,
            BuiltIn::Masonry,
            BuiltIn::Funnel,
            BuiltIn::Pile,
            BuiltIn::DropScene,
        ];
        let extended = Extended::ALL.map(BuiltIn::Extended);
        let further = Further::ALL.map(BuiltIn::Further);
        let general = General::ALL.map(BuiltIn::General);
        BuiltIn::assessed().into_iter().chain(larger).chain(extended).chain(further).chain(general).collect()
    }

    /// The scenes of the assessment: the ten cases in the order of the published table, then Pillar, Wall and Arch.
    pub fn assessed() -> Vec<BuiltIn> {
        let structures = [BuiltIn::Pillar, BuiltIn::Wall, BuiltIn::Arch];
        Case::ALL.into_iter().map(BuiltIn::Case).chain(structures).collect()
    }

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Case(case) => case.name(),
            BuiltIn::Pillar => "pillar",
            BuiltIn::Wall => "wall",
            BuiltIn::Arch => "arch",
            BuiltIn::BoxStack => "box-stack",
            BuiltIn::Pyramid => "pyramid",
            BuiltIn::CardHouse => "card-house",
            BuiltIn::Masonry => "masonry",
            BuiltIn::Funnel => "funnel",
            BuiltIn::Pile => "pile",
            BuiltIn::DropScene => "drop-scene",
            BuiltIn::Extended(extended) => extended.name(),
            BuiltIn::Further(further) => further.name(),
            BuiltIn::General(general) => general.name(),
        }
    }

    /// One line for people.
    pub fn title(self) -> &'static str {
        match self {
            BuiltIn::Case(case) => case.title(),
            BuiltIn::Pillar => "seven stones on each other, square and hexagonal, cliff and internal edges in between",
            BuiltIn::Wall => "eighty bricks in ten layers, each layer half a brick aside of the one below",
            BuiltIn::Arch => "seven voussoirs on two pillars of three stones",
            BuiltIn::BoxStack => "boxes exactly on each other",
            BuiltIn::Pyramid => "rows of boxes, each box on two",
            BuiltIn::CardHouse => "storeys of cards that lean on each other, flat cards in between",
            BuiltIn::Masonry => "a ball shot at a ring of arches in storeys",
            BuiltIn::Funnel => "jacks fall through a funnel",
            BuiltIn::Pile => "boxes fall into a container",
            BuiltIn::DropScene => "cubes fall on a ground and on each other, apart at the start",
            BuiltIn::Extended(extended) => extended.title(),
            BuiltIn::Further(further) => further.title(),
            BuiltIn::General(general) => general.title(),
        }
    }

    /// What the scene's size means; `None` if there is only one size.
    pub fn size(self) -> Option<Size> {
        let count = |of: &'static str, default: u32, most: u32| {
            Some(Size { of, default: f64::from(default), most: Some(most) })
        };
        match self {
            BuiltIn::Case(case) => Some(Size { of: "scene size S", default: case.default_size(), most: None }),
            BuiltIn::Pillar | BuiltIn::Wall | BuiltIn::Arch => None,
            BuiltIn::Extended(_) | BuiltIn::Further(_) | BuiltIn::General(_) => None,
            BuiltIn::BoxStack => count("boxes", BoxStack::default().boxes, 1000),
            BuiltIn::Pyramid => count("boxes in the lowest row", Pyramid::default().base, 200),
            BuiltIn::CardHouse => count("storeys", CardHouse::default().storeys, 50),
            BuiltIn::Masonry => count("storeys", Masonry::default().storeys, 50),
            BuiltIn::Funnel => count("jacks", Funnel::default().jacks, 100_000),
            BuiltIn::Pile => count("boxes", Pile::default().boxes, 100_000),
            BuiltIn::DropScene => count("cubes", DropScene::default().cubes, 1000),
        }
    }

    /// Whether it is known which contacts the scene should have; where it is not, its truth is empty and says nothing.
    pub fn has_truth(self) -> bool {
        let unknown = [BuiltIn::CardHouse, BuiltIn::Masonry, BuiltIn::Funnel, BuiltIn::Pile, BuiltIn::DropScene];
        !unknown.contains(&self) && !matches!(self, BuiltIn::General(_))
    }

    /// Whether the scene's published truth is another one than the corrected.
    pub fn has_two_truths(self) -> bool {
        match self {
            BuiltIn::Case(case) => case.has_two_truths(),
            scene => scene == BuiltIn::Arch,
        }
    }

    /// Whether its bodies are there as recorded ones too, those behind the published tables.
    pub fn is_recorded(self) -> bool {
        matches!(self, BuiltIn::Case(_) | BuiltIn::Pillar | BuiltIn::Wall | BuiltIn::Arch)
    }

    /// The scene.
    ///
    /// # Errors
    /// [`BodyProblem::NoSize`], [`BodyProblem::Count`], [`BodyProblem::RecordedSize`], [`BodyProblem::NotRecorded`]
    /// (the others are procedural only); a size of which no solids can be made.
    pub fn scene(self, model: Model, size: Option<f64>) -> Result<Scene, BodyProblem> {
        let number = self.number(size)?;
        if model == Model::Recorded && !self.is_recorded() {
            return Err(BodyProblem::NotRecorded(self.name().into()));
        }
        match self {
            BuiltIn::Case(case) => case.scene(model, size),
            BuiltIn::Pillar => pillar::scene(model),
            BuiltIn::Wall => wall::scene(model),
            BuiltIn::Arch => arch::scene(model),
            BuiltIn::BoxStack => BoxStack { boxes: number, ..BoxStack::default() }.scene(),
            BuiltIn::Pyramid => Pyramid { base: number, ..Pyramid::default() }.scene(),
            BuiltIn::CardHouse => CardHouse { storeys: number, ..CardHouse::default() }.scene(),
            BuiltIn::Masonry => Masonry { storeys: number, ..Masonry::default() }.scene(),
            BuiltIn::Funnel => Funnel { jacks: number, ..Funnel::default() }.scene(),
            BuiltIn::Pile => Pile { boxes: number, ..Pile::default() }.scene(),
            BuiltIn::DropScene => DropScene { cubes: number, ..DropScene::default() }.scene(),
            BuiltIn::Extended(extended) => extended.scene(),
            BuiltIn::Further(further) => further.scene(),
            BuiltIn::General(general) => general.scene(),
        }
    }

    /// The size as a number where it counts something; 0 where it does not.
    fn number(self, size: Option<f64>) -> Result<u32, BodyProblem> {
        match (self.size(), size) {
            (None, Some(size)) => Err(BodyProblem::NoSize { scene: self.name(), size }),
            (Some(Size { of, default, most: Some(most) }), size) => {
                let size = size.unwrap_or(default);
                if size.fract() == 0.0 && (1.0..=f64::from(most)).contains(&size) {
                    return Ok(size as u32);
                }
                Err(BodyProblem::Count { scene: self.name(), what: of, most, size })
            }
            _ => Ok(0),
        }
    }

    /// The scene of these bodies, stepped as all scenes of the paper are.
    fn of_bodies(self, bodies: Vec<SceneBody>, materials: MaterialTable, truth: Truth) -> Scene {
        let scene = Scene::of_suite([self.name(), self.title()], bodies, materials, &truth);
        Scene { is_as_published: matches!(self, BuiltIn::Pillar | BuiltIn::Wall | BuiltIn::Arch), ..scene }
    }
}

/// A body of stone at rest, as dense as all stones, from a solid in its design frame.
pub(crate) fn at_rest(
    name: &str,
    surface: Result<Surface, SurfaceError>,
    pose: Pose,
    is_fixed: bool,
    material: MaterialId,
) -> Result<SceneBody, BodyProblem> {
    let shape = Shape::from_surface(&surface?, &TetrahedralizationSettings::default())?;
    if is_fixed {
        return fixed(name, &shape, pose, material);
    }
    moving(name, &shape, DENSITY, pose, DVec3::ZERO, material)
}

/// A body that stays where it is.
pub(crate) fn fixed(name: &str, shape: &Shape, pose: Pose, material: MaterialId) -> Result<SceneBody, BodyProblem> {
    let still = DVec3::ZERO;
    let placement =
        Placement { pose, velocity: still, angular_velocity: still, density: DENSITY, is_fixed: true, material };
    SceneBody::from_shape(name, shape, &placement)
}

/// A body that starts with a velocity (m/s), of a density in kg/m³.
pub(crate) fn moving(
    name: &str,
    shape: &Shape,
    density: f64,
    pose: Pose,
    velocity: DVec3,
    material: MaterialId,
) -> Result<SceneBody, BodyProblem> {
    let placement = Placement { pose, velocity, angular_velocity: DVec3::ZERO, density, is_fixed: false, material };
    SceneBody::from_shape(name, shape, &placement)
}

/// A fixed slab of this width (m), its top in y = 0.
fn ground(width: f64, material: MaterialId) -> Result<SceneBody, BodyProblem> {
    let half = 0.5 * width;
    let slab = cuboid(DVec3::new(-half, -1.0, -half), DVec3::new(half, 0.0, half));
    at_rest("ground", slab, Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY), true, material)
}

/// The rotation by an angle (rad) about a unit axis, the same bits on every machine.
pub(crate) fn turned(axis: DVec3, angle: f64) -> DQuat {
    let [x, y, z] = (axis * libm::sin(0.5 * angle)).to_array();
    DQuat::from_xyzw(x, y, z, libm::cos(0.5 * angle))
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for BuiltIn {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name("scene", name, &BuiltIn::all(), |scene| scene.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tests::assert_same_place;
    use crate::contact_region::{RegionSettings, corners};
    use crate::truth::TruthKind;

    const STRUCTURES: [BuiltIn; 3] = [BuiltIn::Pillar, BuiltIn::Wall, BuiltIn::Arch];

    #[test]
    fn names_are_read_back() {
        for scene in BuiltIn::all() {
            assert_eq!(scene.name().parse::<BuiltIn>().unwrap(), scene);
            assert_eq!(scene.scene(Model::Procedural, None).unwrap().name, scene.name());
        }
        assert!("tower".parse::<BuiltIn>().unwrap_err().to_string().contains("pillar, wall, arch"));
        let refusal = |scene: BuiltIn, model, size| scene.scene(model, size).unwrap_err().to_string();
        assert!(refusal(BuiltIn::Wall, Model::Procedural, Some(2.0)).contains("one size"));
        for size in [0.0, -1.0, 2.5, 1e9, f64::NAN] {
            assert!(refusal(BuiltIn::Pile, Model::Procedural, Some(size)).contains("number of boxes from 1 to 100000"));
        }
        assert!(refusal(BuiltIn::Pile, Model::Recorded, None).contains("procedural"));
    }

    #[test]
    fn procedural_solids_stand_where_the_recorded_ones_do() {
        for scene in STRUCTURES {
            let procedural = scene.scene(Model::Procedural, None).unwrap();
            let recorded = scene.scene(Model::Recorded, None).unwrap();
            assert_eq!(procedural.bodies.len(), recorded.bodies.len());
            for (ours, theirs) in procedural.bodies.iter().zip(&recorded.bodies) {
                assert_eq!(ours.name, theirs.name);
                assert_same_place(ours, theirs, scene.name());
            }
        }
    }

    #[test]
    fn the_corners_of_the_touching_faces_are_the_minimal_number_of_contacts() {
        for scene in STRUCTURES.into_iter().chain([BuiltIn::BoxStack, BuiltIn::Pyramid]) {
            let scene = scene.scene(Model::Procedural, None).unwrap();
            let poses: Vec<Pose> = scene.states().iter().map(drystone_engine::Body::pose).collect();
            let truth = scene.truth(TruthKind::Corrected);
            assert_eq!(corners(&scene, &truth, &poses, &RegionSettings::default()), truth.minimum(), "{}", scene.name);
        }
    }
}
