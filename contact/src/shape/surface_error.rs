//! What can be wrong with a triangle surface.

use glam::DVec3;
use thiserror::Error;

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
    /// A coordinate is NaN, infinite or larger than [`super::surface::MAXIMUM_COORDINATE`].
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

    /// The same error with other numbers for the vertices.
    pub(super) fn with_vertex_numbers(mut self, number: impl Fn(u32) -> u32) -> Self {
        let renumber = |vertices: &mut [u32]| vertices.iter_mut().for_each(|v| *v = number(*v));
        match &mut self {
            Self::UnusableCoordinate { vertex, .. }
            | Self::UnusedVertex { vertex }
            | Self::NonManifoldVertex { vertex, .. } => *vertex = number(*vertex),
            Self::DuplicateVertex { first, second, .. } => {
                (*first, *second) = (number(*first), number(*second));
            }
            Self::DegenerateTriangle { corners, .. } => renumber(corners),
            Self::OpenEdge { edge, .. }
            | Self::NonManifoldEdge { edge, .. }
            | Self::InconsistentOrientation { edge, .. } => renumber(edge),
            Self::NoVertices
            | Self::NoTriangles
            | Self::TooLarge { .. }
            | Self::IndexOutOfRange { .. }
            | Self::InsideOut { .. }
            | Self::ZeroVolume
            | Self::SelfIntersecting { .. }
            | Self::MisplacedComponent { .. } => {}
        }
        self
    }
}
