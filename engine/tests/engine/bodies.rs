//! What can be said of single bodies: impulses, damping, gravity scale, kind, user data; copies of worlds.

use drystone_contact::generator::Registry;
use drystone_contact::shape::HalfSpace;
use drystone_engine::world::Snapshot;
use drystone_engine::{
    Body, BodyError, BodyHandle, BodyKind, Combine, CombineRules, ExternalForces, Friction, Material, NewBody, Pose,
    Solid, World, WorldError, WorldSettings,
};
use glam::{DQuat, DVec3};
use std::sync::Arc;

fn cube() -> Solid {
    Solid::cuboid(DVec3::new(1.0, 0.5, 2.0), 1000.0).unwrap()
}

fn at(x: f64, y: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, 0.0))
}

/// A floor and cubes that rest on it until they sleep.
fn resting(count: usize) -> (World, Vec<BodyHandle>) {
    let mut world = World::default();
    let stone = world.materials_mut().add("stone").unwrap();
    world.add(NewBody::new(Body::fixed(stone), Arc::new(HalfSpace.into()))).unwrap();
    let handles =
        (0..count).map(|k| world.add(cube().dynamic(stone, at(3.0 * k as f64, 0.26)).unwrap()).unwrap()).collect();
    for _ in 0..150 {
        world.step().unwrap();
    }
    (world, handles)
}

#[test]
fn impulses_change_velocities_at_once_and_wake() {
    let (mut world, handles) = resting(3);
    let [one, other, third] = [0, 1, 2].map(|k| handles[k]);
    assert!(handles.iter().all(|&h| world.is_asleep(h).unwrap()));
    world.apply_impulse(one, DVec3::new(500.0, 0.0, 0.0)).unwrap();
    assert!(!world.is_asleep(one).unwrap() && world.is_asleep(other).unwrap());
    assert_eq!(world.body(one).unwrap().velocity, DVec3::X * 0.5, "1,000 kg");
    let from = world.body(one).unwrap().position;
    world.step().unwrap();
    assert!(world.body(one).unwrap().position.x > from.x);
    // At a point: linear and angular momentum about the centre of mass.
    let (impulse, arm) = (DVec3::new(10.0, 20.0, -30.0), DVec3::new(0.2, -0.1, 0.7));
    let centre = world.body(other).unwrap().position;
    world.apply_impulse_at(other, impulse, centre + arm).unwrap();
    let body = world.body(other).unwrap();
    let spin = body.angular_momentum_at(body.orientation, body.angular_velocity);
    assert!((body.velocity * body.mass() - impulse).length() < 1e-12 && (spin - arm.cross(impulse)).length() < 1e-12);
    world.apply_torque_impulse(third, DVec3::Y).unwrap();
    let body = world.body(third).unwrap();
    assert!((body.angular_momentum_at(body.orientation, body.angular_velocity) - DVec3::Y).length() < 1e-12);
    assert_eq!(body.velocity, DVec3::ZERO);
    // What does not yield, and what is no number.
    let ground = world.handles()[0];
    world.apply_impulse(ground, DVec3::X).unwrap();
    assert_eq!(world.body(ground).unwrap().velocity, DVec3::ZERO);
    for handle in [ground, one] {
        assert!(matches!(
            world.apply_impulse(handle, DVec3::NAN),
            Err(WorldError::NotFinite { quantity: "impulse", .. })
        ));
        assert!(world.apply_impulse_at(handle, DVec3::X, DVec3::INFINITY).is_err());
        assert!(world.apply_torque_impulse(handle, DVec3::NAN).is_err());
    }
}

/// v̇ = −c v by backward Euler, for both steps: exactly the factor 1/(1 + Δt c) a step, or a substep.
#[test]
fn damping_and_gravity_of_single_bodies() {
    for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
        let mut world = World::default();
        *world.settings_mut() = settings;
        let stone = world.materials_mut().add("stone").unwrap();
        let handles = [0.0, 10.0, 20.0, 30.0].map(|x| world.add(cube().dynamic(stone, at(x, 0.0)).unwrap()).unwrap());
        let [free, slow, light, rising] = handles;
        for handle in handles {
            let body = world.body_mut(handle).unwrap();
            (body.velocity, body.angular_velocity) = (DVec3::X, DVec3::Y);
        }
        world.body_mut(slow).unwrap().set_damping(0.5, 2.0).unwrap();
        world.body_mut(slow).unwrap().set_gravity_scale(0.0).unwrap();
        world.body_mut(light).unwrap().set_gravity_scale(0.25).unwrap();
        world.body_mut(rising).unwrap().set_gravity_scale(-1.0).unwrap();
        for _ in 0..100 {
            world.step().unwrap();
        }
        let speed = |handle| world.body(handle).unwrap().velocity;
        assert!((speed(free) - DVec3::new(1.0, -9.82, 0.0)).length() < 1e-9);
        assert!((speed(light) - DVec3::new(1.0, -9.82 / 4.0, 0.0)).length() < 1e-9);
        assert!((speed(rising) - DVec3::new(1.0, 9.82, 0.0)).length() < 1e-9);
        let (linear, angular) = (speed(slow), world.body(slow).unwrap().angular_velocity);
        assert!((linear.x - (-0.5_f64).exp()).abs() < 2e-3 && linear.y == 0.0, "{linear}");
        assert!((angular.y - (-2.0_f64).exp()).abs() < 5e-3, "{angular}");
    }
    let mut body = Body::fixed(drystone_engine::MaterialId::new(0));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(body.set_damping(0.0, bad), Err(BodyError::Scale { quantity: "angular damping", .. })));
        assert!(body.set_damping(bad, 0.0).is_err());
    }
    assert!(body.set_gravity_scale(f64::NAN).is_err() && body.set_gravity_scale(-2.0).is_ok());
    assert_eq!((body.damping(), body.gravity_scale()), ([0.0; 2], -2.0));
    let forces = ExternalForces::default();
    assert_eq!(forces.potential_energy(&body), 0.0);
}

/// Force over mass and torque over moment in every step, also of a copy and of a snapshot; the potential of the force is in the energy.
#[test]
fn a_constant_force_acts_in_every_step() {
    for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
        let mut world = World::default();
        *world.settings_mut() = settings;
        (world.settings_mut().step.forces, world.settings_mut().step.time_step) = (ExternalForces::NONE, 1e-3);
        let stone = world.materials_mut().add("stone").unwrap();
        let handle = world.add(cube().dynamic(stone, at(0.0, 0.0)).unwrap()).unwrap();
        let (force, torque) = (DVec3::new(2000.0, -500.0, 0.0), DVec3::Y * 300.0);
        world.body_mut(handle).unwrap().set_constant_force(force, torque).unwrap();
        let text = world.snapshot().to_json().unwrap();
        let read = Snapshot::from_json(&text).unwrap();
        for mut world in [World::from_snapshot(&read, &Registry::default()).unwrap(), world.clone(), world] {
            for _ in 0..1000 {
                let report = world.step().unwrap();
                let [before, after] = [report.energy_before, report.energy_after].map(|e| e.kinetic + e.potential);
                let work = torque.y * world.body(handle).unwrap().angular_velocity.y * 1e-3;
                assert!((after - before - work).abs() < 2e-3, "{} J, of them {work} J by the torque", after - before);
            }
            let body = world.body(handle).unwrap();
            // 1,000 kg, and 1,000/12 (1² + 2²) kg m² about y.
            assert!((body.velocity - force / 1000.0).length() < 1e-9, "{}", body.velocity);
            assert!((body.position - 0.5 * force / 1000.0).length() < 2e-3, "{}", body.position);
            assert!((body.angular_velocity.y - 300.0 * 12.0 / 5000.0).abs() < 1e-9, "{}", body.angular_velocity);
        }
    }
    let mut body = Body::fixed(drystone_engine::MaterialId::new(0));
    for bad in [DVec3::NAN, DVec3::INFINITY] {
        assert!(matches!(
            body.set_constant_force(bad, DVec3::ZERO),
            Err(BodyError::NotFinite { quantity: "constant force", .. })
        ));
        assert!(body.set_constant_force(DVec3::ZERO, bad).is_err());
    }
    assert_eq!(body.constant_force(), [DVec3::ZERO; 2]);
}

#[test]
fn a_constant_force_wakes_and_moves_only_what_is_dynamic() {
    let (mut world, handles) = resting(2);
    let [ground, cube_, other] = [world.handles()[0], handles[0], handles[1]];
    assert!(world.is_asleep(cube_).unwrap());
    let mut lift = |handle| {
        world.body_mut(handle).unwrap().set_constant_force(DVec3::Y * 20_000.0, DVec3::ZERO).unwrap();
        for _ in 0..10 {
            world.step().unwrap();
        }
        (world.body(cube_).unwrap().velocity.y, world.is_asleep(other).unwrap(), world.body(ground).unwrap().position)
    };
    let (speed, other_sleeps, _) = lift(cube_);
    assert!(speed > 0.5 && other_sleeps, "twice its weight lifts it: {speed} m/s");
    assert_eq!(lift(ground).2, DVec3::ZERO);
}

#[test]
fn kinds_change_and_masses_are_kept() {
    let (mut world, handles) = resting(1);
    let (cube_, ground) = (handles[0], world.handles()[0]);
    let mass = world.body(cube_).unwrap().mass();
    world.set_kind(cube_, BodyKind::Kinematic).unwrap();
    assert!(!world.is_asleep(cube_).unwrap() && world.body(cube_).unwrap().mass().is_infinite());
    world.body_mut(cube_).unwrap().velocity = DVec3::Y;
    for _ in 0..100 {
        world.step().unwrap();
    }
    assert!((world.body(cube_).unwrap().position.y - 1.25).abs() < 1e-3, "nothing holds it");
    world.set_kind(cube_, BodyKind::Fixed).unwrap();
    assert_eq!(world.body(cube_).unwrap().velocity, DVec3::ZERO);
    let fixed_at = world.body(cube_).unwrap().position;
    world.step().unwrap();
    assert_eq!(world.body(cube_).unwrap().position, fixed_at);
    world.set_kind(cube_, BodyKind::Dynamic).unwrap();
    assert_eq!(world.body(cube_).unwrap().mass(), mass);
    for _ in 0..200 {
        world.step().unwrap();
    }
    assert!((world.body(cube_).unwrap().position.y - 0.25).abs() < 2e-3, "it falls and rests again");
    assert!(matches!(world.set_kind(ground, BodyKind::Dynamic), Err(WorldError::Unbounded { .. })));
    let stone = world.materials().id("stone").unwrap();
    let wall = world.add(cube().fixed(stone, at(9.0, 3.0)).unwrap()).unwrap();
    assert_eq!(world.set_kind(wall, BodyKind::Dynamic), Err(WorldError::NoMass(wall)));
    assert!(matches!(world.set_mass(wall, -1.0, DVec3::ONE), Err(WorldError::Mass { .. })));
    world.set_mass(wall, 5.0, DVec3::ONE).unwrap();
    assert!(world.body(wall).unwrap().is_fixed());
    world.set_kind(wall, BodyKind::Dynamic).unwrap();
    assert_eq!(world.body(wall).unwrap().mass(), 5.0);
    world.set_mass(wall, 7.0, DVec3::ONE).unwrap();
    assert_eq!(world.body(wall).unwrap().mass(), 7.0);
}

/// Something of everything that bodies and materials have of their own, in the middle of its motion.
fn busy() -> (World, Vec<BodyHandle>) {
    let (mut world, handles) = resting(4);
    world.materials_mut().set_rules(CombineRules { friction: Combine::Average, restitution: Combine::Minimum });
    let ice = Material { friction: Friction::sliding(0.01), restitution: 0.1 };
    let ice = world.materials_mut().add_with("ice", ice).unwrap();
    world.body_mut(handles[0]).unwrap().material = ice;
    world.body_mut(handles[1]).unwrap().set_damping(0.3, 0.7).unwrap();
    world.body_mut(handles[2]).unwrap().set_gravity_scale(0.5).unwrap();
    world.set_user_data(handles[2], u64::MAX - 3).unwrap();
    world.set_kind(handles[3], BodyKind::Kinematic).unwrap();
    let stone = world.materials().id("stone").unwrap();
    let pose = Pose::from_parts(DVec3::new(0.3, 1.2, 0.1), DQuat::from_rotation_z(0.4));
    world.add(cube().dynamic(stone, pose).unwrap()).unwrap();
    world.add(cube().fixed(stone, at(0.0, 0.0)).unwrap().sensor()).unwrap();
    for _ in 0..12 {
        world.step().unwrap();
    }
    world.body_mut(handles[1]).unwrap().velocity.y = 3.0;
    world.apply_force(handles[2], DVec3::X * 900.0).unwrap();
    (world, handles)
}

#[test]
fn copies_and_worlds_that_are_read_go_on_with_the_same_bits() {
    let (mut world, handles) = busy();
    let text = world.snapshot().to_json().unwrap();
    let read = Snapshot::from_json(&text).unwrap();
    assert_eq!(read, world.snapshot());
    let mut restored = World::from_snapshot(&read, &Registry::default()).unwrap();
    let mut copy = world.clone();
    assert_eq!(copy.snapshot(), read);
    for k in 0..80 {
        let report = world.step().unwrap();
        for other in [&mut restored, &mut copy] {
            let mut own = other.step().unwrap();
            // Boxes are made anew with other room in them, so that other pairs are near; nothing else depends on it.
            own.pairs = report.pairs;
            assert_eq!(own, report, "step {k}");
            assert_eq!(other.bodies(), world.bodies());
        }
        if k == 40 {
            for other in [&mut world, &mut restored, &mut copy] {
                other.set_kind(handles[3], BodyKind::Dynamic).unwrap();
            }
        }
    }
    assert_eq!(restored.user_data(handles[2]).unwrap(), u64::MAX - 3);
    assert_eq!(restored.materials(), world.materials());
    assert!(restored.is_sensor(*world.handles().last().unwrap()).unwrap());
    // A copy is its own.
    copy.body_mut(handles[0]).unwrap().position.x = 50.0;
    assert_ne!(copy.bodies(), world.bodies());
}

#[test]
fn damaged_additions_are_refused() {
    let snapshot = busy().0.snapshot();
    let refused = |damage: &dyn Fn(&mut drystone_engine::world::snapshot::Additions)| {
        let mut bad = snapshot.clone();
        damage(bad.additions.as_mut().unwrap());
        World::from_snapshot(&bad, &Registry::default()).err().unwrap().to_string()
    };
    assert!(refused(&|a| a.bodies[0].body = 99).contains("damaged"));
    assert!(refused(&|a| a.bodies[0].damping[1] = f64::NAN).contains("angular damping"));
    assert!(refused(&|a| a.materials[0].1.restitution = 3.0).contains("restitution"));
    // Snapshots of before there was any of this have no additions.
    let mut value: serde_json::Value = serde_json::from_str(&snapshot.to_json().unwrap()).unwrap();
    value.as_object_mut().unwrap().remove("additions").unwrap();
    let old = Snapshot::from_json(&value.to_string()).unwrap();
    assert!(World::from_snapshot(&old, &Registry::default()).is_ok());
}
