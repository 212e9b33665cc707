//! Surfaces that bound no finite solid, for bodies that stay where they are: height fields and open triangle meshes.
//!
//! Contacts come from the features of the whole surface: its triangles, the edges at which the surface is convex or ends, and the vertices of
//! these. Triangles that lie in one plane have no edge between them, and a concave edge touches nothing. What an edge or vertex looks like
//! follows from the triangles around it, which each surface can name at once.

mod error;
mod height_field;
mod height_pyramid;
mod pseudonormal;
mod triangle_mesh;

pub use error::OpenSurfaceError;
pub(crate) use height_field::Block;
pub use height_field::HeightField;
pub(crate) use pseudonormal::pseudonormal;
pub use triangle_mesh::{MeshFromFileError, MeshSides, TriangleMesh};

use std::fmt;

use glam::DVec3;

use super::shape::Triangles;
use crate::solid::triangle::closest_of_triangle;

/// No half-edge: the surface ends.
pub const NONE: u32 = u32::MAX;

/// Two triangles whose normals differ by less (the sine of the angle between them) lie in one plane: rounding.
const COPLANAR: f64 = 1e-6;

/// Triangles that meet at edges. Half-edge 3 t + k runs from corner k of triangle t to the next; corners are counter-clockwise seen from in
/// front.
pub trait OpenSurface: fmt::Debug + Send + Sync {
    /// What it is called in errors and files.
    fn kind(&self) -> &'static str;

    /// Whether the back holds bodies off as the front does.
    fn is_two_sided(&self) -> bool;

    /// Whether all that is below it, along −y, is solid.
    fn is_solid_below(&self) -> bool;

    /// The lower and upper corner of the box around the surface, m.
    fn bounds(&self) -> (DVec3, DVec3);

    /// How many triangles there are.
    fn triangle_count(&self) -> usize;

    /// Where a vertex is, m.
    fn vertex(&self, vertex: u32) -> DVec3;

    /// The vertices of a triangle.
    fn corners(&self, triangle: u32) -> [u32; 3];

    /// The half-edge that runs the other way along the same edge; [`NONE`] where the surface ends.
    fn twin(&self, half_edge: u32) -> u32;

    /// Appends the vertices across the edges at a vertex.
    fn ring(&self, vertex: u32, ring: &mut Vec<u32>);

    /// Appends the triangles whose boxes overlap a box (m), in ascending order; below a surface that is solid there, those above it.
    fn triangles_within(&self, low: DVec3, high: DVec3, triangles: &mut Vec<u32>);

    /// How far a box (m) is from the surface, or the solid below it, for certain: no more than `most`; not above zero where they may overlap.
    fn apart(&self, low: DVec3, high: DVec3, most: f64) -> f64;
}

/// What the surface is like at an edge of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// It ends here.
    Border,
    /// The triangle beyond lies in the same plane: no edge.
    Flat,
    /// It falls away beyond.
    Convex,
    /// It rises beyond.
    Reflex,
}

/// The edge at one side of a triangle.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceEdge {
    /// The lower of its half-edges, which is its number.
    pub number: u32,
    /// Whether the triangle is the first that has it.
    pub is_owned: bool,
    /// As seen from the front.
    pub kind: EdgeKind,
    /// Across the edge into the triangle, in its plane, unit.
    pub inward: DVec3,
    /// The same into the triangle beyond; zero at a border.
    pub beyond: DVec3,
}

/// A triangle with what is around it.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceTriangle {
    /// Its number.
    pub number: u32,
    /// Its vertices.
    pub vertices: [u32; 3],
    /// Where they are, m.
    pub corners: [DVec3; 3],
    /// To the front, unit.
    pub normal: DVec3,
    /// From each corner to the next.
    pub edges: [SurfaceEdge; 3],
}

impl SurfaceTriangle {
    /// A triangle of a surface.
    pub fn of(surface: &dyn OpenSurface, number: u32) -> Self {
        let vertices = surface.corners(number);
        let corners = vertices.map(|v| surface.vertex(v));
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize();
        let edges = [0, 1, 2].map(|k| {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let along = (to - from).normalize();
            let into = |p: DVec3| (p - from - along * along.dot(p - from)).normalize_or_zero();
            let half_edge = 3 * number + k as u32;
            let twin = surface.twin(half_edge);
            let inward = normal.cross(along);
            if twin == NONE {
                return SurfaceEdge {
                    number: half_edge,
                    is_owned: true,
                    kind: EdgeKind::Border,
                    inward,
                    beyond: DVec3::ZERO,
                };
            }
            let opposite = surface.corners(twin / 3)[((twin % 3 + 2) % 3) as usize];
            let beyond = into(surface.vertex(opposite));
            let rise = normal.dot(beyond);
            let is_flat = rise.abs() <= COPLANAR && inward.dot(beyond) < 0.0;
            let kind = match (is_flat, rise < 0.0) {
                (true, _) => EdgeKind::Flat,
                (false, true) => EdgeKind::Convex,
                (false, false) => EdgeKind::Reflex,
            };
            SurfaceEdge { number: half_edge.min(twin), is_owned: half_edge < twin, kind, inward, beyond }
        });
        Self { number, vertices, corners, normal, edges }
    }

    /// The triangle as it is seen from behind: its normal points there, and what was convex is reflex.
    pub fn turned_round(self) -> Self {
        let [p, q, r] = self.corners;
        let [u, v, w] = self.vertices;
        let turned = |edge: SurfaceEdge| SurfaceEdge {
            kind: match edge.kind {
                EdgeKind::Convex => EdgeKind::Reflex,
                EdgeKind::Reflex => EdgeKind::Convex,
                other => other,
            },
            ..edge
        };
        let [e, f, g] = self.edges;
        Self {
            vertices: [u, w, v],
            corners: [p, r, q],
            normal: -self.normal,
            edges: [turned(g), turned(f), turned(e)],
            ..self
        }
    }

    /// How far in front of the plane a point is, m.
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corners[0])
    }

    /// Whether the projection of a point onto the plane is in the triangle, or no farther outside of a side than a tolerance, m.
    pub fn is_over(&self, point: DVec3, tolerance: f64) -> bool {
        (0..3).all(|k| self.edges[k].inward.dot(point - self.corners[k]) >= -tolerance)
    }

    /// The point of the triangle that is closest to a point, m.
    pub fn closest(&self, point: DVec3) -> DVec3 {
        closest_of_triangle(point, self.corners).position
    }
}

/// Where the corners of a triangle are (m), and its normal to the front.
pub fn plane_of(surface: &dyn OpenSurface, triangle: u32) -> ([DVec3; 3], DVec3) {
    let corners = surface.corners(triangle).map(|v| surface.vertex(v));
    let [a, b, c] = corners;
    (corners, (b - a).cross(c - a).normalize())
}

/// Triangles to draw.
pub(super) fn triangles(surface: &dyn OpenSurface, vertices: usize) -> Triangles {
    let count = surface.triangle_count() as u32;
    Triangles {
        vertices: (0..vertices as u32).map(|v| surface.vertex(v)).collect(),
        triangles: (0..count).map(|t| surface.corners(t)).collect(),
    }
}

/// The lower and upper corner of the box around a surface at a pose, with the solid below it, m.
pub(super) fn bounds_at(surface: &dyn OpenSurface, pose: &crate::pose::Pose) -> (DVec3, DVec3) {
    let (low, high) = surface.bounds();
    let corner = |k: usize| {
        let pick = |bit: usize, axis: usize| if k & bit == 0 { low[axis] } else { high[axis] };
        pose.transform_point(DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2)))
    };
    let around = |(low, high): (DVec3, DVec3), p: DVec3| (low.min(p), high.max(p));
    let (mut low, mut high) = (0..8).map(corner).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), around);
    if surface.is_solid_below() {
        let down = pose.rotation * DVec3::NEG_Y;
        for axis in 0..3 {
            if down[axis] < -ALONG_AXIS {
                low[axis] = f64::NEG_INFINITY;
            } else if down[axis] > ALONG_AXIS {
                high[axis] = f64::INFINITY;
            }
        }
    }
    (low, high)
}

/// Below this a component of the direction downwards (dimensionless) is zero.
const ALONG_AXIS: f64 = 1e-15;

/// How far two boxes are apart along the axis along which they are farthest, m; not above zero where they overlap.
fn boxes_apart((low, high): (DVec3, DVec3), (other_low, other_high): (DVec3, DVec3)) -> f64 {
    (low - other_high).max(other_low - high).max_element()
}
