//! Volume-SAT: the normal is the axis of least overlap of two tetrahedra (assessment paper, section 6).
//!
//! With the settings of [`Sat::volume`] it differs from the paper in nothing.

use super::contact_plane::{ContactPlane, Earlier, PlanePosition};
use super::intersection_points::{Touching, intersection_points};
use super::local::{ElementMethod, LocalContact};
use super::overlap::tetrahedra_overlap;
use super::separating_axis::{AxisFeatures, AxisRule, AxisSense, least_overlap};
use super::tetrahedron::Tetrahedron;
use super::{SAME, TOUCHING};
use crate::precision::Vector;
use serde::{Deserialize, Serialize};

/// Settings of both SAT methods.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sat {
    /// Which axes may become normals.
    pub axes: AxisRule,
    /// How touching is decided.
    pub touching: Touching,
    /// How intersection points become contacts.
    pub plane: ContactPlane,
    /// What the gap of a contact is.
    pub gap: SatGap,
}

/// What a SAT method reports as gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SatGap {
    /// Minus the overlap of the tetrahedra along the normal.
    Overlap,
    /// Minus the extent of the intersection points along the normal.
    Extent,
}

impl Sat {
    /// Volume-SAT.
    pub fn volume() -> Self {
        Sat {
            axes: AxisRule {
                features: AxisFeatures::Volume,
                face_preference: SAME,
                tolerance: TOUCHING,
                sense: AxisSense::Shallower,
            },
            touching: Touching::default(),
            plane: ContactPlane { position: PlanePosition::Mean, merge: Some(SAME), compare: Earlier::Contacts },
            gap: SatGap::Overlap,
        }
    }
}

impl ElementMethod for Sat {
    fn name(&self) -> &'static str {
        if self.axes.features == AxisFeatures::Volume { "volume-sat" } else { "surface-sat" }
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        if !tetrahedra_overlap(a, b, V::real(self.axes.tolerance), self.touching.projected) {
            return;
        }
        let Some((normal, overlap)) = least_overlap(a, b, &self.axes) else {
            return;
        };
        let points = intersection_points(a, b, &self.touching);
        let mut projected = self.plane.contacts(&points, normal);
        if self.gap == SatGap::Overlap {
            projected.iter_mut().for_each(|c| c.gap = overlap);
        }
        contacts.append(&mut projected);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{
        DEPTH, ROUNDING, all_have, apex_in_face, contacts, corner, face_in_face, ridge_above, ridge_below,
    };
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> Sat {
        Sat {
            axes: AxisRule {
                face_preference: 0.0,
                tolerance: 0.0,
                sense: AxisSense::EarlierStart,
                ..Sat::volume().axes
            },
            touching: Touching::EXACT,
            plane: ContactPlane { position: PlanePosition::MidRange, merge: None, compare: Earlier::Points },
            gap: SatGap::Extent,
        }
    }

    fn both() -> [Sat; 2] {
        [Sat::volume(), otherwise()]
    }

    #[test]
    fn an_apex_in_a_face_gives_the_corners_of_the_common_volume() {
        // The apex, a millimetre deep, and three edges through the top. The plane stands in their mean or, otherwise,
        // half-way between them.
        for (method, height) in [(Sat::volume(), -DEPTH / 4.0), (otherwise(), -DEPTH / 2.0)] {
            let found = contacts(&method, &corner(), &apex_in_face());
            assert_eq!(found.len(), 4);
            assert!(all_have(&found, DVec3::Y, -DEPTH));
            assert!(found.iter().all(|c| (c.position.y - height).abs() < ROUNDING));
        }
    }

    #[test]
    fn a_face_in_a_face_gives_its_corners_and_where_its_edges_leave() {
        for method in both() {
            let found = contacts(&method, &corner(), &face_in_face());
            // Otherwise, crossings that are rounded to the front of their face are lost.
            assert!(found.len() == 6 || (method == otherwise() && found.len() > 3));
            assert!(all_have(&found, DVec3::Y, -DEPTH));
            assert!(found.iter().all(|c| (c.position.y + DEPTH / 2.0).abs() < ROUNDING));
        }
    }

    #[test]
    fn crossing_edges_give_their_product() {
        for method in both() {
            let found = contacts(&method, &ridge_below(DEPTH), &ridge_above(0.0));
            assert!(found.len() == 4 && all_have(&found, DVec3::Y, -DEPTH), "{found:?}");
        }
    }
}
