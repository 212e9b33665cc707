//! The joints of a world: added, removed, read and changed by handles.

use super::{World, WorldError};
use crate::body::Pose;
use crate::handle::BodyHandle;
use crate::joint::coordinates::Placed;
use crate::joint::{AXES, Axis, Coordinates, Joint, JointError, JointHandle, JointKind, NewJoint};
use crate::pair_filter::unordered;
use glam::DVec3;

/// The force (N) and the torque about the frame on B (N m) on B, world axes: the mean over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointReaction {
    /// Which joint.
    pub joint: JointHandle,
    /// N.
    pub force: DVec3,
    /// N m.
    pub torque: DVec3,
}

impl World {
    /// Adds a joint. Its bodies do not collide with each other from now on, unless it says so; they wake.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::StaleJoint`] of a gear or rack, [`WorldError::OneBody`],
    /// [`WorldError::JointOfFixed`] if neither body is dynamic, [`WorldError::Joint`] for numbers that no joint has.
    pub fn add_joint(&mut self, new: NewJoint) -> Result<JointHandle, WorldError> {
        let mut joint = new.joint;
        joint.check().map_err(|source| WorldError::Joint { joint: None, source })?;
        for body in joint.bodies.into_iter().flatten() {
            self.index(body)?;
        }
        if let [Some(a), Some(b)] = joint.bodies
            && a == b
        {
            return Err(WorldError::OneBody(a));
        }
        for frame in &mut joint.frames {
            frame.rotation = frame.rotation.normalize();
        }
        if let Some(coupling) = &joint.coupling {
            let kinds = match joint.kind {
                JointKind::Rack => [JointKind::Hinge, JointKind::Slider],
                _ => [JointKind::Hinge; 2],
            };
            if coupling.joints[0] == coupling.joints[1] {
                return Err(WorldError::OneJoint(coupling.joints[0]));
            }
            let mut values = [0.0; 2];
            for ((handle, kind), value) in coupling.joints.into_iter().zip(kinds).zip(&mut values) {
                let own = self.joint(handle)?;
                if own.kind != kind {
                    let source = JointError::Coupling { kind: joint.kind, joint: handle, found: own.kind };
                    return Err(WorldError::Joint { joint: None, source });
                }
                *value = own.coordinates[own.main_axis()];
            }
            if let Some(coupling) = &mut joint.coupling {
                coupling.offset = values[1] - coupling.ratio * values[0];
            }
        } else {
            let is_dynamic = |body: &Option<BodyHandle>| {
                body.and_then(|body| self.handles.index(body)).is_some_and(|index| self.bodies[index].is_dynamic())
            };
            if !joint.bodies.iter().any(is_dynamic) {
                let body = joint.bodies.into_iter().flatten().next();
                return Err(body.map_or(WorldError::JointOfWorld, WorldError::JointOfFixed));
            }
            let poses = joint.bodies.map(|body| {
                body.and_then(|body| self.handles.index(body)).map_or(Pose::IDENTITY, |index| self.bodies[index].pose())
            });
            let placed = Placed::new([&poses[0], &poses[1]], &joint.frames);
            joint.coordinates = std::array::from_fn(|axis| placed.coordinate(Coordinates::of(joint.kind), axis, 0.0));
        }
        let handle = self.joints.insert(joint);
        self.joints_changed(handle);
        Ok(handle)
    }

    /// Removes a joint, with the gears and racks that couple it, and returns it.
    ///
    /// # Errors
    /// [`WorldError::StaleJoint`].
    pub fn remove_joint(&mut self, handle: JointHandle) -> Result<Joint, WorldError> {
        let place = self.joints.place(handle).ok_or(WorldError::StaleJoint(handle))?;
        self.joints_changed(handle);
        let (_, joint) = self.joints.remove(place);
        let coupled: Vec<JointHandle> = self
            .joints
            .iter()
            .filter(|(_, other)| other.coupling.is_some_and(|coupling| coupling.joints.contains(&handle)))
            .map(|(other, _)| other)
            .collect();
        for other in coupled {
            if let Some(place) = self.joints.place(other) {
                self.joints.remove(place);
            }
        }
        self.set_jointed();
        Ok(joint)
    }

    /// A joint.
    ///
    /// # Errors
    /// [`WorldError::StaleJoint`].
    pub fn joint(&self, handle: JointHandle) -> Result<&Joint, WorldError> {
        let place = self.joints.place(handle).ok_or(WorldError::StaleJoint(handle))?;
        Ok(&self.joints.joints()[place])
    }

    /// A joint, to change its motors, limits and friction; its bodies wake. A step refuses numbers that no joint has.
    ///
    /// # Errors
    /// [`WorldError::StaleJoint`].
    pub fn joint_mut(&mut self, handle: JointHandle) -> Result<&mut Joint, WorldError> {
        let place = self.joints.place(handle).ok_or(WorldError::StaleJoint(handle))?;
        self.joints_changed(handle);
        Ok(&mut self.joints.joints_mut()[place])
    }

    /// The joints in the order in which they were added.
    pub fn joints(&self) -> impl Iterator<Item = (JointHandle, &Joint)> {
        self.joints.iter()
    }

    /// The mean force (N) and torque about the frame on B (N m) on B in the last step, world axes.
    ///
    /// # Errors
    /// [`WorldError::StaleJoint`].
    pub fn joint_reaction(&self, handle: JointHandle) -> Result<[DVec3; 2], WorldError> {
        Ok(self.joint(handle)?.reaction)
    }

    /// Locks axes of the world along which, and about which, a dynamic body does not move from now on, in place of those that
    /// were locked; nothing is locked by `[false; 3]`.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::JointOfFixed`] for a body that is not dynamic.
    pub fn lock_axes(
        &mut self,
        body: BodyHandle,
        translations: [bool; 3],
        rotations: [bool; 3],
    ) -> Result<(), WorldError> {
        let index = self.index(body)?;
        if !self.bodies[index].is_dynamic() {
            return Err(WorldError::JointOfFixed(body));
        }
        if let Some(known) = self.lock_of(body) {
            self.remove_joint(known)?;
        }
        let mut axes = [Axis::FREE; AXES];
        for (axis, is_locked) in axes.iter_mut().zip(translations.into_iter().chain(rotations)) {
            *axis = if is_locked { Axis::LOCKED } else { Axis::FREE };
        }
        if axes.contains(&Axis::LOCKED) {
            let frames = [Pose::from_translation(self.bodies[index].position), Pose::IDENTITY];
            self.add_joint(NewJoint::new(JointKind::LockedAxes, None, body, frames, axes).with_collision(true))?;
        }
        Ok(())
    }

    /// The axes of the world along which, and about which, a body does not move.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn locked_axes(&self, body: BodyHandle) -> Result<[[bool; 3]; 2], WorldError> {
        self.index(body)?;
        let Some(joint) = self.lock_of(body) else { return Ok([[false; 3]; 2]) };
        let axes = &self.joint(joint)?.axes;
        Ok([0, 3].map(|first| std::array::from_fn(|k| axes[first + k] == Axis::LOCKED)))
    }

    fn lock_of(&self, body: BodyHandle) -> Option<JointHandle> {
        let is_lock =
            |(_, joint): &(JointHandle, &Joint)| joint.kind == JointKind::LockedAxes && joint.bodies[1] == Some(body);
        self.joints.iter().find(is_lock).map(|(handle, _)| handle)
    }

    /// Removes the joints of a body.
    pub(super) fn remove_joints_of(&mut self, body: BodyHandle) {
        let own: Vec<JointHandle> =
            self.joints.iter().filter(|(_, joint)| joint.bodies.contains(&Some(body))).map(|(own, _)| own).collect();
        for handle in own {
            // A gear may be gone with the first of its joints.
            if self.joints.place(handle).is_some() {
                self.remove_joint(handle).ok();
            }
        }
    }

    /// The bodies that a joint is about, those of the joints that it couples included.
    fn bodies_of(&self, joint: &Joint) -> Vec<usize> {
        let coupled = joint.coupling.iter().flat_map(|coupling| coupling.joints);
        let coupled = coupled.filter_map(|handle| self.joint(handle).ok()).flat_map(|own| own.bodies);
        joint.bodies.into_iter().chain(coupled).flatten().filter_map(|body| self.handles.index(body)).collect()
    }

    /// Wakes the bodies of a joint that is changed, and takes note of which pairs do not collide.
    fn joints_changed(&mut self, handle: JointHandle) {
        let bodies = self.joint(handle).map(|joint| self.bodies_of(joint)).unwrap_or_default();
        for body in bodies {
            self.soft.wake(body);
        }
        self.soft.note_change();
        self.set_jointed();
    }

    /// Which pairs do not collide because of a joint.
    pub(super) fn set_jointed(&mut self) {
        let pair = |joint: &Joint| match joint.bodies {
            [Some(a), Some(b)] if !joint.collides => Some(unordered(a, b)),
            _ => None,
        };
        let jointed = self.joints.joints().iter().filter_map(pair).collect();
        if self.jointed != jointed {
            self.jointed = jointed;
            self.soft.forget_pairs();
        }
    }

    /// # Errors
    /// [`WorldError::Joint`] for numbers that no joint has.
    pub(super) fn check_joints(&self) -> Result<(), WorldError> {
        for (handle, joint) in self.joints.iter() {
            joint.check().map_err(|source| WorldError::Joint { joint: Some(handle), source })?;
        }
        Ok(())
    }
}
