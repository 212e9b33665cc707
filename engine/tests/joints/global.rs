//! Joints in steps that solve all contacts once, as rows beside these: by the global solver and by Gauss–Seidel sweeps.

use crate::workbench::{GRAVITY, energy, ghost, ghost_at, weightless, world as plain};
use drystone_engine::joint::Motor;
use drystone_engine::solver::{ContactSolver, FrictionModel, GlobalSettings};
use drystone_engine::{BodyHandle, JointHandle, NewJoint, Pose, Solid, World, WorldError};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// The same world by the global solver.
fn globally(mut world: World) -> World {
    world.settings_mut().step.contact_solver = ContactSolver::Global(GlobalSettings::STEPS);
    world
}

/// The same world by Gauss–Seidel sweeps.
fn by_sweeps(mut world: World) -> World {
    world.settings_mut().step.contact_solver = ContactSolver::ProximalGaussSeidel;
    world
}

/// Takes a world to a solver.
type Solve = fn(World) -> World;

/// How far the origins of a joint's frames are apart, m.
fn opening(world: &World, joint: JointHandle) -> f64 {
    let joint = world.joint(joint).unwrap();
    let at = [0, 1].map(|k: usize| {
        let pose = joint.bodies()[k].map_or(Pose::IDENTITY, |body| world.body(body).unwrap().pose());
        pose.transform_point(joint.frames()[k].translation)
    });
    at[0].distance(at[1])
}

/// Ten links of 10 g with a ball of 100 kg.
fn loaded_chain(solve: Solve) -> (World, Vec<JointHandle>, BodyHandle) {
    let mut world = solve(plain(1.0 / 100.0));
    let (links, link) = (10, 0.1);
    let moments = DVec3::splat(0.01 * link * link / 12.0);
    let point = |k: usize| DVec3::NEG_Y * (link * k as f64);
    let mut bodies: Vec<BodyHandle> =
        (0..links).map(|k| ghost_at(&mut world, 0.01, moments, 0.5 * (point(k) + point(k + 1)))).collect();
    bodies.push(ghost_at(&mut world, 100.0, DVec3::splat(1.0), point(links)));
    let joints = (0..=links)
        .map(|k| {
            let joint = NewJoint::ball(k.checked_sub(1).map(|k| bodies[k]), bodies[k], point(k), &world).unwrap();
            world.add_joint(joint).unwrap()
        })
        .collect();
    (world, joints, bodies[links])
}

#[test]
fn a_light_chain_hangs_at_rest_under_a_load_of_ten_thousand_links() {
    let (mut world, joints, ball) = loaded_chain(globally);
    let start = world.body(ball).unwrap().position;
    for _ in 0..200 {
        let report = world.step().unwrap();
        assert_eq!(report.counts.global_fallbacks, 0);
    }
    assert!(world.body(ball).unwrap().position.distance(start) < 1e-9);
    for (k, &joint) in joints.iter().enumerate() {
        let weight = GRAVITY * (100.0 + 0.01 * (10 - k) as f64);
        let [force, _] = world.joint_reaction(joint).unwrap();
        assert!((force - DVec3::Y * weight).length() < 1e-6 * weight, "{k}: {force} {weight}");
        assert!(opening(&world, joint) < 1e-10);
    }
}

/// Sweeps do not get there, and say so.
#[test]
fn sweeps_report_a_chain_that_they_do_not_hold() {
    let (mut world, _, _) = loaded_chain(by_sweeps);
    for _ in 0..5 {
        assert_eq!(world.step().unwrap().counts.iteration_limits, 1);
    }
}

#[test]
fn a_light_chain_holds_a_heavy_ball_that_swings() {
    let (mut world, joints, ball) = loaded_chain(globally);
    world.body_mut(ball).unwrap().velocity.x = 0.5;
    let (mut apart, mut aside): (f64, f64) = (0.0, 0.0);
    for _ in 0..300 {
        world.step().unwrap();
        apart = joints.iter().fold(apart, |apart, &joint| apart.max(opening(&world, joint)));
        aside = aside.max(world.body(ball).unwrap().position.x);
    }
    let reach = 0.5 * (1.0 / GRAVITY).sqrt();
    println!("{apart:e} m apart, {aside} m of {reach}");
    assert!(apart < 1e-8, "{apart}");
    assert!((0.8..1.01).contains(&(aside / reach)), "{aside} of {reach}");
}

fn check_pendulum(solve: Solve, most: f64) {
    let (amplitude, time_step) = (0.5_f64, 1.0 / 240.0);
    let mut world = solve(plain(time_step));
    let hang = DVec3::new(amplitude.sin(), -amplitude.cos(), 0.0) * 0.7;
    let pose = Pose::from_parts(hang, DQuat::from_rotation_z(amplitude));
    let body = ghost(&mut world, 1.0, DVec3::new(0.03, 0.02, 0.04), pose);
    let hinge = NewJoint::hinge(None, body, DVec3::ZERO, DVec3::Z, &world).unwrap();
    let hinge = world.add_joint(hinge).unwrap();
    let (mut crossings, mut before, mut angles, mut open) = (Vec::new(), 0.0, Vec::new(), 0.0_f64);
    while crossings.len() < 9 {
        world.step().unwrap();
        let angle = world.joint(hinge).unwrap().coordinates()[3] + amplitude;
        if before * angle < 0.0 {
            crossings.push(world.time() - time_step * angle / (angle - before));
        }
        before = angle;
        angles.push(angle);
        open = open.max(opening(&world, hinge));
        assert!(world.time() < 30.0);
    }
    // 1/mean(1, cos θ/2) by the series of the arithmetic-geometric mean.
    let (mut a, mut b) = (1.0, f64::cos(0.5 * amplitude));
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let expected = TAU * ((0.04 + 0.7 * 0.7) / (GRAVITY * 0.7)).sqrt() / a;
    let found = (crossings[8] - crossings[0]) / 4.0;
    println!("{found} {expected} {:e}, {open:e} m open", found / expected - 1.0);
    assert!(open < most, "{open:e} m");
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    let last = angles.iter().rev().take(400).fold(0.0_f64, |most, angle| most.max(angle.abs()));
    assert!((last / amplitude - 1.0).abs() < 1e-3, "{last}: it swings as far as it did");
}

#[test]
fn a_pendulum_has_its_period_and_keeps_its_energy() {
    check_pendulum(globally, 1e-10);
    check_pendulum(by_sweeps, 1e-8);
}

fn hinge(world: &mut World, a: Option<BodyHandle>, b: BodyHandle, point: DVec3) -> JointHandle {
    let joint = NewJoint::hinge(a, b, point, DVec3::Z, world).unwrap();
    world.add_joint(joint).unwrap()
}

/// A crank of 1 m that goes round, a coupler of 3 m, a rocker of 2.5 m, the ground 3 m: two more equations than freedoms in space.
fn check_four_bar_loop(solve: Solve) {
    let mut world = solve(weightless(plain(1.0 / 100.0)));
    let moments = DVec3::splat(0.1);
    let ground = DVec3::X * 3.0;
    let way = ground - DVec3::Y;
    let along = (way.length_squared() + 9.0 - 6.25) / (2.0 * way.length());
    let direction = way.normalize();
    let top = DVec3::Y + direction * along + DVec3::Z.cross(direction) * (9.0 - along * along).sqrt();
    let corners = [DVec3::ZERO, DVec3::Y, top, ground];
    let bars: Vec<BodyHandle> =
        (0..3).map(|k| ghost_at(&mut world, 1.0, moments, 0.5 * (corners[k] + corners[k + 1]))).collect();
    let drive = hinge(&mut world, None, bars[0], corners[0]);
    let others = [(Some(bars[0]), bars[1], 1), (Some(bars[1]), bars[2], 2), (None, bars[2], 3)];
    let mut joints: Vec<JointHandle> = others.map(|(a, b, k)| hinge(&mut world, a, b, corners[k])).to_vec();
    joints.push(drive);
    let motor = Motor::Velocity { target: 3.0, max_force: 1000.0 };
    world.joint_mut(drive).unwrap().set_motor(Some(motor)).unwrap();
    let mut worst: f64 = 0.0;
    for _ in 0..500 {
        world.step().unwrap();
        worst = joints.iter().fold(worst, |worst, &joint| worst.max(opening(&world, joint)));
    }
    let angle = world.joint(drive).unwrap().coordinates()[3];
    println!("{worst:e} m after {angle} rad");
    assert!(worst < 1e-8, "{worst} m");
    assert!((angle / (3.0 * world.time()) - 1.0).abs() < 5e-3, "{angle}");
}

#[test]
fn a_four_bar_loop_stays_closed() {
    check_four_bar_loop(globally);
    check_four_bar_loop(by_sweeps);
}

/// A double pendulum after a second.
fn double_pendulum(mut world: World, steps: usize) -> [DVec3; 2] {
    let moments = DVec3::new(0.001, 1.0 / 12.0, 1.0 / 12.0);
    let upper = ghost_at(&mut world, 1.0, moments, DVec3::X * 0.5);
    let lower = ghost_at(&mut world, 1.0, moments, DVec3::X * 1.5);
    hinge(&mut world, None, upper, DVec3::ZERO);
    hinge(&mut world, Some(upper), lower, DVec3::X);
    for _ in 0..steps {
        world.step().unwrap();
    }
    [upper, lower].map(|body| world.body(body).unwrap().position)
}

#[test]
fn steps_of_both_solvers_have_the_same_limit() {
    let exact = double_pendulum(plain(1.0 / 1600.0), 1600);
    let errors = [100, 200, 400].map(|steps| {
        let found = double_pendulum(globally(plain(1.0 / steps as f64)), steps);
        exact[0].distance(found[0]).max(exact[1].distance(found[1]))
    });
    println!("{errors:?}");
    assert!(errors[2] < 1e-2, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.6 * pair[0], "{errors:?}");
    }
}

fn check_laws(solve: Solve) {
    // A motor holds its load, and no more than it can.
    for (most, holds) in [(1.01, true), (0.9, false)] {
        let mut world = solve(plain(1.0 / 100.0));
        let arm = ghost_at(&mut world, 2.0, DVec3::splat(0.1), DVec3::X * 0.5);
        let joint = hinge(&mut world, None, arm, DVec3::ZERO);
        let motor = Motor::Velocity { target: 0.0, max_force: most * 2.0 * GRAVITY * 0.5 };
        world.joint_mut(joint).unwrap().set_motor(Some(motor)).unwrap();
        for _ in 0..50 {
            world.step().unwrap();
        }
        let angle = world.joint(joint).unwrap().coordinates()[3];
        assert_eq!(angle.abs() < 1e-8, holds, "{angle}");
    }
    // It falls onto a limit and rests there; friction alone does so where it is.
    let mut world = solve(plain(1.0 / 100.0));
    let arms = [DVec3::ZERO, DVec3::Z].map(|at| ghost_at(&mut world, 2.0, DVec3::splat(0.1), at + DVec3::X * 0.5));
    let joints = [0, 1].map(|k| hinge(&mut world, None, arms[k], DVec3::Z * k as f64));
    world.joint_mut(joints[0]).unwrap().axes[3].motion =
        drystone_engine::joint::Motion::Limited { lower: -0.5, upper: 1.0 };
    world.joint_mut(joints[1]).unwrap().axes[3].friction = 1.2 * 2.0 * GRAVITY * 0.5;
    for _ in 0..200 {
        world.step().unwrap();
    }
    let angles = joints.map(|joint| world.joint(joint).unwrap().coordinates()[3]);
    assert!((angles[0] + 0.5).abs() < 1e-9 && angles[1].abs() < 1e-8, "{angles:?}");
    assert!(world.body(arms[0]).unwrap().angular_velocity.length() < 1e-6);
    // A spring bears a weight.
    let mut world = solve(plain(1.0 / 100.0));
    let ball = ghost_at(&mut world, 2.0, DVec3::ONE, DVec3::NEG_Y);
    world.add_joint(NewJoint::spring(None, ball, [DVec3::ZERO; 2], [1.0, 200.0, 20.0])).unwrap();
    for _ in 0..600 {
        world.step().unwrap();
    }
    let depth = -world.body(ball).unwrap().position.y;
    assert!((depth - (1.0 + 2.0 * GRAVITY / 200.0)).abs() < 1e-6, "{depth}");
}

#[test]
fn limits_motors_friction_and_springs_obey_their_laws() {
    check_laws(globally);
    check_laws(by_sweeps);
}

fn check_gears_and_locked_axes(solve: Solve) {
    let mut world = solve(weightless(plain(1.0 / 100.0)));
    let wheels = [0.0, 3.0].map(|x| ghost_at(&mut world, 1.0, DVec3::ONE, DVec3::X * x));
    let hinges = [0, 1].map(|k| hinge(&mut world, None, wheels[k], DVec3::X * (3.0 * k as f64)));
    world.add_joint(NewJoint::gear(hinges[0], hinges[1], -2.0)).unwrap();
    world.body_mut(wheels[0]).unwrap().angular_velocity = DVec3::Z * 5.0;
    let free = ghost_at(&mut world, 1.0, DVec3::new(1.0, 2.0, 3.0), DVec3::Y * 5.0);
    world.lock_axes(free, [true, false, false], [true, false, true]).unwrap();
    let own = world.body_mut(free).unwrap();
    (own.velocity, own.angular_velocity) = (DVec3::ONE, DVec3::ONE);
    for _ in 0..100 {
        world.step().unwrap();
    }
    let [first, second] = hinges.map(|joint| world.joint(joint).unwrap().coordinates()[3]);
    assert!((second + 2.0 * first).abs() < 1e-9 && (first - 1.0).abs() < 1e-6, "{first} {second}");
    let body = world.body(free).unwrap();
    assert!(body.position.x.abs() < 1e-9 && (body.position.z - 1.0).abs() < 1e-9, "{}", body.position);
    let turn = body.orientation.to_scaled_axis();
    assert!(turn.x.abs() < 1e-9 && turn.z.abs() < 1e-9 && turn.y > 0.5, "{turn}");
}

#[test]
fn gears_and_locked_axes_hold() {
    check_gears_and_locked_axes(globally);
    check_gears_and_locked_axes(by_sweeps);
}

/// A beam on a hinge with a cube on each end: contacts with friction and joints in one island, and it stays in balance.
fn check_island(solve: Solve) {
    let mut world = solve(plain(1.0 / 100.0));
    let stuff = drystone_engine::MaterialId::new(0);
    let beam = Solid::cuboid(DVec3::new(4.0, 0.2, 1.0), 500.0).unwrap();
    let beam = world.add(beam.dynamic(stuff, Pose::from_translation(DVec3::Y * 2.0)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::splat(0.5), 1000.0).unwrap();
    let cubes = [-1.5, 1.5].map(|x| {
        let pose = Pose::from_translation(DVec3::new(x, 2.35, 0.0));
        world.add(cube.dynamic(stuff, pose).unwrap()).unwrap()
    });
    let pivot = hinge(&mut world, None, beam, DVec3::Y * 2.0);
    for _ in 0..100 {
        let report = world.step().unwrap();
        assert_eq!(report.counts.global_fallbacks, 0, "{:?}", report.islands);
        assert_eq!((report.islands.len(), report.counts.iteration_limits), (1, 0));
        assert!(report.islands[0].natural_residual < 1e-3, "{:?}", report.islands);
    }
    let angle = world.joint(pivot).unwrap().coordinates()[3];
    assert!(angle.abs() < 1e-6, "{angle}");
    let weight = GRAVITY * (4.0 * 0.2 * 500.0 + 2.0 * 125.0);
    let [force, _] = world.joint_reaction(pivot).unwrap();
    assert!((force.y / weight - 1.0).abs() < 1e-6, "{force} {weight}");
    // Without one of the cubes it tips.
    world.remove(cubes[0]).unwrap();
    for _ in 0..50 {
        world.step().unwrap();
    }
    assert!(world.joint(pivot).unwrap().coordinates()[3] < -0.05);
    assert!(energy(&world).is_finite());
}

#[test]
fn contacts_and_joints_share_an_island() {
    check_island(globally);
    check_island(by_sweeps);
}

#[test]
fn joints_break_and_what_has_no_rows_is_refused() {
    let mut world = globally(plain(1.0 / 100.0));
    let ball = ghost_at(&mut world, 2.0, DVec3::ONE, DVec3::NEG_Y);
    let weak = NewJoint::ball(None, ball, DVec3::ZERO, &world).unwrap().with_breaking(Some(GRAVITY), None);
    let weak = world.add_joint(weak).unwrap();
    let report = world.step().unwrap();
    assert_eq!(report.broken_joints, [weak]);
    assert!(world.joint(weak).is_err());
    let held = NewJoint::ball(None, ball, DVec3::ZERO, &world).unwrap();
    world.add_joint(held).unwrap();
    world.settings_mut().step.solver.friction = FrictionModel::Box;
    world.settings_mut().step.contact_solver = ContactSolver::ProximalGaussSeidel;
    world.step().unwrap();
    world.settings_mut().step.contact_solver = ContactSolver::Global(GlobalSettings::STEPS);
    assert_eq!(world.step().err(), Some(WorldError::UnsupportedJoints));
}
