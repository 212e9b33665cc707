//! The broad phase: which features come near each other while they move.
//!
//! The box around all places of a feature is the box around its points at both ends, since points go straight. Boxes are
//! compared as they are: minimum and maximum are exact in floating point, and the separation is added rounding outward.
//! So no pair that comes as near as the separation on all axes is left out.

use super::{MovingMesh, Topology};
use crate::ccd::{Kind, Query};
use crate::{Bounds, BoundsTree};
use glam::DVec3;

/// Up to this many pairs of boxes are compared one by one: cheaper than a tree.
const FEW: usize = 4096;

/// Which features of two meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Between {
    /// A vertex of A and a face of B.
    VertexFace,
    /// A face of A and a vertex of B; only between two meshes.
    FaceVertex,
    /// An edge of A and one of B.
    EdgeEdge,
}

/// A pair of features. Within one mesh A and B are the same, and the lower edge comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate {
    /// What they are.
    pub between: Between,
    /// The feature of A.
    pub a: u32,
    /// The feature of B.
    pub b: u32,
}

impl Candidate {
    /// The pair as a query: the same mesh twice for a pair within it.
    pub fn query(&self, a: &MovingMesh<'_>, b: &MovingMesh<'_>) -> Query {
        match self.between {
            Between::VertexFace => a.vertex_face(self.a, b, self.b),
            Between::FaceVertex => b.vertex_face(self.b, a, self.a),
            Between::EdgeEdge => a.edge_edge(self.a, b, self.b),
        }
    }

    /// What kind of query it is.
    pub fn kind(&self) -> Kind {
        if self.between == Between::EdgeEdge { Kind::EdgeEdge } else { Kind::VertexFace }
    }
}

/// The pairs of features of two meshes that may come as near as `separation` (m), in ascending order; `wants` can refuse
/// some.
pub fn between(
    a: &MovingMesh<'_>,
    b: &MovingMesh<'_>,
    separation: f64,
    mut wants: impl FnMut(&Candidate) -> bool,
) -> Vec<Candidate> {
    let (Some(whole_a), Some(whole_b)) = (whole(a, separation), whole(b, separation)) else { return Vec::new() };
    if !whole_a.meets(&whole_b) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for between in [Between::VertexFace, Between::FaceVertex, Between::EdgeEdge] {
        let (own, other) = match between {
            Between::VertexFace => (vertices(a, &whole_b, separation), faces(b, &whole_a, 0.0)),
            Between::FaceVertex => (faces(a, &whole_b, separation), vertices(b, &whole_a, 0.0)),
            Between::EdgeEdge => (edges(a, &whole_b, separation), edges(b, &whole_a, 0.0)),
        };
        overlapping(&own, &other, |a, b| {
            let candidate = Candidate { between, a, b };
            if wants(&candidate) {
                all.push(candidate);
            }
        });
    }
    all.sort_unstable();
    all
}

/// The pairs of features of one mesh that may come as near as `separation` (m) and have no vertex in common, in ascending
/// order; `wants` can refuse some.
pub fn within(mesh: &MovingMesh<'_>, separation: f64, mut wants: impl FnMut(&Candidate) -> bool) -> Vec<Candidate> {
    let Some(whole) = whole(mesh, separation) else { return Vec::new() };
    let topology = mesh.topology();
    let mut all = Vec::new();
    let mut take = |candidate: Candidate| {
        if !share_a_vertex(topology, &candidate) && wants(&candidate) {
            all.push(candidate);
        }
    };
    overlapping(&vertices(mesh, &whole, separation), &faces(mesh, &whole, 0.0), |a, b| {
        take(Candidate { between: Between::VertexFace, a, b });
    });
    let (grown, plain) = (edges(mesh, &whole, separation), edges(mesh, &whole, 0.0));
    overlapping(&grown, &plain, |a, b| {
        if a < b {
            take(Candidate { between: Between::EdgeEdge, a, b });
        }
    });
    all.sort_unstable();
    all
}

/// Calls `take` for every face of A and face of B whose boxes meet while they move, in any order.
pub(super) fn face_pairs(a: &MovingMesh<'_>, b: &MovingMesh<'_>, take: impl FnMut(u32, u32)) {
    if let (Some(whole_a), Some(whole_b)) = (whole(a, 0.0), whole(b, 0.0))
        && whole_a.meets(&whole_b)
    {
        overlapping(&faces(a, &whole_b, 0.0), &faces(b, &whole_a, 0.0), take);
    }
}

fn share_a_vertex(topology: &Topology, candidate: &Candidate) -> bool {
    let (a, b) = (candidate.a, candidate.b as usize);
    match candidate.between {
        Between::VertexFace => topology.faces()[b].contains(&a),
        Between::FaceVertex => topology.faces()[a as usize].contains(&candidate.b),
        Between::EdgeEdge => topology.edges()[a as usize].iter().any(|v| topology.edges()[b].contains(v)),
    }
}

/// A box around all places of a feature, m.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Swept {
    low: DVec3,
    high: DVec3,
}

impl Swept {
    const NONE: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn with(self, mesh: &MovingMesh<'_>, vertex: u32) -> Self {
        let (start, end) = (mesh.start()[vertex as usize], mesh.end()[vertex as usize]);
        Self { low: self.low.min(start).min(end), high: self.high.max(start).max(end) }
    }

    /// Wider by a length on all sides, rounded outward; without end if the length is no number, so that nothing is left
    /// out in silence.
    fn grown(self, by: f64) -> Self {
        if by == 0.0 {
            return self;
        }
        let by = if by.is_nan() { f64::INFINITY } else { by };
        let down = |p: DVec3| DVec3::new((p.x - by).next_down(), (p.y - by).next_down(), (p.z - by).next_down());
        Self { low: down(self.low), high: -down(-self.high) }
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// The box around a whole mesh, grown by the separation; `None` without vertices.
fn whole(mesh: &MovingMesh<'_>, separation: f64) -> Option<Swept> {
    let count = mesh.topology().vertices() as u32;
    (count > 0).then(|| (0..count).fold(Swept::NONE, |all, v| all.with(mesh, v)).grown(separation))
}

type Boxes = Vec<(u32, Swept)>;

/// The boxes of features, given by their vertices, that reach into `near`, grown.
fn boxes<'c>(mesh: &MovingMesh<'_>, features: impl Iterator<Item = &'c [u32]>, near: &Swept, separation: f64) -> Boxes {
    let around = |corners: &[u32]| corners.iter().fold(Swept::NONE, |all, &v| all.with(mesh, v)).grown(separation);
    (0..).zip(features.map(around)).filter(|(_, swept)| swept.meets(near)).collect()
}

fn vertices(mesh: &MovingMesh<'_>, near: &Swept, separation: f64) -> Boxes {
    let numbers: Vec<[u32; 1]> = (0..mesh.topology().vertices() as u32).map(|v| [v]).collect();
    boxes(mesh, numbers.iter().map(<[u32; 1]>::as_slice), near, separation)
}

fn edges(mesh: &MovingMesh<'_>, near: &Swept, separation: f64) -> Boxes {
    boxes(mesh, mesh.topology().edges().iter().map(<[u32; 2]>::as_slice), near, separation)
}

fn faces(mesh: &MovingMesh<'_>, near: &Swept, separation: f64) -> Boxes {
    boxes(mesh, mesh.topology().faces().iter().map(<[u32; 3]>::as_slice), near, separation)
}

/// Calls `take` for every pair of boxes that meet, in any order.
fn overlapping(a: &Boxes, b: &Boxes, mut take: impl FnMut(u32, u32)) {
    if a.len().saturating_mul(b.len()) <= FEW {
        for (i, own) in a {
            b.iter().filter(|(_, other)| own.meets(other)).for_each(|&(j, _)| take(*i, j));
        }
        return;
    }
    let bounds = |swept: &Swept| Bounds { low: swept.low, high: swept.high };
    let tree = BoundsTree::new((0..).zip(b.iter().map(|(_, swept)| bounds(swept))));
    for (i, own) in a {
        tree.overlapping(&bounds(own), |leaf| {
            let (j, other) = &b[leaf as usize];
            if own.meets(other) {
                take(*i, *j);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Triangles, single edges and single vertices with positions at both ends.
    #[derive(Clone, Debug)]
    struct Soup {
        topology: Topology,
        start: Vec<DVec3>,
        end: Vec<DVec3>,
    }

    impl Soup {
        fn moving(&self) -> MovingMesh<'_> {
            MovingMesh::new(&self.topology, &self.start, &self.end).unwrap()
        }
    }

    fn soup(most: usize) -> impl Strategy<Value = Soup> {
        let coordinate = (-40i32..40).prop_map(|x| f64::from(x) / 4.0);
        let point = prop::array::uniform3(coordinate).prop_map(DVec3::from);
        let shift = prop::array::uniform3(-2.0..2.0f64).prop_map(DVec3::from);
        let near = prop::array::uniform3((-4i32..4).prop_map(|x| f64::from(x) / 4.0)).prop_map(DVec3::from);
        let triangle = (point, prop::array::uniform3(near), prop::array::uniform3(shift), 0..4u8);
        prop::collection::vec(triangle, 1..most).prop_map(|list| {
            let (mut start, mut end, mut faces, mut edges) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for (centre, corners, shifts, kind) in list {
                let first = start.len() as u32;
                start.extend(corners.map(|c| centre + c));
                end.extend([0, 1, 2].map(|k| centre + corners[k] + shifts[k]));
                match kind {
                    0 | 1 => faces.push([first, first + 1, first + 2]),
                    2 => edges.push([first, first + 1]),
                    // A face that shares an edge with the next triple's first vertex, if there is one before.
                    _ => faces.push([first, first.saturating_sub(1), first + 2]),
                }
            }
            let topology = Topology::new(start.len(), &edges, faces).unwrap();
            Soup { topology, start, end }
        })
    }

    /// Whether the boxes of two sets of moving points are no farther apart than d on any axis.
    fn near(query: &Query, split: usize, d: f64) -> bool {
        let bounds = |range: std::ops::Range<usize>| {
            let points = query.start[range.clone()].iter().chain(&query.end[range]);
            points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), &p| (l.min(p), h.max(p)))
        };
        let ((al, ah), (bl, bh)) = (bounds(0..split), bounds(split..4));
        (0..3).all(|k| al[k] - d <= bh[k] && bl[k] - d <= ah[k])
    }

    fn all(between: Between, a: &Topology, b: &Topology) -> Vec<Candidate> {
        let (m, n) = match between {
            Between::VertexFace => (a.vertices(), b.faces().len()),
            Between::FaceVertex => (a.faces().len(), b.vertices()),
            Between::EdgeEdge => (a.edges().len(), b.edges().len()),
        };
        (0..m as u32).flat_map(|a| (0..n as u32).map(move |b| Candidate { between, a, b })).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn pairs_are_those_of_brute_force(one in soup(40), two in soup(40), d in prop_oneof![Just(0.0), Just(0.25), 0.0..1.0f64]) {
            let (a, b) = (one.moving(), two.moving());
            let split = |c: &Candidate| if c.between == Between::EdgeEdge { 2 } else { 1 };
            let expected: Vec<Candidate> = [Between::VertexFace, Between::FaceVertex, Between::EdgeEdge]
                .into_iter()
                .flat_map(|k| all(k, &one.topology, &two.topology))
                .filter(|c| near(&c.query(&a, &b), split(c), d))
                .collect();
            let found = between(&a, &b, d, |_| true);
            prop_assert!(expected.iter().all(|c| found.binary_search(c).is_ok()), "nothing is left out");
            // Rounding outward adds at most pairs that touch to the last bit.
            let wider: Vec<_> = found.iter().filter(|c| near(&c.query(&a, &b), split(c), d * (1.0 + 1e-12) + 1e-12)).collect();
            prop_assert_eq!(wider.len(), found.len());
            let even = between(&a, &b, d, |c| c.a % 2 == 0);
            prop_assert_eq!(even, found.into_iter().filter(|c| c.a % 2 == 0).collect::<Vec<_>>());

            let expected: Vec<Candidate> = [Between::VertexFace, Between::EdgeEdge]
                .into_iter()
                .flat_map(|k| all(k, &one.topology, &one.topology))
                .filter(|c| c.between != Between::EdgeEdge || c.a < c.b)
                .filter(|c| !share_a_vertex(&one.topology, c) && near(&c.query(&a, &a), split(c), d))
                .collect();
            let found = within(&a, d, |_| true);
            prop_assert!(expected.iter().all(|c| found.binary_search(c).is_ok()));
            prop_assert!(found.iter().all(|c| !share_a_vertex(&one.topology, c)));
            prop_assert!(found.iter().all(|c| near(&c.query(&a, &a), split(c), d * (1.0 + 1e-12) + 1e-12)));
        }
    }

    #[test]
    fn a_separation_that_is_no_number_leaves_nothing_out() {
        let topology = Topology::new(8, &[], vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        let places: Vec<DVec3> = (0..8).map(|k| DVec3::new(f64::from(k) * 9.0, f64::from(k * k), 1.0)).collect();
        let mesh = MovingMesh::new(&topology, &places, &places).unwrap();
        let pairs = |d: f64| (within(&mesh, d, |_| true), between(&mesh, &mesh, d, |_| true));
        assert_eq!(pairs(f64::NAN), pairs(1e9));
        assert_eq!(pairs(f64::NAN).1.len(), 2 * 8 * 2 + 6 * 6);
    }

    #[test]
    fn a_tree_finds_what_comparison_finds() {
        // Enough boxes for a tree.
        let place = |k: u32| DVec3::new(f64::from(k % 17), f64::from(k / 17 % 13), f64::from(k % 7)) * 0.3;
        let start: Vec<DVec3> = (0..300).flat_map(|k| [place(k), place(k) + DVec3::X, place(k) + DVec3::Y]).collect();
        let end: Vec<DVec3> = start.iter().map(|p| *p + DVec3::new(p.y - p.x, 1.0, p.z - 2.0) * 0.1).collect();
        let topology = Topology::new(900, &[], (0..300).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()).unwrap();
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let whole = whole(&mesh, 0.0).unwrap();
        let (own, other) = (vertices(&mesh, &whole, 0.05), faces(&mesh, &whole, 0.0));
        assert!(own.len() * other.len() > FEW);
        let mut found = Vec::new();
        overlapping(&own, &other, |a, b| found.push((a, b)));
        found.sort_unstable();
        let expected: Vec<(u32, u32)> = own
            .iter()
            .flat_map(|(i, a)| other.iter().filter(|(_, b)| a.meets(b)).map(move |(j, _)| (*i, *j)))
            .collect();
        assert_eq!(found, expected);
        assert!(found.len() > 900);
    }
}
