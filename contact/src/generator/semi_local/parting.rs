//! How far B has to go along a normal until it and A are apart: no contact is deeper.
//!
//! Features of solids that are not convex are measured by planes, and planes go on beyond a reflex edge; what is deep in one place may so
//! get a depth from another, and bodies may be apart long before they have gone so far. Here the surfaces themselves are asked. Two
//! triangles, of which one moves along a line, touch during one interval, which the separating axes of both bound from either
//! side. The solids overlap or touch as long as one of these intervals lasts, or one solid is inside the other.

use glam::{DMat3, DVec3};

use super::polyhedra::Solid;
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shape::Polyhedron;
use crate::shape::features::Placement;

/// Depths up to this many lengths below which lengths are none are left as they are.
const SHALLOW: f64 = 2.0;

/// Surfaces touch up to this share of their size, so that rounding opens no gap between triangles.
const TOUCHING: f64 = 1e-12;

/// Scratch space, so that nothing is allocated once it has grown.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    stack: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    touching: Vec<[f64; 2]>,
}

/// Makes no contact from `first` on deeper than the way after which the solids are apart, and drops deep contacts of solids that are apart
/// where they are. `same` is the length below which lengths are none, m.
pub(super) fn limit(
    [a, b]: [&Solid<'_>; 2],
    same: f64,
    first: usize,
    buffers: &mut Buffers,
    contacts: &mut Vec<Contact>,
) {
    if a.shape.features().is_convex() && b.shape.features().is_convex() {
        return;
    }
    let is_deep = |c: &Contact| c.gap < -SHALLOW * same;
    let (solids, relative) = ([a.shape, b.shape], a.pose.inverse() * b.pose);
    let mut last: Option<(DVec3, f64)> = None;
    let mut k = first;
    while k < contacts.len() {
        let Contact { position, normal, gap, .. } = contacts[k];
        let direction = a.pose.rotation.inverse() * normal;
        let at = a.pose.inverse_transform_point(position);
        if !is_deep(&contacts[k]) || overlap_all_the_way(solids, &relative, direction, (at, -gap), same) {
            k += 1;
            continue;
        }
        // Contacts of one region follow each other.
        let way = match last {
            Some((known, way)) if known == normal => way,
            _ => {
                let deepest = contacts[k..].iter().filter(|c| c.normal == normal).map(|c| -c.gap).fold(0.0, f64::max);
                way_apart(solids, &relative, direction, deepest, buffers).unwrap_or(f64::INFINITY)
            }
        };
        last = Some((normal, way));
        if way <= 0.0 {
            contacts.remove(k);
        } else {
            if -gap > way + same {
                contacts[k].gap = -way;
            }
            k += 1;
        }
    }
}

/// Whether the segment between the two points of a contact shows that the solids overlap until B has gone the contact's depth, which it does
/// nearly always: it begins at a point of B and stays in A, or stays in B until it ends at a point of A. `middle` is its middle,
/// `direction` that from B's point to A's, both in A's frame.
fn overlap_all_the_way(
    [a, b]: [&Polyhedron; 2],
    relative: &Pose,
    direction: DVec3,
    (middle, depth): (DVec3, f64),
    same: f64,
) -> bool {
    let limits = [same, rounding([a, b], relative)];
    let Some(stays_in_a) = leaves_at_end(a, middle, direction, depth, limits) else { return false };
    let back = relative.inverse();
    let stays_in_b = leaves_at_end(b, back.transform_point(middle), back.rotation * -direction, depth, limits);
    stays_in_b.is_some_and(|stays_in_b| stays_in_a || stays_in_b)
}

/// Whether a segment stays in a solid until it leaves it at its far end; `None` where that end is not on the surface. Along the segment
/// lengths below `same` are none, across it those below `near`, m.
fn leaves_at_end(
    solid: &Polyhedron,
    middle: DVec3,
    direction: DVec3,
    length: f64,
    [same, near]: [f64; 2],
) -> Option<bool> {
    let half = 0.5 * length;
    let (mut is_met_before, mut leaves) = (false, None);
    let reach = direction * (half + same);
    solid.solid().tree().along_segment(middle - reach, middle + reach, |_, [p, q, r]| {
        let normal = (q - p).cross(r - p);
        let (size, slope) = (normal.length(), normal.dot(direction));
        if slope.abs() <= PARALLEL * size {
            return;
        }
        let way = normal.dot(p - middle) / slope;
        if way.abs() > half + 0.5 * same {
            return;
        }
        let place = middle + direction * way;
        let is_beside = |from: DVec3, to: DVec3| {
            let side = to - from;
            side.cross(place - from).dot(normal) < -near * side.length() * size
        };
        if is_beside(p, q) || is_beside(q, r) || is_beside(r, p) {
            return;
        }
        if way.abs() < half - 0.5 * same {
            is_met_before = true;
        } else if way > 0.0 {
            // In an edge or a vertex it comes from inside of all that meet there.
            leaves = Some(leaves != Some(false) && slope > 0.0);
        }
    });
    leaves.map(|leaves| leaves && !is_met_before)
}

/// Triangles are parallel to a segment, and do not end its way through a solid, up to this sine of the angle.
const PARALLEL: f64 = 1e-9;

/// Surfaces are taken to touch if they are as near as this, m.
fn rounding([a, b]: [&Polyhedron; 2], relative: &Pose) -> f64 {
    TOUCHING * (a.features().radius() + b.features().radius() + relative.translation.length())
}

/// Pairs of triangles that are looked at between two looks at what they fill.
const CHUNK: usize = 256;

/// Puts intervals in order and joins those that overlap or meet.
fn unite(intervals: &mut Vec<[f64; 2]>) {
    intervals.sort_unstable_by(|x, y| x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])));
    intervals.dedup_by(|next, last| {
        let meets = next[0] <= last[1];
        if meets {
            last[1] = last[1].max(next[1]);
        }
        meets
    });
}

/// The shortest way along a unit vector of A's frame after which B neither overlaps nor touches A, if it is less than `longest`, m;
/// `relative` takes the frame of B to that of A.
fn way_apart(
    [a, b]: [&Polyhedron; 2],
    relative: &Pose,
    direction: DVec3,
    longest: f64,
    buffers: &mut Buffers,
) -> Option<f64> {
    let Buffers { stack, pairs, touching, .. } = buffers;
    let near = rounding([a, b], relative);
    // Boxes of B half way, grown by the other half.
    let half = Placement {
        rotation: DMat3::from_quat(relative.rotation),
        translation: relative.translation + direction * (0.5 * longest),
    };
    pairs.clear();
    a.triangle_tree().near_pairs(b.triangle_tree(), &half, (0.5 * longest + near, 0.0), stack, pairs);
    touching.clear();
    // Of many triangles some soon fill the way.
    for some in pairs.chunks(CHUNK) {
        touching.extend(some.iter().filter_map(|&(s, t)| {
            let corners = b.surface().corners(t).map(|p| relative.transform_point(p));
            touch(a.surface().corners(s), corners, direction, near, [0.0, longest])
        }));
        unite(touching);
        if touching.first().is_some_and(|&[begin, end]| begin <= 0.0 && end >= longest) {
            return None;
        }
    }
    let mut until = 0.0;
    let is_inside = |way: f64| {
        let translation = relative.translation + direction * way;
        let moved = Pose { translation, ..*relative };
        holds(a, b, &moved) || holds(b, a, &moved.inverse())
    };
    for &[begin, end] in touching.iter().chain([&[longest; 2]]) {
        if begin > until && !is_inside(0.5 * (until + begin)) {
            return Some(until);
        }
        until = f64::max(until, end);
    }
    None
}

/// When two triangles touch, of which the second moves along a unit vector: the first and last time within a span, in lengths of the way.
/// Of triangles that are as near as `near` it is said that they touch.
fn touch(own: [DVec3; 3], other: [DVec3; 3], direction: DVec3, near: f64, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
    let sides = |[p, q, r]: [DVec3; 3]| [q - p, r - q, p - r];
    let (sides_of_own, sides_of_other) = (sides(own), sides(other));
    let (m, n) = (sides_of_own[0].cross(sides_of_own[1]), sides_of_other[0].cross(sides_of_other[1]));
    // Of triangles in one plane the sides' normals in that plane part them.
    let axes = [m, n].into_iter();
    let axes = axes.chain(sides_of_own.iter().flat_map(|s| sides_of_other.iter().map(|t| s.cross(*t))));
    let axes = axes.chain(sides_of_own.iter().map(|s| m.cross(*s))).chain(sides_of_other.iter().map(|t| n.cross(*t)));
    let mut span = [from, to];
    for axis in axes {
        let axis = axis.normalize_or_zero();
        let range = |corners: [DVec3; 3]| {
            let [p, q, r] = corners.map(|c| axis.dot(c));
            [p.min(q).min(r), p.max(q).max(r)]
        };
        let ([low, high], [other_low, other_high]) = (range(own), range(other));
        // Apart while other_low + speed · t > high, or other_high + speed · t < low.
        let speed = axis.dot(direction);
        let (below, above) = (low - other_high - near, high - other_low + near);
        if speed.abs() * (to - from) <= f64::EPSILON * near {
            if below > 0.0 || above < 0.0 {
                return None;
            }
            continue;
        }
        let (begin, end) = if speed > 0.0 { (below / speed, above / speed) } else { (above / speed, below / speed) };
        span = [span[0].max(begin), span[1].min(end)];
        if span[0] > span[1] {
            return None;
        }
    }
    Some(span)
}

/// Whether a vertex of some component of B, where the surfaces are apart, is inside A; `relative` takes the frame of B to that of A.
fn holds(a: &Polyhedron, b: &Polyhedron, relative: &Pose) -> bool {
    let (surface, components) = (b.surface(), b.surface().components());
    let mut next = 0;
    (components.iter().zip(surface.triangles())).any(|(&component, triangle)| {
        // Components are numbered by their first triangles.
        let is_first = component == next;
        next += u32::from(is_first);
        is_first && a.solid().is_inside(relative.transform_point(surface.vertices()[triangle[0] as usize]))
    })
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::overlap;
    use crate::shape::{Shape, Surface, TetrahedralizationSettings, sample};
    use crate::split_mix::SplitMix;

    fn shape(surface: &Surface) -> Shape {
        Shape::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
    }

    fn way(a: &Shape, b: &Shape, relative: &Pose, direction: DVec3, longest: f64) -> Option<f64> {
        let solids = [a, b].map(|s| s.as_polyhedron().unwrap());
        way_apart(solids, relative, direction, longest, &mut Buffers::default())
    }

    /// A cube in the hole of a ring leaves its walls; inside of a larger cube it is never apart.
    #[test]
    fn what_leaves_one_wall_is_apart_until_it_meets_another() {
        let cube = |half: f64| shape(&sample::cuboid(DVec3::ZERO, DVec3::splat(half)));
        let (ring, small) = (shape(&sample::ring()), cube(0.4));
        let (low, high) = ring.surface().unwrap().bounds();
        let at = |x: f64| Pose::from_translation(0.5 * (low + high) + DVec3::X * x);
        // The hole is between -1 and 1.
        let found = way(&ring, &small, &at(-0.7), DVec3::X, 10.0).unwrap();
        assert!((found - 0.1).abs() < 1e-9, "{found}");
        assert_eq!(way(&ring, &small, &at(0.0), DVec3::X, 10.0), Some(0.0));
        let found = way(&ring, &small, &at(0.7), DVec3::X, 10.0).unwrap();
        assert!((found - 1.7).abs() < 1e-9, "{found}");
        assert_eq!(way(&ring, &small, &at(0.7), DVec3::X, 1.6), None);
        // Surfaces are apart all the way, but one solid is inside the other.
        assert_eq!(way(&cube(2.0), &small, &Pose::IDENTITY, DVec3::X, 1.5), None);
        assert_eq!(way(&small, &cube(2.0), &Pose::IDENTITY, DVec3::X, 1.5), None);
    }

    /// Before that way the intersection of the surfaces, by exact predicates, has parts; just behind it there is none.
    #[test]
    fn the_way_is_that_of_the_intersection() {
        let solids = [sample::l_prism(), sample::ring(), sample::cuboid(DVec3::ZERO, DVec3::new(0.3, 0.7, 0.2))]
            .map(|s| shape(&s));
        let mut random = SplitMix::new(7);
        let mut number = move |low: f64, high: f64| low + (high - low) * random.next_fraction();
        let mut asked = 0;
        for k in 0..400_u32 {
            let (a, b) = (&solids[k as usize % 2], &solids[k as usize / 2 % 3]);
            let mut point = |size: f64| DVec3::new(number(-size, size), number(-size, size), number(-size, size));
            let (turn, direction) = (DQuat::from_scaled_axis(point(2.0)), point(1.0).normalize());
            let relative = Pose::from_parts(point(1.5), turn);
            let is_apart = |t: f64| {
                let translation = relative.translation + direction * t;
                overlap::components(a, b, &Pose { translation, ..relative }).unwrap().is_empty()
            };
            let longest = 3.0;
            let found = way(a, b, &relative, direction, longest);
            if let Some(t) = found {
                assert!(is_apart(t + 1e-9), "{k}: {t}");
                asked += u32::from(t > 0.0);
            }
            let until = found.unwrap_or(longest);
            assert!((0..20).all(|i| until == 0.0 || !is_apart(until * (f64::from(i) + 0.5) / 20.0)), "{k}: {found:?}");
        }
        assert!(asked > 20, "{asked} pairs overlap at first and part on the way");
    }

    /// Where a segment from a point of B to a point of A shows it, the intersection of the surfaces, by exact predicates, has parts all the way.
    #[test]
    fn a_segment_shows_only_what_is_so() {
        let solids = [sample::l_prism(), sample::ring(), sample::cuboid(DVec3::ZERO, DVec3::new(0.3, 0.7, 0.2))]
            .map(|s| shape(&s));
        let mut random = SplitMix::new(11);
        let [mut shown, mut of_all] = [0; 2];
        for k in 0..6000 {
            let (a, b) = (&solids[k % 2], &solids[k / 2 % 3]);
            let mut point = |size: f64| DVec3::from_array([0; 3].map(|_| size * (2.0 * random.next_fraction() - 1.0)));
            let relative = Pose::from_parts(point(1.5), DQuat::from_scaled_axis(point(2.0)));
            let mut on_surface = |shape: &Shape| {
                let surface = shape.surface().unwrap();
                let [p, q, r] = surface.corners(random.next_below(surface.triangles().len()) as u32);
                // Some at corners and in sides, as contacts are.
                let [x, y] = match k % 3 {
                    0 => [random.next_fraction(), random.next_fraction()],
                    1 => [random.next_fraction(), 0.0],
                    _ => [0.0; 2],
                };
                p.lerp(q, x).lerp(r, y)
            };
            let (on_a, on_b) = (on_surface(a), relative.transform_point(on_surface(b)));
            let (depth, direction) = (on_a.distance(on_b), (on_a - on_b).normalize());
            let polyhedra = [a, b].map(|s| s.as_polyhedron().unwrap());
            let middle = (on_a.midpoint(on_b), depth);
            of_all += 1;
            if overlap_all_the_way(polyhedra, &relative, direction, middle, 1e-6) {
                shown += 1;
                let overlaps = |t: f64| {
                    let translation = relative.translation + direction * t;
                    !overlap::components(a, b, &Pose { translation, ..relative }).unwrap().is_empty()
                };
                assert!((0..10).all(|i| overlaps(depth * (f64::from(i) + 0.5) / 10.0)), "{k}");
            }
        }
        assert!(shown > 100 && shown < of_all / 2, "{shown} of {of_all}");
    }
}
