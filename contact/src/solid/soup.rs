//! A soup of polygons: triangles that need not fit together. They have two sides and no inside; the surface may be open, touch
//! or pass through itself, and more than two triangles may meet in an edge.
//!
//! Whether a segment goes from one side of a triangle to the other through it is decided exactly, with the surface shifted
//! symbolically as in [`super::PolyhedralSolid`]. As triangles that were drawn to fit may leave gaps of the width of rounding
//! between them (a corner of one in an edge of another), a segment that passes the plane of a triangle no farther than
//! rounding from it crosses it too; where two triangles join, that may be a crossing of each.

use glam::DVec3;
use thiserror::Error;

use super::Description;
use super::edge::{StraightEdge, append_edges};
use super::triangle::{Part, closest_of_triangle};
use super::triangle_samples::append_samples;
use super::triangle_tree::TriangleTree;
use super::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};
use crate::bounds::Bounds;
use crate::overlap::predicate::{Side, crossing};
use crate::shape::mesh_file::polygon::triangles_of_face;
use crate::shape::predicate::{orientation_3d, projection_axis};
use crate::shape::surface::MAXIMUM_COORDINATE;
use crate::shape::{MassPropertiesError, SurfacePoint, Triangles};
use crate::sorting::CompactSort;

/// The most vertices, polygons and triangles.
const MOST: usize = 1 << 30;

/// What is wrong with a soup, and where. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SoupError {
    /// No triangles.
    #[error("the soup has no triangles; give at least one")]
    NoTriangles,
    /// More vertices or triangles than can be numbered.
    #[error("the soup has {count} vertices or triangles; at most 2^30 can be numbered")]
    TooLarge {
        /// The number given.
        count: usize,
    },
    /// A coordinate is NaN, infinite or larger than [`MAXIMUM_COORDINATE`].
    #[error("vertex {vertex} is at {position}; coordinates must be finite and at most 1e60 m")]
    UnusableCoordinate {
        /// The first such vertex.
        vertex: u32,
        /// Its position, m.
        position: DVec3,
    },
    /// A polygon names a vertex that does not exist.
    #[error("polygon {polygon} refers to vertex {vertex}, but there are only {vertices} vertices, numbered from 0")]
    IndexOutOfRange {
        /// The first such polygon.
        polygon: u32,
        /// The index that it holds.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A polygon has fewer than three corners.
    #[error("polygon {polygon} has {corners} corners; it needs at least three")]
    TooFewCorners {
        /// The first such polygon.
        polygon: u32,
        /// The number of its corners.
        corners: usize,
    },
    /// A triangle has a repeated vertex or its corners on one line.
    #[error("triangle {triangle} with vertices {corners:?} has no area; remove it")]
    DegenerateTriangle {
        /// The first such triangle; the polygon where polygons were given.
        triangle: u32,
        /// Its vertices.
        corners: [u32; 3],
    },
    /// A polygon cannot be cut into triangles.
    #[error("polygon {polygon} with vertices {corners:?} crosses or touches itself; give it as triangles")]
    Uncuttable {
        /// The first such polygon.
        polygon: u32,
        /// Its vertices.
        corners: Vec<u32>,
    },
}

/// Triangles with two sides, in a frame of their own.
#[derive(Clone, Debug)]
pub struct Soup {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Of the side from which corners run counter-clockwise, unit.
    normals: Vec<DVec3>,
    tree: TriangleTree,
    thickness: f64,
}

impl Soup {
    /// Its name in files.
    pub const KIND: &'static str = "polygon soup";

    /// A soup of triangles (positions in m). Vertices without a triangle are left out; the others keep their order.
    ///
    /// # Errors
    /// [`SoupError`].
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, SoupError> {
        check_vertices(&vertices, triangles.len())?;
        for (polygon, corners) in (0..).zip(&triangles) {
            check_indices(polygon, corners, vertices.len())?;
        }
        let numbers: Vec<u32> = (0..triangles.len() as u32).collect();
        Self::of_triangles(vertices, triangles, &numbers)
    }

    /// A soup of polygons by the indices of their corners (positions in m), each of which is cut into triangles as its shadow
    /// along its mean normal is.
    ///
    /// # Errors
    /// [`SoupError`].
    pub fn from_polygons(vertices: Vec<DVec3>, polygons: &[Vec<u32>]) -> Result<Self, SoupError> {
        check_vertices(&vertices, polygons.len())?;
        let (mut triangles, mut numbers) = (Vec::with_capacity(polygons.len()), Vec::with_capacity(polygons.len()));
        for (polygon, corners) in (0..).zip(polygons) {
            check_indices(polygon, corners, vertices.len())?;
            if corners.len() < 3 {
                return Err(SoupError::TooFewCorners { polygon, corners: corners.len() });
            }
            let cut = triangles_of_face(corners, &vertices)
                .ok_or_else(|| SoupError::Uncuttable { polygon, corners: corners.clone() })?;
            triangles.extend(cut);
            numbers.resize(triangles.len(), polygon);
        }
        if triangles.len() > MOST {
            return Err(SoupError::TooLarge { count: triangles.len() });
        }
        Self::of_triangles(vertices, triangles, &numbers)
    }

    /// A soup of triangles with indices in range; `numbers` are those that messages name.
    fn of_triangles(vertices: Vec<DVec3>, mut triangles: Vec<[u32; 3]>, numbers: &[u32]) -> Result<Self, SoupError> {
        let mut normals = Vec::with_capacity(triangles.len());
        let mut thickness = f64::INFINITY;
        for (&triangle, &corners) in numbers.iter().zip(&triangles) {
            let positions = corners.map(|v| vertices[v as usize]);
            let [a, b, c] = positions;
            let twice_area = (b - a).cross(c - a);
            match twice_area.try_normalize() {
                Some(normal) if projection_axis(positions).is_some() => normals.push(normal),
                _ => return Err(SoupError::DegenerateTriangle { triangle, corners }),
            }
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            thickness = thickness.min(twice_area.length() / longest);
        }
        let mut place = vec![u32::MAX; vertices.len()];
        for &vertex in triangles.iter().flatten() {
            place[vertex as usize] = 0;
        }
        let mut kept = Vec::with_capacity(vertices.len());
        for (place, position) in place.iter_mut().zip(vertices).filter(|(place, _)| **place == 0) {
            *place = kept.len() as u32;
            kept.push(position);
        }
        for vertex in triangles.iter_mut().flatten() {
            *vertex = place[*vertex as usize];
        }
        let tree = TriangleTree::new(triangles.iter().map(|t| t.map(|v| kept[v as usize])));
        Ok(Self { vertices: kept, triangles, normals, tree, thickness })
    }

    /// The vertices of triangles, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// How a segment crosses a triangle, if it does.
    fn crossing(&self, [from, to]: [DVec3; 2], triangle: u32, corners: [DVec3; 3], margin: f64) -> Option<Crossing> {
        let [a, b, c] = corners;
        let (start, end) = (orientation_3d(a, b, c, from), orientation_3d(a, b, c, to));
        if (start > 0.0 && end > 0.0) || (start < 0.0 && end < 0.0) {
            return None;
        }
        let (share, from_front) = match crossing(Side::A, [from, to], corners) {
            Some(found) => (found.fraction, found.enters),
            None if (start > 0.0 && end < 0.0) || (start < 0.0 && end > 0.0) => {
                let share = (start / (start - end)).clamp(0.0, 1.0);
                if closest_of_triangle(from.lerp(to, share), corners).squared > margin * margin {
                    return None;
                }
                (share, start > 0.0)
            }
            None => return None,
        };
        let normal = self.normals[triangle as usize];
        Some(Crossing { share, normal: Some(if from_front { normal } else { -normal }), is_entry: true })
    }
}

impl Solid for Soup {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.vertices.iter().map(|vertex| vertex.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Never inside.
    fn relation(&self, turned: &OrientedBox) -> Relation {
        if self.tree.may_meet(turned) { Relation::Undecided } else { Relation::Outside }
    }

    /// Rounding alone: the test of boxes against triangles is exact.
    fn slack(&self, radius: f64) -> f64 {
        self.tree.slack(radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let first = crossings.len();
        let margin = self.tree.margin(from).max(self.tree.margin(to));
        self.tree.along_segment(from, to, |triangle, corners| {
            crossings.extend(self.crossing([from, to], triangle, corners, margin));
        });
        crossings[first..].compact_sort_by(|a, b| a.share.total_cmp(&b.share));
    }

    fn contains(&self, _: DVec3) -> bool {
        false
    }

    /// The closest point; the distance is never negative. The normal points to the side on which the point is: that of the
    /// triangle or, from edges and vertices, the direction of the point; for points that are on the surface up to rounding,
    /// that of the triangle with the lowest number.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let why = "the point has no finite distance from it";
        let closest = self.tree.closest(point).ok_or(NoNormal { kind: Self::KIND, point, why })?;
        let (away, distance) = (point - closest.point.position, closest.point.squared.sqrt());
        let own = self.normals[closest.triangle as usize];
        let normal = if closest.point.part == Part::Face || distance <= self.tree.margin(point) {
            if own.dot(away) < 0.0 { -own } else { own }
        } else {
            away / distance
        };
        Ok(SurfacePoint { position: closest.point.position, normal, distance })
    }

    /// All vertices, then points of edges, then points of triangles; vertices alone unless the spacing is above zero.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(&self.vertices, &self.triangles, spacing, samples);
    }

    fn is_closed(&self) -> bool {
        false
    }

    /// The smallest height of a triangle, m.
    fn thickness(&self) -> f64 {
        self.thickness
    }

    /// # Errors
    /// Always: it has no inside. [`MassPropertiesError::Density`] of a density that no body has, else
    /// [`MassPropertiesError::MassOrVolume`] with a volume of zero.
    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        if density.is_finite() && density > 0.0 {
            Err(MassPropertiesError::MassOrVolume { mass: 0.0, volume: 0.0 })
        } else {
            Err(MassPropertiesError::Density { density })
        }
    }

    fn triangles(&self) -> Triangles {
        Triangles { vertices: self.vertices.clone(), triangles: self.triangles.clone() }
    }

    fn description(&self) -> Option<Description> {
        let vertices = self.vertices.iter().map(|v| v.to_array()).collect();
        Some(Description::Soup { vertices, polygons: self.triangles.iter().map(|t| t.to_vec()).collect() })
    }

    fn is_flat(&self) -> bool {
        true
    }

    fn edges(&self, edges: &mut Vec<StraightEdge>) {
        append_edges(&self.vertices, &self.triangles, false, edges);
    }
}

/// Checks that there are polygons, not too many, and that positions are usable.
fn check_vertices(vertices: &[DVec3], polygons: usize) -> Result<(), SoupError> {
    let count = vertices.len().max(polygons);
    if count > MOST {
        return Err(SoupError::TooLarge { count });
    }
    if polygons == 0 {
        return Err(SoupError::NoTriangles);
    }
    // The comparison is false for NaN.
    let is_usable = |p: &DVec3| p.abs().cmple(DVec3::splat(MAXIMUM_COORDINATE)).all();
    match (0..).zip(vertices).find(|(_, p)| !is_usable(p)) {
        Some((vertex, &position)) => Err(SoupError::UnusableCoordinate { vertex, position }),
        None => Ok(()),
    }
}

fn check_indices(polygon: u32, corners: &[u32], vertices: usize) -> Result<(), SoupError> {
    match corners.iter().find(|&&v| v as usize >= vertices) {
        Some(&vertex) => Err(SoupError::IndexOutOfRange { polygon, vertex, vertices }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
