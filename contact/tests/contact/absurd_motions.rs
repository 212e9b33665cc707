//! Motions that no body makes: spins from 1e8 rad/s, velocities up to 1e300 m/s, numbers that are none. All searches along a motion end
//! soon, with a time of the motion or an error; none says that nothing is met where it could not look.

use drystone_contact::ccd::mesh::Topology;
use drystone_contact::ccd::rigid::{NonlinearRigidMotion, Proximity, RigidMesh, RigidPair, ToiLimits};
use drystone_contact::ccd::time_of_contact::{Outcome, RigidPath, TocSettings, determine_toc};
use drystone_contact::generator::impact::{Motion, allowed_depth};
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Placed, Workspace};
use drystone_contact::query::{ShapeMotion, cast_shape};
use drystone_contact::shape::Shape;
use drystone_contact::solid::Description;
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Pose, Twist};
use glam::DVec3;

const SIZES: [f64; 10] = [0.0, 1.0, 1e8, 1e12, 1e100, 1e160, 1e300, f64::MAX, f64::INFINITY, f64::NAN];

/// s.
const DURATION: f64 = 0.01;

/// Where the body that moves begins, m; it would pass the other one, which is in the origin.
const START: DVec3 = DVec3::new(-2.0, 0.1, 0.2);

fn cuboid(size: DVec3) -> Shape {
    let corner = |k: i32| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - 0.5;
    let corners: Vec<DVec3> = (0..8).map(|k| corner(k) * size).collect();
    Shape::convex_hull(&corners).unwrap()
}

/// Twists of all sizes, towards the origin and turning about some axis.
fn twists() -> impl Iterator<Item = Twist> {
    let mut random = SplitMix::new(71);
    SIZES.into_iter().flat_map(|size| SIZES.map(|spin| (size, spin))).map(move |(size, spin)| {
        let axis = DVec3::from_array([0; 3].map(|_| random.next_between(-1.0, 1.0)));
        // Products with zero would be no numbers.
        let linear = if size == 0.0 { DVec3::ZERO } else { DVec3::new(size, 0.0, 0.0) };
        Twist { linear, angular: if spin.is_finite() { axis * spin } else { DVec3::splat(spin) } }
    })
}

fn is_followed(twist: &Twist) -> bool {
    twist.linear.length().is_finite() && twist.angular.length().is_finite()
}

#[test]
fn searches_for_impacts_end() {
    let (still, moving) = (cuboid(DVec3::ONE), cuboid(DVec3::new(2.0, 0.4, 0.3)));
    for twist in twists() {
        let placed = [
            Placed { shape: &still, pose: Pose::IDENTITY, twist: Twist::default() },
            Placed { shape: &moving, pose: Pose::from_translation(START), twist },
        ];
        let motion = Motion { placed, duration: DURATION, allowed: allowed_depth(&still, &moving) };
        let impact = motion.first_impact(&SemiLocal::default(), &[], &mut Workspace::default()).unwrap();
        let passes = twist.linear.x * DURATION > 4.0;
        assert!(impact.is_some() || (is_followed(&twist) && !passes), "{twist:?} meets nothing");
        if let Some(impact) = impact {
            assert!((0.0..=DURATION).contains(&impact.time), "{twist:?}: {}", impact.time);
            let now = impact.contacts_now(&motion);
            assert!(
                impact.contacts.iter().chain(&now).all(|c| c.position.is_finite() && c.gap.is_finite()),
                "{twist:?}"
            );
        }
    }
}

#[test]
fn casts_end_or_are_refused() {
    let (still, moving) = (cuboid(DVec3::ONE), cuboid(DVec3::new(2.0, 0.4, 0.3)));
    for Twist { linear, angular } in twists() {
        let motion = ShapeMotion { translation: linear, rotation: angular };
        let found = cast_shape([&moving, &still], [&Pose::from_translation(START), &Pose::IDENTITY], &motion, 1e-3);
        match found {
            Err(error) => assert!(!(linear.is_finite() && angular.is_finite()), "{motion:?}: {error}"),
            Ok(None) => assert!(linear.x < 4.0, "{motion:?} touches nothing"),
            Ok(Some(hit)) => assert!((0.0..=1.0).contains(&hit.fraction), "{motion:?}: {hit:?}"),
        }
    }
}

#[test]
fn times_of_impact_are_times_of_the_motion() {
    let (still, moving) = (cuboid(DVec3::ONE), cuboid(DVec3::new(2.0, 0.4, 0.3)));
    let surfaces = [&still, &moving].map(|shape| shape.surface().unwrap());
    let topologies = surfaces.map(Topology::of_surface);
    let limits = ToiLimits { max_intervals: 64, max_iterations: 1000 };
    for Twist { linear: velocity, angular: angular_velocity } in twists() {
        let motion = NonlinearRigidMotion {
            pose: Pose::from_translation(START),
            velocity,
            angular_velocity,
            duration: DURATION,
        };
        let a = RigidMesh::new(&topologies[0], surfaces[0].vertices(), NonlinearRigidMotion::still(Pose::IDENTITY));
        let b = RigidMesh::new(&topologies[1], surfaces[1].vertices(), motion);
        let pair = RigidPair { a, b, surfaces };
        assert!(matches!(pair.proximity_at_start(1.0, true), Proximity::Apart(_)), "{motion:?}");
        let is_far = velocity.x * DURATION > 4.0 || !motion.at(1.0).rotation.is_finite();
        match pair.time_of_impact(1e-3, &limits) {
            Ok(Some(time)) => assert!((0.0..=1.0).contains(&time), "{motion:?}: {time}"),
            Ok(None) => assert!(!is_far, "{motion:?} meets nothing"),
            Err(error) => panic!("{motion:?}: {error}"),
        }
        assert!((0.0..=1.0).contains(&pair.apart_at(0.1, 1.0)));
    }
}

#[test]
fn times_of_contact_are_found_or_refused() {
    let ball = Description::Primitive { kind: "ball".into(), dimensions: vec![0.5] }.build().unwrap();
    let still = NonlinearRigidMotion::still(Pose::IDENTITY);
    let settings = TocSettings { max_boxes: 1000, ..TocSettings::default() };
    for Twist { linear: velocity, angular: angular_velocity } in twists() {
        let body = NonlinearRigidMotion {
            pose: Pose::from_translation(START),
            velocity,
            angular_velocity,
            duration: DURATION,
        };
        let is_finite = velocity.is_finite() && angular_velocity.is_finite();
        let path = match RigidPath::new(&still, &body) {
            Ok(path) => path,
            Err(error) => {
                assert!(!is_finite, "{body:?}: {error}");
                continue;
            }
        };
        let found = determine_toc(&*ball, &path.point(DVec3::new(0.3, 0.2, 0.1)), [0.0, DURATION], &settings);
        match found.map(|found| found.outcome) {
            Ok(Outcome::Apart) => {
                assert!(is_followed(&Twist { linear: velocity, angular: angular_velocity }), "{body:?}")
            }
            Ok(Outcome::Contact(contact)) => assert!((0.0..=DURATION).contains(&contact.time), "{body:?}: {contact:?}"),
            Ok(Outcome::Stopped { time, .. }) => assert!((0.0..=DURATION).contains(&time), "{body:?}: {time}"),
            Err(error) => {
                assert!(!is_followed(&Twist { linear: velocity, angular: angular_velocity }), "{body:?}: {error}")
            }
        }
    }
}
