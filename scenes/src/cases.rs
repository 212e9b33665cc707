//! The ten fundamental cases (assessment paper, table 4).
//!
//! Each comes in two models: *procedural*, exact coordinates for any scene size with tetrahedra by our own cone, and
//! *recorded*, the bodies as the program behind the published tables fed them to its contact detection.

use drystone_contact::shape::{Shape, Surface, SurfaceError, TetrahedralizationSettings};
use drystone_engine::{BodyId, Friction, Interaction, MaterialId, MaterialTable, Pose};
use drystone_replica::Variant;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::recorded;
use crate::scene::{BodyProblem, Placement, Scene, SceneBody};
use crate::solids::{Proportions, crack_block, cuboid, frustum, hole_block, internal_edge_block, spike, wedge};
use crate::truth::{ExpectedNormal, PairTruth, Truth};

/// Density of all stones, kg/m³.
pub(crate) const DENSITY: f64 = 2000.0;

/// A fundamental case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// Point in crack: the apex of a spike in a groove.
    SpikeInCrack,
    /// Point in crack: the apex of a spike in a pit of four walls.
    SpikeInHole,
    /// Point in crack: the ridge of a wedge in a groove.
    WedgeInCrack,
    /// Sliding point: a spike slides on its apex.
    SlidingSpike,
    /// Sliding point: a wedge slides on its ridge.
    SlidingWedge,
    /// Two points: apex on apex.
    Spikes,
    /// Two points: apex on ridge.
    SpikeAndWedge,
    /// Two points: ridge on ridge.
    Wedges,
    /// A cube on a frustum whose top is as large as the cube.
    CliffEdges,
    /// A cube on a plane split so that its corners stand on inner vertices and edges.
    InternalEdges,
}

/// Where the bodies of a case come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Exact coordinates, our tetrahedra.
    Procedural,
    /// The coordinates and tetrahedra behind the published tables.
    Recorded,
}

impl Model {
    /// The bodies that go with a variant: those behind the published tables, or our own for the corrected one.
    pub fn of(variant: Variant) -> Self {
        match variant {
            Variant::Corrected => Self::Procedural,
            Variant::Published | Variant::Earlier => Self::Recorded,
        }
    }
}

impl Case {
    /// One line for people.
    pub fn title(self) -> &'static str {
        match self {
            Case::SpikeInCrack => "the apex of a spike moves sideways in a groove of 45° walls",
            Case::SpikeInHole => "the apex of a spike moves sideways in a pit of four 45° walls",
            Case::WedgeInCrack => "the ridge of a wedge moves sideways in a groove of 45° walls",
            Case::SlidingSpike => "a spike slides on its apex over the ground",
            Case::SlidingWedge => "a wedge slides on its ridge over the ground",
            Case::Spikes => "a spike falls past the apex of another",
            Case::SpikeAndWedge => "a spike falls past the ridge of a wedge",
            Case::Wedges => "a wedge falls past the ridge of another",
            Case::CliffEdges => "a cube rests on a frustum, edges exactly above edges",
            Case::InternalEdges => "a cube rests with its corners on vertices and edges inside a plane",
        }
    }

    /// The scene size of the published table: 20, for the cliff edges 8.
    pub fn default_size(self) -> f64 {
        if self == Case::CliffEdges { 8.0 } else { 20.0 }
    }

    /// The time step that the published table shows.
    pub fn published_step(self) -> usize {
        if self == Case::SlidingWedge { 1 } else { 2 }
    }

    /// What the two bodies are called, in the order of their ids.
    pub fn body_names(self) -> [&'static str; 2] {
        match self {
            Case::Spikes => ["upper spike", "lower spike"],
            Case::SpikeAndWedge => ["spike", "wedge"],
            Case::Wedges => ["upper wedge", "lower wedge"],
            Case::SpikeInHole => ["spike", "block with hole"],
            Case::SpikeInCrack => ["spike", "block with crack"],
            Case::WedgeInCrack => ["wedge", "block with crack"],
            Case::SlidingSpike => ["ground", "spike"],
            Case::SlidingWedge => ["ground", "wedge"],
            Case::InternalEdges => ["base", "cube"],
            Case::CliffEdges => ["frustum", "cube"],
        }
    }

    /// The scene. The recorded model exists in the default size only.
    ///
    /// # Errors
    /// [`BodyProblem::RecordedSize`]; a size that is not a positive number makes solids that are none.
    pub fn scene(self, model: Model, size: Option<f64>) -> Result<Scene, BodyProblem> {
        let default = self.default_size();
        let size = size.unwrap_or(default);
        let (materials, stone, ground) = materials()?;
        let bodies = match model {
            Model::Recorded if size != default => {
                return Err(BodyProblem::RecordedSize { case: self, default, size });
            }
            Model::Recorded => recorded::bodies(self, &materials)?,
            Model::Procedural => self.procedural(size, Proportions::of_size(size), stone, ground)?,
        };
        // All sizes have the proportions of one.
        Ok(Scene { is_as_published: size == default, ..self.of_bodies(bodies, materials, Proportions::of_size(25.0)) })
    }

    /// The procedural scene with spikes and wedges of these proportions, in the blocks of the scene size.
    ///
    /// # Errors
    /// Sizes and proportions that are not positive make solids that are none.
    pub fn proportioned(self, proportions: Proportions, size: Option<f64>) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground) = materials()?;
        let bodies = self.procedural(size.unwrap_or(self.default_size()), proportions, stone, ground)?;
        Ok(self.of_bodies(bodies, materials, proportions))
    }

    /// The scene of these bodies, not yet that of the published table.
    fn of_bodies(self, bodies: Vec<SceneBody>, materials: MaterialTable, proportions: Proportions) -> Scene {
        let truth = self.truth(false, proportions);
        Scene {
            scored_step: self.published_step(),
            published_truth: self.has_two_truths().then(|| self.truth(true, proportions)),
            ..Scene::of_suite([self.name(), self.title()], bodies, materials, &truth)
        }
    }

    /// Whether the published truth is mirrored: in the three Two-points cases.
    pub fn has_two_truths(self) -> bool {
        matches!(self, Case::Spikes | Case::SpikeAndWedge | Case::Wedges)
    }

    /// Expected normals and minimal number of contacts (paper, table 4). γ and β are the components of a spike's side
    /// normal, height and half base by the length of its side: (3, 1)/√10 in the suite.
    fn truth(self, is_published: bool, proportions: Proportions) -> Truth {
        let diagonal = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) / 2f64.sqrt();
        let side = |sign: f64| DVec3::new(sign * proportions.height, proportions.half_base, 0.0).normalize();
        // The plane that lets the upper body pass leans against its motion along x, the published one with it.
        let passing = |motion: f64| vec![side(if is_published { -motion } else { motion })];
        let (normals, minimum) = match self {
            Case::SpikeInCrack => (vec![diagonal(1.0, 1.0, 0.0), diagonal(-1.0, 1.0, 0.0)], 2),
            Case::SpikeInHole => {
                let walls = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
                (walls.map(|(x, z)| diagonal(x, 1.0, z)).to_vec(), 4)
            }
            Case::WedgeInCrack => (vec![diagonal(1.0, 1.0, 0.0), diagonal(-1.0, 1.0, 0.0)], 4),
            Case::SlidingSpike => (vec![DVec3::Y], 1),
            Case::SlidingWedge => (vec![DVec3::Y], 2),
            Case::Spikes | Case::SpikeAndWedge => (passing(-1.0), 1),
            Case::Wedges => (passing(1.0), 2),
            Case::CliffEdges | Case::InternalEdges => (vec![DVec3::Y], 4),
        };
        let normals = normals.into_iter().map(ExpectedNormal::from).collect();
        Truth { pairs: vec![PairTruth { a: BodyId::new(0), b: BodyId::new(1), normals, minimum, area: None }] }
    }

    /// The bodies in exact coordinates for the scene size S, the moving one first but where it stands on the ground.
    fn procedural(
        self,
        size: f64,
        proportions: Proportions,
        stone: MaterialId,
        ground: MaterialId,
    ) -> Result<Vec<SceneBody>, BodyProblem> {
        let Proportions { height: h, half_base: b } = proportions;
        let [first, second] = self.body_names();
        let moving = |name: &str, surface: Result<Surface, SurfaceError>, at: Pose, velocity: DVec3| {
            body(name, surface, at, Some(velocity), stone)
        };
        let fixed = |name: &str, surface: Result<Surface, SurfaceError>, at: Pose, material: MaterialId| {
            body(name, surface, at, None, material)
        };
        // Apex or ridge, which the design frames have in (0, h, 0), at (x, 0, 0), pointing down or up.
        let down = |x: f64| Pose::from_parts(DVec3::new(x, h, 0.0), DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
        let up = |x: f64| Pose::from_translation(DVec3::new(x, -h, 0.0));
        let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0));
        let falling = |direction: f64| DVec3::new(direction * h / 2.0, -2.0 * h, 0.0);
        let sideways = DVec3::new(b, 0.0, 0.0);
        let floor = || {
            let half = size / 2.0;
            cuboid(DVec3::new(-half, -size / 10.0, -half), DVec3::new(half, 0.0, half))
        };
        Ok(match self {
            Case::Spikes => {
                vec![
                    moving(first, spike(proportions), down(h), falling(-1.0))?,
                    fixed(second, spike(proportions), up(h), stone)?,
                ]
            }
            Case::SpikeAndWedge => {
                vec![
                    moving(first, spike(proportions), down(0.0), falling(-1.0))?,
                    fixed(second, wedge(proportions), up(0.0), stone)?,
                ]
            }
            Case::Wedges => {
                vec![
                    moving(first, wedge(proportions), down(-h), falling(1.0))?,
                    fixed(second, wedge(proportions), up(-h), stone)?,
                ]
            }
            Case::SpikeInHole => {
                vec![
                    moving(first, spike(proportions), down(0.0), sideways)?,
                    fixed(second, hole_block(size), at(0.0), stone)?,
                ]
            }
            Case::SpikeInCrack => {
                vec![
                    moving(first, spike(proportions), down(h), sideways)?,
                    fixed(second, crack_block(size), at(h), stone)?,
                ]
            }
            Case::WedgeInCrack => {
                vec![
                    moving(first, wedge(proportions), down(-h), sideways)?,
                    fixed(second, crack_block(size), at(-h), stone)?,
                ]
            }
            Case::SlidingSpike => vec![
                fixed(first, floor(), at(0.0), ground)?,
                moving(second, spike(proportions), down(h), DVec3::new(-h, 0.0, 0.0))?,
            ],
            Case::SlidingWedge => vec![
                fixed(first, floor(), at(0.0), ground)?,
                moving(second, wedge(proportions), down(-h), DVec3::new(h, 0.0, 0.0))?,
            ],
            Case::InternalEdges => {
                let half = size / 20.0;
                let cube = cuboid(DVec3::new(-half, half, -half), DVec3::new(half, 3.0 * half, half));
                vec![
                    fixed(first, internal_edge_block(size), at(0.0), stone)?,
                    moving(second, cube, at(0.0), DVec3::ZERO)?,
                ]
            }
            Case::CliffEdges => {
                let (half, side) = (size / 5.0, 2.0 * size / 5.0);
                let cube = cuboid(DVec3::new(-half, side, -half), DVec3::new(half, 2.0 * side, half));
                vec![
                    fixed(first, frustum(0.3 * size, 0.0, half, side), at(0.0), stone)?,
                    moving(second, cube, at(0.0), DVec3::ZERO)?,
                ]
            }
        })
    }
}

/// Stone and ground with the friction of the program behind the published tables: 0.65 and 0.75.
pub(crate) fn materials() -> Result<(MaterialTable, MaterialId, MaterialId), BodyProblem> {
    let mut table = MaterialTable::new();
    let stone = table.add("Stone")?;
    let ground = table.add("Ground")?;
    table.set(stone, stone, Interaction::dry(Friction::isotropic(0.65)))?;
    table.set(stone, ground, Interaction::dry(Friction::isotropic(0.75)))?;
    Ok((table, stone, ground))
}

fn body(
    name: &str,
    surface: Result<Surface, SurfaceError>,
    pose: Pose,
    velocity: Option<DVec3>,
    material: MaterialId,
) -> Result<SceneBody, BodyProblem> {
    let shape = Shape::from_surface(&surface?, &TetrahedralizationSettings::default())?;
    let placement = Placement {
        pose,
        velocity: velocity.unwrap_or_default(),
        angular_velocity: DVec3::ZERO,
        density: DENSITY,
        is_fixed: velocity.is_none(),
        material,
    };
    SceneBody::from_shape(name, &shape, &placement)
}

drystone_contact::named!(Case, "scene":
    SpikeInCrack = "spike-in-crack",
    SpikeInHole = "spike-in-hole",
    WedgeInCrack = "wedge-in-crack",
    SlidingSpike = "sliding-spike",
    SlidingWedge = "sliding-wedge",
    Spikes = "spikes",
    SpikeAndWedge = "spike-and-wedge",
    Wedges = "wedges",
    CliffEdges = "cliff-edges",
    InternalEdges = "internal-edges",
);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// World positions of a body's surface vertices.
    fn world(body: &SceneBody) -> Vec<DVec3> {
        let pose = body.body.pose();
        body.shape.surface().unwrap().vertices().iter().map(|&v| pose.transform_point(v)).collect()
    }

    /// Asserts that two bodies are of one kind and have the same surface vertices in the world, in any order.
    pub fn assert_same_place(ours: &SceneBody, theirs: &SceneBody, scene: &str) {
        let name = &ours.name;
        assert_eq!(ours.body.kind(), theirs.body.kind(), "{scene}: {name}");
        let (ours, theirs) = (world(ours), world(theirs));
        assert_eq!(ours.len(), theirs.len(), "{scene}: {name}");
        for v in &theirs {
            let nearest = ours.iter().map(|u| (*u - *v).length()).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-5, "{scene}, {name}: no vertex of ours at {v}");
        }
    }

    #[test]
    fn procedural_solids_stand_where_the_recorded_ones_do() {
        for case in Case::ALL {
            let procedural = case.scene(Model::Procedural, None).unwrap();
            let recorded = case.scene(Model::Recorded, None).unwrap();
            assert_eq!(procedural.bodies.len(), recorded.bodies.len());
            for (ours, theirs) in procedural.bodies.iter().zip(&recorded.bodies) {
                assert!((ours.body.velocity - theirs.body.velocity).length() < 1e-6, "{case}: {}", ours.name);
                assert_same_place(ours, theirs, case.name());
            }
        }
    }

    #[test]
    fn masses_agree_with_the_recorded_ones() {
        for case in Case::ALL {
            let procedural = case.scene(Model::Procedural, None).unwrap();
            let recorded = case.scene(Model::Recorded, None).unwrap();
            for (ours, theirs) in procedural.bodies.iter().zip(&recorded.bodies) {
                let (ours, theirs) = (&ours.body, &theirs.body);
                if ours.is_fixed() {
                    continue;
                }
                assert!((ours.mass() / theirs.mass() - 1.0).abs() < 1e-6, "{case}");
                let sorted = |v: DVec3| {
                    let mut moments = v.to_array();
                    moments.sort_unstable_by(f64::total_cmp);
                    DVec3::from_array(moments)
                };
                let difference = sorted(ours.inertia()) - sorted(theirs.inertia());
                assert!(difference.length() / ours.inertia().length() < 1e-5, "{case}: {difference}");
            }
        }
    }

    #[test]
    fn expected_normals_are_unit_and_scenes_scale() {
        for case in Case::ALL {
            assert!(case.scene(Model::Recorded, Some(3.0)).unwrap_err().to_string().contains("scene size"));
            let scene = case.scene(Model::Procedural, Some(3.0)).unwrap();
            assert!(scene.truth.pairs.iter().flat_map(PairTruth::directions).all(|n| n.is_normalized()));
            let small = world(&scene.bodies[0]);
            let usual = world(&case.scene(Model::Procedural, None).unwrap().bodies[0]);
            let factor = 3.0 / case.default_size();
            assert!(small.iter().zip(&usual).all(|(s, u)| (*s - *u * factor).length() < 1e-12));
        }
        assert!(Case::Spikes.proportioned(Proportions { height: 0.0, half_base: 1.0 }, None).is_err());
        assert!(Case::Spikes.scene(Model::Procedural, Some(f64::NAN)).is_err());
        assert!(Case::Spikes.scene(Model::Procedural, Some(0.0)).is_err());
    }

    /// Of the suite's proportions, the same scene; of others, expected normals that are normals of the solids.
    #[test]
    fn expected_normals_follow_from_the_proportions() {
        for case in Case::ALL {
            let size = case.default_size();
            let usual = case.scene(Model::Procedural, None).unwrap();
            let same = case.proportioned(Proportions::of_size(size), None).unwrap();
            assert_eq!(same.states(), usual.states(), "{case}");
            let mut normals = same.truth.pairs[0].directions().zip(usual.truth.pairs[0].directions());
            assert!(normals.all(|(s, u)| s.distance(u) < 1e-15), "{case}");
            assert!(usual.is_as_published && !same.is_as_published);
            let literal = case.proportioned(Proportions::LITERAL, None).unwrap();
            for expected in literal.truth.pairs[0].directions() {
                let is_normal = |body: &SceneBody| {
                    let turned = body.body.orientation.inverse() * expected;
                    body.shape.surface().unwrap().normals().iter().any(|n| n.cross(turned).length() < 1e-12)
                };
                assert!(literal.bodies.iter().any(is_normal), "{case}: {expected}");
            }
        }
        let literal = Case::Wedges.proportioned(Proportions::LITERAL, None).unwrap();
        assert!(literal.truth.pairs[0].normals[0].direction.distance(DVec3::new(6.0, 1.0, 0.0) / 37f64.sqrt()) < 1e-15);
    }
}
