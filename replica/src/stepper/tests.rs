use super::*;
use drystone_contact::{Contact, Feature};
use drystone_engine::{BodyId, Friction, Interaction, MaterialId};
use glam::{DQuat, Vec3};

fn stone(friction: f64) -> (MaterialTable, MaterialId) {
    let mut table = MaterialTable::new();
    let id = table.add("Stone").unwrap();
    table.set(id, id, Interaction::dry(Friction::isotropic(friction))).unwrap();
    (table, id)
}

/// A unit cube of 6 kg standing on a fixed body whose top is y = 0.
fn cube_on_ground(material: MaterialId) -> Vec<Body> {
    let upright = DVec3::new(0.0, 0.5, 0.0);
    let cube = Body::dynamic(6.0, DVec3::ONE, material).unwrap().at(upright, DQuat::IDENTITY).unwrap();
    vec![cube, Body::fixed(material)]
}

/// The cube's bottom corners against the plane y = 0.
fn corners(poses: &[Pose]) -> Result<Vec<ContactBetween>, PublishedError> {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    Ok(corners.map(|(x, z)| contact(poses[0].transform_point(DVec3::new(x, -0.5, z)))).to_vec())
}

fn contact(position: DVec3) -> ContactBetween {
    let (feature_a, feature_b) = (Feature::Vertex(0), Feature::Face(0));
    let contact = Contact { position, normal: DVec3::NEG_Y, gap: position.y, feature_a, feature_b };
    ContactBetween { a: BodyId::new(0), b: BodyId::new(1), contact }
}

#[test]
fn a_cube_rests_under_every_friction_model() {
    let (table, id) = stone(0.65);
    for friction in [FrictionModel::Ball, FrictionModel::Ellipsoid, FrictionModel::Box] {
        let mut bodies = cube_on_ground(id);
        let settings = PublishedSettings { friction, ..PublishedSettings::default() };
        for _ in 0..100 {
            let report = step::<Vec3>(&mut bodies, &table, &settings, corners).unwrap();
            assert_eq!(report.solution.impulses.len(), 4);
            assert!(report.solution.impulses.iter().flatten().all(|x| *x == f64::from(*x as f32)));
            assert!(report.solution.natural_residual < 1e-5);
        }
        assert!((bodies[0].position - DVec3::new(0.0, 0.5, 0.0)).length() < 1e-5);
        assert!(bodies[0].velocity.length() < 1e-5 && bodies[0].angular_velocity.length() < 1e-5);
    }
}

/// Without contacts, spin and damping, which the engine takes implicitly, 64 bits give the motion of the engine to rounding.
#[test]
fn double_precision_falls_as_the_engine_does() {
    let (table, id) = stone(0.5);
    let mut ours = cube_on_ground(id);
    ours[0].velocity = DVec3::X;
    let mut theirs = ours.clone();
    let (mut engine, mut published) = (drystone_engine::StepSettings::default(), PublishedSettings::default());
    for forces in [&mut engine.forces, &mut published.forces] {
        (forces.linear_damping, forces.angular_damping) = (0.0, 0.0);
    }
    for _ in 0..20 {
        step::<DVec3>(&mut ours, &table, &published, |_| Ok(Vec::new())).unwrap();
        drystone_engine::step(&mut theirs, &table, &engine, |_| Ok(Vec::new())).unwrap();
        assert!((ours[0].velocity - theirs[0].velocity).length() < 1e-12);
        assert!((ours[0].position - theirs[0].position).length() < 1e-12);
    }
    assert!(ours[0].position.y < 0.4);
}

#[test]
fn a_failed_step_says_why_and_changes_nothing() {
    let (table, id) = stone(0.5);
    let settings = PublishedSettings::default();
    let fresh = cube_on_ground(id);
    let mut bodies = fresh.clone();
    for time_step in [0.0, -0.01, f64::NAN, f64::INFINITY] {
        let error = step::<Vec3>(&mut bodies, &table, &PublishedSettings { time_step, ..settings }, corners);
        assert!(matches!(error, Err(PublishedError::TimeStep(_))));
    }
    let error = step::<Vec3>(&mut bodies, &MaterialTable::new(), &settings, corners).unwrap_err();
    assert!(matches!(error, PublishedError::Contact(_)));
    let stranger = |_: &[Pose]| Ok(vec![ContactBetween { b: BodyId::new(2), ..contact(DVec3::ZERO) }]);
    let error = step::<Vec3>(&mut bodies, &table, &settings, stranger).unwrap_err();
    assert!(matches!(error, PublishedError::Contact(_)));
    let itself = |_: &[Pose]| Ok(vec![ContactBetween { b: BodyId::new(0), ..contact(DVec3::ZERO) }]);
    let error = step::<Vec3>(&mut bodies, &table, &settings, itself).unwrap_err();
    assert!(matches!(error, PublishedError::Solver(SolverError::SameBody { contact: 0, .. })));
    assert_eq!(bodies, fresh);
    bodies[1].position.x = f64::NAN;
    let error = step::<Vec3>(&mut bodies, &table, &settings, corners).unwrap_err();
    assert!(matches!(error, PublishedError::State { body: 1, when: "before" }));
}
