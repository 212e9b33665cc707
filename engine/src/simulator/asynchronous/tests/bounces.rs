//! A particle that bounces off walls: contact in one dimension, against closed answers.

use super::*;
use crate::simulator::asynchronous::DeformableSurface;

/// A large triangle that does not move, level, with its normal upwards.
fn wall(y: f64) -> DeformableSurface {
    let corners = [[-9.0, -9.0], [0.0, 9.0], [9.0, -9.0]].map(|[x, z]| DVec3::new(x, y, z));
    DeformableSurface::new(corners.to_vec(), &[[0, 1, 2]], &CLOTH).unwrap()
}

/// A particle of 1 kg at y = 0 with a speed downwards (m/s), and walls at some heights (m). It is vertex 0.
fn bouncing(walls: &[f64], speed: f64, law: &ContactLaw) -> AsynchronousSimulation {
    let mut surface = DeformableSurface::particle(DVec3::ZERO, 1.0).unwrap();
    walls.iter().for_each(|&y| _ = surface.append(&wall(y)));
    let prescribed: Vec<u32> = (1..=3 * walls.len() as u32).collect();
    let simulation = AsynchronousSimulation::new(surface, &prescribed, DVec3::ZERO).unwrap();
    let mut simulation = simulation.with_contact(law).unwrap();
    simulation.set_velocity(0, DVec3::NEG_Y * speed).unwrap();
    simulation
}

/// A law for a particle of 1 kg with β = v √(m/r(1)) / η(1).
fn law(beta: f64, speed: f64) -> ContactLaw {
    let thickness = 0.1;
    ContactLaw { thickness, stiffness: (speed / (beta * thickness)).powi(2), speed, ..ContactLaw::default() }
}

#[test]
fn the_depth_grows_with_the_speed_by_a_power_of_four_sevenths() {
    for (beta, expected) in [(1.0, 5.6), (10.0, 20.9), (100.0, 77.8f64)] {
        let mut simulation = bouncing(&[-0.5], 1.0, &law(beta, 1.0));
        simulation.run_until(1.2).unwrap();
        let report = *simulation.contact_report().unwrap();
        let layers = f64::from(report.deepest_layer);
        println!(
            "β {beta}: layer {layers}, closest {:.3} of the thickness, {}",
            report.closest / 0.1,
            simulation.velocities()[0].y
        );
        // The next layer is activated as soon as it is near.
        assert!((layers - expected).abs() <= if beta > 50.0 { 3.0 } else { 1.5 }, "{layers} {expected}");
        assert!(report.closest > 0.25 * 0.1 && simulation.velocities()[0].y > 0.0);
    }
}

#[test]
fn it_comes_back_with_its_restitution() {
    for restitution in [1.0, 0.9, 0.5, 0.1] {
        let law = ContactLaw { restitution, ..law(1.0, 1.0) };
        let mut simulation = bouncing(&[-0.5], 1.0, &law);
        simulation.run_until(1.5).unwrap();
        let speed = simulation.velocities()[0].y;
        assert!((speed - restitution).abs() < 1e-3, "{speed} {restitution}");
    }
}

/// `RANDOM_CASES=3000` (per cent) makes thirty times as many bounces, with the bound for those.
#[test]
fn the_energy_diffuses_slowly_over_a_thousand_bounces() {
    let share = std::env::var("RANDOM_CASES").map_or(100, |text| text.parse().expect("a number, per cent"));
    let times: u32 = (share / 100).max(1);
    let mut simulation = bouncing(&[-0.5, 0.5], 1.0, &law(1.0, 1.0));
    let mut worst = 0.0f64;
    let mut sides = [0u32; 2];
    for step in 1..=1800 * times {
        simulation.run_until(0.5 * f64::from(step)).unwrap();
        // Energy that layers hold is known to the first order of their steps only.
        if simulation.pairs()[1] == 0 {
            worst = worst.max((simulation.energies().total() / 0.5 - 1.0).abs());
            sides[usize::from(simulation.velocities()[0].y > 0.0)] += 1;
        }
    }
    let ticks = simulation.contact_report().unwrap().penalties;
    println!("{ticks} ticks, energy off by {worst:.1e}");
    assert!(sides[0] > 500 * times && sides[1] > 500 * times, "{sides:?}");
    assert!(ticks > u64::from(100_000 * times) && worst < if times > 1 { 0.05 } else { 0.01 }, "{worst}");
}

#[test]
fn it_runs_backwards() {
    let mut simulation = bouncing(&[-0.5, 0.5], 1.0, &law(1.0, 1.0));
    // Clocks tick at the same times before and after any multiple of their steps.
    let middle = 8.0;
    simulation.run_until(middle).unwrap();
    assert_eq!(simulation.pairs()[1], 0, "between the walls");
    let velocity = simulation.velocities()[0];
    simulation.set_velocity(0, -velocity).unwrap();
    simulation.run_until(2.0 * middle).unwrap();
    let (place, ticks) = (simulation.positions()[0].y, simulation.contact_report().unwrap().penalties);
    println!("{ticks} ticks, back at {place:.1e} m");
    assert!(place.abs() < 1e-8 && ticks > 2000, "{place} {ticks}");
}

#[test]
fn friction_stops_what_slides_and_no_more() {
    // Pressed on by gravity, 2 m/s of sliding at μ = 0.3 last for 2 / (0.3 · 9.82) s and a way of 2² / (2 · 0.3 · 9.82) m.
    let law = ContactLaw { thickness: 0.01, stiffness: 1e4, friction: 0.3, restitution: 0.0, ..ContactLaw::default() };
    let mut surface = DeformableSurface::particle(DVec3::Y * 0.0101, 1.0).unwrap();
    surface.append(&wall(0.0));
    let simulation = AsynchronousSimulation::new(surface, &[1, 2, 3], DVec3::NEG_Y * 9.82).unwrap();
    let mut simulation = simulation.with_contact(&law).unwrap();
    simulation.set_velocity(0, DVec3::X * 2.0).unwrap();
    simulation.run_until(1.5).unwrap();
    let way = simulation.positions()[0].x;
    assert!((way / (4.0 / (0.6 * 9.82)) - 1.0).abs() < 0.02, "{way}");
    assert!(simulation.velocities()[0].x.abs() < 1e-3, "{}", simulation.velocities()[0]);
}
