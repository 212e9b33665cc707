//! What is refused, and what is the same.

use super::scenes::on_plane;
use super::workbench::{Bench, at, block};
use drystone_engine::backtracking::{BacktrackingError, BacktrackingSettings, BacktrackingSimulator};
use drystone_engine::{Body, BodyError, MaterialTable};
use glam::{DQuat, DVec3};

#[test]
fn bad_input_is_refused() {
    let mut bench = Bench::new(0.5, 0.0);
    bench.plane();
    let cube = block(DVec3::ONE);
    let body = bench.dynamic(&cube, at(0.0, 1.0, 0.0, DQuat::IDENTITY));
    for time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(bench.simulation.advance(time), Err(BacktrackingError::TimeStep(_))));
    }
    bench.simulation.body_mut(body).unwrap().velocity.x = f64::NAN;
    assert_eq!(bench.simulation.advance(0.1), Err(BacktrackingError::State { body }));
    bench.simulation.body_mut(body).unwrap().velocity.x = 0.0;
    bench.simulation.body_mut(body).unwrap().position.y = 0.4;
    assert!(matches!(bench.simulation.advance(0.1), Err(BacktrackingError::Overlapping { b, .. }) if b == body));
    assert!(matches!(Body::dynamic(0.0, DVec3::ONE, bench.stuff), Err(BodyError::Mass(_))));
    for bad in [0.0, -1.0, f64::NAN] {
        let settings = BacktrackingSettings { interval: bad, ..BacktrackingSettings::default() };
        assert!(matches!(
            BacktrackingSimulator::new(settings, MaterialTable::new()),
            Err(BacktrackingError::Setting { .. })
        ));
    }
    let settings = BacktrackingSettings { static_speed: f64::NAN, ..BacktrackingSettings::default() };
    assert!(matches!(
        BacktrackingSimulator::new(settings, MaterialTable::new()),
        Err(BacktrackingError::Setting { .. })
    ));
}

#[test]
fn unknown_materials_are_named_when_they_touch() {
    let mut materials = MaterialTable::new();
    let (wood, unknown) = (materials.add("wood").unwrap(), drystone_engine::MaterialId::new(7));
    let mut simulation = BacktrackingSimulator::new(BacktrackingSettings::default(), materials).unwrap();
    let cube = block(DVec3::ONE);
    simulation.add(cube.fixed(wood, at(0.0, -0.5, 0.0, DQuat::IDENTITY)).unwrap()).unwrap();
    simulation.add(cube.dynamic(unknown, at(0.0, 0.6, 0.0, DQuat::IDENTITY)).unwrap()).unwrap();
    assert!(matches!(simulation.advance(1.0), Err(BacktrackingError::Material { .. })));
}

/// A step with too many events ends early and says so.
#[test]
fn a_cap_is_reported() {
    let settings = BacktrackingSettings { most_events: 2, ..BacktrackingSettings::default() };
    let mut bench = Bench::with(0.5, 0.3, settings);
    on_plane(&mut bench, DQuat::from_rotation_x(0.3));
    let report = bench.simulation.advance(2.0).unwrap();
    assert_eq!(report.events.len(), 2);
    assert!(report.unfinished > 0.0 && (report.time + report.unfinished - 2.0).abs() < 1e-12);
}

/// The same bits whatever else runs beside, on one thread and on two.
#[test]
fn bits_do_not_depend_on_threads() {
    let run = || {
        let mut bench = Bench::new(0.5, 0.3);
        on_plane(&mut bench, DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(0.1));
        let report = bench.simulation.advance(1.0).unwrap();
        (bench.simulation.bodies().to_vec(), report)
    };
    let alone = run();
    let beside: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(beside.iter().all(|other| *other == alone));
}

/// Steps may be cut otherwise: two halves are one whole, to the last bit, if the intervals are the same.
#[test]
fn reports_add_up() {
    let bench = || {
        let mut bench = Bench::new(0.5, 0.0);
        on_plane(&mut bench, DQuat::from_rotation_x(0.3));
        bench
    };
    let (mut whole, mut halves) = (bench(), bench());
    let report = whole.simulation.advance(0.5).unwrap();
    let parts = [0.25, 0.25].map(|time| halves.simulation.advance(time).unwrap());
    assert_eq!(report.events.len(), parts.iter().map(|part| part.events.len()).sum::<usize>());
    let apart = whole.simulation.bodies()[1].position.distance(halves.simulation.bodies()[1].position);
    assert!(apart < 1e-9, "{apart}");
}
