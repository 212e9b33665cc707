//! Boxes against solids that are round about the axis y, exactly.
//!
//! Between its flat ends, a cylinder or a cone is where ‖(x, z)‖ is below a length that is linear in y. The box is cut off at
//! the ends; of what is left, seen along y, every corner has a place (x, z) and a length. What is left misses the solid where
//! ‖place‖ − length is above zero in all its convex combinations. This function is convex, and over a triangle least at the
//! origin or on a side. So it is minimised as Gilbert, Johnson and Keerthi do (IEEE Journal of Robotics and Automation 4(2),
//! 1988): over a segment, to which the corner that is lowest along the gradient is added until there is none lower. The
//! answer "apart" is never that of the iteration, but that of a direction along which all corners are apart.

use arrayvec::ArrayVec;
use glam::{DVec2, DVec3};

use super::span::within_unit;
use crate::solid::OrientedBox;

/// A corner seen along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// (x, z), m.
    pub place: DVec2,
    /// What is taken from its distance to the axis, m.
    pub length: f64,
}

/// Corners that a box cut off at two planes may have: the eight of the box, and one for each edge and plane.
const CORNERS: usize = 8 + 2 * 12;

/// Segments that are tried; what is left of a box has but few corners, and the value falls with every segment, though
/// for small boxes by less than rounding.
const SEGMENTS: usize = 32;

impl Shadow {
    /// Distance to the axis less the length, m.
    fn value(self) -> f64 {
        self.place.length() - self.length
    }

    /// The same along a direction (unit), m.
    fn along(self, direction: DVec2) -> f64 {
        direction.dot(self.place) - self.length
    }
}

/// The share of the way from one shadow to another at which the value is least.
pub fn least(from: Shadow, to: Shadow) -> f64 {
    let (way, gain) = (to.place - from.place, to.length - from.length);
    let length = way.length();
    let steepness = gain / length;
    if steepness >= 1.0 || (length == 0.0 && gain > 0.0) {
        return 1.0;
    }
    if steepness <= -1.0 || length == 0.0 {
        return 0.0;
    }
    // Along the way s from the foot of the perpendicular ρ: s/√(s² + ρ²) is the steepness.
    let direction = way / length;
    let perpendicular = from.place.perp_dot(direction).abs();
    let along = steepness * perpendicular / ((1.0 - steepness) * (1.0 + steepness)).sqrt();
    within_unit((along - from.place.dot(direction)) / length)
}

/// Whether a box, between `low` and `high` along y (m), surely has everywhere ‖(x, z)‖ above the length that `length` gives
/// to a height (linear in it, m) by more than `margin`, m.
pub fn is_apart(turned: &OrientedBox, [low, high]: [f64; 2], length: impl Fn(f64) -> f64, margin: f64) -> bool {
    let corners = turned.corners();
    if corners.iter().any(|corner| !corner.is_finite()) {
        return false;
    }
    let mut shadows = ArrayVec::<Shadow, CORNERS>::new();
    let mut push = |p: DVec3| shadows.push(Shadow { place: DVec2::new(p.x, p.z), length: length(p.y) });
    for (i, &corner) in corners.iter().enumerate() {
        if corner.y >= low && corner.y <= high {
            push(corner);
        }
        for axis in 0..3 {
            let other = corners[i ^ (1 << axis)];
            // Each edge once, upwards.
            if i >> axis & 1 == 1 || corner.y == other.y {
                continue;
            }
            for plane in [low, high] {
                if (corner.y < plane) != (other.y < plane) {
                    push(corner.lerp(other, (plane - corner.y) / (other.y - corner.y)));
                }
            }
        }
    }
    are_apart(&shadows, margin)
}

/// Whether the value of all convex combinations is surely above `margin`, m.
fn are_apart(shadows: &[Shadow], margin: f64) -> bool {
    let Some(&first) = shadows.iter().min_by(|a, b| a.value().total_cmp(&b.value())) else { return true };
    let (mut ends, mut lowest) = ([first, first], first);
    for _ in 0..SEGMENTS {
        let value = lowest.value();
        if value <= margin || value.is_nan() {
            return false;
        }
        let direction = lowest.place / lowest.place.length();
        let along = |shadow: &Shadow| shadow.along(direction);
        let Some(&next) = shadows.iter().min_by(|a, b| along(a).total_cmp(&along(b))) else { return false };
        if along(&next) > margin {
            return true;
        }
        if ends.contains(&next) {
            return false;
        }
        let better = ends.map(|end| {
            let share = least(end, next);
            let length = end.length + share * (next.length - end.length);
            (end, Shadow { place: end.place.lerp(next.place, share), length })
        });
        let (end, candidate) = if better[0].1.value() <= better[1].1.value() { better[0] } else { better[1] };
        (ends, lowest) = ([end, next], candidate);
    }
    false
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::split_mix::SplitMix;

    /// The least value over many convex combinations, by ever finer random ones about the best.
    fn sampled(shadows: &[Shadow], random: &mut SplitMix) -> f64 {
        let combine = |weights: &[f64]| {
            let sum: f64 = weights.iter().sum();
            let (mut place, mut length) = (DVec2::ZERO, 0.0);
            for (weight, shadow) in weights.iter().zip(shadows) {
                place += shadow.place * (weight / sum);
                length += shadow.length * (weight / sum);
            }
            place.length() - length
        };
        let mut best: Vec<f64> = vec![1.0; shadows.len()];
        let mut least = combine(&best);
        for round in 0..4000 {
            let size = 0.997_f64.powi(round);
            let weights: Vec<f64> = best.iter().map(|w| (w + size * random.next_between(-1.0, 1.0)).max(0.0)).collect();
            if weights.iter().sum::<f64>() > 0.0 && combine(&weights) < least {
                (least, best) = (combine(&weights), weights);
            }
        }
        least
    }

    #[test]
    fn the_least_value_is_that_of_samples() {
        let mut random = SplitMix::new(3);
        let mut apart = 0;
        for case in 0..150 {
            let middle = DVec2::new(random.next_between(0.5, 3.0), 0.0);
            let shadows: Vec<Shadow> = (0..2 + random.next_below(5))
                .map(|_| Shadow {
                    place: middle + DVec2::new(random.next_between(-1.0, 1.0), random.next_between(-1.5, 1.5)),
                    length: random.next_between(0.0, 1.0),
                })
                .collect();
            let least = sampled(&shadows, &mut random);
            assert!(!are_apart(&shadows, least + 1e-9), "case {case}");
            if least > 1e-3 {
                assert!(are_apart(&shadows, least - 1e-3), "case {case}: {least}");
                apart += 1;
            }
        }
        assert!(apart > 30);
    }

    #[test]
    fn boxes_are_cut_off_at_the_ends() {
        let beam = OrientedBox { centre: DVec3::Y * 2.0, axes: DMat3::IDENTITY, half: DVec3::new(5.0, 0.5, 5.0) };
        assert!(is_apart(&beam, [-1.0, 1.0], |_| 1.0, 1e-12));
        assert!(!is_apart(&beam, [-1.0, 1.6], |_| 1.0, 1e-12));
        let pole = OrientedBox { centre: DVec3::X * 1.2, axes: DMat3::IDENTITY, half: DVec3::new(0.1, 9.0, 0.1) };
        assert!(is_apart(&pole, [-1.0, 1.0], |_| 1.0, 0.0999));
        assert!(!is_apart(&pole, [-1.0, 1.0], |_| 1.0, 0.1001));
        assert!(!is_apart(&OrientedBox { half: DVec3::NAN, ..pole }, [-1.0, 1.0], |_| 1.0, 0.0));
    }
}
