//! Writes Gmsh files of versions 2.2 and 4.1, text and binary (little-endian).

use super::super::MeshFile;
use super::super::error::{MeshFileError, Problem};

/// A version of the Gmsh format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 2.2: 32-bit tags; the version that most programs read.
    V2_2,
    /// 4.1: 64-bit tags in blocks per entity; Gmsh's own since 2019.
    V4_1,
}

/// How numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Decimal digits, enough of them to read back to the same bits.
    Text,
    /// Bytes, little-endian.
    Binary,
}

const TRIANGLE: i32 = 2;
const TETRAHEDRON: i32 = 4;
/// The physical and the elementary entity of every element of version 2.2.
const TAGS: [i32; 2] = [1, 1];
/// The tag of every entity of version 4.1.
const ENTITY: i32 = 1;

/// Bytes in the making, of either encoding.
struct Output {
    bytes: Vec<u8>,
    encoding: Encoding,
}

/// The bytes of a Gmsh file that holds the mesh: node tags count from 1, triangles come before tetrahedra.
///
/// # Errors
/// Refuses a mesh without elements, with bad indices or coordinates, or with more vertices or elements than version
/// 2.2 can number.
pub fn encode(mesh: &MeshFile, version: Version, encoding: Encoding) -> Result<Vec<u8>, MeshFileError> {
    mesh.check()?;
    if mesh.triangles.is_empty() && mesh.tetrahedra.is_empty() {
        return Err(MeshFileError::whole(Problem::Empty));
    }
    let mut output = Output { bytes: Vec::new(), encoding };
    output.format(version);
    match version {
        Version::V2_2 => {
            let most = i32::MAX as usize;
            if mesh.vertices.len() > most || mesh.triangles.len() > most - mesh.tetrahedra.len().min(most) {
                let (what, cure) = ("more than 2³¹ − 1 vertices or elements".to_owned(), "write version 4.1");
                return Err(MeshFileError::whole(Problem::CannotHold { format: "Gmsh 2.2", what, cure }));
            }
            output.version_2(mesh);
        }
        Version::V4_1 => output.version_4(mesh),
    }
    Ok(output.bytes)
}

impl Output {
    fn line(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn integers(&mut self, values: impl IntoIterator<Item = i32>) {
        for value in values {
            match self.encoding {
                Encoding::Text => self.bytes.extend(format!("{value} ").into_bytes()),
                Encoding::Binary => self.bytes.extend(value.to_le_bytes()),
            }
        }
    }

    fn sizes(&mut self, values: impl IntoIterator<Item = u64>) {
        for value in values {
            match self.encoding {
                Encoding::Text => self.bytes.extend(format!("{value} ").into_bytes()),
                Encoding::Binary => self.bytes.extend(value.to_le_bytes()),
            }
        }
    }

    fn reals(&mut self, values: [f64; 3]) {
        for value in values {
            match self.encoding {
                Encoding::Text => self.bytes.extend(format!("{value:?} ").into_bytes()),
                Encoding::Binary => self.bytes.extend(value.to_le_bytes()),
            }
        }
    }

    /// Ends a record: in text its last gap becomes a newline.
    fn end_record(&mut self) {
        if self.encoding == Encoding::Text
            && let Some(gap) = self.bytes.last_mut()
        {
            *gap = b'\n';
        }
    }

    /// Ends a section; after binary records its name needs a newline before it.
    fn end_section(&mut self, name: &str) {
        if self.encoding == Encoding::Binary {
            self.bytes.push(b'\n');
        }
        self.line(name);
    }

    fn format(&mut self, version: Version) {
        let number = if version == Version::V2_2 { "2.2" } else { "4.1" };
        let mark = if self.encoding == Encoding::Text { 0 } else { 1 };
        self.line("$MeshFormat");
        self.line(&format!("{number} {mark} 8"));
        if self.encoding == Encoding::Binary {
            self.integers([1]);
        }
        self.end_section("$EndMeshFormat");
    }

    fn version_2(&mut self, mesh: &MeshFile) {
        self.line("$Nodes");
        self.line(&mesh.vertices.len().to_string());
        for (tag, vertex) in (1..).zip(&mesh.vertices) {
            self.integers([tag]);
            self.reals(vertex.to_array());
            self.end_record();
        }
        self.end_section("$EndNodes");
        self.line("$Elements");
        self.line(&(mesh.triangles.len() + mesh.tetrahedra.len()).to_string());
        self.elements_2(TRIANGLE, 1, &mesh.triangles);
        self.elements_2(TETRAHEDRON, 1 + mesh.triangles.len() as i32, &mesh.tetrahedra);
        self.end_section("$EndElements");
    }

    fn elements_2<const N: usize>(&mut self, kind: i32, first_tag: i32, elements: &[[u32; N]]) {
        let tag_count = TAGS.len() as i32;
        if self.encoding == Encoding::Binary && !elements.is_empty() {
            self.integers([kind, elements.len() as i32, tag_count]);
        }
        for (tag, element) in (first_tag..).zip(elements) {
            self.integers([tag]);
            if self.encoding == Encoding::Text {
                self.integers([kind, tag_count]);
            }
            self.integers(TAGS);
            // At most 2³¹ − 1 vertices, so the tag fits.
            self.integers(element.map(|vertex| vertex as i32 + 1));
            self.end_record();
        }
    }

    fn version_4(&mut self, mesh: &MeshFile) {
        let (vertices, triangles, tetrahedra) =
            (mesh.vertices.len() as u64, mesh.triangles.len() as u64, mesh.tetrahedra.len() as u64);
        let volume = if tetrahedra > 0 { 3 } else { 2 };
        self.line("$Nodes");
        self.sizes([1, vertices, 1, vertices]);
        self.end_record();
        self.integers([volume, ENTITY, 0]);
        self.sizes([vertices]);
        self.end_record();
        for tag in 1..=vertices {
            self.sizes([tag]);
            self.end_record();
        }
        for vertex in &mesh.vertices {
            self.reals(vertex.to_array());
            self.end_record();
        }
        self.end_section("$EndNodes");
        self.line("$Elements");
        let blocks = u64::from(triangles > 0) + u64::from(tetrahedra > 0);
        self.sizes([blocks, triangles + tetrahedra, 1, triangles + tetrahedra]);
        self.end_record();
        self.elements_4(2, TRIANGLE, 1, &mesh.triangles);
        self.elements_4(3, TETRAHEDRON, 1 + triangles, &mesh.tetrahedra);
        self.end_section("$EndElements");
    }

    fn elements_4<const N: usize>(&mut self, dimension: i32, kind: i32, first_tag: u64, elements: &[[u32; N]]) {
        if elements.is_empty() {
            return;
        }
        self.integers([dimension, ENTITY, kind]);
        self.sizes([elements.len() as u64]);
        self.end_record();
        for (tag, element) in (first_tag..).zip(elements) {
            self.sizes([tag]);
            self.sizes(element.map(|vertex| u64::from(vertex) + 1));
            self.end_record();
        }
    }
}
