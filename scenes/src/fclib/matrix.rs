//! Sparse matrices, and how FCLIB stores them.
//!
//! A group has the sizes m and n, the number nz, the indices p and i and the entries x. nz tells the form: −1 compressed columns
//! (p: where each column starts, i: rows), −2 compressed rows (p: where each row starts, i: columns), otherwise so many triplets, of which
//! p has the columns and i the rows. Entries of one place add up.

use std::ops::Range;

use super::error::FclibFault;
use super::file::{Group, finite};
use drystone_contact::sorting::CompactSort;

/// A matrix by columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    /// Where each column starts in `entries`; one more than there are columns.
    starts: Vec<usize>,
    /// Row and value, by columns, rows ascending.
    entries: Vec<(usize, f64)>,
}

impl Matrix {
    /// A matrix from entries (row, column, value) within its sizes, in any order; those of one place add up in the order given.
    pub fn new(rows: usize, columns: usize, mut entries: Vec<(usize, usize, f64)>) -> Self {
        entries.compact_sort_by_key(|&(row, column, _)| (column, row));
        let mut sums: Vec<(usize, usize, f64)> = Vec::with_capacity(entries.len());
        for (row, column, value) in entries {
            match sums.last_mut() {
                Some(last) if (last.0, last.1) == (row, column) => last.2 += value,
                // Of zeros the positive one.
                _ => sums.push((row, column, 0.0 + value)),
            }
        }
        let starts = (0..=columns).map(|column| sums.partition_point(|entry| entry.1 < column)).collect();
        Self { rows, starts, entries: sums.into_iter().map(|(row, _, value)| (row, value)).collect() }
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows and values of a column.
    pub fn column(&self, column: usize) -> &[(usize, f64)] {
        &self.entries[self.starts[column]..self.starts[column + 1]]
    }

    /// All entries: row, column, value.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        (0..self.columns()).flat_map(|column| self.column(column).iter().map(move |&(row, value)| (row, column, value)))
    }

    /// The transpose.
    pub fn transposed(&self) -> Self {
        Self::new(self.columns(), self.rows, self.entries().map(|(row, column, value)| (column, row, value)).collect())
    }

    /// The largest entry in magnitude.
    pub fn largest(&self) -> f64 {
        self.entries.iter().fold(0.0, |largest, (_, value)| value.abs().max(largest))
    }

    /// max |A − Aᵀ| / max |A|, of a square matrix; zero for zero.
    pub fn asymmetry(&self) -> f64 {
        let mirrored =
            self.transposed().entries().map(|(row, column, value)| (row, column, -value)).collect::<Vec<_>>();
        let skew = Self::new(self.rows, self.columns(), self.entries().chain(mirrored).collect()).largest();
        if skew == 0.0 { 0.0 } else { skew / self.largest() }
    }

    /// Reads a matrix whose sizes are known from vectors. Sizes are compared before any memory is taken.
    pub fn read(group: &Group<'_>, (rows, columns): (usize, usize), reason: &'static str) -> Result<Self, FclibFault> {
        for (name, expected) in [("m", rows), ("n", columns)] {
            let found = group.integer(name)?;
            if usize::try_from(found) != Ok(expected) {
                return Err(FclibFault::Size { name: group.name(name), found, expected, reason });
            }
        }
        let (p, i, x) = (group.integers("p")?, group.integers("i")?, group.floats("x")?);
        finite(&group.name("x"), &x)?;
        let form = group.integer("nz")?;
        let known = |name: &str, values: &[i64], range: Range<usize>| indices(group.name(name), values, range);
        let entries: Vec<(usize, usize, f64)> = match form {
            -1 | -2 => {
                let (along, across) = if form == -1 { (columns, rows) } else { (rows, columns) };
                group.check_size("p", p.len(), along + 1, "the size of the matrix and a last end")?;
                let starts = known("p", &p, 0..i.len().min(x.len()) + 1)?;
                if starts.windows(2).any(|pair| pair[0] > pair[1]) {
                    return Err(group.unusable("the starts in p must ascend; the file is damaged or no file of FCLIB"));
                }
                let others = known("i", &i, 0..across)?;
                let along = (0..along).flat_map(|k| (starts[k]..starts[k + 1]).map(move |entry| (k, entry)));
                along
                    .map(|(k, entry)| {
                        let (row, column) = if form == -1 { (others[entry], k) } else { (k, others[entry]) };
                        (row, column, x[entry])
                    })
                    .collect()
            }
            _ => {
                let count = usize::try_from(form).ok().filter(|count| *count <= p.len().min(i.len()).min(x.len()));
                let count = count.ok_or_else(|| {
                    group.unusable("nz must be -1 (columns), -2 (rows) or a number of triplets that p, i and x have")
                })?;
                let (of_columns, of_rows) = (known("p", &p[..count], 0..columns)?, known("i", &i[..count], 0..rows)?);
                of_rows.into_iter().zip(of_columns).zip(x).map(|((row, column), value)| (row, column, value)).collect()
            }
        };
        Ok(Self::new(rows, columns, entries))
    }
}

/// Numbers as indices within a range.
fn indices(name: String, values: &[i64], range: Range<usize>) -> Result<Vec<usize>, FclibFault> {
    let index = |value: &i64| usize::try_from(*value).ok().filter(|value| range.contains(value));
    match values.iter().position(|value| index(value).is_none()) {
        Some(place) => {
            let allowed = "it must lie within the sizes of the matrix";
            Err(FclibFault::Value { name, index: place, value: values[place] as f64, allowed })
        }
        None => Ok(values.iter().filter_map(index).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_one_place_add_up_and_asymmetry_is_seen() {
        let matrix = Matrix::new(2, 2, vec![(1, 0, 2.0), (0, 0, 1.0), (0, 0, 3.0), (0, 1, -0.0), (1, 1, 4.0)]);
        assert_eq!(matrix.column(0), [(0, 4.0), (1, 2.0)]);
        assert!(matrix.column(1)[0].1.is_sign_positive());
        assert_eq!(matrix.asymmetry(), 0.5);
        assert_eq!(matrix.transposed().transposed(), matrix);
        assert_eq!(Matrix::new(2, 2, Vec::new()).asymmetry(), 0.0);
    }
}
