use super::*;
use crate::material::{Friction, Interaction, MaterialId};
use crate::prescribed_motion::PrescribedMotion;
use crate::solver::Stop;
use crate::{Phase, Solid, StepSettings};
use drystone_contact::generator::methods;
use glam::DQuat;

const GROUND_TOP: f64 = 0.0;

fn world_of(settings: WorldSettings, restitution: f64) -> (World, MaterialId) {
    let mut world = World::new(settings, methods::most_opposing());
    let stone = world.materials_mut().add("stone").unwrap();
    let interaction = Interaction { friction: Friction::isotropic(0.6), restitution };
    world.materials_mut().set(stone, stone, interaction).unwrap();
    (world, stone)
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn ground(world: &mut World, material: MaterialId) -> BodyHandle {
    let slab = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 1000.0).unwrap();
    world.add(slab.fixed(material, at(0.0, GROUND_TOP - 0.5, 0.0)).unwrap()).unwrap()
}

fn cube() -> Solid {
    Solid::cuboid(DVec3::ONE, 1000.0).unwrap()
}

/// A pile: layers of cubes off the ground's diagonals, each layer shifted and turned a little.
fn pile(settings: WorldSettings) -> World {
    let (mut world, stone) = world_of(settings, 0.0);
    ground(&mut world, stone);
    let cube = cube();
    for layer in 0..3 {
        for column in 0..4 {
            let (i, j) = (f64::from(layer), f64::from(column));
            let pose =
                Pose::from_parts(DVec3::new(1.3 * j + 0.1 * i, 0.55 + 1.05 * i, 0.3), DQuat::from_rotation_y(0.1 * i));
            world.add(cube.dynamic(stone, pose).unwrap()).unwrap();
        }
    }
    world
}

#[test]
fn a_stale_handle_is_an_error_that_says_so() {
    let (mut world, stone) = world_of(WorldSettings::gauss_seidel(), 0.0);
    let first = world.add(cube().dynamic(stone, at(0.0, 5.0, 0.0)).unwrap()).unwrap();
    let second = world.add(cube().dynamic(stone, at(3.0, 5.0, 0.0)).unwrap()).unwrap();
    world.set_excluded(first, second, true).unwrap();
    assert_eq!(world.set_excluded(first, first, true), Err(WorldError::OneBody(first)));
    assert_eq!(world.remove(first).unwrap().position, DVec3::Y * 5.0);
    let third = world.add(cube().dynamic(stone, at(6.0, 5.0, 0.0)).unwrap()).unwrap();
    assert_eq!(world.handles(), [second, third]);
    assert!(third != first && third.slot() == first.slot());
    let stale = Some(WorldError::Stale(first));
    assert_eq!(world.body(first).err(), stale);
    assert_eq!(world.remove(first).err(), stale);
    assert_eq!(world.apply_force(first, DVec3::ONE).err(), stale);
    assert_eq!(world.set_excluded(first, second, false).err(), stale);
    let message = world.body_mut(first).unwrap_err().to_string();
    assert!(message.contains("body 0.0 is not in this world; it has been removed"), "{message}");
}

#[test]
fn errors_name_the_body_and_change_nothing() {
    let (mut world, stone) = world_of(WorldSettings::gauss_seidel(), 0.0);
    ground(&mut world, stone);
    let other = crate::MaterialId::new(7);
    let falling = world.add(cube().dynamic(other, at(0.3, 0.499, 0.0)).unwrap()).unwrap();
    let error = world.step().unwrap_err();
    let message = "body 0.0 and body 1.0 touch: material 7 does not exist; the table holds 1";
    assert!(error.to_string().starts_with(message), "{error}");
    world.body_mut(falling).unwrap().material = stone;
    world.body_mut(falling).unwrap().velocity.x = f64::NAN;
    assert_eq!(world.step().unwrap_err(), WorldError::State { body: falling, when: "before" });
    assert!(world.detect_now().is_err());
    world.body_mut(falling).unwrap().velocity.x = 0.0;
    world.settings_mut().step.time_step = 0.0;
    assert_eq!(world.step().unwrap_err(), WorldError::TimeStep(0.0));
    world.settings_mut().step.time_step = 0.01;
    world.settings_mut().restitution_threshold = -1.0;
    assert!(matches!(world.step().unwrap_err(), WorldError::Setting { .. }));
    assert_eq!((world.time(), world.steps()), (0.0, 0));
    assert_eq!(world.body(falling).unwrap().position.y, 0.499);
    let prescribed_motion = PrescribedMotion::new(Vec::new()).unwrap();
    assert_eq!(
        world.set_prescribed_motion(falling, Some(prescribed_motion.clone())),
        Err(WorldError::PrescribedMotionOfYielding(falling))
    );
    let driven =
        NewBody { prescribed_motion: Some(prescribed_motion), ..cube().dynamic(stone, at(9.0, 9.0, 9.0)).unwrap() };
    assert_eq!(world.add(driven), Err(WorldError::PrescribedMotionOfNewBody));
}

#[test]
fn forces_and_torques_last_one_step() {
    let mut settings = WorldSettings::gauss_seidel();
    settings.step.forces = crate::ExternalForces::NONE;
    let (mut world, stone) = world_of(settings, 0.0);
    let body = world.add(cube().dynamic(stone, at(0.0, 0.0, 0.0)).unwrap()).unwrap();
    let mass = world.body(body).unwrap().mass();
    world.apply_force_at(body, DVec3::Y * mass, DVec3::X * 0.5).unwrap();
    world.apply_force(body, DVec3::Z * mass).unwrap();
    let inertia = world.body(body).unwrap().inertia().x;
    world.apply_torque(body, DVec3::X * inertia).unwrap();
    world.step().unwrap();
    let after = world.body(body).unwrap().clone();
    assert!((after.velocity - DVec3::new(0.0, 0.01, 0.01)).length() < 1e-15);
    // 0.5 m × m / (m/6) over a hundredth of a second.
    assert!((after.angular_velocity - DVec3::new(0.01, 0.0, 0.03)).length() < 1e-14);
    world.step().unwrap();
    assert_eq!(world.body(body).unwrap().velocity, after.velocity);
    assert!(matches!(world.apply_torque(body, DVec3::NAN), Err(WorldError::NotFinite { quantity: "torque", .. })));
    assert!(world.apply_force_at(body, DVec3::X, DVec3::INFINITY).is_err());
}

#[test]
fn groups_and_excluded_pairs_do_not_touch() {
    let (mut world, stone) = world_of(WorldSettings::gauss_seidel(), 0.0);
    let ground = ground(&mut world, stone);
    let body = world.add(cube().dynamic(stone, at(0.3, 0.49, 0.0)).unwrap()).unwrap();
    let contacts = |world: &mut World| world.detect().unwrap().contacts.len();
    let touching = contacts(&mut world);
    assert!(touching > 0);
    world.set_excluded(body, ground, true).unwrap();
    assert_eq!(contacts(&mut world), 0);
    world.set_excluded(ground, body, false).unwrap();
    world.set_groups(body, Groups { member: 0b01, with: 0b10 }).unwrap();
    world.set_groups(ground, Groups { member: 0b10, with: 0b10 }).unwrap();
    assert_eq!(contacts(&mut world), 0);
    world.set_groups(ground, Groups { member: 0b10, with: 0b11 }).unwrap();
    assert_eq!(contacts(&mut world), touching);
    assert_eq!(world.groups(ground).unwrap().with, 0b11);
}

#[test]
fn a_prescribed_motion_begins_when_it_is_given_and_carries_what_lies_on_it() {
    let (mut world, stone) = world_of(WorldSettings::gauss_seidel(), 0.0);
    let table = Solid::cuboid(DVec3::new(4.0, 1.0, 4.0), 1000.0).unwrap();
    let table = world.add(table.kinematic(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    let rider = world.add(cube().dynamic(stone, at(0.3, 0.5, 0.2)).unwrap()).unwrap();
    for _ in 0..5 {
        world.step().unwrap();
    }
    assert!(world.body(table).unwrap().position == DVec3::NEG_Y * 0.5);
    let phase = Phase { duration: 0.5, velocity: DVec3::X * 0.3, angular_velocity: DVec3::ZERO };
    world.set_prescribed_motion(table, Some(PrescribedMotion::new(vec![phase]).unwrap())).unwrap();
    for _ in 0..100 {
        world.step().unwrap();
    }
    assert!((world.body(table).unwrap().position.x - 0.15).abs() < 1e-12);
    assert_eq!(world.body(table).unwrap().velocity, DVec3::ZERO);
    let moved = world.body(rider).unwrap().position.x - 0.3;
    assert!((moved - 0.15).abs() < 5e-3, "{moved}");
}

/// Without the whole system in one solve nothing but the stop of the iteration differs, so that a system of one island
/// gives the same bits.
#[test]
fn one_island_is_the_whole_system() {
    let run = |islands: bool| {
        let (mut world, stone) = world_of(WorldSettings { islands, ..WorldSettings::gauss_seidel() }, 0.0);
        ground(&mut world, stone);
        world.add(cube().dynamic(stone, at(0.3, 0.499, 0.0)).unwrap()).unwrap();
        world.add(cube().dynamic(stone, at(0.5, 1.498, 0.1)).unwrap()).unwrap();
        (0..20).for_each(|_| drop(world.step().unwrap()));
        world.bodies().to_vec()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn islands_leave_each_other_alone() {
    let mut world = pile(WorldSettings::gauss_seidel());
    for _ in 0..10 {
        let report = world.step().unwrap();
        assert_eq!(report.islands.iter().map(|i| i.contacts).sum::<usize>(), report.contacts.len());
        assert_eq!(report.impulses.len(), report.contacts.len());
    }
    let report = world.step().unwrap();
    assert!(report.islands.len() >= 2, "{:?}", report.islands);
    assert!(report.islands.iter().all(|i| report.handle(i.first).is_some()));
    // Taking one column away leaves the others' motion as it was, to the last bit.
    let mut whole = pile(WorldSettings::gauss_seidel());
    let mut part = pile(WorldSettings::gauss_seidel());
    for layer in (0..3).rev() {
        let handle = part.handles()[1 + 4 * layer];
        part.remove(handle).unwrap();
    }
    let kept: Vec<BodyHandle> = part.handles().to_vec();
    for _ in 0..30 {
        whole.step().unwrap();
        part.step().unwrap();
    }
    for handle in kept {
        assert_eq!(whole.body(handle).unwrap(), part.body(handle).unwrap(), "{handle}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = pile(WorldSettings::gauss_seidel());
            (0..40).map(|_| world.step().unwrap()).collect::<Vec<_>>()
        })
    };
    let one = run(1);
    assert!(one.iter().any(|report| report.counts.warm_started > 0));
    for threads in [2, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_warm_start_saves_sweeps() {
    let sweeps = |warm_start: Option<WarmStart>| {
        let (mut world, stone) = world_of(WorldSettings { warm_start, ..WorldSettings::gauss_seidel() }, 0.0);
        ground(&mut world, stone);
        for k in 0..3 {
            let k = f64::from(k);
            world.add(cube().dynamic(stone, at(0.3 + 0.1 * k, 0.4995 + 0.9995 * k, 0.2)).unwrap()).unwrap();
        }
        let reports: Vec<WorldReport> = (0..100).map(|_| world.step().unwrap()).collect();
        reports[50..].iter().map(WorldReport::iterations).sum::<usize>()
    };
    let (cold, warm) = (sweeps(None), sweeps(Some(WarmStart::default())));
    assert!(2 * warm < cold, "{warm} of {cold}");
}

#[test]
fn the_suite_is_the_step_over_slices() {
    let step = StepSettings::default();
    let mut world = pile(WorldSettings::suite(step));
    let mut bodies = world.bodies().to_vec();
    for _ in 0..3 {
        let detected = world.detect().unwrap();
        let by_slice = crate::step(&mut bodies, world.materials(), &step, |poses| {
            assert_eq!(poses, detected.poses);
            Ok(detected.contacts.clone())
        })
        .unwrap();
        let report = world.step().unwrap();
        assert_eq!(report.contacts, by_slice.contacts);
        assert_eq!(report.impulses, by_slice.solution.impulses);
        assert_eq!(report.energy_after, by_slice.energy_after);
        assert_eq!(report.islands[0].stop, by_slice.solution.stop);
        assert_eq!(world.bodies(), &bodies[..]);
    }
}

#[test]
fn a_capped_iteration_is_reported() {
    let mut world = pile(WorldSettings::gauss_seidel());
    world.settings_mut().step.solver.max_iterations = 1;
    let reports: Vec<WorldReport> = (0..20).map(|_| world.step().unwrap()).collect();
    let capped = |r: &WorldReport| r.islands.iter().filter(|i| i.stop == Stop::IterationLimit).count();
    assert!(reports.iter().any(|r| r.counts.iteration_limits > 0));
    assert!(reports.iter().all(|r| r.counts.iteration_limits == capped(r)));
}

#[test]
fn a_fast_spinning_body_keeps_its_unit_quaternion_energy_and_momentum() {
    let mut settings = WorldSettings::gauss_seidel();
    settings.step.forces = crate::ExternalForces::NONE;
    let (_, stone) = world_of(settings.clone(), 0.0);
    let spin = DVec3::new(100.0, 3.0, -20.0);
    let body = Body::dynamic(2.0, DVec3::new(1.0, 2.0, 2.6), stone).unwrap().moving(DVec3::X, spin).unwrap();
    let momentum = |b: &Body| b.angular_momentum_at(b.orientation, b.angular_velocity);
    let mut bodies = vec![body];
    let (energy, before) = (bodies[0].kinetic_energy(), momentum(&bodies[0]).length());
    for _ in 0..1_000_000 {
        crate::step(&mut bodies, &MaterialTable::new(), &settings.step, |_| Ok(Vec::new())).unwrap();
    }
    assert!((bodies[0].orientation.length() - 1.0).abs() < 1e-12);
    let drift = [bodies[0].kinetic_energy() / energy - 1.0, momentum(&bodies[0]).length() / before - 1.0];
    assert!(drift.iter().all(|d| d.abs() < 1e-8), "{drift:?}");
}

/// Cubes at rest stay where they are: the largest speed and the largest change of height of the last second.
#[test]
fn a_stack_at_rest_does_not_jitter_even_if_it_could_bounce() {
    for restitution in [0.0, 0.5] {
        for scheme in [crate::Scheme::Midpoint, crate::Scheme::SemiImplicit] {
            let mut settings = WorldSettings::gauss_seidel();
            settings.step.scheme = scheme;
            let (mut world, stone) = world_of(settings, restitution);
            ground(&mut world, stone);
            for k in 0..3 {
                let k = f64::from(k);
                world.add(cube().dynamic(stone, at(0.3 + 0.1 * k, 0.4995 + 0.9995 * k, 0.2)).unwrap()).unwrap();
            }
            (0..200).for_each(|_| drop(world.step().unwrap()));
            let heights = |world: &World| world.bodies().iter().map(|b| b.position.y).collect::<Vec<_>>();
            let rest = heights(&world);
            for _ in 0..100 {
                world.step().unwrap();
                let speed = world.bodies().iter().map(|b| b.velocity.length()).fold(0.0, f64::max);
                assert!(speed < 5e-3, "{restitution} {scheme:?}: {speed}");
            }
            for (before, after) in rest.iter().zip(heights(&world)) {
                assert!((before - after).abs() < 5e-4, "{restitution} {scheme:?}: {before} {after}");
            }
        }
    }
}

#[test]
fn either_stabilisation_takes_bodies_apart_and_without_they_stay_sunk() {
    let depth_after = |pre: bool, post: bool| {
        let usual = WorldSettings::gauss_seidel();
        let settings = WorldSettings {
            pre_stabilisation: usual.pre_stabilisation.filter(|_| pre),
            post_stabilisation: usual.post_stabilisation.filter(|_| post),
            ..usual
        };
        let (mut world, stone) = world_of(settings, 0.0);
        ground(&mut world, stone);
        let body = world.add(cube().dynamic(stone, at(0.3, 0.48, 0.2)).unwrap()).unwrap();
        let mut fastest: f64 = 0.0;
        for _ in 0..100 {
            let report = world.step().unwrap();
            assert!(post || report.counts.post_stabilised == 0);
            fastest = fastest.max(world.body(body).unwrap().velocity.length());
        }
        (0.5 - world.body(body).unwrap().position.y, fastest)
    };
    let (sunk, _) = depth_after(false, false);
    assert!((sunk - 0.02).abs() < 1e-3, "{sunk}");
    // Gently, by a tenth of a millimetre a step.
    let (depth, fastest) = depth_after(true, false);
    assert!((depth - 0.01).abs() < 1e-3 && fastest < 2e-2, "{depth} {fastest}");
    // Positions alone change: no velocity comes of it.
    let (depth, fastest) = depth_after(false, true);
    assert!(depth < 1e-3 && fastest < 2e-2, "{depth} {fastest}");
    assert!(depth_after(true, true).0 < 1e-3);
}

#[test]
fn a_fast_impact_bounces_by_its_coefficient_and_a_slow_one_not_at_all() {
    let rebound = |speed: f64| {
        let mut settings = WorldSettings::gauss_seidel();
        settings.step.forces = crate::ExternalForces::NONE;
        let (mut world, stone) = world_of(settings, 0.5);
        ground(&mut world, stone);
        let body = world.add(cube().dynamic(stone, at(0.3, 0.51, 0.2)).unwrap()).unwrap();
        world.body_mut(body).unwrap().velocity = DVec3::NEG_Y * speed;
        let mut ignored = 0;
        for _ in 0..50 {
            ignored += world.step().unwrap().counts.restitution_ignored;
        }
        (world.body(body).unwrap().velocity.y, ignored)
    };
    let (fast, ignored) = rebound(3.0);
    assert!((fast - 1.5).abs() < 1e-3 && ignored == 0, "{fast}");
    let (slow, ignored) = rebound(0.05);
    assert!(slow.abs() < 1e-3 && ignored > 0, "{slow}");
}
