//! Why a height field or a triangle mesh cannot be made.

use glam::DVec3;
use thiserror::Error;

/// Why a height field or a triangle mesh cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum OpenSurfaceError {
    /// Fewer than two rows or columns, or a product that is not the number of heights.
    #[error(
        "{rows} rows of {columns} heights need {rows} × {columns} heights and at least 2 of each; {found} heights were given"
    )]
    Samples {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
        /// Heights given.
        found: usize,
    },
    /// More samples, vertices or triangles than can be numbered.
    #[error("{count} {what} are too many: at most {most} can be numbered; split the surface into several bodies")]
    TooMany {
        /// "samples", "triangles", "vertices".
        what: &'static str,
        /// How many were given.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A height is no number.
    #[error(
        "the height in row {row}, column {column} is {value}; every height must be finite: cut holes with a triangle mesh"
    )]
    Height {
        /// From 0, along z.
        row: usize,
        /// From 0, along x.
        column: usize,
        /// m.
        value: f64,
    },
    /// The distance of rows or columns is out of range.
    #[error("the spacing of the {what} is {value} m; it must be finite and above zero")]
    Spacing {
        /// "rows", "columns".
        what: &'static str,
        /// m.
        value: f64,
    },
    /// A vertex is nowhere.
    #[error("vertex {vertex} is at {position}; every coordinate must be finite")]
    Vertex {
        /// Its number.
        vertex: usize,
        /// m.
        position: DVec3,
    },
    /// A mesh without triangles.
    #[error("there are no triangles; give at least one")]
    Empty,
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are {count} vertices, counted from 0")]
    Index {
        /// The triangle.
        triangle: usize,
        /// What it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A triangle without an area.
    #[error("triangle {triangle} has no area: its corners are on one line or at one place; remove it")]
    Degenerate {
        /// The triangle.
        triangle: usize,
    },
    /// More than two triangles at one edge, or two that run along it in the same sense.
    #[error(
        "triangles {first} and {second} run along the edge from {from} to {to} in the same sense: at most two triangles may meet at an \
         edge, wound in the same way; turn one of them round, or split the mesh into several bodies"
    )]
    Edge {
        /// A triangle.
        first: usize,
        /// The other one.
        second: usize,
        /// Where the edge begins, m.
        from: DVec3,
        /// Where it ends, m.
        to: DVec3,
    },
}
