//! Mesh files: Wavefront OBJ, OFF, STL, Gmsh and TetGen, read and written.
//!
//! Reading makes vertices, triangles and tetrahedra as the file states them. Indices are in range and coordinates
//! finite; whether the surface is closed, oriented or simple is the surface's business. The readers are our own so
//! that every error names the line or byte of the first offending element.
//!
//! ```
//! use drystone_contact::shape::mesh_file::{Format, parse};
//!
//! let mesh = parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj)?;
//! assert_eq!(mesh.triangles, [[0, 1, 2]]);
//! let error = parse(b"v 0 0 0\nv 1 0 nan\n", Format::Obj).unwrap_err();
//! assert!(error.to_string().starts_with("line 2: the z coordinate must be a finite number, found `nan`"));
//! # Ok::<(), drystone_contact::shape::mesh_file::MeshFileError>(())
//! ```

mod error;
pub mod gmsh;
pub mod obj;
pub mod off;
pub(crate) mod polygon;
mod solid;
pub mod stl;
pub mod tetgen_files;
mod text;

#[cfg(feature = "mesh-files")]
use std::io::Write;
use std::path::Path;

use glam::DVec3;

pub use error::{Location, MeshFileError, Problem};

/// A mesh as a file states it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFile {
    /// Vertex positions in the file's own unit, taken as metres. All finite; some may be unused.
    pub vertices: Vec<DVec3>,
    /// Triangles, indices into `vertices`, in the file's corner order. Empty where the file has none.
    pub triangles: Vec<[u32; 3]>,
    /// Tetrahedra, indices into `vertices`, in the file's corner order. Empty where the file has none.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// A format of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ: `.obj`. Triangles and polygons.
    Obj,
    /// Object File Format: `.off`, text. Triangles and polygons.
    Off,
    /// Stereolithography: `.stl`, text or binary. Triangles.
    Stl,
    /// Gmsh 2.2 or 4.1: `.msh`, text or binary. Triangles and tetrahedra.
    Gmsh,
    /// TetGen: `.node`, `.ele` and `.face` of one stem. Triangles and tetrahedra.
    TetGen,
}

const KNOWN_EXTENSIONS: &str = ".obj, .off, .stl, .msh, .node, .ele, .face";

impl Format {
    /// The format that a file's extension tells, in upper or lower case.
    ///
    /// # Errors
    /// Lists the known extensions when this is none of them.
    pub fn of_path(path: &Path) -> Result<Self, MeshFileError> {
        let found = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        match found.to_ascii_lowercase().as_str() {
            "obj" => Ok(Self::Obj),
            "off" => Ok(Self::Off),
            "stl" => Ok(Self::Stl),
            "msh" => Ok(Self::Gmsh),
            "node" | "ele" | "face" => Ok(Self::TetGen),
            _ => {
                let problem = Problem::UnknownExtension { found, known: KNOWN_EXTENSIONS };
                Err(MeshFileError::whole(problem).of_path(path))
            }
        }
    }
}

/// Reads the mesh file at a path, in the format that its extension tells. STL facets are welded by
/// [`stl::WeldSettings::default`]; for TetGen any of the three files may be named.
///
/// # Errors
/// An unknown extension, a file that cannot be read, or content that is not a mesh of that format.
pub fn read(path: impl AsRef<Path>) -> Result<MeshFile, MeshFileError> {
    let path = path.as_ref();
    match Format::of_path(path)? {
        Format::TetGen => tetgen_files::read(path),
        format => parse(&read_bytes(path)?, format).map_err(|error| error.of_path(path)),
    }
}

/// Reads a mesh from the bytes of a file.
///
/// # Errors
/// Content that is not a mesh of that format; [`Problem::SeveralFiles`] for TetGen, whose meshes are not one file.
pub fn parse(bytes: &[u8], format: Format) -> Result<MeshFile, MeshFileError> {
    match format {
        Format::Obj => obj::parse(bytes),
        Format::Off => off::parse(bytes),
        Format::Stl => stl::parse(bytes, &stl::WeldSettings::default()),
        Format::Gmsh => gmsh::parse(bytes),
        Format::TetGen => Err(MeshFileError::whole(Problem::SeveralFiles)),
    }
}

/// Writes a mesh to a path, in the format that its extension tells: STL as text, Gmsh as 4.1 text, TetGen as three
/// files counted from 1. What is written reads back to the same mesh, but for STL, which numbers vertices by first
/// use and drops unused ones. Each file appears whole or not at all: it is written beside its place, then renamed.
///
/// # Errors
/// An unknown extension, a mesh that the format cannot hold or whose indices or coordinates are bad, or a file that
/// cannot be written.
#[cfg(feature = "mesh-files")]
pub fn write(path: impl AsRef<Path>, mesh: &MeshFile) -> Result<(), MeshFileError> {
    let path = path.as_ref();
    let bytes = match Format::of_path(path)? {
        Format::Obj => obj::encode(mesh),
        Format::Off => off::encode(mesh),
        Format::Stl => stl::encode_text(mesh),
        Format::Gmsh => gmsh::encode(mesh, gmsh::Version::V4_1, gmsh::Encoding::Text),
        Format::TetGen => return tetgen_files::write(path, mesh),
    };
    write_bytes(path, &bytes.map_err(|error| error.of_path(path))?)
}

impl MeshFile {
    /// Checks what reading promises and writing needs.
    fn check(&self) -> Result<(), MeshFileError> {
        if let Some(at) = self.vertices.iter().position(|vertex| !vertex.is_finite()) {
            let problem = Problem::Number { what: "each coordinate".to_owned(), found: self.vertices[at].to_string() };
            return Err(MeshFileError::at(Location::Vertex(at as u64), problem));
        }
        self.check_indices(&self.triangles, "the triangle", Location::Triangle)?;
        self.check_indices(&self.tetrahedra, "the tetrahedron", Location::Tetrahedron)
    }

    fn check_indices<const N: usize>(
        &self,
        elements: &[[u32; N]],
        what: &str,
        place: impl Fn(u64) -> Location,
    ) -> Result<(), MeshFileError> {
        let vertices = self.vertices.len();
        for (number, element) in (0..).zip(elements) {
            if let Some(&index) = element.iter().find(|&&index| index as usize >= vertices) {
                let known = "numbered from 0".to_owned();
                let problem = Problem::Index { what: what.to_owned(), index: index.into(), vertices, known };
                return Err(MeshFileError::at(place(number), problem));
            }
        }
        Ok(())
    }

    /// The mesh, or an error when it has no elements.
    fn not_empty(self) -> Result<Self, MeshFileError> {
        if self.triangles.is_empty() && self.tetrahedra.is_empty() {
            return Err(MeshFileError::whole(Problem::Empty));
        }
        Ok(self)
    }

    /// Checks that a format of triangles alone holds the whole mesh.
    fn only_triangles(&self, format: &'static str) -> Result<(), MeshFileError> {
        if self.tetrahedra.is_empty() {
            return if self.triangles.is_empty() { Err(MeshFileError::whole(Problem::Empty)) } else { Ok(()) };
        }
        let cure = "write .msh or .node instead, or write the triangles alone";
        Err(MeshFileError::whole(Problem::CannotHold { format, what: "tetrahedra".to_owned(), cure }))
    }
}

/// An index if one of so many vertices has it.
fn vertex_index(index: i128, vertices: usize) -> Option<u32> {
    u32::try_from(index).ok().filter(|&index| (index as usize) < vertices)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshFileError> {
    let fail = |cause| MeshFileError::whole(Problem::Io { action: "read", cause }).of_path(path);
    std::fs::read(path).map_err(fail)
}

/// Puts the bytes at the path by way of a temporary file in the same folder.
#[cfg(feature = "mesh-files")]
fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), MeshFileError> {
    let fail = |cause| MeshFileError::whole(Problem::Io { action: "written", cause }).of_path(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // The usual permissions of a new file, instead of the private ones of a temporary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(fail)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(fail)?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed surface about the origin, counterclockwise from outside, with eight tetrahedra to a central vertex.
    pub(super) fn octahedron() -> MeshFile {
        let mut vertices: Vec<DVec3> = DVec3::AXES.iter().flat_map(|&axis| [0.1 * axis, axis / -3.0]).collect();
        let mut triangles = Vec::new();
        for octant in 0..8u32 {
            let corner = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2)];
            let [a, b, c] = corner;
            triangles.push(if octant.count_ones() % 2 == 0 { [a, b, c] } else { [a, c, b] });
        }
        let centre = vertices.len() as u32;
        vertices.push(DVec3::new(0.01, 0.0, 0.0));
        let tetrahedra = triangles.iter().map(|&[a, b, c]| [a, c, b, centre]).collect();
        MeshFile { vertices, triangles, tetrahedra }
    }

    /// The same mesh without its tetrahedra.
    pub(super) fn surface_only(mesh: &MeshFile) -> MeshFile {
        MeshFile { tetrahedra: Vec::new(), ..mesh.clone() }
    }

    #[test]
    fn unknown_extensions_list_the_known_ones() {
        for path in ["mesh.ply", "mesh", "folder.obj/mesh.PLY", ""] {
            let error = read(path).unwrap_err();
            assert!(error.to_string().contains(KNOWN_EXTENSIONS), "{error}");
            assert!(matches!(*write(path, &octahedron()).unwrap_err().problem, Problem::UnknownExtension { .. }));
        }
        assert_eq!(Format::of_path(Path::new("a.b/C.STL")).unwrap(), Format::Stl);
    }

    #[test]
    fn every_format_is_written_and_read_by_path() {
        let folder = tempfile::tempdir().unwrap();
        let whole = octahedron();
        for (name, mesh) in
            [("a.obj", &surface_only(&whole)), ("a.msh", &whole), ("a.node", &whole), ("b.1.ele", &whole)]
        {
            let path = folder.path().join(name);
            write(&path, mesh).unwrap();
            assert_eq!(&read(&path).unwrap(), mesh, "{name}");
        }
        let path = folder.path().join("a.stl");
        write(&path, &surface_only(&whole)).unwrap();
        assert_eq!(read(&path).unwrap().triangles.len(), 8);
        // Two sets of three TetGen files, three single files, and no temporary file left behind.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 9);
    }

    #[test]
    fn errors_name_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.obj");
        assert!(matches!(*read(&path).unwrap_err().problem, Problem::Io { action: "read", .. }));
        std::fs::write(&path, "v 0 0 x\n").unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: line 1: the z", path.display())), "{error}");
        let nowhere = folder.path().join("missing").join("a.obj");
        let error = write(&nowhere, &surface_only(&octahedron())).unwrap_err();
        assert!(matches!(*error.problem, Problem::Io { action: "written", .. }));
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        std::fs::write(&path, "old").unwrap();
        let mut bad = surface_only(&octahedron());
        bad.triangles[5][1] = 7;
        let error = write(&path, &bad).unwrap_err();
        assert_eq!(error.place, Some(Location::Triangle(5)));
        bad.vertices[3].y = f64::NAN;
        assert_eq!(write(&path, &bad).unwrap_err().place, Some(Location::Vertex(3)));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn tetgen_needs_its_files() {
        assert!(matches!(*parse(b"", Format::TetGen).unwrap_err().problem, Problem::SeveralFiles));
    }
}
