//! The same small scene by every solver, and by the simulator of contact sets where all bodies are polyhedra: bodies that fly at each other
//! without gravity. Momenta are conserved, energy does not grow, overlaps stay small by a measure that knows no contacts, and about as much
//! energy is left by each.

use drystone_engine::backtracking::{BacktrackingSettings, BacktrackingSimulator};
use drystone_engine::{Body, MaterialId, Pose, Solid, World};
use glam::DVec3;

use crate::call::Setup;
use crate::random::{Form, Number, Random};

const SOLVERS: [&str; 5] = ["soft", "soft-accurate", "prox-gauss-seidel", "global", "svd"];

/// Steps of 10 ms.
const STEPS: usize = 80;

/// Momenta change by no more than these shares: linear ones by rounding, angular ones as positions are those of the beginning or the middle of
/// a step.
const LINEAR: f64 = 1e-12;
const ANGULAR: f64 = 5e-3;

/// Energy grows by no more than this share.
const ENERGY: f64 = 1e-9;

/// Bodies end no deeper in each other than this, by the thickness of the thinner one.
const DEPTH: f64 = 0.1;

/// What is left of the energy differs from the mean of all solvers by no more than this share of it all.
const LEFT: f64 = 0.2;

/// Of all bodies.
struct Totals {
    linear: DVec3,
    /// About the origin.
    angular: DVec3,
    kinetic: f64,
}

fn totals(bodies: &[Body]) -> Totals {
    let linear = |body: &Body| body.mass() * body.velocity;
    let spin = |body: &Body| body.angular_momentum_at(body.orientation, body.angular_velocity);
    Totals {
        linear: bodies.iter().map(linear).sum(),
        angular: bodies.iter().map(|body| body.position.cross(linear(body)) + spin(body)).sum(),
        kinetic: bodies.iter().map(Body::kinetic_energy).sum(),
    }
}

/// What came of a scene.
struct End {
    /// How much of the momenta has changed, as a share of the sum of their magnitudes.
    drift: [f64; 2],
    /// Energy at most and in the end, by what it was.
    energy: [f64; 2],
    /// How deep bodies were in each other in the end, by the thickness of the thinner one.
    depth: f64,
}

/// Bodies that are apart.
struct Scene {
    setup: Setup,
    flying: Vec<Flying>,
}

struct Flying {
    solid: Solid,
    place: Pose,
    velocity: DVec3,
    spin: DVec3,
}

impl Scene {
    /// Of polyhedra alone, or of all forms.
    fn random(seed: u64, polyhedra: bool) -> Result<Self, String> {
        let random = &mut Random::new(seed);
        let setup = Setup {
            step: "soft".into(),
            method: "semi-local".into(),
            time_step: Number(0.01),
            friction: Number(random.one_of(&[0.0, 0.3, 0.8])),
            restitution: Number(0.0),
        };
        let mut scene = Self { setup, flying: Vec::new() };
        for _ in 0..2 + random.below(4) {
            let form = Form::random(random, false);
            let place = Pose::from_parts(random.vector(2.5), random.rotation());
            let (drift, spin, speed) = (random.vector(0.3), random.vector(1.0), random.between(0.3, 2.0));
            let velocity = drift - speed * place.translation.normalize_or_zero();
            let is_meant = !polyhedra || matches!(form, Form::Cuboid(_) | Form::Hull(_));
            let Some(solid) = form.solid(1000.0).ok().filter(|_| is_meant) else { continue };
            scene.flying.push(Flying { solid, place, velocity, spin });
            if !scene.is_apart()? {
                scene.flying.pop();
            }
        }
        Ok(scene)
    }

    /// Whether the last body is apart from all others.
    fn is_apart(&self) -> Result<bool, String> {
        let world = self.world("soft")?;
        let Some((&last, others)) = world.handles().split_last() else { return Ok(true) };
        Ok(others.iter().all(|&other| world.distance(last, other).is_ok_and(|distance| distance > 0.02)))
    }

    /// The world in which its bodies begin.
    fn world(&self, solver: &str) -> Result<World, String> {
        let mut world = Setup { step: solver.into(), ..self.setup.clone() }.world()?;
        world.settings_mut().step.forces.gravity = DVec3::ZERO;
        for flying in &self.flying {
            let new = flying.solid.dynamic(MaterialId::new(0), flying.place).map_err(|error| error.to_string())?;
            let body = world.add(new).map_err(|error| error.to_string())?;
            flying.throw(world.body_mut(body).map_err(|error| error.to_string())?);
        }
        Ok(world)
    }

    /// By a world with a solver.
    fn stepped(&self, solver: &str) -> Result<End, String> {
        let mut world = self.world(solver)?;
        let start = world.bodies().to_vec();
        let mut most: f64 = 0.0;
        for _ in 0..STEPS {
            world.step().map_err(|error| error.to_string())?;
            most = most.max(totals(world.bodies()).kinetic);
        }
        End::of(&start, &world, most)
    }

    /// By the simulator of contact sets, which has no overlap at any time.
    fn backtracked(&self) -> Result<End, String> {
        let mut world = self.world("soft")?;
        let start = world.bodies().to_vec();
        let mut settings = BacktrackingSettings::default();
        settings.forces.gravity = DVec3::ZERO;
        let mut simulator =
            BacktrackingSimulator::new(settings, world.materials().clone()).map_err(|error| error.to_string())?;
        for flying in &self.flying {
            let new = flying.solid.dynamic(MaterialId::new(0), flying.place).map_err(|error| error.to_string())?;
            let body = simulator.add(new).map_err(|error| error.to_string())?;
            flying.throw(simulator.body_mut(body).map_err(|error| error.to_string())?);
        }
        let mut most: f64 = 0.0;
        for _ in 0..STEPS {
            let watch = |_: f64, bodies: &[Body]| most = most.max(totals(bodies).kinetic);
            let report = simulator.advance_watched(0.01, watch).map_err(|error| error.to_string())?;
            if report.unfinished > 0.0 {
                return Err(format!("{} s of a step are left", report.unfinished));
            }
        }
        // The measure of overlaps is that of a world.
        let handles: Vec<_> = world.handles().to_vec();
        for (&handle, body) in handles.iter().zip(simulator.bodies()) {
            *world.body_mut(handle).map_err(|error| error.to_string())? = body.clone();
        }
        End::of(&start, &world, most)
    }
}

impl Flying {
    fn throw(&self, body: &mut Body) {
        (body.velocity, body.angular_velocity) = (self.velocity, self.spin);
    }
}

impl End {
    fn of(start: &[Body], world: &World, most: f64) -> Result<Self, String> {
        let [before, after] = [start, world.bodies()].map(totals);
        let sizes = start.iter().fold([0.0; 2], |[p, l], body| {
            let linear = body.mass() * body.velocity.length();
            let spin = body.angular_momentum_at(body.orientation, body.angular_velocity);
            [p + linear, l + linear * body.position.length() + spin.length()]
        });
        Ok(Self {
            drift: [
                (after.linear - before.linear).length() / sizes[0],
                (after.angular - before.angular).length() / sizes[1],
            ],
            energy: [most / before.kinetic, after.kinetic / before.kinetic],
            depth: depth(world)?,
        })
    }
}

fn depth(world: &World) -> Result<f64, String> {
    let overlaps = world.overlaps().map_err(|error| error.to_string())?;
    let shapes: Vec<_> = world.shapes().collect();
    let share = |overlap: &drystone_engine::BodyOverlap| {
        let thickness = [overlap.a, overlap.b].map(|body| shapes[body.index()].thickness());
        overlap.depth / thickness[0].min(thickness[1])
    };
    Ok(overlaps.iter().map(share).fold(0.0, f64::max))
}

/// Runs a scene in several ways, by their names.
fn compare(scene: &Scene, ways: &[&str], run: impl Fn(&str) -> Result<End, String>) -> Result<(), String> {
    if scene.flying.len() < 2 {
        return Ok(());
    }
    let mut left = Vec::new();
    for way in ways {
        let End { drift: [linear, angular], energy: [most, end], depth } =
            run(way).map_err(|error| format!("{way}: {error}"))?;
        // Numbers that are none hold nothing.
        let holds = linear <= LINEAR && angular <= ANGULAR && most <= 1.0 + ENERGY && depth <= DEPTH;
        if !holds {
            return Err(format!(
                "{way}: momenta change by {linear:e} and {angular:e}, energy is {most} at most, depth {depth}"
            ));
        }
        left.push(end);
    }
    let mean = left.iter().sum::<f64>() / left.len() as f64;
    let agree = left.iter().all(|one| (one - mean).abs() <= LEFT);
    if agree { Ok(()) } else { Err(format!("of the energy there is left: {left:?} by {ways:?}")) }
}

#[test]
fn solvers_agree_on_what_they_must() {
    crate::run("differential", 100, |seed| {
        let scene = Scene::random(seed, false)?;
        compare(&scene, &SOLVERS, |solver| scene.stepped(solver))
    });
}

#[test]
fn contact_sets_agree_with_solvers() {
    crate::run("contact sets", 60, |seed| {
        let scene = Scene::random(seed, true)?;
        compare(&scene, &["soft-accurate", "prox-gauss-seidel", "contact sets"], |way| match way {
            "contact sets" => scene.backtracked(),
            solver => scene.stepped(solver),
        })
    });
}
