//! Snapshots and forces in a recording: the state from which a replay goes on.

use glam::DVec3;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::world::{BodyHandle, Snapshot, World, WorldError};

/// Why a recording holds a snapshot at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SnapshotReason {
    /// The recording begins here.
    Start,
    /// Many steps have passed since the last one; the steps lead here by themselves.
    Keyframe,
    /// The world was changed between two steps.
    Edit,
}

/// The content of a snapshot frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Why it is there.
    pub reason: SnapshotReason,
    /// The world.
    pub world: Snapshot,
}

/// Force (N) and torque about the centre of mass (N m) on a body for the next step, world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// The place of the body in [`World::handles`].
    pub body: u32,
    /// N.
    pub force: DVec3,
    /// N m.
    pub torque: DVec3,
}

/// The forces of a snapshot for the next step, which are left at zero in it: body by body, those that are zero left out.
pub(super) fn take_forces(snapshot: &mut Snapshot) -> Vec<Push> {
    let mut pushes = Vec::new();
    for (body, record) in (0..).zip(&mut snapshot.bodies) {
        let (force, torque) = (std::mem::take(&mut record.force), std::mem::take(&mut record.torque));
        if (force, torque) != (DVec3::ZERO, DVec3::ZERO) {
            pushes.push(Push { body, force, torque });
        }
    }
    pushes
}

/// Puts forces on the bodies of a world that has none.
///
/// # Errors
/// Those of [`World::apply_force`]; `None` for a body that is not there.
pub(super) fn push(world: &mut World, pushes: &[Push]) -> Result<(), Option<WorldError>> {
    for push in pushes {
        let handle: BodyHandle = world.handles().get(push.body as usize).copied().ok_or(None)?;
        world.apply_force(handle, push.force)?;
        world.apply_torque(handle, push.torque)?;
    }
    Ok(())
}

/// The bytes of a value. The format, postcard, keeps all bits of a number.
///
/// # Errors
/// A value that the format cannot hold.
pub(super) fn encode(value: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_stdvec(value)
}

/// The value of bytes, all of which belong to it; or what is wrong with them.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("{} bytes follow what it should hold", rest.len())),
        Err(error) => Err(format!("its content cannot be read: {error}")),
    }
}
