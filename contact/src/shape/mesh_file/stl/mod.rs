//! STL (.stl): facets with their own copies of their vertices, as text or as binary 32-bit numbers.
//!
//! - The content tells text from binary: a file as long as its binary facet count asks is binary, even when it begins
//!   with `solid`; else one that begins with `solid` is text when `facet` or `endsolid` starts its second row; all
//!   others are binary.
//! - Vertices are welded, see [`WeldSettings`], and numbered by first use. Facet normals are ignored, the corner order
//!   counts; in text they must still be numbers.
//! - A facet whose corners weld to one vertex is refused, or dropped where the settings ask for it. Dropping closes no
//!   hole and opens none.
//! - Several solids in one text file become one mesh.

mod weld;

use std::path::Path;

use glam::DVec3;

use super::error::{Location, MeshFileError, Problem, quote};
use super::text::{Layout, Row, Rows};
use super::{MeshFile, read_bytes};
use weld::Weld;

/// How the loose facets of an STL file become a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeldSettings {
    /// Vertices join the earliest vertex no farther than this, m; finite and ≥ 0. At 0, the default, only vertices
    /// with equal coordinates join.
    pub weld_distance: f64,
    /// What happens to a facet with two corners at one vertex.
    pub degenerate_facets: DegenerateFacets,
}

/// What happens to a facet with two corners at one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DegenerateFacets {
    /// It is an error that names the facet.
    #[default]
    Refuse,
    /// It is left out.
    Drop,
}

/// Length of the free text that starts a binary file, bytes.
const HEADER: usize = 80;
/// Length of a binary file before its first facet, bytes.
const PREAMBLE: usize = HEADER + 4;
/// Length of a binary facet: a normal, three vertices, and two bytes of attributes.
const FACET: usize = 50;
/// Length of the normal that starts a binary facet, bytes.
const NORMAL: usize = 12;

/// Reads the STL file at a path, by settings.
///
/// # Errors
/// As [`parse`], and when the file cannot be read.
pub fn read(path: impl AsRef<Path>, settings: &WeldSettings) -> Result<MeshFile, MeshFileError> {
    let path = path.as_ref();
    parse(&read_bytes(path)?, settings).map_err(|error| error.of_path(path))
}

/// Reads the bytes of an STL file.
///
/// # Errors
/// Names the line or byte of the first malformed statement, number that is not finite, degenerate facet, or the end
/// of a file cut short; says when there are no facets or when the weld distance is out of range.
pub fn parse(bytes: &[u8], settings: &WeldSettings) -> Result<MeshFile, MeshFileError> {
    let found = settings.weld_distance;
    if !(found.is_finite() && found >= 0.0) {
        let problem = Problem::Setting { name: "weld_distance", range: "finite and at least 0 m", found };
        return Err(MeshFileError::whole(problem));
    }
    let mut facets = Facets::new(settings);
    if is_text(bytes) { facets.read_text(bytes) } else { facets.read_binary(bytes) }?;
    MeshFile { vertices: facets.weld.vertices, triangles: facets.triangles, tetrahedra: Vec::new() }.not_empty()
}

fn is_text(bytes: &[u8]) -> bool {
    if binary_length(bytes) == Some(bytes.len() as u64) {
        return false;
    }
    let mut rows = Rows::new(bytes, Layout::default());
    let mut starts = |words: &[&str]| {
        let word = rows.next_row().and_then(|mut row| row.token()).unwrap_or_default();
        words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    };
    starts(&["solid"]) && starts(&["facet", "endsolid"])
}

/// The length that the facet count of a binary file asks for, bytes.
fn binary_length(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(HEADER..)?.first_chunk()?;
    Some(PREAMBLE as u64 + FACET as u64 * u64::from(u32::from_le_bytes(*count)))
}

/// The facets read so far.
struct Facets {
    weld: Weld,
    degenerate: DegenerateFacets,
    triangles: Vec<[u32; 3]>,
    /// How many facets were read, dropped ones included.
    count: u64,
}

impl Facets {
    fn new(settings: &WeldSettings) -> Self {
        let weld = Weld::new(settings.weld_distance);
        Self { weld, degenerate: settings.degenerate_facets, triangles: Vec::new(), count: 0 }
    }

    fn add(&mut self, corners: [DVec3; 3]) -> Result<(), Problem> {
        self.count += 1;
        let mut triangle = [0; 3];
        for (index, corner) in triangle.iter_mut().zip(corners) {
            *index = self.weld.index(corner).ok_or_else(|| Problem::Unsupported {
                what: "a mesh of more than 2³² vertices".to_owned(),
                cure: "split the mesh",
            })?;
        }
        match [(0, 1), (1, 2), (0, 2)].into_iter().find(|&(a, b)| triangle[a] == triangle[b]) {
            None => self.triangles.push(triangle),
            Some((a, b)) if self.degenerate == DegenerateFacets::Refuse => {
                return Err(Problem::DegenerateFacet { facet: self.count, first: a + 1, second: b + 1 });
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn read_binary(&mut self, bytes: &[u8]) -> Result<(), MeshFileError> {
        let end = Location::Byte(bytes.len() as u64);
        let Some(length) = binary_length(bytes) else {
            let expected = format!("an STL file: text after `solid`, or {PREAMBLE} bytes and binary facets");
            let found = format!("the end of the file after {} bytes", bytes.len());
            return Err(MeshFileError::at(end, Problem::Syntax { expected, found }));
        };
        let (facets, loose_end) = bytes[PREAMBLE..].as_chunks::<FACET>();
        if length != bytes.len() as u64 {
            let declared = i128::from((length - PREAMBLE as u64) / FACET as u64);
            let found = match loose_end.len() {
                0 => format!("{}", facets.len()),
                loose => format!("{} and {loose} bytes", facets.len()),
            };
            let problem = Problem::Count { what: "binary STL facets".to_owned(), declared, found };
            return Err(MeshFileError::at(end, problem));
        }
        self.triangles.reserve(facets.len());
        for (number, facet) in facets.iter().enumerate() {
            let start = PREAMBLE + FACET * number;
            let mut corners = [[0.0; 3]; 3];
            let fields = facet[NORMAL..].as_chunks::<4>().0;
            for (at, (coordinate, field)) in corners.as_flattened_mut().iter_mut().zip(fields).enumerate() {
                let value = f32::from_le_bytes(*field);
                if !value.is_finite() {
                    let what = format!("each coordinate of facet {}", number + 1);
                    let place = Location::Byte((start + NORMAL + 4 * at) as u64);
                    return Err(MeshFileError::at(place, Problem::Number { what, found: value.to_string() }));
                }
                *coordinate = f64::from(value);
            }
            self.add(corners.map(DVec3::from_array))
                .map_err(|problem| MeshFileError::at(Location::Byte(start as u64), problem))?;
        }
        Ok(())
    }

    fn read_text(&mut self, bytes: &[u8]) -> Result<(), MeshFileError> {
        let mut rows = Rows::new(bytes, Layout::default());
        while let Some(mut row) = rows.next_row() {
            // The name after `solid` and `endsolid` is free text.
            keyword(&mut row, "solid")?;
            loop {
                let mut row = rows.expect_row("`facet normal` or `endsolid`")?;
                let first = row.token().unwrap_or_default();
                if first.eq_ignore_ascii_case(b"endsolid") {
                    break;
                }
                if !first.eq_ignore_ascii_case(b"facet") {
                    return Err(unexpected(&row, "`facet normal` or `endsolid`", first));
                }
                self.read_text_facet(row, &mut rows)?;
            }
        }
        Ok(())
    }

    fn read_text_facet(&mut self, mut facet: Row<'_>, rows: &mut Rows<'_>) -> Result<(), MeshFileError> {
        keyword(&mut facet, "normal")?;
        for _ in 0..3 {
            let component = facet.expect_token("a component of the normal")?;
            // Not a number is the usual normal of a sliver.
            if std::str::from_utf8(component).ok().and_then(|text| text.parse::<f64>().ok()).is_none() {
                return Err(unexpected(&facet, "a number as a component of the normal", component));
            }
        }
        facet.end()?;
        statement(rows, &["outer", "loop"])?;
        let mut corners = [DVec3::ZERO; 3];
        for corner in &mut corners {
            let mut row = rows.expect_row("`vertex`")?;
            keyword(&mut row, "vertex")?;
            for (at, name) in ["the x coordinate", "the y coordinate", "the z coordinate"].iter().enumerate() {
                corner[at] = row.real(name)?;
            }
            row.end()?;
        }
        statement(rows, &["endloop"])?;
        statement(rows, &["endfacet"])?;
        self.add(corners).map_err(|problem| facet.fail(problem))
    }
}

fn unexpected(row: &Row<'_>, expected: &str, found: &[u8]) -> MeshFileError {
    row.fail(Problem::Syntax { expected: expected.to_owned(), found: format!("`{}`", quote(found)) })
}

fn keyword(row: &mut Row<'_>, word: &str) -> Result<(), MeshFileError> {
    let expected = format!("`{word}`");
    let token = row.expect_token(&expected)?;
    if token.eq_ignore_ascii_case(word.as_bytes()) { Ok(()) } else { Err(unexpected(row, &expected, token)) }
}

/// A row of fixed words.
fn statement(rows: &mut Rows<'_>, words: &[&str]) -> Result<(), MeshFileError> {
    let mut row = rows.expect_row(&format!("`{}`", words.join(" ")))?;
    words.iter().try_for_each(|word| keyword(&mut row, word))?;
    row.end()
}

/// The bytes of a text STL file that holds the mesh; coordinates are written so that they read back to the same bits.
///
/// # Errors
/// Refuses a mesh with tetrahedra, without triangles, or with bad indices or coordinates.
pub fn encode_text(mesh: &MeshFile) -> Result<Vec<u8>, MeshFileError> {
    let mut text = String::from("solid\n");
    for corners in facets(mesh)? {
        let DVec3 { x, y, z } = normal(corners);
        text.push_str(&format!("facet normal {x:?} {y:?} {z:?}\nouter loop\n"));
        for DVec3 { x, y, z } in corners {
            text.push_str(&format!("vertex {x:?} {y:?} {z:?}\n"));
        }
        text.push_str("endloop\nendfacet\n");
    }
    text.push_str("endsolid\n");
    Ok(text.into_bytes())
}

/// The bytes of a binary STL file that holds the mesh, its coordinates rounded to 32 bits.
///
/// # Errors
/// As [`encode_text`], and when a coordinate or the number of triangles is beyond 32 bits.
pub fn encode_binary(mesh: &MeshFile) -> Result<Vec<u8>, MeshFileError> {
    let facets = facets(mesh)?;
    let cannot_hold = |what: &str| {
        let cure = "write the text form or another format";
        Problem::CannotHold { format: "binary STL", what: what.to_owned(), cure }
    };
    let count = u32::try_from(mesh.triangles.len())
        .map_err(|_| MeshFileError::whole(cannot_hold("more than 2³² − 1 triangles")))?;
    let mut bytes = vec![0; HEADER];
    bytes.extend(count.to_le_bytes());
    for (number, corners) in (0..).zip(facets) {
        for vector in [normal(corners)].into_iter().chain(corners) {
            for coordinate in vector.to_array().map(|coordinate| coordinate as f32) {
                if !coordinate.is_finite() {
                    let problem = cannot_hold("a coordinate beyond the range of 32 bits");
                    return Err(MeshFileError::at(Location::Triangle(number), problem));
                }
                bytes.extend(coordinate.to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    Ok(bytes)
}

/// The corners of all triangles.
fn facets(mesh: &MeshFile) -> Result<impl Iterator<Item = [DVec3; 3]>, MeshFileError> {
    mesh.check()?;
    mesh.only_triangles("STL")?;
    Ok(mesh.triangles.iter().map(|triangle| triangle.map(|index| mesh.vertices[index as usize])))
}

/// The unit normal by the corner order; zero for a sliver, as the format advises for a normal not known.
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

#[cfg(test)]
mod tests;
