//! Scenes of rigid-ipc: its own ones load and run or are refused for a known reason, keys mean what they mean there, and
//! damaged files do no harm.

mod damage;
mod meaning;
mod mistakes;
mod published;
mod tunnelling;
mod turntable;

use std::path::PathBuf;

/// The scenes and meshes that are kept here.
pub fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/rigid-ipc")
}
