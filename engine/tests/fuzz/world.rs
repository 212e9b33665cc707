//! Worlds under any calls: nothing panics, states stay finite, what is refused changes nothing, and the same calls give the same bits on
//! any number of threads and through a snapshot.

use std::panic::{AssertUnwindSafe, catch_unwind};

use drystone_engine::contact::generator::methods;
use drystone_engine::joint::Motor;
use drystone_engine::query::{Fill, QueryFilter, Ray};
use drystone_engine::solver::{ContactSolver, GlobalSettings, SvdSettings};
use drystone_engine::{
    BodyHandle, BodyKind, CcdSettings, Friction, Interaction, JointHandle, JointKind, MaterialId, NewBody, NewJoint,
    StepSettings, World, WorldError, WorldSettings,
};
use glam::DVec3;

use crate::call::{Call, Kind, Log, Setup};
use crate::random::{Number, Random, vector};
use crate::shrink::smallest;

/// A fault that calls have shown.
type Check<T = ()> = Result<T, String>;

/// Fails with a message unless something holds.
fn check(holds: bool, message: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(message()) }
}

impl Setup {
    pub fn world(&self) -> Check<World> {
        let with = |solver: ContactSolver| {
            let settings = WorldSettings::gauss_seidel();
            WorldSettings { step: StepSettings { contact_solver: solver, ..settings.step }, ..settings }
        };
        let mut settings = match self.step.as_str() {
            "soft" => WorldSettings::fast(),
            "soft-accurate" => WorldSettings::accurate(),
            "prox-gauss-seidel" => WorldSettings::gauss_seidel(),
            "svd" => with(ContactSolver::Svd(SvdSettings::STEPS)),
            "global" => with(ContactSolver::Global(GlobalSettings::STEPS)),
            "ccd" => WorldSettings { ccd: Some(CcdSettings::default()), ..WorldSettings::gauss_seidel() },
            "suite" => WorldSettings::suite(StepSettings::default()),
            other => return Err(format!("no way to step is called {other}")),
        };
        settings.step.time_step = self.time_step.0;
        let method = methods::all().into_iter().find(|method| method.name() == self.method);
        let mut world = World::new(settings, method.ok_or(format!("no method is called {}", self.method))?);
        let stone = world.materials_mut().add("stone").map_err(|error| error.to_string())?;
        let interaction =
            Interaction { friction: Friction::isotropic(self.friction.0), restitution: self.restitution.0 };
        world.materials_mut().set(stone, stone, interaction).map_err(|error| error.to_string())?;
        Ok(world)
    }
}

/// A world while its calls are made.
struct Player {
    world: World,
    bodies: Vec<BodyHandle>,
    joints: Vec<JointHandle>,
}

impl Player {
    /// A body that was added, or the null handle of a number that none has.
    fn body(&self, number: usize) -> BodyHandle {
        self.bodies.get(number).copied().unwrap_or(BodyHandle::from_bits(u64::MAX))
    }

    fn bits(&self) -> Vec<u64> {
        let of = |v: DVec3| v.to_array().map(f64::to_bits);
        let states = self.world.bodies().iter().flat_map(|body| {
            let turn = body.orientation.to_array().map(f64::to_bits);
            [of(body.position), of(body.velocity), of(body.angular_velocity)].concat().into_iter().chain(turn)
        });
        states.collect()
    }

    /// Whether a call that needs a body did what its handle says.
    fn answered<T>(&self, which: usize, result: Result<T, WorldError>) -> Check {
        let is_alive = self.world.contains(self.body(which));
        check(is_alive || result.is_err(), || format!("body {which} is gone, and the call was made"))
    }

    fn make(&mut self, call: &Call) -> Check {
        match call {
            Call::Step => return self.step(),
            Call::Add { kind, form, density, place } => {
                let Ok(solid) = form.solid(density.0) else { return Ok(()) };
                let (material, pose) = (MaterialId::new(0), place.pose());
                let new = match kind {
                    Kind::Dynamic => solid.dynamic(material, pose),
                    Kind::Kinematic => solid.kinematic(material, pose),
                    Kind::Fixed => solid.fixed(material, pose),
                };
                let added = new.map(|new: NewBody| self.world.add(new));
                if let Ok(Ok(body)) = added {
                    self.bodies.push(body);
                }
            }
            Call::Remove(i) => {
                let body = self.body(*i);
                let was_alive = self.world.contains(body);
                check(self.world.remove(body).is_ok() == was_alive, || format!("removal of body {i}"))?;
                check(!self.world.contains(body), || format!("body {i} is still there"))?;
            }
            Call::Teleport(i, place) => {
                let body = self.body(*i);
                if let Ok(body) = self.world.body_mut(body) {
                    (body.position, body.orientation) = (place.pose().translation, place.pose().rotation);
                }
            }
            Call::Throw(i, [velocity, spin]) => {
                let body = self.body(*i);
                if let Ok(body) = self.world.body_mut(body) {
                    (body.velocity, body.angular_velocity) = (vector(*velocity), vector(*spin));
                }
            }
            Call::SetKind(i, kind) => {
                let kind = match kind {
                    Kind::Dynamic => BodyKind::Dynamic,
                    Kind::Kinematic => BodyKind::Kinematic,
                    Kind::Fixed => BodyKind::Fixed,
                };
                let set = self.world.set_kind(self.body(*i), kind);
                self.answered(*i, set)?;
            }
            Call::SetMass(i, mass, moments) => {
                let set = self.world.set_mass(self.body(*i), mass.0, vector(*moments));
                let is_mass = mass.0.is_finite() && mass.0 > 0.0;
                check(is_mass || set.is_err(), || format!("a mass of {} kg was taken", mass.0))?;
                self.answered(*i, set)?;
            }
            Call::Impulse(i, [impulse, point]) => {
                let pushed = self.world.apply_impulse_at(self.body(*i), vector(*impulse), vector(*point));
                self.answered(*i, pushed)?;
            }
            Call::Force(i, [force, point]) => {
                let pushed = self.world.apply_force_at(self.body(*i), vector(*force), vector(*point));
                self.answered(*i, pushed)?;
            }
            Call::MoveTo(i, place) => {
                let moved = self.world.move_to(self.body(*i), place.pose());
                self.answered(*i, moved)?;
            }
            Call::Damp(i, [linear, angular]) => {
                let body = self.body(*i);
                if let Ok(body) = self.world.body_mut(body) {
                    let _ = body.set_damping(linear.0, angular.0);
                }
            }
            Call::Sensor(i, is_sensor) => {
                let set = self.world.set_sensor(self.body(*i), *is_sensor);
                self.answered(*i, set)?;
            }
            Call::Exclude(i, j, excluded) => {
                let set = self.world.set_excluded(self.body(*i), self.body(*j), *excluded);
                self.answered(*j, set.clone())?;
                self.answered(*i, set)?;
            }
            Call::Lock(i, translations, rotations) => {
                let set = self.world.lock_axes(self.body(*i), *translations, *rotations);
                self.answered(*i, set)?;
            }
            Call::Join { .. } => {
                if let Ok(Ok(joint)) = self.joint(call).map(|new| self.world.add_joint(new)) {
                    self.joints.push(joint);
                }
            }
            Call::Unjoin(i) => {
                if let Some(&joint) = self.joints.get(*i) {
                    let was_there = self.world.joint(joint).is_ok();
                    check(self.world.remove_joint(joint).is_ok() == was_there, || format!("removal of joint {i}"))?;
                }
            }
            Call::TimeStep(time_step) => self.world.settings_mut().step.time_step = time_step.0,
            Call::Look { from, way } => self.look(vector(*from), vector(*way))?,
            Call::Renew => {
                let snapshot = self.world.snapshot();
                // A state that is no state is refused when it is read, as by a step. Of what the next step will forget a new snapshot says nothing.
                if let Ok(world) = World::from_snapshot(&snapshot, &Default::default()) {
                    self.world = world;
                }
            }
        }
        Ok(())
    }

    fn joint(&self, call: &Call) -> Result<NewJoint, WorldError> {
        let Call::Join { kind, a, b, point, axis, range, motor } = call else {
            return Err(WorldError::JointOfWorld);
        };
        let (a, b) = (a.map(|a| self.body(a)), self.body(*b));
        let (point, axis, [low, high]) = (vector(*point), vector(*axis), range.map(|x| x.0));
        let world = &self.world;
        let new = match kind {
            JointKind::Fixed => NewJoint::fixed(a, b, world)?,
            JointKind::Hinge => NewJoint::hinge(a, b, point, axis, world)?,
            JointKind::Slider => NewJoint::slider(a, b, axis, world)?,
            JointKind::Ball => NewJoint::ball(a, b, point, world)?,
            JointKind::Universal => NewJoint::universal(a, b, point, [axis, axis.any_orthogonal_vector()], world)?,
            JointKind::ConeTwist => NewJoint::cone_twist(a, b, (point, axis), (0.5, [low, high]), world)?,
            JointKind::Distance => NewJoint::distance(a, b, [point, axis], [low.abs(), high.abs()]),
            JointKind::Rope => NewJoint::rope(a, b, [point, axis], high.abs()),
            JointKind::Spring => NewJoint::spring(a, b, [point, axis], [low.abs(), 1e3, high.abs()]),
            _ => return Err(WorldError::JointOfWorld),
        };
        let new = if matches!(kind, JointKind::Hinge | JointKind::Slider) { new.with_limits(low, high) } else { new };
        Ok(match motor {
            Some(Number(force)) => new.with_motor(Motor::Velocity { target: high, max_force: *force }),
            None => new,
        })
    }

    /// Looks along a ray and all around a point; what is found is finite and no farther than was asked.
    fn look(&self, from: DVec3, way: DVec3) -> Check {
        let filter = QueryFilter::default();
        if let Ok(ray) = Ray::new(from, way)
            && let Ok(Some(found)) = self.world.cast_ray(&ray, 100.0, Fill::Solid, &filter)
        {
            let distance = found.hit.distance;
            check((0.0..=100.0).contains(&distance), || format!("a ray hits at {distance} m"))?;
        }
        if let Ok(Some(found)) = self.world.project_point(from, 100.0, &filter) {
            let text = format!("{found:?}");
            check(!text.contains("NaN"), || format!("a projection: {text}"))?;
        }
        for (i, &a) in self.bodies.iter().enumerate() {
            if let Some(&b) = self.bodies.get(i + 1)
                && let Ok(distance) = self.world.distance(a, b)
            {
                check(distance >= 0.0, || format!("bodies {i} and {} are {distance} m apart", i + 1))?;
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Check {
        let before = (self.bits(), self.world.steps());
        match self.world.step() {
            Ok(report) => {
                let impulses = report.impulses.iter().flatten();
                check(impulses.clone().all(|x| x.is_finite()), || "an impulse is not finite".into())?;
                let contacts = report.contacts.iter().map(|c| &c.contact);
                let is_contact = |c: &drystone_engine::contact::Contact| {
                    c.position.is_finite() && c.gap.is_finite() && c.normal.is_finite()
                };
                check(contacts.clone().all(is_contact), || "a contact is not finite".into())?;
                let depth = report.deepest_penetration;
                check(depth.is_finite() && depth >= 0.0, || format!("the deepest penetration is {depth} m"))?;
                for (i, body) in self.world.bodies().iter().enumerate() {
                    let off = (body.orientation.length() - 1.0).abs();
                    check(body.state_is_finite() && off < 1e-9, || format!("body {i} has no state: {body:?}"))?;
                }
                check(self.world.steps() == before.1 + 1, || "a step was not counted".into())
            }
            Err(error) => {
                check((self.bits(), self.world.steps()) == before, || format!("{error}, and yet something moved"))?;
                let message = error.to_string();
                check(message.len() <= 1000, || format!("a message of {} bytes", message.len()))
            }
        }
    }
}

/// Makes all calls on a number of threads: the bits of all bodies in the end.
fn play(log: &Log, threads: usize) -> Check<Vec<u64>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
    let played = catch_unwind(AssertUnwindSafe(|| {
        pool.install(|| {
            let mut player = Player { world: log.setup.world()?, bodies: Vec::new(), joints: Vec::new() };
            for (number, call) in log.calls.iter().enumerate() {
                player.make(call).map_err(|fault| format!("call {number}, {call:?}: {fault}"))?;
            }
            Ok(player.bits())
        })
    }));
    played.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("a panic: {}", text.unwrap_or_default()))
    })
}

/// What must hold of a log.
pub fn faults(log: &Log) -> Check {
    let one = play(log, 1)?;
    check(play(log, 3)? == one, || "the bits depend on the number of threads".into())?;
    let renewed = log.calls.iter().flat_map(|call| match call {
        Call::Step => vec![Call::Renew, Call::Step, Call::Renew],
        other => vec![other.clone()],
    });
    let renewed = Log { calls: renewed.collect(), ..log.clone() };
    check(play(&renewed, 1)? == one, || "a world from a snapshot does not go on as the one before".into())
}

fn write(name: &str, log: &Log) -> std::path::PathBuf {
    let path = crate::folder().join(name);
    let text = serde_json::to_string_pretty(log).expect("a log is written");
    std::fs::write(&path, text).expect("the folder of the findings can be written");
    path
}

#[test]
fn any_calls_leave_a_world_sound() {
    let methods: Vec<String> = methods::all().iter().map(|method| method.name().to_owned()).collect();
    crate::run("worlds", 60, |seed| {
        let log = Log::random(&mut Random::new(seed), &methods);
        // For a case that ends the process, or does not end.
        write("world-last.json", &log);
        faults(&log).map_err(|fault| {
            let small = smallest(log, |log| faults(log).is_err());
            let again = faults(&small).err().unwrap_or_default();
            let path = write(&format!("world-{seed}.json"), &small);
            format!("{fault}\n{} calls are left: {again}\n{}", small.calls.len(), path.display())
        })
    });
}

/// Logs of faults that are mended.
#[test]
fn what_was_broken_stays_mended() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/regressions");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let log: Log = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            faults(&log).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// A fault that is put in is found, and the log that is left shows nothing else.
#[test]
fn logs_shrink_to_the_calls_of_a_fault() {
    let methods = ["semi-local".to_owned()];
    let removes_and_steps = |log: &Log| {
        let place = log.calls.iter().position(|call| matches!(call, Call::Remove(_)));
        place.is_some_and(|place| log.calls[place..].iter().any(|call| matches!(call, Call::Step)))
    };
    let log = (0..).map(|seed| Log::random(&mut Random::new(seed), &methods)).find(removes_and_steps).unwrap();
    assert!(log.calls.len() > 5);
    assert_eq!(smallest(log, removes_and_steps).calls.len(), 2);
}
