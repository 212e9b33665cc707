//! Two convex solids that one pair of features kept apart in the step before, and does so still: a common case, for which no other features
//! have to be looked at.

use super::candidate::{Across, Candidate, Limits, View};
use super::{Buffers, SemiLocal, convex_facets, deep, edge_edge, facet_edge, facet_vertex};
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::shape::features::{Facet, FeatureId, Features, Placement};
use glam::DVec3;

/// Angles are larger by this factor than those up to which the search among all features takes two normals for one.
const SLACK: f64 = 1.1;

/// Features that are in each other must go on, on all sides of where they touch, for so many times their depth: then no other plane is
/// less deep.
const ROOM: f64 = 4.0;

/// The facets at a vertex are not looked for among more.
const FEW: usize = 64;

/// Directions whose sine is below this run along each other.
const ALONG: f64 = 1e-6;

/// The features that all contacts of the step before lay between, if there is one such pair.
fn one_pair(previous: &[(Feature, Feature)]) -> Option<(FeatureId, FeatureId)> {
    let (&first, rest) = previous.split_first()?;
    let id = |feature: Feature| match feature {
        Feature::Facet(f) => Some(FeatureId::Facet(f)),
        Feature::FacetEdge(e) => Some(FeatureId::Edge(e)),
        Feature::FacetVertex(v) => Some(FeatureId::Vertex(v)),
        _ => None,
    };
    if rest.iter().all(|pair| *pair == first) { Some((id(first.0)?, id(first.1)?)) } else { None }
}

/// Whether a solid has a feature.
fn has(features: &Features, feature: FeatureId) -> bool {
    match feature {
        FeatureId::Facet(f) => (f as usize) < features.facets().len(),
        FeatureId::Edge(e) => (e as usize) < features.edges().len(),
        FeatureId::Vertex(v) => (v as usize) < features.vertices().len(),
    }
}

impl SemiLocal {
    /// Appends the contacts of two convex solids that one pair of features kept apart in the step before and keeps apart still: as long as
    /// they touch and have not sunk into each other by more than the envelope. Otherwise returns false.
    pub(super) fn still_held(
        &self,
        [a, b]: [&Placed<'_>; 2],
        previous: &[(Feature, Feature)],
        buffers: &mut Buffers,
        contacts: &mut Vec<Contact>,
    ) -> bool {
        let Some(pair) = one_pair(previous) else { return false };
        let (Some(own), Some(other)) = (a.shape.as_polyhedron(), b.shape.as_polyhedron()) else { return false };
        let (own, other) = (own.features(), other.features());
        if !own.is_convex() || !other.is_convex() || !has(own, pair.0) || !has(other, pair.1) {
            return false;
        }
        let limits = self.limits(own, other);
        let limits = Limits { depth: limits.depth.min(limits.envelope).min(deep::depth(own, other)), ..limits };
        if let (FeatureId::Facet(f), FeatureId::Facet(g)) = pair {
            let placed = [(own, &a.pose), (other, &b.pose)];
            return convex_facets::add(placed, [f, g], (&limits, &self.angles), &mut buffers.polygons, contacts);
        }
        let view = View { own, other, placement: Placement::of(&a.pose, &b.pose), limits, angles: self.angles };
        let Buffers { candidates, pieces, .. } = buffers;
        candidates.clear();
        match pair {
            (FeatureId::Facet(f), FeatureId::Vertex(v)) => facet_vertex::add(&view, false, f, v, candidates),
            (FeatureId::Vertex(v), FeatureId::Facet(g)) => facet_vertex::add(&view.exchanged(), true, g, v, candidates),
            (FeatureId::Facet(f), FeatureId::Edge(e)) => facet_edge::add(&view, false, f, e, pieces, candidates),
            (FeatureId::Edge(e), FeatureId::Facet(g)) => {
                facet_edge::add(&view.exchanged(), true, g, e, pieces, candidates);
            }
            (FeatureId::Edge(e), FeatureId::Edge(d)) => edge_edge::add(&view, e, d, candidates),
            _ => return false,
        }
        let &[candidate] = candidates.list.as_slice() else { return false };
        let corners = candidate.corners(&candidates.points);
        if !stands_alone(&view, &candidate, corners) {
            return false;
        }
        contacts.extend(candidate.contacts(&candidates.points, &a.pose));
        true
    }
}

/// Whether no plane along about the same normal keeps other features apart, and none has a smaller depth. For solids that are apart the plane
/// is then the one that the search among all features would keep: of all it has the largest gap, and it covers all others.
fn stands_alone(view: &View<'_>, candidate: &Candidate, corners: &[Across]) -> bool {
    let down = -view.placement.inverse_direction(candidate.normal);
    // A plane turned by less than the angle of one normal, to which the solid may rise by the tolerance of a normal cone.
    let sine = SLACK * (view.angles.same.max(view.angles.parallel) + view.angles.cone);
    if !is_sharp(view.own, candidate.a, candidate.normal, sine) || !is_sharp(view.other, candidate.b, down, sine) {
        return false;
    }
    let exchanged = view.exchanged();
    if may_face_edges(view, candidate.a, candidate.b, sine)
        || may_face_edges(&exchanged, candidate.b, candidate.a, sine)
    {
        return false;
    }
    let room = ROOM * -candidate.gap;
    if room <= 0.0 {
        return true;
    }
    let has_room = |features: &Features, id: FeatureId, point: &dyn Fn(&Across) -> DVec3| {
        let mut points = corners.iter().map(point);
        match id {
            FeatureId::Facet(f) => is_within(&features.facets()[f as usize], corners.iter().map(point), room),
            FeatureId::Edge(e) => match (points.next(), points.next()) {
                (Some(p), Some(q)) => p.distance(q) >= room,
                (Some(p), None) => {
                    let edge = &features.edges()[e as usize];
                    let ends = edge.vertices.map(|v| features.vertices()[v as usize].position);
                    ends.iter().all(|end| p.distance(*end) * sine_between(view, candidate) >= room)
                }
                _ => false,
            },
            FeatureId::Vertex(_) => true,
        }
    };
    has_room(view.own, candidate.a, &|c| c.a)
        && has_room(view.other, candidate.b, &|c| view.placement.inverse_point(c.b))
}

/// Whether a solid falls away from a feature on all sides, at least with this slope, as seen along a normal of the feature.
fn is_sharp(features: &Features, id: FeatureId, normal: DVec3, sine: f64) -> bool {
    let falls = |way: &DVec3| normal.dot(*way) <= -sine;
    match id {
        FeatureId::Facet(f) => features.facets()[f as usize].is_convex() && features.least_turn(f) > sine,
        FeatureId::Edge(e) => {
            let edge = &features.edges()[e as usize];
            let is_along = |way: &DVec3| edge.direction.cross(*way).length_squared() < ALONG * ALONG;
            edge.inward.iter().all(falls)
                && edge.vertices.iter().all(|&v| {
                    let ring = &features.vertices()[v as usize].ring;
                    ring.iter().all(|way| falls(way) || is_along(way))
                })
        }
        FeatureId::Vertex(v) => features.vertices()[v as usize].ring.iter().all(falls),
    }
}

/// Whether a facet at a feature (own) and an edge at another (other) may be about parallel and near each other, unless they are these features.
/// Such a pair is a candidate of its own, along whose normal the gap may seem larger than the distance of the solids.
fn may_face_edges(view: &View<'_>, own: FeatureId, other: FeatureId, sine: f64) -> bool {
    let facets = view.own.facets();
    let one;
    let edges = match other {
        FeatureId::Facet(g) => view.other.facets()[g as usize].edges.as_slice(),
        FeatureId::Edge(e) => {
            one = [e];
            &one
        }
        FeatureId::Vertex(_) => &[],
    };
    let may_face = |facet: &Facet| {
        edges.iter().any(|&e| {
            let ends = facet_edge::ends(view, e);
            let [h, k] = ends.map(|end| facet.height(end));
            h.min(k) <= view.limits.envelope && (h - k).abs() <= sine * ends[0].distance(ends[1])
        })
    };
    match own {
        FeatureId::Edge(e) => view.own.edges()[e as usize].facets.iter().any(|&f| may_face(&facets[f as usize])),
        FeatureId::Vertex(v) => {
            facets.len() > FEW || facets.iter().any(|facet| facet.vertices.contains(&v) && may_face(facet))
        }
        FeatureId::Facet(_) => false,
    }
}

/// Whether of some points over a convex facet one is as far inside of each side, m.
fn is_within(facet: &Facet, points: impl Iterator<Item = DVec3> + Clone, room: f64) -> bool {
    let outline = &facet.outline;
    (0..outline.len()).all(|k| {
        let (corner, next) = (outline[k], outline[(k + 1) % outline.len()]);
        let side = next - corner;
        let least = room * side.length();
        points.clone().any(|p| side.perp_dot(facet.place(p) - corner) >= least)
    })
}

/// The sine of the angle between the edges of a candidate.
fn sine_between(view: &View<'_>, candidate: &Candidate) -> f64 {
    let (FeatureId::Edge(e), FeatureId::Edge(d)) = (candidate.a, candidate.b) else { return 1.0 };
    let direction = view.placement.direction(view.other.edges()[d as usize].direction);
    view.own.edges()[e as usize].direction.cross(direction).length()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use glam::{DQuat, DVec3};

    use super::super::feature;
    use super::*;
    use crate::generator::Workspace;
    use crate::pose::{Pose, Twist};
    use crate::shape::{Shape, TetrahedralizationSettings, sample};
    use crate::split_mix::SplitMix;

    /// A prism whose base has its corners on an ellipse, and so many sides.
    fn prism(random: &mut SplitMix, sides: u32) -> Shape {
        // From needles to plates.
        let size = libm::pow(10.0, random.next_between(-1.5, 1.5));
        let [x, y] = [0; 2].map(|_| size * random.next_between(0.2, 2.0));
        let steps: Vec<f64> = (0..sides).map(|_| random.next_between(0.3, 1.0)).collect();
        let whole: f64 = steps.iter().sum();
        let along = steps.iter().scan(0.0, |sum, step| {
            *sum += step;
            Some(TAU * *sum / whole)
        });
        let outline: Vec<[f64; 2]> = along.map(|angle| [x * angle.cos(), y * angle.sin()]).collect();
        let cap: Vec<[u32; 3]> = (1..sides - 1).map(|i| [0, i, i + 1]).collect();
        Shape::from_surface(&sample::prism(&outline, &cap), &TetrahedralizationSettings::default()).unwrap()
    }

    /// A feature of a kind (0: facet, 1: edge, 2: vertex), a point of it, and a direction of its normal cone.
    fn place(random: &mut SplitMix, features: &Features, kind: usize) -> (FeatureId, DVec3, DVec3) {
        let counts = [features.facets().len(), features.edges().len(), features.vertices().len()];
        let number = (random.next_between(0.0, counts[kind] as f64) as u32).min(counts[kind] as u32 - 1);
        let id = [FeatureId::Facet(number), FeatureId::Edge(number), FeatureId::Vertex(number)][kind];
        let mut mean = |list: Vec<DVec3>| {
            let shares: Vec<f64> = list.iter().map(|_| random.next_between(0.0, 1.0)).collect();
            list.iter().zip(&shares).map(|(v, s)| *v * *s).sum::<DVec3>() / shares.iter().sum::<f64>()
        };
        let point = mean(features.points(id).collect());
        let has = |facet: &&Facet| match id {
            FeatureId::Facet(_) => facet.corners.len() > 2 && facet.height(point).abs() < 1e-9,
            FeatureId::Edge(e) => facet.edges.contains(&e),
            FeatureId::Vertex(v) => facet.vertices.contains(&v),
        };
        let normal = mean(features.facets().iter().filter(has).map(|facet| facet.normal).collect());
        (id, point, normal.normalize())
    }

    /// Whatever is taken for held is what the search among all features keeps, to the last bit.
    #[test]
    fn what_is_held_is_what_the_search_keeps() {
        let (mut random, generator) = (SplitMix::new(2111), SemiLocal::default());
        let kinds = [[0, 2], [2, 0], [0, 1], [1, 0], [1, 1]];
        let mut held = [[0; 2]; 5];
        for round in 0..ROUNDS {
            let k = round % kinds.len();
            let shapes = [0; 2].map(|_| {
                let sides = if random.next_between(0.0, 1.0) < 0.5 { 4 } else { random.next_between(3.0, 9.0) as u32 };
                prism(&mut random, sides)
            });
            let solids = [0, 1].map(|i| shapes[i].as_polyhedron().unwrap().features());
            let [(own, at, normal), (other, on, opposite)] = [0, 1].map(|i| place(&mut random, solids[i], kinds[k][i]));
            let limits = generator.limits(solids[0], solids[1]);
            let gap = limits.envelope * random.next_between(-1.0, 1.0) * random.next_between(0.0, 1.0);
            let tilt = random.next_between(0.0, 5e-3) * random.next_between(0.0, 1.0);
            let way = DVec3::from_array([0; 3].map(|_| random.next_between(-1.0, 1.0))).normalize_or(DVec3::X);
            let spin = DQuat::from_axis_angle(normal, random.next_between(0.0, TAU));
            let rotation = DQuat::from_axis_angle(way, tilt) * spin * DQuat::from_rotation_arc(opposite, -normal);
            let relative = Pose::from_parts(at + normal * gap - rotation * on, rotation);
            // Some of them far from the origin.
            let place = DVec3::new(3.0, -2.0, 1.0) * if round % 4 == 0 { 1e5 } else { 1.0 };
            let pose = Pose::from_parts(place, DQuat::from_axis_angle(DVec3::new(0.6, 0.0, -0.8), 2.0));
            let twist = |random: &mut SplitMix| Twist {
                linear: DVec3::from_array([0; 3].map(|_| random.next_between(-1.0, 1.0))),
                angular: DVec3::from_array([0; 3].map(|_| random.next_between(-1.0, 1.0))),
            };
            let a = Placed { shape: &shapes[0], pose, twist: twist(&mut random) };
            let b = Placed { shape: &shapes[1], pose: pose * relative, twist: twist(&mut random) };
            let previous = [(feature(own), feature(other))];
            let (mut at_once, mut searched) = (Vec::new(), Vec::new());
            if !generator.still_held([&a, &b], &previous, &mut Buffers::default(), &mut at_once) {
                assert!(at_once.is_empty(), "round {round}");
                continue;
            }
            generator.search([&a, &b], Some(&previous), false, &mut Workspace::default(), &mut searched).unwrap();
            assert_eq!(at_once, searched, "round {round}: {:?}, gap {gap:e}, tilt {tilt:e}", kinds[k]);
            held[k][usize::from(gap < -limits.same)] += 1;
        }
        assert!(held.iter().flatten().all(|&count| count > ROUNDS / 100), "{held:?}");
    }

    const ROUNDS: usize = 20_000;
}
