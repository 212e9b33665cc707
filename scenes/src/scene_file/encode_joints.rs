//! From the joints of a scene to the text of a scene file.

use drystone_engine::joint::{Axis, Motion, Motor};
use drystone_engine::{JointKind, Pose};

use super::encode::{entry, list, number, numbers, string};
use super::error::{SceneFileError, SceneFileProblem};
use super::joint_entry::coordinate_keys;
use crate::joint::{JointEnds, SceneJoint};
use crate::scene::Scene;

/// The joints with their frames exact.
pub fn text(scene: &Scene) -> Result<String, SceneFileError> {
    scene.joints.iter().map(|joint| one(joint, scene)).collect()
}

fn one(joint: &SceneJoint, scene: &Scene) -> Result<String, SceneFileError> {
    let mut text = String::from("\n[[joint]]\n");
    text += &entry("name", &string(&joint.name));
    text += &entry("kind", &string(joint.kind.name()));
    let missing = |key: &str| {
        let cure = "it names what the scene does not have; name bodies of the scene, and joints that come before it";
        SceneFileError::at(format!("joint {}, {key}", string(&joint.name)), SceneFileProblem::Keys(cure))
    };
    check_axes(joint)?;
    match &joint.ends {
        JointEnds::Bodies { a, b, frames } => {
            for (key, body) in [("a", *a), ("b", Some(*b))] {
                let Some(id) = body else { continue };
                let body = scene.bodies.get(id.index()).ok_or_else(|| missing(key))?;
                text += &entry(key, &string(&body.name));
            }
            let row = |f: &Pose| numbers(&[&f.translation.to_array()[..], &f.rotation.to_array()].concat());
            text += &entry("frames", &list(&[row(&frames[0]), row(&frames[1])]));
        }
        JointEnds::Joints { joints, ratio } => {
            let name = |place: usize| scene.joints.get(place).map(|joint| string(&joint.name));
            let names = joints.map(|place| name(place).ok_or_else(|| missing("joints")));
            text += &entry("joints", &list(&names.into_iter().collect::<Result<Vec<_>, _>>()?));
            text += &entry("ratio", &number(*ratio));
        }
    }
    for (key, axis) in coordinate_keys(joint.kind).iter().map(|&(key, place)| (key, &joint.axes[place])) {
        if axis.motion != Motion::Locked && (*axis != Axis::FREE || joint.kind == JointKind::SixDof) {
            text += &entry(key, &coordinate(axis));
        }
    }
    for (key, limit) in ["breaking_force", "breaking_torque"].into_iter().zip(joint.breaking) {
        if let Some(limit) = limit {
            text += &entry(key, &number(limit));
        }
    }
    Ok(text + &entry("collides", &joint.collides.to_string()))
}

/// # Errors
/// A coordinate that is not as the kind has it, where a file has no key for it.
fn check_axes(joint: &SceneJoint) -> Result<(), SceneFileError> {
    let keys = coordinate_keys(joint.kind);
    for (place, (axis, usual)) in joint.axes.iter().zip(joint.kind.axes()).enumerate() {
        let is_free = keys.iter().any(|&(_, own)| own == place);
        let is_locked_more = axis.motion == Motion::Locked && usual.motion != Motion::Locked;
        let is_kept = match joint.kind {
            JointKind::SixDof => axis.motion != Motion::Locked || *axis == Axis::LOCKED,
            _ => {
                if is_free {
                    !is_locked_more
                } else {
                    *axis == usual
                }
            }
        };
        if !is_kept {
            let cure = "its coordinates are not locked as in its kind; a six-dof joint has any that are";
            return Err(SceneFileError::at(format!("joint {}", string(&joint.name)), SceneFileProblem::Keys(cure)));
        }
    }
    Ok(())
}

fn coordinate(axis: &Axis) -> String {
    let mut keys = Vec::new();
    if let Motion::Limited { lower, upper } = axis.motion {
        keys.push(format!("limits = {}", numbers(&[lower, upper])));
    }
    if let Some(motor) = &axis.motor {
        keys.push(format!("motor = {}", table(&self::motor(motor))));
    }
    if axis.friction != 0.0 {
        keys.push(format!("friction = {}", number(axis.friction)));
    }
    table(&keys)
}

fn motor(motor: &Motor) -> Vec<String> {
    let values = match *motor {
        Motor::Velocity { target, max_force } => vec![("velocity", target), ("max_force", max_force)],
        Motor::Position { target, stiffness, damping, max_force } => {
            vec![("position", target), ("stiffness", stiffness), ("damping", damping), ("max_force", max_force)]
        }
        Motor::Spring { rest, stiffness, damping } => {
            vec![("rest", rest), ("stiffness", stiffness), ("damping", damping)]
        }
    };
    values.into_iter().map(|(key, value)| format!("{key} = {}", number(value))).collect()
}

fn table(keys: &[String]) -> String {
    if keys.is_empty() { "{}".into() } else { format!("{{ {} }}", keys.join(", ")) }
}
