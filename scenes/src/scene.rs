//! A scene: bodies with their shapes, materials, and what is known about the contacts.

use std::sync::Arc;

use drystone_contact::generator::closest_points::EPSILON;
use drystone_contact::shape::{
    BodyShape, BodyShapeError, MassPropertiesError, Shape, ShapeError, SurfaceError, TetrahedralMeshError,
};
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::{ContactSolver, FrictionModel};
use drystone_engine::{
    Body, BodyError, BodyId, ExternalForces, Friction, Groups, Interaction, Material, MaterialError, MaterialId,
    MaterialTable, Pose, PrescribedMotion,
};
use drystone_replica::recorded::RecordedError;
use glam::DVec3;

use crate::cases::Case;
use crate::joint::SceneJoint;
use crate::truth::{Truth, TruthKind};
use drystone_contact::split_mix::SplitMix;

/// A body of a scene: its state in the engine and its shape in the body frame (origin in the centre of mass, axes
/// along the principal axes).
#[derive(Clone, Debug)]
pub struct SceneBody {
    /// How people call it.
    pub name: String,
    /// The shape.
    pub shape: Arc<Shape>,
    /// State, mass and material.
    pub body: Body,
    /// How a kinematic body moves; without one it keeps its velocities.
    pub prescribed_motion: Option<PrescribedMotion>,
    /// The axes of the world along which, and about which, a dynamic body does not move.
    pub locked_axes: [[bool; 3]; 2],
    /// Which bodies it touches.
    pub groups: Groups,
}

/// All axes are free.
pub const FREE_AXES: [[bool; 3]; 2] = [[false; 3]; 2];

/// How a body is made from a shape that is not in its body frame.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Design frame of the shape → world.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity, world axes, rad/s.
    pub angular_velocity: DVec3,
    /// kg/m³.
    pub density: f64,
    /// Whether it stays where it is.
    pub is_fixed: bool,
    /// What it is made of.
    pub material: MaterialId,
}

impl SceneBody {
    /// A body whose mass and frame follow from its shape and density.
    ///
    /// # Errors
    /// Mass properties that no body can have, states that are not finite.
    pub fn from_shape(name: impl Into<String>, shape: &Shape, placement: &Placement) -> Result<Self, BodyProblem> {
        // What has no end or no inside has no mass, and no other frame than its own.
        let is_surface = matches!(shape, Shape::Solid(general) if !general.solid().is_closed());
        let BodyShape { shape, frame, mass, moments } =
            if placement.is_fixed && (is_surface || !shape.thickness().is_finite()) {
                BodyShape { shape: shape.clone(), frame: Pose::IDENTITY, mass: 0.0, moments: DVec3::ZERO }
            } else {
                shape.in_body_frame(placement.density)?
            };
        let body = if placement.is_fixed {
            Body::fixed(placement.material)
        } else {
            Body::dynamic(mass, moments, placement.material)?
        };
        let pose = placement.pose;
        let body = body
            .at(pose.transform_point(frame.translation), pose.rotation * frame.rotation)?
            .moving(placement.velocity, placement.angular_velocity)?;
        Ok(SceneBody {
            name: name.into(),
            shape: Arc::new(shape),
            body,
            prescribed_motion: None,
            locked_axes: FREE_AXES,
            groups: Groups::ALL,
        })
    }

    /// The same body, at rest or in motion as it is, moved by `by` in the world; both share their shapes.
    ///
    /// # Errors
    /// A motion that is not finite.
    pub fn copy(&self, name: impl Into<String>, by: &Pose) -> Result<Self, BodyProblem> {
        let pose = self.body.pose();
        let body = self.body.clone().at(by.transform_point(pose.translation), by.rotation * pose.rotation)?;
        Ok(SceneBody { name: name.into(), body, ..self.clone() })
    }
}

/// Why a body of a scene cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BodyProblem {
    /// The surface is not that of a solid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// There is no such shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The shape has no body frame.
    #[error(transparent)]
    BodyShape(#[from] BodyShapeError),
    /// The tetrahedra do not make a mesh.
    #[error(transparent)]
    Mesh(#[from] TetrahedralMeshError),
    /// The shape has no mass.
    #[error(transparent)]
    Mass(#[from] MassPropertiesError),
    /// State or mass are not those of a body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The recorded bodies cannot be had.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// Recorded bodies have one size.
    #[error(
        "the recorded bodies of {case} exist for the scene size {default} only, not for {size}; use the procedural ones"
    )]
    RecordedSize {
        /// The case.
        case: Case,
        /// The size of the recorded bodies.
        default: f64,
        /// The size asked for.
        size: f64,
    },
    /// There are no recorded bodies of the scene.
    #[error("there are no recorded bodies of {0}; use the procedural ones")]
    NotRecorded(String),
    /// The scene has one size.
    #[error("{scene} has one size; leave out the size {size}")]
    NoSize {
        /// The scene.
        scene: &'static str,
        /// The size asked for.
        size: f64,
    },
    /// The size of a scene counts something.
    #[error("{scene} takes a number of {what} from 1 to {most} for its size, not {size}")]
    Count {
        /// The scene.
        scene: &'static str,
        /// What is counted.
        what: &'static str,
        /// The largest number.
        most: u32,
        /// The size asked for.
        size: f64,
    },
    /// The recorded bodies are not those that the scene names.
    #[error("{scene} has {names} names for {bodies} recorded bodies")]
    RecordedBodies {
        /// The scene.
        scene: String,
        /// How many names there are.
        names: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// A material is unknown or given twice.
    #[error(transparent)]
    Material(#[from] MaterialError),
}

/// A scene that can be scored.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name on the command line and in files.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The bodies; [`BodyId`] counts them.
    pub bodies: Vec<SceneBody>,
    /// What ties bodies to each other and to the world.
    pub joints: Vec<SceneJoint>,
    /// Pairs of bodies that do not collide, besides those whose joints say so.
    pub excluded: Vec<[BodyId; 2]>,
    /// Materials and what happens between them.
    pub materials: MaterialTable,
    /// Gravity and damping.
    pub forces: ExternalForces,
    /// How friction bounds the impulses of a contact. The ball takes one coefficient, `s`.
    pub friction: FrictionModel,
    /// Which solver finds the impulses of its steps.
    pub solver: ContactSolver,
    /// Δt, s.
    pub time_step: f64,
    /// The time step whose contacts are scored unless told otherwise, from 1.
    pub scored_step: usize,
    /// The contacts that there should be.
    pub truth: Truth,
    /// The truth of the published table where that differs.
    pub published_truth: Option<Truth>,
    /// Whether this is a scene of the published table, as it is there: no other size, time step, noise or refinement.
    pub is_as_published: bool,
}

impl Scene {
    /// Bodies stepped as all scenes of the paper are, scored in the second step.
    pub(crate) fn of_suite(
        [name, title]: [&str; 2],
        bodies: Vec<SceneBody>,
        materials: MaterialTable,
        truth: &Truth,
    ) -> Self {
        let truth = truth.carried(&bodies);
        Scene {
            name: name.into(),
            title: title.into(),
            bodies,
            joints: Vec::new(),
            excluded: Vec::new(),
            materials,
            forces: ExternalForces::default(),
            friction: FrictionModel::Ball,
            solver: ContactSolver::default(),
            time_step: 0.01,
            scored_step: 2,
            truth,
            published_truth: None,
            is_as_published: false,
        }
    }

    /// The first body with locked axes.
    pub fn locked_body(&self) -> Option<&SceneBody> {
        self.bodies.iter().find(|body| body.locked_axes != FREE_AXES)
    }

    /// The solver of steps of these bodies: the soft step where there are joints or locked axes.
    pub(crate) fn solver_for(bodies: &[SceneBody], joints: &[SceneJoint]) -> ContactSolver {
        match !joints.is_empty() || bodies.iter().any(|body| body.locked_axes != FREE_AXES) {
            true => ContactSolver::Soft(SoftSettings::default()),
            false => ContactSolver::default(),
        }
    }

    /// Whether a solver holds what ties its bodies: joints and locked axes, if it has any.
    pub fn is_held_by(&self, solver: ContactSolver) -> bool {
        let is_tied = !self.joints.is_empty() || self.locked_body().is_some();
        !is_tied || matches!(solver, ContactSolver::Soft(_) | ContactSolver::Global(_))
    }

    /// The truth of a kind at the start of the scene. [`Truth::at`] says what it is later.
    pub fn truth(&self, kind: TruthKind) -> Truth {
        match kind {
            TruthKind::Corrected => self.truth.clone(),
            TruthKind::Published => self.published_truth.as_ref().unwrap_or(&self.truth).fixed(),
        }
    }

    /// The ids of all bodies.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId::new)
    }

    /// The states of all bodies.
    pub fn states(&self) -> Vec<Body> {
        self.bodies.iter().map(|b| b.body.clone()).collect()
    }

    /// Shifts every body by up to `magnitude` (m) along x and along z, uniformly, by a sequence that follows from the
    /// seed alone (noise option of the assessment, section 8.5).
    pub fn perturb(&mut self, magnitude: f64, seed: u64) {
        self.is_as_published = false;
        let mut sequence = SplitMix::new(seed);
        for body in &mut self.bodies {
            let mut offset = || magnitude * (2.0 * sequence.next_fraction() - 1.0);
            let (x, z) = (offset(), offset());
            body.body.position += DVec3::new(x, 0.0, z);
        }
    }

    /// Sets the solver of its steps.
    pub fn set_solver(&mut self, solver: ContactSolver) {
        self.is_as_published &= solver == self.solver;
        self.solver = solver;
    }

    /// Takes friction away between all materials.
    ///
    /// # Errors
    /// None that a table of materials of its own ids could have.
    pub fn remove_friction(&mut self) -> Result<(), MaterialError> {
        self.is_as_published = false;
        for id in (0..self.materials.names().len() as u16).map(MaterialId::new) {
            let material = self.materials.material(id)?;
            self.materials.set_material(id, Material { friction: Friction::isotropic(0.0), ..material })?;
        }
        let pairs: Vec<_> = self.materials.interactions().collect();
        for (a, b, interaction) in pairs {
            self.materials.set(a, b, Interaction { friction: Friction::isotropic(0.0), ..interaction })?;
        }
        Ok(())
    }

    /// Sets Δt, s.
    pub fn set_time_step(&mut self, time_step: f64) {
        self.is_as_published &= time_step == self.time_step;
        self.time_step = time_step;
    }

    /// Splits every tetrahedron of every polyhedron into eight, `levels` times. Shapes are eroded before, if they can be: a
    /// depth that the coarse surface allows may turn small tetrahedra over.
    ///
    /// # Errors
    /// A shape that has no tetrahedra; a refined mesh that is too large or, by rounding, not valid.
    pub fn refine(&mut self, levels: usize) -> Result<(), ShapeError> {
        if levels == 0 {
            return Ok(());
        }
        self.is_as_published = false;
        for body in &mut self.bodies {
            let polyhedron = body.shape.polyhedron("tetrahedra to refine")?;
            let refined = polyhedron.refined(levels)?;
            let eroded = polyhedron.eroded(EPSILON).and_then(|shape| shape.polyhedron("tetrahedra to refine"));
            let refined = match eroded {
                Ok(eroded) => refined.with_eroded(Arc::new(eroded.refined(levels)?.into())),
                Err(_) => refined,
            };
            body.shape = Arc::new(refined.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{Case, Model};

    #[test]
    fn noise_follows_from_the_seed_and_stays_in_the_plane() {
        let scene = Case::CliffEdges.scene(Model::Procedural, None).unwrap();
        let shifted = |seed| {
            let mut copy = scene.clone();
            copy.perturb(0.03, seed);
            copy.bodies.iter().map(|b| b.body.position).collect::<Vec<_>>()
        };
        assert_eq!(shifted(7), shifted(7));
        assert_ne!(shifted(7), shifted(8));
        for (before, after) in scene.bodies.iter().zip(shifted(7)) {
            let offset = after - before.body.position;
            assert!(offset.y == 0.0 && offset.x.abs() <= 0.03 && offset.z.abs() <= 0.03 && offset.x != offset.z);
        }
    }

    #[test]
    fn friction_goes_from_all_pairs_of_materials() {
        let mut scene = Case::SlidingSpike.scene(Model::Procedural, None).unwrap();
        let frictions = |scene: &crate::scene::Scene| {
            scene.materials.interactions().map(|(_, _, interaction)| interaction.friction.s).collect::<Vec<_>>()
        };
        assert_eq!(frictions(&scene), [0.65, 0.75]);
        scene.remove_friction().unwrap();
        assert_eq!(frictions(&scene), [0.0, 0.0]);
        assert!(!scene.is_as_published);
    }

    #[test]
    fn refinement_keeps_the_solid() {
        let mut scene = Case::SpikeInCrack.scene(Model::Recorded, None).unwrap();
        let before: Vec<f64> = scene.bodies.iter().map(|b| b.shape.mass_properties(1.0).unwrap().volume).collect();
        scene.refine(2).unwrap();
        for (body, volume) in scene.bodies.iter().zip(before) {
            assert!((body.shape.mass_properties(1.0).unwrap().volume / volume - 1.0).abs() < 1e-9);
        }
        assert_eq!(scene.bodies[0].shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().len(), 2 * 64);
    }
}
