//! Kinetic separation slabs: a plane that moves with constant velocity and keeps the features of a pair apart for some time.
//!
//! While all vertices of the first feature are at least half the slab's thickness before the plane, and those of the second behind it,
//! the features are no nearer than that thickness. When the first vertex may get in is the failure time of this certificate: conservative,
//! and without any root of a polynomial. Velocities need not be constant for that: each stays in a ball around a reference.
//!
//! Source: Harmon and others (see [`super`]), section 4.1.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::clock::Ticks;
use super::separation::{PairKind, Separation};
use super::vertices::Vertices;

/// Coordinates of the plane and margins are off by less than this share of the largest coordinate.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A plane that moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slab {
    /// To the side of the first feature, unit.
    normal: DVec3,
    /// n·x of the plane's points at its time, m.
    offset: f64,
    /// Of the plane along the normal, m/s.
    speed: f64,
    /// When it was made.
    time: Ticks,
    /// m.
    thickness: f64,
}

/// How much the distance of points (m) may be off by rounding.
pub fn rounding(points: &[DVec3; 4]) -> f64 {
    let largest = points.iter().fold(DVec3::ZERO, |most, point| most.max(point.abs()));
    ROUNDING * largest.max_element()
}

impl Slab {
    /// The slab of a thickness (m) half-way between the closest points of a pair, which moves with their mean velocity.
    pub fn between(
        separation: &Separation,
        kind: PairKind,
        points: &[DVec3; 4],
        velocities: &[DVec3; 4],
        thickness: f64,
        now: Ticks,
    ) -> Self {
        let split = kind.split();
        let normal = separation.normal;
        let half_sum = |values: &[DVec3; 4]| {
            let part = |k: usize| {
                values[k].dot(normal) * if k < split { separation.weights[k] } else { -separation.weights[k] }
            };
            0.5 * (0..4).map(part).sum::<f64>()
        };
        Self { normal, offset: half_sum(points), speed: half_sum(velocities), time: now, thickness }
    }

    /// When the slab may be entered first, no earlier than now; `None` if never as things are.
    pub fn failure(&self, kind: PairKind, vertices: &Vertices, of: &[u32; 4], now: Ticks) -> Option<Ticks> {
        let points = of.map(|vertex| vertices.position(vertex, now));
        let plane = self.offset + self.speed * now.since(self.time);
        let guard = rounding(&points) + 0.5 * self.thickness;
        let mut first = f64::INFINITY;
        for k in 0..4 {
            let side = if k < kind.split() { 1.0 } else { -1.0 };
            let ball = vertices.ball(of[k]);
            let margin = (side * (points[k].dot(self.normal) - plane) - guard).max(0.0);
            let closing = side * (self.speed - ball.centre.dot(self.normal)) + ball.radius;
            if closing > 0.0 {
                first = first.min(margin / closing);
            }
        }
        first.is_finite().then(|| now.plus(first))
    }
}
