//! Joints in a soft step.
//!
//! In each substep all joints of a batch are solved at once, by a sparse Cholesky factorization of J M⁻¹ Jᵀ: in time that grows in proportion to the
//! length of chains and trees, and whatever the ratios of masses ([`island`]). Locks are held at the level of positions (SHAKE: impulses along
//! the gradients where a substep begins hold the coordinates where it ends), and velocities are projected there (RATTLE; H. Andersen, J.
//! Comput. Phys. 52, 1983), which is symplectic and of second order. Motors, friction and limits are rows of the same system
//! whose impulses have bounds ([`row`]); an active set says which of them are reached. Bodies turn freely between impulses by the
//! implicit mid-point rule, with their angular momentum ([`body`]).

mod body;
pub mod contact;
mod island;
mod node;
mod row;

pub use body::JointBody;
pub use island::JointIsland;

use super::batches::NONE;
use crate::body::Pose;
use crate::joint::coordinates::Coordinates;
use crate::joint::{AXES, Axis};
use glam::DVec3;

/// A coordinate of another joint, for gears and racks.
#[derive(Clone, Copy, Debug)]
pub struct Coupled {
    /// The places of the joints in the list, and which coordinates.
    pub joints: [(u32, usize); 2],
    pub ratio: f64,
    /// rad or m.
    pub offset: f64,
}

/// A joint of a soft step.
#[derive(Clone, Debug)]
pub struct SoftJoint {
    /// A and B by their places in the list of bodies; [`NONE`] for the world.
    pub bodies: [u32; 2],
    pub frames: [Pose; 2],
    pub set: Coordinates,
    pub axes: [Axis; AXES],
    pub coupled: Option<Coupled>,
    /// Where the step begins.
    pub coordinates: [f64; AXES],
    /// Of a substep: of locks, limits, friction and motors that keep a velocity; of springs and motors that keep a position.
    pub impulses: [[f64; AXES]; 2],
    /// Coordinates and impulses where the step has ended; none before, and of joints between bodies that do not yield.
    pub solved: Option<([f64; AXES], [[f64; AXES]; 2])>,
    /// The impulse (N s) and its moment about B's frame (N m s) on B in the whole step, once it is solved.
    pub total: [DVec3; 2],
}

/// Joints in a soft step with the bodies that they are on.
#[derive(Debug, Default)]
pub struct SoftJoints {
    pub joints: Vec<SoftJoint>,
    /// In ascending order.
    pub bodies: Vec<JointBody>,
}

impl SoftJoints {
    /// The bodies of a joint, those of the joints that it couples included.
    pub fn bodies_of(&self, joint: usize) -> [u32; 4] {
        let own = &self.joints[joint];
        match &own.coupled {
            None => [own.bodies[0], own.bodies[1], NONE, NONE],
            Some(coupled) => {
                let [[a, b], [c, d]] = coupled.joints.map(|(joint, _)| self.joints[joint as usize].bodies);
                [a, b, c, d]
            }
        }
    }

    /// What is known of a body.
    pub(super) fn body(&self, body: u32) -> Option<&JointBody> {
        self.bodies.binary_search_by_key(&body, |own| own.body).ok().map(|place| &self.bodies[place])
    }
}
