//! V-Clip: the closest features of convex polyhedra, tracked from call to call, with a certificate.
//!
//! After Mirtich, "V-Clip: fast and robust polyhedral collision detection" (TR97-05, 1997; ACM Transactions on Graphics
//! 17(3), 1998) and "Rigid body contact: collision detection to force computation" (TR98-01, 1998), section 2.
//! [`closest`] is that search: from the pair of features of the call before it takes a few dozen nanoseconds,
//! whatever the number of features. It has no tolerance. In exact arithmetic it ends; in rounded arithmetic its
//! planes may disagree by a bit, and then it can go round in a circle or stop a step too early. So there is a
//! certificate ([`certify`]): two points of the features, whose distance is an upper bound, and a direction in which
//! no vertex of one polyhedron comes nearer to any of the other than a lower bound, which does not rest on the
//! search. [`certified`] searches, checks, and where the bounds do not agree to a few units in the last place goes on
//! by other ways (`repair`). Nothing is called penetrating without a point in common.
//!
//! ```
//! use drystone_contact::vclip::{self, ConvexPolyhedron, Outcome, Pair, RelativePose};
//! use drystone_contact::Pose;
//! use glam::DVec3;
//!
//! let corners: Vec<DVec3> = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as
//! f64)).collect(); let cube = ConvexPolyhedron::hull(&corners)?; let relative_pose =
//! RelativePose::new(&Pose::IDENTITY, &Pose::from_translation(DVec3::new(1.25, 0.5, 0.5))); let mut pair =
//! Pair::FIRST; let Outcome::Apart { closest, .. } = vclip::certified(&cube, &cube, &relative_pose, &mut pair) else {
//! panic!("they are apart") }; assert!((closest.distance - 0.25).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod between;
mod certificate;
mod closest_points;
pub mod contact_set;
pub mod convex_pieces;
mod cycle;
mod edge_rings;
mod flatness;
mod gjk;
mod growth;
pub mod hierarchy;
pub mod hull;
mod polyhedron;
mod relative_pose;
mod repair;
pub mod rounded_hull;
pub mod scalar;
mod search;
pub mod solids;
mod surroundings;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::shape::features::FeatureId;
pub use between::{NearPieces, Tracking};
pub use certificate::{Certificate, certify};
pub use polyhedron::{ConvexPolyhedron, Plane, PolyhedronError};
pub use relative_pose::RelativePose;
pub use repair::certified;

use cycle::Cycle;
use scalar::Scalar;
use search::{Step, View};

/// A feature of A and a feature of B: where a search ended, and where the next one starts. Facets are the faces of a
/// polyhedron; two of them are never closest features, and never a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pair {
    /// The feature of A.
    pub a: FeatureId,
    /// The feature of B.
    pub b: FeatureId,
}

impl Pair {
    /// The first vertices: any pair will do to start from, at the price of a longer search.
    pub const FIRST: Self = Self { a: FeatureId::Vertex(0), b: FeatureId::Vertex(0) };

    /// Where a search without memory starts: the vertices that are farthest along the line between the centres.
    pub fn cold(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose) -> Self {
        let towards = relative_pose.point_of_b(b.centre()) - a.centre();
        let on_a = a.support(towards, 0);
        let on_b = b.support(relative_pose.direction_to_b(-towards), 0);
        Self { a: FeatureId::Vertex(on_a), b: FeatureId::Vertex(on_b) }
    }

    /// The same with A and B exchanged.
    pub fn exchanged(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FoundBy {
    /// The search ended.
    Search,
    /// It went round in a circle, on which this pair has bounds that agree.
    Circle,
    /// It was started again from the farthest vertices.
    Restart,
    /// The nearest points come from another algorithm.
    Nearest,
}

/// The closest features of two polyhedra that are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The closest features.
    pub pair: Pair,
    /// The closest points of A and of B, each in the frame of its own polyhedron, m.
    pub points: [DVec3; 2],
    /// Their distance, m, above zero.
    pub distance: f64,
}

/// What a search finds, without a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// The polyhedra are apart.
    Apart(Closest),
    /// They have this point in common: frame of A, m.
    Intersecting(DVec3),
    /// The search went round in a circle.
    Circle,
}

/// What is known of two polyhedra, with its proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// They are apart.
    Apart {
        /// The closest features.
        closest: Closest,
        /// The bounds of the distance.
        certificate: Certificate,
        /// How they were found.
        found_by: FoundBy,
    },
    /// They have a point in common.
    Overlapping {
        /// Where the search ended.
        pair: Pair,
        /// A point of both, frame of A, m.
        witness: DVec3,
        /// How far the witness is outside of either polyhedron, m: what rounding leaves; negative inside of both.
        outside: f64,
        /// How it was found.
        found_by: FoundBy,
    },
}

/// The closest features of two polyhedra, from the pair of a call before, which is replaced by the new one.
///
/// A pair that the polyhedra do not have is replaced by the first vertices.
pub fn closest(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, pair: &mut Pair) -> Found {
    closest_in::<f64>(a, b, relative_pose, pair)
}

/// [`closest`] with numbers of another type: to count operations.
pub fn closest_in<S: Scalar>(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    pair: &mut Pair,
) -> Found {
    if !(a.has(pair.a) && b.has(pair.b)) {
        *pair = Pair::FIRST;
    }
    let mut view = View::<S>::new([a, b], &relative_pose.motions);
    let mut features = [pair.a, pair.b];
    let mut cycle = Cycle::new(features);
    let mut found = Found::Circle;
    while matches!(view.step(&mut features, &mut found), Step::Moved) && !cycle.closes_at(features) {}
    *pair = Pair { a: features[0], b: features[1] };
    found
}

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
