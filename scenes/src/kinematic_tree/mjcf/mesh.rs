//! Meshes of the section `asset`.

use std::path::{Path, PathBuf};

use drystone_engine::Pose;
use glam::DVec3;

use super::super::element::{Element, quoted, wrong};
use super::super::error::{TreeError, TreeProblem};
use super::super::model::{Mesh, MeshInertia};
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
            let Some(file) = element.text("file") else {
                // Not needed unless a geom asks for it.
                continue;
            };
            let file = if compiler.strips_paths { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
            let path = folder.join(&compiler.mesh_folder).join(file);
            let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = element.text("name").unwrap_or(&stem).to_owned();
            if meshes.0.iter().any(|(known, ..)| *known == name) {
                return Err(element.error("name", TreeProblem::Repeated { what: "mesh", name: quoted(&name) }));
            }
            let mesh = mesh(&element, path)?;
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
        self.0.into_iter().map(|(.., mesh)| mesh.path).collect()
    }
}

fn mesh(element: &Element, path: PathBuf) -> Result<Mesh, TreeError> {
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
    Ok(Mesh { path, scale, pose: Pose::from_parts(turn * -position, turn), inertia })
}
