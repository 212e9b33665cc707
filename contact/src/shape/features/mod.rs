//! The features of a shape's surface: facets, the edges between them, the vertices where edges meet.
//!
//! A facet is a largest set of edge-connected triangles in one plane, within stated tolerances: a polygon that may have
//! holes. An edge is a straight piece of the border between two facets, a vertex an end of edges. Edges and vertices of
//! the triangulation inside a facet or inside a straight border are no features, so that features do not depend on how
//! the surface is triangulated. Each feature knows the directions in which the solid goes on from it, and with them its
//! normal cone ([`Features::supports`]).

mod boxes;
mod cone;
mod facet;
mod merge;
mod near_facets;
mod normal_cone;
mod outline;
mod separation;

use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::ControlFlow;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::surface::Surface;
use boxes::Directions;
pub use boxes::{BoxTree, Placement};
pub use cone::Cone;
pub use facet::Facet;
pub(crate) use facet::contains;
pub use near_facets::NearFacets;
pub use separation::{Axes, Axis, Heights, stays_above};

/// When triangles are of one facet, and when a border is straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureTolerance {
    /// Triangles of a facet are tilted against it by no more than this, rad.
    pub tilt: f64,
    /// Their corners are no farther from its plane than this share of the diagonal of the shape's bounding box.
    pub distance: f64,
    /// A border that turns by no more than this is straight, rad.
    pub turn: f64,
}

impl Default for FeatureTolerance {
    /// 5 mrad and 1e-5 of the diagonal: an order of magnitude above the noise of data in single precision and of
    /// corners that were moved by a millionth of the size, well below the angles of finely tessellated curved surfaces.
    fn default() -> Self {
        Self { tilt: 5e-3, distance: 1e-5, turn: 1e-2 }
    }
}

/// A straight piece of the border between two facets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The ends, in the direction in which the border of the first facet runs: counter-clockwise seen from outside.
    pub vertices: [u32; 2],
    /// The facet to the left and the facet to the right, seen from outside.
    pub facets: [u32; 2],
    /// From the first end to the second, unit.
    pub direction: DVec3,
    /// Across the edge into each facet, in its plane, unit.
    pub inward: [DVec3; 2],
    /// Whether the solid is convex here: its dihedral angle is below 180°.
    pub is_convex: bool,
}

/// A point where edges meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    /// Body frame, m.
    pub position: DVec3,
    /// Directions whose hull spans the solid as seen from here, unit: along every edge, and inside a facet's corner of
    /// more than 180° its bisector.
    pub ring: Vec<DVec3>,
}

/// A feature by its number in [`Features`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FeatureId {
    /// A facet.
    Facet(u32),
    /// An edge between facets.
    Edge(u32),
    /// A vertex where edges meet.
    Vertex(u32),
}

/// The facets, edges and vertices of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    facets: Vec<Facet>,
    edges: Vec<Edge>,
    vertices: Vec<Vertex>,
    tree: BoxTree,
    /// The facet of each triangle of the surface.
    facet_of_triangle: Vec<u32>,
    /// For each facet, the vertices and edges that no facet before it has.
    owned: Vec<Owned>,
    around: Around,
    is_convex: bool,
    /// Of a convex solid, the normals of its facets alone.
    normals: Directions,
    thickness: f64,
    radius: f64,
    centre: DVec3,
}

/// The edges and vertices that are looked at with a facet.
#[derive(Clone, Debug, Default, PartialEq)]
struct Owned {
    edges: Vec<u32>,
    vertices: Vec<u32>,
}

/// Whether a facet of A and one of B may come within a distance of each other, m: of the plane of each, and in it of the
/// polygon, which is much smaller than its box where it is a ring or oblique.
fn may_facets_be_near([f, g]: [&Facet; 2], placement: &Placement, distance: f64) -> bool {
    may_be_near(f, g.corners.iter().map(|&p| placement.point(p)), placement.point(g.centre), distance)
        && may_be_near(
            g,
            f.corners.iter().map(|&p| placement.inverse_point(p)),
            placement.inverse_point(f.centre),
            distance,
        )
}

/// Whether the polygon with these corners, around a point among them, may come within a distance of a facet, m.
fn may_be_near(facet: &Facet, corners: impl Iterator<Item = DVec3>, centre: DVec3, distance: f64) -> bool {
    let (mut low, mut high, mut radius) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
    for corner in corners {
        let height = facet.height(corner);
        (low, high, radius) = (height.min(low), height.max(high), corner.distance_squared(centre).max(radius));
    }
    low <= distance && high >= -distance && facet.contains(facet.place(centre), radius.sqrt() + distance)
}

/// For each facet with a reflex edge the facets that share a vertex with it, itself left out.
type Around = Vec<Vec<u32>>;

impl Features {
    /// The features of a surface, in its frame.
    pub fn new(surface: &Surface, tolerance: &FeatureTolerance) -> Self {
        let facet_of_triangle = merge::merge(surface, tolerance);
        let outlines = outline::outlines(surface, &facet_of_triangle, tolerance);
        let mut facets: Vec<Facet> = outlines.facets(surface, &facet_of_triangle);
        let edges = outlines.edges(surface, &facets);
        for facet in &mut facets {
            facet.is_reflex = facet.edges.iter().map(|&e| !edges[e as usize].is_convex).collect();
        }
        let vertices = outlines.vertices(surface, &facets);
        let facets_at = facets_at(&facets, vertices.len());
        let cones = cones_of_normals(&facets, &facets_at);
        let around = around(&facets, &facets_at);
        let tree = BoxTree::new(facets.iter().map(|facet| facet.bounds).zip(cones));
        let is_convex = surface.component_count() == 1 && edges.iter().all(|e| e.is_convex);
        let normal = |f: u32| facets[f as usize].normal;
        let normals = if is_convex { tree.directions(normal) } else { Directions::default() };
        let thickness = 3.0 * surface.volume() / surface.areas().iter().sum::<f64>();
        let weighted = facets.iter().map(|f| f.centre * f.area).sum::<DVec3>();
        let centre = weighted / facets.iter().map(|f| f.area).sum::<f64>();
        let owned = owned(&facets, edges.len(), vertices.len());
        let radius = surface.vertices().iter().map(|v| v.length()).fold(0.0, f64::max);
        Self {
            facets,
            edges,
            vertices,
            tree,
            facet_of_triangle,
            owned,
            around,
            is_convex,
            normals,
            thickness,
            radius,
            centre,
        }
    }

    /// The facets, those with larger triangles first.
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// The edges, by their first appearance along the outlines of the facets.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The vertices, by their first appearance along the outlines of the facets.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The facet that a triangle of the surface is part of; `None` if there is no such triangle.
    pub fn facet_of_triangle(&self, triangle: u32) -> Option<u32> {
        self.facet_of_triangle.get(triangle as usize).copied()
    }

    /// The boxes around the facets.
    pub fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// Whether the solid is convex: one component without reflex edges, within the tolerances of the facets.
    pub fn is_convex(&self) -> bool {
        self.is_convex
    }

    /// Calls `visit` with the pairs of facets of two convex solids whose boxes are no farther apart than a margin (m) and whose normals are
    /// opposite up to a tolerance (rad), near ones first, until it breaks off. `stack` is scratch space.
    pub(crate) fn parallel_facets<B>(
        &self,
        other: &Features,
        placement: &Placement,
        limits: (f64, f64),
        stack: &mut Vec<(u32, u32)>,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.tree.opposite_pairs(&other.tree, [&self.normals, &other.normals], placement, limits, stack, visit)
    }

    /// The least angle between the normal of a facet of a convex solid and that of any other, rad; all from 0.2 on are one.
    pub(crate) fn least_turn(&self, facet: u32) -> f64 {
        self.normals.turn(facet)
    }

    /// Three volumes by the area, m: the radius of a ball, half the side of a cube, one and a half times the thickness
    /// of a wide plate.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// The distance of the farthest point from the origin of the body frame, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Whether two shapes may be as near to each other as a distance, m: never false where they are. No for facets that are
    /// farther apart by their boxes, by the plane of one, or in that plane.
    pub fn is_near(&self, other: &Features, placement: &Placement, distance: f64) -> bool {
        self.tree.is_any_near(&other.tree, placement, distance, |f, g| {
            may_facets_be_near([&self.facets[f as usize], &other.facets[g as usize]], placement, distance)
        })
    }

    /// A distance by which two shapes are apart for certain, m: no more than the first of two, and `None` if it is not above the second. It
    /// is the first one halved so often that no facets may be as near, or as far as the boxes of the nearest facets are apart.
    /// `pairs` are those of [`Features::pairs_within`] that are looked at, all of them if they are not given.
    pub fn apart(
        &self,
        other: &Features,
        placement: &Placement,
        [most, least]: [f64; 2],
        pairs: Option<&[(u32, u32)]>,
    ) -> Option<f64> {
        let leaves = |[f, g]: [u32; 2], [so_far, of_boxes]: [f64; 2]| {
            let facets = [&self.facets[f as usize], &other.facets[g as usize]];
            let (mut distance, nearest) = (so_far, least.max(of_boxes));
            while distance > nearest && may_facets_be_near(facets, placement, distance) {
                distance *= 0.5;
            }
            distance.max(of_boxes)
        };
        match pairs {
            Some(pairs) => self.tree.leaves_apart(&other.tree, placement, pairs, [most, least], leaves),
            None => self.tree.apart(&other.tree, placement, [most, least], leaves),
        }
    }

    /// The lower and upper corner of the box around a facet, body frame, m.
    pub fn facet_bounds(&self, facet: u32) -> (DVec3, DVec3) {
        let points = self.points(FeatureId::Facet(facet));
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
    }

    /// The centroid of the surface, m.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// The facets that share a vertex with a facet that has a reflex edge; none for any other.
    ///
    /// # Panics
    /// If there is no such facet.
    pub fn around(&self, facet: u32) -> &[u32] {
        &self.around[facet as usize]
    }

    /// The edges of a facet that no facet before it has: over all facets, every edge once.
    ///
    /// # Panics
    /// If there is no such facet.
    pub fn owned_edges(&self, facet: u32) -> &[u32] {
        &self.owned[facet as usize].edges
    }

    /// The vertices of a facet that no facet before it has: over all facets, every vertex once.
    ///
    /// # Panics
    /// If there is no such facet.
    pub fn owned_vertices(&self, facet: u32) -> &[u32] {
        &self.owned[facet as usize].vertices
    }
}

/// The facets at each vertex.
fn facets_at(facets: &[Facet], vertices: usize) -> Vec<Vec<u32>> {
    let mut facets_at = vec![Vec::new(); vertices];
    for (f, facet) in (0_u32..).zip(facets) {
        facet.vertices.iter().for_each(|&v| facets_at[v as usize].push(f));
    }
    facets_at
}

fn around(facets: &[Facet], facets_at: &[Vec<u32>]) -> Around {
    let of_facet = |(f, facet): (u32, &Facet)| {
        let mut around: Vec<u32> = Vec::new();
        if facet.is_reflex.contains(&true) {
            around.extend(facet.vertices.iter().flat_map(|&v| &facets_at[v as usize]).filter(|&&g| g != f));
            around.sort_unstable();
            around.dedup();
        }
        around
    };
    (0..).zip(facets).map(of_facet).collect()
}

/// For each facet a cone that holds its normal and those of all facets that it shares a vertex with, and with them the
/// normal cones of its edges and vertices.
fn cones_of_normals(facets: &[Facet], facets_at: &[Vec<u32>]) -> Vec<Cone> {
    let cone = |facet: &Facet| {
        let around = facet.vertices.iter().flat_map(|&v| &facets_at[v as usize]);
        let angles = around.map(|&f| cone::angle(facet.normal, facets[f as usize].normal));
        // Beyond a right angle a cone is not convex: directions between those that it holds may lie outside.
        let angle = angles.fold(0.0, f64::max);
        Cone::new(facet.normal, if angle > FRAC_PI_2 { PI } else { angle })
    };
    facets.iter().map(cone).collect()
}

fn owned(facets: &[Facet], edges: usize, vertices: usize) -> Vec<Owned> {
    let (mut is_edge_taken, mut is_vertex_taken) = (vec![false; edges], vec![false; vertices]);
    let take = |numbers: &[u32], is_taken: &mut [bool]| {
        numbers.iter().copied().filter(|&i| !std::mem::replace(&mut is_taken[i as usize], true)).collect()
    };
    let of_facet = |facet: &Facet| Owned {
        edges: take(&facet.edges, &mut is_edge_taken),
        vertices: take(&facet.vertices, &mut is_vertex_taken),
    };
    facets.iter().map(of_facet).collect()
}

#[cfg(test)]
mod tests;
