//! How high points have to be over moving planes to stay above them between the times at which they are looked at.

use super::{Motion, turning};
use crate::shape::features;

/// The heights that keep shapes apart all the way, m: negative ones are depths that are allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heights {
    /// Of the lowest points of shapes at each of the samples, over planes that turn with A, with B, and over those that do not turn.
    pub of_shapes: [f64; 3],
    /// Of the parabola through the heights of each point.
    pub of_points: features::Heights,
    /// The same over planes that do not turn.
    pub still: f64,
    /// How far the heights of points along the product of two directions, one of each shape, fall below a parabola, m.
    across: f64,
    /// How much such a product may change.
    change: f64,
    /// How deep shapes may be in each other, m.
    allowed: f64,
}

impl Heights {
    /// Of points along the product of two directions, one of each shape, that is divided by its length where the time begins. They may be
    /// deeper than is allowed by `depth`, m.
    pub fn across(&self, length: f64, depth: f64) -> f64 {
        self.across / length - (self.allowed + depth) * (1.0 - self.change / length).max(0.0)
    }
}

impl Motion<'_> {
    /// How high what is seen at the beginning, in the middle and at the end of a time (s) has to be to stay above the allowed depth between.
    /// A height falls below the straight line between two of them by its second derivative at most, an eighth of its product with the square
    /// of the time between; below the parabola through all three by its third, Δt³ / (72 √3) times that.
    pub(super) fn heights(&self, time: f64, is_compound: bool) -> Heights {
        let [a, b] = self.placed;
        let spins = [a, b].map(|placed| turning(&placed));
        // Zero for an infinite shape that does not turn.
        let times_radius = |k: usize, spin: f64| if spin > 0.0 { spin * self.placed[k].shape.radius() } else { 0.0 };
        let around = [0, 1].map(|k| times_radius(k, spins[k]));
        let apart = (a.pose.translation - b.pose.translation).length() + self.reach(self.duration);
        let speed = (b.twist.linear - a.twist.linear).length();
        let (second, third) = (time * time / 32.0, time.powi(3) / (72.0 * 3.0_f64.sqrt()));
        // The second and third derivative of a point of the other shape, seen from a frame that turns with the one that has the plane.
        let derivatives = |own: usize, other: usize| {
            let (spin, of_other, around) = (spins[own], spins[other], around[other]);
            let (mut bend, mut change) = (of_other * around, of_other * of_other * around);
            if spin > 0.0 {
                let size = apart + self.placed[other].shape.radius();
                bend += spin * (spin * size + 2.0 * (speed + around));
                change += spin * (spin * (spin * size + 3.0 * (speed + around)) + 3.0 * of_other * around);
            }
            [bend, change]
        };
        let [own, other] = [derivatives(0, 1), derivatives(1, 0)];
        let still = [0, 1].map(|power| (0..2).map(|k| spins[k].powi(power + 1) * around[k]).sum::<f64>());
        // The product of two directions turns by as much as both shapes do, and a point of B against one of A.
        let both = spins[0] + spins[1];
        let across = if both > 0.0 {
            let size = apart + a.shape.radius() + b.shape.radius();
            let moving = speed + around[1] + spins[0] * (apart + b.shape.radius());
            both * (both * (both * size + 3.0 * moving) + 3.0 * own[0]) + own[1]
        } else {
            0.0
        };
        let deepest = |fall: f64| fall - self.allowed;
        let edges = third * if is_compound { own[1].max(other[1]) } else { own[1] };
        Heights {
            of_shapes: [own[0], other[0], still[0]].map(|bend| deepest(second * bend)),
            of_points: features::Heights { own: deepest(third * own[1]), other: deepest(third * other[1]), edges },
            still: deepest(third * still[1]),
            across: third * across,
            change: both * time,
            allowed: self.allowed,
        }
    }
}

#[cfg(test)]
mod tests;
