use super::*;
use crate::material::{Friction, Interaction, MaterialId};
use drystone_contact::Feature;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

const SCHEMES: [Scheme; 2] = [Scheme::Midpoint, Scheme::SemiImplicit];

fn stone(friction: f64) -> (MaterialTable, MaterialId) {
    let mut table = MaterialTable::new();
    let id = table.add("Stone").unwrap();
    table.set(id, id, Interaction::dry(Friction::isotropic(friction))).unwrap();
    (table, id)
}

fn no_contacts(_: &[Pose]) -> Result<Vec<ContactBetween>, DetectionError> {
    Ok(Vec::new())
}

/// A unit cube of 6 kg standing on a fixed body whose top is y = 0.
fn cube_on_ground(material: MaterialId) -> Vec<Body> {
    let upright = DVec3::new(0.0, 0.5, 0.0);
    let cube = Body::dynamic(6.0, DVec3::ONE, material).unwrap().at(upright, DQuat::IDENTITY).unwrap();
    vec![cube, Body::fixed(material)]
}

/// The cube's bottom corners against the plane y = 0.
fn corners(poses: &[Pose]) -> Result<Vec<ContactBetween>, DetectionError> {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    Ok(corners.map(|(x, z)| contact(poses[0].transform_point(DVec3::new(x, -0.5, z)))).to_vec())
}

fn contact(position: DVec3) -> ContactBetween {
    let (feature_a, feature_b) = (Feature::Vertex(0), Feature::Face(0));
    let contact = Contact { position, normal: DVec3::NEG_Y, gap: position.y, feature_a, feature_b };
    ContactBetween { a: BodyId::new(0), b: BodyId::new(1), contact }
}

#[test]
fn free_fall_follows_each_scheme() {
    let (table, id) = stone(0.5);
    let forces = ExternalForces { gravity: DVec3::NEG_Y * 10.0, ..ExternalForces::NONE };
    for (scheme, drop) in [(Scheme::Midpoint, 0.0005), (Scheme::SemiImplicit, 0.001)] {
        let mut bodies = vec![Body::dynamic(2.0, DVec3::ONE, id).unwrap()];
        bodies[0].velocity = DVec3::X;
        let settings = StepSettings { scheme, forces, ..StepSettings::default() };
        let report = step(&mut bodies, &table, &settings, no_contacts).unwrap();
        assert!((bodies[0].position - DVec3::new(0.01, -drop, 0.0)).length() < 1e-15);
        assert!((bodies[0].velocity - DVec3::new(1.0, -0.1, 0.0)).length() < 1e-15);
        assert_eq!(report.energy_before, Energy { kinetic: 1.0, potential: 0.0 });
        assert!((report.energy_after.total() - (1.01 - 20.0 * drop)).abs() < 1e-12);
    }
}

#[test]
fn contacts_are_looked_for_where_the_scheme_says() {
    let (table, id) = stone(0.5);
    for (scheme, x) in [(Scheme::Midpoint, 0.02), (Scheme::SemiImplicit, 0.0)] {
        let mut bodies = cube_on_ground(id);
        bodies[0].velocity = DVec3::X * 4.0;
        let settings = StepSettings { scheme, ..StepSettings::default() };
        let mut seen = Vec::new();
        let look = |poses: &[Pose]| {
            seen = poses.to_vec();
            no_contacts(poses)
        };
        step(&mut bodies, &table, &settings, look).unwrap();
        assert!((seen[0].translation - DVec3::new(x, 0.5, 0.0)).length() < 1e-15);
        assert_eq!(seen[1], Pose::identity());
    }
}

#[test]
fn a_cube_rests_for_a_hundred_steps() {
    let (table, id) = stone(0.65);
    for scheme in SCHEMES {
        let mut bodies = cube_on_ground(id);
        let settings = StepSettings { scheme, ..StepSettings::default() };
        for _ in 0..100 {
            let report = step(&mut bodies, &table, &settings, corners).unwrap();
            assert_eq!(report.solution.impulses.len(), 4);
            assert!(report.solution.natural_residual < 1e-9);
        }
        assert!((bodies[0].position - DVec3::new(0.0, 0.5, 0.0)).length() < 1e-9);
        assert!(bodies[0].velocity.length() < 1e-9 && bodies[0].angular_velocity.length() < 1e-9);
    }
}

#[test]
fn a_moving_surface_carries_a_cube_along() {
    let (table, id) = stone(0.5);
    let mut bodies = cube_on_ground(id);
    bodies[1].velocity = DVec3::Z;
    for _ in 0..50 {
        step(&mut bodies, &table, &StepSettings::default(), corners).unwrap();
    }
    assert!((bodies[0].velocity - DVec3::Z).length() < 1e-3, "{}", bodies[0].velocity);
    assert_eq!(bodies[1].position, DVec3::ZERO);
}

#[test]
fn a_failed_step_says_why_and_changes_nothing() {
    let (table, id) = stone(0.5);
    let settings = StepSettings::default();
    let fresh = cube_on_ground(id);
    let mut bodies = fresh.clone();
    for time_step in [0.0, -0.01, f64::NAN, f64::INFINITY] {
        let settings = StepSettings { time_step, ..settings };
        assert!(matches!(step(&mut bodies, &table, &settings, corners), Err(StepError::TimeStep(_))));
    }
    let failing = |_: &[Pose]| Err(DetectionError::from("no shape"));
    let error = step(&mut bodies, &table, &settings, failing).unwrap_err();
    assert_eq!(error.to_string(), "contacts could not be found: no shape");
    let error = step(&mut bodies, &MaterialTable::new(), &settings, corners).unwrap_err();
    assert!(matches!(error, StepError::Material { contact: 0, .. }));
    let stranger = |_: &[Pose]| Ok(vec![ContactBetween { b: BodyId::new(2), ..contact(DVec3::ZERO) }]);
    let error = step(&mut bodies, &table, &settings, stranger).unwrap_err();
    assert!(matches!(error, StepError::Solver(SolverError::UnknownBody { contact: 0, count: 2, .. })));
    assert_eq!(bodies, fresh);
    bodies[1].position.x = f64::NAN;
    let error = step(&mut bodies, &table, &settings, corners).unwrap_err();
    assert!(matches!(error, StepError::State { body, when: "before" } if body == BodyId::new(1)));
    bodies[1].position.x = 0.0;
    bodies[0].velocity.x = f64::MAX; // each part is finite and the length is not
    let error = step(&mut bodies, &table, &settings, no_contacts).unwrap_err();
    assert!(matches!(error, StepError::State { body, when: "before" } if body == BodyId::new(0)));
    bodies[0].velocity.x = 1e150;
    let long = StepSettings { time_step: 1e160, ..settings };
    assert!(matches!(step(&mut bodies, &table, &long, no_contacts), Err(StepError::State { when: "after", .. })));
}

proptest! {
    #[test]
    fn free_flight_keeps_momentum_and_unit_quaternions(
        velocity in prop::array::uniform3(-5.0..5.0f64),
        spin in prop::array::uniform3(-3.0..3.0f64),
        turn in prop::array::uniform3(-3.0..3.0f64),
        moments in prop::array::uniform3(1.0..2.0f64),
    ) {
        let (table, id) = stone(0.5);
        for scheme in SCHEMES {
            let orientation = DQuat::from_scaled_axis(DVec3::from(turn));
            let mut bodies = vec![
                Body::dynamic(3.0, DVec3::from(moments), id)
                    .and_then(|body| body.at(DVec3::ZERO, orientation))
                    .and_then(|body| body.moving(DVec3::from(velocity), DVec3::from(spin)))
                    .unwrap(),
            ];
            let settings = StepSettings {
                time_step: 1e-4, scheme, forces: ExternalForces::NONE, ..StepSettings::default()
            };
            let momentum = |b: &Body| b.angular_momentum_at(b.orientation, b.angular_velocity);
            let before = momentum(&bodies[0]);
            for _ in 0..10 {
                step(&mut bodies, &table, &settings, no_contacts).unwrap();
                prop_assert!((bodies[0].orientation.length() - 1.0).abs() < 1e-15);
            }
            // Nothing acts on the centre of mass at all.
            prop_assert_eq!(bodies[0].velocity, DVec3::from(velocity));
            // The length of the angular momentum is kept; its direction drifts by the square of the time step per step.
            let drift = (momentum(&bodies[0]) - before).length();
            prop_assert!(drift < 10.0 * 1e-8 * before.length() * 40.0, "{drift}");
        }
    }
}
