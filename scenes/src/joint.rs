//! Joints between bodies of a scene.

use drystone_engine::joint::{AXES, Axis};
use drystone_engine::{BodyHandle, BodyId, JointHandle, JointKind, NewJoint, Pose, World, WorldError};

use crate::scene::Scene;

/// A joint of a scene between body A, or the world, and body B; or a coupling of two other joints.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneJoint {
    /// How people call it.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// What it ties.
    pub ends: JointEnds,
    /// What each coordinate does.
    pub axes: [Axis; AXES],
    /// The force (N) and the torque (N m) from which on it breaks.
    pub breaking: [Option<f64>; 2],
    /// Whether its bodies collide with each other.
    pub collides: bool,
}

/// What a joint ties.
#[derive(Clone, Debug, PartialEq)]
pub enum JointEnds {
    /// Two bodies, or the world and a body.
    Bodies {
        /// A; the world if none.
        a: Option<BodyId>,
        /// B.
        b: BodyId,
        /// The frames in the body frames of A and B; in the world frame where there is no A.
        frames: [Pose; 2],
    },
    /// Two joints of the scene that come before it, by a gear or rack.
    Joints {
        /// Their places in the scene's list.
        joints: [usize; 2],
        /// How far the second one moves by the first one: dimensionless, or m per rad.
        ratio: f64,
    },
}

/// Why a world does not take a joint of a scene.
#[derive(Debug, thiserror::Error)]
pub enum SceneJointError {
    /// A joint of bodies that are not there.
    #[error("it ties body {body} of {bodies}; name bodies of the scene")]
    NoBody {
        /// The place of the body.
        body: usize,
        /// How many there are.
        bodies: usize,
    },
    /// A gear or rack before its joints.
    #[error(
        "it couples joint {joint}, which is not among the {before} before it; put it after the joints that it couples"
    )]
    NotBefore {
        /// The place of the joint.
        joint: usize,
        /// How many joints come before it.
        before: usize,
    },
    /// The world refuses it.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// Adds the joints of a scene to the world of its bodies, in their order. An error comes with the joint that it is about.
///
/// # Errors
/// See [`SceneJointError`].
pub fn add_joints<'a>(
    world: &mut World,
    scene: &'a Scene,
    bodies: &[BodyHandle],
) -> Result<Vec<JointHandle>, (&'a SceneJoint, SceneJointError)> {
    let mut handles: Vec<JointHandle> = Vec::with_capacity(scene.joints.len());
    for joint in &scene.joints {
        let added = new_joint(joint, bodies, &handles).and_then(|new| Ok(world.add_joint(new)?));
        handles.push(added.map_err(|error| (joint, error))?);
    }
    Ok(handles)
}

fn new_joint(joint: &SceneJoint, bodies: &[BodyHandle], before: &[JointHandle]) -> Result<NewJoint, SceneJointError> {
    let new = match joint.ends {
        JointEnds::Bodies { a, b, frames } => {
            let handle = |id: BodyId| {
                let missing = SceneJointError::NoBody { body: id.index(), bodies: bodies.len() };
                bodies.get(id.index()).copied().ok_or(missing)
            };
            NewJoint::new(joint.kind, a.map(handle).transpose()?, handle(b)?, frames, joint.axes)
        }
        JointEnds::Joints { joints, ratio } => {
            let handle = |place: usize| {
                let missing = SceneJointError::NotBefore { joint: place, before: before.len() };
                before.get(place).copied().ok_or(missing)
            };
            let [first, second] = [handle(joints[0])?, handle(joints[1])?];
            match joint.kind {
                JointKind::Rack => NewJoint::rack(first, second, ratio),
                _ => NewJoint::gear(first, second, ratio),
            }
        }
    };
    Ok(new.with_breaking(joint.breaking[0], joint.breaking[1]).with_collision(joint.collides))
}
