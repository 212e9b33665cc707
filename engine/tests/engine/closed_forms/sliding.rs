//! Two boxes that slide on each other, a disc that spins down, a belt.

use super::Figure;
use super::workbench::{G, Workbench, at};
use drystone_contact::generator::{Method, methods};
use drystone_engine::{BodyHandle, Friction, WorldSettings};
use glam::DVec3;

const LONG: DVec3 = DVec3::new(10.0, 1.0, 10.0);
const SHORT: DVec3 = DVec3::new(1.2, 0.3, 1.0);

/// A short box on a long one, which lies on ice; the short one slides with `velocity`.
pub fn sliders(
    method: Method,
    settings: WorldSettings,
    friction: f64,
    velocity: DVec3,
) -> (Workbench, BodyHandle, BodyHandle) {
    let mut bench = Workbench::by(method, settings, Friction::sliding(friction), 0.0);
    let ice = bench.material("ice", 0.0);
    let ground = bench.ground();
    bench.world.body_mut(ground).unwrap().material = ice;
    let long = bench.cuboid(LONG, at(0.0, 0.5 * LONG.y, 0.0));
    let short = bench.cuboid(SHORT, at(-1.3, LONG.y + 0.5 * SHORT.y, 0.1));
    bench.run(100);
    bench.world.body_mut(short).unwrap().velocity = velocity;
    (bench, long, short)
}

pub fn kinetic(bench: &Workbench) -> f64 {
    bench.world.bodies().iter().map(|b| b.kinetic_energy()).sum()
}

/// What two boxes that slide on each other are off by.
pub struct Braked {
    /// The velocity of the short one, on the way, m/s.
    pub on_the_way: f64,
    /// Those of both in the end, m/s.
    pub at_last: [f64; 2],
    /// The horizontal momentum in the end, as a share of the first.
    pub momentum: f64,
    /// The most energy that a step gained, as a share of the first.
    pub gained: f64,
}

/// μ m g slows the one and speeds up the other until both go with (m₁ v)/(m₁ + m₂), and no step adds energy.
pub fn braked(method: Method, settings: WorldSettings) -> Braked {
    let mu = 0.3;
    let thrown = DVec3::new(2.0, 0.0, 0.2);
    let (mut bench, long, short) = sliders(method, settings, mu, thrown);
    let mass = |b: BodyHandle| bench.world.body(b).unwrap().mass();
    let (m, big) = (mass(short), mass(long));
    let last = thrown * (m / (m + big));
    let stops = (thrown - last).length() / (mu * G);
    let (mut energy, mut gained, begin) = (kinetic(&bench), 0.0f64, bench.world.time());
    let mut on_the_way = 0.0f64;
    for _ in 0..100 {
        bench.run(1);
        let now = kinetic(&bench);
        gained = gained.max(now - energy);
        energy = now;
        let time = bench.world.time() - begin;
        let expected = thrown - thrown.normalize() * (mu * G * time).min((thrown - last).length() / (1.0 + m / big));
        if time < 0.9 * stops / (1.0 + m / big) {
            on_the_way = on_the_way.max((bench.velocity(short) - expected).length());
        }
    }
    let momentum = bench.velocity(short) * m + bench.velocity(long) * big - thrown * m;
    Braked {
        on_the_way,
        at_last: [short, long].map(|b| (bench.velocity(b) - last).length()),
        momentum: momentum.reject_from(DVec3::Y).length() / (thrown * m).length(),
        gained: gained / (0.5 * m * thrown.length_squared()),
    }
}

/// Two boxes that slide on each other without friction for a second: what the velocities are off by (m/s), and the energy (of itself).
pub fn without_friction(method: Method, settings: WorldSettings) -> [f64; 2] {
    let thrown = DVec3::new(2.0, 0.0, 0.2);
    let (mut bench, long, short) = sliders(method, settings, 0.0, thrown);
    let before = kinetic(&bench);
    bench.run(100);
    let off = (bench.velocity(short) - thrown).length().max(bench.velocity(long).length());
    [off, kinetic(&bench) / before - 1.0]
}

/// Torsional friction alone, in the ellipsoid model: the moment is c m g whatever the share of each contact, so that the disc
/// stops after I ω/(c m g). That time, s, and what the angular velocity is off by on the way, rad/s.
pub fn spun_down(settings: WorldSettings) -> [f64; 2] {
    let torsion = 0.02;
    let mut bench = Workbench::with_friction(settings, Friction { s: 0.0, t: 0.0, torsion }, 0.0);
    bench.ground();
    let disc = bench.cuboid(DVec3::new(1.0, 0.2, 1.0), at(0.3, 0.1, 0.2));
    bench.run(100);
    let spin = 3.0;
    bench.world.body_mut(disc).unwrap().angular_velocity = DVec3::Y * spin;
    let body = bench.world.body(disc).unwrap();
    let slows = torsion * body.mass() * G / body.inertia().max_element();
    let (begin, mut worst) = (bench.world.time(), 0.0f64);
    for _ in 0..((spin / slows + 0.2) / 0.01) as usize {
        bench.run(1);
        let expected = (spin - slows * (bench.world.time() - begin)).max(0.0);
        worst = worst.max((bench.spin(disc).y - expected).abs());
    }
    [spin / slows, worst]
}

/// A box on a belt: what its velocity is off by while it speeds up, and in the end, m/s.
pub fn on_a_belt(settings: WorldSettings, belt: DVec3) -> [f64; 2] {
    let mu = 0.4;
    let mut bench = Workbench::new(settings, mu, 0.0);
    let ground = bench.ground();
    // Flat, so that it does not tip.
    let body = bench.cuboid(DVec3::new(0.8, 0.2, 0.8), at(0.1, 0.1, 0.2));
    bench.run(100);
    bench.world.body_mut(ground).unwrap().velocity = belt;
    let begin = bench.world.time();
    let (direction, top) = (belt.normalize(), belt.length());
    let mut worst = 0.0f64;
    for _ in 0..80 {
        bench.run(1);
        let expected = direction * (mu * G * (bench.world.time() - begin)).min(top);
        worst = worst.max((bench.velocity(body) - expected).reject_from(DVec3::Y).length());
    }
    assert_eq!(bench.position(ground), DVec3::NEG_Y * 0.5);
    [worst, (bench.velocity(body) - belt).length()]
}

pub const BELTS: [DVec3; 2] = [DVec3::new(1.5, 0.0, 0.0), DVec3::new(0.9, 0.0, -1.2)];

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let braked = braked(methods::semi_local(), settings.clone());
    let [off, energy] = without_friction(methods::semi_local(), settings.clone());
    let belts = BELTS.map(|belt| on_a_belt(settings.clone(), belt));
    vec![
        Figure::new("two boxes that slide on each other, on the way", "v − μgt", braked.on_the_way, "m/s"),
        Figure::new("both, in the end", "m₁v/(m₁ + m₂)", braked.at_last[0].max(braked.at_last[1]), "m/s"),
        Figure::new("their momentum along the ground, of the first", "stays", braked.momentum, ""),
        Figure::new("energy gained in a step, of the first", "none", braked.gained, ""),
        Figure::new("without friction, after 1 s", "v", off, "m/s"),
        Figure::new("its energy", "stays", energy.abs(), ""),
        Figure::new(
            "disc slowed by torsional friction, on the way",
            "ω − c m g t/I",
            spun_down(settings.clone())[1],
            "rad/s",
        ),
        Figure::new("box on a belt, on the way", "μgt", belts[0][0].max(belts[1][0]), "m/s"),
        Figure::new("on the belt, in the end", "the velocity of the belt", belts[0][1].max(belts[1][1]), "m/s"),
    ]
}
