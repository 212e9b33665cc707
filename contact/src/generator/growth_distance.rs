//! Growth distance: shrink two overlapping tetrahedra until they are apart, let the separation point to the best
//! matching normal of their features, and take the intersection points as contacts (assessment paper, section 6 and
//! appendix B, algorithm 2; Ong and Gilbert 1996).
//!
//! The default settings are what algorithm 2 intends: shapes that touch are shrunk too, for their separation has no direction;
//! the ray parameter is τ = 1 − 1/α, so that α = 1/(1 − τ) in line 10; the separation of line 9 is taken back to the
//! unscaled shapes; the normal of B is negated in line 16, and of two features of equal dimension the one closer to the
//! separation wins, so that swapping A and B only turns the normal; contacts are projected to the contact plane.

use num_traits::{Float, One, Zero};
use serde::{Deserialize, Serialize};

use super::SAME;
use super::closest_features::{ClosestPair, closest_points};
use super::contact_plane::{ContactPlane, Earlier, PlanePosition};
use super::gauss_map::{BestNormal, FaceSearch, best_normal};
use super::intersection_points::{Touching, intersection_points};
use super::local::{ElementMethod, LocalContact};
use super::overlap::tetrahedra_overlap;
use super::tetrahedron::Tetrahedron;
use crate::precision::Vector;

/// Settings of the growth-distance method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthDistance {
    /// β, the factor of the line search and the damping of the advance, in (0, 1).
    pub damping: f64,
    /// How the shapes grow back towards each other.
    pub growth: Growth,
    /// δ, the separation to grow back to, as a share of the smaller diameter.
    pub separation: f64,
    /// Most steps of growth.
    pub steps: usize,
    /// Half angle of the cone that belongs to every normal, rad.
    pub cone: f64,
    /// Which face within the cone is taken.
    pub faces: FaceSearch,
    /// Who gives the normal if both features have the same dimension.
    pub tie: Tie,
    /// How touching is decided.
    pub touching: Touching,
    /// How intersection points become contacts.
    pub plane: ContactPlane,
}

/// How the shrunk shapes grow back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Growth {
    /// A ray is cast through the Minkowski difference (algorithm 2, lines 7 to 13).
    RayCast,
    /// The scale becomes one less the share of the gap in the distance of the centres, as long as that enlarges it,
    /// down to twice δ or twice the gap first found.
    GapShare,
}

/// Which normal wins if both features have the same dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The one closer to the separation.
    Closer,
    /// A's.
    A,
}

impl Default for GrowthDistance {
    /// As algorithm 2 means it.
    fn default() -> Self {
        Self {
            damping: 0.9,
            growth: Growth::RayCast,
            separation: 0.01,
            steps: 100,
            cone: 4f64.to_radians(),
            faces: FaceSearch::Closest,
            tie: Tie::Closer,
            touching: Touching::default(),
            plane: ContactPlane { position: PlanePosition::MidRange, merge: Some(SAME), compare: Earlier::Contacts },
        }
    }
}

impl GrowthDistance {
    /// The separation of the shapes at the scale where they are about δ apart: from A to B, not unit. `None` if the
    /// centres coincide, so that no scale separates them.
    fn separation<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>) -> Option<V> {
        let centres = b.centre() - a.centre();
        if centres.dot(centres) <= V::Real::min_positive_value() {
            return None;
        }
        let (damping, touching) = (V::real(self.damping), V::real(self.touching.tolerance));
        let mut scale = V::Real::one(); // line 1
        let mut shrunk = (*a, *b);
        while tetrahedra_overlap(&shrunk.0, &shrunk.1, touching, self.touching.projected) {
            scale = scale * damping; // lines 2 to 4
            shrunk = (a.scaled(scale), b.scaled(scale));
            if scale <= V::WORKING_PRECISION {
                return None;
            }
        }
        let pair = self.grow(a, b, centres, scale, closest_points(&shrunk.0, &shrunk.1)); // line 5
        let separation = pair.on_b - pair.on_a;
        (separation.dot(separation) > V::Real::zero()).then_some(separation)
    }

    /// Algorithm 2, lines 7 to 13, with v = c_A − c_B = −`centres`: from the pair at the scale to one about δ apart.
    fn grow<V: Vector>(
        &self,
        a: &Tetrahedron<V>,
        b: &Tetrahedron<V>,
        centres: V,
        mut scale: V::Real,
        mut pair: ClosestPair<V>,
    ) -> ClosestPair<V> {
        let (one, damping) = (V::Real::one(), V::real(self.damping));
        let mut target = V::real(self.separation) * a.diameter().min(b.diameter());
        if self.growth == Growth::GapShare {
            target = V::real(2.0) * pair.distance.min(target);
            scale = scale * damping;
        }
        let mut tau = one - one / scale; // line 7
        for _ in 0..self.steps {
            if pair.distance <= target {
                break; // line 8
            }
            let separation = pair.on_b - pair.on_a;
            match self.growth {
                Growth::RayCast => {
                    tau = tau + damping * (separation / scale).dot(centres) / centres.dot(centres); // line 9
                    scale = one / (one - tau); // line 10
                }
                Growth::GapShare => {
                    let enlarged = one - separation.dot(centres) / centres.dot(centres);
                    if scale >= enlarged {
                        break;
                    }
                    scale = enlarged;
                }
            }
            pair = closest_points(&a.scaled(scale), &b.scaled(scale)); // line 11
        }
        pair
    }

    /// Algorithm 2, lines 14 to 16: the unit normal from A to B.
    fn normal<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, separation: V) -> Option<V> {
        let s = separation.unit();
        let tolerance = V::real(libm::cos(self.cone));
        let of_a = best_normal(a, s, self.faces, tolerance);
        let of_b = best_normal(b, -s, self.faces, tolerance);
        let (of_a, of_b) = match (of_a, of_b) {
            (Some(of_a), Some(of_b)) => (of_a, of_b),
            (Some(only), None) => return Some(only.normal),
            (None, Some(only)) => return Some(-only.normal),
            (None, None) => return None,
        };
        let a_wins = match self.tie {
            Tie::A => of_a.dimension >= of_b.dimension,
            Tie::Closer if of_a.dimension != of_b.dimension => of_a.dimension > of_b.dimension,
            Tie::Closer => self.is_closer(&of_a, &of_b, s),
        };
        Some(if a_wins { of_a.normal } else { -of_b.normal })
    }

    fn is_closer<V: Vector>(&self, of_a: &BestNormal<V>, of_b: &BestNormal<V>, s: V) -> bool {
        of_a.normal.dot(s) >= of_b.normal.dot(-s)
    }
}

impl ElementMethod for GrowthDistance {
    fn name(&self) -> &'static str {
        "growth-distance"
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        if !tetrahedra_overlap(a, b, V::real(self.touching.tolerance), self.touching.projected) {
            return;
        }
        let normal = self.separation(a, b).and_then(|s| self.normal(a, b, s));
        if let Some(normal) = normal {
            let points = intersection_points(a, b, &self.touching);
            contacts.append(&mut self.plane.contacts(&points, normal));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{DEPTH, ROUNDING, apex_in_face, contacts, corner, face_in_face, tetrahedron};
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> GrowthDistance {
        GrowthDistance {
            growth: Growth::GapShare,
            steps: 20,
            faces: FaceSearch::First,
            tie: Tie::A,
            touching: Touching::EXACT,
            plane: ContactPlane { position: PlanePosition::None, merge: None, compare: Earlier::Contacts },
            ..GrowthDistance::default()
        }
    }

    fn both() -> [GrowthDistance; 2] {
        [GrowthDistance::default(), otherwise()]
    }

    #[test]
    fn an_apex_in_a_face_takes_the_normal_of_the_face() {
        for method in both() {
            let found = contacts(&method, &corner(), &apex_in_face());
            assert_eq!(found.len(), 4);
            assert!(
                found.iter().all(|c| (c.normal - DVec3::Y).length() < ROUNDING && (c.gap + DEPTH).abs() < ROUNDING)
            );
            // Projected half-way, or, otherwise, left where the volume has its corners.
            let heights: Vec<f64> = found.iter().map(|c| c.position.y).collect();
            let is_midway = heights.iter().all(|y| (y + DEPTH / 2.0).abs() < ROUNDING);
            assert_eq!(is_midway, method == GrowthDistance::default(), "{heights:?}");
        }
    }

    #[test]
    fn a_face_in_a_face_takes_their_normal() {
        for method in both() {
            let found = contacts(&method, &corner(), &face_in_face());
            // Otherwise, crossings that are rounded to the front of their face are lost.
            assert!(found.len() == 6 || (method == otherwise() && found.len() > 3));
            assert!(found.iter().all(|c| (c.normal - DVec3::Y).length() < ROUNDING));
        }
    }

    #[test]
    fn of_two_faces_in_the_cone_the_closer_wins_or_otherwise_the_first_body() {
        // The lower face of B is tilted by less than the cone of four degrees.
        let b = tetrahedron([[1.0, -DEPTH, 1.0], [3.0, 0.04, 1.0], [1.0, -DEPTH, 3.0], [1.5, 3.0, 1.5]]);
        let tilted = DVec3::new(0.041, -2.0, 0.0).normalize();
        let normal = |method: GrowthDistance, a, b| contacts(&method, a, b)[0].normal;
        let a = corner();
        let (there, back) = (normal(GrowthDistance::default(), &a, &b), normal(GrowthDistance::default(), &b, &a));
        assert!((there + back).length() < ROUNDING);
        assert!((normal(otherwise(), &a, &b) - DVec3::Y).length() < ROUNDING);
        assert!((normal(otherwise(), &b, &a) - tilted).length() < ROUNDING);
    }
}
