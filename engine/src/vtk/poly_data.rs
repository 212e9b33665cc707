//! Files of the type `PolyData` (`.vtp`): points, triangles or single points as cells, and numbers on both.
//!
//! The format is that of the VTK File Formats chapter of the VTK User's Guide: XML, with each array in line as
//! base64 of its length in bytes (u32) and its little-endian numbers. Numbers keep all their bits.

use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use glam::DVec3;

/// The numbers of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// One number each.
    Scalars(Vec<f64>),
    /// Three numbers each.
    Vectors(Vec<DVec3>),
    /// One whole number each.
    Numbers(Vec<i32>),
}

/// Numbers on the points or cells, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The name that ParaView shows.
    pub name: &'static str,
    /// One entry for each point or cell.
    pub values: Values,
}

impl Array {
    /// One number each.
    pub fn scalars(name: &'static str, values: Vec<f64>) -> Self {
        Self { name, values: Values::Scalars(values) }
    }

    /// Three numbers each.
    pub fn vectors(name: &'static str, values: Vec<DVec3>) -> Self {
        Self { name, values: Values::Vectors(values) }
    }

    /// One whole number each.
    pub fn numbers(name: &'static str, values: Vec<i32>) -> Self {
        Self { name, values: Values::Numbers(values) }
    }
}

/// What the cells are.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Each point by itself.
    Points,
    /// Triangles by the numbers of their points.
    Triangles(Vec<[i32; 3]>),
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyData {
    /// m, world frame.
    pub points: Vec<DVec3>,
    /// The cells.
    pub cells: Cells,
    /// Arrays with one entry for each point.
    pub point_data: Vec<Array>,
    /// Arrays with one entry for each cell.
    pub cell_data: Vec<Array>,
}

impl PolyData {
    /// Writes the file.
    ///
    /// # Errors
    /// Those of the output; [`io::ErrorKind::InvalidInput`] for an array that is too large for the format, 4 GiB.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let (verts, polys) = match &self.cells {
            Cells::Points => (self.points.len(), 0),
            Cells::Triangles(triangles) => (0, triangles.len()),
        };
        let out = &mut out;
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(
            out,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">"
        )?;
        writeln!(out, "<PolyData>")?;
        let points = self.points.len();
        writeln!(
            out,
            "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" \
             NumberOfPolys=\"{polys}\">"
        )?;
        arrays(out, "PointData", &self.point_data)?;
        arrays(out, "CellData", &self.cell_data)?;
        arrays(out, "Points", &[Array::vectors("Points", self.points.clone())])?;
        match &self.cells {
            Cells::Points => cells(out, "Verts", (0..).take(points).collect(), 1)?,
            Cells::Triangles(triangles) => cells(out, "Polys", triangles.concat(), 3)?,
        }
        writeln!(out, "</Piece>")?;
        writeln!(out, "</PolyData>")?;
        writeln!(out, "</VTKFile>")?;
        out.flush()
    }
}

fn arrays(out: &mut impl Write, element: &str, arrays: &[Array]) -> io::Result<()> {
    writeln!(out, "<{element}>")?;
    for Array { name, values } in arrays {
        match values {
            Values::Scalars(x) => array(out, "Float64", name, 1, x.iter().map(|x| x.to_le_bytes()))?,
            Values::Vectors(v) => {
                let numbers = v.iter().flat_map(DVec3::to_array).map(f64::to_le_bytes);
                array(out, "Float64", name, 3, numbers)?;
            }
            Values::Numbers(n) => array(out, "Int32", name, 1, n.iter().map(|n| n.to_le_bytes()))?,
        }
    }
    writeln!(out, "</{element}>")
}

/// Cells of `size` points each: their points one after the other, and where each cell ends.
fn cells(out: &mut impl Write, element: &str, connectivity: Vec<i32>, size: usize) -> io::Result<()> {
    let offsets = (1..).take(connectivity.len() / size).map(|cell: i32| cell * size as i32).collect();
    arrays(out, element, &[Array::numbers("connectivity", connectivity), Array::numbers("offsets", offsets)])
}

fn array<const N: usize>(
    out: &mut impl Write,
    kind: &str,
    name: &str,
    components: usize,
    numbers: impl Iterator<Item = [u8; N]> + Clone,
) -> io::Result<()> {
    writeln!(out, "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">")?;
    let length = u32::try_from(numbers.clone().count() * N)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("the array {name} is too large")))?;
    // Length and numbers are one piece of base64.
    let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
    encoder.write_all(&length.to_le_bytes())?;
    for number in numbers {
        encoder.write_all(&number)?;
    }
    encoder.finish()?;
    drop(encoder);
    writeln!(out, "\n</DataArray>")
}
