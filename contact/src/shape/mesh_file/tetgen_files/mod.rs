//! TetGen files: `.node` (vertices), `.ele` (tetrahedra) and `.face` (triangles) of one stem.
//!
//! - Any of the three names the mesh; `.node` must exist, and at least one of the others.
//! - Indices count from 0 or from 1, as the first node does, and go up by one from row to row.
//! - `#` starts a comment. Attributes and boundary markers are checked to be there and are otherwise ignored, as are
//!   columns that TetGen adds behind the marker of a face.
//! - Tetrahedra of ten nodes (second order) are refused.
//!
//! Faces are read as they stand: `-f` makes TetGen write the inner ones too, and their corner order is TetGen's.
//! Format: TetGen manual, chapter "File Formats".

use std::path::Path;

use glam::DVec3;

use super::error::{MeshFileError, Problem};
use super::text::{Layout, Row, Rows, plausible_count};
#[cfg(feature = "mesh-files")]
use super::write_bytes;
use super::{MeshFile, read_bytes, vertex_index};

const LAYOUT: Layout = Layout { comments: true, continuation: false };

/// The least a row takes, bytes: its index and three fields, with gaps.
const LEAST_ROW: usize = 7;

/// The vertices and the index of the first, 0 or 1.
struct Nodes {
    vertices: Vec<DVec3>,
    base: u64,
}

/// Reads the mesh that any of the three files belongs to.
///
/// # Errors
/// As [`parse`], with the path of the file concerned; when `.node` or both others are missing, or a file cannot be
/// read.
pub fn read(path: impl AsRef<Path>) -> Result<MeshFile, MeshFileError> {
    let path = path.as_ref();
    let node_path = path.with_extension("node");
    let nodes = Nodes::parse(&read_bytes(&node_path)?).map_err(|error| error.of_path(&node_path))?;
    let mut mesh = MeshFile { vertices: Vec::new(), triangles: Vec::new(), tetrahedra: Vec::new() };
    let tetrahedron_path = path.with_extension("ele");
    if tetrahedron_path.exists() {
        let bytes = read_bytes(&tetrahedron_path)?;
        mesh.tetrahedra = nodes.tetrahedra(&bytes).map_err(|error| error.of_path(&tetrahedron_path))?;
    }
    let face_path = path.with_extension("face");
    if face_path.exists() {
        mesh.triangles = nodes.triangles(&read_bytes(&face_path)?).map_err(|error| error.of_path(&face_path))?;
    }
    mesh.vertices = nodes.vertices;
    mesh.not_empty().map_err(|error| error.of_path(path))
}

/// Reads a mesh from the bytes of its files.
///
/// # Errors
/// Names the file by its extension and the line of a malformed row, a number that is not finite, an index that is out
/// of order or range, or a count that the file does not keep; says when there are no elements.
pub fn parse(node: &[u8], ele: Option<&[u8]>, face: Option<&[u8]>) -> Result<MeshFile, MeshFileError> {
    let nodes = Nodes::parse(node).map_err(|error| error.of_path(Path::new(".node")))?;
    let tetrahedra = ele.map_or(Ok(Vec::new()), |bytes| nodes.tetrahedra(bytes));
    let tetrahedra = tetrahedra.map_err(|error| error.of_path(Path::new(".ele")))?;
    let triangles = face.map_or(Ok(Vec::new()), |bytes| nodes.triangles(bytes));
    let triangles = triangles.map_err(|error| error.of_path(Path::new(".face")))?;
    MeshFile { vertices: nodes.vertices, triangles, tetrahedra }.not_empty()
}

impl Nodes {
    fn parse(bytes: &[u8]) -> Result<Self, MeshFileError> {
        let mut rows = Rows::new(bytes, LAYOUT);
        let mut header = rows.expect_row("the number of nodes")?;
        let count = row_count(&mut header, &rows, "nodes")?;
        let dimension = optional_size(&mut header, "the dimension", 3)?;
        let attributes = optional_size(&mut header, "the number of attributes", 0)?;
        let markers = optional_size(&mut header, "the number of boundary markers", 0)?;
        header.end()?;
        if dimension != 3 {
            let what = format!("nodes of dimension {dimension}");
            return Err(header.fail(Problem::Unsupported { what, cure: "give three coordinates for each node" }));
        }
        let mut base = 0;
        let mut vertices = Vec::with_capacity(count);
        for number in 0..count {
            let mut row = next_row(&mut rows, "nodes", count, number)?;
            let index = row.clone().size("the index of the node")?;
            if number == 0 {
                base = index.min(1);
            }
            expect_index(&mut row, base + number as u64)?;
            let x = row.real("the x coordinate")?;
            let y = row.real("the y coordinate")?;
            vertices.push(DVec3::new(x, y, row.real("the z coordinate")?));
            skip_numbers(&mut row, attributes, "an attribute")?;
            skip_numbers(&mut row, markers, "the boundary marker")?;
            row.end()?;
        }
        expect_end(&mut rows, "nodes", count)?;
        Ok(Self { vertices, base })
    }

    fn tetrahedra(&self, bytes: &[u8]) -> Result<Vec<[u32; 4]>, MeshFileError> {
        let mut rows = Rows::new(bytes, LAYOUT);
        let mut header = rows.expect_row("the number of tetrahedra")?;
        let count = row_count(&mut header, &rows, "tetrahedra")?;
        let corners = optional_size(&mut header, "the number of nodes of each tetrahedron", 4)?;
        let attributes = optional_size(&mut header, "the number of attributes", 0)?;
        header.end()?;
        if corners != 4 {
            let what = format!("tetrahedra of {corners} nodes");
            let cure = "make tetrahedra of first order, of 4 nodes (leave out -o2)";
            return Err(header.fail(Problem::Unsupported { what, cure }));
        }
        self.elements(&mut rows, "tetrahedra", count, |row| {
            skip_numbers(row, attributes, "an attribute")?;
            row.end()
        })
    }

    fn triangles(&self, bytes: &[u8]) -> Result<Vec<[u32; 3]>, MeshFileError> {
        let mut rows = Rows::new(bytes, LAYOUT);
        let mut header = rows.expect_row("the number of faces")?;
        let count = row_count(&mut header, &rows, "faces")?;
        let markers = optional_size(&mut header, "the number of boundary markers", 0)?;
        header.end()?;
        self.elements(&mut rows, "faces", count, |row| {
            skip_numbers(row, markers, "the boundary marker")?;
            while row.clone().token().is_some() {
                row.integer("a column behind the boundary marker")?;
            }
            Ok(())
        })
    }

    /// Reads rows of an index and corners, each followed by what `tail` takes.
    fn elements<const N: usize>(
        &self,
        rows: &mut Rows<'_>,
        what: &str,
        count: usize,
        tail: impl Fn(&mut Row<'_>) -> Result<(), MeshFileError>,
    ) -> Result<Vec<[u32; N]>, MeshFileError> {
        let mut elements = Vec::with_capacity(count);
        for number in 0..count {
            let mut row = next_row(rows, what, count, number)?;
            expect_index(&mut row, self.base + number as u64)?;
            let mut element = [0; N];
            for corner in &mut element {
                *corner = self.corner(&mut row)?;
            }
            tail(&mut row)?;
            elements.push(element);
        }
        expect_end(rows, what, count)?;
        Ok(elements)
    }

    fn corner(&self, row: &mut Row<'_>) -> Result<u32, MeshFileError> {
        let stated = row.integer("a node of the element")?;
        let index = i128::from(stated) - i128::from(self.base);
        vertex_index(index, self.vertices.len()).ok_or_else(|| {
            row.fail(Problem::Index {
                what: "the element".to_owned(),
                index: stated.into(),
                vertices: self.vertices.len(),
                known: format!("numbered from {}", self.base),
            })
        })
    }
}

/// The count that heads a file, refused when the file cannot hold so many rows.
fn row_count(header: &mut Row<'_>, rows: &Rows<'_>, what: &str) -> Result<usize, MeshFileError> {
    let declared = header.size(&format!("the number of {what}"))?;
    plausible_count(what, declared, rows.rest().len(), LEAST_ROW).map_err(|problem| header.fail(problem))
}

fn optional_size(header: &mut Row<'_>, what: &str, absent: u64) -> Result<u64, MeshFileError> {
    if header.clone().token().is_none() { Ok(absent) } else { header.size(what) }
}

fn next_row<'a>(rows: &mut Rows<'a>, what: &str, count: usize, number: usize) -> Result<Row<'a>, MeshFileError> {
    rows.expect_row("").map_err(|end| MeshFileError {
        problem: Box::new(Problem::Count { what: what.to_owned(), declared: count as i128, found: number.to_string() }),
        ..end
    })
}

fn expect_index(row: &mut Row<'_>, expected: u64) -> Result<(), MeshFileError> {
    let found = row.size("the index of the row")?;
    if found == expected {
        return Ok(());
    }
    let expected = format!("the row of index {expected} (indices go up by one from the first node's, which is 0 or 1)");
    Err(row.fail(Problem::Syntax { expected, found: format!("index {found}") }))
}

fn skip_numbers(row: &mut Row<'_>, count: u64, what: &str) -> Result<(), MeshFileError> {
    (0..count).try_for_each(|_| row.real(what).map(drop))
}

fn expect_end(rows: &mut Rows<'_>, what: &str, count: usize) -> Result<(), MeshFileError> {
    rows.next_row().map_or(Ok(()), |row| {
        let found = "more".to_owned();
        Err(row.fail(Problem::Count { what: what.to_owned(), declared: count as i128, found }))
    })
}

/// A mesh as TetGen files, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TetGenFiles {
    /// The `.node` file.
    pub node: Vec<u8>,
    /// The `.ele` file, with no rows where the mesh has no tetrahedra.
    pub ele: Vec<u8>,
    /// The `.face` file, with no rows where the mesh has no triangles.
    pub face: Vec<u8>,
}

/// The three files that hold the mesh; coordinates are written so that they read back to the same bits.
///
/// # Errors
/// Refuses a mesh without elements or with bad indices or coordinates.
pub fn encode(mesh: &MeshFile) -> Result<TetGenFiles, MeshFileError> {
    mesh.check()?;
    if mesh.triangles.is_empty() && mesh.tetrahedra.is_empty() {
        return Err(MeshFileError::whole(Problem::Empty));
    }
    let mut node = format!("{} 3 0 0\n", mesh.vertices.len());
    for (index, DVec3 { x, y, z }) in (1..).zip(&mesh.vertices) {
        node.push_str(&format!("{index} {x:?} {y:?} {z:?}\n"));
    }
    let ele = format!("{} 4 0\n{}", mesh.tetrahedra.len(), element_rows(&mesh.tetrahedra));
    let face = format!("{} 0\n{}", mesh.triangles.len(), element_rows(&mesh.triangles));
    Ok(TetGenFiles { node: node.into_bytes(), ele: ele.into_bytes(), face: face.into_bytes() })
}

fn element_rows<const N: usize>(elements: &[[u32; N]]) -> String {
    let row = |(index, element): (usize, &[u32; N])| {
        let corners: String = element.iter().map(|&corner| format!(" {}", u64::from(corner) + 1)).collect();
        format!("{index}{corners}\n")
    };
    (1..).zip(elements).map(row).collect()
}

/// Writes the three files of the mesh, whichever of them the path names, so that no older one of the same stem is
/// taken for a part of it. Each file appears whole or not at all, the elements before the nodes.
///
/// # Errors
/// As [`encode`], and when a file cannot be written.
#[cfg(feature = "mesh-files")]
pub fn write(path: impl AsRef<Path>, mesh: &MeshFile) -> Result<(), MeshFileError> {
    let path = path.as_ref();
    let files = encode(mesh).map_err(|error| error.of_path(path))?;
    write_bytes(&path.with_extension("ele"), &files.ele)?;
    write_bytes(&path.with_extension("face"), &files.face)?;
    write_bytes(&path.with_extension("node"), &files.node)
}

#[cfg(test)]
mod tests;
