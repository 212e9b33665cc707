//! TetGen's files: a surface out (`.poly`), vertices and tetrahedra in (`.node`, `.ele`).

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use glam::DVec3;
use thiserror::Error;

use super::surface::Surface;

/// What is wrong with a file that TetGen wrote.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// The file's name.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not what the format asks for.
    #[error("{file}, line {line}: expected {expected}")]
    Line {
        /// The file's name.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What should be there.
        expected: String,
    },
    /// The file ends too early.
    #[error("{file} ends after {found} of {expected} rows: the file is truncated")]
    Truncated {
        /// The file's name.
        file: String,
        /// The rows found.
        found: usize,
        /// The rows that its first line announces.
        expected: usize,
    },
}

/// Writes a surface as a piecewise linear complex with one facet per triangle, indices from 0, no holes or regions.
pub(super) fn write_surface(surface: &Surface, path: &Path) -> io::Result<()> {
    let mut text = format!("{} 3 0 0\n", surface.vertices().len());
    for (index, p) in surface.vertices().iter().enumerate() {
        // Display prints the shortest digits that read back as the same number.
        let _ = writeln!(text, "{index} {} {} {}", p.x, p.y, p.z);
    }
    let _ = writeln!(text, "{} 0", surface.triangles().len());
    for [a, b, c] in surface.triangles() {
        let _ = writeln!(text, "1\n3 {a} {b} {c}");
    }
    text += "0\n0\n";
    fs::write(path, text)
}

/// The vertices of a `.node` file, and the index of the first.
pub(super) fn read_vertices(path: &Path) -> Result<(Vec<DVec3>, u32), OutputError> {
    let table = Table::read(path)?;
    let mut first_index = 0;
    let mut vertices = Vec::with_capacity(table.rows.len());
    for (row, fields) in table.rows.iter().enumerate() {
        let expected = "a vertex: index, x, y, z";
        let index: u32 = table.field(row, fields, 0, expected)?;
        if row == 0 {
            first_index = index;
        }
        let [x, y, z] = [1, 2, 3].map(|k| table.field::<f64>(row, fields, k, expected));
        vertices.push(DVec3::new(x?, y?, z?));
    }
    Ok((vertices, first_index))
}

/// The tetrahedra of an `.ele` file, as vertex indices that count from 0.
pub(super) fn read_tetrahedra(path: &Path, first_index: u32, vertices: usize) -> Result<Vec<[u32; 4]>, OutputError> {
    let table = Table::read(path)?;
    let mut tetrahedra = Vec::with_capacity(table.rows.len());
    for (row, fields) in table.rows.iter().enumerate() {
        let expected = format!("a tetrahedron: index and four of the {vertices} vertices");
        let corner = |k: usize| {
            let index: u32 = table.field(row, fields, k, &expected)?;
            match index.checked_sub(first_index) {
                Some(vertex) if (vertex as usize) < vertices => Ok(vertex),
                _ => Err(table.wrong(row, &expected)),
            }
        };
        tetrahedra.push([corner(1)?, corner(2)?, corner(3)?, corner(4)?]);
    }
    Ok(tetrahedra)
}

/// The rows of a file after its first line, which announces their number; comments and empty lines left out.
struct Table {
    file: String,
    rows: Vec<Vec<String>>,
    lines: Vec<usize>,
}

impl Table {
    fn read(path: &Path) -> Result<Self, OutputError> {
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let text = fs::read_to_string(path).map_err(|source| OutputError::Read { file: file.clone(), source })?;
        let mut content = (1..)
            .zip(text.lines())
            .map(|(line, text)| (line, text.split('#').next().unwrap_or_default().split_whitespace()))
            .map(|(line, fields)| (line, fields.map(str::to_owned).collect::<Vec<_>>()))
            .filter(|(_, fields)| !fields.is_empty());
        let (line, header) = content.next().unwrap_or((1, Vec::new()));
        let Some(expected) = header.first().and_then(|field| field.parse::<usize>().ok()) else {
            return Err(OutputError::Line { file, line, expected: "the number of rows".to_owned() });
        };
        let (lines, rows): (Vec<_>, Vec<_>) = content.take(expected).unzip();
        if rows.len() < expected {
            return Err(OutputError::Truncated { file, found: rows.len(), expected });
        }
        Ok(Self { file, rows, lines })
    }

    fn field<T: std::str::FromStr>(
        &self,
        row: usize,
        fields: &[String],
        k: usize,
        expected: &str,
    ) -> Result<T, OutputError> {
        fields.get(k).and_then(|field| field.parse().ok()).ok_or_else(|| self.wrong(row, expected))
    }

    fn wrong(&self, row: usize, expected: &str) -> OutputError {
        let line = self.lines.get(row).copied().unwrap_or_default();
        OutputError::Line { file: self.file.clone(), line, expected: expected.to_owned() }
    }
}
