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
use super::search::View;
use super::{Certificate, Closest, ConvexPolyhedron, Outcome, Overlap, Pair, Placing, Way, certify, closest};
use crate::shape::features::FeatureId;
use glam::DVec3;

/// The closest features of two polyhedra with a certificate, from the pair of a call before, which is replaced by the new
/// one. Never [`Outcome::Undecided`]. A certificate that is not tight is an answer with that uncertainty: no input is known
/// that leads to one.
pub fn certified(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, pair: &mut Pair) -> Outcome {
    if let Some(outcome) = checked(a, b, placing, closest(a, b, placing, pair)) {
        return outcome;
    }
    repaired(a, b, placing, pair)
}

/// An answer of the search with its proof; `None` if there is none.
fn checked(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, outcome: Outcome) -> Option<Outcome> {
    match outcome {
        Outcome::Apart(closest) => {
            let certificate = certify(a, b, placing, &closest);
            let proven = Closest { certificate: Some(certificate), ..closest };
            certificate.is_tight().then_some(Outcome::Apart(proven))
        }
        Outcome::Overlapping(overlap) => {
            let outside = outside(a, b, placing, overlap.witness);
            let proven = Overlap { outside: Some(outside), ..overlap };
            (outside <= rounding(a, b, placing)).then_some(Outcome::Overlapping(proven))
        }
        Outcome::Undecided => None,
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
        Outcome::Apart(closest) => closest.pair,
        Outcome::Overlapping(overlap) => overlap.pair,
        Outcome::Undecided => *pair,
    };
    outcome
}

/// The first pair in the order of features on the way round from a pair whose bounds agree.
fn from_circle(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, start: Pair) -> Option<Outcome> {
    let mut view = View::<f64>::new([a, b], placing.motions());
    let first = [start.a, start.b];
    let mut features = first;
    let mut best: Option<Closest> = None;
    loop {
        let pair = Pair { a: features[0], b: features[1] };
        if let Some(closest) = proven(a, b, placing, &mut view, pair)
            && best.is_none_or(|best| closest.pair < best.pair)
        {
            best = Some(Closest { way: Way::Circle, ..closest });
        }
        if !matches!(view.step(&mut features), super::search::Step::Moved) || features == first {
            return best.map(Outcome::Apart);
        }
    }
}

/// The closest points of a pair of features, if they are points of the polyhedra and their certificate is tight.
fn proven(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    view: &mut View<'_, f64>,
    pair: Pair,
) -> Option<Closest> {
    let no_pair_of_closest_features =
        |x: FeatureId, y: FeatureId| matches!((x, y), (FeatureId::Facet(_), FeatureId::Facet(_) | FeatureId::Edge(_)));
    if no_pair_of_closest_features(pair.a, pair.b) || no_pair_of_closest_features(pair.b, pair.a) {
        return None;
    }
    let (points, distance) = closest_points::of(view, [pair.a, pair.b]);
    let closest = Closest { pair, points, distance, certificate: None, way: Way::Search };
    let certificate = certify(a, b, placing, &closest);
    let rounding = certificate.rounding;
    let are_points = a.outermost_plane(points[0]).1 <= rounding && b.outermost_plane(points[1]).1 <= rounding;
    (distance > 0.0 && certificate.is_tight() && are_points)
        .then_some(Closest { certificate: Some(certificate), ..closest })
}

fn restarted(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing) -> Option<Outcome> {
    let mut pair = Pair::cold(a, b, placing);
    let outcome = closest(a, b, placing, &mut pair);
    checked(a, b, placing, outcome).map(|outcome| match outcome {
        Outcome::Apart(closest) => Outcome::Apart(Closest { way: Way::Restart, ..closest }),
        Outcome::Overlapping(overlap) => Outcome::Overlapping(Overlap { way: Way::Restart, ..overlap }),
        Outcome::Undecided => outcome,
    })
}

fn from_nearest(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, last: Pair) -> Outcome {
    let start = [a.vertex_of(last.a), b.vertex_of(last.b)];
    let Nearest { points, direction, vertices } = nearest(a, b, placing, start);
    let rounding = rounding(a, b, placing);
    let offset = points[1] - points[0];
    let start = (vertices[0], vertices[1]);
    let middle = 0.5 * (points[0] + points[1]);
    let outside = outside(a, b, placing, middle);
    let lower = match direction {
        DVec3::ZERO => f64::NEG_INFINITY,
        _ => separation(a, b, placing, direction, points[0], offset, start),
    };
    if lower <= 0.0 && outside <= rounding {
        let pair = Pair { a: FeatureId::Vertex(vertices[0]), b: FeatureId::Vertex(vertices[1]) };
        return Outcome::Overlapping(Overlap { pair, witness: middle, outside: Some(outside), way: Way::Nearest });
    }
    // Features of lowest dimension whose closest points are as near.
    let mut view = View::<f64>::new([a, b], placing.motions());
    let there = placing.direction_to_b(direction);
    let (on_a, on_b) = (features_along(a, direction, rounding), features_along(b, -there, rounding));
    let pairs = on_a.iter().flat_map(|&a| on_b.iter().map(move |&b| Pair { a, b }));
    let found = pairs.filter_map(|pair| proven(a, b, placing, &mut view, pair)).next();
    Outcome::Apart(found.map_or_else(
        || Closest {
            pair: Pair { a: FeatureId::Vertex(vertices[0]), b: FeatureId::Vertex(vertices[1]) },
            points: [points[0], placing.point_of_a(points[1])],
            distance: offset.length(),
            certificate: Some(Certificate { direction, lower, upper: offset.length(), rounding }),
            way: Way::Nearest,
        },
        |closest| Closest { way: Way::Nearest, ..closest },
    ))
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
