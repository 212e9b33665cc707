//! Closed triangle surfaces that bound a solid.
//!
//! A surface may be non-convex and may have several components: separate solids and cavities, as long as the
//! components' orientations make every point of space either solid or empty (winding number 1 or 0).

use glam::DVec3;
use thiserror::Error;

use super::predicate::{orientation_3d, projection_axis};
use super::self_intersection::first_self_intersection;
use super::surface_topology::SurfaceTopology;

/// Largest magnitude of a coordinate, m: beyond it products of coordinates may overflow.
pub const MAXIMUM_COORDINATE: f64 = 1e60;

/// A volume below this share of the sum of its terms' magnitudes is rounding error only.
const VOLUME_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Below this length the angle-weighted sum of the unit normals around a vertex has no direction.
const VERTEX_NORMAL_LENGTH: f64 = 1e-12;

/// An edge of a [`Surface`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceEdge {
    /// The two end vertices, in the direction in which `triangles[0]` runs along the edge.
    pub vertices: [u32; 2],
    /// The two triangles at the edge, lower index first; `triangles[1]` runs against `vertices`.
    pub triangles: [u32; 2],
}

/// What is wrong with a triangle surface, and where. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SurfaceError {
    /// No vertices.
    #[error("the surface has no vertices; give at least four")]
    NoVertices,
    /// No triangles.
    #[error("the surface has no triangles; give at least four")]
    NoTriangles,
    /// More vertices or triangles than indices can count.
    #[error("the surface has {count} vertices or triangles; at most 2^30 can be numbered")]
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
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {vertices} vertices (0 to {last})", last = vertices - 1)]
    IndexOutOfRange {
        /// The first such triangle.
        triangle: u32,
        /// The index that it holds.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A triangle has a repeated vertex or its corners on one line.
    #[error("triangle {triangle} with vertices {corners:?} has no area; remove it or merge its vertices")]
    DegenerateTriangle {
        /// The first such triangle.
        triangle: u32,
        /// Its vertices.
        corners: [u32; 3],
    },
    /// Two vertices are at the same position.
    #[error("vertices {first} and {second} are both at {position}; merge them")]
    DuplicateVertex {
        /// The lower of the two indices.
        first: u32,
        /// The higher of the two indices.
        second: u32,
        /// Their position, m.
        position: DVec3,
    },
    /// A vertex is in no triangle.
    #[error("vertex {vertex} is in no triangle; remove it")]
    UnusedVertex {
        /// The first such vertex.
        vertex: u32,
    },
    /// An edge has only one triangle: the surface has a hole.
    #[error("edge {edge:?} of triangle {triangle} has no second triangle: the surface is open; close the hole")]
    OpenEdge {
        /// The edge's vertices, in the direction of the triangle.
        edge: [u32; 2],
        /// The only triangle at the edge.
        triangle: u32,
    },
    /// An edge has more than two triangles.
    #[error("edge {edge:?} has more than two triangles ({triangles:?}); split the surface there")]
    NonManifoldEdge {
        /// The edge's vertices.
        edge: [u32; 2],
        /// The triangles at the edge, ascending.
        triangles: Vec<u32>,
    },
    /// Two neighbouring triangles run along their common edge in the same direction.
    #[error("triangles {triangles:?} both run along edge {edge:?} in the same direction; reverse one of them")]
    InconsistentOrientation {
        /// The edge's vertices, in the direction of both triangles.
        edge: [u32; 2],
        /// The two triangles, ascending.
        triangles: [u32; 2],
    },
    /// The triangles at a vertex form more than one fan.
    #[error(
        "vertex {vertex} at {position} joins parts that touch only there ({fan} of its {triangles} triangles form a \
         closed fan); give each part its own vertex"
    )]
    NonManifoldVertex {
        /// The first such vertex.
        vertex: u32,
        /// Its position, m.
        position: DVec3,
        /// The number of triangles in the fan of its first triangle.
        fan: u32,
        /// The number of its triangles.
        triangles: u32,
    },
    /// The triangles are clockwise seen from outside.
    #[error(
        "the surface is inside out: its volume is {volume} m³; reverse every triangle (counter-clockwise seen from \
         outside)"
    )]
    InsideOut {
        /// The negative volume, m³.
        volume: f64,
    },
    /// The surface encloses nothing.
    #[error("the surface encloses no volume")]
    ZeroVolume,
    /// Two triangles meet in more than a common vertex or edge.
    #[error("triangles {} and {} intersect; the surface must not pass through or touch itself", triangles[0], triangles[1])]
    SelfIntersecting {
        /// The lexicographically first such pair, lower index first.
        triangles: [u32; 2],
    },
    /// A component is a solid inside a solid, or a cavity outside every solid.
    #[error(
        "the component of triangle {triangle} is {}; reverse its triangles or remove it",
        if *cavity { "a cavity (inward normals) that is not inside a solid" } else { "a solid inside another solid" }
    )]
    MisplacedComponent {
        /// The first triangle of the component.
        triangle: u32,
        /// Whether the component has negative volume.
        cavity: bool,
    },
}

impl SurfaceError {
    /// The first triangle that the error names, if it names one.
    pub fn triangle(&self) -> Option<u32> {
        match self {
            Self::IndexOutOfRange { triangle, .. }
            | Self::DegenerateTriangle { triangle, .. }
            | Self::OpenEdge { triangle, .. }
            | Self::MisplacedComponent { triangle, .. } => Some(*triangle),
            Self::InconsistentOrientation { triangles, .. } | Self::SelfIntersecting { triangles } => {
                Some(triangles[0])
            }
            Self::NonManifoldEdge { triangles, .. } => triangles.first().copied(),
            _ => None,
        }
    }
}

/// A closed, oriented, manifold triangle surface without self-intersection that encloses a positive volume.
///
/// Triangles are counter-clockwise seen from outside. Vertices and triangles keep the order in which they were given.
/// Every vertex is used, and no two share a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    topology: SurfaceTopology,
    normals: Vec<DVec3>,
    areas: Vec<f64>,
    volume: f64,
}

impl Surface {
    /// Checks a triangle surface (positions in m, counter-clockwise triangles) and takes it over unchanged.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, SurfaceError> {
        check_elements(&vertices, &triangles)?;
        let (normals, areas) = normals_and_areas(&vertices, &triangles)?;
        check_duplicates(&vertices)?;
        let topology = SurfaceTopology::new(&vertices, &triangles)?;
        let (volume, magnitude) = divergence_volume(&vertices, &triangles);
        if volume.abs() <= VOLUME_ROUNDING * magnitude {
            return Err(SurfaceError::ZeroVolume);
        }
        if volume < 0.0 {
            return Err(SurfaceError::InsideOut { volume });
        }
        if let Some(triangles) = first_self_intersection(&vertices, &triangles) {
            return Err(SurfaceError::SelfIntersecting { triangles });
        }
        let surface = Self { vertices, triangles, topology, normals, areas, volume };
        surface.check_components()?;
        Ok(surface)
    }

    /// The vertices, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles' vertex indices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges, numbered by their first appearance: triangle by triangle, sides 0–1, 1–2, 2–0.
    pub fn edges(&self) -> &[SurfaceEdge] {
        &self.topology.edges
    }

    /// The edges of each triangle, sides 0–1, 1–2, 2–0.
    pub fn triangle_edges(&self) -> &[[u32; 3]] {
        &self.topology.triangle_edges
    }

    /// The positions of a triangle's corners, m.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }

    /// The outward unit normal of each triangle.
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// The area of each triangle, m².
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// The enclosed volume by the divergence theorem, m³, positive.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The number of connected components: solids and cavities.
    pub fn component_count(&self) -> u32 {
        self.topology.component_count
    }

    /// The component of each triangle; components are numbered by their first triangle.
    pub fn components(&self) -> &[u32] {
        &self.topology.component
    }

    /// The lower and upper corner of the axis-aligned bounding box, m.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds(&self.vertices)
    }

    /// The outward unit normal of each vertex: the sum of its triangles' unit normals weighted by their angles there
    /// (Thürmer and Wüthrich 1998), normalized. Zero where that sum vanishes.
    pub fn vertex_normals(&self) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.vertices.len()];
        for (triangle, corners) in (0_u32..).zip(&self.triangles) {
            let p = self.corners(triangle);
            for k in 0..3 {
                let (s, t) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
                let angle = s.cross(t).length().atan2(s.dot(t));
                sums[corners[k] as usize] += angle * self.normals[triangle as usize];
            }
        }
        let unit = |sum: DVec3| {
            if sum.length() > VERTEX_NORMAL_LENGTH { sum.normalize() } else { DVec3::ZERO }
        };
        sums.into_iter().map(unit).collect()
    }

    /// Whether the solid is convex, decided exactly: one component, and no edge is reflex.
    ///
    /// A convex solid that was rotated in floating point may come out very slightly non-convex.
    pub fn is_convex(&self) -> bool {
        self.component_count() == 1
            && self.edges().iter().all(|edge| {
                let [a, b, c] = self.corners(edge.triangles[0]);
                let apex = self.triangles[edge.triangles[1] as usize].iter().find(|v| !edge.vertices.contains(v));
                apex.is_none_or(|&v| orientation_3d(a, b, c, self.vertices[v as usize]) <= 0.0)
            })
    }

    /// How often the surface winds around a point that is not on it: 1 inside the solid, 0 outside.
    ///
    /// The sum of the triangles' signed solid angles (van Oosterom and Strackee 1983) over 4π, rounded.
    pub fn winding_number(&self, point: DVec3) -> i32 {
        self.winding_number_of(point, |_| true)
    }

    fn winding_number_of(&self, point: DVec3, takes_part: impl Fn(u32) -> bool) -> i32 {
        let half_angles: f64 = (0..self.triangles.len() as u32)
            .filter(|&t| takes_part(t))
            .map(|t| {
                let [a, b, c] = self.corners(t).map(|p| p - point);
                let (la, lb, lc) = (a.length(), b.length(), c.length());
                let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
                a.dot(b.cross(c)).atan2(denominator)
            })
            .sum();
        (half_angles / std::f64::consts::TAU).round() as i32
    }

    /// Every solid component must be in empty space and every cavity in a solid one.
    fn check_components(&self) -> Result<(), SurfaceError> {
        if self.component_count() == 1 {
            return Ok(());
        }
        for component in 0..self.component_count() {
            let own = |t: u32| self.components()[t as usize] == component;
            let members: Vec<u32> = (0..self.triangles.len() as u32).filter(|&t| own(t)).collect();
            let triangles: Vec<[u32; 3]> = members.iter().map(|&t| self.triangles[t as usize]).collect();
            let cavity = divergence_volume(&self.vertices, &triangles).0 < 0.0;
            let winding = self.winding_number_of(self.corners(members[0])[0], |t| !own(t));
            if winding != i32::from(cavity) {
                return Err(SurfaceError::MisplacedComponent { triangle: members[0], cavity });
            }
        }
        Ok(())
    }
}

/// The lower and upper corner of the box around some points.
pub(super) fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.iter().fold(none, |(low, high), &p| (low.min(p), high.max(p)))
}

/// The signed volume of a closed surface, m³, and the sum of the magnitudes of its terms.
pub(super) fn divergence_volume(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (f64, f64) {
    let (low, high) = bounds(vertices);
    let origin = low + 0.5 * (high - low);
    triangles.iter().fold((0.0, 0.0), |(volume, magnitude), triangle| {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - origin);
        let term = a.dot(b.cross(c)) / 6.0;
        (volume + term, magnitude + a.length() * b.length() * c.length() / 6.0)
    })
}

fn check_elements(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), SurfaceError> {
    if vertices.is_empty() {
        return Err(SurfaceError::NoVertices);
    }
    if triangles.is_empty() {
        return Err(SurfaceError::NoTriangles);
    }
    let count = vertices.len().max(triangles.len());
    if count > 1 << 30 {
        return Err(SurfaceError::TooLarge { count });
    }
    check_coordinates(vertices).map_err(|(vertex, position)| SurfaceError::UnusableCoordinate { vertex, position })?;
    for (triangle, corners) in (0_u32..).zip(triangles) {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(SurfaceError::IndexOutOfRange { triangle, vertex, vertices: vertices.len() });
        }
    }
    Ok(())
}

/// The first vertex whose coordinates are not finite or too large.
pub(super) fn check_coordinates(vertices: &[DVec3]) -> Result<(), (u32, DVec3)> {
    // The comparison is false for NaN.
    let usable = |p: &DVec3| p.abs().cmple(DVec3::splat(MAXIMUM_COORDINATE)).all();
    (0_u32..).zip(vertices).find(|(_, p)| !usable(p)).map_or(Ok(()), |(vertex, &position)| Err((vertex, position)))
}

fn normals_and_areas(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(Vec<DVec3>, Vec<f64>), SurfaceError> {
    let mut normals = Vec::with_capacity(triangles.len());
    let mut areas = Vec::with_capacity(triangles.len());
    for (triangle, &corners) in (0_u32..).zip(triangles) {
        let points = corners.map(|v| vertices[v as usize]);
        let [a, b, c] = points;
        let twice_area = (b - a).cross(c - a);
        match twice_area.try_normalize() {
            Some(normal) if projection_axis(points).is_some() => normals.push(normal),
            _ => return Err(SurfaceError::DegenerateTriangle { triangle, corners }),
        }
        areas.push(0.5 * twice_area.length());
    }
    Ok((normals, areas))
}

/// Of all vertices at the position of an earlier one, reports the first.
fn check_duplicates(vertices: &[DVec3]) -> Result<(), SurfaceError> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Adding zero turns −0 into 0, so that the two compare equal.
    let key = |v: u32| (vertices[v as usize] + DVec3::ZERO).to_array();
    let compare =
        |s: [f64; 3], t: [f64; 3]| s[0].total_cmp(&t[0]).then(s[1].total_cmp(&t[1])).then(s[2].total_cmp(&t[2]));
    order.sort_by(|&i, &j| compare(key(i), key(j)).then(i.cmp(&j)));
    let duplicates = order.chunk_by(|&i, &j| key(i) == key(j)).filter_map(|group| match *group {
        [first, second, ..] => Some((second, first)),
        _ => None,
    });
    match duplicates.min() {
        Some((second, first)) => {
            Err(SurfaceError::DuplicateVertex { first, second, position: vertices[first as usize] })
        }
        None => Ok(()),
    }
}
