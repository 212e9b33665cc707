//! The joints of a world, by handles.

use super::Joint;
use serde::{Deserialize, Serialize};

/// A joint of a world. Handles are numbered in the order in which joints are added, and none is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JointHandle(pub(crate) u64);

impl JointHandle {
    /// The handle as a number, for programs in other languages.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The handle of [`JointHandle::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl std::fmt::Display for JointHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "joint {}", self.0)
    }
}

/// Joints in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct JointSet {
    next: u64,
    /// Ascending.
    handles: Vec<JointHandle>,
    joints: Vec<Joint>,
}

impl JointSet {
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Whether there never was any.
    pub fn is_new(&self) -> bool {
        self.next == 0
    }

    pub fn insert(&mut self, joint: Joint) -> JointHandle {
        let handle = JointHandle(self.next);
        self.next += 1;
        self.handles.push(handle);
        self.joints.push(joint);
        handle
    }

    /// The place of a joint; none of one that is not there.
    pub fn place(&self, handle: JointHandle) -> Option<usize> {
        self.handles.binary_search(&handle).ok()
    }

    pub fn remove(&mut self, place: usize) -> (JointHandle, Joint) {
        (self.handles.remove(place), self.joints.remove(place))
    }

    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    pub fn joints_mut(&mut self) -> &mut [Joint] {
        &mut self.joints
    }

    pub fn iter(&self) -> impl Iterator<Item = (JointHandle, &Joint)> {
        self.handles.iter().copied().zip(&self.joints)
    }

    /// Whether handles and joints fit together, as they do unless they come from a damaged file.
    pub fn is_consistent(&self) -> bool {
        self.handles.len() == self.joints.len()
            && self.handles.is_sorted_by(|a, b| a < b)
            && self.handles.last().is_none_or(|last| last.0 < self.next)
    }
}
