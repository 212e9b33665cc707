//! The mesh of a body: where it is found, how it is read, and its parts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use drystone_contact::shape::mesh_file::{self, Format, MeshFile};
use drystone_contact::sorting::inserted;
use glam::DVec3;
use serde_json::Value;

use super::Note;
use super::error::{Feature, RigidIpcError, RigidIpcProblem};
use super::object::{Object, vector, within_bounds, wrong};

/// Vertices and triangles as a scene names them; vertices in m once scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// What its bodies are called.
    pub stem: String,
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The mesh of a body, from its file or from the scene itself, with equal vertices made one.
    pub fn new(object: &Object, folder: &Path, notes: &mut Vec<Note>) -> Result<Self, RigidIpcError> {
        let mut mesh = match object.text("mesh")? {
            Some(file) if !file.is_empty() => Self::of_file(object, file, folder)?,
            _ => Self::inline(object)?,
        };
        let (vertices, triangles) = (mesh.vertices.len(), mesh.triangles.len());
        mesh.weld();
        if mesh.vertices.len() < vertices {
            let merged = vertices - mesh.vertices.len();
            let dropped = triangles - mesh.triangles.len();
            let text = format!(
                "{merged} vertices at the places of others were made one with them, and {dropped} triangles without area left out"
            );
            notes.push(Note { place: Some(object.place().to_owned()), text });
        }
        Ok(mesh)
    }

    fn of_file(object: &Object, file: &str, folder: &Path) -> Result<Self, RigidIpcError> {
        let path = found(file, folder).map_err(|problem| object.error("mesh", problem))?;
        let wrong_mesh = |error: mesh_file::MeshFileError| object.error("mesh", error);
        match Format::of_path(&path).map_err(wrong_mesh)? {
            Format::Obj | Format::Off | Format::Stl => {}
            Format::Gmsh | Format::TetGen => {
                return Err(object.error("mesh", wrong("an .obj, .off or .stl file", &file.into())));
            }
        }
        if has_lines(&path) {
            return Err(object.error("mesh", Feature::Edges));
        }
        let MeshFile { vertices, triangles, .. } = mesh_file::read(&path).map_err(wrong_mesh)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { stem, vertices, triangles })
    }

    fn inline(object: &Object) -> Result<Self, RigidIpcError> {
        let rows = |key| object.list(key).map(Option::unwrap_or_default);
        let at = |key: &str, number: usize, problem| object.error(&format!("{key}[{number}]"), problem);
        if rows("vertices")?.is_empty() {
            let must = "the name of a mesh file, or left out beside `vertices` and `faces`";
            let found = object.value("mesh").unwrap_or(&Value::Null);
            return Err(object.error("mesh", wrong(must, found)));
        }
        let mut vertices = Vec::new();
        for (number, row) in rows("vertices")?.iter().enumerate() {
            if row.as_array().is_some_and(|row| row.len() == 2) {
                return Err(object.error("vertices", Feature::TwoDimensions));
            }
            let vertex = vector(row).ok_or_else(|| at("vertices", number, wrong("an array of three numbers", row)))?;
            vertices.push(within_bounds(vertex).map_err(|problem| at("vertices", number, problem))?);
        }
        let count = vertices.len() as u64;
        let index = |value: &Value| value.as_u64().filter(|&index| index < count).and_then(|i| u32::try_from(i).ok());
        let indices = |row: &Value| row.as_array()?.iter().map(index).collect::<Option<Vec<u32>>>();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for (number, row) in rows("faces")?.iter().enumerate() {
            let triangle = indices(row).and_then(|corners| corners.try_into().ok());
            let must = "an array of three numbers of vertices, counted from 0";
            triangles.push(triangle.ok_or_else(|| at("faces", number, wrong(must, row)))?);
        }
        let known = edge_uses(&triangles);
        for (number, row) in rows("edges")?.iter().enumerate() {
            let edge: Option<[u32; 2]> = indices(row).and_then(|ends| ends.try_into().ok());
            let must = "an array of two numbers of vertices, counted from 0";
            let [a, b] = edge.ok_or_else(|| at("edges", number, wrong(must, row)))?;
            if !known.contains_key(&[a.min(b), a.max(b)]) {
                return Err(at("edges", number, Feature::Edges.into()));
            }
        }
        Ok(Self { stem: "body".into(), vertices, triangles })
    }

    /// Size along x, y and z, m.
    pub fn extents(&self) -> DVec3 {
        let least = self.vertices.iter().copied().reduce(DVec3::min).unwrap_or_default();
        self.vertices.iter().copied().reduce(DVec3::max).unwrap_or_default() - least
    }

    /// The mesh with these factors along x, y and z; where they mirror it, its triangles are turned over.
    pub fn scaled(mut self, scale: DVec3) -> Result<Self, RigidIpcProblem> {
        for vertex in &mut self.vertices {
            *vertex = within_bounds(*vertex * scale)?;
        }
        if scale.x * scale.y * scale.z < 0.0 {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        Ok(self)
    }

    /// Whether some edge has only one triangle.
    pub fn is_open(&self) -> bool {
        edge_uses(&self.triangles).values().any(|&uses| uses == 1)
    }

    /// The parts that hang together by edges, in the order of their first triangles.
    pub fn parts(&self) -> Vec<Self> {
        let mut by_edge: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for (number, triangle) in self.triangles.iter().enumerate() {
            edges(triangle).for_each(|edge| by_edge.entry(edge).or_default().push(number));
        }
        let mut part_of = vec![None; self.triangles.len()];
        let mut parts = Vec::new();
        for seed in 0..self.triangles.len() {
            let mut next = vec![seed];
            while let Some(number) = next.pop() {
                if part_of[number].is_some() {
                    continue;
                }
                part_of[number] = Some(parts.len());
                next.extend(edges(&self.triangles[number]).flat_map(|edge| &by_edge[&edge]));
            }
            if part_of[seed] == Some(parts.len()) {
                parts.push(self.stem.clone());
            }
        }
        let stems = (0..).zip(parts);
        stems.map(|(part, stem)| self.part(&part_of, part, format!("{stem}-part{part:03}"))).collect()
    }

    fn part(&self, part_of: &[Option<usize>], part: usize, stem: String) -> Self {
        let mut triangles: Vec<[u32; 3]> =
            self.triangles.iter().zip(part_of).filter(|(_, of)| **of == Some(part)).map(|(t, _)| *t).collect();
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let new: BTreeMap<u32, u32> = inserted(used.iter().copied().zip(0..));
        triangles.iter_mut().flatten().for_each(|vertex| *vertex = new[vertex]);
        let vertices = used.iter().map(|&vertex| self.vertices[vertex as usize]).collect();
        Self { stem, vertices, triangles }
    }

    /// Makes vertices at one place one, and leaves out the triangles that have no area then.
    fn weld(&mut self) {
        // Zeros of both signs are one place.
        let bits = |v: &DVec3| (*v + 0.0).to_array().map(f64::to_bits);
        let mut first: BTreeMap<[u64; 3], u32> = BTreeMap::new();
        let mut kept = Vec::with_capacity(self.vertices.len());
        let mut new = Vec::with_capacity(self.vertices.len());
        for vertex in &self.vertices {
            let index = *first.entry(bits(vertex)).or_insert(kept.len() as u32);
            if index as usize == kept.len() {
                kept.push(*vertex);
            }
            new.push(index);
        }
        if kept.len() < self.vertices.len() {
            self.vertices = kept;
            self.triangles.iter_mut().flatten().for_each(|vertex| *vertex = new[*vertex as usize]);
            self.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        }
    }
}

/// The edges of a triangle, each with its lower vertex first.
fn edges(&[a, b, c]: &[u32; 3]) -> impl Iterator<Item = [u32; 2]> + use<> {
    [[a, b], [b, c], [c, a]].into_iter().map(|[a, b]| [a.min(b), a.max(b)])
}

/// How many triangles each edge has.
fn edge_uses(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], usize> {
    let mut uses = BTreeMap::new();
    triangles.iter().flat_map(edges).for_each(|edge| *uses.entry(edge).or_default() += 1);
    uses
}

/// The mesh file of a scene in `folder`.
fn found(file: &str, folder: &Path) -> Result<PathBuf, RigidIpcProblem> {
    // So that the folders above a relative path are known too.
    let absolute = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let beside = std::iter::once(folder.join(file));
    let mut candidates = beside.chain(absolute.ancestors().map(|above| above.join("meshes").join(file)));
    candidates.find(|path| path.is_file()).ok_or_else(|| RigidIpcProblem::NoMesh {
        mesh: file.to_owned(),
        looked: format!("it in {} and in folders `meshes` there and above", folder.display()),
    })
}

/// The files of all meshes that are found, in their order.
pub fn files(value: &Value, folder: &Path) -> Vec<PathBuf> {
    match value {
        Value::Array(values) => values.iter().flat_map(|value| files(value, folder)).collect(),
        Value::Object(object) => {
            let of = |(key, value): (&String, &Value)| match value.as_str().filter(|_| key == "mesh") {
                Some(file) => found(file, folder).into_iter().collect(),
                None => files(value, folder),
            };
            object.iter().flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an OBJ file states lines, which rigid-ipc takes for edges of the body.
fn has_lines(path: &Path) -> bool {
    let is_line = |row: &[u8]| row.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) == Some(b"l");
    Format::of_path(path).is_ok_and(|format| format == Format::Obj)
        && std::fs::read(path).is_ok_and(|bytes| bytes.split(|&byte| byte == b'\n').any(is_line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
        Mesh { stem: "m".into(), vertices, triangles }
    }

    #[test]
    fn parts_hang_together_by_edges() {
        // Triangles 0 and 2 share an edge, 1 touches them in a vertex, 3 is apart.
        let triangles = vec![[0, 1, 2], [2, 3, 4], [2, 1, 5], [6, 7, 8]];
        let vertices = (0..9).map(|k| DVec3::X * f64::from(k)).collect();
        let parts = mesh(vertices, triangles).parts();
        let stems: Vec<&str> = parts.iter().map(|part| part.stem.as_str()).collect();
        assert_eq!(stems, ["m-part000", "m-part001", "m-part002"]);
        assert_eq!(parts[0].triangles, [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(parts[0].vertices[3], DVec3::X * 5.0);
        assert_eq!((parts[1].vertices[0], &parts[1].triangles), (DVec3::X * 2.0, &vec![[0, 1, 2]]));
    }

    #[test]
    fn lines_of_an_obj_file_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let has = |text: &str| {
            let path = folder.path().join("m.obj");
            std::fs::write(&path, text).unwrap();
            has_lines(&path)
        };
        assert!(has("v 0 0 0\n l\t1 2\n") && has("l 1 2"));
        assert!(!has("v 0 0 0\n# l 1 2\nlod 1\n"));
    }

    #[test]
    fn equal_vertices_become_one() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, -0.0, 0.0)];
        let mut welded = mesh(vertices.clone(), vec![[0, 3, 2], [1, 3, 2]]);
        welded.weld();
        assert_eq!(welded, mesh(vertices[..3].to_vec(), vec![[0, 1, 2]]));
    }

    #[test]
    fn a_mirrored_solid_keeps_its_outside() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        let mirrored = mesh(corners, vec![[0, 1, 2]]).scaled(DVec3::new(2.0, 1.0, -1.0)).unwrap();
        assert_eq!(mirrored.triangles, [[0, 2, 1]]);
        assert_eq!(mirrored.extents(), DVec3::new(2.0, 1.0, 0.0));
        assert!(mirrored.is_open());
    }
}
