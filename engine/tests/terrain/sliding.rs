//! A box and a ball slide without friction over 10,000 triangles: no edge inside the surface stops them.

use super::workbench::{add_fixed, at, both, field, world};
use drystone_contact::shape::{Ball, HeightField, Shape};
use drystone_engine::{Pose, Solid, World};
use glam::{DQuat, DVec3};

/// Steps until a body has settled.
const SETTLED: usize = 60;

/// A body that slides for a while: the largest change of its energy as a share of the first kinetic energy, and the largest angle of a
/// contact normal from the one that is expected where it is, rad.
fn slide(surface: &Shape, solid: &Solid, pose: Pose, velocity: DVec3, normal: impl Fn(DVec3) -> DVec3) -> (f64, f64) {
    let (mut world, stuff) = world(0.0, 0.01);
    add_fixed(&mut world, surface.clone(), stuff);
    let body = world.add(solid.dynamic(stuff, pose).unwrap()).unwrap();
    world.body_mut(body).unwrap().velocity = velocity;
    let gravity = world.settings_mut().step.forces.gravity;
    let energy = |world: &World| {
        let body = world.body(body).unwrap();
        body.kinetic_energy() - body.mass() * gravity.dot(body.position)
    };
    // Until it has settled in its contacts.
    for _ in 0..SETTLED {
        world.step().unwrap();
    }
    let (first, kinetic) = (energy(&world), world.body(body).unwrap().kinetic_energy());
    let (mut change, mut angle, mut touching) = (0.0_f64, 0.0_f64, 0);
    for _ in SETTLED..300 {
        let report = world.step().unwrap();
        for contact in &report.contacts {
            let off = contact.contact.normal.cross(normal(contact.contact.position)).length();
            angle = angle.max(off);
        }
        touching += usize::from(!report.contacts.is_empty());
        change = change.max((energy(&world) - first).abs() / kinetic);
    }
    assert!(touching > 200, "it lies on the surface: {touching}");
    let went = world.body(body).unwrap().position.distance(pose.translation);
    assert!(went > 2.5, "it goes on: {went}");
    (change, angle)
}

fn solids() -> [(Solid, f64); 2] {
    let ball: Shape = Ball::new(0.3).unwrap().into();
    [(Solid::cuboid(DVec3::new(0.6, 0.4, 0.5), 1000.0).unwrap(), 0.2), (Solid::new(&ball, 1000.0).unwrap(), 0.3)]
}

#[test]
fn nothing_stops_on_edges_inside_a_flat_surface() {
    let flat = field(72, 72, 0.07, |_, _| 0.0);
    for surface in both(&flat) {
        for (solid, height) in solids() {
            let pose = Pose::from_parts(DVec3::new(0.6, height, 0.7), DQuat::from_rotation_y(0.3));
            let (change, angle) = slide(&surface, &solid, pose, DVec3::new(0.9, 0.0, 0.7), |_| DVec3::Y);
            println!("{}: energy changes by {change:.1e}, normals are off by {angle:.1e}", surface.kind());
            assert!(change < 1e-6 && angle < 1e-9, "{}: {change:e} {angle:e}", surface.kind());
        }
    }
}

#[test]
fn nothing_stops_on_edges_inside_a_curved_surface() {
    // A valley with a radius of 40 m across, level along x.
    let across = |z: f64| (z - 2.5) * (z - 2.5) / 80.0;
    let valley = field(72, 72, 0.07, |_, z| across(z));
    for surface in both(&valley) {
        for (solid, height) in solids() {
            let start = at(0.6, height, 2.5);
            let normal = |p: DVec3| DVec3::new(0.0, 1.0, -(p.z - 2.5) / 40.0).normalize();
            let (change, angle) = slide(&surface, &solid, start, DVec3::new(1.1, 0.0, 0.0), normal);
            println!("{}: energy changes by {change:.1e}, normals are off by {angle:.1e}", surface.kind());
            // A facet is 0.07 m long and turns by 1.75 mrad against the next.
            assert!(change < 5e-3 && angle < 4e-3, "{}: {change:e} {angle:e}", surface.kind());
        }
    }
}

#[test]
fn a_ball_that_rolls_over_a_dome_of_a_million_cells_costs_as_on_a_small_one() {
    let height = |x: f64, z: f64| 0.2 * libm::sin(x) * libm::cos(z);
    let ball: Shape = Ball::new(0.3).unwrap().into();
    let ball = Solid::new(&ball, 1000.0).unwrap();
    let time = |count: usize| {
        let field: HeightField = field(count, count, 0.1, height);
        let (mut world, stuff) = world(0.5, 0.01);
        add_fixed(&mut world, field.into(), stuff);
        let start = at(0.6, 0.6, 0.6);
        let body = world.add(ball.dynamic(stuff, start).unwrap()).unwrap();
        world.step().unwrap();
        let begin = std::time::Instant::now();
        for _ in 0..100 {
            world.step().unwrap();
        }
        assert!(world.body(body).unwrap().position.y > 0.0);
        (begin.elapsed(), world.body(body).unwrap().position)
    };
    let (small, there) = time(12);
    let (large, also_there) = time(1001);
    println!("100 steps: {small:?} over 121 cells, {large:?} over a million");
    assert_eq!(there, also_there);
}
