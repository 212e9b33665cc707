//! Crossings of all patches put in order, and which points are inside.
//!
//! A segment through a border crosses two patches or more at one place, and where it grazes the surface its crossings may be
//! doubtful. Crossings that rounding cannot tell apart are joined; where they are doubtful, or entries and exits do not
//! alternate, points between them tell which are real.

use glam::DVec3;

use super::Parametric;
use crate::solid::bezier::crossing::{Found, Line, Sense, find};
use crate::solid::{Crossing, OrientedBox, Solid};
use crate::sorting::CompactSort;

/// Directions that no axis, diagonal or simple angle is along; of any length.
const DIRECTIONS: [DVec3; 8] = [
    DVec3::new(0.571_236_1, 0.311_958_7, 0.759_167_3),
    DVec3::new(-0.283_741_9, 0.873_519_1, -0.395_462_7),
    DVec3::new(0.417_693_3, -0.589_241_7, -0.691_573_9),
    DVec3::new(-0.812_347_1, -0.197_653_9, 0.548_731_3),
    DVec3::new(0.129_873_7, 0.643_917_3, -0.753_986_1),
    DVec3::new(-0.679_153_7, 0.531_879_1, 0.505_713_9),
    DVec3::new(0.937_519_3, -0.213_697_1, 0.274_591_7),
    DVec3::new(-0.358_917_3, -0.917_253_1, -0.172_839_7),
];

/// Normals of patches that meet are one where they differ by no more than this.
const SAME_NORMAL: f64 = 1e-6;

/// Crossings at one place along a ray.
#[derive(Clone, Copy, Debug)]
struct First {
    along: f64,
    slack: f64,
    has_entry: bool,
    has_exit: bool,
}

impl First {
    fn of(found: &Found) -> Self {
        let (has_entry, has_exit) = (found.sense != Sense::Exit, found.sense != Sense::Entry);
        Self { along: found.along, slack: found.slack, has_entry, has_exit }
    }

    /// The nearer of two, or both where they cannot be told apart.
    fn join(self, other: Self) -> Self {
        if (self.along - other.along).abs() > self.slack + other.slack {
            return if self.along < other.along { self } else { other };
        }
        let nearer = if self.along < other.along { self } else { other };
        Self {
            slack: self.slack.max(other.slack),
            has_entry: self.has_entry || other.has_entry,
            has_exit: self.has_exit || other.has_exit,
            ..nearer
        }
    }
}

impl Parametric {
    /// Whether a point is inside a closed surface from which it is apart: whether a ray gets out where it crosses first.
    pub(super) fn encloses(&self, point: DVec3) -> bool {
        let (low, high) = (self.bounds.low, self.bounds.high);
        if !(low.cmple(point).all() && point.cmple(high).all()) {
            return false;
        }
        for direction in DIRECTIONS {
            let to = point + direction * (1.25 * self.extent);
            let Some(line) = Line::new(point, to, |turned| self.tolerance(turned)) else { return false };
            let mut first: Option<First> = None;
            self.visit_crossings(&line, |_, found| {
                let next = First::of(&found);
                first = Some(first.map_or(next, |first| first.join(next)));
            });
            match first {
                None => return false,
                Some(First { has_entry: true, has_exit: false, .. }) => return false,
                Some(First { has_entry: false, has_exit: true, .. }) => return true,
                Some(_) => {}
            }
        }
        self.find_nearest(point).is_ok_and(|nearest| nearest.distance < 0.0)
    }

    /// Calls `report` with the crossings of all patches, with parameters of whole patches, in no order.
    fn visit_crossings(&self, line: &Line, mut report: impl FnMut(usize, Found)) {
        self.tree.visit(&line.turned, |leaf| {
            find(&leaf.surface, line, |found| {
                report(leaf.patch, Found { parameters: leaf.part.at(found.parameters), ..found });
            });
            false
        });
    }

    /// As [`Solid::crossings`].
    pub(super) fn find_crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let Some(line) = Line::new(from, to, |turned: &OrientedBox| self.tolerance(turned)) else { return };
        let start = crossings.len();
        let is_closed = self.is_closed();
        self.visit_crossings(&line, |patch, found| {
            let share = found.along / line.length;
            let normal = self.patches[patch].normal(found.parameters[0], found.parameters[1]);
            let mut push = |is_entry: bool| crossings.push(Crossing { share, normal, is_entry });
            // Both ways where it is doubtful.
            if found.sense != Sense::Exit || !is_closed {
                push(true);
            }
            if found.sense != Sense::Entry && is_closed {
                push(false);
            }
        });
        crossings[start..].compact_sort_by(|a, b| a.share.total_cmp(&b.share).then(b.is_entry.cmp(&a.is_entry)));
        let (count, is_clear) = join(&mut crossings[start..], &line, is_closed);
        crossings.truncate(start + count);
        if !is_closed {
            for crossing in &mut crossings[start..] {
                crossing.normal = crossing.normal.map(|n| if n.dot(line.direction) > 0.0 { -n } else { n });
            }
        } else if !is_clear {
            let count = self.resolve(&line, &mut crossings[start..]);
            crossings.truncate(start + count);
        }
    }

    /// Keeps crossings between points of which one is inside, and puts down which. Returns how many.
    fn resolve(&self, line: &Line, crossings: &mut [Crossing]) -> usize {
        let is_inside =
            |low: f64, high: f64| self.encloses(line.from + line.direction * (line.length * (0.5 * (low + high))));
        let (mut count, mut was_inside) = (0, None);
        for k in 0..crossings.len() {
            let here = crossings[k];
            let after = crossings.get(k + 1).map_or(1.0, |next| next.share);
            let is_at = |end: f64| (end - here.share).abs() * line.length <= 16.0 * line.tolerance;
            // A segment that begins or ends on the surface: as the crossing has it.
            let begins_here = k == 0 && is_at(0.0);
            let ends_here = k + 1 == crossings.len() && is_at(1.0);
            let was =
                was_inside.unwrap_or_else(|| if begins_here { !here.is_entry } else { is_inside(0.0, here.share) });
            let is_next = if ends_here { here.is_entry } else { is_inside(here.share, after) };
            was_inside = Some(is_next);
            if was != is_next {
                // Places below k have been looked at.
                crossings[count] = Crossing { is_entry: is_next, ..here };
                count += 1;
            }
        }
        count
    }
}

/// Joins crossings that cannot be told apart. Returns how many are left, and whether each has one sense and these alternate.
fn join(crossings: &mut [Crossing], line: &Line, is_closed: bool) -> (usize, bool) {
    let slack = |crossing: &Crossing| {
        let across = crossing.normal.map_or(0.25, |n| n.dot(line.direction).abs().max(1e-6));
        4.0 * line.tolerance / (across * line.length)
    };
    let (mut count, mut is_clear) = (0, true);
    let mut reach = f64::NEG_INFINITY;
    for k in 0..crossings.len() {
        let next = crossings[k];
        let own = slack(&next);
        if count > 0 && next.share - own <= reach {
            let last = &mut crossings[count - 1];
            is_clear &= last.is_entry == next.is_entry;
            let both = last.normal.zip(next.normal);
            // Open surfaces may have either side up.
            last.normal = both.and_then(|(a, b)| {
                let b = if is_closed || a.dot(b) >= 0.0 { b } else { -b };
                (a.distance(b) <= SAME_NORMAL).then_some(a)
            });
        } else {
            is_clear &= count == 0 || crossings[count - 1].is_entry != next.is_entry;
            crossings[count] = next;
            count += 1;
        }
        reach = reach.max(next.share + own);
    }
    (count, is_clear)
}
