//! The search in time for the pair of features that let two bodies into each other (paper, section 3.1).

use super::{ContactMargin, ContactSet};
use crate::vclip::{Closest, ConvexPolyhedron, Outcome, Pair, RelativePose, certified};

/// A motion of two bodies: where they are in each other's frames at every parameter from 0 to 1.
pub trait Motion {
    /// Where they are.
    fn relative_pose(&self, parameter: f64) -> RelativePose;
}

impl<F: Fn(f64) -> RelativePose> Motion for F {
    fn relative_pose(&self, parameter: f64) -> RelativePose {
        self(parameter)
    }
}

/// How the parameter is halved at most: as long as f64 has numbers between 0 and 1.
const HALVINGS: usize = 60;

/// The last time on a motion at which the bodies are apart and their closest features are not in the set, found by
/// halving, and these features. The bodies overlap at the end. `None` if they overlap at the beginning as well, or if
/// the closest features are in the set whenever the search looks: then drift has let a member in, and nothing is
/// missing.
pub fn search(
    motion: &impl Motion,
    set: &ContactSet,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    enter: f64,
) -> Option<(f64, Closest)> {
    let mut pair = Pair::cold(a, b, &motion.relative_pose(0.0));
    let mut at = |parameter: f64| match certified(a, b, &motion.relative_pose(parameter), &mut pair) {
        Outcome::Apart { closest, .. } => Some(closest),
        Outcome::Overlapping { .. } => None,
    };
    let (mut low, mut high) = (0.0, 1.0);
    let mut found: Option<(f64, Closest)> = None;
    let mut closest = at(0.0)?;
    for _ in 0..HALVINGS {
        if !set.has(closest.pair) {
            found = Some((low, closest));
            if closest.distance <= enter {
                break;
            }
        }
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        match at(middle) {
            Some(nearer) => (low, closest) = (middle, nearer),
            None => high = middle,
        }
    }
    found
}

/// The way of B straight out of A along the normal of the face that needs the least, from its end; `None` if that is
/// deeper than pairs are looked for. Where pieces were cut is no way out.
pub fn straight_out(
    here: &RelativePose,
    [a, b]: [&ConvexPolyhedron; 2],
    reach: &ContactMargin,
) -> Option<impl Motion + use<>> {
    let least = |own: &ConvexPolyhedron, other: &ConvexPolyhedron, relative_pose: &RelativePose| {
        let depth = |f: u32| {
            let plane = own.plane(f);
            let lowest = other.support(-relative_pose.direction_to_b(plane.normal), 0);
            (plane.normal, -plane.height(relative_pose.point_of_b(other.vertices()[lowest as usize])))
        };
        own.face_numbers().filter(|&f| !own.is_cut(f)).map(depth).min_by(|x, y| x.1.total_cmp(&y.1))
    };
    let out_of_a = least(a, b, here);
    let out_of_b = least(b, a, &here.exchanged()).map(|(normal, depth)| (-here.direction_of_b(normal), depth));
    let (direction, depth) = out_of_a.into_iter().chain(out_of_b).min_by(|x, y| x.1.total_cmp(&y.1))?;
    let (rotation, translation) = here.parts();
    let length = depth.max(0.0) + reach.enter;
    (depth <= reach.depth)
        .then_some(move |s: f64| RelativePose::from_parts(rotation, translation + direction * (length * (1.0 - s))))
}
