//! Steps that are interrupted, at every place where they ask: the world is as it was before, and goes on as if nothing had happened.

use drystone_contact::generator::{Method, methods};
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::world::WorldReport;
use drystone_engine::{CcdSettings, Friction, Interaction, Interrupted, Interruption, NewJoint, Pose, Solid};
use drystone_engine::{World, WorldError, WorldSettings};
use glam::{DQuat, DVec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[path = "../engine/problems/voussoirs.rs"]
mod voussoirs;

/// Cubes that fall on each other, turned, a stack that rests, and a fast ball of ice that comes for both; with a hinge if the solver has any.
fn cubes(settings: WorldSettings, method: Method, has_joints: bool) -> World {
    let mut world = World::new(settings, method);
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.5))).unwrap();
    let ground = Solid::cuboid(DVec3::new(40.0, 1.0, 40.0), 2000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 2000.0).unwrap();
    for k in 0..4 {
        let k = f64::from(k);
        let turned = Pose::from_parts(DVec3::new(0.2 * k, 0.52 + 1.3 * k, 0.0), DQuat::from_rotation_y(0.3 * k));
        world.add(cube.dynamic(stone, turned).unwrap()).unwrap();
    }
    let stack = [0.5, 1.5]
        .map(|y| world.add(cube.dynamic(stone, Pose::from_translation(DVec3::new(4.0, y, 0.0))).unwrap()).unwrap());
    let mut fast = cube.dynamic(stone, Pose::from_translation(DVec3::new(-6.0, 1.2, 0.1))).unwrap();
    fast.body.velocity = DVec3::new(45.0, 0.0, 0.0);
    world.add(fast).unwrap();
    if has_joints {
        let hinge = NewJoint::hinge(None, stack[1], DVec3::new(4.0, 1.5, 1.0), DVec3::Z, &world).unwrap();
        world.add_joint(hinge).unwrap();
    }
    world
}

/// Asks are counted; the one with this number, from zero, ends the step.
#[derive(Default)]
struct Asks {
    count: AtomicUsize,
    last: AtomicUsize,
}

impl Asks {
    fn interruption(self: &Arc<Self>) -> Interruption {
        let asks = Arc::clone(self);
        Interruption::new(move || asks.count.fetch_add(1, Relaxed) == asks.last.load(Relaxed))
    }

    /// The next step ends at this ask.
    fn end_at(&self, last: usize) {
        self.count.store(0, Relaxed);
        self.last.store(last, Relaxed);
    }
}

/// Makes steps on one thread, each of which is interrupted at every ask before it is made, beside a world in which nothing is. Returns how often.
fn interrupt_everywhere(world: World, steps: usize) -> usize {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| interrupt_at_every_ask(world, steps))
}

fn interrupt_at_every_ask(mut world: World, steps: usize) -> usize {
    let mut undisturbed = world.clone();
    let asks = Arc::new(Asks::default());
    world.set_interruption(asks.interruption());
    let (mut report, mut plain) = (WorldReport::default(), WorldReport::default());
    let mut interruptions = 0;
    for step in 0..steps {
        let before = (world.snapshot(), report.clone());
        let mut last = 0;
        loop {
            asks.end_at(last);
            match world.step_into(&mut report) {
                Ok(()) => break,
                Err(error) => assert_eq!(error, WorldError::Interrupted(Interrupted)),
            }
            // On one thread a function that has said yes is not asked again.
            assert_eq!(asks.count.load(Relaxed), last + 1, "step {step}");
            assert!(world.snapshot() == before.0, "step {step}, ask {last}");
            assert!(report == before.1, "step {step}, ask {last}");
            last += 1;
        }
        interruptions += last;
        undisturbed.step_into(&mut plain).unwrap();
        assert!(world.snapshot() == undisturbed.snapshot(), "step {step} after {last} interruptions");
        assert_eq!((&report.contacts, &report.impulses), (&plain.contacts, &plain.impulses), "step {step}");
        assert_eq!(report.counts, plain.counts, "step {step}");
    }
    interruptions
}

fn with(solver: ContactSolver) -> WorldSettings {
    let mut settings = WorldSettings::gauss_seidel();
    settings.step.contact_solver = solver;
    settings
}

#[test]
fn a_soft_step_that_is_interrupted_changes_nothing() {
    for has_joints in [false, true] {
        let made = interrupt_everywhere(cubes(WorldSettings::fast(), methods::semi_local(), has_joints), 25);
        assert!(made > 25 * 10, "{made}");
    }
}

#[test]
fn bodies_that_were_written_to_are_still_so_after_an_interruption() {
    let mut world = cubes(WorldSettings::fast(), methods::semi_local(), false);
    (0..300).for_each(|_| drop(world.step().unwrap()));
    let sleeping: Vec<_> = world.handles().iter().copied().filter(|&body| world.is_asleep(body).unwrap()).collect();
    assert!(!sleeping.is_empty());
    let asks = Arc::new(Asks::default());
    world.set_interruption(asks.interruption());
    for (k, &body) in sleeping.iter().enumerate() {
        world.body_mut(body).unwrap().velocity.y += 0.1 * k as f64;
    }
    let (mut undisturbed, before) = (world.clone(), world.snapshot());
    undisturbed.set_interruption(Interruption::NEVER);
    for last in 0..3 {
        asks.end_at(last);
        assert!(world.step().is_err());
        assert!(world.snapshot() == before, "{last}");
    }
    asks.end_at(usize::MAX);
    for step in 0..20 {
        let (own, other) = (world.step().unwrap(), undisturbed.step().unwrap());
        assert_eq!((own.teleported, own.counts), (other.teleported, other.counts), "{step}");
        assert!(world.snapshot() == undisturbed.snapshot(), "{step}");
    }
}

#[test]
fn the_global_solver_of_an_arch_that_is_interrupted_changes_nothing() {
    let solver = ContactSolver::Soft(SoftSettings { sleep_time: 0.0, ..SoftSettings::FAST });
    let (world, _) = voussoirs::arch(25, 0.0, solver).unwrap();
    assert_eq!(world.clone().step().unwrap().counts.global_interior_point, 1);
    let made = interrupt_everywhere(world, 3);
    assert!(made > 3 * 20, "{made}");
}

#[test]
fn a_step_of_any_other_solver_that_is_interrupted_changes_nothing() {
    for solver in ContactSolver::ALL.into_iter().filter(|solver| !matches!(solver, ContactSolver::Soft(_))) {
        for has_joints in [false, true] {
            if has_joints && matches!(solver, ContactSolver::Svd(_)) {
                continue;
            }
            let made = interrupt_everywhere(cubes(with(solver), methods::semi_local(), has_joints), 6);
            assert!(made > 6 * 5, "{solver:?} {made}");
        }
    }
}

#[test]
fn a_step_with_continuous_collision_detection_that_is_interrupted_changes_nothing() {
    let mut settings = with(ContactSolver::ProximalGaussSeidel);
    settings.ccd = Some(CcdSettings::default());
    let made = interrupt_everywhere(cubes(settings, methods::semi_local(), false), 4);
    assert!(made > 4 * 10, "{made}");
}

#[test]
fn a_step_that_looks_ahead_by_v_clip_is_interrupted_as_well() {
    let made = interrupt_everywhere(cubes(with(ContactSolver::ProximalGaussSeidel), methods::vclip(), false), 6);
    assert!(made > 6 * 10, "{made}");
}

#[test]
fn an_interruption_ends_a_step_on_several_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut world = cubes(WorldSettings::fast(), methods::semi_local(), true);
    let mut undisturbed = world.clone();
    let asks = Arc::new(Asks::default());
    world.set_interruption(asks.interruption());
    for step in 0..25 {
        let before = world.snapshot();
        for last in (0..1000).step_by(3) {
            asks.end_at(last);
            if pool.install(|| world.step()).is_ok() {
                break;
            }
            assert!(world.snapshot() == before, "step {step}, ask {last}");
        }
        undisturbed.step().unwrap();
        assert!(world.snapshot() == undisturbed.snapshot(), "step {step}");
    }
}
