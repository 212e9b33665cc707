//! The same small scene by every solver: bodies that fly at each other without gravity. Momenta are conserved, energy does not grow, overlaps
//! stay small by a measure that knows no contacts, and about as much energy is left by each solver.

use drystone_engine::{Body, MaterialId, Pose, World};
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

/// What came of a scene by one solver.
struct End {
    /// How much of the momenta has changed, as a share of the sum of their magnitudes.
    drift: [f64; 2],
    /// Energy at most and in the end, by what it was.
    energy: [f64; 2],
    /// How deep bodies were in each other in the end, by the thickness of the thinner one.
    depth: f64,
}

fn run(solver: &str, seed: u64) -> Result<Option<End>, String> {
    let random = &mut Random::new(seed);
    let setup = Setup {
        step: solver.into(),
        method: "semi-local".into(),
        time_step: Number(0.01),
        friction: Number(random.one_of(&[0.0, 0.3, 0.8])),
        restitution: Number(0.0),
    };
    let mut world = setup.world()?;
    world.settings_mut().step.forces.gravity = DVec3::ZERO;
    let mut handles = Vec::new();
    for _ in 0..2 + random.below(4) {
        let solid = Form::random(random, false).solid(1000.0);
        let place = Pose::from_parts(random.vector(2.5), random.rotation());
        let Some(new) = solid.ok().and_then(|solid| solid.dynamic(MaterialId::new(0), place).ok()) else { continue };
        let body = world.add(new).map_err(|error| error.to_string())?;
        let is_apart = |&other: &_| world.distance(body, other).is_ok_and(|distance| distance > 0.02);
        if handles.iter().all(is_apart) {
            handles.push(body);
        } else {
            world.remove(body).map_err(|error| error.to_string())?;
        }
    }
    for &body in &handles {
        let (drift, spin, speed) = (random.vector(0.3), random.vector(1.0), random.between(0.3, 2.0));
        let body = world.body_mut(body).map_err(|error| error.to_string())?;
        body.velocity = drift - speed * body.position.normalize_or_zero();
        body.angular_velocity = spin;
    }
    if handles.len() < 2 {
        return Ok(None);
    }
    let before = totals(world.bodies());
    let sizes = world.bodies().iter().fold([0.0; 2], |[p, l], body| {
        let linear = body.mass() * body.velocity.length();
        let spin = body.angular_momentum_at(body.orientation, body.angular_velocity);
        [p + linear, l + linear * body.position.length() + spin.length()]
    });
    let mut most: f64 = 0.0;
    for _ in 0..STEPS {
        world.step().map_err(|error| error.to_string())?;
        most = most.max(totals(world.bodies()).kinetic);
    }
    let after = totals(world.bodies());
    Ok(Some(End {
        drift: [
            (after.linear - before.linear).length() / sizes[0],
            (after.angular - before.angular).length() / sizes[1],
        ],
        energy: [most / before.kinetic, after.kinetic / before.kinetic],
        depth: depth(&world)?,
    }))
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

#[test]
fn solvers_agree_on_what_they_must() {
    crate::run("differential", 100, |seed| {
        let mut left = Vec::new();
        for solver in SOLVERS {
            let Some(End { drift: [linear, angular], energy: [most, end], depth }) = run(solver, seed)? else {
                return Ok(());
            };
            // Numbers that are none hold nothing.
            let holds = linear <= LINEAR && angular <= ANGULAR && most <= 1.0 + ENERGY && depth <= DEPTH;
            if !holds {
                return Err(format!(
                    "{solver}: momenta change by {linear:e} and {angular:e}, energy is {most} at most, depth {depth}"
                ));
            }
            left.push(end);
        }
        let mean = left.iter().sum::<f64>() / left.len() as f64;
        let agree = left.iter().all(|one| (one - mean).abs() <= LEFT);
        if agree { Ok(()) } else { Err(format!("of the energy there is left: {left:?} by {SOLVERS:?}")) }
    });
}
