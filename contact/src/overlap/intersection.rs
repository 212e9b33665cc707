//! The intersection of two solids with plane faces: from contour and regions to connected components.

use std::collections::BTreeMap;

use glam::DVec3;

use super::boundary::{Nodes, Region, regions};
use super::component::Component;
use super::contour::Contour;
use super::disjoint_sets::DisjointSets;
use super::error::OverlapError;
use super::inside::vertices_inside;
use super::predicate::Side;
use super::solid::{Placed, bounds};
use super::width::width;

/// A part that is thinner than this share of its coordinates is rounding: the solids touch.
const TOUCHING: f64 = 64.0 * f64::EPSILON;

/// The parts of the boundary that belong to one component.
#[derive(Default)]
struct Parts {
    regions: Vec<Region>,
    points: Vec<u32>,
    volume: f64,
    bounds: Option<(DVec3, DVec3)>,
}

/// The components of the intersection of two solids, A in its own frame, in the order of their first contour points, then
/// of their vertices.
///
/// # Errors
/// [`OverlapError::OpenContour`].
pub fn components(a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Component>, OverlapError> {
    let ((low_a, high_a), (low_b, high_b)) = (a.bounds(), b.bounds());
    if !(low_a.cmple(high_b).all() && low_b.cmple(high_a).all()) {
        return Ok(Vec::new());
    }
    let contour = Contour::new(a, b)?;
    let inside_b = vertices_inside(Side::A, a, b, &contour)?;
    let inside_a = vertices_inside(Side::B, b, a, &contour)?;
    let nodes = Nodes::new(&contour, a, b);
    let positions: Vec<DVec3> = (contour.points.iter().map(|point| point.position))
        .chain(a.vertices.iter().copied())
        .chain(b.vertices.iter().copied())
        .collect();
    let mut sets = DisjointSets::new(nodes.len());
    let mut all = regions(Side::A, a, &contour, &inside_b, (&nodes, &positions), &mut sets);
    all.extend(regions(Side::B, b, &contour, &inside_a, (&nodes, &positions), &mut sets));
    let mut parts: BTreeMap<u32, Parts> = BTreeMap::new();
    for region in all {
        parts.entry(sets.root(region.node)).or_default().regions.push(region);
    }
    let of_contour = 0..contour.points.len() as u32;
    let of_a = (0..).zip(&inside_b).filter(|(_, inside)| **inside).map(|(v, _)| nodes.vertex(Side::A, v));
    let of_b = (0..).zip(&inside_a).filter(|(_, inside)| **inside).map(|(v, _)| nodes.vertex(Side::B, v));
    for node in of_contour.chain(of_a).chain(of_b) {
        parts.entry(sets.root(node)).or_default().points.push(node);
    }
    let mut list: Vec<Parts> = parts.into_values().collect();
    let solid = |side: Side| if side == Side::A { a } else { b };
    for part in &mut list {
        let (low, high) = bounds(part.points.iter().map(|&node| positions[node as usize]));
        let origin = low + 0.5 * (high - low);
        let term = |region: &Region| {
            let solid = solid(region.side);
            let on_face = solid.corners(region.triangle)[0] - origin;
            on_face.dot(solid.normal(region.triangle)) * region.area / 3.0
        };
        part.volume = part.regions.iter().map(term).sum();
        part.bounds = Some((low, high));
    }
    let list = with_cavities(list);
    let make = |part: Parts| {
        let (low, high) = part.bounds?;
        let largest = low.abs().max(high.abs()).max_element();
        let points: Vec<DVec3> = part.points.iter().map(|&node| positions[node as usize]).collect();
        let face = |region: &Region| (region.area, solid(region.side).normal(region.triangle));
        let (width, direction) = width(&points, part.regions.iter().map(face).collect())?;
        (part.volume > 0.0 && width > TOUCHING * largest).then(|| {
            let (loops, area_vector, loop_area) = loops(&contour, &part.points, low + 0.5 * (high - low));
            let vertices = |side: Side, n: usize| {
                let first = nodes.vertex(side, 0);
                let own = first..first + n as u32;
                part.points.iter().filter(|node| own.contains(node)).map(|node| node - first).collect::<Vec<u32>>()
            };
            let (vertices_of_a, vertices_of_b) =
                (vertices(Side::A, a.vertices.len()), vertices(Side::B, b.vertices.len()));
            let corners = loops.iter().copied();
            let rest = points[loops.len()..].iter().copied();
            Component {
                area_vector,
                loop_area,
                points: corners.chain(rest).collect(),
                contour: loops,
                vertices_of_a,
                vertices_of_b,
                volume: part.volume,
                depth: width.min(6.0 * part.volume / part.regions.iter().map(|region| region.area).sum::<f64>()),
                width,
                width_normal: if direction.dot(area_vector) < 0.0 { -direction } else { direction },
            }
        })
    };
    Ok(list.into_iter().filter_map(make).collect())
}

/// Joins the walls of cavities, whose volumes are negative, to the smallest part with a box around theirs.
fn with_cavities(list: Vec<Parts>) -> Vec<Parts> {
    let (cavities, mut solids): (Vec<Parts>, Vec<Parts>) = list.into_iter().partition(|part| part.volume < 0.0);
    for cavity in cavities {
        let Some((low, high)) = cavity.bounds else { continue };
        let is_around = |part: &&mut Parts| {
            part.bounds.is_some_and(|(lower, higher)| lower.cmple(low).all() && high.cmple(higher).all())
        };
        let around = solids.iter_mut().filter(is_around).min_by(|x, y| x.volume.total_cmp(&y.volume));
        if let Some(part) = around {
            part.volume += cavity.volume;
            part.regions.extend(cavity.regions);
            part.points.extend(cavity.points);
            part.points.sort_unstable();
        }
    }
    solids
}

/// The corners of the contour of one component loop by loop, its area vector, and the sum of the lengths of the loops'
/// area vectors. `points` are the numbers of the component's points in ascending order.
fn loops(contour: &Contour, points: &[u32], origin: DVec3) -> (Vec<DVec3>, DVec3, f64) {
    let own = &points[..points.partition_point(|&node| (node as usize) < contour.points.len())];
    let mut next = vec![u32::MAX; contour.points.len()];
    for segment in &contour.segments {
        next[segment.ends[0] as usize] = segment.ends[1];
    }
    let (mut corners, mut sum, mut lengths) = (Vec::with_capacity(own.len()), DVec3::ZERO, 0.0);
    for &first in own {
        let (mut at, mut area) = (first, DVec3::ZERO);
        while next[at as usize] != u32::MAX {
            let to = std::mem::replace(&mut next[at as usize], u32::MAX);
            let [p, q] = [at, to].map(|k| contour.points[k as usize].position);
            corners.push(p);
            area += 0.5 * (p - origin).cross(q - origin);
            at = to;
        }
        sum += area;
        lengths += area.length();
    }
    (corners, sum, lengths)
}
