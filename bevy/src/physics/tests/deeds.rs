//! Anything that an application may do to bodies, done to a plain world as well.

use super::*;
use proptest::prelude::*;

/// What an application does before a step, to the body of this number among those that are there.
#[derive(Clone, Debug)]
enum Deed {
    Spawn(f64),
    Despawn(usize),
    Move(usize, f64),
    Throw(usize, f64),
    Push(usize, f64),
}

fn deed() -> impl Strategy<Value = Deed> {
    let number = 0usize..8;
    prop_oneof![
        (0.6..6.0).prop_map(Deed::Spawn),
        number.clone().prop_map(Deed::Despawn),
        (number.clone(), 0.6..6.0).prop_map(|(i, y)| Deed::Move(i, y)),
        (number.clone(), -3.0..3.0).prop_map(|(i, speed)| Deed::Throw(i, speed)),
        (number, -1e5..1e5).prop_map(|(i, force)| Deed::Push(i, force)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Against the same deeds done to a plain world.
    #[test]
    fn whatever_is_done_is_done_to_the_world(deeds in prop::collection::vec(deed(), 1..25)) {
        let mut app = app(DrystonePlugin::default());
        app.world_mut().spawn(ground());
        let (mut world, _) = plain(&[ground()]);
        let mut cubes: Vec<(Entity, BodyHandle, DVec3)> = Vec::new();
        for deed in deeds {
            let count = cubes.len();
            let place = |i: usize| (count > 0).then(|| i % count);
            match deed {
                Deed::Spawn(y) => {
                    let entity = app.world_mut().spawn((falling(y), ExternalForce::default())).id();
                    cubes.push((entity, world.add(falling(y).0).unwrap(), DVec3::ZERO));
                }
                Deed::Despawn(i) => if let Some(i) = place(i) {
                    let (entity, handle, _) = cubes.remove(i);
                    app.world_mut().despawn(entity);
                    world.remove(handle).unwrap();
                }
                Deed::Move(i, y) => if let Some(i) = place(i) {
                    app.world_mut().get_mut::<BodyPose>(cubes[i].0).unwrap().position.y = y;
                    world.body_mut(cubes[i].1).unwrap().position.y = y;
                }
                Deed::Throw(i, speed) => if let Some(i) = place(i) {
                    app.world_mut().get_mut::<Velocity>(cubes[i].0).unwrap().linear.x = speed;
                    world.body_mut(cubes[i].1).unwrap().velocity.x = speed;
                }
                Deed::Push(i, force) => if let Some(i) = place(i) {
                    cubes[i].2 = DVec3::Z * force;
                    app.world_mut().get_mut::<ExternalForce>(cubes[i].0).unwrap().force = DVec3::Z * force;
                }
            }
            for &(_, handle, force) in &cubes {
                world.apply_force(handle, force).unwrap();
            }
            app.update();
            let report = world.step().unwrap();
            prop_assert_eq!(physics(&app).report(), Some(&report));
            for &(entity, handle, _) in &cubes {
                prop_assert_eq!(pose(&app, entity), BodyPose::of(world.body(handle).unwrap()));
            }
        }
    }
}
