//! URDF, the robot descriptions of ROS.

mod joint;
mod link;

use std::path::{Path, PathBuf};

use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::element::{Element, quoted};
use super::error::{TreeError, TreeProblem};
use super::folder;
use super::model::{Link, Model};
use super::note::Notes;
use joint::Edge;

/// Δt of a model, of which URDF says nothing: that of MuJoCo, s.
const TIME_STEP: f64 = 0.002;

/// What is only seen, or is about control.
const PASSED: [&str; 3] = ["material", "transmission", "sensor"];

/// The model of a file of which this is the root element.
pub fn model(root: &Element, path: &Path) -> Result<Model, TreeError> {
    root.only(&[&["name", "version"]])?;
    root.only_children(&[&["link", "joint", "gazebo", "mujoco"], &PASSED])?;
    let mut notes = Notes::default();
    for extension in root.children.iter().filter(|child| matches!(child.name.as_str(), "gazebo" | "mujoco")) {
        notes.add(extension, "", "was left out: extensions of other programs are not read");
    }
    let elements: Vec<&Element> = root.all("link").collect();
    let names = elements.iter().map(|link| link.required("name")).collect::<Result<Vec<_>, _>>()?;
    if let Some(twice) = (1..names.len()).find(|&k| names[..k].contains(&names[k])) {
        let problem = TreeProblem::Repeated { what: "link", name: quoted(names[twice]) };
        return Err(elements[twice].error("name", problem));
    }
    let edges = root.all("joint").map(|joint| Edge::new(joint, &names, &mut notes)).collect::<Result<Vec<_>, _>>()?;
    for (k, edge) in edges.iter().enumerate() {
        if edges[..k].iter().any(|other| other.child == edge.child) {
            let text = format!("the link \"{}\" has two parents; URDF has trees only", quoted(names[edge.child]));
            return Err(TreeError::new(edge.place.clone(), TreeProblem::Wrong(text)));
        }
    }
    let mut links = vec![Link::world("", root.place(""))];
    // The number of each link in the tree.
    let mut numbers: Vec<Option<usize>> = vec![None; names.len()];
    // From the roots, which are fixed to the world, outwards.
    let roots = (0..names.len()).filter(|&k| edges.iter().all(|edge| edge.child != k));
    let mut next: Vec<(usize, usize, Option<&Edge>)> = roots.map(|k| (k, 0, None)).collect();
    next.reverse();
    while let Some((k, parent, edge)) = next.pop() {
        numbers[k] = Some(links.len());
        let mut link = link::link(elements[k], folder(path), &mut notes)?;
        link.parent = parent;
        if let Some(edge) = edge {
            link.pose = edge.pose;
            link.joints.extend(edge.joint.clone());
        }
        let own = links.len();
        links.push(link);
        let children = edges.iter().filter(|edge| edge.parent == k).map(|edge| (edge.child, own, Some(edge)));
        next.extend(children.collect::<Vec<_>>().into_iter().rev());
    }
    if let Some(k) = numbers.iter().position(Option::is_none) {
        let text = "it hangs on itself: the joints above it make a loop; URDF has trees only";
        return Err(elements[k].error("", TreeProblem::Wrong(text.into())));
    }
    Ok(Model {
        name: root.text("name").unwrap_or_default().to_owned(),
        format: "URDF",
        gravity: DVec3::new(0.0, 0.0, -9.81),
        time_step: TIME_STEP,
        links,
        ties: Vec::new(),
        excluded: Vec::new(),
        parents_pass: true,
        has_contacts: true,
        notes,
    })
}

/// The files of meshes that collide.
pub fn files(root: &Element, path: &Path) -> Vec<PathBuf> {
    let collisions = root.all("link").flat_map(|link| link.all("collision"));
    let meshes = collisions.flat_map(|collision| collision.all("geometry")).flat_map(|geometry| geometry.all("mesh"));
    meshes.filter_map(|mesh| mesh.text("filename")).map(|name| link::mesh_path(name, folder(path))).collect()
}

/// The pose that an element gives in its child `origin`: turns of `rpy` about the fixed axes x, y, z, then a shift by `xyz`.
fn origin(element: &Element) -> Result<Pose, TreeError> {
    let Some(origin) = element.one("origin")? else { return Ok(Pose::IDENTITY) };
    origin.only(&[&["xyz", "rpy"]])?;
    let position = origin.vector("xyz")?.unwrap_or_default();
    let [roll, pitch, yaw] = origin.vector("rpy")?.unwrap_or_default().to_array();
    let turn = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll);
    Ok(Pose::from_parts(position, turn.normalize()))
}
