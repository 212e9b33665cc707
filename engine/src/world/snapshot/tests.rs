use super::*;
use crate::material::Friction;
use crate::{NewBody, Pose, Solid, WorldSettings};
use drystone_contact::generator::local::Local;
use drystone_contact::generator::volume_sat::Sat;
use drystone_contact::generator::{Method, methods};
use drystone_contact::shape::{Ball, HalfSpace, Shape};
use std::sync::Arc;

/// A world with something of everything, in the middle of impacts.
fn busy(method: Method, settings: WorldSettings) -> World {
    let mut world = World::new(settings, method);
    let stone = world.materials_mut().add("stone").unwrap();
    let ice = world.materials_mut().add("ice").unwrap();
    for (a, b, friction, restitution) in [(stone, stone, 0.6, 0.2), (ice, stone, 0.05, 0.0)] {
        let interaction = Interaction { friction: Friction::isotropic(friction), restitution };
        world.materials_mut().set(a, b, interaction).unwrap();
    }
    let at = |x: f64, y: f64, turn: f64| Pose::from_parts(DVec3::new(x, y, 0.2), DQuat::from_rotation_z(turn));
    let table = Solid::cuboid(DVec3::new(8.0, 1.0, 8.0), 1000.0).unwrap();
    let phases = vec![
        Phase { duration: 0.1, velocity: DVec3::X * 0.5, angular_velocity: DVec3::Y * 0.2 },
        Phase { duration: f64::INFINITY, velocity: DVec3::Z * 0.1, angular_velocity: DVec3::ZERO },
    ];
    let prescribed_motion = Some(PrescribedMotion::new(phases).unwrap());
    world.add(NewBody { prescribed_motion, ..table.kinematic(stone, at(0.0, -0.5, 0.0)).unwrap() }).unwrap();
    let wall = Solid::cuboid(DVec3::new(1.0, 4.0, 8.0), 1000.0).unwrap();
    world.add(wall.fixed(ice, at(-3.0, 1.0, 0.0)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    let mut handles = Vec::new();
    for i in 0..6 {
        let i = f64::from(i);
        let new = cube.dynamic(stone, at(0.3 * i - 1.0, 0.6 + 1.1 * i, 0.3 * i)).unwrap();
        handles.push(world.add(new).unwrap());
    }
    world.remove(handles[2]).unwrap();
    world.set_excluded(handles[0], handles[4], true).unwrap();
    for handle in &handles[3..] {
        world.body_mut(*handle).unwrap().velocity = DVec3::new(-1.0, -2.0, 0.1);
    }
    let presses = |report: &crate::WorldReport| report.impulses.iter().any(|impulse| impulse[0] > 0.0);
    while !presses(&world.step().unwrap()) || world.steps() < 25 {
        assert!(world.steps() < 100);
    }
    world.apply_force_at(handles[5], DVec3::X * 500.0, DVec3::Y).unwrap();
    world.set_groups(handles[5], Groups { member: 1, with: 1 }).unwrap();
    world
}

/// Steps both and adds a body on the way, which takes the free slot.
fn assert_same_future(mut one: World, mut other: World) {
    let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    for k in 0..40 {
        assert_eq!(one.step().unwrap(), other.step().unwrap(), "step {k}");
        assert_eq!(one.bodies(), other.bodies());
        if k == 10 {
            let new = cube.dynamic(MaterialId::new(0), Pose::from_translation(DVec3::Y * 5.0)).unwrap();
            assert_eq!(one.add(new.clone()).unwrap(), other.add(new).unwrap());
        }
    }
}

#[test]
fn the_same_state_has_the_same_future() {
    for method in [methods::most_opposing(), methods::closest_points()] {
        let world = busy(method, WorldSettings::gauss_seidel());
        assert!(world.contact_cache.values().flatten().any(|contact| contact.impulse[0] > 0.0));
        let text = world.snapshot().to_json().unwrap();
        let read = Snapshot::from_json(&text).unwrap();
        assert_eq!(read, world.snapshot());
        // The table, the wall and the cube; eroded copies follow from them.
        assert_eq!(read.shapes.len(), 3);
        assert_same_future(World::from_snapshot(&read, &Registry::default()).unwrap(), world);
    }
}

#[test]
fn methods_of_others_are_found_in_a_registry() {
    let own = Method::new("mine", "as volume-sat, with a wider margin", Local::new(Sat::volume(), 3e-4));
    let world = busy(own.clone(), WorldSettings::suite(crate::StepSettings::default()));
    let snapshot = world.snapshot();
    let error = World::from_snapshot(&snapshot, &Registry::default()).err().unwrap().to_string();
    assert!(error.starts_with("the contact method of the snapshot: no method is called \"mine\""), "{error}");
    let mut registry = Registry::default();
    let other_settings = own.with_settings(serde_json::json!({ "margin": 1e-4 })).unwrap();
    registry.add(other_settings).unwrap();
    let restored = World::from_snapshot(&snapshot, &registry).unwrap();
    assert_eq!(restored.method(), &own, "with the settings of the snapshot");
    assert_same_future(restored, world);
}

/// Surfaces, primitives and given meshes come back as what they were.
#[test]
fn shapes_of_all_kinds_are_stored() {
    let mut world = World::default();
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.5))).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    let given = Shape::from_mesh(cube.shape.as_polyhedron().unwrap().mesh().unwrap().clone());
    let ball = Solid::new(&Ball::new(0.5).unwrap().into(), 1000.0).unwrap();
    world.add(NewBody::new(Body::fixed(stone), Arc::new(HalfSpace.into()))).unwrap();
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * 0.8);
    let others = [
        Solid::capsule(0.2, 0.3, 1000.0).unwrap(),
        Solid::cylinder(0.3, 0.5, 1000.0).unwrap(),
        Solid::cone(0.4, 0.6, 1000.0).unwrap(),
        Solid::rounded_box(DVec3::splat(0.3), 0.1, 1000.0).unwrap(),
        Solid::convex_hull(&corners, 1000.0).unwrap(),
    ];
    for (solid, z) in others.iter().zip([2.0, 4.0, 6.0, 8.0, 10.0]) {
        world.add(solid.dynamic(stone, Pose::from_translation(DVec3::new(0.0, 0.499, z))).unwrap()).unwrap();
    }
    for (solid, x) in [(&cube, 0.0), (&Solid::new(&given, 1000.0).unwrap(), 2.0), (&ball, 4.0), (&ball, 6.0)] {
        world.add(solid.dynamic(stone, Pose::from_translation(DVec3::new(x, 0.499, 0.0))).unwrap()).unwrap();
    }
    world.step().unwrap();
    let snapshot = world.snapshot();
    assert_eq!(snapshot.shapes.len(), 9);
    let restored = World::from_snapshot(&snapshot, &Registry::default()).unwrap();
    assert_eq!(restored.snapshot(), snapshot);
    assert!(restored.shapes().zip(world.shapes()).all(|(one, other)| one.kind() == other.kind()));
    assert_same_future(restored, world);
}

#[test]
fn damaged_snapshots_are_refused() {
    let good = busy(methods::most_opposing(), WorldSettings::gauss_seidel()).snapshot();
    let refused = |damage: &dyn Fn(&mut Snapshot)| {
        let mut bad = good.clone();
        damage(&mut bad);
        World::from_snapshot(&bad, &Registry::default()).err().unwrap().to_string()
    };
    assert!(refused(&|s| s.bodies[3].shape = 9).contains("body 3 of the snapshot names the shape 9"));
    assert!(refused(&|s| s.shapes[1].vertices[0] = DVec3::NAN).contains("shape 1"));
    assert!(refused(&|s| s.bodies[2].velocity.x = f64::NAN).contains("body 2"));
    assert!(refused(&|s| s.bodies[2].kind = KindRecord::Dynamic { mass: -1.0, inertia: DVec3::ONE }).contains("mass"));
    assert!(refused(&|s| drop(s.bodies.pop())).contains("damaged"));
    assert!(refused(&|s| s.time = f64::NAN).contains("damaged"));
    assert!(refused(&|s| s.materials.names.push("stone".into())).contains("already a material"));
    assert!(
        refused(&|s| s.bodies[0].prescribed_motion.as_mut().unwrap().phases[0].duration = Some(-1.0))
            .contains("prescribed motion of body 0")
    );
    assert!(World::from_snapshot(&good, &Registry::default()).is_ok());
}

/// The words stand for what runs were made with before the engine was of one precision.
#[test]
fn runs_of_the_published_program_are_refused() {
    let text = busy(methods::volume_sat(), WorldSettings::gauss_seidel()).snapshot().to_json();
    let text = text.unwrap();
    for (now, then) in [("\"precision\":\"Double\"", "\"precision\":\"Single\""), ("\"Conjugate\"", "\"Published\"")] {
        assert!(text.contains(now), "{now}");
        let error = Snapshot::from_json(&text.replace(now, then)).unwrap_err().to_string();
        assert!(error.contains("drystone-replica"), "{error}");
    }
}
