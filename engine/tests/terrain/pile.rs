//! Bodies of several kinds on rough ground come to rest, and none is lost.

use super::workbench::{add_fixed, at, depth_below, field, mesh, world};
use drystone_contact::shape::{Ball, Ellipsoid, MeshSides, Shape};
use drystone_engine::{Pose, Solid};
use glam::{DQuat, DVec3};

#[test]
fn a_pile_on_rough_ground_comes_to_rest() {
    // A bowl with bumps.
    let height = |x: f64, z: f64| {
        0.04 * ((x - 4.0) * (x - 4.0) + (z - 4.0) * (z - 4.0)) + 0.05 * libm::sin(3.0 * x) * libm::sin(4.0 * z)
    };
    let ground = field(81, 81, 0.1, height);
    for surface in [Shape::from(ground.clone()), mesh(&ground, MeshSides::Front).into()] {
        let (mut world, stuff) = world(0.6, 0.01);
        // Nothing else stops what rolls.
        world.settings_mut().step.forces.angular_damping = 1.0;
        add_fixed(&mut world, surface, stuff);
        let ball: Shape = Ball::new(0.2).unwrap().into();
        let egg: Shape = Ellipsoid::new(DVec3::new(0.15, 0.2, 0.25)).unwrap().into();
        let rod = Solid::cuboid(DVec3::new(0.6, 0.1, 0.1), 1000.0).unwrap();
        let cross = [rod.shape.as_ref().clone(), rod.shape.as_ref().clone()];
        let [one, other] = cross;
        let turned = Pose::from_rotation(DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2));
        let solids = [
            Solid::cuboid(DVec3::new(0.4, 0.25, 0.3), 1000.0).unwrap(),
            Solid::new(&ball, 1000.0).unwrap(),
            Solid::new(&egg, 1000.0).unwrap(),
            Solid::compound([(one, Pose::IDENTITY), (other, turned)], 1000.0).unwrap(),
        ];
        let kind = |k: usize| if k % 8 == 2 { 2 } else { [0, 1, 3][k % 3] };
        let bodies: Vec<_> = (0..24)
            .map(|k: usize| {
                let place = at(3.4 + 0.6 * (k % 3) as f64, 1.0 + 0.5 * (k / 6) as f64, 3.6 + 0.7 * (k / 3 % 2) as f64);
                let turn = DQuat::from_scaled_axis(DVec3::new(0.3 * k as f64, 0.7, 0.2 * k as f64));
                let pose = Pose::from_parts(place.translation, turn);
                world.add(solids[kind(k)].dynamic(stuff, pose).unwrap()).unwrap()
            })
            .collect();
        for _ in 0..2000 {
            world.step().unwrap();
        }
        // An egg may rock for long.
        let speed = |k: &usize| {
            let body = world.body(bodies[*k]).unwrap();
            body.velocity.length() + 0.3 * body.angular_velocity.length()
        };
        let fastest = (0..bodies.len()).filter(|&k| kind(k) != 2).map(|k| speed(&k)).fold(0.0, f64::max);
        let deepest = bodies.iter().map(|&body| depth_below(&world, body, &ground)).fold(0.0, f64::max);
        let overlap = world.overlaps().unwrap().iter().map(|o| o.depth).fold(0.0, f64::max);
        println!("at the end {fastest:.1e} m/s, {deepest:.1e} m deep, overlaps of {overlap:.1e} m");
        let is_in = |p: DVec3| ground.height(p.x, p.z).is_some_and(|height| p.y > height);
        assert!(bodies.iter().all(|&body| is_in(world.body(body).unwrap().position)), "none is lost");
        assert!(fastest < 0.1, "{fastest}");
        assert!(deepest < 5e-3 && overlap < 1e-2, "{deepest} {overlap}");
    }
}
