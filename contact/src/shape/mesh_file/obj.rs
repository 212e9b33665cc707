//! Wavefront OBJ (.obj), text: `v` and `f` statements, counted from 1, or from the end by negative numbers.
//!
//! - A face of more than three corners is cut by clipping ears, which agrees with the usual fan for convex faces and
//!   does not fold for others; a face that crosses or touches itself is refused. A face that is not flat is cut as
//!   its shadow along its mean normal is.
//! - Corners may carry texture and normal numbers (`v/vt/vn`); they must be integers and are otherwise ignored.
//! - A vertex may carry a weight or a colour after its coordinates; both must be numbers and are ignored.
//! - Points, lines, groups, names, materials and display settings are ignored; free-form curves and surfaces, calls
//!   and unknown statements are refused.
//! - A face may use a positive number of a vertex that is stated further down.

use glam::DVec3;

use super::error::{MeshFileError, Problem, quote};
use super::polygon::triangles_of_face;
use super::text::{Layout, Row, Rows, integer, not_an_integer};
use super::{MeshFile, vertex_index};

const LAYOUT: Layout = Layout { comments: true, continuation: true };

/// Statements that say nothing about the mesh.
const IGNORED: [&[u8]; 18] = [
    b"vn",
    b"vt",
    b"vp",
    b"o",
    b"g",
    b"s",
    b"mg",
    b"l",
    b"p",
    b"mtllib",
    b"usemtl",
    b"maplib",
    b"usemap",
    b"lod",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"shadow_obj",
];

/// Faces as stated: the vertex numbers of all corners, one after the other.
#[derive(Default)]
struct Faces<'a> {
    corners: Vec<Corner>,
    /// For each face, the end of its corners and its row.
    ends: Vec<(usize, Row<'a>)>,
}

/// A vertex as a face states it.
#[derive(Clone, Copy)]
struct Corner {
    stated: i64,
    /// How many vertices were stated before the face.
    before: usize,
}

/// Reads the bytes of an OBJ file. Triangles keep the order of the faces.
///
/// # Errors
/// Names the line of a malformed or unknown statement, a number that is not finite, a vertex number that is 0 or out
/// of range, or a face that folds; or says that there are no faces.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let mut rows = Rows::new(bytes, LAYOUT);
    let mut vertices = Vec::new();
    let mut faces = Faces::default();
    while let Some(mut row) = rows.next_row() {
        match row.token().unwrap_or_default() {
            b"v" => vertices.push(vertex(&mut row)?),
            b"f" => face(row, vertices.len(), &mut faces)?,
            keyword if IGNORED.contains(&keyword) => {}
            keyword => {
                return Err(row.fail(Problem::Unsupported {
                    what: format!("the OBJ statement `{}`", quote(keyword)),
                    cure: "only polygon meshes are read: export one, or delete the line",
                }));
            }
        }
    }
    let triangles = faces.triangles(&vertices)?;
    MeshFile { vertices, triangles, tetrahedra: Vec::new() }.not_empty()
}

fn vertex(row: &mut Row<'_>) -> Result<DVec3, MeshFileError> {
    let position =
        DVec3::new(row.real("the x coordinate")?, row.real("the y coordinate")?, row.real("the z coordinate")?);
    let mut extra = 0;
    while row.clone().token().is_some() {
        row.real("the vertex's weight or colour")?;
        extra += 1;
    }
    // None, a weight, a colour, or both.
    if [0, 1, 3, 4].contains(&extra) {
        return Ok(position);
    }
    let expected = "3 coordinates, then nothing, a weight, a colour of 3 numbers, or both".to_owned();
    Err(row.fail(Problem::Syntax { expected, found: format!("{} numbers", 3 + extra) }))
}

fn face<'a>(mut row: Row<'a>, before: usize, faces: &mut Faces<'a>) -> Result<(), MeshFileError> {
    let start = faces.corners.len();
    while let Some(token) = row.token() {
        let mut fields = token.split(|&byte| byte == b'/');
        let field = fields.next().unwrap_or_default();
        let stated = integer(field).ok_or_else(|| row.fail(not_an_integer("the vertex number of a corner", field)))?;
        // `v/vt`, `v/vt/vn` and `v//vn`.
        let others: Vec<&[u8]> = fields.collect();
        let well_formed = match others[..] {
            [] => true,
            [texture] => integer(texture).is_some(),
            [texture, normal] => (texture.is_empty() || integer(texture).is_some()) && integer(normal).is_some(),
            _ => false,
        };
        if !well_formed {
            let expected = "a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`".to_owned();
            return Err(row.fail(Problem::Syntax { expected, found: format!("`{}`", quote(token)) }));
        }
        faces.corners.push(Corner { stated, before });
    }
    let count = faces.corners.len() - start;
    if count < 3 {
        let expected = "a face of at least 3 corners".to_owned();
        return Err(row.fail(Problem::Syntax { expected, found: format!("{count}") }));
    }
    faces.ends.push((faces.corners.len(), row));
    Ok(())
}

impl Faces<'_> {
    fn triangles(&self, vertices: &[DVec3]) -> Result<Vec<[u32; 3]>, MeshFileError> {
        let mut triangles = Vec::with_capacity(self.ends.len());
        let mut start = 0;
        for &(end, row) in &self.ends {
            let corners = self.corners[start..end]
                .iter()
                .map(|corner| corner.resolve(vertices.len()).map_err(|problem| row.fail(problem)))
                .collect::<Result<Vec<u32>, _>>()?;
            start = end;
            let cut = triangles_of_face(&corners, vertices)
                .ok_or_else(|| row.fail(Problem::FoldedPolygon { corners: corners.len() }))?;
            triangles.extend(cut);
        }
        Ok(triangles)
    }
}

impl Corner {
    fn resolve(self, vertices: usize) -> Result<u32, Problem> {
        let index =
            if self.stated < 0 { self.before as i128 + i128::from(self.stated) } else { i128::from(self.stated) - 1 };
        vertex_index(index, vertices).ok_or_else(|| Problem::Index {
            what: "the face".to_owned(),
            index: self.stated.into(),
            vertices,
            known: if self.stated < 0 {
                format!("numbered −{} to −1 here", self.before)
            } else {
                "numbered from 1".to_owned()
            },
        })
    }
}

/// The bytes of an OBJ file that holds the mesh; coordinates are written so that they read back to the same bits.
///
/// # Errors
/// Refuses a mesh with tetrahedra, without triangles, or with bad indices or coordinates.
pub fn encode(mesh: &MeshFile) -> Result<Vec<u8>, MeshFileError> {
    mesh.check()?;
    mesh.only_triangles("OBJ")?;
    let mut text = String::new();
    for DVec3 { x, y, z } in &mesh.vertices {
        text.push_str(&format!("v {x:?} {y:?} {z:?}\n"));
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| u64::from(vertex) + 1);
        text.push_str(&format!("f {a} {b} {c}\n"));
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
    fn every_form_of_corner_is_read() {
        let text = "# a comment, caf\u{e9}\nmtllib a.mtl\no shape\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\n\
            v 0 0 1 1 0.5 0.5 0.5\nvn 0 0 1\nvt 0 0\ns off\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n\
            f 1/1/1 2/1/1 3/1/1\nf -4 -3 \\\n -1\nf 1 2 5 # ahead\nv 0 2 0\n";
        let mesh = parse(text.as_bytes()).unwrap();
        assert_eq!(mesh.vertices.len(), 5);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 3], [0, 1, 4]]);
    }

    #[test]
    fn non_convex_faces_do_not_fold() {
        let text = "v 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nf 1 2 3 4 5 6\n";
        let mesh = parse(text.as_bytes()).unwrap();
        let [mut area, mut turned] = [0.0; 2];
        for [a, b, c] in mesh.triangles.iter().map(|triangle| triangle.map(|at| mesh.vertices[at as usize])) {
            let part = (b - a).cross(c - a).z / 2.0;
            area += part;
            turned += part.min(0.0);
        }
        assert_eq!((area, turned), (3.0, 0.0));
        let crossing = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 3 4\n";
        assert!(message(crossing).starts_with("line 6: the face of 4 corners crosses"));
    }

    #[test]
    fn errors_name_the_line() {
        let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        for (bad, start) in [
            ("v 0 0 nan\n", "line 4: the z coordinate must be a finite number, found `nan`"),
            ("v 0 1e999 0\n", "line 4: the y coordinate must be a finite number"),
            ("v 0 0\n", "line 4: expected the z coordinate"),
            ("v 0 0 0 0 0\n", "line 4: expected 3 coordinates"),
            ("f 1 2\n", "line 4: expected a face of at least 3 corners, found 2"),
            ("f 1 2 0\n", "line 4: the face refers to vertex 0, but the 3 vertices are numbered from 1"),
            ("f 1 2 4\n", "line 4: the face refers to vertex 4"),
            ("f 1 2 -4\n", "line 4: the face refers to vertex -4"),
            ("f 1 2 9223372036854775807\n", "line 4: the face refers to vertex 9223372036854775807"),
            ("f 1 2 -9223372036854775808\n", "line 4: the face refers to vertex -9223372036854775808"),
            ("f 1 2 3.0\n", "line 4: the vertex number of a corner must be an integer"),
            ("f 1 2 3/\n", "line 4: expected a corner"),
            ("f 1 2 3/1/1/1\n", "line 4: expected a corner"),
            ("\nsurf 0 1\n", "line 5: the OBJ statement `surf` cannot be read"),
            ("", "there are no triangles"),
        ] {
            let found = message(&format!("{vertices}{bad}"));
            assert!(found.starts_with(start), "{found}");
        }
    }

    #[test]
    fn written_files_read_back_to_the_same_bits() {
        let mut mesh = surface_only(&octahedron());
        mesh.vertices.extend([DVec3::new(1e-300, -0.1, 1e300), DVec3::new(-0.0, 1.0 / 3.0, f64::MIN_POSITIVE)]);
        assert_eq!(parse(&encode(&mesh).unwrap()).unwrap(), mesh);
    }

    #[test]
    fn tetrahedra_are_not_dropped() {
        assert!(encode(&octahedron()).unwrap_err().to_string().contains("OBJ cannot hold tetrahedra"));
    }
}
