//! A mesh in rigid motion, seen as one whose vertices go straight, and a bound on the difference.
//!
//! *Deviation.* Let a point be at p(s), 0 ≤ s ≤ 1, r from the axis of rotation, and turn by φ ≤ 2π. Across the axis it
//! runs on a circle (the components along the axis and of the centre's motion are linear in s), and its distance from
//! the point (1 − s) p(0) + s p(1) on the chord is r |e^{isφ} − (1 − s) − s e^{iφ}|. That is largest in the middle,
//! r (1 − cos φ/2); for larger φ both points are within r of the axis, so 2 r holds always.
//!
//! *Faces and edges.* A point inside is Σ λᵢ pᵢ(s) with constant λᵢ ≥ 0, Σ λᵢ = 1; the point on the face whose corners
//! go straight is the same sum of the chords. So it deviates by Σ λᵢ (deviation of corner i) at most, no more than the
//! corner that is farthest from the axis.

use super::NonlinearRigidMotion;
use crate::Bounds;
use crate::ccd::mesh::Topology;
use glam::DVec3;

/// Positions of vertices err by less than this share of the largest coordinate: a rotation by a quaternion and a sum, at
/// most some twenty roundings, for each of two meshes; and again for every radian that a mesh has turned, since an angle
/// is known to a share of itself.
pub const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How far a point `arm` (m) from the axis gets from its chord while it turns by `angle` (rad), rounded up, m.
fn deviation(arm: f64, angle: f64) -> f64 {
    let bound = if angle <= std::f64::consts::TAU {
        // 1 − cos φ/2 without cancellation.
        let sine = libm::sin(0.25 * angle);
        2.0 * sine * sine
    } else {
        2.0
    };
    arm * bound * (1.0 + ROUNDING)
}

/// A mesh in rigid motion.
#[derive(Clone, Copy, Debug)]
pub struct RigidMesh<'a> {
    topology: &'a Topology,
    vertices: &'a [DVec3],
    motion: NonlinearRigidMotion,
    /// The largest distance of a vertex from the axis, m; 0 without rotation.
    arm: f64,
}

impl<'a> RigidMesh<'a> {
    /// A mesh with its vertices in the body frame, m.
    pub fn new(topology: &'a Topology, vertices: &'a [DVec3], motion: NonlinearRigidMotion) -> Self {
        let speed = motion.angular_velocity.length();
        let arm = if motion.angle() > 0.0 {
            let axis = motion.angular_velocity / speed;
            let arms = vertices.iter().map(|&v| axis.cross(motion.pose.rotation * v).length());
            arms.fold(0.0, f64::max) * (1.0 + ROUNDING)
        } else {
            0.0
        };
        Self { topology, vertices, motion, arm }
    }

    /// Its vertices, edges and faces.
    pub fn topology(&self) -> &'a Topology {
        self.topology
    }

    /// The vertices in the body frame, m.
    pub fn vertices(&self) -> &'a [DVec3] {
        self.vertices
    }

    /// How it moves.
    pub fn motion(&self) -> &NonlinearRigidMotion {
        &self.motion
    }

    /// The positions of all vertices after the fraction `s` of the time, world frame, m.
    pub fn positions(&self, s: f64) -> Vec<DVec3> {
        let pose = self.motion.at(s);
        self.vertices.iter().map(|&v| pose.transform_point(v)).collect()
    }

    /// How far positions are off, as a share of the largest coordinate.
    pub fn rounding(&self) -> f64 {
        ROUNDING * (1.0 + self.motion.angle())
    }

    /// How far points of the mesh get from their chords in an interval of this fraction of the motion, at most, m.
    pub fn deviation(&self, interval: f64) -> f64 {
        deviation(self.arm, interval * self.motion.angle())
    }

    /// A box around all positions of the mesh in the motion, m; `None` without vertices.
    pub fn swept_bounds(&self) -> Option<Bounds> {
        let ends = Bounds::around(self.positions(0.0).into_iter().chain(self.positions(1.0)))?;
        Some(ends.grown(self.deviation(1.0) + self.rounding() * ends.largest_coordinate()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use glam::DQuat;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-size..size).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn points_of_edges_stay_by_their_chords(
            turn in vector(3.0),
            velocity in vector(5.0),
            spin in prop_oneof![vector(1.0), vector(9.0), vector(300.0)],
            ends in prop::array::uniform2(vector(1.0)),
            (share, s) in (0.0..=1.0f64, 0.0..=1.0f64),
        ) {
            let pose = Pose::from_parts(velocity, DQuat::from_scaled_axis(turn));
            let motion = NonlinearRigidMotion { pose, velocity, angular_velocity: spin, duration: 0.7 };
            let topology = Topology::new(2, &[[0, 1]], vec![]).unwrap();
            let moving = RigidMesh::new(&topology, &ends, motion);
            let (before, after, now) = (moving.positions(0.0), moving.positions(1.0), moving.positions(s));
            let chord = |i: usize| before[i].lerp(after[i], s);
            let apart = now[0].lerp(now[1], share).distance(chord(0).lerp(chord(1), share));
            prop_assert!(apart <= moving.deviation(1.0) + 1e-13, "{apart} {}", moving.deviation(1.0));
            let swept = moving.swept_bounds().unwrap();
            let is_inside = now.iter().all(|&p| p.cmpge(swept.low).all() && p.cmple(swept.high).all());
            prop_assert!(is_inside);
        }
    }

    #[test]
    fn the_bound_is_reached_in_the_middle() {
        for angle in [1e-6, 0.1, 1.0, 3.0, 6.2] {
            let motion = NonlinearRigidMotion {
                pose: Pose::identity(),
                velocity: DVec3::X,
                angular_velocity: DVec3::Z * angle,
                duration: 1.0,
            };
            let (topology, vertices) = (Topology::new(1, &[], vec![]).unwrap(), [DVec3::new(0.0, 2.0, 5.0)]);
            let moving = RigidMesh::new(&topology, &vertices, motion);
            let [from, middle, to] = [0.0, 0.5, 1.0].map(|s| moving.positions(s)[0]);
            let sagitta = middle.distance((from + to) * 0.5);
            assert!(
                moving.deviation(1.0) >= sagitta - 1e-15 && moving.deviation(1.0) <= sagitta * (1.0 + 1e-9) + 1e-15
            );
        }
        assert_eq!(deviation(3.0, 7.0), 6.0 * (1.0 + ROUNDING));
        assert_eq!(deviation(3.0, 0.0), 0.0);
    }
}
