//! The penetration of two boxes, exactly: the smallest overlap over the fifteen axes that can part two boxes (faces and
//! pairs of edges). The same measure for every engine, from poses alone.

use drystone_engine::Pose;
use glam::DVec3;

/// The deepest penetration among all pairs, m; zero if none touch. `boxes` are half sizes with poses; pairs of two boxes
/// that do not move are left out.
pub fn deepest(boxes: &[(DVec3, Pose, bool)]) -> f64 {
    let corners = |(i, (half, pose, _)): (usize, &(DVec3, Pose, bool))| {
        let [x, y, z] = axes(pose);
        let reach = x.abs() * half.x + y.abs() * half.y + z.abs() * half.z;
        (pose.translation - reach, pose.translation + reach, i)
    };
    // Sweep along x: what does not meet along an axis of the world is not looked at.
    let mut order: Vec<(DVec3, DVec3, usize)> = boxes.iter().enumerate().map(corners).collect();
    order.sort_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.2.cmp(&b.2)));
    let mut deepest: f64 = 0.0;
    for (k, &(low, high, i)) in order.iter().enumerate() {
        for &(other_low, other_high, j) in order[k + 1..].iter().take_while(|(other, ..)| other.x <= high.x) {
            let (a, b) = (&boxes[i], &boxes[j]);
            if (a.2 || b.2) && other_low.cmple(high).all() && low.cmple(other_high).all() {
                deepest = deepest.max(penetration(a.0, &a.1, b.0, &b.1));
            }
        }
    }
    deepest
}

/// The smallest overlap over all axes, m; zero or below if an axis parts the boxes.
fn penetration(half_a: DVec3, a: &Pose, half_b: DVec3, b: &Pose) -> f64 {
    let (axes_a, axes_b) = (axes(a), axes(b));
    let apart = b.translation - a.translation;
    let overlap = |axis: DVec3| {
        let reach = |axes: &[DVec3; 3], half: DVec3| {
            axes.iter().zip(half.to_array()).map(|(x, h)| x.dot(axis).abs() * h).sum::<f64>()
        };
        reach(&axes_a, half_a) + reach(&axes_b, half_b) - apart.dot(axis).abs()
    };
    let faces = axes_a.iter().chain(&axes_b).copied();
    // Edges that are nearly parallel have no axis of their own.
    let edges = axes_a.iter().flat_map(|x| axes_b.map(|y| x.cross(y))).filter(|axis| axis.length() > 1e-6);
    faces.chain(edges.map(DVec3::normalize)).map(overlap).fold(f64::INFINITY, f64::min)
}

fn axes(pose: &Pose) -> [DVec3; 3] {
    [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotation * axis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn boxes_that_overlap_touch_and_miss() {
        let at = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0));
        let half = DVec3::splat(0.5);
        assert!((penetration(half, &at(0.0, 0.0), half, &at(0.3, 0.9)) - 0.1).abs() < 1e-15);
        assert!(penetration(half, &at(0.0, 0.0), half, &at(1.0, 0.0)).abs() < 1e-15);
        assert!(penetration(half, &at(0.0, 0.0), half, &at(1.2, 0.0)) < 0.0);
        // A corner edge of a turned box, √2/2 from its centre, above a face.
        let turned = Pose::from_parts(DVec3::new(0.0, 1.2, 0.0), DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4));
        let expected = 0.5 + 0.5f64.sqrt() - 1.2;
        assert!((penetration(half, &at(0.0, 0.0), half, &turned) - expected).abs() < 1e-12);
        let boxes = [(half, at(0.0, 0.0), true), (half, at(0.9, 0.0), true), (half, at(5.0, 0.0), true)];
        assert!((deepest(&boxes) - 0.1).abs() < 1e-12);
        assert_eq!(deepest(&boxes.map(|(half, pose, _)| (half, pose, false))), 0.0);
    }

    #[test]
    fn two_crossed_edges_part_where_no_face_does() {
        // Each box is turned so that an edge points at the other; the edges cross at a right angle.
        let half = DVec3::splat(0.5);
        let tilt = std::f64::consts::FRAC_PI_4;
        let below = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_x(tilt));
        let above = |gap: f64| Pose::from_parts(DVec3::Y * (2f64.sqrt() + gap), DQuat::from_rotation_z(tilt));
        assert!(penetration(half, &below, half, &above(1e-3)) < -0.9e-3);
        assert!((penetration(half, &below, half, &above(-1e-3)) - 1e-3).abs() < 1e-12);
    }
}
