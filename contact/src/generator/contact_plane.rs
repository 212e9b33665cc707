//! From intersection points and a normal to contacts: the contact plane (assessment paper, section 6 and appendix A).
//! Shared by the SAT methods, most opposing and growth distance.

use num_traits::Zero;
use serde::{Deserialize, Serialize};

use super::intersection_points::IntersectionPoint;
use super::local::LocalContact;
use super::overlap::interval;
use crate::precision::Vector;

/// Where along the normal the contact plane stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanePosition {
    /// In the mean of the intersection points.
    Mean,
    /// Midway between the extreme ones.
    MidRange,
    /// Nowhere: contacts stay where the intersection points are.
    None,
}

/// How intersection points become contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactPlane {
    /// Where along the normal the plane stands.
    pub position: PlanePosition,
    /// Points closer than this per coordinate are one, m; `None`: the working precision.
    pub merge: Option<f64>,
    /// With which earlier points a point is compared.
    pub compare: Earlier,
}

/// With which earlier points a point is compared. It matters where each point is close to the next: in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Earlier {
    /// With those that became contacts.
    Contacts,
    /// With all.
    Points,
}

impl ContactPlane {
    /// Contacts at the projected points, each position once; their gap is minus the extent of the points along the unit
    /// `normal`.
    pub fn contacts<V: Vector>(&self, points: &[IntersectionPoint<V>], normal: V) -> Vec<LocalContact<V>> {
        let positions: Vec<V> = points.iter().map(|p| p.position).collect();
        let (lowest, highest) = interval(normal, &positions);
        let gap = lowest - highest;
        let on_plane = match self.position {
            PlanePosition::None => None,
            PlanePosition::MidRange => Some(normal * (highest + lowest) * V::real(0.5)),
            PlanePosition::Mean => {
                let sum = positions.iter().fold(V::Real::zero(), |sum, &p| sum + normal.dot(p));
                Some(normal * (sum / V::real(positions.len() as f64)))
            }
        };
        let merge = self.merge.map_or(V::WORKING_PRECISION, V::real);
        let mut earlier: Vec<V> = Vec::with_capacity(points.len());
        let mut contacts = Vec::with_capacity(points.len());
        for point in points {
            let position = match on_plane {
                Some(origin) => point.position - normal * normal.dot(point.position - origin),
                None => point.position,
            };
            let is_new = earlier.iter().all(|&e| (e - position).max_norm() >= merge);
            if is_new {
                let (feature_a, feature_b) = (point.feature_a, point.feature_b);
                contacts.push(LocalContact { position, normal, gap, feature_a, feature_b });
            }
            if is_new || self.compare == Earlier::Points {
                earlier.push(position);
            }
        }
        contacts
    }
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
        let plane = |position| ContactPlane { position, merge: Some(1e-9), compare: Earlier::Contacts };
        let contacts = plane(PlanePosition::MidRange).contacts(&points, DVec3::Y);
        assert_eq!(contacts.len(), 3, "the first two fall together");
        assert!(contacts.iter().all(|c| c.position.y == 0.5 && c.gap == -1.0));
        let contacts = plane(PlanePosition::Mean).contacts(&points, DVec3::Y);
        assert!(contacts.iter().all(|c| c.position.y == 0.375));
        assert_eq!(plane(PlanePosition::None).contacts(&points, DVec3::Y).len(), 4);
    }

    #[test]
    fn a_chain_is_cut_where_earlier_contacts_are_compared() {
        let feature = LocalFeature::Element;
        let point = |x: f64| IntersectionPoint { position: DVec3::X * x, feature_a: feature, feature_b: feature };
        let chain = [point(0.0), point(0.6), point(1.2)];
        let count = |compare| {
            let plane = ContactPlane { position: PlanePosition::None, merge: Some(1.0), compare };
            plane.contacts(&chain, DVec3::Y).len()
        };
        assert_eq!(count(Earlier::Points), 1);
        assert_eq!(count(Earlier::Contacts), 2);
    }
}
