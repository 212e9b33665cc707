//! Masses and moments of inertia against closed forms.

use std::f64::consts::PI;

use glam::DVec3;

use super::{body, mjcf};

/// The moments of a free body with this geom, ascending, and its mass.
fn of(geom: &str) -> ([f64; 3], f64) {
    let read = mjcf(&format!(r#"<worldbody><body name="b"><freejoint/>{geom}</body></worldbody>"#));
    let body = &body(&read, "b").body;
    let mut moments = body.inertia().to_array();
    moments.sort_by(f64::total_cmp);
    (moments, body.mass())
}

fn assert_close((moments, mass): ([f64; 3], f64), expected: [f64; 3], expected_mass: f64) {
    assert!((mass / expected_mass - 1.0).abs() < 1e-12, "{mass} kg, expected {expected_mass} kg");
    for (found, expected) in moments.iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{moments:?}, expected {expected}");
    }
}

#[test]
fn primitives_have_the_moments_of_the_textbook() {
    let sphere = 4.0 / 3.0 * PI * 0.2_f64.powi(3) * 500.0;
    assert_close(of(r#"<geom size="0.2" density="500"/>"#), [0.4 * sphere * 0.04; 3], sphere);

    let (x, y, z) = (0.1, 0.2, 0.3);
    let mass = 8.0 * x * y * z * 1000.0;
    let box_moments = [x * x + y * y, x * x + z * z, y * y + z * z].map(|squares| mass / 3.0 * squares);
    assert_close(of(r#"<geom type="box" size="0.1 0.2 0.3"/>"#), box_moments, mass);

    let (r, h) = (0.1_f64, 0.4_f64);
    let across = 3.0 * (3.0 * r * r + h * h) / 12.0;
    assert_close(of(r#"<geom type="cylinder" size="0.1 0.2" mass="3"/>"#), [1.5 * r * r, across, across], 3.0);

    let ellipsoid = [1.0 + 4.0, 1.0 + 9.0, 4.0 + 9.0].map(|squares: f64| 2.0 * 0.01 * squares / 5.0);
    assert_close(of(r#"<geom type="ellipsoid" size="0.1 0.2 0.3" mass="2"/>"#), ellipsoid, 2.0);

    // A cylinder and two half balls, whose centres of mass are 3/8 of the radius from their faces.
    let (cylinder, ball) = (PI * r * r * h * 700.0, 4.0 / 3.0 * PI * r.powi(3) * 700.0);
    let along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
    let of_balls = ball * (0.4 * r * r + 0.25 * h * h + 0.375 * r * h);
    let across = cylinder * (3.0 * r * r + h * h) / 12.0 + of_balls;
    let capsule = of(r#"<geom type="capsule" size="0.1 0.2" density="700"/>"#);
    assert_close(capsule, [along, across, across], cylinder + ball);
    let by_its_ends = of(r#"<geom type="capsule" size="0.1" fromto="1 1 1 1.4 1 1" density="700"/>"#);
    assert_close(by_its_ends, capsule.0, capsule.1);
}

#[test]
fn parts_add_up_about_their_common_centre() {
    let read = mjcf(
        r#"<worldbody><body name="b" pos="0 0 1"><freejoint/>
             <geom size="0.1" mass="1" pos="-1 0 0"/>
             <body name="part" pos="1 0 0"><geom size="0.1" mass="3"/></body></body></worldbody>"#,
    );
    assert_eq!(read.scene.bodies.len(), 1);
    let body = body(&read, "b");
    assert!(body.body.position.distance(DVec3::new(0.5, 0.0, 1.0)) < 1e-12);
    let own = 0.4 * 0.01 * 4.0;
    let across = own + 1.0 * 1.5 * 1.5 + 3.0 * 0.5 * 0.5;
    let moments = body.body.inertia();
    assert!((moments.min_element() - own).abs() < 1e-12 && (moments.max_element() - across).abs() < 1e-12, "{moments}");
    let (low, high) = body.shape.bounds_at(&body.body.pose());
    assert!(low.distance(DVec3::new(-1.1, -0.1, 0.9)) < 1e-12 && high.distance(DVec3::new(1.1, 0.1, 1.1)) < 1e-12);
}

#[test]
fn stated_masses_win_over_geometry_unless_the_file_says_otherwise() {
    let mass = |compiler: &str| {
        let read = mjcf(&format!(
            r#"<compiler {compiler}/><worldbody><body name="b"><freejoint/>
                 <inertial pos="0 0 0.5" mass="7" fullinertia="2 3 4 0.1 0.2 0.3"/><geom size="0.2" mass="5"/></body></worldbody>"#
        ));
        (body(&read, "b").body.mass(), body(&read, "b").body.position.z, body(&read, "b").body.inertia().element_sum())
    };
    let (stated, height, trace) = mass("");
    assert_eq!((stated, height), (7.0, 0.5));
    assert!((trace - 9.0).abs() < 1e-12);
    assert_eq!(mass(r#"inertiafromgeom="true""#).0, 5.0);
    assert_eq!(mass(r#"inertiafromgeom="false""#).0, 7.0);
}

#[test]
fn geoms_outside_the_range_of_groups_have_no_mass() {
    let read = mjcf(
        r#"<compiler inertiagrouprange="0 1"/><worldbody><body name="b"><freejoint/>
             <geom size="0.2" mass="5" group="2"/><geom size="0.2" mass="1" group="1"/></body></worldbody>"#,
    );
    assert_eq!(body(&read, "b").body.mass(), 1.0);
}
