//! Following a pair of features: its closest points as the bodies move (paper, section 3.2).

use glam::DVec3;

use crate::shape::features::FeatureId;
use crate::vclip::certificate::separation;
use crate::vclip::polyhedron::Side;
use crate::vclip::{ConvexPolyhedron, Pair, RelativePose};
use serde::{Deserialize, Serialize};

/// Where the features of a contact are, frame of A.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tracked {
    /// The point on the feature of A and that on the feature of B, m.
    pub points: [DVec3; 2],
    /// From A to B, unit.
    pub normal: DVec3,
    /// Along the normal from the point of A to that of B, m: negative where the features have passed each other.
    pub gap: f64,
}

impl Tracked {
    /// Midway between the two points, m.
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.points[0] + self.points[1])
    }
}

/// Two points that are nearer than this share of what their coordinates are do not tell a direction.
const NEAR: f64 = 1e-9;

/// How many times the slack a vertex may be beyond a side of a face at which the solid rises. What is there is inside of
/// the other wall, and this one still holds it: a tip that has sunk in at the bottom of a crack.
const NOTCH: f64 = 100.0;

/// Two polyhedra on the way to a contact.
struct View<'p> {
    a: &'p ConvexPolyhedron,
    b: &'p ConvexPolyhedron,
    relative_pose: &'p RelativePose,
    /// How far outside of its feature's region a point may be, m.
    slack: f64,
}

/// The closest points of two features, by their own geometry alone, and the pair's name there; `None` if they do not
/// face each other but for a slack (m). A vertex at an edge or vertex that a face beside it keeps apart better has
/// that face's name. Pieces that know their solid face each other only where both solids do: across a normal that is one
/// of both features, and not of a cut.
pub fn track(
    pair: Pair,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    slack: f64,
) -> Option<(Pair, Tracked)> {
    use FeatureId::{Edge, Facet, Vertex};
    if !(a.has(pair.a) && b.has(pair.b)) {
        return None;
    }
    let view = View { a, b, relative_pose, slack };
    match (pair.a, pair.b) {
        (Vertex(v), Facet(f)) => Some((pair, view.vertex_face(v, f)?)),
        (Facet(_), Vertex(_)) => {
            Some((pair, exchanged(&track(pair.exchanged(), b, a, &relative_pose.exchanged(), slack)?.1, relative_pose)))
        }
        (Vertex(v), Vertex(w)) => {
            let points = [a.vertices()[v as usize], relative_pose.point_of_b(b.vertices()[w as usize])];
            view.named(pair, points, line(points))
        }
        (Vertex(v), Edge(e)) => {
            let x = a.vertices()[v as usize];
            let points = [x, relative_pose.point_of_b(on_edge(b, e, relative_pose.point_of_a(x), slack)?)];
            view.named(pair, points, line(points))
        }
        (Edge(e), Vertex(v)) => {
            let x = relative_pose.point_of_b(b.vertices()[v as usize]);
            let points = [on_edge(a, e, x, slack)?, x];
            view.named(pair, points, line(points))
        }
        (Edge(e), Edge(d)) => {
            let (points, normal) = view.edges(e, d)?;
            view.named(pair, points, Some(normal))
        }
        (Facet(_) | Edge(_), Facet(_) | Edge(_)) => None,
    }
}

/// A contact of B and A as one of A and B.
fn exchanged(tracked: &Tracked, relative_pose: &RelativePose) -> Tracked {
    let [p, q] = tracked.points.map(|x| relative_pose.point_of_b(x));
    Tracked { points: [q, p], normal: -relative_pose.direction_of_b(tracked.normal), gap: tracked.gap }
}

/// Case 1 of the paper: the point of an edge next to a point.
fn on_edge(solid: &ConvexPolyhedron, e: u32, x: DVec3, slack: f64) -> Option<DVec3> {
    let edge = solid.edge_at(e);
    let tail = solid.vertices()[edge.ends[0] as usize];
    let is_beside = edge.planes[..2].iter().all(|plane| plane.height(x) >= -slack);
    is_beside.then(|| tail + edge.direction * edge.direction.dot(x - tail).clamp(0.0, edge.length))
}

impl View<'_> {
    /// Case 2 of the paper.
    fn vertex_face(&self, v: u32, f: u32) -> Option<Tracked> {
        let x = self.a.vertices()[v as usize];
        let there = self.relative_pose.point_of_a(x);
        let plane = self.b.plane(f);
        let is_beyond = |side: &Side| {
            let out = -side.plane.height(there);
            let is_notch = || !self.b.allows(FeatureId::Edge(side.edge), plane.normal);
            out > self.slack && (out > NOTCH * self.slack || !is_notch())
        };
        if self.b.sides_of(f).iter().any(is_beyond) {
            return None;
        }
        let normal = -self.relative_pose.direction_of_b(plane.normal);
        if self.b.is_cut(f) || !self.a.allows(FeatureId::Vertex(v), normal) {
            return None;
        }
        let gap = plane.height(there);
        let points = [x, self.relative_pose.point_of_b(there - plane.normal * gap)];
        Some(Tracked { points, normal, gap })
    }

    /// Case 3 of the paper, with the squared sine in place of 1 − k², and the edges' common normal for the direction.
    fn edges(&self, e: u32, d: u32) -> Option<([DVec3; 2], DVec3)> {
        let Self { a, b, relative_pose, slack } = *self;
        let (own, other) = (a.edge_at(e), b.edge_at(d));
        let (p, u) = (a.vertices()[own.ends[0] as usize], own.direction);
        let q = relative_pose.point_of_b(b.vertices()[other.ends[0] as usize]);
        let w = relative_pose.direction_of_b(other.direction);
        let across = u.cross(w);
        let squared_sine = across.length_squared();
        if squared_sine < super::PARALLEL * super::PARALLEL {
            return None;
        }
        let along_own = (q - p).cross(w).dot(across) / squared_sine;
        let along_other = (q - p).cross(u).dot(across) / squared_sine;
        let is_on = |s: f64, length: f64| (-slack..=length + slack).contains(&s);
        if !(is_on(along_own, own.length) && is_on(along_other, other.length)) {
            return None;
        }
        let outward =
            |solid: &ConvexPolyhedron, faces: [u32; 2]| -> DVec3 { faces.map(|f| solid.plane(f).normal).iter().sum() };
        let apart = outward(a, own.faces) - relative_pose.direction_of_b(outward(b, other.faces));
        let normal = across.normalize() * if across.dot(apart) < 0.0 { -1.0 } else { 1.0 };
        Some(([p + u * along_own, q + w * along_other], normal))
    }

    /// Whether a normal is one of both features' solids there.
    fn allows(&self, pair: Pair, normal: DVec3) -> bool {
        self.a.allows(pair.a, normal) && self.b.allows(pair.b, -self.relative_pose.direction_to_b(normal))
    }

    /// A vertex against a vertex or an edge, or two edges. The direction is that, of the features' own and the
    /// normals of the faces at both, along which the polyhedra are farthest apart: their own, as long as they are the
    /// closest, and a face where the points have come together or passed each other. The pair takes the name of a
    /// face that a vertex is over.
    fn named(&self, pair: Pair, points: [DVec3; 2], own: Option<DVec3>) -> Option<(Pair, Tracked)> {
        let offset = points[1] - points[0];
        let apart = |n: DVec3| separation(self.a, self.b, self.relative_pose, n, points[0], offset, pair);
        let mut best = own.map(|n| (apart(n), n, pair));
        let mut consider = |n: DVec3, name: Pair| {
            let apart = apart(n);
            if best.is_none_or(|(most, ..)| apart > most) {
                best = Some((apart, n, name));
            }
        };
        for f in faces_at(self.a, pair.a) {
            consider(self.a.plane(f).normal, Pair { a: FeatureId::Facet(f), ..pair });
        }
        for f in faces_at(self.b, pair.b) {
            consider(
                -self.relative_pose.direction_of_b(self.b.plane(f).normal),
                Pair { b: FeatureId::Facet(f), ..pair },
            );
        }
        let (_, normal, name) = best?;
        let tracked = Tracked { points, normal, gap: normal.dot(offset) };
        // At the edge or vertex it must be a normal of that as well.
        let is_allowed = self.allows(pair, normal) && self.allows(name, normal);
        let as_face = match (name.a, name.b) {
            (FeatureId::Facet(_), FeatureId::Vertex(_)) | (FeatureId::Vertex(_), FeatureId::Facet(_)) => {
                track(name, self.a, self.b, self.relative_pose, self.slack)
            }
            _ => None,
        };
        as_face.or_else(|| is_allowed.then_some((pair, tracked)))
    }
}

/// From one point to another, where they are far enough apart to tell.
fn line(points: [DVec3; 2]) -> Option<DVec3> {
    let offset = points[1] - points[0];
    let size = points[0].abs().max_element().max(points[1].abs().max_element());
    offset.try_normalize().filter(|_| offset.length() > NEAR * size)
}

/// The faces at a vertex or beside an edge.
pub(super) fn faces_at(solid: &ConvexPolyhedron, feature: FeatureId) -> Vec<u32> {
    match feature {
        FeatureId::Facet(f) => vec![f],
        FeatureId::Edge(e) => solid.faces_beside(e).to_vec(),
        FeatureId::Vertex(v) => {
            let mut faces: Vec<u32> = solid.edges_at(v).flat_map(|(e, _)| solid.faces_beside(e)).collect();
            faces.sort_unstable();
            faces.dedup();
            faces
        }
    }
}
