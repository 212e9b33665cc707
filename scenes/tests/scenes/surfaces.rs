//! Scenes of deformable surfaces: nothing passes through anything, whatever the parameters, and what cannot be is said.

use drystone_engine::simulator::Simulator;
use drystone_engine::simulator::asynchronous::{
    AsynchronousError, AsynchronousSimulation, AsynchronousSimulator, AsynchronousSnapshot,
};
use drystone_scenes::asynchronous::{OpenedSurfaces, SCENES, SurfaceScene, named};
use drystone_scenes::scene_file::{encode_surfaces, parse_surfaces};

use super::cases;

/// Runs a scene in frames up to a time, s, and looks at each for intersections; returns the bits of where it ends.
fn run(name: &str, scene: &SurfaceScene, until: f64, frames: u32) -> Vec<u64> {
    let mut simulation = scene.simulation().unwrap();
    for frame in 1..=frames {
        simulation.run_until(until * f64::from(frame) / f64::from(frames)).unwrap();
        assert_eq!(simulation.first_intersection(), None, "{name}, frame {frame}");
    }
    let report = simulation.contact_report().unwrap();
    println!("{name}: {} events, {report:?}", simulation.events());
    assert!(report.closest > 0.25 * scene.law.thickness && report.deepest_layer > 0, "{name}: {report:?}");
    simulation.positions().iter().flat_map(|p| p.to_array().map(f64::to_bits)).collect()
}

#[test]
fn in_all_scenes_nothing_passes_and_their_parts_touch() {
    let until = [
        ("reef-knot", 0.011),
        ("bed-of-nails", 0.045),
        ("trash-compactor", 0.055),
        ("compactor-cubes", 0.06),
        ("curtains", 0.08),
        ("drape-spike", 0.045),
        ("drape-wedge", 0.045),
        ("drape-crack", 0.045),
        ("drape-hole", 0.045),
        ("drape-cliff", 0.045),
        ("drape-internal-edges", 0.045),
        ("particle-on-floor", 0.2),
        ("two-shells", 0.016),
    ];
    for (name, until) in until {
        run(name, &named(name).unwrap(), until, 4);
    }
    assert_eq!(SCENES.len(), until.len() + 2, "those that are left end with an error, and take long");
}

/// A scene that is written and read back moves with the same bits; solids, which scene files do not describe, are named.
#[test]
fn scenes_are_written_as_files_that_move_with_the_same_bits() {
    let mut written = Vec::new();
    for known in SCENES {
        let scene = named(known.name).unwrap();
        let (name, title) = (known.name.to_owned(), known.title.to_owned());
        let opened = OpenedSurfaces { name, title, time_step: known.time_step, scene, surfaces: Vec::new() };
        let text = match encode_surfaces(&opened) {
            Ok(text) => text,
            Err(error) => {
                assert!(error.to_string().contains("it has solids"), "{}: {error}", known.name);
                assert!(!opened.scene.surface.bodies().is_empty(), "{}", known.name);
                continue;
            }
        };
        let read = parse_surfaces(&text, "").unwrap().unwrap();
        assert_eq!(
            (&read.name, read.time_step, read.scene.duration),
            (&opened.name, opened.time_step, opened.scene.duration)
        );
        assert!(read.scene.surface == opened.scene.surface && read.scene.law == opened.scene.law, "{}", known.name);
        let state = |scene: &SurfaceScene| {
            let mut simulation = scene.simulation().unwrap();
            simulation.run_until(0.002).unwrap();
            [simulation.positions(), simulation.velocities()].concat()
        };
        if known.name != "fine-shells" {
            assert!(state(&read.scene) == state(&opened.scene), "{}", known.name);
        }
        assert!(encode_surfaces(&read).unwrap() == text, "{}", known.name);
        written.push(known.name);
    }
    assert_eq!(written.len(), 7, "{written:?}");
}

#[test]
fn where_a_run_is_divided_makes_no_difference() {
    let scene = named("reef-knot").unwrap();
    assert_eq!(run("reef-knot", &scene, 0.011, 2), run("reef-knot", &scene, 0.011, 7));
}

/// To a time at once, and by way of a snapshot as bytes: the same bits, and the same events.
#[test]
fn a_run_resumed_from_a_snapshot_has_the_same_bits() {
    let ends = [
        ("reef-knot", [0.004, 0.007], false),
        ("bed-of-nails", [0.041, 0.044], false),
        ("trash-compactor", [0.045, 0.048], false),
        ("compactor-cubes", [0.05, 0.06], false),
        ("compactor-cubes", [0.05, 0.06], true),
        ("curtains", [0.055, 0.06], false),
        ("drape-spike", [0.035, 0.04], false),
        ("two-shells", [0.012, 0.014], false),
        ("two-shells", [0.012, 0.014], true),
        ("zeno", [0.005, 0.008], false),
    ];
    for (name, [first, second], is_by_windows) in ends {
        let scene = named(name).unwrap();
        let made = if is_by_windows { scene.simulation_by_windows() } else { scene.simulation() };
        let mut whole = AsynchronousSimulator::new(made.unwrap(), first).unwrap();
        whole.step().unwrap();
        let bytes = postcard::to_stdvec(&AsynchronousSimulator::snapshot(&whole)).unwrap();
        let snapshot: AsynchronousSnapshot = postcard::from_bytes(&bytes).unwrap();
        assert!(snapshot == AsynchronousSimulator::snapshot(&whole), "{name}");
        let (mut direct, mut resumed) =
            (whole.simulation().clone(), AsynchronousSimulator::from_snapshot(&snapshot).unwrap());
        assert!(AsynchronousSimulator::snapshot(&resumed) == snapshot, "{name}");
        direct.run_until(second).unwrap();
        resumed.simulation_mut().run_until(second).unwrap();
        let state = |simulation: &AsynchronousSimulation| {
            let vectors = [simulation.positions(), simulation.velocities()].concat();
            vectors.iter().flat_map(|v| v.to_array().map(f64::to_bits)).collect::<Vec<u64>>()
        };
        assert!(state(&direct) == state(resumed.simulation()), "{name}");
        let seen = |simulation: &AsynchronousSimulation| {
            (simulation.events(), simulation.contact_report().copied(), simulation.pairs())
        };
        assert_eq!(seen(&direct), seen(resumed.simulation()), "{name}");
        assert!(whole.simulation().events() < direct.events() && bytes.len() > 10_000, "{name}");
        println!("{name}: {} bytes, {:?} pairs", bytes.len(), direct.pairs());
    }
}

#[test]
fn speculative_windows_give_the_bits_of_the_queue() {
    for (name, until) in [("reef-knot", 0.004), ("compactor-cubes", 0.06), ("drape-crack", 0.04), ("curtains", 0.012)] {
        let scene = named(name).unwrap();
        let ends = [scene.simulation(), scene.simulation_by_windows()].map(|simulation| {
            let mut simulation = simulation.unwrap();
            simulation.run_until(until).unwrap();
            assert_eq!(simulation.first_intersection(), None, "{name}");
            [simulation.positions(), simulation.velocities()]
        });
        assert!(ends[0] == ends[1], "{name}");
    }
}

#[test]
fn the_knot_holds_with_other_stiffness_and_thickness() {
    for (stiffness, thickness) in [(100.0, 1.0), (0.01, 1.0), (1.0, 0.7)] {
        let mut scene = named("reef-knot").unwrap();
        scene.law.stiffness *= stiffness;
        scene.law.thickness *= thickness;
        run(&format!("knot, stiffness × {stiffness}, thickness × {thickness}"), &scene, 0.011, 2);
    }
    // Twice the thickness is more than the distance of features of the ribbon itself.
    let mut scene = named("reef-knot").unwrap();
    scene.law.thickness *= 2.0;
    assert!(matches!(scene.simulation(), Err(AsynchronousError::TooClose { .. })));
}

/// For a quarter of 28,000,000 events by default; with `RANDOM_CASES=400` for more than 1e8.
#[test]
fn shells_that_collide_keep_energy_and_momenta() {
    let scene = named("two-shells").unwrap();
    let mut simulation = scene.simulation().unwrap();
    simulation.run_until(0.0).unwrap();
    let (momenta, energy) = (simulation.momenta(), simulation.energies().total());
    let sizes = {
        let both = simulation.surface().masses().iter().zip(simulation.velocities());
        [both.map(|(mass, velocity)| mass * velocity.length()).sum::<f64>(), momenta[1].length()]
    };
    let least = u64::from(cases(28_000_000));
    let (mut errors, mut off) = (Vec::new(), [0.0f64; 2]);
    while simulation.events() < least || simulation.time() < 0.022 {
        simulation.run_until(simulation.time() + 5e-4).unwrap();
        errors.push(simulation.energies().total() / energy - 1.0);
        let after = simulation.momenta();
        (0..2).for_each(|k| off[k] = off[k].max(after[k].distance(momenta[k]) / sizes[k]));
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (first, second) = errors.split_at(errors.len() / 2);
    let worst = errors.iter().fold(0.0f64, |worst, error| worst.max(error.abs()));
    let (means, report) = ((mean(first), mean(second)), simulation.contact_report().unwrap());
    println!(
        "{} events, to {} s: energy off by {worst:.1e} at most, by {:.1e} in the mean of the first half and {:.1e} in that of the second; \
         momenta off by {:.1e} and {:.1e}",
        simulation.events(),
        simulation.time(),
        means.0,
        means.1,
        off[0],
        off[1]
    );
    assert!(
        worst < 5e-3 && means.0.abs() < 1e-3 && means.1.abs() < 1e-3 && report.penalties > 1000,
        "{worst} {means:?}"
    );
    assert!(off[0] < 1e-12 && off[1] < 1e-12, "{off:?}");
}

#[test]
fn impossible_motion_ends_with_the_place_and_nothing_intersecting() {
    let mut scene = named("zeno").unwrap();
    scene.law.most_layers = 40;
    let mut simulation = scene.simulation().unwrap();
    let error = simulation.run_until(scene.duration).unwrap_err();
    assert!(matches!(error, AsynchronousError::NoProgress { .. }), "{error}");
    assert_eq!(simulation.first_intersection(), None);
    assert!(simulation.time() < 0.02 && simulation.time() > 0.015, "{}", simulation.time());
    let unknown = named("reef").unwrap_err().to_string();
    assert!(unknown.contains("reef-knot") && unknown.contains("zeno"), "{unknown}");
}
