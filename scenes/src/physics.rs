//! What contacts do: one time step with a given list of contacts and Coulomb's law, beside the step that it should be.
//!
//! The reference is the same step with the corners of the contact region ([`region_corners`]), which are found by brute force
//! from the expected normals and know no generator. Bodies that rest there have the acceleration 0; bodies that slide are
//! slowed by friction. Friction is Coulomb's cone without torsion: a contact is a point. Gaps are not looked at. The
//! definitions and their reasons are in `docs/strict-scores.md`.

use drystone_engine::solver::{ContactSolver, FrictionModel, GlobalSettings, SolverSettings};
use drystone_engine::stepper::{self, Scheme, StepError};
use drystone_engine::{Body, BodyId, ContactBetween, Friction, Interaction, Material, MaterialError, MaterialId};
use drystone_engine::{MaterialTable, StepSettings};
use glam::DVec3;
use serde::Serialize;

use crate::contact_region::{RegionCorner, RegionSettings, region_corners};
use crate::detection::SceneState;
use crate::scene::Scene;
use crate::strict::Count;
use crate::truth::Truth;

/// A body moves as it should if no vertex of it is accelerated otherwise by this share of gravity or, where that is more, of
/// the largest acceleration that there should be.
const RIGHT: f64 = 1e-2;

/// Two solutions of the reference that differ by more, as a share of the same acceleration, are two.
const UNIQUE: f64 = 5e-3;

/// A solution whose natural residual is larger is none.
const SOLVED: f64 = 1e-7;

/// Sweeps end when about so many contacts were visited; a sweep that changes nothing ends them earlier.
const VISITS: usize = 2_000_000;

/// What contacts do in one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Physics {
    /// The largest difference from the acceleration that it should have of any vertex of any body that can move, m/s²; `None` where
    /// no step can be made with these contacts, such as those farther away than numbers go.
    pub acceleration_error: Option<f64>,
    /// The body of that vertex, by its number from 0; `None` where no body can move.
    pub worst_body: Option<usize>,
    /// Bodies that move as they should, of those that can move.
    pub bodies: Count,
    /// The largest acceleration of a vertex that there should be, m/s²: 0 at rest.
    pub expected_acceleration: f64,
    /// The [natural residual](drystone_engine::solver::natural_residual) of the impulses of these contacts, N s. Where it is large, no solution was found, and the
    /// motion is not what these contacts do. `None` where no step can be made.
    pub residual: Option<f64>,
}

/// Why the step cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PhysicsError {
    /// The step itself.
    #[error("the step with these contacts: {0}")]
    Step(#[from] StepError),
    /// A material that is none.
    #[error(transparent)]
    Material(#[from] MaterialError),
}

/// A step of a scene that is made with several lists of contacts.
pub struct OneStep<'s> {
    scene: &'s Scene,
    bodies: Vec<Body>,
    materials: MaterialTable,
    settings: StepSettings,
    expected: Vec<Body>,
}

/// Bodies after a step, and the natural residual of the impulses, N s.
struct Stepped {
    bodies: Vec<Body>,
    residual: f64,
}

impl<'s> OneStep<'s> {
    /// The step from a state, with the truth there ([`Truth::at`]). `None` where nothing can be expected: joints, locked
    /// axes, prescribed motions, truths without corners, and where the law has more than one solution that is found.
    ///
    /// # Errors
    /// See [`PhysicsError`].
    pub fn new(scene: &'s Scene, state: &SceneState, truth: &Truth) -> Result<Option<Self>, PhysicsError> {
        let is_driven = scene.bodies.iter().any(|body| body.prescribed_motion.is_some());
        if is_driven || !scene.joints.is_empty() || scene.locked_body().is_some() {
            return Ok(None);
        }
        let corners = region_corners(scene, truth, &state.poses, &RegionSettings::default());
        let contacts: Vec<ContactBetween> = corners.iter().map(RegionCorner::contact).collect();
        if truth.pairs.is_empty() || contacts.is_empty() {
            return Ok(None);
        }
        let mut step = OneStep {
            scene,
            bodies: state.bodies.clone(),
            materials: coulomb(scene)?,
            settings: settings(scene, state.is_start),
            expected: Vec::new(),
        };
        let solutions = [DIRECT, ContactSolver::ProximalGaussSeidel].map(|solver| step.make_by(solver, &contacts));
        let [direct, swept] = solutions;
        let (direct, swept) = (direct?, swept?);
        let (best, other) = if direct.residual <= swept.residual { (direct, swept) } else { (swept, direct) };
        if best.residual > SOLVED {
            return Ok(None);
        }
        step.expected = best.bodies;
        let is_unique = other.residual > SOLVED
            || step.largest_difference(&step.expected, &other.bodies).0 <= UNIQUE * step.scale();
        Ok(is_unique.then_some(step))
    }

    /// Makes the step with these contacts and compares.
    ///
    /// # Errors
    /// See [`PhysicsError`].
    pub fn judge(&self, contacts: &[ContactBetween]) -> Result<Physics, PhysicsError> {
        let expected_acceleration = self.largest_difference(&self.expected, &self.bodies).0;
        let made = match self.make(contacts) {
            Ok(made) => made,
            Err(PhysicsError::Step(StepError::Solver(_) | StepError::State { .. })) => {
                return Ok(Physics {
                    acceleration_error: None,
                    worst_body: None,
                    bodies: Count::of(self.moving().map(|_| false)),
                    expected_acceleration,
                    residual: None,
                });
            }
            Err(error) => return Err(error),
        };
        let most = RIGHT * self.scale();
        let moving = self.moving().map(|k| self.difference(k, &made.bodies[k], &self.expected[k]) <= most);
        let (acceleration_error, worst_body) = self.largest_difference(&made.bodies, &self.expected);
        Ok(Physics {
            bodies: Count::of(moving),
            acceleration_error: Some(acceleration_error).filter(|error| error.is_finite()),
            worst_body,
            expected_acceleration,
            residual: Some(made.residual).filter(|residual| residual.is_finite()),
        })
    }

    /// Velocities of the bodies after the step as it should be, linear (m/s) and angular (rad/s), world frame, in the order of
    /// their ids.
    pub fn expected_velocities(&self) -> Vec<[DVec3; 2]> {
        self.expected.iter().map(|body| [body.velocity, body.angular_velocity]).collect()
    }

    /// By the direct method, and by sweeps where that finds no solution.
    fn make(&self, contacts: &[ContactBetween]) -> Result<Stepped, PhysicsError> {
        let direct = self.make_by(DIRECT, contacts)?;
        if direct.residual <= SOLVED {
            return Ok(direct);
        }
        let swept = self.make_by(ContactSolver::ProximalGaussSeidel, contacts)?;
        Ok(if swept.residual < direct.residual { swept } else { direct })
    }

    fn make_by(&self, solver: ContactSolver, contacts: &[ContactBetween]) -> Result<Stepped, PhysicsError> {
        // Between bodies that cannot move there are no impulses.
        let can_move = |body: BodyId| self.bodies.get(body.index()).is_some_and(Body::is_dynamic);
        let acting: Vec<ContactBetween> = contacts.iter().filter(|c| can_move(c.a) || can_move(c.b)).copied().collect();
        let mut settings = StepSettings { contact_solver: solver, ..self.settings };
        settings.solver.max_iterations = (VISITS / acting.len().max(1)).clamp(1_000, 100_000);
        let mut bodies = self.bodies.clone();
        let report = stepper::step(&mut bodies, &self.materials, &settings, |_| Ok(acting.clone()))?;
        Ok(Stepped { bodies, residual: report.solution.natural_residual })
    }

    fn moving(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(|&k| self.bodies[k].is_dynamic())
    }

    /// What accelerations are measured by, m/s².
    fn scale(&self) -> f64 {
        self.settings.forces.gravity.length().max(self.largest_difference(&self.expected, &self.bodies).0)
    }

    fn largest_difference(&self, one: &[Body], other: &[Body]) -> (f64, Option<usize>) {
        let all = self.moving().map(|k| (self.difference(k, &one[k], &other[k]), Some(k)));
        all.reduce(|most, next| if next.0 > most.0 { next } else { most }).unwrap_or((0.0, None))
    }

    /// By how much the velocities of a body's vertices differ, by the time step, m/s².
    fn difference(&self, k: usize, one: &Body, other: &Body) -> f64 {
        let (linear, angular) = (one.velocity - other.velocity, one.angular_velocity - other.angular_velocity);
        let shape = &self.scene.bodies[k].shape;
        let turn = self.bodies[k].orientation;
        let of_vertices = shape.surface().map(|surface| {
            let speeds = surface.vertices().iter().map(|&v| (linear + angular.cross(turn * v)).length());
            speeds.fold(0.0, f64::max)
        });
        // A bound where there are no vertices.
        let speed = of_vertices.unwrap_or_else(|| linear.length() + angular.length() * shape.radius());
        speed / self.settings.time_step
    }
}

/// The global method, tighter than for simulation.
const DIRECT: ContactSolver = ContactSolver::Global(GlobalSettings {
    velocity_tolerance: 1e-10,
    max_factorizations: 100,
    ..GlobalSettings::STEPS
});

/// How the step from a state is made.
fn settings(scene: &Scene, is_start: bool) -> StepSettings {
    StepSettings {
        time_step: scene.time_step,
        scheme: if is_start { Scheme::SemiImplicit } else { Scheme::Midpoint },
        forces: scene.forces,
        contact_solver: DIRECT,
        solver: SolverSettings { friction: FrictionModel::Ellipsoid, ..SolverSettings::CONVERGENT },
    }
}

/// The materials of the scene with Coulomb's law at a point: no torsion, and where the scene's law takes one coefficient, that one.
fn coulomb(scene: &Scene) -> Result<MaterialTable, MaterialError> {
    let mut table = scene.materials.clone();
    let sliding = |friction: Friction| match scene.friction {
        FrictionModel::Ball => Friction::sliding(friction.s),
        FrictionModel::Ellipsoid | FrictionModel::Box => Friction { torsion: 0.0, ..friction },
    };
    for id in (0..table.names().len() as u16).map(MaterialId::new) {
        let material = table.material(id)?;
        table.set_material(id, Material { friction: sliding(material.friction), ..material })?;
    }
    let pairs: Vec<_> = table.interactions().collect();
    for (a, b, interaction) in pairs {
        table.set(a, b, Interaction { friction: sliding(interaction.friction), ..interaction })?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BuiltIn;
    use crate::cases::Model;
    use crate::detection::{Moment, state_at};
    use drystone_contact::generator::methods;

    fn step(scene: &Scene, moment: Moment) -> Option<OneStep<'_>> {
        let state = state_at(scene, &methods::semi_local(), moment).unwrap();
        let truth = scene.truth.at(&state.poses);
        OneStep::new(scene, &state, &truth).unwrap()
    }

    fn corners(scene: &Scene) -> Vec<ContactBetween> {
        let poses: Vec<_> = scene.states().iter().map(Body::pose).collect();
        let corners = region_corners(scene, &scene.truth, &poses, &RegionSettings::default());
        corners.iter().map(RegionCorner::contact).collect()
    }

    fn built_in(name: &str) -> Scene {
        name.parse::<BuiltIn>().unwrap().scene(Model::Procedural, None).unwrap()
    }

    /// The same without the damping of the suite, which closed forms leave out.
    fn undamped(name: &str) -> Scene {
        let mut scene = built_in(name);
        (scene.forces.linear_damping, scene.forces.angular_damping) = (0.0, 0.0);
        scene
    }

    #[test]
    fn what_rests_is_to_rest() {
        let names = [
            "cliff-edges",
            "internal-edges",
            "pillar",
            "arch",
            "wall",
            "box-stack",
            "pyramid",
            "saddle-on-saddle",
            "gear-teeth",
            "box-on-step",
            "tip-on-cliff",
        ];
        for name in names {
            let scene = built_in(name);
            let step = step(&scene, Moment::Start).unwrap();
            for [linear, angular] in step.expected_velocities() {
                assert!(linear.length() < 1e-8 && angular.length() < 1e-8, "{name}");
            }
            let found = step.judge(&corners(&scene)).unwrap();
            assert!(
                found.acceleration_error.unwrap() < 1e-6 && found.expected_acceleration < 1e-6,
                "{name}: {found:?}"
            );
            assert_eq!(found.bodies.right, found.bodies.of, "{name}");
        }
    }

    /// A box that slides on its face is slowed by μ g and does not turn.
    #[test]
    fn a_sliding_box_is_slowed_by_friction_alone() {
        for name in ["tiled-floor", "triangulated-floor"] {
            let scene = undamped(name);
            let step = step(&scene, Moment::Step(1)).unwrap();
            let (before, [after, spin]) =
                (&scene.bodies.last().unwrap().body, *step.expected_velocities().last().unwrap());
            let exact = before.velocity - 0.65 * 9.82 * 0.01 * before.velocity.normalize();
            assert!(after.distance(exact) < 1e-8 && spin.length() < 1e-8, "{name}: {after} {exact}");
        }
    }

    /// A spike on its apex and a wedge on its ridge, which are straight below their centres of mass: the normal impulse carries
    /// the weight without a torque, friction μ m g Δt acts at the ground, so that they are slowed and tip over.
    #[test]
    fn a_sliding_tip_is_slowed_and_tips_over() {
        for name in ["sliding-spike", "sliding-wedge"] {
            let scene = undamped(name);
            let step = step(&scene, Moment::Start).unwrap();
            let body = &scene.bodies[1].body;
            let way = body.velocity.normalize();
            let friction = -0.75 * body.mass() * 9.82 * 0.01 * way;
            let arm = DVec3::new(0.0, -body.position.y, 0.0);
            let spin = body.inverse_inertia_at(body.orientation) * arm.cross(friction);
            let velocity = body.velocity + friction / body.mass();
            // The tip goes on sliding, the assumption of all this.
            assert!((velocity + spin.cross(arm)).dot(way) > 0.0);
            let [after, turn] = step.expected_velocities()[1];
            assert!(after.distance(velocity) < 1e-8 && turn.distance(spin) < 1e-8, "{name}: {after} {turn}");
        }
    }

    #[test]
    fn cheats_move_otherwise() {
        let scene = built_in("box-stack");
        let step = step(&scene, Moment::Start).unwrap();
        let judge = |change: fn(&mut ContactBetween)| {
            let mut contacts = corners(&scene);
            contacts.iter_mut().for_each(change);
            step.judge(&contacts).unwrap()
        };
        assert_eq!(judge(|_| {}).bodies, Count { right: 10, of: 10 });
        // Contacts that pull the wrong way let all bodies fall.
        let reversed = judge(|c| c.contact.normal = -c.contact.normal);
        assert_eq!(reversed.bodies, Count { right: 0, of: 10 });
        assert!((reversed.acceleration_error.unwrap() - 9.82).abs() < 1e-6, "{reversed:?}");
        assert_eq!(judge(|c| c.contact.position += DVec3::splat(100.0)).bodies.right, 0);
        let none = step.judge(&[]).unwrap();
        assert_eq!(none.bodies.right, 0);
        assert!((none.acceleration_error.unwrap() - 9.82).abs() < 1e-6);
        let unsolvable = judge(|c| c.contact.position.x = 1e200);
        assert_eq!((unsolvable.acceleration_error, unsolvable.bodies.right), (None, 0));
        // Gaps are not looked at.
        assert_eq!(judge(|c| c.contact.gap = -7.0), judge(|_| {}));
    }

    /// A ring that fills its peg may fall or be stuck; nothing is expected of it. Nor of bodies that are held otherwise.
    #[test]
    fn nothing_is_expected_where_more_than_one_motion_solves() {
        assert!(step(&built_in("ring-on-peg"), Moment::Start).is_none());
        let mut locked = built_in("box-on-step");
        locked.bodies[1].locked_axes[0] = [true; 3];
        assert!(step(&locked, Moment::Start).is_none());
        assert!(step(&built_in("pile"), Moment::Start).is_none(), "without a truth");
    }
}
