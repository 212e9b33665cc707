//! The scenes that come with the project, by name: the ten fundamental [`cases`](crate::cases), and the structures of
//! stones that the paper measures beside them.

use std::fmt;
use std::str::FromStr;

use drystone_contact::generator::UnknownName;
use drystone_contact::shape::{Shape, Surface, SurfaceError, TetrahedralizationSettings};
use drystone_engine::solver::FrictionModel;
use drystone_engine::{ExternalForces, MaterialId, MaterialTable, Pose};
use glam::DVec3;

use crate::cases::{Case, DENSITY, Model};
use crate::scene::{BodyProblem, Placement, Scene, SceneBody};
use crate::truth::Truth;

pub mod arch;
pub mod pillar;
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
}

impl BuiltIn {
    /// All of them, those of the assessment first.
    pub fn all() -> Vec<BuiltIn> {
        BuiltIn::assessed()
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
        }
    }

    /// One line for people.
    pub fn title(self) -> &'static str {
        match self {
            BuiltIn::Case(case) => case.title(),
            BuiltIn::Pillar => "seven stones on each other, square and hexagonal, cliff and internal edges in between",
            BuiltIn::Wall => "eighty bricks in ten layers, each layer half a brick aside of the one below",
            BuiltIn::Arch => "seven voussoirs on two pillars of three stones",
        }
    }

    /// The size that a scene has unless told otherwise: the S of a case; `None` if there is only one size.
    pub fn default_size(self) -> Option<f64> {
        match self {
            BuiltIn::Case(case) => Some(case.default_size()),
            BuiltIn::Pillar | BuiltIn::Wall | BuiltIn::Arch => None,
        }
    }

    /// Whether the scene's published truth is another one than the corrected.
    pub fn has_two_truths(self) -> bool {
        match self {
            BuiltIn::Case(case) => case.has_two_truths(),
            BuiltIn::Arch => true,
            BuiltIn::Pillar | BuiltIn::Wall => false,
        }
    }

    /// The scene.
    ///
    /// # Errors
    /// [`BodyProblem::NoSize`], [`BodyProblem::RecordedSize`]; a size of which no solids can be made.
    pub fn scene(self, model: Model, size: Option<f64>) -> Result<Scene, BodyProblem> {
        if let (None, Some(size)) = (self.default_size(), size) {
            return Err(BodyProblem::NoSize { scene: self.name(), size });
        }
        match self {
            BuiltIn::Case(case) => case.scene(model, size),
            BuiltIn::Pillar => pillar::scene(model),
            BuiltIn::Wall => wall::scene(model),
            BuiltIn::Arch => arch::scene(model),
        }
    }

    /// The scene of these bodies at rest, stepped as all scenes of the paper are.
    fn of_bodies(self, bodies: Vec<SceneBody>, materials: MaterialTable, truth: Truth) -> Scene {
        Scene {
            name: self.name().into(),
            title: self.title().into(),
            bodies,
            materials,
            forces: ExternalForces::default(),
            friction: FrictionModel::Ball,
            time_step: 0.01,
            scored_step: 2,
            truth,
            published_truth: None,
            is_as_published: true,
        }
    }
}

/// A body of stone at rest, as dense as all stones, from a solid in its design frame.
fn at_rest(
    name: &str,
    surface: Result<Surface, SurfaceError>,
    pose: Pose,
    is_fixed: bool,
    material: MaterialId,
) -> Result<SceneBody, BodyProblem> {
    let shape = Shape::from_surface(&surface?, &TetrahedralizationSettings::default())?;
    let at_rest = DVec3::ZERO;
    let placement =
        Placement { pose, velocity: at_rest, angular_velocity: at_rest, density: DENSITY, is_fixed, material };
    SceneBody::from_shape(name, &shape, &placement)
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for BuiltIn {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all = BuiltIn::all();
        let known = || all.iter().map(|scene| scene.name()).collect::<Vec<_>>().join(", ");
        let found = all.iter().copied().find(|scene| scene.name() == name);
        found.ok_or_else(|| UnknownName { kind: "scene", name: name.into(), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_region::{RegionSettings, corners};
    use crate::truth::TruthKind;

    const STRUCTURES: [BuiltIn; 3] = [BuiltIn::Pillar, BuiltIn::Wall, BuiltIn::Arch];

    /// World positions of a body's surface vertices.
    fn world(body: &SceneBody) -> Vec<DVec3> {
        let pose = body.body.pose();
        body.shape.surface().vertices().iter().map(|&v| pose.transform_point(v)).collect()
    }

    #[test]
    fn names_are_read_back() {
        for scene in BuiltIn::all() {
            assert_eq!(scene.name().parse::<BuiltIn>().unwrap(), scene);
            assert_eq!(scene.scene(Model::Procedural, None).unwrap().name, scene.name());
        }
        assert!("tower".parse::<BuiltIn>().unwrap_err().to_string().contains("pillar, wall, arch"));
        assert!(BuiltIn::Wall.scene(Model::Procedural, Some(2.0)).unwrap_err().to_string().contains("one size"));
    }

    #[test]
    fn procedural_solids_stand_where_the_recorded_ones_do() {
        for scene in STRUCTURES {
            let procedural = scene.scene(Model::Procedural, None).unwrap();
            let recorded = scene.scene(Model::Recorded, None).unwrap();
            assert_eq!(procedural.bodies.len(), recorded.bodies.len());
            for (ours, theirs) in procedural.bodies.iter().zip(&recorded.bodies) {
                assert_eq!(ours.name, theirs.name);
                assert_eq!(ours.body.kind(), theirs.body.kind(), "{scene}: {}", ours.name);
                let name = &ours.name;
                let (ours, theirs) = (world(ours), world(theirs));
                assert_eq!(ours.len(), theirs.len(), "{scene}: {name}");
                for v in &theirs {
                    let nearest = ours.iter().map(|u| (*u - *v).length()).fold(f64::INFINITY, f64::min);
                    assert!(nearest < 1e-5, "{scene}, {name}: no vertex of ours at {v}");
                }
            }
        }
    }

    #[test]
    fn the_corners_of_the_touching_faces_are_the_least_number_of_contacts() {
        for scene in STRUCTURES {
            let scene = scene.scene(Model::Procedural, None).unwrap();
            let poses: Vec<Pose> = scene.states().iter().map(drystone_engine::Body::pose).collect();
            let truth = scene.truth(TruthKind::Corrected);
            assert_eq!(corners(&scene, truth, &poses, &RegionSettings::default()), truth.minimum(), "{}", scene.name);
        }
    }
}
