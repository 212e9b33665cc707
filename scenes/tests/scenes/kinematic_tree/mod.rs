//! Models in MJCF and URDF: elements mean what they mean there, both formats make the same scene, joints move as mechanics says, and
//! what cannot be read is refused with a place and a cure.

mod arm;
mod damage;
mod mass;
mod meaning;
mod mistakes;
mod motion;
mod urdf;

use std::path::PathBuf;

use drystone_scenes::kinematic_tree::{TreeScene, parse};
use drystone_scenes::scene::SceneBody;

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A model with this inside `<mujoco>`.
fn mjcf(content: &str) -> TreeScene {
    parse(&format!("<mujoco>{content}</mujoco>"), data().join("mjcf/model.xml")).unwrap()
}

fn body<'a>(read: &'a TreeScene, name: &str) -> &'a SceneBody {
    let names = || read.scene.bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>();
    read.scene.bodies.iter().find(|body| body.name == name).unwrap_or_else(|| panic!("no {name} in {:?}", names()))
}
