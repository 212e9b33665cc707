//! Two convex solids that two facets keep apart: a common case, for which no other features have to be looked at.

use std::ops::ControlFlow;

use super::candidate::View;
use super::{Buffers, convex_facets};
use crate::contact::Contact;
use crate::pose::Pose;

/// Of more pairs of parallel facets the search among all features chooses.
const FEW: usize = 4;

/// The two facets that face each other of which two convex solids have nearest points, if no other pair does: all of A is then behind the one
/// and all of B behind the other. Appends their contacts. Facets that have sunk into each other are left to the search among all features.
pub fn touch(
    view: &View<'_>,
    poses: [&Pose; 2],
    buffers: &mut Buffers,
    contacts: &mut Vec<Contact>,
) -> Option<[u32; 2]> {
    let Buffers { stack, pairs, polygons, .. } = buffers;
    pairs.clear();
    let (first, parallel) = (contacts.len(), view.angles.parallel);
    let turn = |[f, g]: [u32; 2]| view.own.least_turn(f).min(view.other.least_turn(g));
    let mut only_nearest = |pairs: &[(u32, u32)]| {
        contacts.truncate(first);
        let facets = |&(f, g): &(u32, u32)| [&view.own.facets()[f as usize], &view.other.facets()[g as usize]];
        if !pairs.iter().flat_map(facets).all(|facet| facet.is_convex()) {
            return None;
        }
        let placed = [(view.own, poses[0]), (view.other, poses[1])];
        let mut add =
            |pair: [u32; 2]| convex_facets::add(placed, pair, (&view.limits, &view.angles), polygons, contacts);
        let mut facing = pairs.iter().map(|&(f, g)| [f, g]).filter(|&pair| add(pair));
        let (Some(one), None) = (facing.next(), facing.next()) else { return None };
        drop(facing);
        let region = &contacts[first..];
        (region.iter().all(|c| c.gap >= -view.limits.same) && are_nearest(region, turn(one))).then_some(one)
    };
    let limits = (view.limits.envelope, parallel);
    let found = view.own.parallel_facets(view.other, &view.placement, limits, stack, |f, g| {
        pairs.push((f, g));
        // No third facet is about opposite to one of two from which all others are turned by more than twice what is taken as parallel.
        if turn([f, g]) > 2.0 * parallel
            && let Some(one) = only_nearest(&[(f, g)])
        {
            ControlFlow::Break(Some(one))
        } else if pairs.len() > FEW {
            ControlFlow::Break(None)
        } else {
            ControlFlow::Continue(())
        }
    });
    let found = match found {
        ControlFlow::Break(found) => found,
        ControlFlow::Continue(()) => only_nearest(pairs),
    };
    if found.is_none() {
        contacts.truncate(first);
    }
    found
}

/// Whether two convex solids come nowhere nearer to each other than in the region of two facets, which has these contacts, from which all their
/// other facets are turned by no less than an angle (rad). The gap is a convex function of the place. At the corner where it is least in the
/// region it is least of all, if its slope, taken apart into slopes across the two sides that meet there, is made up for by what it rises
/// beyond them.
fn are_nearest(region: &[Contact], turn: f64) -> bool {
    let lowest = (0..region.len()).min_by(|&k, &l| region[k].gap.total_cmp(&region[l].gap)).unwrap_or(0);
    let sides = [1, region.len() - 1].map(|step| {
        let end = &region[(lowest + step) % region.len()];
        let side = end.position - region[lowest].position;
        (side.normalize(), (end.gap - region[lowest].gap) / side.length())
    });
    let [(along, rise), (other, of_other)] = sides;
    rise + of_other <= turn * along.cross(other).length()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use glam::{DQuat, DVec3};
    use proptest::prelude::*;

    use super::super::polyhedra::Solid;
    use super::super::{SemiLocal, facet_facet};
    use super::*;
    use crate::contact::Feature;
    use crate::pose::Twist;
    use crate::query::closest_points;
    use crate::shape::features::{FeatureId, Placement};
    use crate::shape::{Polyhedron, Shape, TetrahedralizationSettings, sample};

    /// A prism whose base has its corners on an ellipse, and so many sides.
    fn prism(sides: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Shape> {
        let corners = prop::collection::vec(0.1..1.0f64, sides);
        (corners, prop::array::uniform2(0.2..2.0f64)).prop_map(|(steps, [x, y])| {
            let whole: f64 = steps.iter().sum();
            let along = steps.iter().scan(0.0, |sum, step| {
                *sum += step;
                Some(TAU * *sum / whole)
            });
            let outline: Vec<[f64; 2]> = along.map(|angle| [x * angle.cos(), y * angle.sin()]).collect();
            let cap: Vec<[u32; 3]> = (1..outline.len() as u32 - 1).map(|i| [0, i, i + 1]).collect();
            Shape::from_surface(&sample::prism(&outline, &cap), &TetrahedralizationSettings::default()).unwrap()
        })
    }

    /// Where B is in the frame of A.
    fn facet_on_facet() -> impl Strategy<Value = FacetOnFacet> {
        let facets = prop::array::uniform2(any::<prop::sample::Index>());
        let angles = (0.0..TAU, 0.0..4e-3, 0.0..TAU);
        (facets, angles, prop::array::uniform2(-1.0..1.0f64), -1e-4..1e-3f64)
            .prop_map(|(facets, angles, offset, gap)| FacetOnFacet { facets, angles, offset, gap })
    }

    /// A facet of B on one of A: which two, how they are turned and tilted, where the centre of the one is above the other in units of
    /// about their widths, and the gap between them, m.
    #[derive(Clone, Debug)]
    struct FacetOnFacet {
        facets: [prop::sample::Index; 2],
        angles: (f64, f64, f64),
        offset: [f64; 2],
        gap: f64,
    }

    impl FacetOnFacet {
        fn pose(&self, [a, b]: [&Polyhedron; 2]) -> Pose {
            let facet = |of: &Polyhedron, k: usize| {
                let facet = self.facets[k].get(of.features().facets());
                (facet.normal, facet.centre, facet.area.sqrt())
            };
            let [(to_b, from, width), (to_a, at, other)] = [facet(a, 0), facet(b, 1)];
            let ((turn, tilt, way), (s, t)) = (self.angles, to_b.any_orthonormal_pair());
            let tilted = DQuat::from_axis_angle(way.cos() * s + way.sin() * t, tilt);
            let rotation = tilted * DQuat::from_axis_angle(to_b, turn) * DQuat::from_rotation_arc(to_a, -to_b);
            let place = from + self.gap * to_b + 0.5 * (width + other) * (self.offset[0] * s + self.offset[1] * t);
            Pose::from_parts(place - rotation * at, rotation)
        }
    }

    fn view<'s>([a, b]: [&'s Polyhedron; 2], pose: &Pose) -> View<'s> {
        let (own, other, generator) = (a.features(), b.features(), SemiLocal::default());
        let placement = Placement::of(&Pose::IDENTITY, pose);
        View { own, other, placement, limits: generator.limits(own, other), angles: generator.angles }
    }

    proptest! {
        /// What is taken at once is what the search among all features keeps: the same two facets and the same corners. At the tip of a region
        /// that is much longer than wide the search may choose edges that are as near.
        #[test]
        fn two_facets_that_touch_are_those_of_the_search(shapes in [prism(3..9), prism(3..9)], place in facet_on_facet()) {
            let solids = shapes.each_ref().map(|shape| shape.as_polyhedron().unwrap());
            let pose = place.pose(solids);
            let view = view(solids, &pose);
            let mut at_once = Vec::new();
            let found = touch(&view, [&Pose::IDENTITY, &pose], &mut Buffers::default(), &mut at_once);
            prop_assume!(found.is_some());
            let [f, g] = found.unwrap();
            let [a, b] = [(solids[0], Pose::IDENTITY), (solids[1], pose)]
                .map(|(shape, pose)| Solid { shape, pose, twist: Twist::default() });
            let (generator, mut searched) = (SemiLocal::default(), Buffers::default());
            generator.collect(&view, None, &mut searched);
            generator.select([&a, &b], &view, &[], false, &mut searched);
            let kept: Vec<_> = searched.keep.iter().map(|&k| searched.candidates.list[k as usize]).collect();
            if let &[one] = kept.as_slice() && (one.a, one.b) == (FeatureId::Facet(f), FeatureId::Facet(g)) {
                let corners = one.corners(&searched.candidates.points);
                prop_assert_eq!(corners.len(), at_once.len());
                let is_there = |c: &Contact| corners.iter().any(|corner| corner.middle().distance(c.position) < 1e-7);
                prop_assert!(at_once.iter().all(is_there), "{:?} {:?}", corners, at_once);
            } else {
                prop_assert!(kept.iter().all(|c| c.dimension() < 2), "{:?} {:?}", found, kept);
                let [gap, known] = [kept.iter().map(|c| c.gap).collect(), at_once.iter().map(|c| c.gap).collect::<Vec<_>>()]
                    .map(|gaps: Vec<f64>| gaps.into_iter().fold(f64::INFINITY, f64::min));
                prop_assert!((gap - known).abs() <= view.limits.same);
            }
        }

        /// Nowhere are the solids nearer to each other than at what is taken at once, also where many facets are about parallel.
        #[test]
        fn two_facets_that_touch_are_nearest(shapes in [prism(3..160), prism(3..160)], place in facet_on_facet()) {
            let solids = shapes.each_ref().map(|shape| shape.as_polyhedron().unwrap());
            let pose = place.pose(solids);
            let view = view(solids, &pose);
            let mut contacts = Vec::new();
            prop_assume!(touch(&view, [&Pose::IDENTITY, &pose], &mut Buffers::default(), &mut contacts).is_some());
            let gap = contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            let [a, b] = shapes.each_ref();
            let distance = closest_points([a, b], [&Pose::IDENTITY, &pose], 1.0).unwrap().distance().unwrap_or(0.0);
            prop_assert!((distance - gap.max(0.0)).abs() <= view.limits.same, "{gap} {distance} {}", view.limits.same);
        }

        /// The contacts of two convex facets are the corners of the region that is found for any two.
        #[test]
        fn contacts_of_convex_facets_are_corners_of_their_region(
            shapes in [prism(3..9), prism(3..9)], place in facet_on_facet(), share in 0.2..1.0f64,
        ) {
            let solids = shapes.each_ref().map(|shape| shape.as_polyhedron().unwrap());
            let place = FacetOnFacet { offset: place.offset.map(|way| share * way), ..place };
            let pose = place.pose(solids);
            let view = view(solids, &pose);
            let facets = [0, 1].map(|k| place.facets[k].index(solids[k].features().facets().len()) as u32);
            let mut buffers = Buffers::default();
            facet_facet::add(&view, facets[0], facets[1], &mut buffers.polygons, &mut buffers.candidates);
            let world = Pose::from_parts(DVec3::new(3.0, -2.0, 1.0), DQuat::from_axis_angle(DVec3::new(0.6, 0.0, -0.8), 2.0));
            let mut contacts = Vec::new();
            let placed = [(solids[0].features(), &world), (solids[1].features(), &(world * pose))];
            let limits = (&view.limits, &view.angles);
            let is_found = convex_facets::add(placed, facets, limits, &mut buffers.polygons, &mut contacts);
            let Some(candidate) = buffers.candidates.list.first() else {
                prop_assert!(!is_found && contacts.is_empty());
                return Ok(());
            };
            let corners = candidate.corners(&buffers.candidates.points);
            prop_assert!(is_found);
            prop_assert_eq!(corners.len(), contacts.len());
            // Clipped by other sides first, they may begin with another corner.
            let positions: Vec<DVec3> = corners.iter().map(|corner| world.transform_point(corner.middle())).collect();
            let from = |k: &usize| positions[*k].distance_squared(contacts[0].position);
            let first = (0..positions.len()).min_by(|k, l| from(k).total_cmp(&from(l))).unwrap();
            for (k, contact) in contacts.iter().enumerate() {
                let (corner, position) = (corners[(first + k) % corners.len()], positions[(first + k) % corners.len()]);
                prop_assert!(contact.position.distance(position) < 1e-7, "{}", contact.position.distance(position));
                prop_assert!(contact.normal.distance(world.rotation * candidate.normal) < 1e-12);
                prop_assert!((contact.gap - candidate.normal.dot(corner.b - corner.a)).abs() < 1e-9);
                prop_assert_eq!((contact.feature_a, contact.feature_b), (Feature::Facet(facets[0]), Feature::Facet(facets[1])));
            }
        }
    }
}
