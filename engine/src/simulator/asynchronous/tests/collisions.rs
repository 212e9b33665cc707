//! Sheets that meet: nothing passes, nothing is missed, and momenta are kept.

use drystone_contact::ccd::exact::decide;
use drystone_contact::ccd::mesh::{MovingMesh, Topology, within};

use super::*;
use crate::simulator::asynchronous::clock::Clock;
use crate::simulator::asynchronous::elasticity::levels;
use crate::simulator::asynchronous::features::{FeaturePair, Features};
use crate::simulator::asynchronous::layers::PenaltyLayers;
use crate::simulator::asynchronous::separation::Separation;

const LAW: ContactLaw =
    ContactLaw { thickness: 0.02, stiffness: 2e3, speed: 4.0, restitution: 1.0, friction: 0.0, most_layers: 256 };

/// Two sheets over each other, turned against each other, that come together with a speed (m/s).
fn two_sheets(cells: u32, speed: f64) -> (DeformableSurface, Vec<DVec3>) {
    let mut surface = sheet(cells, &CLOTH);
    let count = surface.positions().len();
    let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.2, 0.7, -0.15);
    let other = sheet(cells, &CLOTH);
    let middle = DVec3::new(0.5, 0.0, 0.5);
    let moved = other.positions().iter().map(|&p| turn * (p - middle) + middle + DVec3::Y * 0.2).collect();
    let other = DeformableSurface::new(moved, other.triangles(), &CLOTH).unwrap();
    surface.append(&other);
    let velocity = |v: usize| DVec3::Y * if v < count { 0.5 * speed } else { -0.5 * speed };
    let velocities = (0..2 * count).map(velocity).collect();
    (surface, velocities)
}

fn moving(surface: &DeformableSurface, velocities: &[DVec3], gravity: DVec3) -> AsynchronousSimulation {
    let mut simulation = AsynchronousSimulation::new(surface.clone(), &[], gravity).unwrap();
    for (vertex, velocity) in (0..).zip(velocities) {
        simulation.set_velocity(vertex, *velocity).unwrap();
    }
    simulation
}

/// The same motion by looking at all pairs whenever any layer of any pair may tick.
fn by_brute_force(
    surface: &DeformableSurface,
    velocities: &[DVec3],
    law: &ContactLaw,
    most: u32,
    end: f64,
) -> (Vec<DVec3>, Vec<DVec3>) {
    let masses = surface.masses().iter().map(|mass| 1.0 / mass).collect();
    let vertices = Vertices::at_rest(surface.positions().to_vec(), masses);
    let mut vertices = vertices.with_bodies(surface.bodies().to_vec());
    for (vertex, velocity) in (0..).zip(velocities) {
        vertices.set_velocity(vertex, *velocity, Ticks::default());
    }
    let (layers, features) = (PenaltyLayers::new(law).unwrap(), Features::new(surface));
    let mut pairs = Vec::new();
    for triangle in 0..features.corners.len() as u32 {
        let all = (0..vertices.len() as u32).map(|vertex| FeaturePair::vertex_triangle(vertex, triangle));
        pairs.extend(all);
    }
    for a in 0..features.ends.len() as u32 {
        pairs.extend((0..a).map(|b| FeaturePair::edges(b, a)));
    }
    pairs.retain(|&pair| {
        let of = features.vertices(pair);
        let split = pair.kind().split();
        (0..4).all(|i| (0..i).all(|j| of[i] != of[j])) && !features.are_of_one_solid(of[0], of[split])
    });
    pairs.sort_unstable();
    let all: Vec<(FeaturePair, [u32; 4], f64)> = pairs
        .into_iter()
        .map(|pair| {
            let of = features.vertices(pair);
            let split = pair.kind().split();
            let most = |side: &[u32]| side.iter().map(|&v| vertices.inverse_mass(v)).fold(0.0, f64::max);
            (pair, of, layers.first_step(1.0 / (most(&of[..split]) + most(&of[split..]))))
        })
        .collect();
    let levels = levels(surface, &mut vertices).unwrap();
    let innermost = |first_step: f64| layers.clock(most, first_step).unwrap();
    let clocks = levels.iter().map(|level| level.clock).chain(all.iter().map(|pair| innermost(pair.2)));
    let finest: Clock = clocks.min().unwrap();
    let (mut now, mut motions) = (Ticks::default(), Vec::new());
    loop {
        now = finest.after(now);
        if now > Ticks::at(end) {
            break;
        }
        for level in levels.iter().filter(|level| level.clock.ticks_at(now)) {
            level.tick(&mut vertices, now, &mut motions);
        }
        for &(pair, of, first_step) in all.iter().filter(|pair| innermost(pair.2).ticks_at(now)) {
            let found = Separation::of(pair.kind(), &of.map(|v| vertices.position(v, now)));
            let impulse = layers.impulse(found.distance, most, first_step, now);
            if impulse > 0.0 {
                for (vertex, weight) in of.into_iter().zip(found.weights) {
                    vertices.kick(vertex, found.normal * impulse * weight, now);
                }
            }
        }
    }
    let positions = (0..vertices.len() as u32).map(|v| vertices.position(v, Ticks::at(end))).collect();
    (positions, (0..vertices.len() as u32).map(|v| vertices.velocity(v)).collect())
}

#[test]
fn no_impulse_is_missed_to_the_last_bit() {
    for with_body in [false, true] {
        no_impulse_is_missed(with_body);
    }
}

fn no_impulse_is_missed(with_body: bool) {
    let (mut surface, velocities) = two_sheets(2, 2.0);
    let end = 0.11;
    if with_body {
        let corners =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|p| DVec3::from(p) * 0.2);
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let shape = drystone_contact::shape::Surface::new(corners.to_vec(), faces).unwrap();
        let material = AffineMaterial { density: 50.0, stiffness: 1e3, damping: 0.0 };
        let pose = drystone_contact::Pose { translation: DVec3::new(0.45, 0.55, 0.4), ..Default::default() };
        let velocities = [DVec3::new(0.5, -4.0, 0.0), DVec3::new(3.0, 0.0, 4.0)];
        surface.add_body(&shape, &material, &pose, velocities).unwrap();
    }
    let mut simulation = moving(&surface, &velocities, DVec3::ZERO).with_contact(&LAW).unwrap();
    simulation.run_until(end).unwrap();
    let report = simulation.contact_report().unwrap();
    println!("{report:?}, {} events", simulation.events());
    assert!(report.penalties > 200 && report.deepest_layer <= 12, "{report:?}");
    let (positions, velocities) = by_brute_force(&surface, &velocities, &LAW, 12, end);
    if with_body {
        let body = &simulation.bodies()[0];
        assert_ne!(body.velocity().translation, surface.bodies()[0].velocity().translation, "nothing has hit it");
    }
    assert_eq!(simulation.positions(), positions);
    assert_eq!(simulation.velocities(), velocities);
}

#[test]
fn sheets_that_collide_keep_momenta_and_energy_and_do_not_pass() {
    let (surface, velocities) = two_sheets(6, 2.0);
    let mut simulation = moving(&surface, &velocities, DVec3::ZERO).with_contact(&LAW).unwrap();
    let (momenta, energy) = (simulation.momenta(), simulation.energies().total());
    let size = simulation.surface().masses().iter().sum::<f64>();
    let mut worst = 0.0f64;
    for frame in 1..=40 {
        simulation.run_until(0.01 * f64::from(frame)).unwrap();
        assert_eq!(simulation.first_intersection(), None, "frame {frame}");
        worst = worst.max((simulation.energies().total() / energy - 1.0).abs());
    }
    let report = simulation.contact_report().unwrap();
    println!("{report:?}, {} events, pairs {:?}, energy off by {worst:.1e}", simulation.events(), simulation.pairs());
    for (after, before) in simulation.momenta().iter().zip(momenta) {
        let off = after.distance(before);
        assert!(off < 1e-12 * size, "{off}");
    }
    assert!(report.penalties > 1000 && worst < 1e-2, "{worst}");
}

#[test]
fn whatever_the_parameters_nothing_passes() {
    for (speed, stiffness, thickness) in
        [(2.0, 2e5, 0.02), (2.0, 20.0, 0.02), (2.0, 2e3, 0.01), (2.0, 2e3, 0.04), (40.0, 2e3, 0.02)]
    {
        let law = ContactLaw { stiffness, thickness, speed, friction: 0.3, restitution: 0.5, ..LAW };
        let (surface, velocities) = two_sheets(4, speed);
        let mut simulation = moving(&surface, &velocities, DVec3::ZERO).with_contact(&law).unwrap();
        let momenta = simulation.momenta();
        for frame in 1..=12 {
            simulation.run_until(0.04 / speed * f64::from(frame)).unwrap();
            assert_eq!(simulation.first_intersection(), None, "{law:?}, frame {frame}");
        }
        let report = simulation.contact_report().unwrap();
        println!("{speed} {stiffness} {thickness}: {report:?}");
        assert!(report.closest > 0.25 * thickness && report.penalties > 0, "{report:?}");
        let after = simulation.momenta();
        assert!((0..2).all(|k| after[k].distance(momenta[k]) < 1e-12 * speed), "{momenta:?} {after:?}");
    }
}

/// Between two times of events all vertices run straight: decided exactly, by code that contact does not use.
#[test]
fn no_straight_piece_of_the_motion_touches_anything() {
    let (mut surface, mut velocities) = two_sheets(2, 6.0);
    let free = surface.positions().len() as u32;
    let plate = [[-9.0, -9.0], [0.0, 9.0], [9.0, -9.0]].map(|[x, z]| DVec3::new(x, -0.3, z));
    surface.append(&DeformableSurface::new(plate.to_vec(), &[[0, 1, 2]], &CLOTH).unwrap());
    velocities.resize(velocities.len() + 3, DVec3::ZERO);
    let simulation = AsynchronousSimulation::new(surface, &[free, free + 1, free + 2], DVec3::NEG_Y * 9.82).unwrap();
    let law = ContactLaw { friction: 0.3, restitution: 0.7, ..LAW };
    let mut simulation = simulation.with_contact(&law).unwrap();
    for (vertex, velocity) in (0..).zip(&velocities) {
        simulation.set_velocity(vertex, *velocity).unwrap();
    }
    let topology = Topology::new(velocities.len(), &[], simulation.surface().triangles().to_vec()).unwrap();
    let (mut before, mut pieces, mut looked_at) = (simulation.positions(), 0, 0);
    while pieces < 12_000 {
        let next = simulation.next_time().unwrap();
        simulation.run_until(next).unwrap();
        let after = simulation.positions();
        if next > 0.0 {
            let mesh = MovingMesh::new(&topology, &before, &after).unwrap();
            for candidate in within(&mesh, 0.0, |_| true) {
                looked_at += 1;
                let query = candidate.query(&mesh, &mesh);
                assert_eq!(decide(&query, 1.0, 0.0).unwrap(), None, "{candidate:?} at {next} s");
            }
            pieces += 1;
        }
        before = after;
    }
    let report = simulation.contact_report().unwrap();
    println!("{pieces} pieces, {looked_at} queries, {} s, {report:?}", simulation.time());
    assert!(looked_at > 10_000 && report.deepest_layer >= 2, "{looked_at} {report:?}");
}

#[test]
fn motion_that_leaves_no_room_ends_with_the_place_and_nothing_has_passed() {
    let mut surface = sheet(2, &CLOTH);
    let count = surface.positions().len() as u32;
    let plate = |y: f64| {
        let corners = [[-9.0, -9.0], [0.0, 9.0], [9.0, -9.0]].map(|[x, z]| DVec3::new(x, y, z));
        DeformableSurface::new(corners.to_vec(), &[[0, 1, 2]], &CLOTH).unwrap()
    };
    surface.append(&plate(-0.1));
    surface.append(&plate(0.1));
    let prescribed: Vec<u32> = (count..count + 6).collect();
    let simulation = AsynchronousSimulation::new(surface, &prescribed, DVec3::ZERO).unwrap();
    let mut simulation = simulation.with_contact(&LAW).unwrap();
    (count..count + 3).for_each(|v| simulation.set_velocity(v, DVec3::Y).unwrap());
    let error = simulation.run_until(1.0).unwrap_err();
    assert!(matches!(error, AsynchronousError::NoProgress { .. }), "{error}");
    println!("{error}");
    assert!(error.to_string().contains("vertex") && simulation.time() < 0.2);
    assert_eq!(simulation.first_intersection(), None);
}

#[test]
fn starts_that_intersect_or_are_too_close_are_refused() {
    let (mut surface, _) = two_sheets(2, 0.0);
    let make = |surface: &DeformableSurface, law: &ContactLaw| {
        AsynchronousSimulation::new(surface.clone(), &[], DVec3::ZERO).unwrap().with_contact(law).map(|_| ())
    };
    assert_eq!(make(&surface, &LAW), Ok(()));
    let thick = ContactLaw { thickness: 0.3, ..LAW };
    let error = make(&surface, &thick).unwrap_err();
    assert!(matches!(error, AsynchronousError::TooClose { .. }), "{error}");
    for (law, word) in [
        (ContactLaw { thickness: 0.0, ..LAW }, "thickness"),
        (ContactLaw { stiffness: f64::NAN, ..LAW }, "stiffness"),
        (ContactLaw { restitution: 1.5, ..LAW }, "restitution"),
        (ContactLaw { friction: -1.0, ..LAW }, "friction"),
        (ContactLaw { most_layers: 0, ..LAW }, "layers"),
        (ContactLaw { speed: f64::INFINITY, ..LAW }, "speed"),
    ] {
        let error = make(&surface, &law).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    let through: Vec<DVec3> = [[0.0, -1.0, 0.0], [0.1, 1.0, 0.0], [0.0, 1.0, 0.1]]
        .map(|p| DVec3::from(p) + DVec3::new(0.4, 0.0, 0.3))
        .to_vec();
    surface.append(&DeformableSurface::new(through, &[[0, 1, 2]], &CLOTH).unwrap());
    let error = make(&surface, &LAW).unwrap_err();
    assert!(matches!(error, AsynchronousError::Intersecting { triangles: [_, 16] }), "{error}");
}

#[test]
fn the_hierarchy_gives_the_bits_of_the_boxes() {
    let (mut surface, mut velocities) = two_sheets(6, 2.0);
    let first = surface.append(&DeformableSurface::particle(DVec3::new(0.4, -0.1, 0.5), 0.01).unwrap());
    velocities.push(DVec3::Y * 2.0);
    let plate = [[-9.0, -9.0], [0.0, 9.0], [9.0, -9.0]].map(|[x, z]| DVec3::new(x, -0.3, z));
    surface.append(&DeformableSurface::new(plate.to_vec(), &[[0, 1, 2]], &CLOTH).unwrap());
    let prescribed = [first + 1, first + 2, first + 3];
    let law = ContactLaw { friction: 0.2, ..LAW };
    let run = |by_hierarchy: bool| {
        let simulation = AsynchronousSimulation::new(surface.clone(), &prescribed, DVec3::NEG_Y * 9.82).unwrap();
        let added =
            if by_hierarchy { simulation.with_contact_by_hierarchy(&law) } else { simulation.with_contact(&law) };
        let mut simulation = added.unwrap();
        for (vertex, velocity) in (0..).zip(&velocities) {
            simulation.set_velocity(vertex, *velocity).unwrap();
        }
        simulation.run_until(0.25).unwrap();
        simulation
    };
    let (boxes, hierarchy) = (run(false), run(true));
    let (report, done) = (*hierarchy.contact_report().unwrap(), hierarchy.hierarchy_report().unwrap());
    println!("{report:?}\n{done:?}, pairs {:?} and {:?}", boxes.pairs(), hierarchy.pairs());
    assert!(report.penalties > 1000 && done.fitted > 1000 && done.failed > 100 && done.rebuilt > 1, "{done:?}");
    assert_eq!(hierarchy.positions(), boxes.positions());
    assert_eq!(hierarchy.velocities(), boxes.velocities());
    assert_eq!(AsynchronousSimulator::new(hierarchy, 0.1).err(), Some(AsynchronousError::Hierarchy));
    assert_eq!(boxes.hierarchy_report(), None);
    let thick = ContactLaw { thickness: 0.3, ..LAW };
    let (surface, _) = two_sheets(2, 0.0);
    let simulation = AsynchronousSimulation::new(surface, &[], DVec3::ZERO).unwrap();
    assert!(matches!(simulation.with_contact_by_hierarchy(&thick), Err(AsynchronousError::TooClose { .. })));
}
