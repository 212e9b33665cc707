//! Gmsh (.msh), versions 2.2 and 4.1, text and binary of either byte order.
//!
//! - Triangles (element type 2) and tetrahedra (type 4) are read; points and lines (15 and 1) are skipped; any other
//!   element is refused by name, those of second order among them.
//! - Nodes are numbered in the order of the file, whatever their tags; each tag may occur once.
//! - `$Nodes` comes before `$Elements`, each once. Other sections are skipped.
//!
//! Format: Gmsh reference manual, chapter "Gmsh file formats". Differs from it in that files of version 4.1 must have
//! sizes of 8 bytes.

mod fields;
mod sections;
mod write;

use super::MeshFile;
use super::error::{MeshFileError, Problem, quote};
use fields::Fields;
use sections::Reading;
pub use write::{Encoding, Version, encode};

/// Reads the bytes of a Gmsh file. Elements keep the order of the file.
///
/// # Errors
/// Names the line (text) or byte (binary) of a malformed or out-of-range field, a count that the file does not keep,
/// an unknown node, an element that is not read, or a section that is missing, repeated or not closed.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let mut fields = Fields::new(bytes);
    let version = read_format(&mut fields)?;
    let mut reading = Reading::default();
    let [mut nodes, mut elements] = [false; 2];
    while let Some(mut row) = fields.next_text_row() {
        let name = row.token().unwrap_or_default();
        row.end().map_err(|error| fields.fail(*error.problem))?;
        match name {
            b"$Nodes" if !nodes => {
                nodes = true;
                match version {
                    Version::V2_2 => reading.nodes_2(&mut fields),
                    Version::V4_1 => reading.nodes_4(&mut fields),
                }?;
                fields.word("$EndNodes")?;
            }
            b"$Elements" if nodes && !elements => {
                elements = true;
                match version {
                    Version::V2_2 => reading.elements_2(&mut fields),
                    Version::V4_1 => reading.elements_4(&mut fields),
                }?;
                fields.word("$EndElements")?;
            }
            b"$Nodes" | b"$Elements" | b"$MeshFormat" => {
                return Err(fields.unexpected("$MeshFormat, $Nodes and $Elements once and in this order", quote(name)));
            }
            [b'$', other @ ..] if !other.is_empty() && !other.starts_with(b"End") => {
                let name = std::str::from_utf8(other)
                    .map_err(|_| fields.unexpected("the name of a section", format!("`{}`", quote(name))))?;
                fields.skip_past(&format!("$End{name}"))?;
            }
            _ => {
                return Err(fields.unexpected("the name of a section", format!("`{}`", quote(name))));
            }
        }
    }
    for (section, found) in [("$Nodes", nodes), ("$Elements", elements)] {
        if !found {
            let expected = format!("a section `{section}`");
            let found = "none".to_owned();
            return Err(MeshFileError::whole(Problem::Syntax { expected, found }));
        }
    }
    reading.mesh.not_empty()
}

fn read_format(fields: &mut Fields<'_>) -> Result<Version, MeshFileError> {
    fields.word("$MeshFormat")?;
    let mut row = fields.text_row("the version, the encoding and the size of numbers")?;
    let version = match row.expect_token("the version")? {
        b"2" | b"2.0" | b"2.1" | b"2.2" => Version::V2_2,
        b"4.1" => Version::V4_1,
        other => {
            return Err(row.fail(Problem::Unsupported {
                what: format!("version `{}` of the Gmsh format", quote(other)),
                cure: "save the mesh as version 2.2 or 4.1 (Mesh.MshFileVersion)",
            }));
        }
    };
    let binary = match row.integer("the encoding")? {
        0 => false,
        1 => true,
        other => {
            let range = "0 (text) or 1 (binary)";
            let problem = Problem::Integer { what: "the encoding".to_owned(), range, found: other.to_string() };
            return Err(row.fail(problem));
        }
    };
    let size = row.integer("the size of numbers")?;
    if size != 8 {
        return Err(row.fail(Problem::Unsupported {
            what: format!("a Gmsh file with numbers of {size} bytes"),
            cure: "save the mesh with numbers of 8 bytes",
        }));
    }
    row.end()?;
    if binary {
        fields.start_binary()?;
    }
    fields.word("$EndMeshFormat")?;
    Ok(version)
}

#[cfg(test)]
mod tests;
