//! Answers with a proof: the search, a check, and what is done where the check fails.
//!
//! In rounded arithmetic the planes of the two polyhedra may disagree by a bit where features are parallel; that is how
//! bodies rest on each other. Then pairs that are equally near replace each other in a circle. The rule: where the
//! search has ended, try the directions of all features around its end; where it goes in a circle, walk that once and
//! take the pair whose bounds agree; else start again from the farthest vertices along the line of the centres; else
//! walk the circle with the directions of all features around each pair; else the nearest points by another
//! algorithm, and the closest of the features around them. No number of steps is ever an answer.

use super::certificate::{around, certify_around, certify_between, corners, rounding};
use super::closest_points;
use super::gjk::{Nearest, nearest};
use super::search::{Step, View};
use super::{Certificate, Closest, ConvexPolyhedron, Found, FoundBy, Outcome, Pair, RelativePose, certify, closest};
use crate::shape::features::FeatureId;
use glam::DVec3;

/// The closest features of two polyhedra with a certificate, from the pair of a call before, which is replaced by the
/// new one. A certificate that is not tight is an answer with that uncertainty: of ten million random pairs, some two lead to one.
pub fn certified(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, pair: &mut Pair) -> Outcome {
    let found = closest(a, b, relative_pose, pair);
    match proven(a, b, relative_pose, found, *pair, FoundBy::Search) {
        Some(outcome) => outcome,
        None => repaired(a, b, relative_pose, found, pair),
    }
}

/// An answer of the search with its proof; `None` if there is none.
fn proven(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    found: Found,
    pair: Pair,
    found_by: FoundBy,
) -> Option<Outcome> {
    match found {
        Found::Apart(closest) => {
            let certificate = certify(a, b, relative_pose, &closest);
            certificate.is_tight().then_some(Outcome::Apart { closest, certificate, found_by })
        }
        Found::Intersecting(witness) => {
            let outside = outside(a, b, relative_pose, witness);
            let is_common = outside <= rounding(a, b, relative_pose);
            is_common.then_some(Outcome::Overlapping { pair, witness, outside, found_by })
        }
        Found::Circle => None,
    }
}

/// How far a point (frame of A) is outside of either polyhedron, m; negative inside of both, infinite for what is no point: where an edge
/// meets a face is lost if one body is a speck beside the other.
fn outside(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, point: DVec3) -> f64 {
    if !point.is_finite() {
        return f64::INFINITY;
    }
    a.outermost_plane(point).1.max(b.outermost_plane(relative_pose.point_of_a(point)).1)
}

#[cold]
fn repaired(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    found: Found,
    pair: &mut Pair,
) -> Outcome {
    let found = from_around(a, b, relative_pose, found)
        .or_else(|| from_circle(a, b, relative_pose, *pair, certify_tightly))
        .or_else(|| restarted(a, b, relative_pose))
        .or_else(|| from_circle(a, b, relative_pose, *pair, certify_around));
    let outcome = found.unwrap_or_else(|| from_nearest(a, b, relative_pose, *pair));
    *pair = match outcome {
        Outcome::Apart { closest, .. } => closest.pair,
        Outcome::Overlapping { pair, .. } => pair,
    };
    outcome
}

/// Where the search has ended, with the directions of the features around.
fn from_around(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    found: Found,
) -> Option<Outcome> {
    let Found::Apart(closest) = found else { return None };
    let certificate = certify_around(a, b, relative_pose, &closest)?;
    Some(Outcome::Apart { closest, certificate, found_by: FoundBy::Search })
}

/// A way to tight bounds.
type Prove = fn(&ConvexPolyhedron, &ConvexPolyhedron, &RelativePose, &Closest) -> Option<Certificate>;

/// The bounds by the features themselves, if they are tight.
fn certify_tightly(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    closest: &Closest,
) -> Option<Certificate> {
    Some(certify(a, b, relative_pose, closest)).filter(Certificate::is_tight)
}

/// The first pair in the order of features on the way round from a pair whose bounds agree.
fn from_circle(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    start: Pair,
    prove: Prove,
) -> Option<Outcome> {
    let mut view = View::<f64>::new([a, b], &relative_pose.motions);
    let first = [start.a, start.b];
    let mut features = first;
    let mut best: Option<(Closest, Certificate)> = None;
    let mut found = Found::Circle;
    loop {
        let pair = Pair { a: features[0], b: features[1] };
        if best.is_none_or(|(closest, _)| pair < closest.pair) {
            let closest = points_of(&mut view, pair).filter(|closest| closest.distance > 0.0);
            let closest = closest.filter(|closest| are_on(a, b, relative_pose, closest));
            best = closest.and_then(|closest| Some((closest, prove(a, b, relative_pose, &closest)?))).or(best);
        }
        if !matches!(view.step(&mut features, &mut found), Step::Moved) || features == first {
            return best.map(|(closest, certificate)| Outcome::Apart {
                closest,
                certificate,
                found_by: FoundBy::Circle,
            });
        }
    }
}

/// The closest points of a pair of features, or of their lines and planes; a vertex below a face has a negative
/// distance.
fn points_of(view: &mut View<'_, f64>, pair: Pair) -> Option<Closest> {
    let is_flat =
        |x: FeatureId, y: FeatureId| matches!((x, y), (FeatureId::Facet(_), FeatureId::Facet(_) | FeatureId::Edge(_)));
    if is_flat(pair.a, pair.b) || is_flat(pair.b, pair.a) {
        return None;
    }
    let (points, distance) = closest_points::of(view, [pair.a, pair.b]);
    Some(Closest { pair, points, distance })
}

/// Whether the closest points of two features' lines and planes are points of the features, but for rounding.
fn are_on(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, closest: &Closest) -> bool {
    let rounding = rounding(a, b, relative_pose);
    let is_on = |solid: &ConvexPolyhedron, feature: FeatureId, point: DVec3| match feature {
        FeatureId::Vertex(_) => true,
        FeatureId::Edge(e) => solid.edge_at(e).planes[..2].iter().all(|plane| plane.height(point) >= -rounding),
        FeatureId::Facet(f) => solid.sides_of(f).iter().all(|side| side.plane.height(point) >= -rounding),
    };
    is_on(a, closest.pair.a, closest.points[0]) && is_on(b, closest.pair.b, closest.points[1])
}

fn restarted(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose) -> Option<Outcome> {
    let mut pair = Pair::cold(a, b, relative_pose);
    let found = closest(a, b, relative_pose, &mut pair);
    proven(a, b, relative_pose, found, pair, FoundBy::Restart)
}

/// A common point where the other algorithm finds the differences all around the origin, else the closest of the
/// features around the nearest points, unless these touch.
fn from_nearest(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, last: Pair) -> Outcome {
    let found_by = FoundBy::Nearest;
    let common = |pair: Pair, points: [DVec3; 2]| {
        let witness = 0.5 * (points[0] + points[1]);
        let outside = outside(a, b, relative_pose, witness);
        (outside <= rounding(a, b, relative_pose)).then_some(Outcome::Overlapping { pair, witness, outside, found_by })
    };
    let Nearest { points, vertices } = nearest(a, b, relative_pose, [a.vertex_of(last.a), b.vertex_of(last.b)]);
    let pair = Pair { a: FeatureId::Vertex(vertices[0][0]), b: FeatureId::Vertex(vertices[1][0]) };
    if vertices[0].len() == 4
        && let Some(overlapping) = common(pair, points)
    {
        return overlapping;
    }
    let closest = Closest { pair, points: [points[0], relative_pose.point_of_a(points[1])], distance: f64::INFINITY };
    let (closest, certificate, around) = improved(a, b, relative_pose, closest, vertices);
    let apart = Outcome::Apart { closest, certificate, found_by };
    if certificate.is_tight() && closest.distance > 0.0 {
        return apart;
    }
    common(closest.pair, [closest.points[0], relative_pose.point_of_b(closest.points[1])])
        .or_else(|| common(pair, points))
        .or_else(|| intersecting(a, b, relative_pose, &around).find_map(|(pair, point)| common(pair, [point; 2])))
        .or_else(|| common(closest.pair, [a.centre(); 2]))
        .or_else(|| common(closest.pair, [relative_pose.point_of_b(b.centre()); 2]))
        .unwrap_or(apart)
}

/// Where features meet by the tests of the search: the edges through faces of bodies that overlap by a hair.
fn intersecting<'p>(
    a: &'p ConvexPolyhedron,
    b: &'p ConvexPolyhedron,
    relative_pose: &'p RelativePose,
    around: &'p [Vec<FeatureId>; 2],
) -> impl Iterator<Item = (Pair, DVec3)> + 'p {
    let mut view = View::<f64>::new([a, b], &relative_pose.motions);
    around[0].iter().flat_map(|&a| around[1].iter().map(move |&b| Pair { a, b })).filter_map(move |pair| {
        let mut features = [pair.a, pair.b];
        let mut found = Found::Circle;
        view.step(&mut features, &mut found);
        if let Found::Intersecting(point) = found { Some((pair, point)) } else { None }
    })
}

/// Where the farthest vertices are known and the bounds are not tight, the other corners of their faces are looked at so often: of parallel
/// faces, edges may cross that none of these vertices has.
const WIDER: usize = 2;

/// The closest of the features around some vertices and the best of their directions, with more vertices as long as
/// these lie farther along it, then with those of the faces around.
fn improved(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    mut closest: Closest,
    mut vertices: [Vec<u32>; 2],
) -> (Closest, Certificate, [Vec<FeatureId>; 2]) {
    let mut view = View::<f64>::new([a, b], &relative_pose.motions);
    let lowest = -rounding(a, b, relative_pose);
    let mut widened = 0;
    loop {
        let around = [around(a, &vertices[0]), around(b, &vertices[1])];
        for pair in around[0].iter().flat_map(|&a| around[1].iter().map(move |&b| Pair { a, b })) {
            closest = points_of(&mut view, pair)
                .filter(|other| {
                    (lowest..closest.distance).contains(&other.distance) && are_on(a, b, relative_pose, other)
                })
                .unwrap_or(closest);
        }
        let certificate = certify_between(a, b, relative_pose, &closest, &around);
        let there = relative_pose.direction_to_b(certificate.direction);
        let farthest = [a.support(certificate.direction, vertices[0][0]), b.support(-there, vertices[1][0])];
        let is_known = [0, 1].map(|k| vertices[k].contains(&farthest[k]));
        if certificate.is_tight() {
            return (closest, certificate, around);
        }
        if is_known == [true; 2] {
            let known = vertices.each_ref().map(Vec::len);
            widened += 1;
            for (solid, (vertices, around)) in [a, b].into_iter().zip(vertices.iter_mut().zip(&around)) {
                let faces = around.iter().filter(|feature| matches!(feature, FeatureId::Facet(_)));
                vertices.extend(faces.flat_map(|&face| corners(solid, face)));
                vertices.sort_unstable();
                vertices.dedup();
            }
            if widened > WIDER || vertices.each_ref().map(Vec::len) == known {
                return (closest, certificate, around);
            }
        }
        (0..2).filter(|&k| !is_known[k]).for_each(|k| vertices[k].push(farthest[k]));
    }
}
