//! The same small scene by every solver: bodies that fly at each other without gravity. Momenta are conserved, energy does not grow, overlaps
//! stay small by a measure that knows no contacts, and about as much energy is left by each. Scenes of polyhedra are run by two solvers, and
//! by the simulator of contact sets or by the asynchronous one, whose bodies are affine and whose energy swings a little.

use drystone_engine::backtracking::{BacktrackingSettings, BacktrackingSimulator};
use drystone_engine::simulator::asynchronous::{
    AffineBody, AffineMaterial, AsynchronousSimulation, ContactLaw, DeformableSurface, Ticks,
};
use drystone_engine::{Body, MaterialId, Pose, Solid, World};
use glam::{DMat3, DQuat, DVec3};

use crate::call::Setup;
use crate::random::{Form, Number, Random};

const SOLVERS: [&str; 5] = ["soft", "soft-accurate", "prox-gauss-seidel", "global", "svd"];

/// Steps of 10 ms.
const STEPS: usize = 80;

/// Momenta change by no more than these shares: linear ones by rounding, angular ones as positions are those of the beginning or the middle of
/// a step.
const LINEAR: f64 = 1e-12;
/// By the simulator of contact sets, which stops motions along directions of which all but a ten-millionth is known already.
const LINEAR_OF_SETS: f64 = 1e-10;
const ANGULAR: f64 = 5e-3;

/// Energy grows by no more than this share; that of the asynchronous simulator swings about its value.
const ENERGY: f64 = 1e-9;
const SWING: f64 = 0.02;

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
    /// Whether the report counts pairs that moved as one for the rest of a step: they may lose their spin, and its energy.
    is_limited: bool,
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
    /// Two to five bodies, of polyhedra alone or of all forms, none thinner than this, m.
    fn random(seed: u64, polyhedra: bool, thinnest: f64) -> Result<Self, String> {
        let random = &mut Random::new(seed);
        let setup = Setup {
            step: "soft".into(),
            method: "semi-local".into(),
            time_step: Number(0.01),
            friction: Number(random.one_of(&[0.0, 0.3, 0.8])),
            restitution: Number(0.0),
        };
        let mut scene = Self { setup, flying: Vec::new() };
        let (count, mut tries) = (2 + random.below(4), 0);
        while scene.flying.len() < count {
            // There is no place beside a large body.
            tries += 1;
            if tries % 50 == 0 {
                scene.flying.clear();
            }
            let form = Form::random(random, false);
            let place = Pose::from_parts(random.vector(2.5), random.rotation());
            let (drift, spin, speed) = (random.vector(0.3), random.vector(1.0), random.between(0.3, 2.0));
            let velocity = drift - speed * place.translation.normalize_or_zero();
            let is_meant = !polyhedra || matches!(form, Form::Cuboid(_) | Form::Hull(_));
            let is_meant = |solid: &Solid| is_meant && solid.shape.thickness() >= thinnest;
            let Some(solid) = form.solid(DENSITY).ok().filter(is_meant) else { continue };
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
        let (mut most, mut limits): (f64, usize) = (0.0, 0);
        for _ in 0..STEPS {
            let report = world.step().map_err(|error| error.to_string())?;
            limits += report.counts.speculative_limits;
            most = most.max(totals(world.bodies()).kinetic);
        }
        Ok(End { is_limited: limits > 0, ..End::of(&start, &world, most)? })
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
        put(&mut world, simulator.bodies())?;
        End::of(&start, &world, most)
    }

    /// By the asynchronous simulator, whose bodies are almost rigid and do not bounce.
    fn asynchronous(&self) -> Result<End, String> {
        let mut world = self.world("soft")?;
        let start = world.bodies().to_vec();
        let mut surface = DeformableSurface::default();
        for (flying, body) in self.flying.iter().zip(&start) {
            // In the frame of the body.
            let shape = flying.solid.shape.surface().ok_or("no polyhedron")?;
            // Changes of shape die down within some swings.
            let damping = 0.05 * (STIFFNESS * DENSITY).sqrt() * flying.solid.shape.thickness();
            let material = AffineMaterial { density: DENSITY, stiffness: STIFFNESS, damping };
            let velocities = [body.velocity, body.angular_velocity];
            surface.add_body(shape, &material, &body.pose(), velocities).map_err(|error| error.to_string())?;
        }
        let lightest = start.iter().map(Body::mass).fold(f64::INFINITY, f64::min);
        let law = ContactLaw {
            thickness: THICKNESS,
            // The outermost layer stops the lightest body at its speed by itself.
            stiffness: lightest * SPEED * SPEED / (THICKNESS * THICKNESS),
            speed: SPEED,
            restitution: 0.0,
            friction: self.setup.friction.0,
            most_layers: 1 << 12,
        };
        let mut simulation = AsynchronousSimulation::new(surface, &[], DVec3::ZERO)
            .and_then(|simulation| simulation.with_contact(&law))
            .map_err(|error| error.to_string())?;
        let placed: Vec<DMat3> = simulation.bodies().iter().map(|body| linear_map(body, simulation.now())).collect();
        let before = simulation.energies().total();
        let mut most: f64 = 0.0;
        for step in 1..=STEPS {
            simulation.run_until(0.01 * step as f64).map_err(|error| error.to_string())?;
            let energy = simulation.energies().total() / before;
            if !energy.is_finite() {
                return Err(format!("the energy is {energy} of what it was after {step} steps"));
            }
            most = most.max(energy);
            if let Some(triangles) = simulation.first_intersection() {
                return Err(format!("triangles {triangles:?} meet after {step} steps"));
            }
        }
        let now = simulation.now();
        let ends = simulation.bodies().iter().zip(&placed).zip(&start);
        let ends: Vec<Body> = ends.map(|((body, placed), start)| rigid(body, *placed, start, now)).collect();
        put(&mut world, &ends)?;
        let kinetic = totals(&start).kinetic;
        End::of(&start, &world, kinetic * most)
    }
}

/// Of all bodies, kg/m³.
const DENSITY: f64 = 1000.0;

/// Of the bodies of the asynchronous simulator, Pa: much stiffer than its contacts, or bodies would bounce by their shape.
const STIFFNESS: f64 = 1e11;

/// Thinner bodies, m, would take too many steps.
const THINNEST: f64 = 0.05;

/// Of its contacts, m; less than bodies begin apart.
const THICKNESS: f64 = 0.01;

/// About as fast as bodies are against each other, m/s.
const SPEED: f64 = 4.0;

/// Puts bodies into the world in which they began: the measure of overlaps is that of a world.
fn put(world: &mut World, bodies: &[Body]) -> Result<(), String> {
    let handles: Vec<_> = world.handles().to_vec();
    for (&handle, body) in handles.iter().zip(bodies) {
        *world.body_mut(handle).map_err(|error| error.to_string())? = body.clone();
    }
    Ok(())
}

fn linear_map(body: &AffineBody, now: Ticks) -> DMat3 {
    body.placement(now).matrix3
}

/// The rigid body with the momenta of an affine one, turned as it is since its start.
fn rigid(body: &AffineBody, placed: DMat3, start: &Body, now: Ticks) -> Body {
    // The rotation that is nearest to a map, by Newton's method for the polar decomposition.
    let mut turn = linear_map(body, now) * placed.inverse();
    for _ in 0..20 {
        turn = (turn + turn.inverse().transpose()) * 0.5;
    }
    let [momentum, angular] = body.momenta(now);
    let position = body.placement(now).translation;
    let orientation = (DQuat::from_mat3(&turn) * start.orientation).normalize();
    let mut end = start.clone();
    (end.position, end.orientation, end.velocity) = (position, orientation, momentum * start.inverse_mass());
    end.angular_velocity = start.inverse_inertia_at(orientation) * (angular - position.cross(momentum));
    end
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
            is_limited: false,
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
fn compare(ways: &[&str], run: impl Fn(&str) -> Result<End, String>) -> Result<(), String> {
    let mut left = Vec::new();
    for way in ways {
        let End { drift: [linear, angular], energy: [most, end], depth, is_limited } =
            run(way).map_err(|error| format!("{way}: {error}"))?;
        // Numbers that are none hold nothing.
        let rise = if *way == "asynchronous" { SWING } else { ENERGY };
        let rounding = if *way == "contact sets" { LINEAR_OF_SETS } else { LINEAR };
        let is_kept = is_limited || angular <= ANGULAR;
        let holds = linear <= rounding && is_kept && most <= 1.0 + rise && depth <= DEPTH;
        if !holds {
            return Err(format!(
                "{way}: momenta change by {linear:e} and {angular:e}, energy is {most} at most, depth {depth}"
            ));
        }
        if !is_limited {
            left.push(end);
        }
    }
    let mean = left.iter().sum::<f64>() / left.len() as f64;
    let agree = left.iter().all(|one| (one - mean).abs() <= LEFT);
    if agree { Ok(()) } else { Err(format!("of the energy there is left: {left:?} by {ways:?}")) }
}

#[test]
fn solvers_agree_on_what_they_must() {
    crate::run("differential", 100, |seed| {
        let scene = Scene::random(seed, false, 0.0)?;
        compare(&SOLVERS, |solver| scene.stepped(solver))
    });
}

/// Bodies that move as one for the rest of a step while others push them.
#[test]
fn what_is_pushed_while_it_moves_as_one_keeps_momentum() -> Result<(), String> {
    let among_all = [254, 314, 404, 500, 768].map(|seed| (seed, false, "soft"));
    let among_polyhedra = [362, 500, 920].map(|seed| (seed, true, "soft-accurate"));
    for (seed, polyhedra, solver) in among_all.into_iter().chain(among_polyhedra) {
        let End { drift, is_limited, .. } = Scene::random(seed, polyhedra, 0.0)?.stepped(solver)?;
        assert!(is_limited, "no pair of scene {seed} moves as one any more: another scene is needed");
        assert!(drift[0] <= LINEAR, "scene {seed}: {drift:?}");
    }
    Ok(())
}

#[test]
fn contact_sets_agree_with_solvers() {
    crate::run("contact sets", 60, |seed| {
        let scene = Scene::random(seed, true, 0.0)?;
        compare(&["soft-accurate", "prox-gauss-seidel", "contact sets"], |way| match way {
            "contact sets" => scene.backtracked(),
            solver => scene.stepped(solver),
        })
    });
}

/// Contacts that say the same but for the gaps between their points.
#[test]
fn what_is_settled_in_a_ring_of_contacts_keeps_momenta() -> Result<(), String> {
    let End { drift, .. } = Scene::random(900_843, true, 0.0)?.backtracked()?;
    assert!(drift[0] <= LINEAR_OF_SETS && drift[1] <= ANGULAR, "{drift:?}");
    Ok(())
}

#[test]
fn affine_bodies_agree_with_solvers() {
    crate::run("affine bodies", 40, |seed| {
        let scene = Scene::random(seed, true, THINNEST)?;
        compare(&["soft-accurate", "prox-gauss-seidel", "asynchronous"], |way| match way {
            "asynchronous" => scene.asynchronous(),
            solver => scene.stepped(solver),
        })
    });
}
