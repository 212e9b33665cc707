//! Contact sets: regions of contact from the history of the closest features (Mirtich, TR98-01, section 3).
//!
//! V-Clip tells one pair of features, where two faces touch all over. So the pairs that were the closest at one time or
//! another are kept, each for as long as its features face each other and are near: the vertices and edges that hold a
//! resting body come together within a few steps, as it settles on one after the other. A pair is [tracked](track),
//! left out when it is [out of range](ContactMargin), and found by a [search in time](search) where bodies came into
//! each other past the pairs that hold them apart.
//!
//! What the paper leaves open is decided so: pairs go at a larger distance than that at which they come; a new pair
//! whose points coincide with those of a member is no new contact; where a face at the features keeps the bodies
//! apart better than the line between two points does, as when these have come together, its normal counts and its
//! name; parallel edges, which have no closest points, become the ends of where they lie side by side. Depth is told
//! by features that have passed each other, as a negative gap.

mod beside;
mod least_twist;
mod missing;
mod promotion;
mod retreat;
mod track;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::polyhedron::Edge;
use super::{ConvexPolyhedron, Pair, RelativePose};
use crate::shape::features::FeatureId;
use beside::faces_beside;
pub use missing::{missing, parted};
pub use promotion::{Promotion, promoted};
pub use retreat::{Motion, search, straight_out};
pub use track::{Tracked, track};

/// At which distances pairs come and go, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactMargin {
    /// A new pair is no farther apart than this.
    pub enter: f64,
    /// A pair that is farther apart is left out; more than `enter`.
    pub leave: f64,
    /// A pair that has sunk in deeper is left out.
    pub depth: f64,
    /// Points that are nearer to each other are one.
    pub same: f64,
}

impl ContactMargin {
    /// Whether a pair that was kept stays.
    pub fn keeps(&self, tracked: &Tracked) -> bool {
        tracked.gap <= self.leave && tracked.gap >= -self.depth
    }
}

/// A contact of a set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its features.
    pub pair: Pair,
    /// Where they are.
    pub tracked: Tracked,
}

/// The contacts between two convex polyhedra.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactSet {
    members: Vec<Member>,
}

impl ContactSet {
    /// The set of some pairs, as far as they are in reach.
    pub fn of(
        pairs: impl IntoIterator<Item = Pair>,
        a: &ConvexPolyhedron,
        b: &ConvexPolyhedron,
        relative_pose: &RelativePose,
        reach: &ContactMargin,
    ) -> Self {
        let mut set = Self::default();
        for pair in pairs {
            set.keep(pair, a, b, relative_pose, reach);
        }
        set
    }

    /// The contacts, in the order of their pairs.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Whether all features are those of two polyhedra, as they are unless the set comes from a damaged file.
    pub fn is_of(&self, a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> bool {
        let is_sorted = self.members.is_sorted_by(|x, y| x.pair < y.pair);
        is_sorted && self.members.iter().all(|member| a.has(member.pair.a) && b.has(member.pair.b))
    }

    /// Whether a pair is in the set.
    pub fn has(&self, pair: Pair) -> bool {
        self.members.binary_search_by_key(&pair, |member| member.pair).is_ok()
    }

    /// Follows all pairs to another relative pose and leaves out those that are out of reach.
    pub fn follow(
        &mut self,
        a: &ConvexPolyhedron,
        b: &ConvexPolyhedron,
        relative_pose: &RelativePose,
        reach: &ContactMargin,
    ) {
        for member in std::mem::take(&mut self.members) {
            self.keep(member.pair, a, b, relative_pose, reach);
        }
    }

    /// Adds a pair that was found to be the closest, wherever it is now; where no normal of its features is one of the
    /// solids that they are pieces of, the face beside them that holds. `false` if it is in the set already, under this
    /// name or another, or its features do not face each other here.
    pub fn add(
        &mut self,
        pair: Pair,
        a: &ConvexPolyhedron,
        b: &ConvexPolyhedron,
        relative_pose: &RelativePose,
        reach: &ContactMargin,
    ) -> bool {
        let before = self.members.len();
        let mut is_seen = false;
        for pair in canonical(pair, a, b, relative_pose, reach.same) {
            is_seen |= self.keep(pair, a, b, relative_pose, reach);
        }
        if !is_seen {
            for pair in faces_beside(pair, a, b, relative_pose) {
                self.keep(pair, a, b, relative_pose, reach);
            }
        }
        self.members.len() > before
    }

    /// Adds a pair if it is in reach and no member has its points. `false` if its features do not face each other.
    fn keep(
        &mut self,
        pair: Pair,
        a: &ConvexPolyhedron,
        b: &ConvexPolyhedron,
        relative_pose: &RelativePose,
        reach: &ContactMargin,
    ) -> bool {
        let Some((pair, tracked)) = track(pair, a, b, relative_pose, reach.same) else { return false };
        let is_known = |member: &Member| {
            member.pair == pair
                || (0..2).all(|k| member.tracked.points[k].distance(tracked.points[k]) <= reach.same)
                    && member.tracked.normal.dot(tracked.normal) > 0.0
        };
        if reach.keeps(&tracked) && !self.members.iter().any(is_known) {
            let place = self.members.partition_point(|member| member.pair < pair);
            self.members.insert(place, Member { pair, tracked });
        }
        true
    }
}

/// Edges whose directions enclose an angle with a sine below this have no closest points of their own.
const PARALLEL: f64 = 1e-6;

/// The names under which a pair of closest features is kept: itself, or in place of parallel edges the vertices at the
/// ends of where they lie side by side.
fn canonical(
    pair: Pair,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    slack: f64,
) -> Vec<Pair> {
    let (FeatureId::Edge(e), FeatureId::Edge(d)) = (pair.a, pair.b) else { return vec![pair] };
    let (own, other) = (a.edge_at(e), b.edge_at(d));
    if own.direction.cross(relative_pose.direction_of_b(other.direction)).length() >= PARALLEL {
        return vec![pair];
    }
    let on_edge = |x: DVec3, edge: &Edge| edge.planes[..2].iter().all(|plane| plane.height(x) >= -slack);
    let of_a = own.ends.into_iter().filter(|&v| on_edge(relative_pose.point_of_a(a.vertices()[v as usize]), other));
    let of_a = of_a.map(|v| Pair { a: FeatureId::Vertex(v), b: pair.b });
    let of_b = other.ends.into_iter().filter(|&v| on_edge(relative_pose.point_of_b(b.vertices()[v as usize]), own));
    let of_b = of_b.map(|v| Pair { a: pair.a, b: FeatureId::Vertex(v) });
    of_a.chain(of_b).collect()
}

#[cfg(test)]
mod tests;
