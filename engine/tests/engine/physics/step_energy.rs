//! The energy of a step: bodies thrown at each other without restitution, boxes and tetrahedra, alone and over a ground.
//!
//! What a step may add to the total energy, J, beside rounding:
//! - the potential energy of position correction, which the report states;
//! - under gravity Σ m (g Δt)²/8, by the mid-point scheme. With M-norms, p for the change of the velocities by contacts
//!   and v⁺ = v⁻ + g Δt + p, contacts do the work p·(v⁻ + v⁺)/2 = p·v⁺ − p·(g Δt)/2 − |p|²/2. A law without restitution
//!   has p·v⁺ ≤ 0, and the rest is at most |g Δt|²/8: a body that parts more slowly than it falls in a step is held;
//! - the speed that pre-stabilisation asks for, at most d_max/Δt, times the normal impulses: there p·v⁺ ≤ Σ λ d_max/Δt.
use super::workbench::{G, Workbench, at};
use super::{free, undamped};
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::{Body, BodyHandle, Pose, Solid, World, WorldSettings};
use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

/// Numbers between −1 and 1 (a linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn tetrahedron(size: f64) -> Solid {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let corners = corners.map(|corner| DVec3::from(corner) * (0.6 * size)).to_vec();
    let surface = Surface::new(corners, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).unwrap();
    Solid::new(&Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap(), 1000.0).unwrap()
}

/// Two to five bodies that fly at each other over a ground, `spread` (m) apart.
fn thrown(settings: WorldSettings, seed: u64, spread: f64, friction: f64) -> Workbench {
    let mut bench = Workbench::new(settings, friction, 0.0);
    let mut numbers = Numbers(seed);
    if !seed.is_multiple_of(3) {
        let ground = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 1000.0).unwrap();
        bench.world.add(ground.fixed(bench.stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    }
    for _ in 0..2 + seed % 4 {
        let size = 0.35 + 0.2 * numbers.next();
        let solid = if numbers.next() < 0.0 {
            tetrahedron(size)
        } else {
            Solid::cuboid(DVec3::splat(size) + numbers.vector() * 0.1, 1000.0).unwrap()
        };
        let position = numbers.vector() * spread + DVec3::Y * (spread + 0.4);
        let turn = DQuat::from_scaled_axis(numbers.vector() * 3.0);
        let body = bench.world.add(solid.dynamic(bench.stone, Pose::from_parts(position, turn)).unwrap()).unwrap();
        let body = bench.world.body_mut(body).unwrap();
        body.velocity = (DVec3::Y * 0.5 - position) * 2.0 + numbers.vector();
        body.angular_velocity = numbers.vector() * 4.0;
    }
    bench
}

/// The linear momentum, and the sum of the sizes of those of the bodies, kg m/s.
fn momentum(bodies: &[Body]) -> (DVec3, f64) {
    let one = |body: &Body| body.velocity * body.mass();
    let moving = || bodies.iter().filter(|body| body.is_dynamic());
    (moving().map(one).sum(), moving().map(|body| one(body).length()).sum())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(1000)))]

    #[test]
    fn a_step_adds_no_more_energy_than_it_says(seed in 0..1_000_000u64, friction in 0.0..1.0f64, deep in any::<bool>()) {
        let settings = undamped();
        let (time_step, g) = (settings.step.time_step, settings.step.forces.gravity.length());
        let parting = settings.pre_stabilisation.unwrap().largest_depth / time_step;
        let mut bench = thrown(settings, seed, if deep { 0.3 } else { 1.0 }, friction);
        let mass: f64 = bench.world.bodies().iter().filter(|b| b.is_dynamic()).map(Body::mass).sum();
        for _ in 0..10 {
            let report = bench.world.step().unwrap();
            let (before, after) = (report.energy_before, report.energy_after);
            let normal: f64 = report.impulses.iter().map(|impulse| impulse[0]).sum();
            let scheme = if report.contacts.is_empty() { 0.0 } else { mass * (g * time_step).powi(2) / 8.0 };
            let allowed = report.position_correction_energy + scheme + normal * parting;
            let rounding = 1e-9 * (before.kinetic + before.potential.abs());
            let rise = after.total() - before.total();
            prop_assert!(rise <= allowed + rounding, "{rise} J of at most {allowed} J in step {}", report.step);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Without gravity and pre-stabilisation contacts add nothing; and whatever is on, momentum is kept at any depth.
    #[test]
    fn colliding_bodies_gain_no_energy_and_keep_their_momentum(seed in 0..1_000_000u64, deep in any::<bool>()) {
        let spread = if deep { 0.2 } else { 0.8 };
        let mut bare = free();
        bare.pre_stabilisation = None;
        for (settings, adds) in [(bare, false), (free(), true)] {
            let mut bench = thrown(settings, 3 * seed, spread, 0.5);
            let start = momentum(bench.world.bodies());
            for _ in 0..20 {
                let report = bench.world.step().unwrap();
                prop_assert_eq!(report.position_correction_energy, 0.0, "there is no weight");
                let (before, after) = (report.energy_before.kinetic, report.energy_after.kinetic);
                prop_assert!(adds || after <= before * (1.0 + 1e-9), "{before} J {after} J");
                let drift = (momentum(bench.world.bodies()).0 - start.0).length();
                prop_assert!(drift <= 1e-12 * start.1, "{drift} of {}", start.1);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(1000)))]

    /// The same step with and without position correction: other poses, the same kinetic energy of every body to
    /// rounding, and a difference of potential energy that is the one reported.
    #[test]
    fn position_correction_adds_no_kinetic_energy(seed in 0..1_000_000u64) {
        let without = WorldSettings { post_stabilisation: None, ..undamped() };
        let mut benches = [undamped(), without].map(|settings| thrown(settings, seed, 0.2, 0.5));
        let reports = benches.each_mut().map(|bench| bench.world.step().unwrap());
        prop_assert_eq!(&reports[0].impulses, &reports[1].impulses);
        let [corrected, plain] = benches.each_ref().map(|bench| bench.world.bodies());
        for (corrected, plain) in corrected.iter().zip(plain) {
            let [a, b] = [corrected, plain].map(kinetic);
            prop_assert!((a - b).abs() <= 1e-13 * b, "{a} {b}");
        }
        let [a, b] = reports.each_ref().map(|report| report.energy_after.potential);
        // Both hold bodies back in the first half of the step.
        let [c, d] = reports.each_ref().map(|report| report.position_correction_energy);
        prop_assert!((a - b - (c - d)).abs() <= 1e-12 * (a.abs() + b.abs()), "{} {}", a - b, c - d);
        prop_assert!(d == 0.0 || reports[1].counts.held_back > 0);
    }
}

/// In the body frame, where the inertia is diagonal, J.
fn kinetic(body: &Body) -> f64 {
    if !body.is_dynamic() {
        return 0.0;
    }
    let spin = DMat3::from_quat(body.orientation).transpose() * body.angular_velocity;
    0.5 * (body.mass() * body.velocity.dot(body.velocity) + spin.dot(body.inertia() * spin))
}

/// Two cubes 0.3 m deep in each other are taken apart: the one on the ground cannot yield, the other is lifted.
#[test]
fn what_position_correction_lifts_is_stated() {
    let mut bench = Workbench::new(undamped(), 0.5, 0.0);
    bench.ground();
    let below = bench.cuboid(DVec3::ONE, at(0.0, 0.5, 0.0));
    let above = bench.cuboid(DVec3::splat(0.5), at(0.0, 1.24, 0.0));
    let potential = |world: &World, body: BodyHandle| {
        let body = world.body(body).unwrap();
        body.mass() * G * body.position.y
    };
    let start = potential(&bench.world, above) + potential(&bench.world, below);
    let stated: f64 = (0..5).map(|_| bench.world.step().unwrap().position_correction_energy).sum();
    let lifted = potential(&bench.world, above) + potential(&bench.world, below) - start;
    assert!(lifted > 2.0 && stated > 0.5 * lifted && stated < 1.5 * lifted, "{lifted} J, stated {stated} J");
}
