//! Which part of a segment is in a convex solid.

use glam::DVec3;

use crate::solid::Crossing;

/// The part of a line that is in a convex solid, in shares of a segment; shares below 0 and above 1 lie before and behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Where it gets in.
    pub enter: f64,
    /// Where it gets out. Where this is not above `enter`, the line misses the solid.
    pub leave: f64,
}

/// The closest number in 0…1; 0 for what is not a number.
pub fn within_unit(share: f64) -> f64 {
    if share >= 1.0 {
        1.0
    } else if share > 0.0 {
        share
    } else {
        0.0
    }
}

impl Span {
    /// The whole line.
    pub const ALL: Self = Self { enter: f64::NEG_INFINITY, leave: f64::INFINITY };

    /// None of it.
    pub const NONE: Self = Self { enter: f64::INFINITY, leave: f64::NEG_INFINITY };

    /// Between two planes: of a coordinate that goes from `from` to `to`, where it is between `low` and `high`.
    pub fn of_slab(from: f64, to: f64, low: f64, high: f64) -> Self {
        let way = to - from;
        if way == 0.0 {
            return if from >= low && from <= high { Self::ALL } else { Self::NONE };
        }
        let (first, second) = ((low - from) / way, (high - from) / way);
        if first.is_nan() || second.is_nan() {
            return Self::NONE;
        }
        Self { enter: first.min(second), leave: first.max(second) }
    }

    /// Within a distance of the origin. Lengths are in units of that distance.
    pub fn of_unit_ball(from: DVec3, to: DVec3) -> Self {
        let way = to - from;
        let length = way.length();
        if length == 0.0 {
            return if from.length_squared() <= 1.0 { Self::ALL } else { Self::NONE };
        }
        let direction = way / length;
        let to_middle = -from.dot(direction);
        let square = 1.0 - (from + to_middle * direction).length_squared();
        if square >= 0.0 {
            let half = square.sqrt();
            Self { enter: (to_middle - half) / length, leave: (to_middle + half) / length }
        } else {
            Self::NONE
        }
    }

    /// What two have in common.
    pub fn and(self, other: Self) -> Self {
        Self { enter: self.enter.max(other.enter), leave: self.leave.min(other.leave) }
    }

    /// What is in either, if that is convex.
    pub fn or(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self { enter: self.enter.min(other.enter), leave: self.leave.max(other.leave) }
    }

    /// Whether the line misses the solid.
    pub fn is_empty(&self) -> bool {
        self.enter >= self.leave || self.enter.is_nan() || self.leave.is_nan()
    }

    /// Appends the crossings of a segment whose ends are in the solid, or not, as `ends` says. Rounding cannot make them
    /// disagree: an end that is inside by rounding alone has its crossing at that end.
    pub fn append(
        self,
        [from, to]: [DVec3; 2],
        ends: [bool; 2],
        normal: impl Fn(DVec3) -> Option<DVec3>,
        crossings: &mut Vec<Crossing>,
    ) {
        let is_missed = self.is_empty();
        let (enter, leave) = (within_unit(self.enter), within_unit(self.leave));
        let mut push = |share: f64, is_entry: bool| {
            crossings.push(Crossing { share, normal: normal(from.lerp(to, share)), is_entry });
        };
        match ends {
            [true, true] => {}
            [false, true] => push(if is_missed { 1.0 } else { enter }, true),
            [true, false] => push(if is_missed { 0.0 } else { leave }, false),
            [false, false] if is_missed || enter >= leave => {}
            [false, false] => {
                push(enter, true);
                push(leave, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_decide_how_many_crossings_there_are() {
        let ends = [DVec3::ZERO, DVec3::X];
        for (span, sides, expected) in [
            (Span { enter: 0.25, leave: 0.5 }, [false, false], vec![(0.25, true), (0.5, false)]),
            (Span { enter: -1.0, leave: 0.5 }, [true, false], vec![(0.5, false)]),
            (Span { enter: 0.5, leave: 0.5 }, [false, false], vec![]),
            (Span { enter: 1.5, leave: 2.0 }, [false, false], vec![]),
            (Span { enter: 1.0 + 1e-16, leave: 2.0 }, [false, true], vec![(1.0, true)]),
            (Span::NONE, [false, true], vec![(1.0, true)]),
            (Span::NONE, [true, false], vec![(0.0, false)]),
            (Span { enter: f64::NAN, leave: f64::NAN }, [false, false], vec![]),
            (Span::ALL, [true, true], vec![]),
        ] {
            let mut crossings = Vec::new();
            span.append(ends, sides, |_| None, &mut crossings);
            let found: Vec<_> = crossings.iter().map(|c| (c.share, c.is_entry)).collect();
            assert_eq!(found, expected, "{span:?} {sides:?}");
        }
    }

    #[test]
    fn parts_of_lines() {
        let span = Span::of_unit_ball(DVec3::new(-2.0, 0.6, 0.0), DVec3::new(2.0, 0.6, 0.0));
        assert!((span.enter - 0.3).abs() < 1e-15 && (span.leave - 0.7).abs() < 1e-15);
        assert!(Span::of_unit_ball(DVec3::Y * 2.0, DVec3::new(1.0, 2.0, 0.0)).is_empty());
        assert!(Span::of_unit_ball(DVec3::Y * 2.0, DVec3::Y * 2.0).is_empty());
        assert_eq!(Span::of_unit_ball(DVec3::ZERO, DVec3::ZERO), Span::ALL);
        assert_eq!(Span::of_slab(3.0, -1.0, 0.0, 1.0), Span { enter: 0.5, leave: 0.75 });
        assert_eq!(Span::of_slab(f64::NAN, 1.0, 0.0, 1.0), Span::NONE);
        assert_eq!((Span::of_slab(1.0, 1.0, 0.0, 1.0), Span::of_slab(1.1, 1.1, 0.0, 1.0)), (Span::ALL, Span::NONE));
    }
}
