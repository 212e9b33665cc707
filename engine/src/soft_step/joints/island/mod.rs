//! The joints of a batch in the substeps of a step.

mod beside;
mod contacts;
mod positions;
mod scratch;
mod substep;
mod system;

use super::body::Moving;
use super::contact::{HeavyManifold, Parting, Slot};
use super::node::{Node, Part, Phase, SIDES};
use super::{Coupled, JointBody, SoftJoint, SoftJoints};
use crate::joint::coordinates::Placed;
use crate::joint::{AXES, Axis, Motion, Motor};
use crate::soft_step::batches::NONE;
use crate::soft_step::bodies::Mover;
use crate::solver::global::block_cholesky::{Block, BlockCholesky};
use arrayvec::ArrayVec;
use glam::DVec3;
use scratch::{Moved, Scratch};
use system::{Pattern, Shared};

/// The joints of a batch.
#[derive(Debug, Default)]
pub struct JointIsland {
    /// Their places in the list of all.
    members: Vec<u32>,
    joints: Vec<SoftJoint>,
    /// A and B of each, by their places in `bodies`.
    sides: Vec<[usize; 2]>,
    bodies: Vec<Moving>,
    placed: Vec<Placed>,
    nodes: Vec<Node>,
    shared: Vec<Shared>,
    diagonal: Vec<Block>,
    /// The matrix, with the pairs of nodes that it was made for.
    matrix: Option<(Pattern, BlockCholesky)>,
    /// Which rows of each node are solved for in the factor, if there is one.
    masks: Vec<u8>,
    is_factorized: bool,
    /// Whether the blocks are those of the phase and of where the bodies are.
    assembled: Option<Phase>,
    has_contacts: bool,
    substep: f64,
    /// Contacts that are solved with the joints, their impulses, and what is added to these.
    pub manifolds: Vec<HeavyManifold>,
    pub slots: Vec<Slot>,
    pub contact_impulses: Vec<f64>,
    pub contact_changes: Vec<f64>,
    parting: Parting,
    /// Where the bodies move to.
    moved: Moved,
    scratch: Scratch,
}

impl JointIsland {
    /// Takes over the joints of a batch, with the manifolds that are there; `place` is that of a body that yields.
    pub fn begin(
        &mut self,
        all: &SoftJoints,
        members: impl Iterator<Item = u32>,
        movers: &[Mover],
        place: impl Fn(u32) -> usize,
        parting: Parting,
        (has_contacts, substep): (bool, f64),
    ) {
        self.parting = parting;
        (self.has_contacts, self.substep) = (has_contacts, substep);
        (self.is_factorized, self.assembled) = (false, None);
        self.take_joints(all, members, |own| {
            let mover = &movers[own.body as usize];
            let place = mover.yields().then(|| place(own.body));
            Moving::new(own, place, mover.inverse_mass)
        });
        self.add_manifolds(movers);
        self.make_matrix();
    }

    /// Joints, their bodies, and nodes for them.
    fn take_joints(
        &mut self,
        all: &SoftJoints,
        members: impl Iterator<Item = u32>,
        moving: impl Fn(&JointBody) -> Moving,
    ) {
        self.members.clear();
        self.members.extend(members);
        let Self { members, joints, sides, bodies, scratch: Scratch { named, .. }, .. } = self;
        named.clear();
        named.extend(members.iter().flat_map(|&joint| all.joints[joint as usize].bodies).filter(|&body| body != NONE));
        named.sort_unstable();
        named.dedup();
        bodies.clear();
        bodies.extend(named.iter().filter_map(|&body| all.body(body).map(&moving)));
        let world = bodies.len();
        bodies.push(Moving::world());
        let local = |body: u32| named.binary_search(&body).unwrap_or(world);
        let local_joint = |joint: u32| members.binary_search(&joint).unwrap_or(0) as u32;
        joints.clear();
        joints.extend(members.iter().map(|&joint| {
            let own = all.joints[joint as usize].clone();
            let coupled = own.coupled.map(|coupled| Coupled {
                joints: coupled.joints.map(|(joint, axis)| (local_joint(joint), axis)),
                ..coupled
            });
            SoftJoint { coupled, total: [DVec3::ZERO; 2], ..own }
        }));
        sides.clear();
        sides.extend(joints.iter().map(|joint| joint.bodies.map(local)));
        self.make_nodes();
    }

    fn make_nodes(&mut self) {
        self.nodes.clear();
        for (k, joint) in self.joints.iter().enumerate() {
            let mut bodies: ArrayVec<usize, SIDES> = ArrayVec::new();
            let sides: ArrayVec<[usize; 2], 2> = match &joint.coupled {
                None => std::iter::once(self.sides[k]).collect(),
                Some(coupled) => coupled.joints.iter().map(|&(joint, _)| self.sides[joint as usize]).collect(),
            };
            for side in sides.into_iter().flatten() {
                if !bodies.contains(&side) {
                    bodies.push(side);
                }
            }
            let is_soft = |motor: Option<Motor>| matches!(motor, Some(Motor::Position { .. } | Motor::Spring { .. }));
            if joint.axes.iter().any(|axis| {
                axis.motion != Motion::Free || axis.friction > 0.0 || (axis.motor.is_some() && !is_soft(axis.motor))
            }) {
                self.nodes.push(Node::new(k, Part::Hard, bodies.clone()));
            }
            if joint.axes.iter().any(|axis| is_soft(axis.motor)) {
                self.nodes.push(Node::new(k, Part::Soft, bodies));
            }
        }
    }

    /// The joints where the bodies are.
    pub fn place(&mut self) {
        let Self { joints, sides, bodies, placed, .. } = self;
        placed.clear();
        placed.extend(
            joints
                .iter()
                .zip(sides.iter())
                .map(|(joint, sides)| Placed::new(sides.map(|side| &bodies[side].pose), &joint.frames)),
        );
        let (mut near, mut there) = (std::mem::take(&mut self.scratch.near), std::mem::take(&mut self.scratch.there));
        near.clear();
        near.extend(self.joints.iter().map(|joint| joint.coordinates));
        there.clone_from(&near);
        self.coordinates_at(&self.placed, &near, &mut there);
        for (joint, &coordinates) in self.joints.iter_mut().zip(&there) {
            joint.coordinates = coordinates;
        }
        (self.scratch.near, self.scratch.there) = (near, there);
        self.assembled = None;
    }

    /// The coordinates of all joints; angles are counted on from where they were.
    pub(super) fn coordinates_at(&self, placed: &[Placed], near: &[[f64; AXES]], coordinates: &mut [[f64; AXES]]) {
        for (k, joint) in self.joints.iter().enumerate().filter(|(_, joint)| joint.coupled.is_none()) {
            for axis in 0..AXES {
                // A rack asks for the displacement of a slider, which is free.
                if joint.axes[axis] != Axis::FREE || joint.set.is_counted(axis) || axis == 0 {
                    coordinates[k][axis] = placed[k].coordinate(joint.set, axis, near[k][axis]);
                }
            }
        }
        for (k, joint) in self.joints.iter().enumerate() {
            if let Some(Coupled { joints, ratio, offset }) = &joint.coupled {
                let [first, second] = joints.map(|(joint, axis)| coordinates[joint as usize][axis]);
                coordinates[k][0] = second - ratio * first - offset;
            }
        }
    }

    /// The joints as they are after the step, with their places in the list of all.
    pub fn finish(&mut self) -> impl Iterator<Item = (u32, &SoftJoint)> {
        for (joint, placed) in self.joints.iter_mut().zip(&self.placed).filter(|(joint, _)| joint.coupled.is_none()) {
            for axis in 0..AXES {
                joint.coordinates[axis] = placed.coordinate(joint.set, axis, joint.coordinates[axis]);
            }
        }
        self.members.iter().copied().zip(&self.joints)
    }

    /// Which bodies, by their places in the batch of so many, are those that joints move. The list is to be given back.
    pub fn take_marks(&mut self, count: usize) -> Vec<bool> {
        let mut is_jointed = std::mem::take(&mut self.scratch.is_jointed);
        is_jointed.clear();
        is_jointed.resize(count, false);
        for place in self.bodies.iter().filter(|body| !body.is_visitor).filter_map(|body| body.place) {
            is_jointed[place] = true;
        }
        is_jointed
    }

    /// See [`JointIsland::take_marks`].
    pub fn give_back(&mut self, is_jointed: Vec<bool>) {
        self.scratch.is_jointed = is_jointed;
    }
}
