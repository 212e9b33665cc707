//! Worlds as bytes: a mark, a checksum, and the snapshot with the frames of the shapes.

use std::collections::BTreeMap;

use drystone_contact::Pose;
use drystone_contact::generator::Registry;
use drystone_engine::world::snapshot::Snapshot;
use drystone_engine::{BodyHandle, World};
use glam::{DQuat, DVec3};

use crate::failure::{Failure, Outcome};

/// What the bytes begin with: a name and the number of the form.
const MARK: &[u8] = b"drystone world 1\n";

/// Body frame → the frame in which the shape of a body was given, of bodies where these differ.
pub type Frames = BTreeMap<BodyHandle, Pose>;

/// The bytes of a world.
///
/// # Errors
/// [`Failure::World`] of a shape that cannot be stored.
pub fn to_bytes(world: &World, frames: &Frames) -> Outcome<Vec<u8>> {
    let frames: Vec<(u64, DVec3, DQuat)> =
        frames.iter().map(|(body, frame)| (body.to_bits(), frame.translation, frame.rotation)).collect();
    let body = postcard::to_stdvec(&(world.snapshot(), frames))
        .map_err(|error| Failure::World(format!("the world cannot be written: {error}")))?;
    let mut bytes = MARK.to_vec();
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// The world of such bytes, its method from a registry.
///
/// # Errors
/// [`Failure::World`] of other bytes.
pub fn from_bytes(bytes: &[u8], registry: &Registry) -> Outcome<(World, Frames)> {
    let damaged = |why: &str| Failure::World(format!("these bytes are no snapshot of a world of this version: {why}"));
    let rest = bytes.strip_prefix(MARK).ok_or_else(|| damaged("they begin in another way"))?;
    let (sum, body) = rest.split_first_chunk::<4>().ok_or_else(|| damaged("they end too soon"))?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return Err(damaged("they were changed or are incomplete"));
    }
    let (snapshot, frames): (Snapshot, Vec<(u64, DVec3, DQuat)>) =
        postcard::from_bytes(body).map_err(|error| damaged(&error.to_string()))?;
    let world = World::from_snapshot(&snapshot, registry).map_err(|error| Failure::World(error.to_string()))?;
    let frame = |(body, position, rotation)| (BodyHandle::from_bits(body), Pose::from_parts(position, rotation));
    Ok((world, frames.into_iter().map(frame).collect()))
}
