//! Meshes of the section `asset`.

use std::path::{Path, PathBuf};

use drystone_engine::Pose;
use glam::DVec3;

use super::super::element::{Element, quoted, wrong};
use super::super::error::{TreeError, TreeProblem};
use super::super::model::{Mesh, MeshInertia, MeshSource};
use super::compiler::{Compiler, quaternion};
use super::default::Defaults;

const READ: [&str; 9] = ["name", "class", "file", "scale", "refpos", "refquat", "inertia", "vertex", "builtin"];

/// What is seen, and how MuJoCo looks for collisions.
const PASSED: [&str; 11] = [
    "smoothnormal",
    "maxhullvert",
    "octree_maxdepth",
    "content_type",
    "normal",
    "texcoord",
    "face",
    "material",
    "user",
    "params",
    "hfield",
];

/// The meshes of a model, by name.
#[derive(Debug, Default)]
pub struct Meshes(Vec<(String, Element, Mesh)>);

impl Meshes {
    /// Of all sections `asset`; names of files count from a folder.
    pub fn new(root: &Element, folder: &Path, compiler: &Compiler, defaults: &Defaults) -> Result<Self, TreeError> {
        let mut meshes = Self::default();
        for element in root.all("asset").flat_map(|asset| asset.all("mesh")) {
            let element = defaults.applied(element, "mesh", None)?;
            element.only(&[&READ, &PASSED])?;
            let (source, usual) = match element.text("file") {
                Some(file) => {
                    let file =
                        if compiler.strips_paths { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
                    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    (MeshSource::File(folder.join(&compiler.mesh_folder).join(file)), stem)
                }
                None => match points(&element)? {
                    Some(points) => (MeshSource::Points(points), String::new()),
                    // Not needed unless a geom asks for it.
                    None => continue,
                },
            };
            let name = element.text("name").unwrap_or(&usual).to_owned();
            if meshes.0.iter().any(|(known, ..)| *known == name) {
                return Err(element.error("name", TreeProblem::Repeated { what: "mesh", name: quoted(&name) }));
            }
            let mesh = mesh(&element, source)?;
            meshes.0.push((name, element, mesh));
        }
        Ok(meshes)
    }

    /// The mesh that a geom names.
    pub fn named(&self, geom: &Element) -> Result<Mesh, TreeError> {
        let name = geom.required("mesh")?;
        let found = self.0.iter().find(|(known, ..)| known == name);
        found.map(|(.., mesh)| mesh.clone()).ok_or_else(|| {
            let known =
                "give it in <asset> by a file (.obj or .stl); vertices in the model itself are not read".to_owned();
            geom.error("mesh", TreeProblem::Unknown { what: "mesh", name: quoted(name), known })
        })
    }

    /// The files of all of them.
    pub fn files(self) -> Vec<PathBuf> {
        let file = |mesh: Mesh| match mesh.source {
            MeshSource::File(path) => Some(path),
            MeshSource::Points(_) => None,
        };
        self.0.into_iter().filter_map(|(.., mesh)| file(mesh)).collect()
    }
}

/// The points of a mesh that stands in the model itself, without triangles.
fn points(element: &Element) -> Result<Option<Vec<DVec3>>, TreeError> {
    let Some(numbers) = element.numbers("vertex")? else { return Ok(None) };
    if element.text("face").is_some() {
        let cure = "remove face, so that the convex hull is taken, or give a file (.obj or .stl)";
        return Err(element.error("face", TreeProblem::unsupported("a mesh with its triangles in the model", cure)));
    }
    let (points, rest) = numbers.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(element.error("vertex", wrong("three numbers for each vertex", &numbers.len().to_string())));
    }
    Ok(Some(points.iter().map(|&point| DVec3::from_array(point)).collect()))
}

fn mesh(element: &Element, source: MeshSource) -> Result<Mesh, TreeError> {
    let scale = element.vector("scale")?.unwrap_or(DVec3::ONE);
    if scale.to_array().contains(&0.0) {
        return Err(element.error("scale", wrong("three numbers other than zero", &scale.to_string())));
    }
    let turn = quaternion(element, "refquat")?.unwrap_or_default().conjugate();
    let position = element.vector("refpos")?.unwrap_or_default();
    let words = [
        ("convex", Some(MeshInertia::Convex)),
        ("exact", Some(MeshInertia::Exact)),
        ("legacy", Some(MeshInertia::Pyramids)),
        ("shell", None),
    ];
    let inertia = element.word("inertia", &words, "convex, exact, legacy or shell")?;
    let Some(inertia) = inertia.unwrap_or(Some(MeshInertia::Pyramids)) else {
        let problem = TreeProblem::unsupported("the mass of a shell", "give an <inertial> to the bodies that have it");
        return Err(element.error("inertia", problem));
    };
    // Points are those of a convex solid, which all ways to take its mass agree about.
    let is_hull = matches!(source, MeshSource::Points(_));
    let inertia = if is_hull { MeshInertia::Convex } else { inertia };
    Ok(Mesh { source, scale, pose: Pose::from_parts(turn * -position, turn), inertia })
}
