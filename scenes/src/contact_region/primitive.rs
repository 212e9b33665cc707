//! Where a primitive is farthest along a direction: a point, the ends of a line, or the corners of a face.

use drystone_contact::shape::{Capsule, Cone, Cylinder, Primitive, RoundedBox};
use drystone_engine::Pose;
use glam::DVec3;

/// The corners of the face, line or point of a primitive that is farthest along `direction` (unit), world frame, m. What is
/// tilted against it by less than `angle` (rad) counts as one with its end. A round face has no corners: nothing.
pub fn farthest(primitive: &dyn Primitive, pose: &Pose, direction: DVec3, angle: f64) -> Vec<DVec3> {
    let n = pose.rotation.inverse() * direction;
    let dimensions = primitive.dimensions();
    let found = match (primitive.kind(), &dimensions[..]) {
        (Capsule::KIND, &[radius, half]) => {
            ends(n.y, angle).into_iter().map(|end| DVec3::Y * (end * half) + n * radius).collect()
        }
        (RoundedBox::KIND, &[x, y, z, radius]) => {
            let signs = n.to_array().map(|component| ends(component, angle));
            let corner = |sx: f64, sy: f64, sz: f64| DVec3::new(sx * x, sy * y, sz * z) + n * radius;
            let [of_x, of_y, of_z] = &signs;
            let of_xy = of_x.iter().flat_map(|&sx| of_y.iter().map(move |&sy| (sx, sy)));
            of_xy.flat_map(|(sx, sy)| of_z.iter().map(move |&sz| corner(sx, sy, sz))).collect()
        }
        (Cylinder::KIND, &[radius, half]) => round_ends(n, angle, [(radius, -half), (radius, half)]),
        (Cone::KIND, &[radius, height]) => round_ends(n, angle, [(radius, -0.25 * height), (0.0, 0.75 * height)]),
        _ => primitive.support(n).into_iter().collect(),
    };
    found.into_iter().map(|p| pose.transform_point(p)).collect()
}

/// The ends of an axis that are farthest along a direction with this component along it: the one, the other or both.
fn ends(component: f64, angle: f64) -> Vec<f64> {
    if component.abs() < angle { vec![-1.0, 1.0] } else { vec![component.signum()] }
}

/// Of a solid between two circles around y, each with its radius and height (m), the points of one or of both.
fn round_ends(n: DVec3, angle: f64, circles: [(f64, f64); 2]) -> Vec<DVec3> {
    let aside = DVec3::new(n.x, 0.0, n.z);
    let is_across = aside.length() < angle;
    let outward = aside.normalize_or_zero();
    let [low, high] = circles.map(|(radius, y)| outward * radius + DVec3::Y * y);
    let side = (high - low).normalize();
    if !is_across && side.dot(n).abs() < angle {
        return vec![low, high];
    }
    let (point, (radius, _)) = if side.dot(n) > 0.0 { (high, circles[1]) } else { (low, circles[0]) };
    if is_across && radius > 0.0 { Vec::new() } else { vec![point] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::shape::{Ball, Ellipsoid};
    use drystone_contact::split_mix::SplitMix;
    use glam::DQuat;

    /// No point of the surface is farther, and those that are found are points of the surface.
    #[test]
    fn nothing_is_farther() {
        let primitives: [Box<dyn Primitive>; 6] = [
            Box::new(Ball::new(0.4).unwrap()),
            Box::new(Ellipsoid::new(DVec3::new(0.3, 0.2, 0.5)).unwrap()),
            Box::new(Capsule::new(0.2, 0.3).unwrap()),
            Box::new(Cylinder::new(0.2, 0.3).unwrap()),
            Box::new(Cone::new(0.4, 0.5).unwrap()),
            Box::new(RoundedBox::new(DVec3::new(0.1, 0.2, 0.3), 0.05).unwrap()),
        ];
        let mut sequence = SplitMix::new(5);
        for primitive in &primitives {
            let drawn = primitive.triangles();
            for _ in 0..100 {
                let direction = sequence.next_rotation() * DVec3::Y;
                let pose = Pose::from_parts(DVec3::new(1.0, -2.0, 0.5), sequence.next_rotation());
                let found = farthest(&**primitive, &pose, direction, 1e-9);
                assert_eq!(found.len(), 1, "{primitive:?}");
                let on = primitive.closest(pose.rotation.inverse() * (found[0] - pose.translation));
                assert!(on.distance.abs() < 1e-12, "{primitive:?}: {}", on.distance);
                let height = |&v: &DVec3| pose.transform_point(v).dot(direction);
                let most = drawn.vertices.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
                assert!(found[0].dot(direction) > most - 1e-12, "{primitive:?}");
            }
        }
    }

    #[test]
    fn lines_and_faces_have_ends() {
        let count = |primitive: &dyn Primitive, n: DVec3| {
            farthest(primitive, &Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY), n.normalize(), 1e-2).len()
        };
        assert_eq!(count(&Cylinder::new(0.2, 0.3).unwrap(), DVec3::X), 2);
        assert_eq!(count(&Cylinder::new(0.2, 0.3).unwrap(), DVec3::Y), 0);
        assert_eq!(count(&Capsule::new(0.2, 0.3).unwrap(), DVec3::Z), 2);
        assert_eq!(count(&Cone::new(0.5, 0.5).unwrap(), DVec3::new(1.0, 1.0, 0.0)), 2);
        assert_eq!(count(&Cone::new(0.5, 0.5).unwrap(), DVec3::Y), 1);
        let rounded = RoundedBox::new(DVec3::new(0.1, 0.2, 0.3), 0.05).unwrap();
        assert_eq!([DVec3::Z, DVec3::new(1.0, 1.0, 0.0), DVec3::ONE].map(|n| count(&rounded, n)), [4, 2, 1]);
    }
}
