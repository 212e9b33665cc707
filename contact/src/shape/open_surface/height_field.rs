//! A height field: heights over a grid, solid below.

use glam::DVec3;

use super::height_pyramid::HeightPyramid;
use super::{NONE, OpenSurface, OpenSurfaceError, boxes_apart};
use crate::bounds::Bounds;
use crate::shape::predicate::orientation_3d;

/// Heights over a rectangular grid in the plane y = 0. Everything below the surface is solid, without end.
///
/// The sample in row r and column c is at (c · spacing along x, height, r · spacing along z). Each cell is two triangles, cut from (r, c + 1)
/// to (r + 1, c), with normals upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    rows: usize,
    columns: usize,
    /// Of columns along x, of rows along z, m.
    spacing: [f64; 2],
    heights: Vec<f64>,
    lowest: f64,
    highest: f64,
    pyramid: HeightPyramid,
}

/// A square block of cells, or what of it the field has: 2ˡ rows and columns of them at level l.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub level: u32,
    /// Counted in blocks of the level.
    pub row: u32,
    pub column: u32,
}

impl HeightField {
    /// What it is called in errors and files.
    pub const KIND: &'static str = "height field";

    /// A field of `rows` × `columns` heights (m), row by row: those along x first. `spacing` is the distance of columns along x and of rows
    /// along z, m.
    ///
    /// # Errors
    /// [`OpenSurfaceError::Samples`], [`OpenSurfaceError::TooMany`], [`OpenSurfaceError::Height`], [`OpenSurfaceError::Spacing`].
    pub fn new(rows: usize, columns: usize, spacing: [f64; 2], heights: Vec<f64>) -> Result<Self, OpenSurfaceError> {
        let count = rows.checked_mul(columns);
        if rows < 2 || columns < 2 || count != Some(heights.len()) {
            return Err(OpenSurfaceError::Samples { rows, columns, found: heights.len() });
        }
        // Half-edges are numbered in 32 bits: six a cell.
        let most = (u32::MAX / 6) as usize;
        if heights.len() > most {
            return Err(OpenSurfaceError::TooMany { what: "samples", count: heights.len(), most });
        }
        for (what, value) in [("columns", spacing[0]), ("rows", spacing[1])] {
            if !(value.is_finite() && value > 0.0) {
                return Err(OpenSurfaceError::Spacing { what, value });
            }
        }
        if let Some(k) = heights.iter().position(|height| !height.is_finite()) {
            let (row, column, value) = (k / columns, k % columns, heights[k]);
            return Err(OpenSurfaceError::Height { row, column, value });
        }
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let pyramid = HeightPyramid::new([rows - 1, columns - 1], |row, column| {
            let (low, high) = cell_heights(&heights, columns, row, column);
            [low, high]
        });
        Ok(Self { rows, columns, spacing, heights, lowest, highest, pyramid })
    }

    /// A field of the heights (m) that a function of x and z gives at the samples.
    ///
    /// # Errors
    /// As [`HeightField::new`].
    pub fn from_fn(
        rows: usize,
        columns: usize,
        spacing: [f64; 2],
        height: impl Fn(f64, f64) -> f64,
    ) -> Result<Self, OpenSurfaceError> {
        let along_x =
            |row: usize| (0..columns).map(move |column| (column as f64 * spacing[0], row as f64 * spacing[1]));
        Self::new(rows, columns, spacing, (0..rows).flat_map(along_x).map(|(x, z)| height(x, z)).collect())
    }

    /// How many rows along z, and columns along x.
    pub fn size(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The distance of columns along x and of rows along z, m.
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// The heights row by row, m.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// The height of the surface over a place, m; none beside the field.
    pub fn height(&self, x: f64, z: f64) -> Option<f64> {
        let (_, end) = self.bounds();
        if !(x >= 0.0 && z >= 0.0 && x <= end.x && z <= end.z) {
            return None;
        }
        let (u, w) = (x / self.spacing[0], z / self.spacing[1]);
        let (column, row) = ((u as usize).min(self.columns - 2), (w as usize).min(self.rows - 2));
        let (s, t) = (u - column as f64, w - row as f64);
        let at = |r: usize, c: usize| self.heights[(row + r) * self.columns + column + c];
        Some(if s + t <= 1.0 {
            at(0, 0) + s * (at(0, 1) - at(0, 0)) + t * (at(1, 0) - at(0, 0))
        } else {
            at(1, 1) + (1.0 - s) * (at(1, 0) - at(1, 1)) + (1.0 - t) * (at(0, 1) - at(1, 1))
        })
    }

    fn cells(&self) -> [usize; 2] {
        [self.rows - 1, self.columns - 1]
    }

    /// The cells under a box: rows and columns, last ones included; none beside the field.
    fn cells_under(&self, low: DVec3, high: DVec3) -> Option<[[usize; 2]; 2]> {
        let range = |low: f64, high: f64, spacing: f64, cells: usize| -> Option<[usize; 2]> {
            let (low, high) = (low / spacing, high / spacing);
            // On a grid line both cells touch.
            let touches = high >= 0.0 && low <= cells as f64 && low <= high;
            let cell = |x: f64| (x.max(0.0) as usize).min(cells - 1);
            touches.then(|| [cell(low.ceil() - 1.0), cell(high.floor())])
        };
        let [rows, columns] = self.cells();
        Some([range(low.z, high.z, self.spacing[1], rows)?, range(low.x, high.x, self.spacing[0], columns)?])
    }

    /// The lowest and highest corner of a cell, m.
    fn cell_heights(&self, row: usize, column: usize) -> (f64, f64) {
        cell_heights(&self.heights, self.columns, row, column)
    }

    /// The block of all cells.
    pub(crate) fn whole(&self) -> Block {
        Block { level: self.pyramid.top() as u32, row: 0, column: 0 }
    }

    /// The blocks that a block is made of; none of a cell.
    pub(crate) fn parts(&self, block: Block) -> impl Iterator<Item = Block> {
        let finer = block.level.checked_sub(1);
        finer.into_iter().flat_map(move |level| {
            let [rows, columns] = self.cells().map(|cells| (cells as u32).div_ceil(1 << level));
            let all = [0, 1].into_iter().flat_map(|row| [0, 1].map(|column| (row, column)));
            all.map(move |(row, column)| Block { level, row: 2 * block.row + row, column: 2 * block.column + column })
                .filter(move |part| part.row < rows && part.column < columns)
        })
    }

    /// The box around the surface of a block, m.
    pub(crate) fn bounds_of(&self, block: Block) -> Bounds {
        let (row, column) = (block.row as usize, block.column as usize);
        let [low, high] = match block.level {
            0 => self.cell_heights(row, column).into(),
            level => self.pyramid.heights(level as usize, row, column),
        };
        let [rows, columns] = self.cells();
        let range = |first: usize, cells: usize, spacing: f64| {
            [first << block.level, ((first + 1) << block.level).min(cells)].map(|k| k as f64 * spacing)
        };
        let (x, z) = (range(column, columns, self.spacing[0]), range(row, rows, self.spacing[1]));
        Bounds { low: DVec3::new(x[0], low, z[0]), high: DVec3::new(x[1], high, z[1]) }
    }

    /// Both triangles of a block that is a cell, by their numbers and corners (m); none of any other.
    pub(crate) fn triangles_of(&self, block: Block) -> impl Iterator<Item = (u32, [DVec3; 3])> {
        let first = self.triangle_number(block.row as usize, block.column as usize, 0);
        let numbers = if block.level == 0 { first..first + 2 } else { 0..0 };
        numbers.map(|number| (number, self.corners(number).map(|v| self.vertex(v))))
    }

    /// Whether a point is in the solid below, not on its surface.
    pub(crate) fn is_inside(&self, point: DVec3) -> bool {
        let (low, high) = self.bounds();
        let is_over = point.x > low.x && point.x < high.x && point.z > low.z && point.z < high.z;
        is_over && self.side_of(point).is_some_and(|side| side < 0.0)
    }

    /// Whether a vertex is where the field ends.
    pub(crate) fn is_at_border(&self, vertex: u32) -> bool {
        let (row, column) = (vertex as usize / self.columns, vertex as usize % self.columns);
        row == 0 || column == 0 || row + 1 == self.rows || column + 1 == self.columns
    }

    /// How far over the surface a point is, by sign: positive above, exactly zero on it; `None` beside the field.
    pub(crate) fn side_of(&self, point: DVec3) -> Option<f64> {
        self.height(point.x, point.z)?;
        let [u, w] = [point.x / self.spacing[0], point.z / self.spacing[1]];
        let (column, row) = ((u as usize).min(self.columns - 2), (w as usize).min(self.rows - 2));
        let half = u32::from((u - column as f64) + (w - row as f64) > 1.0);
        let [a, b, c] = self.corners(self.triangle_number(row, column, half)).map(|v| self.vertex(v));
        Some(orientation_3d(a, b, c, point))
    }

    fn triangle_number(&self, row: usize, column: usize, half: u32) -> u32 {
        2 * (row * (self.columns - 1) + column) as u32 + half
    }

    /// Row and column of the cell of a triangle.
    fn cell_of(&self, triangle: u32) -> (usize, usize) {
        let cell = (triangle / 2) as usize;
        (cell / (self.columns - 1), cell % (self.columns - 1))
    }
}

/// The lowest and highest corner of a cell of a grid of heights with so many columns of them, m.
fn cell_heights(heights: &[f64], columns: usize, row: usize, column: usize) -> (f64, f64) {
    let k = row * columns + column;
    let all = [k, k + 1, k + columns, k + columns + 1].map(|k| heights[k]);
    let low = all.into_iter().fold(f64::INFINITY, f64::min);
    (low, all.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

impl OpenSurface for HeightField {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn is_two_sided(&self) -> bool {
        false
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let width = (self.columns - 1) as f64 * self.spacing[0];
        let length = (self.rows - 1) as f64 * self.spacing[1];
        (DVec3::new(0.0, self.lowest, 0.0), DVec3::new(width, self.highest, length))
    }

    fn is_solid_below(&self) -> bool {
        true
    }

    fn triangle_count(&self) -> usize {
        let [rows, columns] = self.cells();
        2 * rows * columns
    }

    fn vertex(&self, vertex: u32) -> DVec3 {
        let k = vertex as usize;
        let (row, column) = (k / self.columns, k % self.columns);
        DVec3::new(column as f64 * self.spacing[0], self.heights[k], row as f64 * self.spacing[1])
    }

    fn corners(&self, triangle: u32) -> [u32; 3] {
        let (row, column) = self.cell_of(triangle);
        let a = (row * self.columns + column) as u32;
        let (b, d) = (a + 1, a + self.columns as u32);
        if triangle.is_multiple_of(2) { [a, d, b] } else { [b, d, d + 1] }
    }

    fn twin(&self, half_edge: u32) -> u32 {
        let (triangle, side) = (half_edge / 3, half_edge % 3);
        let (row, column) = self.cell_of(triangle);
        let [rows, columns] = self.cells();
        let of = |row: usize, column: usize, half: u32, side: u32| 3 * self.triangle_number(row, column, half) + side;
        match (triangle % 2, side) {
            (0, 0) if column > 0 => of(row, column - 1, 1, 2),
            (0, 1) => of(row, column, 1, 0),
            (0, 2) if row > 0 => of(row - 1, column, 1, 1),
            (1, 0) => of(row, column, 0, 1),
            (1, 1) if row + 1 < rows => of(row + 1, column, 0, 2),
            (1, 2) if column + 1 < columns => of(row, column + 1, 0, 0),
            _ => NONE,
        }
    }

    fn ring(&self, vertex: u32, ring: &mut Vec<u32>) {
        let k = vertex as usize;
        let (row, column) = ((k / self.columns) as isize, (k % self.columns) as isize);
        for (r, c) in [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)] {
            let (r, c) = (row + r, column + c);
            if r >= 0 && c >= 0 && r < self.rows as isize && c < self.columns as isize {
                ring.push((r as usize * self.columns + c as usize) as u32);
            }
        }
    }

    fn triangles_within(&self, low: DVec3, high: DVec3, triangles: &mut Vec<u32>) {
        let Some([rows, columns]) = self.cells_under(low, high) else { return };
        for row in rows[0]..=rows[1] {
            for column in columns[0]..=columns[1] {
                // A box that is below all of it overlaps the solid.
                if self.cell_heights(row, column).1 >= low.y {
                    let first = self.triangle_number(row, column, 0);
                    triangles.extend([first, first + 1]);
                }
            }
        }
    }

    fn apart(&self, low: DVec3, high: DVec3, most: f64) -> f64 {
        let (lowest, highest) = self.bounds();
        let whole = boxes_apart((low, high), (DVec3 { y: f64::NEG_INFINITY, ..lowest }, highest));
        if whole >= most {
            return most;
        }
        let reach = most.max(0.0);
        let Some([rows, columns]) = self.cells_under(low - reach, high + reach) else { return most };
        let mut apart = most;
        for row in rows[0]..=rows[1] {
            let z = [row, row + 1].map(|r| r as f64 * self.spacing[1]);
            for column in columns[0]..=columns[1] {
                let x = [column, column + 1].map(|c| c as f64 * self.spacing[0]);
                let top = self.cell_heights(row, column).1;
                let cell = (DVec3::new(x[0], f64::NEG_INFINITY, z[0]), DVec3::new(x[1], top, z[1]));
                apart = apart.min(boxes_apart((low, high), cell));
            }
        }
        apart
    }
}
