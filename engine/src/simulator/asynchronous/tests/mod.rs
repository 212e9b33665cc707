//! Surfaces without contact, against closed answers and what must not change; bodies in [`bodies`], contact in [`bounces`] and [`collisions`].

mod bodies;
mod bounces;
mod collisions;
mod windows;

use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

use super::*;

const CLOTH: SurfaceMaterial = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-3, damping: 0.0 };

/// A square sheet of a metre with cells along each side, in the plane y = 0.
fn sheet(cells: u32, material: &SurfaceMaterial) -> DeformableSurface {
    let mut random = SplitMix::new(9);
    let side = cells + 1;
    let mut noise = |k: u32| if k == 0 || k == cells { 0.0 } else { random.next_between(-0.2, 0.2) };
    let mut positions = Vec::new();
    for i in 0..side {
        for j in 0..side {
            let place = [f64::from(i) + noise(i), f64::from(j) + noise(j)].map(|x| x / f64::from(cells));
            positions.push(DVec3::new(place[0], 0.0, place[1]));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..cells {
        for j in 0..cells {
            let [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[p, q]| (i + p) * side + j + q);
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    DeformableSurface::new(positions, &triangles, material).unwrap()
}

#[test]
fn a_free_sheet_falls_without_bending() {
    let mut simulation = AsynchronousSimulation::new(sheet(4, &CLOTH), &[], DVec3::NEG_Y * 9.82).unwrap();
    let before = simulation.positions();
    simulation.run_until(0.5).unwrap();
    // Kicks of g Δt at the end of each step: n (n − 1) / 2 of g Δt².
    let step = 2f64.powi(-10);
    let steps = 0.5 / step;
    let fallen = 0.5 * 9.82 * step * step * steps * (steps - 1.0);
    for (from, to) in before.iter().zip(simulation.positions()) {
        assert!((*from - DVec3::Y * fallen).distance(to) < 1e-12, "{from} {to}");
    }
}

#[test]
fn a_sheet_that_swings_keeps_momenta_and_energy() {
    keeps_momenta_and_energy(sheet(6, &CLOTH), 100_000);
    let material = MembraneMaterial { stiffness: 30.0, poisson: 0.3 };
    keeps_momenta_and_energy(sheet(6, &CLOTH).with_membranes(&material).unwrap(), 50_000);
}

fn keeps_momenta_and_energy(surface: DeformableSurface, least: u64) {
    let mut simulation = AsynchronousSimulation::new(surface, &[], DVec3::ZERO).unwrap();
    // It bends and stretches in long waves, and turns.
    for (vertex, position) in (0..).zip(simulation.positions()) {
        let wave = |turns: f64| libm::cos(turns * std::f64::consts::PI * position.x);
        let velocity = DVec3::new(0.1 * wave(1.0), 0.5 * wave(2.0), 0.2 * position.x);
        simulation.set_velocity(vertex, velocity).unwrap();
    }
    let (momenta, energy) = (simulation.momenta(), simulation.energies().total());
    let mut errors = Vec::new();
    for frame in 1..=100 {
        simulation.run_until(0.02 * f64::from(frame)).unwrap();
        errors.push(simulation.energies().total() / energy - 1.0);
    }
    let worst = errors.iter().fold(0.0f64, |worst, error| worst.max(error.abs()));
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let trend = mean(&errors[50..]) - mean(&errors[..50]);
    let after = simulation.momenta();
    println!("{} events, energy off by {worst:.1e}, with a trend of {trend:.1e}", simulation.events());
    assert!(simulation.events() > least && worst < 1e-2 && trend.abs() < 1e-3, "{worst} {trend}");
    for k in 0..2 {
        assert!(after[k].distance(momenta[k]) < 1e-12 * momenta[k].length().max(0.1), "{momenta:?} {after:?}");
    }
}

#[test]
fn where_a_run_is_divided_makes_no_difference() {
    let simulation = || {
        let mut simulation = AsynchronousSimulation::new(sheet(3, &CLOTH), &[0, 3], DVec3::NEG_Y * 9.82).unwrap();
        simulation.set_velocity(3, DVec3::X * 0.2).unwrap();
        simulation
    };
    let (mut whole, mut divided) = (simulation(), simulation());
    whole.run_until(0.3).unwrap();
    for k in 1..=300 {
        divided.run_until(1e-3 * f64::from(k)).unwrap();
    }
    divided.run_until(0.3).unwrap();
    assert_eq!((whole.positions(), whole.velocities()), (divided.positions(), divided.velocities()));
    assert_eq!(whole.positions()[0], sheet(3, &CLOTH).positions()[0]);
    assert!((whole.positions()[3].x - 0.06).abs() < 1e-12);
}

#[test]
fn damping_takes_energy_and_no_momentum() {
    let damped = SurfaceMaterial { damping: 0.01, ..CLOTH };
    let mut simulation = AsynchronousSimulation::new(sheet(4, &damped), &[], DVec3::ZERO).unwrap();
    simulation.set_velocity(12, DVec3::new(3.0, 1.0, 2.0)).unwrap();
    let (momenta, energy) = (simulation.momenta(), simulation.energies().total());
    simulation.run_until(2.0).unwrap();
    assert!(simulation.energies().total() < 0.9 * energy);
    assert!(
        simulation.momenta()[0].distance(momenta[0]) < 1e-13 && simulation.momenta()[1].distance(momenta[1]) < 1e-13
    );
}

#[test]
fn a_weight_on_a_spring_swings_with_its_period() {
    // Two triangles: the far vertex swings along the spring to it. Only the sum of stiffnesses along x matters.
    let k = 30.0;
    let material = SurfaceMaterial { stretching: k, bending: 0.0, ..CLOTH };
    let positions = vec![DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 1.0)];
    let surface = DeformableSurface::new(positions, &[[0, 2, 1]], &material).unwrap();
    let mass = surface.masses()[1];
    let mut simulation = AsynchronousSimulation::new(surface, &[0, 2], DVec3::ZERO).unwrap();
    // One spring along x, one at 45° with the length √2: small motions along x.
    let along = k + k / 2f64.sqrt() * 0.5;
    simulation.set_velocity(1, DVec3::X * 1e-5).unwrap();
    let period = std::f64::consts::TAU / (along / mass).sqrt();
    // The diagonal couples x and z; for a tenth of a period that is of second order.
    let time = 0.1 * period;
    simulation.run_until(time).unwrap();
    let expected = 1e-5 * (along / mass).sqrt().recip() * libm::sin(0.1 * std::f64::consts::TAU);
    let found = simulation.positions()[1].x - 1.0;
    assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
}

#[test]
fn prescribed_velocities_change_at_their_times() {
    let simulation = AsynchronousSimulation::new(sheet(3, &CLOTH), &[0, 3], DVec3::ZERO).unwrap();
    let key = |time: f64, x: f64| VelocityKey { time, vertices: vec![3], velocity: DVec3::X * x };
    let mut moved = simulation.clone().with_velocities(vec![key(0.5, -1.0), key(0.25, 2.0), key(1.0, 0.0)]).unwrap();
    let before = moved.positions()[3].x;
    for (time, x) in [(0.25, 0.0), (0.3125, 0.125), (0.5, 0.5), (2.0, 0.0)] {
        moved.run_until(time).unwrap();
        assert!((moved.positions()[3].x - before - x).abs() < 1e-12, "{time}");
    }
    assert!(matches!(simulation.clone().with_velocities(vec![key(-1.0, 0.0)]), Err(AsynchronousError::Time { .. })));
    assert!(matches!(moved.with_velocities(vec![key(1.0, 0.0)]), Err(AsynchronousError::Time { .. })));
    assert!(simulation.with_velocities(vec![key(0.0, f64::NAN)]).is_err());
}

#[test]
fn prescribed_forces_change_the_momentum_at_their_times() {
    let material = SurfaceMaterial { bending: 0.0, ..CLOTH };
    let simulation = AsynchronousSimulation::new(sheet(3, &material), &[], DVec3::ZERO).unwrap();
    let key = |time: f64, vertices: Vec<u32>, force: f64| ForceKey { time, vertices, force: DVec3::X * force };
    let keys = vec![key(0.25, vec![3, 4], 0.5), key(0.0, vec![3], 0.125), key(0.5, vec![4, 3], 0.0)];
    let mut pushed = simulation.clone().with_forces(keys).unwrap();
    for (time, momentum) in [(0.0, 0.0), (0.125, 0.125 * 0.125), (0.5, 0.125 * 0.25 + 2.0 * 0.5 * 0.25), (1.0, 0.28125)]
    {
        pushed.run_until(time).unwrap();
        // The first kick of a force comes a step early, or the last one late.
        let found = pushed.momenta()[0];
        assert!((found.x - momentum).abs() < 1.0 / 1024.0 && found.y.abs() < 1e-15, "{time}: {found} {momentum}");
    }
    assert!(pushed.clone().with_forces(vec![key(0.5, vec![1], 1.0)]).is_err());
    assert!(simulation.clone().with_forces(vec![key(0.5, vec![99], 1.0)]).is_err());
    assert!(simulation.with_forces(vec![key(0.5, vec![1], f64::NAN)]).is_err());
}

/// Beyond the ticks that are counted clocks would begin again; in a frame shorter than a tick nothing happens.
#[test]
fn times_that_are_not_counted_are_refused() {
    let simulation = || AsynchronousSimulation::new(sheet(2, &CLOTH), &[], DVec3::ZERO).unwrap();
    for time in [Ticks::END, 1e300, f64::INFINITY] {
        assert_eq!(simulation().run_until(time), Err(AsynchronousError::TooLong { time, end: Ticks::END }));
    }
    for time_step in [0.0, 1e-300, 0.5 * Ticks::DURATION, f64::NAN] {
        let error = AsynchronousSimulator::new(simulation(), time_step).err().unwrap().to_string();
        assert!(error.contains("time step"), "{error}");
    }
    assert!(AsynchronousSimulator::new(simulation(), Ticks::DURATION).is_ok());
}

#[test]
fn bad_surfaces_are_refused_with_the_place() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
    let refuse = |positions: &[DVec3], triangles: &[[u32; 3]], material: &SurfaceMaterial, part: &str| {
        let error = DeformableSurface::new(positions.to_vec(), triangles, material).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    let two = [[0, 1, 2], [0, 2, 3]];
    refuse(&square, &[], &CLOTH, "without triangles");
    refuse(&square, &[[0, 1, 7]], &CLOTH, "triangle 0");
    refuse(&square, &[[0, 1, 1]], &CLOTH, "three different");
    refuse(&square, &[[0, 1, 2]], &CLOTH, "vertex 3 belongs to no triangle");
    refuse(&square, &[[0, 1, 2], [0, 3, 2]], &CLOTH, "exchange");
    let five = [&square[..], &[DVec3::Y]].concat();
    refuse(&five, &[[0, 1, 2], [2, 1, 3], [1, 2, 4]], &CLOTH, "3 triangles meet at the edge");
    let mut flat = square.clone();
    flat[1] = 0.5 * (square[0] + square[2]);
    refuse(&flat, &two, &CLOTH, "no area");
    flat[1].x = f64::NAN;
    refuse(&flat, &two, &CLOTH, "vertex 1 is at");
    refuse(&square, &two, &SurfaceMaterial { area_density: 0.0, ..CLOTH }, "area density is 0");
    refuse(&square, &two, &SurfaceMaterial { damping: -1.0, ..CLOTH }, "damping is -1");
    let surface = DeformableSurface::new(square.clone(), &two, &CLOTH).unwrap();
    let make = |prescribed: &[u32]| AsynchronousSimulation::new(surface.clone(), prescribed, DVec3::ZERO);
    assert!(matches!(make(&[9]), Err(AsynchronousError::NoVertex { vertex: 9, count: 4 })));
    let mut simulation = make(&[]).unwrap();
    simulation.run_until(0.1).unwrap();
    assert!(matches!(simulation.run_until(0.05), Err(AsynchronousError::Time { .. })));
    assert!(
        simulation.set_velocity(0, DVec3::splat(f64::NAN)).is_err() && simulation.set_velocity(4, DVec3::X).is_err()
    );
    let hard = SurfaceMaterial { stretching: 1e30, ..CLOTH };
    let hard = DeformableSurface::new(square, &two, &hard).unwrap();
    let error = AsynchronousSimulation::new(hard, &[], DVec3::ZERO).unwrap_err().to_string();
    assert!(error.contains("too stiff"), "{error}");
}
