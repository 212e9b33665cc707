//! Joints: constraints between two bodies, or a body and the world.
//!
//! A joint has a frame on each of its bodies, A and B. What moves of B's frame against A's is described by up to six
//! [coordinates](coordinates), each of which is an [`Axis`]: free, locked at zero, or within limits, with a motor and friction. The kinds
//! differ in which coordinates they have and which are locked; see [`JointKind`].
//!
//! Forces of a motor, limits, and reactions act on B, with the opposite on A.

mod axis;
pub(crate) mod coordinates;
mod error;
mod new_joint;
mod set;

pub use axis::{Axis, Motion, Motor};
pub use coordinates::Coordinates;
pub use error::JointError;
pub use new_joint::NewJoint;
pub use set::JointHandle;
pub(crate) use set::JointSet;

use crate::body::Pose;
use crate::handle::BodyHandle;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Coordinates of a joint at most.
pub const AXES: usize = 6;

/// The kinds of joints. `x`, `y`, `z` are axes of the frames, which coincide where all coordinates are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// Nothing moves.
    Fixed,
    /// Turns about x.
    Hinge,
    /// Slides along x.
    Slider,
    /// Turns about a point.
    Ball,
    /// Turns about A's x and B's z, which stay at right angles (Hooke's or Cardan's joint).
    Universal,
    /// Turns about a point; the angle between the x axes, and the twist about them, are limited.
    ConeTwist,
    /// Each of the six coordinates is free, locked or limited.
    SixDof,
    /// The distance of the two origins is fixed, or within limits.
    Distance,
    /// The distance of the two origins is at most the length.
    Rope,
    /// A spring between the two origins.
    Spring,
    /// The angles of two hinges stay in a ratio.
    Gear,
    /// The angle of a hinge and the displacement of a slider stay in a ratio.
    Rack,
    /// Axes of the world along and about which a body does not move.
    LockedAxes,
}

impl JointKind {
    /// The name in scene files, as that of serde: `"six-dof"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Ball => "ball",
            Self::Universal => "universal",
            Self::ConeTwist => "cone-twist",
            Self::SixDof => "six-dof",
            Self::Distance => "distance",
            Self::Rope => "rope",
            Self::Spring => "spring",
            Self::Gear => "gear",
            Self::Rack => "rack",
            Self::LockedAxes => "locked-axes",
        }
    }

    /// Which coordinates a joint of this kind has locked; the others are free, without motor and friction. Those of [`JointKind::SixDof`] and
    /// [`JointKind::LockedAxes`] are all free.
    pub const fn axes(self) -> [Axis; AXES] {
        const fn locked(which: [bool; AXES]) -> [Axis; AXES] {
            let mut axes = [Axis::FREE; AXES];
            let mut axis = 0;
            while axis < AXES {
                if which[axis] {
                    axes[axis] = Axis::LOCKED;
                }
                axis += 1;
            }
            axes
        }
        match self {
            Self::Fixed => [Axis::LOCKED; AXES],
            Self::Hinge => locked([true, true, true, false, true, true]),
            Self::Slider => locked([false, true, true, true, true, true]),
            Self::Ball | Self::ConeTwist => locked([true, true, true, false, false, false]),
            Self::Universal => locked([true, true, true, false, true, false]),
            Self::Gear | Self::Rack => locked([true, false, false, false, false, false]),
            Self::SixDof | Self::Distance | Self::Rope | Self::Spring | Self::LockedAxes => [Axis::FREE; AXES],
        }
    }
}

/// Two joints whose first free coordinates are coupled: second = ratio · first + offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coupling {
    /// A hinge, and a hinge (gear) or a slider (rack).
    pub joints: [JointHandle; 2],
    /// Dimensionless (gear), or m per rad (rack).
    pub ratio: f64,
    /// rad or m.
    pub offset: f64,
}

/// Poses as positions and quaternions.
mod poses {
    use super::{DQuat, DVec3, Pose};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(poses: &[Pose; 2], to: S) -> Result<S::Ok, S::Error> {
        poses.map(|pose| (pose.translation, pose.rotation)).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<[Pose; 2], D::Error> {
        let poses: [(DVec3, DQuat); 2] = Deserialize::deserialize(from)?;
        Ok(poses.map(|(position, rotation)| Pose::from_parts(position, rotation)))
    }
}

/// A joint of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    pub(crate) kind: JointKind,
    /// A and B; the world where there is none.
    pub(crate) bodies: [Option<BodyHandle>; 2],
    /// In the body frames of A and B, or in the world frame.
    #[serde(with = "poses")]
    pub(crate) frames: [Pose; 2],
    pub(crate) coupling: Option<Coupling>,
    /// What each coordinate does. Motors, limits and friction may be changed at any time; which coordinates are locked is part of the kind.
    pub axes: [Axis; AXES],
    /// The force (N) and the torque (N m) from which on the joint breaks: the mean of the reaction over a step. None for never.
    pub breaking: [Option<f64>; 2],
    /// Whether its bodies collide with each other.
    pub collides: bool,
    /// The coordinates after the last step, angles counted on over full turns.
    pub(crate) coordinates: [f64; AXES],
    /// Impulses of the last substep, those of locks and limits first, then those of springs.
    pub(crate) impulses: [[f64; AXES]; 2],
    /// Force (N) and torque (N m) on B in the last step.
    pub(crate) reaction: [DVec3; 2],
}

impl Joint {
    /// Its kind.
    pub fn kind(&self) -> JointKind {
        self.kind
    }

    /// A and B; the world where there is none.
    pub fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.bodies
    }

    /// The frames of the joint in the body frames of A and B (in the world frame where there is no body), m.
    pub fn frames(&self) -> [Pose; 2] {
        self.frames
    }

    /// The joints that it couples, of a gear or a rack.
    pub fn coupling(&self) -> Option<Coupling> {
        self.coupling
    }

    /// The coordinates after the last step, m and rad: see [`Coordinates`] for what they are. Angles are counted on over full turns.
    pub fn coordinates(&self) -> [f64; AXES] {
        self.coordinates
    }

    /// The mean force (N) and torque about B's frame (N m) on B in the last step, world axes.
    pub fn reaction(&self) -> [DVec3; 2] {
        self.reaction
    }

    /// Which coordinates it has.
    pub fn set_of_coordinates(&self) -> Coordinates {
        Coordinates::of(self.kind)
    }

    /// The coordinate that gears, racks and [`Joint::set_motor`] are about: the first one that is not locked.
    pub fn main_axis(&self) -> usize {
        self.axes.iter().position(|axis| axis.motion != Motion::Locked).unwrap_or(0)
    }

    /// Gives the main coordinate a motor, or takes it away.
    ///
    /// # Errors
    /// [`JointError`] for numbers that no motor has.
    pub fn set_motor(&mut self, motor: Option<Motor>) -> Result<(), JointError> {
        let axis = self.main_axis();
        let changed = Axis { motor, ..self.axes[axis] };
        changed.check(axis)?;
        self.axes[axis] = changed;
        Ok(())
    }

    /// # Errors
    /// [`JointError`] for numbers that no joint has.
    pub(crate) fn check(&self) -> Result<(), JointError> {
        let names = ["frame on A", "frame on B"];
        for (frame, name) in self.frames.iter().zip(names) {
            let length = frame.rotation.length();
            let is_unit = (length - 1.0).abs() <= crate::body::UNIT_QUATERNION_TOLERANCE;
            if !(frame.translation.is_finite() && is_unit) {
                return Err(JointError::Frame { name });
            }
        }
        for (k, axis) in self.axes.iter().enumerate() {
            axis.check(k)?;
        }
        for (limit, quantity) in self.breaking.iter().zip(["breaking force", "breaking torque"]) {
            if let Some(value) = *limit
                && (value.is_nan() || value <= 0.0)
            {
                return Err(JointError::NotPositive { quantity, value });
            }
        }
        if let Some(Coupling { ratio, offset, .. }) = self.coupling
            && !(ratio.is_finite() && ratio != 0.0 && offset.is_finite())
        {
            return Err(JointError::Ratio { ratio });
        }
        Ok(())
    }

    /// Whether all numbers that steps have written are finite.
    pub(crate) fn state_is_finite(&self) -> bool {
        let mut numbers = self.coordinates.iter().chain(self.impulses.iter().flatten());
        numbers.all(|x| x.is_finite()) && self.reaction.iter().all(|vector| vector.is_finite())
    }
}

/// A frame whose x axis has a direction (of any length above zero), at a point; the other axes follow from it alone.
pub fn frame_along(point: DVec3, x: DVec3) -> Pose {
    let x = x.normalize_or(DVec3::X);
    // The axis of the world that x is least along.
    let least = if x.x.abs() <= x.y.abs() && x.x.abs() <= x.z.abs() {
        DVec3::X
    } else if x.y.abs() <= x.z.abs() {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let y = (least - x * x.dot(least)).normalize();
    let rotation = DQuat::from_mat3(&glam::DMat3::from_cols(x, y, x.cross(y)));
    Pose::from_parts(point, rotation.normalize())
}

/// A frame at a point (m) whose x axis has the direction of the first vector and whose z axis is at right angles to it, as far as that allows along the
/// second one; their lengths do not matter.
pub fn frame_across(point: DVec3, [x, z]: [DVec3; 2]) -> Pose {
    let x = x.normalize_or(DVec3::X);
    let z = (z - x * x.dot(z)).normalize_or(frame_along(DVec3::ZERO, x).rotation * DVec3::Z);
    let rotation = DQuat::from_mat3(&glam::DMat3::from_cols(x, z.cross(x), z));
    Pose::from_parts(point, rotation.normalize())
}
