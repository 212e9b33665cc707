//! Growing a convex set of tetrahedra.
//!
//! The mesh fills a neighbourhood of each edge but for the outside. Where a set of tetrahedra leaves out a wedge of less
//! than 180° at an edge, any convex set around it holds what is in the wedge: it must be taken in as well, and the set
//! cannot be completed if that is outside or taken. A connected set without such a wedge is convex. So each set has one
//! least completion or none, and a tetrahedron that cannot join a set cannot join a larger one.

use super::edge_rings::EdgeRing;
use super::flatness::{above, is_reflex};
use crate::shape::TetrahedralMesh;

/// A wedge that cannot be filled.
struct Blocked;

/// Grows convex sets among the tetrahedra of a mesh that are still free.
pub(super) struct Growth<'m> {
    mesh: &'m TetrahedralMesh,
    rings: &'m [EdgeRing],
    /// m, see [`is_reflex`].
    tolerance: f64,
    /// For each mesh edge, whether the solid itself is reflex there.
    is_notch: Vec<bool>,
    in_set: Vec<bool>,
}

impl<'m> Growth<'m> {
    pub fn new(mesh: &'m TetrahedralMesh, rings: &'m [EdgeRing], tolerance: f64) -> Self {
        let is_notch = |ring: &EdgeRing| {
            let last = ring.spokes.len() - 1;
            ring.is_on_surface() && is_reflex(ring.corners(mesh.vertices(), [last, 0]), tolerance)
        };
        let is_notch = rings.iter().map(is_notch).collect();
        Self { mesh, rings, tolerance, is_notch, in_set: vec![false; mesh.tetrahedra().len()] }
    }

    /// By how much sets may be non-convex, m.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Whether the whole solid has no reflex edge.
    pub fn has_no_notch(&self) -> bool {
        !self.is_notch.contains(&true)
    }

    /// A largest convex set of free tetrahedra around `seed`, breadth first, in ascending order.
    pub fn grow(&mut self, seed: u32, is_free: &[bool]) -> Vec<u32> {
        let mut set = self.complete(seed, is_free).unwrap_or_else(|| vec![seed]);
        self.in_set[seed as usize] = true;
        let mut is_refused = vec![false; self.in_set.len()];
        let mut next = 0;
        while let Some(&tetrahedron) = set.get(next) {
            next += 1;
            for neighbour in self.mesh.neighbours()[tetrahedron as usize].into_iter().flatten() {
                let n = neighbour as usize;
                if is_free[n] && !self.in_set[n] && !is_refused[n] {
                    match self.complete(neighbour, is_free) {
                        Some(added) => set.extend(added),
                        None => is_refused[n] = true,
                    }
                }
            }
        }
        set.iter().for_each(|&t| self.in_set[t as usize] = false);
        set.sort_unstable();
        set
    }

    /// Takes a tetrahedron into the set, and whatever else must come with it. `None`, and no change, if that cannot be.
    fn complete(&mut self, tetrahedron: u32, is_free: &[bool]) -> Option<Vec<u32>> {
        self.in_set[tetrahedron as usize] = true;
        let mut added = vec![tetrahedron];
        let mut next = 0;
        while let Some(&tetrahedron) = added.get(next) {
            next += 1;
            for edge in self.mesh.tetrahedron_edges()[tetrahedron as usize] {
                if let Err(Blocked) = self.fill_wedges(edge, is_free, &mut added) {
                    added.iter().for_each(|&t| self.in_set[t as usize] = false);
                    return None;
                }
            }
        }
        Some(added)
    }

    fn fill_wedges(&mut self, edge: u32, is_free: &[bool], added: &mut Vec<u32>) -> Result<(), Blocked> {
        let ring = &self.rings[edge as usize];
        let count = ring.sectors.len();
        let is_in = |k: usize, in_set: &[bool]| ring.sectors[k % count].is_some_and(|t| in_set[t as usize]);
        let first_in = (0..count).find(|&k| is_in(k, &self.in_set)).unwrap_or(0);
        let mut k = first_in + 1;
        while k < first_in + count {
            if is_in(k, &self.in_set) {
                k += 1;
                continue;
            }
            let end = (k..).find(|&end| is_in(end, &self.in_set)).unwrap_or(k + 1);
            let wedge = k..end;
            k = end;
            let at_outside = wedge.clone().any(|s| ring.sectors[s % count].is_none());
            if at_outside && !self.is_notch[edge as usize] {
                continue;
            }
            let corners = ring.corners(self.mesh.vertices(), [wedge.start % count, wedge.end % count]);
            if !is_reflex(corners, self.tolerance) {
                continue;
            }
            for sector in wedge {
                let tetrahedron = ring.sectors[sector % count].filter(|&t| is_free[t as usize]).ok_or(Blocked)?;
                self.in_set[tetrahedron as usize] = true;
                added.push(tetrahedron);
            }
        }
        Ok(())
    }

    /// Whether no corner of a set is above one of its border triangles by more than the tolerance.
    pub fn is_convex(&self, vertices: &[u32], border: &[[u32; 3]]) -> bool {
        let at = |v: u32| self.mesh.vertices()[v as usize];
        border.iter().all(|triangle| {
            let is_above = above(triangle.map(at), self.tolerance);
            vertices.iter().all(|&v| !is_above(at(v)))
        })
    }
}
