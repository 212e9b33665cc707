use super::*;
use proptest::prelude::*;

fn body(position: DVec3, inverse_mass: f64) -> SolverBody {
    SolverBody {
        position,
        inverse_mass,
        inverse_inertia: DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0) * inverse_mass),
        twist: [0.0; 6],
        forced_change: [0.0; 6],
    }
}

fn contact(normal: DVec3) -> SolverContact {
    let (a, b) = (BodyId::new(0), BodyId::new(1));
    SolverContact { a, b, position: DVec3::ZERO, normal, friction: [0.5; 3], restitution: 0.0, stabilisation: 0.0 }
}

#[test]
fn the_basis_follows_the_largest_component() {
    assert_eq!(tangents(DVec3::X), [DVec3::Y, DVec3::Z]);
    assert_eq!(tangents(DVec3::Y), [DVec3::Z, DVec3::X]);
    assert_eq!(tangents(DVec3::Z), [DVec3::X, DVec3::Y]);
    assert_eq!(tangents(DVec3::ONE), tangents_along(DVec3::ONE, DVec3::X));
    assert_eq!(tangents(DVec3::new(1.0, 1.0, 0.0)), tangents_along(DVec3::new(1.0, 1.0, 0.0), DVec3::Z));
}

fn tangents_along(normal: DVec3, axis: DVec3) -> [DVec3; 2] {
    let t = normal.cross(axis) / normal.cross(axis).length();
    [t.cross(normal), t]
}

#[test]
fn bad_contacts_are_refused() {
    let bodies = [body(DVec3::Y, 1.0), body(DVec3::ZERO, 0.0), body(DVec3::ZERO, 0.0)];
    let assemble = |c: SolverContact| ContactProblem::assemble(&bodies, &[contact(DVec3::Y), c]).unwrap_err();
    let good = contact(DVec3::Y);
    let body = BodyId::new;
    assert_eq!(
        assemble(SolverContact { b: body(3), ..good }),
        SolverError::UnknownBody { contact: 1, body: body(3), count: 3 }
    );
    assert_eq!(assemble(SolverContact { b: body(0), ..good }), SolverError::SameBody { contact: 1, body: body(0) });
    assert_eq!(
        assemble(SolverContact { a: body(1), b: body(2), ..good }),
        SolverError::Immovable { contact: 1, a: body(1), b: body(2) }
    );
    let normal = DVec3::ZERO;
    assert_eq!(assemble(SolverContact { normal, ..good }), SolverError::Normal { contact: 1, normal });
    assert!(matches!(assemble(SolverContact { normal: DVec3::NAN, ..good }), SolverError::Normal { .. }));
    assert_eq!(assemble(SolverContact { position: DVec3::NAN, ..good }), SolverError::Rows { contact: 1 });
}

proptest! {
    #[test]
    fn rows_agree_with_the_motion_of_the_contact_point(
        n in prop::array::uniform3(-1.0..1.0f64),
        p in prop::array::uniform3(-2.0..2.0f64),
        u in prop::array::uniform12(-3.0..3.0f64),
    ) {
        let n = DVec3::from(n);
        prop_assume!(n.length() > 1e-3);
        let n = n.normalize();
        let [s, t] = tangents(n);
        prop_assert!((s.cross(t) - n).length() < 1e-12);
        let p = DVec3::from(p);
        let mut bodies = [body(DVec3::new(0.1, 0.2, 0.3), 0.5), body(DVec3::new(-1.0, 0.5, 0.0), 2.0)];
        let part = |i: usize| DVec3::new(u[i], u[i + 1], u[i + 2]);
        bodies[0].twist = twist(part(0), part(3));
        bodies[1].forced_change = twist(part(6), part(9));
        let given = SolverContact { position: p, ..contact(n) };
        let problem = ContactProblem::assemble(&bodies, &[given]).unwrap();
        let rows = &problem.contacts()[0];
        // Oracle: velocity of the material points by v + ω × r.
        let point = |i: usize, body: &SolverBody| part(i) + part(i + 3).cross(p - body.position);
        let relative = point(6, &bodies[1]) - point(0, &bodies[0]);
        let spin = part(9) - part(3);
        let expected = [relative.dot(n), relative.dot(s), relative.dot(t), spin.dot(n)];
        for (got, expected) in rows.bias.iter().zip(expected) {
            prop_assert!((got - expected).abs() < 1e-11);
        }
        // An impulse and its response keep linear momentum and the angular momentum about the origin.
        let impulse = [1.0, -0.5, 0.25, 0.125];
        let changes = problem.twist_changes(&[impulse]);
        let mut linear = DVec3::ZERO;
        let mut angular = DVec3::ZERO;
        for (body, c) in bodies.iter().zip(&changes) {
            let push = DVec3::new(c[0], c[1], c[2]) / body.inverse_mass;
            linear += push;
            let spin = body.inverse_inertia.inverse() * DVec3::new(c[3], c[4], c[5]);
            angular += body.position.cross(push) + spin;
        }
        prop_assert!(linear.length() < 1e-12 && angular.length() < 1e-11);
        // The diagonal block is J applied to the response of unit impulses.
        let block = rows.diagonal_block();
        for row in 0..4 {
            let mut unit = [0.0; 4];
            unit[row] = 1.0;
            let column = rows.relative_velocity(&problem.twist_changes(&[unit]));
            for (k, value) in column.into_iter().enumerate() {
                prop_assert!((block[k][row] - value).abs() < 1e-11);
                prop_assert!((block[row][k] - value).abs() < 1e-10);
            }
        }
    }
}
