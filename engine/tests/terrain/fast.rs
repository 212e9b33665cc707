//! Bodies that come at 20 m/s, or 100 m/s, do not get through.

use super::workbench::{add_fixed, both, depth_below, field, world};
use drystone_contact::shape::{Ball, Shape};
use drystone_engine::{Pose, Solid};
use glam::{DQuat, DVec3};

/// The deepest that a body gets that is shot at the ground, m, and whether it is above it at the end.
fn shot(
    surface: &Shape,
    ground: &drystone_contact::shape::HeightField,
    solid: &Solid,
    speed: f64,
    k: u32,
) -> (f64, bool) {
    let (mut world, stuff) = world(0.5, 1.0 / 60.0);
    add_fixed(&mut world, surface.clone(), stuff);
    let place = DVec3::new(3.5 + 0.31 * f64::from(k), 1.5, 3.2 + 0.17 * f64::from(k));
    let turn = DQuat::from_scaled_axis(DVec3::new(0.5 * f64::from(k), 0.4, -0.3 * f64::from(k)));
    let body = world.add(solid.dynamic(stuff, Pose::from_parts(place, turn)).unwrap()).unwrap();
    world.body_mut(body).unwrap().velocity = DVec3::new(0.2, -1.0, 0.1).normalize() * speed;
    let mut deepest = 0.0_f64;
    for _ in 0..60 {
        world.step().unwrap();
        deepest = deepest.max(depth_below(&world, body, ground));
    }
    let position = world.body(body).unwrap().position;
    (deepest, ground.height(position.x, position.z).is_none_or(|height| position.y > height))
}

#[test]
fn bodies_shot_at_the_ground_stay_above_it() {
    let ground = field(80, 80, 0.1, |x, z| 0.1 * libm::sin(2.0 * x) * libm::cos(1.5 * z));
    let ball: Shape = Ball::new(0.1).unwrap().into();
    let (cube, ball) = (Solid::cuboid(DVec3::splat(0.2), 1000.0).unwrap(), Solid::new(&ball, 1000.0).unwrap());
    let plate = Solid::cuboid(DVec3::new(0.3, 0.03, 0.3), 1000.0).unwrap();
    let mut worst = 0.0_f64;
    for surface in both(&ground) {
        for (solid, thickness) in [(&cube, 0.1), (&ball, 0.1), (&plate, 0.0375)] {
            for speed in [20.0, 100.0] {
                for k in 0..4 {
                    let (depth, is_above) = shot(&surface, &ground, solid, speed, k);
                    worst = worst.max(depth / thickness);
                    let what = (surface.kind(), solid.shape.kind(), thickness, speed, k);
                    assert!(is_above && depth < 0.2 * thickness, "{what:?}: {depth} m deep, above: {is_above}");
                }
            }
        }
    }
    println!("the deepest is {worst:.3} of the thickness deep");
}
