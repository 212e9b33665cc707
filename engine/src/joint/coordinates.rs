//! The coordinates of joints and how they change with the twists of the bodies.
//!
//! Angles are Tait–Bryan angles: B's frame is A's, turned by the first angle about x, then by the second one about the new y, then by
//! the third one about the new z. With the other two at zero each of the first and the third may be anything (hinges turn about x);
//! the second one is within a quarter turn. The angular velocity is ω = x_A φ̇ + n θ̇ + z_B ψ̇ with the line of nodes n; the rates are the
//! products with the dual vectors.

use super::JointKind;
use crate::body::Pose;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::TAU;

/// Which coordinates a joint has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// Displacements of B's origin along A's x, y, z (m), then the angles about x, y, z (rad).
    Pose,
    /// Displacements along x, y, z (m), the twist about x, the angle between the x axes (rad).
    ConeTwist,
    /// The distance of the two origins, m.
    Distance,
    /// Of one coordinate of two other joints: second − ratio · first − offset.
    Coupled,
    /// Displacements along x, y, z of the world (m), and how far the body has turned about them in a substep (rad).
    World,
}

impl Coordinates {
    /// Those of a kind.
    pub fn of(kind: JointKind) -> Self {
        match kind {
            JointKind::Distance | JointKind::Rope | JointKind::Spring => Self::Distance,
            JointKind::ConeTwist => Self::ConeTwist,
            JointKind::Gear | JointKind::Rack => Self::Coupled,
            JointKind::LockedAxes => Self::World,
            _ => Self::Pose,
        }
    }

    /// Whether a coordinate is an angle that is counted on over full turns.
    pub(crate) fn is_counted(self, axis: usize) -> bool {
        match self {
            Self::Pose => axis == 3 || axis == 5,
            Self::ConeTwist => axis == 3,
            _ => false,
        }
    }
}

/// How a coordinate changes with the velocities and angular velocities of A and B (world axes).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Gradient {
    pub linear: [DVec3; 2],
    pub angular: [DVec3; 2],
}

/// The least cosine of the second angle that rates are divided by.
const LEAST_COSINE: f64 = 1e-6;

/// A joint where its bodies are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// From the centres of mass to the origins of the frames, m.
    arms: [DVec3; 2],
    /// From A's origin to B's, m.
    way: DVec3,
    /// Axes of the frames in the world, and the rotation from B's frame to A's.
    axes: [DMat3; 2],
    relative: DQuat,
}

impl Placed {
    pub fn new(bodies: [&Pose; 2], frames: &[Pose; 2]) -> Self {
        let arms = [0, 1].map(|k: usize| bodies[k].rotation * frames[k].translation);
        let turned = [0, 1].map(|k: usize| bodies[k].rotation * frames[k].rotation);
        let way = (bodies[1].translation - bodies[0].translation) + (arms[1] - arms[0]);
        Self { arms, way, axes: turned.map(DMat3::from_quat), relative: turned[0].conjugate() * turned[1] }
    }

    /// From B's centre of mass to the origin of its frame, m.
    pub fn arm_of_b(&self) -> DVec3 {
        self.arms[1]
    }

    /// A coordinate; `near` is where an angle that is counted on was.
    pub fn coordinate(&self, set: Coordinates, axis: usize, near: f64) -> f64 {
        let angle = match (set, axis) {
            (Coordinates::Distance, _) => return self.way.length(),
            (Coordinates::Coupled, _) => return 0.0,
            (Coordinates::World, 0..3) => return self.way[axis],
            (Coordinates::World, _) => return 0.0,
            (_, 0..3) => return self.axes[0].col(axis).dot(self.way),
            (Coordinates::Pose, _) => self.angle(axis - 3),
            (Coordinates::ConeTwist, 3) => 2.0 * libm::atan2(self.relative.x, self.relative.w),
            (Coordinates::ConeTwist, 4) => {
                let (a, b) = (self.axes[0].x_axis, self.axes[1].x_axis);
                libm::atan2(a.cross(b).length(), a.dot(b))
            }
            (Coordinates::ConeTwist, _) => 0.0,
        };
        if set.is_counted(axis) { angle + TAU * ((near - angle) / TAU).round() } else { angle }
    }

    /// The matrix from B's frame to A's, by entries `[row][column]`.
    fn entry(&self, row: usize, column: usize) -> f64 {
        self.axes[0].col(row).dot(self.axes[1].col(column))
    }

    fn angle(&self, axis: usize) -> f64 {
        match axis {
            0 => libm::atan2(-self.entry(1, 2), self.entry(2, 2)),
            1 => {
                let [y, z] = [self.entry(1, 2), self.entry(2, 2)];
                libm::atan2(self.entry(0, 2), (y * y + z * z).sqrt())
            }
            _ => libm::atan2(-self.entry(0, 1), self.entry(0, 0)),
        }
    }

    /// How a coordinate changes.
    pub fn gradient(&self, set: Coordinates, axis: usize) -> Gradient {
        match (set, axis) {
            (Coordinates::Distance, _) => self.along(self.way.normalize_or(self.axes[0].x_axis), true),
            (Coordinates::Coupled, _) => Gradient::default(),
            (Coordinates::World, 0..3) => self.along(DVec3::AXES[axis], false),
            (Coordinates::World, _) => about(DVec3::AXES[axis - 3]),
            (_, 0..3) => self.along(self.axes[0].col(axis), true),
            (Coordinates::Pose, _) => {
                let (x, z) = (self.axes[0].x_axis, self.axes[1].z_axis);
                let nodes = z.cross(x).normalize_or(self.axes[0].y_axis);
                let cosine = x.dot(nodes.cross(z));
                let cosine = if cosine.abs() < LEAST_COSINE { LEAST_COSINE.copysign(cosine) } else { cosine };
                about(match axis {
                    3 => nodes.cross(z) / cosine,
                    4 => nodes,
                    _ => x.cross(nodes) / cosine,
                })
            }
            (Coordinates::ConeTwist, 3) => {
                let (a, b) = (self.axes[0].x_axis, self.axes[1].x_axis);
                about((a + b) / (1.0 + a.dot(b)).max(LEAST_COSINE))
            }
            (Coordinates::ConeTwist, _) => {
                let (a, b) = (self.axes[0].x_axis, self.axes[1].x_axis);
                about(a.cross(b).normalize_or(self.axes[0].y_axis))
            }
        }
    }

    /// How strongly impulses (of locks and limits, and of springs) hold bodies back that move and turn: impulse over length for both (N s/m), and impulse times arm for each
    /// (N m s).
    pub fn geometric_stiffness(&self, set: Coordinates, impulses: &[[f64; 6]; 2]) -> (f64, [f64; 2]) {
        let size = |range: std::ops::Range<usize>| {
            range.map(|axis| (impulses[0][axis] + impulses[1][axis]).powi(2)).sum::<f64>().sqrt()
        };
        match set {
            Coordinates::Distance => {
                let (impulse, length) = ((impulses[0][0] + impulses[1][0]).abs(), self.way.length());
                let along = if length > 0.0 { impulse / length } else { 0.0 };
                (along, self.arms.map(|arm| impulse * arm.length()))
            }
            Coordinates::Coupled => (0.0, [0.0; 2]),
            Coordinates::World => (0.0, [0.0; 2]),
            _ => {
                let (force, torque) = (size(0..3), size(3..6));
                (0.0, [(self.arms[0] + self.way).length(), self.arms[1].length()].map(|arm| force * arm + torque))
            }
        }
    }

    /// The displacement along a direction that A carries along (or that stays).
    fn along(&self, direction: DVec3, turns: bool) -> Gradient {
        let from_a = if turns { self.arms[0] + self.way } else { self.arms[0] };
        Gradient { linear: [-direction, direction], angular: [-from_a.cross(direction), self.arms[1].cross(direction)] }
    }
}

/// The angle about a direction.
fn about(direction: DVec3) -> Gradient {
    Gradient { linear: [DVec3::ZERO; 2], angular: [-direction, direction] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::advance;
    use proptest::prelude::*;

    fn pose(numbers: [f64; 6]) -> Pose {
        let [x, y, z, p, q, r] = numbers;
        Pose::from_parts(DVec3::new(x, y, z), DQuat::from_scaled_axis(DVec3::new(p, q, r)))
    }

    proptest! {
        /// Against differences of the coordinates.
        #[test]
        fn gradients_are_the_rates_of_the_coordinates(
            a in prop::array::uniform6(-1.0..1.0f64),
            b in prop::array::uniform6(-1.0..1.0f64),
            frames in prop::array::uniform2(prop::array::uniform6(-0.5..0.5f64)),
            twists in prop::array::uniform4(prop::array::uniform3(-1.0..1.0f64)),
        ) {
            let (bodies, frames) = ([pose(a), pose(b)], frames.map(pose));
            let [va, wa, vb, wb] = twists.map(DVec3::from);
            let sets = [Coordinates::Pose, Coordinates::ConeTwist, Coordinates::Distance];
            for set in sets {
                for axis in 0..if set == Coordinates::Pose { 6 } else if set == Coordinates::ConeTwist { 5 } else { 1 } {
                    let at = |time: f64| {
                        let moved = [advance(bodies[0], va, wa, time), advance(bodies[1], vb, wb, time)];
                        Placed::new([&moved[0], &moved[1]], &frames)
                    };
                    let now = at(0.0);
                    let near = now.coordinate(set, axis, 0.0);
                    let step = 1e-5;
                    let rate = (at(step).coordinate(set, axis, near) - at(-step).coordinate(set, axis, near)) / (2.0 * step);
                    let Gradient { linear, angular } = now.gradient(set, axis);
                    let own = linear[0].dot(va) + linear[1].dot(vb) + angular[0].dot(wa) + angular[1].dot(wb);
                    let scale = 1.0 + linear[1].length() + angular[1].length();
                    // Near the ends of the angles the third derivatives are large.
                    if scale < 10.0 {
                        prop_assert!((rate - own).abs() < 1e-6 * scale, "{set:?} {axis}: {rate} {own}");
                    }
                }
            }
        }
    }

    #[test]
    fn angles_are_counted_on() {
        let at = |angle: f64| {
            let turned = Pose::from_rotation(DQuat::from_rotation_x(angle));
            Placed::new([&Pose::IDENTITY, &turned], &[Pose::IDENTITY; 2])
        };
        for turns in [0.0, 1.0, 1000.0] {
            let angle = 0.4 + TAU * turns;
            assert!((at(0.4).coordinate(Coordinates::Pose, 3, angle - 1.0) - angle).abs() < 1e-12);
        }
    }
}
