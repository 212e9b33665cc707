//! Speculative windows: the same bits as by the queue of certificates, on any number of threads.

use drystone_contact::Pose;
use drystone_contact::shape::Surface;

use super::*;
use crate::prescribed_motion::{Phase, PrescribedMotion};

fn tetrahedron(size: f64) -> Surface {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let corners = corners.map(|p| (DVec3::from(p) - DVec3::splat(0.25)) * size).to_vec();
    Surface::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap()
}

/// Two sheets, one of them held at two corners and moved by them, fall onto an obstacle that turns; a body and a particle hit them.
fn everything(damping: f64) -> AsynchronousSimulation {
    let material = SurfaceMaterial { damping, ..CLOTH };
    let mut surface = sheet(5, &material);
    let lower = surface.positions().len() as u32;
    let points = surface.positions().iter().map(|p| *p * 0.9 - DVec3::Y * 0.06 + DVec3::X * 0.02).collect();
    let second = DeformableSurface::new(points, surface.triangles(), &material).unwrap();
    surface.append(&second);
    let turning = Phase { duration: 1.0, velocity: DVec3::Y * 0.2, angular_velocity: DVec3::Y * 3.0 };
    let below = Pose { translation: DVec3::new(0.5, -0.75, 0.5), ..Pose::IDENTITY };
    let motion = PrescribedMotion::new(vec![turning]).unwrap();
    surface.add_obstacle(&tetrahedron(0.8), &below, &motion, 1e-4).unwrap();
    let above = Pose { translation: DVec3::new(0.4, 0.15, 0.5), ..Pose::IDENTITY };
    let material = AffineMaterial { density: 40.0, stiffness: 1e3, damping };
    surface.add_body(&tetrahedron(0.2), &material, &above, [DVec3::NEG_Y * 2.0, DVec3::new(5.0, 0.0, 2.0)]).unwrap();
    let particle = DeformableSurface::particle(DVec3::new(0.7, 0.1, 0.6), 0.02).unwrap();
    let particle = surface.append(&particle);
    let corners = vec![lower, lower + 5];
    let key = |time: f64, vertices: Vec<u32>, velocity: DVec3| VelocityKey { time, vertices, velocity };
    let keys = vec![
        key(0.0, vec![particle], DVec3::NEG_Y * 1.5),
        key(0.05, corners.clone(), DVec3::Y),
        key(0.11, corners.clone(), DVec3::NEG_X),
    ];
    let simulation = AsynchronousSimulation::new(surface, &corners, DVec3::NEG_Y * 9.82).unwrap();
    simulation.with_velocities(keys).unwrap()
}

const LAW: ContactLaw =
    ContactLaw { thickness: 0.02, stiffness: 2e3, speed: 4.0, restitution: 0.7, friction: 0.3, most_layers: 256 };

fn motion(simulation: &AsynchronousSimulation) -> [Vec<DVec3>; 2] {
    [simulation.positions(), simulation.velocities()]
}

#[test]
fn windows_give_the_bits_of_the_queue_wherever_the_run_is_divided() {
    let mut rollbacks = 0;
    for damping in [0.0, 0.01] {
        let mut queue = everything(damping).with_contact(&LAW).unwrap();
        let mut windows = everything(damping).with_contact_by_windows(&LAW).unwrap();
        for frame in 1..=8 {
            let time = 0.03 * f64::from(frame);
            queue.run_until(time).unwrap();
            windows.run_until(time - 0.01).unwrap();
            windows.run_until(time).unwrap();
            assert_eq!(motion(&queue), motion(&windows), "frame {frame}");
            assert_eq!(windows.first_intersection(), None);
            let energies = [queue.energies(), windows.energies()].map(|energies| energies.total());
            assert!((energies[0] - energies[1]).abs() < 1e-12 * energies[0].abs(), "{energies:?}");
        }
        let (report, seen) = (*windows.contact_report().unwrap(), windows.window_report().unwrap());
        println!("{} events by the queue, {} by windows, {report:?}, {seen:?}", queue.events(), windows.events());
        assert!(seen.windows > 20 && report.penalties > 1000, "{seen:?} {report:?}");
        assert!(report.deepest_layer >= 2 && report.closest > 0.25 * LAW.thickness, "{report:?}");
        assert_eq!(report.fastest, queue.contact_report().unwrap().fastest);
        rollbacks += seen.rollbacks;
    }
    assert!(rollbacks >= 2, "{rollbacks}");
}

/// Large enough for ticks on several threads.
#[test]
fn windows_give_the_same_bits_on_any_number_of_threads() {
    let surface = || {
        let material = MembraneMaterial { stiffness: 20.0, poisson: 0.2 };
        let mut surface = sheet(20, &CLOTH).with_membranes(&material).unwrap();
        let points = surface.positions().iter().map(|p| DVec3::new(p.x, 0.3 * p.z + 0.01, p.z)).collect();
        let second = DeformableSurface::new(points, surface.triangles(), &CLOTH).unwrap();
        let first = surface.append(&second);
        (surface, first)
    };
    let law = ContactLaw { thickness: 5e-3, stiffness: 500.0, ..LAW };
    let made = || {
        let (surface, first) = surface();
        let vertices = (first..surface.positions().len() as u32).collect();
        let key = VelocityKey { time: 0.0, vertices, velocity: DVec3::NEG_Y };
        AsynchronousSimulation::new(surface, &[], DVec3::ZERO).unwrap().with_velocities(vec![key]).unwrap()
    };
    let run = |mut simulation: AsynchronousSimulation, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulation.run_until(0.012)).unwrap();
        assert!(simulation.contact_report().unwrap().penalties > 100, "{:?}", simulation.contact_report());
        motion(&simulation)
    };
    let expected = run(made().with_contact(&law).unwrap(), 1);
    for threads in [1, 2, 3] {
        assert!(run(made().with_contact_by_windows(&law).unwrap(), threads) == expected, "{threads} threads");
    }
}

#[test]
fn motion_that_leaves_no_room_ends_by_windows_too() {
    let mut surface = sheet(2, &CLOTH);
    let count = surface.positions().len() as u32;
    for y in [-0.1, 0.1] {
        let corners = [[-9.0, -9.0], [0.0, 9.0], [9.0, -9.0]].map(|[x, z]| DVec3::new(x, y, z));
        surface.append(&DeformableSurface::new(corners.to_vec(), &[[0, 1, 2]], &CLOTH).unwrap());
    }
    let prescribed: Vec<u32> = (count..count + 6).collect();
    let simulation = AsynchronousSimulation::new(surface, &prescribed, DVec3::ZERO).unwrap();
    let thick = ContactLaw { thickness: 0.2, ..LAW };
    assert!(matches!(simulation.clone().with_contact_by_windows(&thick), Err(AsynchronousError::TooClose { .. })));
    let law = ContactLaw { most_layers: 64, ..LAW };
    let mut simulation = simulation.with_contact_by_windows(&law).unwrap();
    (count..count + 3).for_each(|v| simulation.set_velocity(v, DVec3::Y).unwrap());
    let error = simulation.run_until(1.0).unwrap_err();
    println!("{error}");
    assert!(matches!(error, AsynchronousError::NoProgress { .. }), "{error}");
    assert!(simulation.time() < 0.2 && simulation.time() > 0.15, "{}", simulation.time());
    assert_eq!(simulation.first_intersection(), None);
}
