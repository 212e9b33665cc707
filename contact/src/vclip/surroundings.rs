//! What a convex piece knows of the solid that it was cut from.
//!
//! A piece has features that the solid does not have: faces that were made by cuts, and edges and vertices at which
//! other pieces go on, be it flat or up the other wall of a notch. No plane across a direction n holds the solid at such
//! a feature if another piece is higher there than this one. So the piece keeps, for every edge and vertex at
//! which there are tetrahedra of other pieces, the directions (rays) from it to the corners of all tetrahedra there: as
//! cones, tetrahedra are as high along n as the highest of their rays.
//!
//! A feature is compared with the piece itself rather than with zero: a vertex stays a contact while its body
//! tilts about another one, and the piece alone is above it then.

use std::collections::BTreeMap;

use glam::DVec3;

use super::ConvexPolyhedron;
use super::convex_pieces::ConvexPiece;
use crate::shape::TetrahedralMesh;
use crate::shape::features::FeatureId;
use crate::sorting::inserted;

/// Another piece that is higher by no more than this sine is not higher: surfaces that are flat but for rounding, and
/// as much as the cone filter allows.
const HIGHER: f64 = 0.02;

/// Unit directions from a feature to the corners of the tetrahedra around it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rays {
    /// Of the piece.
    own: Vec<DVec3>,
    /// Of other pieces, but for those that are the piece's as well.
    others: Vec<DVec3>,
}

impl Rays {
    fn allow(&self, direction: DVec3) -> bool {
        let height = |rays: &[DVec3]| rays.iter().map(|ray| direction.dot(*ray)).fold(f64::NEG_INFINITY, f64::max);
        self.others.is_empty() || height(&self.others) <= height(&self.own).max(0.0) + HIGHER
    }
}

/// Which faces of a piece are cuts, and what of other pieces is at its edges and vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Surroundings {
    is_cut: Vec<bool>,
    edges: Vec<Rays>,
    vertices: Vec<Rays>,
}

impl Surroundings {
    /// Whether a face was made by a cut alone: no part of it is on the surface of the solid.
    pub(super) fn is_cut(&self, face: u32) -> bool {
        self.is_cut[face as usize]
    }

    /// Whether a plane across an outward direction (unit) can hold the solid at a feature as it holds the piece. For a
    /// face, the direction is its normal.
    pub(super) fn allow(&self, feature: FeatureId, direction: DVec3) -> bool {
        match feature {
            FeatureId::Facet(f) => !self.is_cut(f),
            FeatureId::Edge(e) => self.edges[e as usize].allow(direction),
            FeatureId::Vertex(v) => self.vertices[v as usize].allow(direction),
        }
    }
}

/// The tetrahedra of a mesh by their vertices.
pub(super) struct Incidence<'m> {
    mesh: &'m TetrahedralMesh,
    tetrahedra_at: Vec<Vec<u32>>,
}

impl<'m> Incidence<'m> {
    pub(super) fn new(mesh: &'m TetrahedralMesh) -> Self {
        let mut tetrahedra_at = vec![Vec::new(); mesh.vertices().len()];
        for (t, corners) in (0_u32..).zip(mesh.tetrahedra()) {
            corners.iter().for_each(|&v| tetrahedra_at[v as usize].push(t));
        }
        Self { mesh, tetrahedra_at }
    }

    /// What a piece, as this polyhedron, has around it. Points within the tolerance (m) of a line or plane lie in it.
    pub(super) fn around(&self, piece: &ConvexPiece, solid: &ConvexPolyhedron, tolerance: f64) -> Surroundings {
        let bits = |p: DVec3| p.to_array().map(f64::to_bits);
        let numbers: BTreeMap<[u64; 3], u32> = inserted(piece.points.iter().copied().map(bits).zip(0..));
        // All vertices are points of the piece: its corners, or those of its hull.
        let of_mesh = |v: u32| {
            let number = numbers.get(&bits(solid.vertices()[v as usize]));
            number.map(|&k| piece.vertices[k as usize])
        };
        let corners: Vec<Option<u32>> = (0..solid.vertices().len() as u32).map(of_mesh).collect();
        let mut is_corner = vec![false; piece.vertices.len()];
        corners.iter().flatten().for_each(|v| is_corner[piece.vertices.partition_point(|w| w < v)] = true);
        let straight: Vec<u32> =
            piece.vertices.iter().zip(is_corner).filter(|(_, is_corner)| !is_corner).map(|(&v, _)| v).collect();
        let vertices = corners.iter().map(|v| self.rays(piece, &v.iter().copied().collect::<Vec<_>>(), 1, None));
        let edges = (0..solid.edge_count() as u32).map(|e| {
            let ends = solid.edge(e).map(|v| corners[v as usize]);
            let edge = solid.edge_at(e);
            let tail = solid.vertices()[edge.ends[0] as usize];
            let is_on = |v: &&u32| {
                let offset = self.mesh.vertices()[**v as usize] - tail;
                offset.cross(edge.direction).length() <= tolerance
                    && (0.0..=edge.length).contains(&offset.dot(edge.direction))
            };
            let on: Vec<u32> = ends.into_iter().flatten().chain(straight.iter().filter(is_on).copied()).collect();
            self.rays(piece, &on, 2, Some(edge.direction))
        });
        Surroundings {
            vertices: vertices.collect(),
            edges: edges.collect(),
            is_cut: self.cuts(piece, solid, tolerance),
        }
    }

    /// The rays of all tetrahedra that have at least so many of some mesh vertices on a line, across the line if
    /// there is one.
    fn rays(&self, piece: &ConvexPiece, on: &[u32], least: usize, line: Option<DVec3>) -> Rays {
        let Some(&first) = on.first() else { return Rays::default() };
        let origin = self.mesh.vertices()[first as usize];
        let mut tetrahedra: Vec<u32> = on.iter().flat_map(|&v| &self.tetrahedra_at[v as usize]).copied().collect();
        tetrahedra.sort_unstable();
        tetrahedra.dedup();
        let corners = |t: &u32| self.mesh.tetrahedra()[*t as usize];
        tetrahedra.retain(|t| corners(t).iter().filter(|v| on.contains(v)).count() >= least);
        let (own, others): (Vec<u32>, Vec<u32>) =
            tetrahedra.iter().partition(|t| piece.tetrahedra.binary_search(t).is_ok());
        if others.is_empty() {
            return Rays::default();
        }
        let ends = |of: &[u32]| {
            let mut ends: Vec<u32> = of.iter().flat_map(corners).filter(|v| !on.contains(v)).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        let own = ends(&own);
        let others: Vec<u32> = ends(&others).into_iter().filter(|v| own.binary_search(v).is_err()).collect();
        let ray = |v: u32| {
            let offset = self.mesh.vertices()[v as usize] - origin;
            let across = line.map_or(offset, |line| offset - line * line.dot(offset));
            across.normalize_or_zero()
        };
        let rays = |ends: Vec<u32>| ends.into_iter().map(ray).collect();
        Rays { own: rays(own), others: rays(others) }
    }

    /// For each face of the polyhedron, whether none of the piece's triangles on the surface of the solid is in it.
    fn cuts(&self, piece: &ConvexPiece, solid: &ConvexPolyhedron, tolerance: f64) -> Vec<bool> {
        let mut is_cut = vec![true; solid.face_count()];
        for (triangle, _) in piece.faces.iter().zip(&piece.is_cut).filter(|(_, is_cut)| !**is_cut) {
            let [a, b, c] = [0, 1, 2].map(|k| piece.points[triangle[k] as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let place = |f: u32| {
                let plane = solid.plane(f);
                let is_in_plane = [a, b, c].iter().all(|&p| plane.height(p).abs() <= tolerance);
                (is_in_plane, plane.normal.dot(normal))
            };
            let better = |x: &(bool, f64), y: &(bool, f64)| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1));
            let face = solid.face_numbers().max_by(|&f, &g| better(&place(f), &place(g)).then(g.cmp(&f)));
            face.into_iter().for_each(|f| is_cut[f as usize] = false);
        }
        is_cut
    }
}

#[cfg(test)]
mod tests;
