//! Links: their mass and what collides.

use std::path::{Path, PathBuf};

use drystone_engine::Pose;
use glam::{DMat3, DVec3};

use super::super::element::{Element, quoted, wrong};
use super::super::error::{TreeError, TreeProblem};
use super::super::mjcf::USUAL_FRICTION;
use super::super::model::{Form, Geom, Inertial, Link, Mesh, MeshInertia, MeshSource, Touch, Weight};
use super::super::note::Notes;
use super::origin;

/// The link of an element, at the origin of the world until its joint is known; mesh files count from a folder.
pub fn link(element: &Element, folder: &Path, notes: &mut Notes) -> Result<Link, TreeError> {
    element.only(&[&["name", "type"]])?;
    element.only_children(&[&["inertial", "collision", "visual"]])?;
    let geoms = element.all("collision").map(|collision| geom(collision, folder, notes));
    Ok(Link {
        name: element.required("name")?.to_owned(),
        place: element.place(""),
        parent: 0,
        pose: Pose::IDENTITY,
        joints: Vec::new(),
        inertial: element.one("inertial")?.map(inertial).transpose()?,
        geoms: geoms.collect::<Result<_, _>>()?,
        gravity_scale: 1.0,
    })
}

/// Of an element; a tensor of zeros is that of a point.
fn inertial(element: &Element) -> Result<Inertial, TreeError> {
    element.only(&[])?;
    element.only_children(&[&["origin", "mass", "inertia"]])?;
    let needed = |key: &str| {
        let missing = || element.error("", TreeProblem::Wrong(format!("it has no <{key}>; give one")));
        element.one(key)?.ok_or_else(missing)
    };
    let mass = needed("mass")?;
    mass.only(&[&["value"]])?;
    mass.required("value")?;
    let inertia = needed("inertia")?;
    inertia.only(&[&["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]])?;
    let entry = |key: &str| Ok::<f64, TreeError>(inertia.number(key)?.unwrap_or(0.0));
    let [xy, xz, yz] = [entry("ixy")?, entry("ixz")?, entry("iyz")?];
    let own = DMat3::from_cols(
        DVec3::new(entry("ixx")?, xy, xz),
        DVec3::new(xy, entry("iyy")?, yz),
        DVec3::new(xz, yz, entry("izz")?),
    );
    let pose = origin(element)?;
    let turn = DMat3::from_quat(pose.rotation);
    let value = mass.not_negative("value")?.unwrap_or_default();
    Ok(Inertial { mass: value, centre: pose.translation, inertia: turn * own * turn.transpose() })
}

fn geom(element: &Element, folder: &Path, notes: &mut Notes) -> Result<Geom, TreeError> {
    element.only(&[&["name", "group"]])?;
    element.only_children(&[&["origin", "geometry", "verbose", "contact_coefficients"]])?;
    if let Some(own) = element.one("contact_coefficients")? {
        notes.add(own, "", "was left out: URDF has no friction; that of MuJoCo's readers is taken");
    }
    let missing = || element.error("", TreeProblem::Wrong("it has no <geometry>; give one".into()));
    let geometry = element.one("geometry")?.ok_or_else(missing)?;
    geometry.only(&[])?;
    let [shape] = &geometry.children[..] else {
        let text = "it must hold one of <box>, <cylinder>, <sphere>, <capsule> and <mesh>";
        return Err(geometry.error("", TreeProblem::Wrong(text.into())));
    };
    Ok(Geom {
        name: element.text("name").unwrap_or_default().to_owned(),
        place: element.place(""),
        form: form(shape, folder)?,
        pose: origin(element)?,
        // The mass of a link is that of its <inertial>, and none without one.
        weight: Weight::Mass(0.0),
        touch: Touch { kind: 1, with: 1, priority: 0, dimensions: 3, friction: USUAL_FRICTION },
    })
}

fn form(shape: &Element, folder: &Path) -> Result<Form, TreeError> {
    let length = |key: &str| {
        shape.required(key)?;
        Ok::<f64, TreeError>(shape.positive(key)?.unwrap_or_default())
    };
    Ok(match shape.name.as_str() {
        "box" => {
            shape.only(&[&["size"]])?;
            shape.required("size")?;
            let size = shape.vector("size")?.unwrap_or_default();
            if size.min_element() <= 0.0 {
                return Err(shape.error("size", wrong("three lengths above zero", &size.to_string())));
            }
            Form::Box(0.5 * size)
        }
        "sphere" => {
            shape.only(&[&["radius"]])?;
            Form::Sphere(length("radius")?)
        }
        "cylinder" | "capsule" => {
            shape.only(&[&["radius", "length"]])?;
            let (radius, half) = (length("radius")?, 0.5 * length("length")?);
            if shape.name == "cylinder" { Form::Cylinder(radius, half) } else { Form::Capsule(radius, half) }
        }
        "mesh" => {
            shape.only(&[&["filename", "scale"]])?;
            let source = MeshSource::File(mesh_path(shape.required("filename")?, folder));
            let scale = shape.vector("scale")?.unwrap_or(DVec3::ONE);
            if scale.to_array().contains(&0.0) {
                return Err(shape.error("scale", wrong("three numbers other than zero", &scale.to_string())));
            }
            Form::Mesh(Mesh { source, scale, pose: Pose::IDENTITY, inertia: MeshInertia::Convex })
        }
        name => return Err(shape.error("", TreeProblem::UnknownElement(quoted(name)))),
    })
}

/// The path of a mesh file. What counts from a package is looked for in the folder of the model and in those above it.
pub fn mesh_path(name: &str, folder: &Path) -> PathBuf {
    if let Some(path) = name.strip_prefix("file://") {
        return PathBuf::from(path);
    }
    let Some(within) = name.strip_prefix("package://") else { return folder.join(name) };
    let without_package = within.split_once('/').map_or(within, |(_, path)| path);
    let candidates = folder.ancestors().flat_map(|above| [above.join(within), above.join(without_package)]);
    let found = candidates.into_iter().find(|path| path.is_file());
    found.unwrap_or_else(|| folder.join(without_package))
}
