//! General solids fall on and into each other: nothing falls through, no energy is gained, and all comes to rest or nearly.

use drystone_contact::Pose;
use drystone_contact::generator::methods;
use drystone_contact::shape::Shape;
use drystone_engine::{Energy, StepSettings, World, WorldSettings};
use drystone_scenes::general::General;
use drystone_scenes::simulation::{WorldPreset, world};

/// What is seen of a fall.
#[derive(Debug, Default)]
struct Fall {
    /// The deepest that a sampled point of one was in the other, m.
    depth: f64,
    /// The lowest place of the centre, m.
    lowest: f64,
    /// The fastest in the last half second, m/s and rad/s.
    speed: f64,
    spin: f64,
    /// By how much the energy rose at most above the least that it was before, as a share of that of a fall of a metre.
    gain: f64,
}

/// Of the fall, s.
const DURATION: f64 = 4.0;

/// How deep the points of one shape are in the other at most, m.
fn depth(of: &Shape, at: &Pose, within: &Shape, there: &Pose) -> f64 {
    let (of, within) = (of.general().unwrap(), within.general().unwrap());
    let between = there.inverse() * *at;
    let depths = of.points().points().iter().map(|&point| {
        let place = between.transform_point(point);
        let solid = within.solid();
        if solid.contains(place) { solid.nearest(place).map_or(0.0, |on| -on.distance) } else { 0.0 }
    });
    depths.fold(0.0, f64::max)
}

/// The body that is added last falls on the one added first.
fn fall(mut world: World) -> Fall {
    let metre: f64 = world.bodies().iter().filter(|body| body.is_dynamic()).map(|body| 9.82 * body.mass()).sum();
    let energy = |world: &World| Energy::of(world.bodies(), &world.settings().step.forces).total();
    let mut least = energy(&world);
    let mut fall = Fall { lowest: f64::INFINITY, ..Fall::default() };
    while world.time() < DURATION {
        world.step().unwrap();
        let handles = world.handles().to_vec();
        let [fixed, falling] = handles[..] else { panic!("two bodies") };
        let (body, poses) = (world.body(falling).unwrap(), [fixed, falling].map(|h| world.body(h).unwrap().pose()));
        let shapes = [fixed, falling].map(|h| world.shape(h).unwrap());
        let both =
            [depth(shapes[1], &poses[1], shapes[0], &poses[0]), depth(shapes[0], &poses[0], shapes[1], &poses[1])];
        fall.depth = fall.depth.max(both[0]).max(both[1]);
        fall.lowest = fall.lowest.min(body.position.y);
        fall.gain = fall.gain.max((energy(&world) - least) / metre);
        least = least.min(energy(&world));
        if world.time() > DURATION - 0.5 {
            fall.speed = fall.speed.max(body.velocity.length());
            fall.spin = fall.spin.max(body.angular_velocity.length());
        }
    }
    fall
}

/// By both methods that know general solids, by the soft step and by one solve a step.
fn all_ways(scene: General) -> Vec<Fall> {
    let mut falls = Vec::new();
    for method in [methods::semi_local(), methods::time_of_contact()] {
        // The soft step turns the levers of contacts with their bodies in its parts, which shows where spinning bodies strike.
        for (way, settings, most) in
            [("soft", WorldSettings::fast(), 1e-2), ("at once", WorldSettings::gauss_seidel(), 1e-3)]
        {
            let mut world = world(&scene.scene().unwrap(), &method, WorldPreset::Embedding).unwrap();
            // The step of the scene, by the solver of the settings.
            let step = StepSettings { contact_solver: settings.step.contact_solver, ..world.settings().step };
            *world.settings_mut() = WorldSettings { step, ..settings };
            let found = fall(world);
            println!("{scene}, {}, {way}: {found:?}", method.name());
            assert!(found.gain <= most, "{found:?}");
            falls.push(found);
        }
    }
    falls
}

#[test]
fn a_torus_falls_over_a_peg_and_stays_there() {
    for fall in all_ways(General::TorusOnPeg) {
        assert!(fall.lowest > 0.09 && fall.depth < 0.01, "{fall:?}");
        assert!(fall.speed < 0.05 && fall.spin < 0.2, "{fall:?}");
    }
}

#[test]
fn a_star_falls_into_a_cup_and_stays_there() {
    for fall in all_ways(General::CupAndStar) {
        // The floor of the cup is at 0.05 m.
        assert!(fall.lowest > 0.12 && fall.depth < 0.01, "{fall:?}");
        assert!(fall.speed < 0.1 && fall.spin < 0.3, "{fall:?}");
    }
}

#[test]
fn a_polyhedron_falls_into_a_soup_and_stays_there() {
    for fall in all_ways(General::PolygonSoup) {
        assert!(fall.lowest > 0.05 && fall.depth < 0.03, "{fall:?}");
        assert!(fall.speed < 0.1 && fall.spin < 0.5, "{fall:?}");
    }
}
