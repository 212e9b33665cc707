//! The lowest and highest heights of blocks of a grid: of 2 × 2 cells, of 4 × 4, and so on up to all of them.

/// Blocks of one size, row by row, each with its lowest and highest height (m).
#[derive(Clone, Debug, PartialEq)]
struct Level {
    columns: usize,
    heights: Vec<[f64; 2]>,
}

/// All sizes of blocks, the smallest first.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightPyramid {
    levels: Vec<Level>,
}

impl HeightPyramid {
    /// Of a grid of so many rows and columns of cells; `cell` gives the lowest and highest height of one by its row and column, m.
    pub fn new([mut rows, mut columns]: [usize; 2], cell: impl Fn(usize, usize) -> [f64; 2]) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        while rows > 1 || columns > 1 {
            let below = levels.last();
            let at = |row: usize, column: usize| match below {
                Some(level) => level.heights[row * level.columns + column],
                None => cell(row, column),
            };
            let [more_rows, more_columns] = [rows, columns].map(|count| count.div_ceil(2));
            let mut heights = Vec::with_capacity(more_rows * more_columns);
            for row in 0..more_rows {
                for column in 0..more_columns {
                    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
                    for r in 2 * row..rows.min(2 * row + 2) {
                        for c in 2 * column..columns.min(2 * column + 2) {
                            let [low, high] = at(r, c);
                            range = [range[0].min(low), range[1].max(high)];
                        }
                    }
                    heights.push(range);
                }
            }
            levels.push(Level { columns: more_columns, heights });
            (rows, columns) = (more_rows, more_columns);
        }
        Self { levels }
    }

    /// The level whose only block is the whole grid; that of cells is 0.
    pub fn top(&self) -> usize {
        self.levels.len()
    }

    /// The lowest and highest height of a block of a level above 0, m.
    pub fn heights(&self, level: usize, row: usize, column: usize) -> [f64; 2] {
        let level = &self.levels[level - 1];
        level.heights[row * level.columns + column]
    }
}
