//! The joints of a world in a soft step.

use super::super::World;
use super::super::joints::JointReaction;
use super::super::report::WorldReport;
use super::SoftState;
use crate::body::{Body, BodyKind, Pose};
use crate::handle::BodyHandle;
use crate::joint::{Coordinates, Joint, JointHandle};
use crate::soft_step::bodies::Mover;
use crate::soft_step::joints::{Coupled, JointBody, SoftJoint};
use glam::DVec3;

/// No body.
const NONE: u32 = u32::MAX;

impl World {
    /// Which bodies have joints; nothing at all without any.
    pub(super) fn note_joints(&self, state: &mut SoftState) {
        state.jointed.clear();
        if self.joints.is_empty() {
            return;
        }
        state.jointed.resize(self.bodies.len(), false);
        for joint in self.joints.joints() {
            for body in joint.bodies.into_iter().flatten().filter_map(|body| self.handles.index(body)) {
                state.jointed[body] = true;
            }
        }
    }

    /// The joints as solvers see them, in their order.
    pub(in crate::world) fn soft_joints(&self) -> impl Iterator<Item = SoftJoint> {
        let place = |body: Option<BodyHandle>| {
            body.and_then(|body| self.handles.index(body)).map_or(NONE, |index| index as u32)
        };
        self.joints.joints().iter().map(move |joint| SoftJoint {
            bodies: joint.bodies.map(place),
            frames: joint.frames,
            set: Coordinates::of(joint.kind),
            axes: joint.axes,
            coupled: joint.coupling.map(|coupling| Coupled {
                joints: coupling.joints.map(|handle| {
                    let place = self.joints.place(handle).unwrap_or(0);
                    (place as u32, self.joints.joints()[place].main_axis())
                }),
                ratio: coupling.ratio,
                offset: coupling.offset,
            }),
            coordinates: joint.coordinates,
            impulses: joint.impulses,
            solved: None,
            total: [DVec3::ZERO; 2],
        })
    }

    /// The joints as the solver sees them.
    pub(super) fn begin_joints(&self, state: &mut SoftState, poses: &[Pose]) {
        let SoftState { solver, jointed, bodies, .. } = state;
        let joints = &mut solver.joints;
        joints.joints.clear();
        joints.bodies.clear();
        joints.joints.extend(self.soft_joints());
        let own = |body: usize| joint_body(body, &bodies[body], &poses[body]);
        joints.bodies.extend((0..jointed.len()).filter(|&body| jointed[body]).map(own));
    }

    /// Wakes what joints tie to bodies that were written to or that move, as contacts do. Returns the islands.
    pub(super) fn islands_by_joints(&self, state: &SoftState, disturbs: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut islands = Vec::new();
        for joint in self.joints.joints() {
            let bodies = joint.bodies.map(|body| body.and_then(|body| self.handles.index(body)));
            if bodies.into_iter().flatten().any(&disturbs) {
                let asleep = bodies.into_iter().flatten().filter_map(|body| state.rests.get(body));
                islands.extend(asleep.map(|rest| rest.island).filter(|&island| island > 0));
            }
        }
        islands
    }

    /// Takes over what has come of the joints, and removes those that break.
    pub(in crate::world) fn end_joints(&mut self, ended: &[SoftJoint], report: &mut WorldReport) {
        let time_step = self.settings.step.time_step;
        report.joints.clear();
        report.broken_joints.clear();
        for (joint, solved) in self.joints.joints_mut().iter_mut().zip(ended) {
            if let Some((coordinates, impulses)) = solved.solved {
                (joint.coordinates, joint.impulses) = (coordinates, impulses);
                joint.reaction = solved.total.map(|total| total / time_step);
            }
        }
        let breaks = |joint: &Joint| {
            joint
                .breaking
                .iter()
                .zip(&joint.reaction)
                .any(|(limit, own)| limit.is_some_and(|limit| own.length() >= limit))
        };
        for (handle, joint) in self.joints.iter() {
            report.joints.push(JointReaction { joint: handle, force: joint.reaction[0], torque: joint.reaction[1] });
            if breaks(joint) {
                report.broken_joints.push(handle);
            }
        }
    }

    /// Removes the joints that have broken.
    pub(in crate::world) fn remove_broken(&mut self, broken: &[JointHandle]) {
        for &handle in broken {
            self.remove_joint(handle).ok();
        }
    }
}

/// A body as joints see it.
pub(in crate::world) fn joint_body(place: usize, body: &Body, pose: &Pose) -> JointBody {
    let motion = match body.kind() {
        BodyKind::Kinematic => [body.velocity, body.angular_velocity],
        _ => [DVec3::ZERO; 2],
    };
    JointBody { body: place as u32, pose: *pose, inertia: body.inertia(), motion }
}

impl SoftState {
    /// Whether a body has a joint.
    pub(super) fn is_jointed(&self, body: usize) -> bool {
        self.jointed.get(body).is_some_and(|&is| is)
    }

    /// The bodies of islands that joints tie to bodies that do not yield but move: they stay awake.
    pub(super) fn carried_by_joints(&self, movers: &[Mover], mut stays: impl FnMut(u32)) {
        for joint in &self.solver.joints.joints {
            for (own, other) in [(joint.bodies[0], joint.bodies[1]), (joint.bodies[1], joint.bodies[0])] {
                if own == NONE || other == NONE {
                    continue;
                }
                let (body, carrier) = (own as usize, other as usize);
                if movers[body].yields() && !movers[carrier].yields() && self.stirs[carrier] {
                    stays(own);
                }
            }
        }
    }
}
