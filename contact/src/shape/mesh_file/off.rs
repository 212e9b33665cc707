//! Object File Format (.off), text: the word `OFF`, how many vertices, faces and edges there are, then a line for each vertex and face.
//!
//! - The counts may follow the word on its line. The number of edges says nothing and may be left out.
//! - A face states how many corners it has, then their vertices, counted from 0. Faces of more than three corners are cut as those of OBJ files.
//! - Colours are numbers behind a face and, in `COFF`, behind a vertex; they are ignored. Normals, texture coordinates, four dimensions and
//!   binary files are refused.

use glam::DVec3;

use super::error::{MeshFileError, Problem, quote};
use super::polygon::triangles_of_face;
use super::text::{Layout, Row, Rows, integer, not_an_integer, plausible_count};
use super::{MeshFile, vertex_index};

const LAYOUT: Layout = Layout { comments: true, continuation: false };

/// The shortest lines: `0 0 0` and `3 0 0 0`, each with its end.
const LEAST_BYTES: [usize; 2] = [6, 8];

/// Reads the bytes of an OFF file. Triangles keep the order of the faces.
///
/// # Errors
/// Names the line of a malformed number, of a vertex number out of range, or of a face that folds; or says that there are fewer or more
/// lines than the file declares, or no faces.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let mut rows = Rows::new(bytes, LAYOUT);
    let mut row = rows.expect_row("the word OFF")?;
    let word = row.expect_token("the word OFF")?;
    let has_colours = match word {
        b"OFF" => false,
        b"COFF" => true,
        other => {
            let what = format!("a file that begins with `{}`", quote(other));
            return Err(row.fail(Problem::Unsupported {
                what,
                cure: "begin it with OFF, and state vertices by three coordinates",
            }));
        }
    };
    if row.clone().token().is_none() {
        row = rows.expect_row("the numbers of vertices, faces and edges")?;
    } else if row.clone().token() == Some(b"BINARY") {
        return Err(row.fail(Problem::Unsupported { what: "binary OFF".to_owned(), cure: "export it as text" }));
    }
    let counts = row;
    let [vertex_count, face_count] = [row.size("the number of vertices")?, row.size("the number of faces")?];
    if row.clone().token().is_some() {
        row.size("the number of edges")?;
    }
    row.end()?;
    // The last line may lack its end.
    let unread = rows.rest().len() + 1;
    let plausible =
        |what, declared, least| plausible_count(what, declared, unread, least).map_err(|problem| counts.fail(problem));
    let (vertex_count, face_count) =
        (plausible("vertices", vertex_count, LEAST_BYTES[0])?, plausible("faces", face_count, LEAST_BYTES[1])?);
    let missing = |what: &str, declared: usize, found: usize| {
        counts.fail(Problem::Count { what: what.to_owned(), declared: declared as i128, found: found.to_string() })
    };
    let mut vertices = Vec::with_capacity(vertex_count);
    for number in 0..vertex_count {
        let row = rows.next_row().ok_or_else(|| missing("vertices", vertex_count, number))?;
        vertices.push(vertex(row, has_colours)?);
    }
    let mut triangles = Vec::with_capacity(face_count);
    for number in 0..face_count {
        let row = rows.next_row().ok_or_else(|| missing("faces", face_count, number))?;
        face(row, &vertices, &mut triangles)?;
    }
    if let Some(row) = rows.next_row() {
        let expected = format!("the end of the file after {face_count} faces");
        return Err(row.fail(Problem::Syntax { expected, found: "another line".to_owned() }));
    }
    MeshFile { vertices, triangles, tetrahedra: Vec::new() }.not_empty()
}

fn vertex(mut row: Row<'_>, has_colours: bool) -> Result<DVec3, MeshFileError> {
    let position =
        DVec3::new(row.real("the x coordinate")?, row.real("the y coordinate")?, row.real("the z coordinate")?);
    if has_colours {
        colour(row)?;
    } else {
        row.end()?;
    }
    Ok(position)
}

/// Checks that what is left of a row are numbers.
fn colour(mut row: Row<'_>) -> Result<(), MeshFileError> {
    while row.clone().token().is_some() {
        row.real("the colour")?;
    }
    Ok(())
}

fn face(mut row: Row<'_>, vertices: &[DVec3], triangles: &mut Vec<[u32; 3]>) -> Result<(), MeshFileError> {
    let count = row.size("the number of corners")?;
    if count < 3 {
        let expected = "a face of at least 3 corners".to_owned();
        return Err(row.fail(Problem::Syntax { expected, found: count.to_string() }));
    }
    let mut corners = Vec::new();
    for _ in 0..count {
        let token = row.expect_token(&format!("{count} corners"))?;
        let stated = integer(token).ok_or_else(|| row.fail(not_an_integer("the vertex number of a corner", token)))?;
        let known = || "numbered from 0".to_owned();
        let wrong = || Problem::Index {
            what: "the face".to_owned(),
            index: stated.into(),
            vertices: vertices.len(),
            known: known(),
        };
        corners.push(vertex_index(stated.into(), vertices.len()).ok_or_else(|| row.fail(wrong()))?);
    }
    colour(row)?;
    let cut = triangles_of_face(&corners, vertices)
        .ok_or_else(|| row.fail(Problem::FoldedPolygon { corners: corners.len() }))?;
    triangles.extend(cut);
    Ok(())
}

/// The bytes of an OFF file that holds the mesh; coordinates are written so that they read back to the same bits.
///
/// # Errors
/// Refuses a mesh with tetrahedra, without triangles, or with bad indices or coordinates.
pub fn encode(mesh: &MeshFile) -> Result<Vec<u8>, MeshFileError> {
    mesh.check()?;
    mesh.only_triangles("OFF")?;
    let mut text = format!("OFF\n{} {} 0\n", mesh.vertices.len(), mesh.triangles.len());
    for DVec3 { x, y, z } in &mesh.vertices {
        text.push_str(&format!("{x:?} {y:?} {z:?}\n"));
    }
    for [a, b, c] in &mesh.triangles {
        text.push_str(&format!("3 {a} {b} {c}\n"));
    }
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{octahedron, surface_only};
    use super::*;

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn counts_colours_and_comments_stand_where_the_format_has_them() {
        let expected = MeshFile {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            tetrahedra: Vec::new(),
        };
        for text in [
            "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n",
            "# a square\nOFF 4 2\n\n0 0 0 # here\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 255 0 0\n3 0 2 3 0.5 0.5 0.5 1",
            "COFF\r\n4 2 5\r\n0 0 0 1 1 1 1\r\n1 0 0 0 0 0 1\r\n1 1 0 0 0 0 1\r\n0 1 0\r\n3 0 1 2\r\n3 0 2 3\r\n",
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap(), expected, "{text}");
        }
        let square = parse(b"OFF\n4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n").unwrap();
        assert_eq!(square.triangles.len(), 2);
    }

    #[test]
    fn errors_name_the_line() {
        let good = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
        for (text, start) in [
            ("", "line 1: expected the word OFF, found the end of the file"),
            ("ply\n", "line 1: a file that begins with `ply` cannot be read"),
            ("OFF BINARY\n", "line 1: binary OFF cannot be read"),
            ("OFF\n3\n", "line 2: expected the number of faces"),
            ("OFF\n3 -1 0\n", "line 2: the number of faces must be an integer from 0"),
            ("OFF\n99999999 1 0\n0 0 0\n", "line 2: the file declares 99999999 vertices"),
            ("OFF\n1 0 0\n0 0 nan\n", "line 3: the z coordinate must be a finite number, found `nan`"),
            ("OFF\n1 0 0\n0 0 0 1\n", "line 3: expected the end of the line, found `1`"),
            ("OFF\n2 0 0\n0 0 0       \n", "line 2: the file declares 2 vertices, but holds 1"),
            ("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2       \n", "line 2: the file declares 2 faces, but holds 1"),
            (&format!("{good}2 0 1     \n"), "line 6: expected a face of at least 3 corners, found 2"),
            (&format!("{good}3 0 1     \n"), "line 6: expected 3 corners, found the end of the line"),
            (
                &format!("{good}3 0 1 3\n"),
                "line 6: the face refers to vertex 3, but the 3 vertices are numbered from 0",
            ),
            (&format!("{good}3 0 1 -1\n"), "line 6: the face refers to vertex -1"),
            (&format!("{good}3 0 1 2 red\n"), "line 6: the colour must be a finite number"),
            (&format!("{good}3 0 1 2\n3 0 1 2\n"), "line 7: expected the end of the file after 1 faces"),
            ("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "there are no triangles"),
            ("OFF\n4 1 0\n0 0 0\n1 1 0\n1 0 0\n0 1 0\n4 0 1 2 3\n", "line 7: the face of 4 corners crosses"),
        ] {
            let found = message(text);
            assert!(found.starts_with(start), "{text:?}: {found}");
        }
    }

    #[test]
    fn written_files_read_back_to_the_same_bits() {
        let mut mesh = surface_only(&octahedron());
        mesh.vertices.extend([DVec3::new(1e-300, -0.1, 1e300), DVec3::new(-0.0, 1.0 / 3.0, f64::MIN_POSITIVE)]);
        assert_eq!(parse(&encode(&mesh).unwrap()).unwrap(), mesh);
        assert!(encode(&octahedron()).unwrap_err().to_string().contains("OFF cannot hold tetrahedra"));
    }
}
