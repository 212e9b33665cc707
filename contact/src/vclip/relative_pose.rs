//! Where two polyhedra are in each other's frames.

use glam::{DMat3, DVec3};

use super::scalar::Motion;
use crate::Pose;

/// Where B is in the frame of A, and the other way: all that the search knows of the two poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePose {
    /// Points of A to the frame of B, points of B to that of A.
    pub(super) motions: [Motion; 2],
}

impl RelativePose {
    /// From the poses of A and B in the world.
    pub fn new(a: &Pose, b: &Pose) -> Self {
        let relative = a.inverse() * *b;
        Self::from_parts(DMat3::from_quat(relative.rotation), relative.translation)
    }

    /// From rotation and translation (m), which take the frame of B to that of A.
    pub fn from_parts(rotation: DMat3, translation: DVec3) -> Self {
        let turned_back = rotation.transpose();
        let back = -(turned_back * translation);
        Self { motions: [Motion::new(&turned_back, back), Motion::new(&rotation, translation)] }
    }

    /// The same with A and B exchanged.
    pub fn exchanged(&self) -> Self {
        let [there, here] = self.motions;
        Self { motions: [here, there] }
    }

    /// A rotation and a translation (m) that take the frame of B to that of A.
    pub fn parts(&self) -> (DMat3, DVec3) {
        let [x, y, z] = self.motions[0].rows.map(DVec3::from_array);
        (DMat3::from_cols(x, y, z), self.translation())
    }

    /// Where B's origin is in the frame of A, m.
    pub(super) fn translation(&self) -> DVec3 {
        DVec3::from_array(self.motions[1].translation)
    }

    /// A point of B's frame in the frame of A.
    pub fn point_of_b(&self, x: DVec3) -> DVec3 {
        DVec3::from_array(self.motions[1].point(x))
    }

    /// A point of A's frame in the frame of B.
    pub fn point_of_a(&self, x: DVec3) -> DVec3 {
        DVec3::from_array(self.motions[0].point(x))
    }

    /// A direction of B's frame in the frame of A.
    pub fn direction_of_b(&self, d: DVec3) -> DVec3 {
        DVec3::from_array(self.motions[1].direction(d))
    }

    /// A direction of A's frame in the frame of B.
    pub fn direction_to_b(&self, d: DVec3) -> DVec3 {
        DVec3::from_array(self.motions[0].direction(d))
    }
}
