//! Affine bodies and obstacles, against closed answers and what must not change.

use drystone_contact::Pose;
use drystone_contact::shape::Surface;
use glam::{DMat3, DQuat};

use super::*;
use crate::prescribed_motion::{Phase, PrescribedMotion};

/// Of 3 kg as a box of 10 × 15 × 20 cm.
const SOFT: AffineMaterial = AffineMaterial { density: 1000.0, stiffness: 1e6, damping: 0.0 };

/// A box around the origin, by its sides, m.
fn cuboid(sides: DVec3) -> Surface {
    let corner = |k: u32| DVec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -0.5 } else { 0.5 })) * sides;
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface::new((0..8).map(corner).collect(), triangles).unwrap()
}

/// A body that was turned and moved.
fn tilted() -> Pose {
    Pose { rotation: DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.4), translation: DVec3::new(0.2, -0.1, 0.4) }
}

fn spun(velocities: [DVec3; 2], material: &AffineMaterial) -> AsynchronousSimulation {
    let mut surface = DeformableSurface::default();
    surface.add_body(&cuboid(DVec3::new(0.1, 0.15, 0.2)), material, &tilted(), velocities).unwrap();
    AsynchronousSimulation::new(surface, &[], DVec3::ZERO).unwrap()
}

#[test]
fn a_box_that_spins_keeps_energy_momenta_and_shape_for_two_hundred_thousand_steps() {
    let turning = DVec3::new(6.0, 6.4, 4.8);
    assert!((turning.length() - 10.0).abs() < 0.01);
    let mut simulation = spun([DVec3::new(0.3, 0.0, -0.2), turning], &SOFT);
    let (momenta, energy) = (simulation.momenta(), simulation.energies().total());
    let mut worst = [0.0f64; 3];
    let step = 2f64.powi(-13);
    simulation.run_until(0.5 * step).unwrap();
    while simulation.events() < 200_000 {
        // Half-way between two ticks, where motion and kicks are symmetric in time: elsewhere the energy of the strain, 3e-5 of all, is known to the
        // first order of the steps only.
        simulation.run_until(simulation.time() + 401.0 * step).unwrap();
        let after = simulation.momenta();
        let body = &simulation.bodies()[0];
        let about_centre = |p: [DVec3; 2], at: DVec3| p[1] - at.cross(p[0]);
        let at = body.placement(simulation.now()).translation;
        let [now, before] = [about_centre(after, at), about_centre(momenta, tilted().translation)];
        worst[0] = worst[0].max((simulation.energies().total() / energy - 1.0).abs());
        worst[1] = worst[1].max(now.distance(before) / before.length());
        worst[2] = worst[2].max(0.5 * body.strain(simulation.now()));
        assert_eq!(after[0], momenta[0]);
    }
    println!(
        "{} steps, {} s: energy {:.1e}, angular momentum {:.1e}, stretch {:.1e}",
        simulation.events(),
        simulation.time(),
        worst[0],
        worst[1],
        worst[2]
    );
    assert!(worst[0] < 1e-6 && worst[1] < 1e-12 && worst[2] < 1e-4, "{worst:?}");
}

#[test]
fn it_turns_as_eulers_equations_say() {
    let turning = DVec3::new(6.0, 6.4, 4.8);
    let stiff = AffineMaterial { stiffness: 1e8, ..SOFT };
    let mut simulation = spun([DVec3::ZERO, turning], &stiff);
    simulation.run_until(1.0).unwrap();
    // The rotation by the exponential map in small steps, with the angular momentum in the world: shares nothing with the body.
    let sides = DVec3::new(0.1, 0.15, 0.2);
    let squares = sides * sides;
    let moments = (DVec3::splat(squares.element_sum()) - squares) * (3.0 / 12.0);
    let inverse = |r: DMat3| r * DMat3::from_diagonal(moments.recip()) * r.transpose();
    let mut r = DMat3::from_quat(tilted().rotation);
    let spin = r * DMat3::from_diagonal(moments) * r.transpose() * turning;
    let steps = 20_000;
    for _ in 0..steps {
        let step = 1.0 / f64::from(steps);
        let half = DMat3::from_quat(DQuat::from_scaled_axis(inverse(r) * spin * (0.5 * step))) * r;
        r = DMat3::from_quat(DQuat::from_scaled_axis(inverse(half) * spin * step)) * r;
    }
    for (k, corner) in cuboid(sides).vertices().iter().enumerate() {
        let expected = tilted().translation + r * *corner;
        let found = simulation.positions()[k];
        assert!(found.distance(expected) < 2e-4, "{found} {expected}");
    }
}

#[test]
fn an_impulse_at_a_vertex_moves_all_by_their_mobility() {
    let bodies = spun([DVec3::ZERO; 2], &SOFT).bodies().to_vec();
    let mut vertices = Vertices::at_rest(vec![DVec3::ZERO; 8], vec![0.0; 8]).with_bodies(bodies);
    // m = 3, Sⱼ = m a²/12: at a corner 1/m + 3 · (a/2)² · 12 / (m a²) = 10/m.
    assert!((vertices.inverse_mass(0) - 10.0 / 3.0).abs() < 1e-12);
    let (now, impulse) = (Ticks::default(), DVec3::new(0.1, -0.2, 0.3));
    let at = vertices.position(5, now);
    vertices.kick(5, impulse, now);
    for v in 0..8 {
        assert!(vertices.velocity(v).distance(impulse * vertices.mobility(v, 5)) < 1e-13);
    }
    let [momentum, angular] = vertices.bodies()[0].momenta(now);
    assert!(momentum.distance(impulse) < 1e-14 && angular.distance(at.cross(impulse)) < 1e-14);
}

#[test]
fn bodies_that_collide_keep_momenta_and_do_not_pass() {
    for (friction, restitution, damping) in [(0.0, 1.0, 0.0), (0.4, 0.5, 200.0)] {
        let material = AffineMaterial { damping, ..SOFT };
        let mut surface = DeformableSurface::default();
        let sides = DVec3::new(0.1, 0.15, 0.2);
        let velocities = [[DVec3::ZERO, DVec3::new(2.0, 5.0, -3.0)], [DVec3::new(-2.0, 0.3, -0.4), DVec3::ZERO]];
        let poses = [Pose::IDENTITY, Pose { translation: DVec3::X * 0.3, ..tilted() }];
        for k in 0..2 {
            surface.add_body(&cuboid(sides), &material, &poses[k], velocities[k]).unwrap();
        }
        // A sheet comes from the other side.
        let sheet = sheet(4, &CLOTH);
        let points = sheet.positions().iter().map(|&p| DVec3::new(-0.3 + p.y, p.x - 0.5, p.z - 0.5)).collect();
        let first = surface.append(&DeformableSurface::new(points, sheet.triangles(), &CLOTH).unwrap());
        let count = surface.positions().len() as u32;
        let law =
            ContactLaw { thickness: 5e-3, stiffness: 2e4, speed: 4.0, friction, restitution, ..ContactLaw::default() };
        let mut simulation =
            AsynchronousSimulation::new(surface, &[], DVec3::ZERO).unwrap().with_contact(&law).unwrap();
        (first..count).for_each(|v| simulation.set_velocity(v, DVec3::X * 1.5).unwrap());
        let (momenta, energy) = (simulation.momenta(), simulation.energies().total());
        let mut rise = 0.0f64;
        for frame in 1..=24 {
            simulation.run_until(0.02 * f64::from(frame)).unwrap();
            assert_eq!(simulation.first_intersection(), None, "frame {frame}");
            rise = rise.max(simulation.energies().total() / energy - 1.0);
        }
        let (report, after) = (*simulation.contact_report().unwrap(), simulation.momenta());
        let last = simulation.energies().total() / energy - 1.0;
        println!("{} events, energy off by {last:.1e}, never above {rise:.1e}, {report:?}", simulation.events());
        assert!(report.penalties > 500 && report.closest > 0.25 * law.thickness);
        for k in 0..2 {
            assert!(after[k].distance(momenta[k]) < 1e-12, "{momenta:?} {after:?}");
        }
        // The energy of the sheet swings as much by itself.
        assert!(rise < 1.5e-2 && if friction > 0.0 { last < -0.05 } else { last.abs() < 1.5e-2 }, "{rise} {last}");
    }
}

#[test]
fn a_box_bounces_off_an_obstacle_and_comes_to_rest_on_it() {
    let mut surface = DeformableSurface::default();
    let material = AffineMaterial { damping: 500.0, ..SOFT };
    let floor = Pose { translation: DVec3::NEG_Y * 0.2, ..Pose::IDENTITY };
    surface.add_obstacle(&cuboid(DVec3::new(2.0, 0.2, 2.0)), &floor, &PrescribedMotion::default(), 1e-6).unwrap();
    let at = Pose { rotation: tilted().rotation, translation: DVec3::Y * 0.1 };
    surface.add_body(&cuboid(DVec3::splat(0.1)), &material, &at, [DVec3::ZERO; 2]).unwrap();
    let law = ContactLaw {
        thickness: 2e-3,
        stiffness: 2e4,
        speed: 3.0,
        friction: 0.5,
        restitution: 0.2,
        ..ContactLaw::default()
    };
    let mut simulation =
        AsynchronousSimulation::new(surface, &[], DVec3::NEG_Y * 9.82).unwrap().with_contact(&law).unwrap();
    for frame in 1..=20 {
        simulation.run_until(0.075 * f64::from(frame)).unwrap();
        assert_eq!(simulation.first_intersection(), None, "frame {frame}");
    }
    let height = simulation.bodies()[1].placement(simulation.now()).translation.y;
    println!("{} events, {height} m, {:?}", simulation.events(), simulation.contact_report());
    assert!(simulation.contact_report().unwrap().closest > 0.25 * law.thickness);
    // On a face, the middle of the box is half a side and less than the thickness above the floor.
    assert!(height > -0.05 && height < -0.05 + law.thickness, "{height}");
    assert!(simulation.energies().kinetic < 1e-4, "{:?}", simulation.energies());
}

#[test]
fn an_obstacle_goes_along_its_path_within_the_chord_error() {
    let phase =
        |duration: f64, velocity: DVec3, angular_velocity: DVec3| Phase { duration, velocity, angular_velocity };
    let (turn, error) = (DVec3::new(0.0, 2.0, 3.0), 1e-4);
    let phases = vec![
        phase(0.7, DVec3::X, DVec3::ZERO),
        phase(0.9, DVec3::Y, turn),
        phase(f64::INFINITY, DVec3::ZERO, DVec3::X),
    ];
    let mut surface = DeformableSurface::default();
    let shape = cuboid(DVec3::new(0.1, 0.15, 0.2));
    surface.add_obstacle(&shape, &tilted(), &PrescribedMotion::new(phases).unwrap(), error).unwrap();
    let mut simulation = AsynchronousSimulation::new(surface, &[], DVec3::NEG_Y).unwrap();
    let mut worst = 0.0f64;
    for k in 1..=200 {
        let time = 0.01 * f64::from(k);
        simulation.run_until(time).unwrap();
        let (second, third) = ((time - 0.7).clamp(0.0, 0.9), (time - 1.6).max(0.0));
        let rotation =
            DQuat::from_scaled_axis(DVec3::X * third) * DQuat::from_scaled_axis(turn * second) * tilted().rotation;
        let translation = tilted().translation + DVec3::X * time.min(0.7) + DVec3::Y * second;
        for (found, corner) in simulation.positions().iter().zip(shape.vertices()) {
            worst = worst.max(found.distance(translation + rotation * *corner));
        }
    }
    println!("{} pieces, off by {worst:.1e}", simulation.events());
    assert!(worst < error && worst > 0.3 * error, "{worst}");
}

#[test]
fn a_body_that_would_be_turned_inside_out_ends_with_its_name() {
    let soft = AffineMaterial { stiffness: 1.0, ..SOFT };
    let mut simulation = spun([DVec3::ZERO, DVec3::Y * 30.0], &soft);
    let error = simulation.run_until(5.0).unwrap_err();
    assert!(matches!(error, AsynchronousError::Distorted { body: 0, .. }), "{error}");
    assert!(simulation.bodies()[0].placement(simulation.now()).matrix3.determinant() > 0.1);
}

#[test]
fn bad_bodies_are_refused() {
    let (shape, mut surface) = (cuboid(DVec3::ONE), DeformableSurface::default());
    let zero = [DVec3::ZERO; 2];
    for (material, velocities, word) in [
        (AffineMaterial { density: 0.0, ..SOFT }, zero, "density"),
        (AffineMaterial { stiffness: f64::NAN, ..SOFT }, zero, "stiffness"),
        (AffineMaterial { damping: -1.0, ..SOFT }, zero, "damping"),
        (SOFT, [DVec3::splat(f64::NAN), DVec3::ZERO], "velocity"),
        (SOFT, [DVec3::ZERO, DVec3::splat(f64::INFINITY)], "angular velocity"),
    ] {
        let error = surface.add_body(&shape, &material, &Pose::IDENTITY, velocities).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    let nowhere = Pose { translation: DVec3::splat(f64::NAN), ..Pose::IDENTITY };
    assert!(surface.add_body(&shape, &SOFT, &nowhere, zero).is_err());
    let still = PrescribedMotion::default();
    assert!(surface.add_obstacle(&shape, &Pose::IDENTITY, &still, 0.0).is_err());
    assert_eq!(surface, DeformableSurface::default());
    surface.add_body(&shape, &SOFT, &Pose::IDENTITY, zero).unwrap();
    let error = AsynchronousSimulation::new(surface.clone(), &[3], DVec3::ZERO).unwrap_err();
    assert_eq!(error, AsynchronousError::OfBody { vertex: 3, body: 0 });
    let mut simulation = AsynchronousSimulation::new(surface, &[], DVec3::ZERO).unwrap();
    assert!(simulation.set_velocity(0, DVec3::X).is_err());
}
