//! Answers with a proof: the search, a check, and what is done where the check fails.
//!
//! In rounded arithmetic the planes of the two polyhedra may disagree by a bit where features are parallel; that is how
//! bodies rest on each other. Then pairs that are equally near replace each other in a circle. The rule: walk the circle
//! once and take the pair whose bounds agree; else start again from the farthest vertices along the line of the centres;
//! else the nearest points by another algorithm, and the features of lowest dimension that have them. No number of steps
//! is ever an answer.

use super::certificate::{rounding, separation};
use super::closest_points;
use super::gjk::{Nearest, nearest};
use super::search::{Step, View};
use super::{Certificate, Closest, ConvexPolyhedron, Found, Outcome, Pair, Placing, Way, certify, closest};
use crate::shape::features::FeatureId;
use glam::DVec3;

/// The closest features of two polyhedra with a certificate, from the pair of a call before, which is replaced by the new
/// one. A certificate that is not tight is an answer with that uncertainty: no input is known that leads to one.
pub fn certified(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, pair: &mut Pair) -> Outcome {
    let found = closest(a, b, placing, pair);
    match proven(a, b, placing, found, *pair, Way::Search) {
        Some(outcome) => outcome,
        None => repaired(a, b, placing, pair),
    }
}

/// An answer of the search with its proof; `None` if there is none.
fn proven(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    found: Found,
    pair: Pair,
    way: Way,
) -> Option<Outcome> {
    match found {
        Found::Apart(closest) => {
            let certificate = certify(a, b, placing, &closest);
            certificate.is_tight().then_some(Outcome::Apart { closest, certificate, way })
        }
        Found::Meeting(witness) => {
            let outside = outside(a, b, placing, witness);
            let is_common = outside <= rounding(a, b, placing);
            is_common.then_some(Outcome::Overlapping { pair, witness, outside, way })
        }
        Found::Circle => None,
    }
}

/// How far a point (frame of A) is outside of either polyhedron, m; negative inside of both.
fn outside(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, point: DVec3) -> f64 {
    a.outermost_plane(point).1.max(b.outermost_plane(placing.point_of_a(point)).1)
}

#[cold]
fn repaired(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, pair: &mut Pair) -> Outcome {
    let found = from_circle(a, b, placing, *pair).or_else(|| restarted(a, b, placing));
    let outcome = found.unwrap_or_else(|| from_nearest(a, b, placing, *pair));
    *pair = match outcome {
        Outcome::Apart { closest, .. } => closest.pair,
        Outcome::Overlapping { pair, .. } => pair,
    };
    outcome
}

/// The first pair in the order of features on the way round from a pair whose bounds agree.
fn from_circle(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, start: Pair) -> Option<Outcome> {
    let mut view = View::<f64>::new([a, b], &placing.motions);
    let first = [start.a, start.b];
    let mut features = first;
    let mut best: Option<(Closest, Certificate)> = None;
    let mut found = Found::Circle;
    loop {
        let pair = Pair { a: features[0], b: features[1] };
        if best.is_none_or(|(closest, _)| pair < closest.pair) {
            best = closest_of(a, b, placing, &mut view, pair).or(best);
        }
        if !matches!(view.step(&mut features, &mut found), Step::Moved) || features == first {
            return best.map(|(closest, certificate)| Outcome::Apart { closest, certificate, way: Way::Circle });
        }
    }
}

/// The closest points of a pair of features, if they are points of the polyhedra and their certificate is tight.
fn closest_of(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    view: &mut View<'_, f64>,
    pair: Pair,
) -> Option<(Closest, Certificate)> {
    let is_flat =
        |x: FeatureId, y: FeatureId| matches!((x, y), (FeatureId::Facet(_), FeatureId::Facet(_) | FeatureId::Edge(_)));
    if is_flat(pair.a, pair.b) || is_flat(pair.b, pair.a) {
        return None;
    }
    let (points, distance) = closest_points::of(view, [pair.a, pair.b]);
    if distance <= 0.0 {
        return None;
    }
    let closest = Closest { pair, points, distance };
    let certificate = certify(a, b, placing, &closest);
    let are_points = || {
        let outermost = a.outermost_plane(points[0]).1.max(b.outermost_plane(points[1]).1);
        outermost <= certificate.rounding
    };
    (certificate.is_tight() && are_points()).then_some((closest, certificate))
}

fn restarted(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing) -> Option<Outcome> {
    let mut pair = Pair::cold(a, b, placing);
    let found = closest(a, b, placing, &mut pair);
    proven(a, b, placing, found, pair, Way::Restart)
}

fn from_nearest(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, last: Pair) -> Outcome {
    let way = Way::Nearest;
    let start = [a.vertex_of(last.a), b.vertex_of(last.b)];
    let Nearest { points, direction, vertices } = nearest(a, b, placing, start);
    let rounding = rounding(a, b, placing);
    let offset = points[1] - points[0];
    let witness = 0.5 * (points[0] + points[1]);
    let outside = outside(a, b, placing, witness);
    let pair = Pair { a: FeatureId::Vertex(vertices[0]), b: FeatureId::Vertex(vertices[1]) };
    let lower = match direction {
        DVec3::ZERO => f64::NEG_INFINITY,
        _ => separation(a, b, placing, direction, points[0], offset, pair),
    };
    if lower <= 0.0 && outside <= rounding {
        return Outcome::Overlapping { pair, witness, outside, way };
    }
    // Features of lowest dimension whose closest points are as near.
    let mut view = View::<f64>::new([a, b], &placing.motions);
    let there = placing.direction_to_b(direction);
    let (on_a, on_b) = (features_along(a, direction, rounding), features_along(b, -there, rounding));
    let mut pairs = on_a.iter().flat_map(|&a| on_b.iter().map(move |&b| Pair { a, b }));
    let found = pairs.find_map(|pair| closest_of(a, b, placing, &mut view, pair));
    let (closest, certificate) = found.unwrap_or_else(|| {
        let closest = Closest { pair, points: [points[0], placing.point_of_a(points[1])], distance: offset.length() };
        (closest, Certificate { direction, lower, upper: offset.length(), rounding })
    });
    Outcome::Apart { closest, certificate, way }
}

/// The features that are farthest in a direction, those of lower dimension first.
fn features_along(solid: &ConvexPolyhedron, direction: DVec3, tolerance: f64) -> Vec<FeatureId> {
    let height = |v: u32| direction.dot(solid.vertices()[v as usize]);
    let top = (0..solid.vertices().len() as u32).map(height).fold(f64::NEG_INFINITY, f64::max);
    let is_top = |v: u32| height(v) >= top - tolerance;
    let vertices = (0..solid.vertices().len() as u32).filter(|&v| is_top(v)).map(FeatureId::Vertex);
    let edges = (0..solid.edge_count() as u32).filter(|&e| solid.edge(e).into_iter().all(is_top)).map(FeatureId::Edge);
    let faces =
        (0..solid.face_count() as u32).filter(|&f| solid.corners(f).all(|(v, _)| is_top(v))).map(FeatureId::Facet);
    vertices.chain(edges).chain(faces).collect()
}
