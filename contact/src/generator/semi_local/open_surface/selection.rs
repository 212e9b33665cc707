//! Which candidates of a surface and a polyhedron are contacts: of planes that cover each other one, of points with one normal those at the
//! border of their region.

use glam::{DVec2, DVec3};

use super::{Found, Motion, Near, Other, Place};
use crate::generator::semi_local::SemiLocal;
use crate::generator::semi_local::alternatives::{highest, highest_of_segment};
use crate::generator::semi_local::candidate::Limits;
use crate::shape::Polyhedron;
use crate::sorting::CompactSort;

/// Up to this depth, in units of the length below which lengths are none, nothing is asked of what is behind.
const SHALLOW: f64 = 10.0;

/// Keeps of candidates those that are contacts.
pub fn select(near: &Near<'_>, shape: &Polyhedron, settings: &SemiLocal, motion: &Motion<'_>, found: &mut Vec<Found>) {
    found.retain(|candidate| candidate.gap >= -SHALLOW * near.lengths.same || has_sunk(near, shape, candidate));
    let lengths = near.lengths;
    let limits = Limits { envelope: lengths.envelope, depth: lengths.depth, same: lengths.same };
    found.compact_sort_by(|c, d| {
        let kept = |c: &Found| motion.was_kept(near.triangles, c);
        limits
            .steps(d.gap)
            .cmp(&limits.steps(c.gap))
            .then(kept(d).cmp(&kept(c)))
            .then_with(|| (motion.leaving(d) as f32).total_cmp(&(motion.leaving(c) as f32)))
            .then(rank(c).cmp(&rank(d)))
            .then(key(near, c).cmp(&key(near, d)))
    });
    let mut k = 0;
    while k < found.len() {
        let first = found[k];
        let mut place = 0;
        found.retain(|other| {
            place += 1;
            place <= k + 1 || !(is_same(near, &first, other) || covers(near, shape, settings, &first, other))
        });
        k += 1;
    }
    thin_out(near, settings.angles.cone, found);
    found.compact_sort_by_key(|c| key(near, c));
}

/// Triangles before edges before vertices: their normals are exact.
fn rank(found: &Found) -> u32 {
    match found.place {
        Place::Triangle(_) => 0,
        Place::Edge(..) => 1,
        Place::Vertex(..) => 2,
    }
}

/// By features, so that the order stays from step to step.
fn key(near: &Near<'_>, found: &Found) -> (crate::contact::Feature, crate::contact::Feature) {
    (super::surface_feature(near.triangles, found.place), super::other_feature(found.feature))
}

/// Whether two candidates are the same point with the same normal.
fn is_same(near: &Near<'_>, c: &Found, d: &Found) -> bool {
    c.own.distance(d.own) <= 2.0 * near.lengths.same
        && c.normal.dot(d.normal) > 0.0
        && c.normal.cross(d.normal).length() <= SAME_NORMAL
}

/// Normals of one point that differ by less (sine) are one.
const SAME_NORMAL: f64 = 2e-2;

/// Whether what a candidate says to be deep is, and has not only passed by.
fn has_sunk(near: &Near<'_>, shape: &Polyhedron, candidate: &Found) -> bool {
    let is_inside = |point: DVec3| {
        shape.features().is_convex() || shape.surface().winding_number(near.pose.inverse_transform_point(point)) == 1
    };
    let is_behind = |point: DVec3| near.surface.is_two_sided() || near.is_behind(point);
    match candidate.place {
        Place::Triangle(_) => is_behind(candidate.other),
        Place::Edge(..) => is_behind(candidate.other) || is_inside(candidate.own),
        Place::Vertex(..) => is_inside(candidate.own),
    }
}

/// Whether the plane of `c` keeps the features of `d` apart: the surface's below it, the polyhedron's above, as far as they are seen from
/// there (the rule of [`crate::generator::semi_local`] for alternatives).
fn covers(near: &Near<'_>, shape: &Polyhedron, settings: &SemiLocal, c: &Found, d: &Found) -> bool {
    if c.normal.dot(d.normal) > 0.0 && c.normal.cross(d.normal).length() <= settings.angles.same {
        return false;
    }
    let lengths = near.lengths;
    let reach = lengths.envelope + c.gap.abs() + d.gap.abs();
    let distance = (0.5 * (c.own + c.other)).distance(0.5 * (d.own + d.other));
    if c.normal.dot(d.other - d.own) < c.gap - lengths.same || distance > reach {
        return false;
    }
    let slack = lengths.same + settings.angles.same * (reach + distance);
    let top = c.normal.dot(d.own - c.own) + highest_of_place(near, d.place, d.own, c.normal, reach);
    if top > slack {
        return false;
    }
    let back = near.pose.inverse();
    let (from, down) = (back.transform_point(d.other), -(back.rotation * c.normal));
    let reaches = match d.feature {
        Other::OfPolyhedron(id) => highest(shape.features(), id, from, down, reach),
        Other::Smooth => 0.0,
    };
    c.normal.dot(d.other - c.other) - reaches >= -slack
}

/// How high a feature of the surface reaches along a direction over a point of it, as far as it is no farther from there than `reach`, m.
fn highest_of_place(near: &Near<'_>, place: Place, from: DVec3, up: DVec3, reach: f64) -> f64 {
    let side = |t: u32, k: usize| {
        let corners = near.triangles[t as usize].corners;
        highest_of_segment(corners[k] - from, corners[(k + 1) % 3] - from, up, reach)
    };
    match place {
        Place::Vertex(..) => 0.0,
        Place::Edge(t, k) => side(t, k as usize),
        Place::Triangle(t) => {
            let triangle = &near.triangles[t as usize];
            let steepest = (up - triangle.normal * up.dot(triangle.normal)).normalize_or_zero() * reach;
            let inner = if triangle.is_over(from + steepest, 0.0) { up.dot(steepest) } else { 0.0 };
            (0..3).map(|k| side(t, k)).fold(inner, f64::max)
        }
    }
}

/// Leaves of candidates with about one normal (sine of the angle) those at the corners of the convex hull of their points, and the deepest
/// one inside if it is deeper than these: any force that the others can bear, these can.
fn thin_out(near: &Near<'_>, angle: f64, found: &mut Vec<Found>) {
    if found.len() < 3 {
        return;
    }
    let mut group: Vec<u32> = vec![u32::MAX; found.len()];
    let mut is_kept = vec![true; found.len()];
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.compact_sort_by_key(|&k| (rank(&found[k]), k));
    for &first in &order {
        if group[first] != u32::MAX {
            continue;
        }
        let normal = found[first].normal;
        let is_one = |c: &Found| c.normal.dot(normal) > 0.0 && c.normal.cross(normal).length() <= angle;
        let members: Vec<usize> =
            (0..found.len()).filter(|&k| group[k] == u32::MAX && (k == first || is_one(&found[k]))).collect();
        members.iter().for_each(|&k| group[k] = first as u32);
        if members.len() < 3 {
            continue;
        }
        let (s, t) = normal.any_orthonormal_pair();
        let place = |k: usize| DVec2::new(s.dot(found[k].own), t.dot(found[k].own));
        let hull = hull(&members, place, near.lengths.same);
        let deepest_of_hull = hull.iter().map(|&k| found[k].gap).fold(f64::INFINITY, f64::min);
        let inner = members.iter().copied().filter(|k| !hull.contains(k));
        let deepest = inner.min_by(|&i, &j| found[i].gap.total_cmp(&found[j].gap).then(i.cmp(&j)));
        let deepest = deepest.filter(|&k| found[k].gap < deepest_of_hull - near.lengths.same);
        members.iter().for_each(|k| is_kept[*k] = hull.contains(k) || deepest == Some(*k));
    }
    let mut kept = is_kept.into_iter();
    found.retain(|_| kept.next().unwrap_or(true));
}

/// The corners of the convex hull of places (Andrew's monotone chain), none of them nearer to the line between its neighbours than a
/// tolerance, m. Two where all lie on a line.
fn hull(members: &[usize], place: impl Fn(usize) -> DVec2, tolerance: f64) -> Vec<usize> {
    let mut sorted = members.to_vec();
    sorted.compact_sort_by(|&i, &j| {
        let (p, q) = (place(i), place(j));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(i.cmp(&j))
    });
    let chain = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for k in order {
            while let [.., i, j] = chain[..] {
                let (side, next) = (place(j) - place(i), place(k) - place(i));
                if side.perp_dot(next) > tolerance * next.length() {
                    break;
                }
                chain.pop();
            }
            chain.push(k);
        }
        chain
    };
    let mut all = chain(&mut sorted.iter().copied());
    all.extend(chain(&mut sorted.iter().rev().copied()));
    all.sort_unstable();
    all.dedup();
    all
}
