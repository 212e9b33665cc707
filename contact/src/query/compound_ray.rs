//! Rays against compounds: where they get into the union of the parts and out of it.
//!
//! Along the ray the parts that it is in are counted. It gets in where there was none, and out where none is left; where parts touch, it does
//! neither.

use std::cmp::Ordering;

use super::box_hierarchy::BoxHierarchy;
use super::ray::{Fill, Ray, RayHit};
use super::ray_hits;
use super::slabs::Slabs;
use super::view::View;
use crate::bounds::Bounds;
use crate::shape::{Compound, CompoundPart};
use crate::sorting::CompactSort;

/// Parts touch if they are no farther apart along a ray than this share of the compound's size and the way there.
const TOUCHING: f64 = 1e-12;

/// The first hit, in the frame of the compound.
pub fn first(compound: &Compound, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
    let mut first: Option<(u32, RayHit)> = None;
    // The first entry of all parts is one of the union, if the ray begins in none.
    let slabs = Slabs::new(ray, compound.radius());
    compound.tree().nearest(
        most.next_up(),
        |own| slabs.entry(own),
        |number, _| {
            let part = &compound.parts()[number as usize];
            let hit = ray_hits::first(&View::of(&part.shape), &ray.seen_from(&part.pose), most, Fill::Solid);
            let Some(hit) = hit else { return f64::INFINITY };
            let is_first = first.as_ref().is_none_or(|(other, first)| match hit.order(first) {
                Ordering::Equal => number < *other,
                order => order == Ordering::Less,
            });
            if is_first {
                first = Some((number, hit));
            }
            // Parts at the same distance are looked at as well.
            hit.distance.next_up()
        },
    );
    let (number, hit) = first?;
    if hit.feature.is_none() && fill == Fill::Hollow {
        return surface_hits(compound, ray).1.into_iter().next().filter(|hit| hit.distance <= most);
    }
    Some(placed(compound, number, hit, ray))
}

/// All hits, in the frame of the compound.
pub fn all(compound: &Compound, ray: &Ray, most: f64, fill: Fill, visit: &mut impl FnMut(RayHit)) {
    let (is_inside, hits) = surface_hits(compound, ray);
    if is_inside && fill == Fill::Solid {
        visit(RayHit::inside(ray));
    }
    hits.into_iter().filter(|hit| hit.distance <= most).for_each(visit);
}

/// Whether a ray begins in a part, and where it meets the surface of the union, in the order of distances.
fn surface_hits(compound: &Compound, ray: &Ray) -> (bool, Vec<RayHit>) {
    let (slabs, mut all, mut depth) = (Slabs::new(ray, compound.radius()), Vec::new(), 0_i32);
    let measure = |own: &Bounds| if slabs.entry(own) < f64::INFINITY { 0.0 } else { f64::INFINITY };
    compound.tree().nearest(f64::INFINITY, measure, |number, _| {
        let part = &compound.parts()[number as usize];
        let mut balance = 0;
        ray_hits::all(
            &View::of(&part.shape),
            &ray.seen_from(&part.pose),
            f64::INFINITY,
            Fill::Hollow,
            &mut |hit: RayHit| {
                balance += if hit.is_entry { -1 } else { 1 };
                all.push((number, placed(compound, number, hit, ray)));
            },
        );
        // What is left without having been entered is where the ray begins.
        depth += balance;
        f64::INFINITY
    });
    all.compact_sort_by(|(part, hit), (other_part, other)| hit.order(other).then(part.cmp(other_part)));
    let is_inside = depth > 0;
    let mut hits: Vec<RayHit> = Vec::new();
    for (_, hit) in all {
        let is_border = if hit.is_entry { depth == 0 } else { depth == 1 };
        depth += if hit.is_entry { 1 } else { -1 };
        if !is_border {
            continue;
        }
        let near = TOUCHING * (compound.radius() + ray.origin().length() + hit.distance);
        let touches = |last: &RayHit| !last.is_entry && hit.distance - last.distance <= near;
        if hit.is_entry && hits.last().is_some_and(touches) {
            hits.pop();
        } else {
            hits.push(hit);
        }
    }
    (is_inside, hits)
}

/// A hit of a part in the frame of the compound.
fn placed(compound: &Compound, number: u32, hit: RayHit, ray: &Ray) -> RayHit {
    let CompoundPart { pose, .. } = &compound.parts()[number as usize];
    let feature = hit.feature.map(|feature| compound.feature(number, feature));
    RayHit { feature, triangle: None, ..hit.placed(pose, ray) }
}
