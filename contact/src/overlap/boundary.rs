//! The boundary of the intersection: the part of each triangle that is inside the other solid.
//!
//! A part is given by the arcs around it: segments of the contour and stretches of the triangle's edges, counter-clockwise
//! seen from outside. Area and volume follow from the arcs alone (divergence theorem); no polygon is triangulated.

use glam::{DVec2, DVec3};

use super::contour::Contour;
use super::disjoint_sets::DisjointSets;
use super::predicate::Side;
use super::solid::Placed;
use crate::sorting::CompactSort;

/// Points of the boundary by number: contour points first, then vertices of A, then vertices of B.
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    contour: usize,
    of_a: usize,
    of_b: usize,
}

impl Nodes {
    /// The numbers of a contour and the vertices of two solids.
    pub fn new(contour: &Contour, a: &Placed<'_>, b: &Placed<'_>) -> Self {
        Self { contour: contour.points.len(), of_a: a.vertices.len(), of_b: b.vertices.len() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.contour + self.of_a + self.of_b
    }

    /// The number of a vertex.
    pub fn vertex(&self, side: Side, vertex: u32) -> u32 {
        let before = self.contour + if side == Side::A { 0 } else { self.of_a };
        before as u32 + vertex
    }
}

/// A connected part of a triangle that is inside the other solid.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Whose triangle it is.
    pub side: Side,
    /// The triangle.
    pub triangle: u32,
    /// m².
    pub area: f64,
    /// A point on its edge, see [`Nodes`].
    pub node: u32,
}

/// A directed stretch of a region's edge, from node to node.
type Arc = (u32, u32, u32);

/// A closed chain of arcs around a region or a hole in it.
struct Loop {
    /// m²; negative around a hole.
    area: f64,
    nodes: Vec<u32>,
}

/// The regions of one solid's triangles inside the other one. Joins the points of each region in `sets`.
pub fn regions(
    side: Side,
    own: &Placed<'_>,
    contour: &Contour,
    inside: &[bool],
    (nodes, positions): (&Nodes, &[DVec3]),
    sets: &mut DisjointSets,
) -> Vec<Region> {
    let mut arcs = edge_arcs(side, own, contour, inside, nodes);
    arcs.extend(contour.segments.iter().map(|segment| {
        let ([t, u], [from, to]) = (segment.triangles, segment.ends);
        if side == Side::A { (t, from, to) } else { (u, to, from) }
    }));
    arcs.compact_sort();
    let mut regions = Vec::new();
    for around in arcs.chunk_by(|x, y| x.0 == y.0) {
        let triangle = around[0].0;
        let normal = own.normal(triangle);
        let loops = loops(around, normal, positions);
        for part in &loops {
            part.nodes.iter().for_each(|&node| sets.join(part.nodes[0], node));
            regions.push(Region { side, triangle, area: part.area, node: part.nodes[0] });
        }
        for hole in loops.iter().filter(|part| part.area < 0.0) {
            if let Some(outer) = around_hole(&loops, hole, normal, positions) {
                sets.join(outer.nodes[0], hole.nodes[0]);
            }
        }
    }
    regions
}

/// The stretches of edges that are inside the other solid, on both triangles of each.
fn edge_arcs(side: Side, own: &Placed<'_>, contour: &Contour, inside: &[bool], nodes: &Nodes) -> Vec<Arc> {
    let mut arcs = Vec::new();
    let mut rest = (0..).zip(&contour.points).filter(|(_, point)| point.side == side).peekable();
    let (mut starts, mut stops) = (Vec::new(), Vec::new());
    for (e, edge) in (0_u32..).zip(own.topology.edges()) {
        let [p, q] = edge.vertices;
        starts.clear();
        stops.clear();
        starts.extend(inside[p as usize].then(|| nodes.vertex(side, p)));
        while let Some((k, point)) = rest.next_if(|(_, point)| point.edge == e) {
            if point.enters { starts.push(k) } else { stops.push(k) }
        }
        stops.extend(inside[q as usize].then(|| nodes.vertex(side, q)));
        // As many starts as stops, by turns; the order of the fractions need not be trusted across the two.
        for (&from, &to) in starts.iter().zip(&stops) {
            arcs.push((edge.triangles[0], from, to));
            arcs.push((edge.triangles[1], to, from));
        }
    }
    arcs
}

/// The closed chains of arcs on one triangle; the arcs are in ascending order, and one begins at each node.
fn loops(arcs: &[Arc], normal: DVec3, positions: &[DVec3]) -> Vec<Loop> {
    let mut is_seen = vec![false; arcs.len()];
    let mut loops = Vec::new();
    for first in 0..arcs.len() {
        let (mut at, mut nodes, mut sum) = (first, Vec::new(), DVec3::ZERO);
        let origin = positions[arcs[first].1 as usize];
        while !std::mem::replace(&mut is_seen[at], true) {
            let (_, from, to) = arcs[at];
            nodes.push(from);
            sum += (positions[from as usize] - origin).cross(positions[to as usize] - origin);
            match arcs.binary_search_by_key(&to, |arc| arc.1) {
                Ok(next) => at = next,
                Err(_) => break,
            }
        }
        if !nodes.is_empty() {
            loops.push(Loop { area: 0.5 * normal.dot(sum), nodes });
        }
    }
    loops
}

/// The smallest loop around a hole; none for one that is a hole by rounding only.
fn around_hole<'l>(loops: &'l [Loop], hole: &Loop, normal: DVec3, positions: &[DVec3]) -> Option<&'l Loop> {
    let (s, t) = normal.any_orthonormal_pair();
    let flat = |node: u32| DVec2::new(s.dot(positions[node as usize]), t.dot(positions[node as usize]));
    let point = flat(hole.nodes[0]);
    let contains = |part: &&Loop| {
        let n = part.nodes.len();
        let crosses = |k: usize| {
            let (p, q) = (flat(part.nodes[k]) - point, flat(part.nodes[(k + 1) % n]) - point);
            (p.y > 0.0) != (q.y > 0.0) && (p.perp_dot(q) > 0.0) == (q.y > p.y)
        };
        part.area > 0.0 && (0..n).filter(|&k| crosses(k)).count() % 2 == 1
    };
    loops.iter().filter(contains).min_by(|x, y| x.area.total_cmp(&y.area))
}
