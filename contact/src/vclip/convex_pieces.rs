//! A tetrahedral mesh as convex pieces: each piece is a union of tetrahedra, each tetrahedron in one piece.
//!
//! Pieces are made one after another. Each is the most voluminous of the convex sets of tetrahedra that grow from some
//! of those still free (`growth`), so a piece cannot be joined with another to a convex one. Finding the
//! least number of pieces is NP-hard (Chazelle 1984 for polyhedra with cuts in any place); this is a greedy choice.

use glam::DVec3;

use super::edge_rings::EdgeRing;
use super::growth::Growth;
use crate::shape::TetrahedralMesh;
use crate::shape::tetrahedral_mesh::{FACE_CORNERS, volume};

/// How a mesh is cut into convex pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceSettings {
    /// A piece may be non-convex by this share of the diagonal of the mesh's bounding box: no corner of a piece is above
    /// the plane of one of its border triangles unless the four points lie between two planes that near to each other.
    pub tolerance: f64,
    /// From how many free tetrahedra a piece is grown, at most, before the most voluminous is taken. It is also tried
    /// whether the first free tetrahedron alone leads to fewer pieces.
    pub seeds: usize,
}

impl Default for PieceSettings {
    /// 1e-7, two roundings of a coordinate in single precision: the noise of data that went through it. 64 seeds.
    fn default() -> Self {
        Self { tolerance: 1e-7, seeds: 64 }
    }
}

/// A convex union of tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPiece {
    /// Its tetrahedra in the mesh, in ascending order.
    pub tetrahedra: Vec<u32>,
    /// The mesh vertices on its border, in ascending order.
    pub vertices: Vec<u32>,
    /// Their positions, m.
    pub points: Vec<DVec3>,
    /// The triangles on its border by numbers in `points`, counter-clockwise seen from outside; several may lie in one
    /// plane.
    pub faces: Vec<Vec<u32>>,
    /// For each of these, whether it is inside of the solid: a tetrahedron of another piece is behind it.
    pub is_cut: Vec<bool>,
}

/// A mesh as convex pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPieces {
    pieces: Vec<ConvexPiece>,
    piece_of_tetrahedron: Vec<u32>,
    tolerance: f64,
}

impl ConvexPieces {
    /// Cuts a mesh into convex pieces. A mesh whose surface is convex within the tolerance is one piece.
    pub fn of_mesh(mesh: &TetrahedralMesh, settings: &PieceSettings) -> Self {
        let (low, high) = mesh.surface().bounds();
        let rings = EdgeRing::of_mesh(mesh);
        let tolerance = settings.tolerance * (high - low).length();
        let growth = Growth::new(mesh, &rings, tolerance);
        let count = mesh.tetrahedra().len();
        if growth.has_no_notch() && mesh.surface().component_count() == 1 {
            let all = ConvexPiece::of_tetrahedra(mesh, (0..count as u32).collect());
            if all.is_convex(&growth) {
                return Self { pieces: vec![all], piece_of_tetrahedron: vec![0; count], tolerance };
            }
        }
        let mut cutting = Cutting { mesh, growth, exact: Growth::new(mesh, &rings, 0.0) };
        let [many, first] = [settings.seeds, 1].map(|seeds| cutting.cut(seeds));
        if first.pieces.len() < many.pieces.len() { first } else { many }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[ConvexPiece] {
        &self.pieces
    }

    /// The piece of each tetrahedron of the mesh.
    pub fn piece_of_tetrahedron(&self) -> &[u32] {
        &self.piece_of_tetrahedron
    }

    /// By how much a piece may be non-convex, m.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }
}

struct Cutting<'m> {
    mesh: &'m TetrahedralMesh,
    /// Within the tolerance.
    growth: Growth<'m>,
    /// Without any.
    exact: Growth<'m>,
}

impl Cutting<'_> {
    fn cut(&mut self, seeds: usize) -> ConvexPieces {
        let count = self.mesh.tetrahedra().len();
        let mut is_free = vec![true; count];
        let mut piece_of_tetrahedron = vec![0; count];
        let mut pieces = Vec::new();
        loop {
            let free: Vec<u32> = (0..count as u32).filter(|&t| is_free[t as usize]).collect();
            if free.is_empty() {
                return ConvexPieces { pieces, piece_of_tetrahedron, tolerance: self.growth.tolerance() };
            }
            let stride = free.len().div_ceil(seeds.max(1));
            let seeds: Vec<u32> = free.into_iter().step_by(stride).collect();
            let mut piece = self.largest(&seeds, &is_free, false);
            if !piece.is_convex(&self.growth) {
                // Deviations that are each within the tolerance may add up.
                piece = self.largest(&seeds, &is_free, true);
            }
            for &tetrahedron in &piece.tetrahedra {
                is_free[tetrahedron as usize] = false;
                piece_of_tetrahedron[tetrahedron as usize] = pieces.len() as u32;
            }
            pieces.push(piece);
        }
    }

    /// The most voluminous of the sets that grow from some free tetrahedra; of equal ones, the first.
    fn largest(&mut self, seeds: &[u32], is_free: &[bool], exactly: bool) -> ConvexPiece {
        let growth = if exactly { &mut self.exact } else { &mut self.growth };
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for &seed in seeds {
            let set = growth.grow(seed, is_free);
            let volume: f64 = set.iter().map(|&t| volume(self.mesh.corners(t))).sum();
            if volume > best.0 {
                best = (volume, set);
            }
        }
        ConvexPiece::of_tetrahedra(self.mesh, best.1)
    }
}

impl ConvexPiece {
    fn of_tetrahedra(mesh: &TetrahedralMesh, tetrahedra: Vec<u32>) -> Self {
        let (border, is_cut): (Vec<[u32; 3]>, Vec<bool>) = border(mesh, &tetrahedra).unzip();
        let mut vertices: Vec<u32> = border.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let number = |v: &u32| vertices.partition_point(|w| w < v) as u32;
        let faces = border.iter().map(|triangle| triangle.iter().map(number).collect()).collect();
        let points = vertices.iter().map(|&v| mesh.vertices()[v as usize]).collect();
        Self { tetrahedra, vertices, points, faces, is_cut }
    }

    fn is_convex(&self, growth: &Growth) -> bool {
        let triangle = |face: &Vec<u32>| [0, 1, 2].map(|k| self.vertices[face[k] as usize]);
        growth.is_convex(&self.vertices, &self.faces.iter().map(triangle).collect::<Vec<_>>())
    }
}

/// The faces of some tetrahedra (in ascending order) behind which there is none of them, and whether there is another.
fn border<'a>(mesh: &'a TetrahedralMesh, tetrahedra: &'a [u32]) -> impl Iterator<Item = ([u32; 3], bool)> + 'a {
    tetrahedra.iter().flat_map(move |&t| {
        let (corners, neighbours) = (mesh.tetrahedra()[t as usize], mesh.neighbours()[t as usize]);
        let is_border = move |k: &usize| neighbours[*k].is_none_or(|n| tetrahedra.binary_search(&n).is_err());
        let is_cut = move |k: usize| neighbours[k].is_some();
        (0..4).filter(is_border).map(move |k| (FACE_CORNERS[k].map(|v| corners[v]), is_cut(k)))
    })
}

#[cfg(test)]
mod tests;
