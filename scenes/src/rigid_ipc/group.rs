//! Groups: in rigid-ipc bodies of one group pass through each other. Static and kinematic bodies are one group anyway, and
//! no contacts are sought between them here either; whoever shares a group with one of them shares it with all.

use std::collections::BTreeMap;

use drystone_engine::BodyKind;

use super::entry::Entry;
use super::error::{Feature, RigidIpcError};

/// Refuses groups of two or more bodies of which one is dynamic.
pub fn check<'a>(entries: impl Iterator<Item = &'a Entry>) -> Result<(), RigidIpcError> {
    let mut groups: BTreeMap<i64, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        if let Some(group) = entry.group {
            groups.entry(group).or_default().push(entry);
        }
    }
    for members in groups.values() {
        let parts = members.len() + members.iter().filter(|entry| entry.is_split).count();
        if let Some(dynamic) = members.iter().find(|entry| entry.kind == BodyKind::Dynamic && parts > 1) {
            return Err(RigidIpcError::at(format!("{}, group_id", dynamic.place), Feature::Group));
        }
    }
    Ok(())
}
