//! The borders of facets: loops of triangle sides, cut into straight pieces.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::facet::{Facet, Measures};
use super::{Edge, FeatureTolerance, Vertex};
use crate::shape::surface::Surface;

/// The border of a facet: for each loop its vertices (surface numbers, straight ones left out) and, for the piece from
/// each vertex to the next, the first surface edge of the piece.
type Border = Vec<Vec<(u32, u32)>>;

/// All borders, and the numbers that edges and vertices get.
pub(super) struct Outlines {
    borders: Vec<Border>,
    /// For each edge: its ends (surface numbers), left and right facet.
    edges: Vec<([u32; 2], [u32; 2])>,
    /// The edge that a surface edge belongs to.
    edge_of: BTreeMap<u32, u32>,
    /// The surface numbers of the vertices.
    vertices: Vec<u32>,
    /// The number of a surface vertex among the vertices.
    vertex_of: BTreeMap<u32, u32>,
}

/// One triangle side on a border: from a vertex, along a surface edge, with a facet on the other side.
#[derive(Clone, Copy)]
struct Side {
    from: u32,
    edge: u32,
    across: u32,
}

/// Walks around all facets.
pub(super) fn outlines(surface: &Surface, facet_of: &[u32], tolerance: &FeatureTolerance) -> Outlines {
    let count = facet_of.iter().map(|&f| f as usize + 1).max().unwrap_or(0);
    let loops = side_loops(surface, facet_of, count);
    let mut outlines = Outlines {
        borders: Vec::with_capacity(count),
        edges: Vec::new(),
        edge_of: BTreeMap::new(),
        vertices: Vec::new(),
        vertex_of: BTreeMap::new(),
    };
    // A vertex is one wherever a border of any facet turns, so that both facets of an edge agree on its ends.
    let mut is_vertex = vec![false; surface.vertices().len()];
    for sides in loops.iter().flatten() {
        mark_turns(surface, sides, tolerance, &mut is_vertex);
    }
    for (facet, loops) in loops.iter().enumerate() {
        let border: Border = loops.iter().map(|sides| outlines.pieces(sides, facet as u32, &is_vertex)).collect();
        outlines.borders.push(border);
    }
    outlines
}

/// The loops of triangle sides around each facet, with the facet on the left.
fn side_loops(surface: &Surface, facet_of: &[u32], count: usize) -> Vec<Vec<Vec<Side>>> {
    let mut loops = vec![Vec::new(); count];
    let mut is_used = vec![[false; 3]; facet_of.len()];
    let across = |t: usize, k: usize| {
        let [left, right] = surface.edges()[surface.triangle_edges()[t][k] as usize].triangles;
        if left as usize == t { right as usize } else { left as usize }
    };
    for start in 0..facet_of.len() {
        let facet = facet_of[start];
        for corner in 0..3 {
            if is_used[start][corner] || facet_of[across(start, corner)] == facet {
                continue;
            }
            let mut sides = Vec::new();
            let (mut t, mut k) = (start, corner);
            while !is_used[t][k] {
                is_used[t][k] = true;
                let edge = surface.triangle_edges()[t][k];
                sides.push(Side { from: surface.triangles()[t][k], edge, across: facet_of[across(t, k)] });
                // Around the end of the side, through the facet, to the next side on its border.
                k = (k + 1) % 3;
                while facet_of[across(t, k)] == facet {
                    let edge = surface.triangle_edges()[t][k];
                    t = across(t, k);
                    let entered = surface.triangle_edges()[t].iter().position(|&e| e == edge).unwrap_or(0);
                    k = (entered + 1) % 3;
                }
            }
            loops[facet as usize].push(sides);
        }
    }
    loops
}

/// Marks the vertices of a loop where the facet on the other side changes or the border turns.
fn mark_turns(surface: &Surface, sides: &[Side], tolerance: &FeatureTolerance, is_vertex: &mut [bool]) {
    let at = |i: usize| surface.vertices()[sides[i % sides.len()].from as usize];
    let n = sides.len();
    let mut is_turning = false;
    for i in 0..n {
        let (before, after) = ((at(i) - at(i + n - 1)).normalize(), (at(i + 1) - at(i)).normalize());
        let turns = before.dot(after) < 0.0 || before.cross(after).length() > tolerance.turn;
        if turns || sides[i].across != sides[(i + n - 1) % n].across {
            is_vertex[sides[i].from as usize] = true;
        }
        is_turning |= is_vertex[sides[i].from as usize];
    }
    if !is_turning {
        sides.iter().for_each(|side| is_vertex[side.from as usize] = true);
    }
}

impl Outlines {
    /// Cuts a loop at its vertices, and numbers them and the pieces between them.
    fn pieces(&mut self, sides: &[Side], facet: u32, is_vertex: &[bool]) -> Vec<(u32, u32)> {
        let n = sides.len();
        let first = sides.iter().position(|s| is_vertex[s.from as usize]).unwrap_or(0);
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        for i in 0..n {
            let side = sides[(first + i) % n];
            if i == 0 || is_vertex[side.from as usize] {
                pieces.push((side.from, side.edge));
                if !self.vertex_of.contains_key(&side.from) {
                    self.vertex_of.insert(side.from, self.vertices.len() as u32);
                    self.vertices.push(side.from);
                }
            }
        }
        for (k, &(from, first_edge)) in pieces.iter().enumerate() {
            let to = pieces[(k + 1) % pieces.len()].0;
            if self.edge_of.contains_key(&first_edge) {
                continue;
            }
            let number = self.edges.len() as u32;
            let start = sides.iter().position(|s| s.edge == first_edge && s.from == from).unwrap_or(0);
            self.edges.push(([from, to], [facet, sides[start].across]));
            for i in 0..n {
                let side = sides[(start + i) % n];
                if i > 0 && is_vertex[side.from as usize] {
                    break;
                }
                self.edge_of.insert(side.edge, number);
            }
        }
        pieces
    }

    pub(super) fn facets(&self, surface: &Surface, facet_of: &[u32]) -> Vec<Facet> {
        let mut sums = vec![(DVec3::ZERO, DVec3::ZERO, 0.0); self.borders.len()];
        for (t, &f) in facet_of.iter().enumerate() {
            let (area, sum) = (surface.areas()[t], &mut sums[f as usize]);
            sum.0 += surface.normals()[t] * area;
            sum.1 += surface.corners(t as u32).iter().sum::<DVec3>() * (area / 3.0);
            sum.2 += area;
        }
        self.borders.iter().zip(sums).map(|(border, sum)| self.facet(surface, border, sum)).collect()
    }

    fn facet(&self, surface: &Surface, border: &Border, (normals, centres, area): (DVec3, DVec3, f64)) -> Facet {
        let (normal, centre) = (normals.normalize(), centres / area);
        let (u, v) = normal.any_orthonormal_pair();
        let numbers: Vec<u32> = border.iter().flatten().map(|&(vertex, _)| vertex).collect();
        let corners: Vec<DVec3> = numbers.iter().map(|&i| surface.vertices()[i as usize]).collect();
        let low = corners.iter().fold(DVec3::INFINITY, |m, &p| m.min(p));
        let high = corners.iter().fold(DVec3::NEG_INFINITY, |m, &p| m.max(p));
        let outline: Vec<DVec2> = corners.iter().map(|&p| DVec2::new(u.dot(p - centre), v.dot(p - centre))).collect();
        let mut end = 0;
        let loop_ends = border
            .iter()
            .map(|pieces| {
                end += pieces.len() as u32;
                end
            })
            .collect();
        let is_convex = border.len() == 1 && turns_left(&outline);
        Facet {
            normal,
            centre,
            axes: [u, v],
            area,
            bounds: (low, high),
            vertices: numbers.iter().map(|i| self.vertex_of[i]).collect(),
            edges: border.iter().flatten().map(|(_, edge)| self.edge_of[edge]).collect(),
            is_reflex: Vec::new(),
            measures: Measures::of(&outline),
            outline,
            corners,
            loop_ends,
            is_convex,
        }
    }

    pub(super) fn edges(&self, surface: &Surface, facets: &[Facet]) -> Vec<Edge> {
        let edge = |&(ends, sides): &([u32; 2], [u32; 2])| {
            let [from, to] = ends.map(|v| surface.vertices()[v as usize]);
            let direction = (to - from).normalize();
            let [left, right] = sides.map(|f| facets[f as usize].normal);
            // Along the edge seen from outside the left facet lies to the left, so that these point into the facets.
            let inward = [left.cross(direction).normalize(), direction.cross(right).normalize()];
            let is_convex = left.cross(right).dot(direction) > 0.0;
            let vertices = ends.map(|v| self.vertex_of[&v]);
            Edge { vertices, facets: sides, direction, inward, is_convex }
        };
        self.edges.iter().map(edge).collect()
    }

    pub(super) fn vertices(&self, surface: &Surface, facets: &[Facet]) -> Vec<Vertex> {
        let vertex = |&v: &u32| Vertex { position: surface.vertices()[v as usize], ring: Vec::new() };
        let mut vertices: Vec<Vertex> = self.vertices.iter().map(vertex).collect();
        for facet in facets {
            for range in facet.loops() {
                let (start, n) = (range.start, range.len());
                for i in 0..n {
                    let corner = |k: usize| facet.corners[start + k % n];
                    let here = corner(i);
                    let after = (corner(i + 1) - here).normalize();
                    let before = (corner(i + n - 1) - here).normalize();
                    let ring = &mut vertices[facet.vertices[start + i] as usize].ring;
                    // Each edge is the way onwards in the border of one of its two facets.
                    ring.push(after);
                    if facet.normal.cross(after).dot(before) < 0.0 {
                        ring.push(-(after + before).normalize_or(facet.normal.cross(-after)));
                    }
                }
            }
        }
        vertices
    }
}

/// Whether a closed polygon never turns right, but for rounding.
fn turns_left(outline: &[DVec2]) -> bool {
    let n = outline.len();
    (0..n).all(|i| {
        let (p, q, r) = (outline[(i + n - 1) % n], outline[i], outline[(i + 1) % n]);
        let (u, v) = (q - p, r - q);
        u.perp_dot(v) >= -1e-3 * u.length() * v.length()
    })
}
