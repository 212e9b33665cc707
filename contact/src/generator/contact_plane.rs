//! From intersection points and a normal to contacts: the contact plane (assessment paper, section 6 and appendix A).
//! Shared by the SAT methods, most opposing and growth distance.

use num_traits::Zero;

use super::intersection_points::IntersectionPoint;
use super::local::LocalContact;
use super::overlap::interval;
use crate::precision::Vector;

/// Where along the normal the contact plane stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanePosition {
    /// In the mean of the intersection points.
    Mean,
    /// Midway between the extreme ones.
    MidRange,
    /// Nowhere: contacts stay where the intersection points are.
    None,
}

/// Contacts at the intersection points projected to the contact plane, each position once (within `merge`, m, by
/// coordinate); their gap is minus the extent of the points along the normal.
pub fn project<V: Vector>(
    points: &[IntersectionPoint<V>],
    normal: V,
    plane: PlanePosition,
    merge: V::Real,
) -> Vec<LocalContact<V>> {
    let positions: Vec<V> = points.iter().map(|p| p.position).collect();
    let (lowest, highest) = interval(normal, &positions);
    let gap = lowest - highest;
    let on_plane = match plane {
        PlanePosition::None => None,
        PlanePosition::MidRange => Some(normal * (highest + lowest) * V::real(0.5)),
        PlanePosition::Mean => {
            let sum = positions.iter().fold(V::Real::zero(), |sum, &p| sum + normal.dot(p));
            Some(normal * (sum / V::real(positions.len() as f64)))
        }
    };
    let mut projected: Vec<V> = Vec::with_capacity(points.len());
    let mut contacts = Vec::with_capacity(points.len());
    for point in points {
        let position = match on_plane {
            Some(origin) => point.position - normal * normal.dot(point.position - origin),
            None => point.position,
        };
        if projected.iter().all(|&earlier| (earlier - position).max_norm() >= merge) {
            let (feature_a, feature_b) = (point.feature_a, point.feature_b);
            contacts.push(LocalContact { position, normal, gap, feature_a, feature_b });
        }
        projected.push(position);
    }
    contacts
}

#[cfg(test)]
mod tests {
    use super::super::local::LocalFeature;
    use super::*;
    use glam::DVec3;

    #[test]
    fn points_fall_onto_the_plane_and_merge() {
        let point = |x: f64, y: f64| IntersectionPoint {
            position: DVec3::new(x, y, 0.0),
            feature_a: LocalFeature::Element,
            feature_b: LocalFeature::Element,
        };
        let points = [point(0.0, 0.0), point(0.0, 1.0), point(2.0, 0.5), point(3.0, 0.0)];
        let contacts = project(&points, DVec3::Y, PlanePosition::MidRange, 1e-9);
        assert_eq!(contacts.len(), 3, "the first two fall together");
        assert!(contacts.iter().all(|c| c.position.y == 0.5 && c.gap == -1.0));
        let contacts = project(&points, DVec3::Y, PlanePosition::Mean, 1e-9);
        assert!(contacts.iter().all(|c| c.position.y == 0.375));
        assert_eq!(project(&points, DVec3::Y, PlanePosition::None, 1e-9).len(), 4);
    }
}
