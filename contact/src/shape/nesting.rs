//! Whether the components of a surface lie in each other as solids and cavities must.
//!
//! A point is asked only of components whose boxes hold it, along the directions in which the edges lie, so that flat parts in a stack have
//! boxes side by side. There the triangles that a ray from it crosses are counted, outward less inward; they are looked up in a tree. All
//! signs are exact; where the ray meets an edge, it is shifted towards y by much less than anything else, and towards z by far less still.

use glam::{DMat3, DVec3};

use super::mass_properties::principal;
use super::predicate::{orientation_2d, orientation_3d, project};
use super::surface::divergence_volume;
use crate::bounds::Bounds;
use crate::bounds_tree::BoundsTree;

/// Boxes are so much wider than what they hold, as a share of the largest coordinate: far above rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A component in a place where it must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misplaced {
    /// Its first triangle.
    pub triangle: u32,
    pub is_cavity: bool,
}

/// Checks that every solid component is in empty space and every cavity in a solid one; reports the first that is not. The surface must be
/// closed and must not meet itself.
pub(super) fn check(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    component: &[u32],
    count: u32,
) -> Result<(), Misplaced> {
    if count == 1 {
        return Ok(());
    }
    let mut components = vec![Component::default(); count as usize];
    for (&corners, &component) in triangles.iter().zip(component) {
        components[component as usize].triangles.push(corners);
    }
    let frame = directions(vertices, triangles);
    let margin = ROUNDING * vertices.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let around = |own: &Component| {
        let points = own.triangles.iter().flatten().map(|&v| frame * vertices[v as usize]);
        Some(Bounds::around(points)?.grown(margin))
    };
    let boxes = BoundsTree::new((0..).zip(&components).filter_map(|(k, own)| Some((k, around(own)?))));
    let mut firsts = vec![u32::MAX; components.len()];
    for (triangle, &component) in (0..).zip(component) {
        let first = &mut firsts[component as usize];
        *first = triangle.min(*first);
    }
    for (k, &triangle) in (0..).zip(&firsts) {
        let is_cavity = divergence_volume(vertices, &components[k as usize].triangles).0 < 0.0;
        let point = vertices[triangles[triangle as usize][0] as usize];
        let place = frame * point;
        let mut winding = 0;
        boxes.overlapping(&Bounds { low: place, high: place }, |other| {
            if other != k {
                winding += components[other as usize].winding_number(vertices, point);
            }
        });
        if winding != i32::from(is_cavity) {
            return Err(Misplaced { triangle, is_cavity });
        }
    }
    Ok(())
}

/// The frame along the directions in which the edges of triangles lie.
fn directions(vertices: &[DVec3], triangles: &[[u32; 3]]) -> DMat3 {
    let mut sum = DMat3::ZERO;
    for corners in triangles {
        let [a, b, c] = corners.map(|v| vertices[v as usize]);
        for edge in [b - a, c - b, a - c] {
            sum += DMat3::from_cols(edge * edge.x, edge * edge.y, edge * edge.z);
        }
    }
    principal(sum).1.transpose()
}

/// A closed part of the surface.
#[derive(Clone, Default)]
struct Component {
    triangles: Vec<[u32; 3]>,
    /// Boxes around the triangles, once a point was asked for.
    tree: Option<BoundsTree>,
}

impl Component {
    /// How often it winds around a point that is not on it.
    fn winding_number(&mut self, vertices: &[DVec3], point: DVec3) -> i32 {
        let triangles = &self.triangles;
        let corners = |t: u32| triangles[t as usize].map(|v| vertices[v as usize]);
        let tree = self.tree.get_or_insert_with(|| {
            BoundsTree::new((0..triangles.len() as u32).map(|t| {
                let [a, b, c] = corners(t);
                (t, Bounds { low: a.min(b).min(c), high: a.max(b).max(c) })
            }))
        });
        let ray = Bounds { low: point, high: DVec3::new(f64::INFINITY, point.y, point.z) };
        let mut winding = 0;
        tree.overlapping(&ray, |t| winding += crossing(point, corners(t)));
        winding
    }
}

/// How a ray from a point along x crosses a triangle: 1 if it leaves through it, −1 if it comes in, 0 if it does not cross.
fn crossing(point: DVec3, [a, b, c]: [DVec3; 3]) -> i32 {
    let flat = |p: DVec3| project(p, 0);
    let seen = flat(point);
    let of_side = |from: DVec3, to: DVec3| {
        let (from, to) = (flat(from), flat(to));
        if from.y <= seen.y && seen.y < to.y {
            i32::from(orientation_2d(from, to, seen) > 0.0)
        } else if to.y <= seen.y && seen.y < from.y {
            -i32::from(orientation_2d(from, to, seen) < 0.0)
        } else {
            0
        }
    };
    let turns = of_side(a, b) + of_side(b, c) + of_side(c, a);
    let height = orientation_3d(a, b, c, point);
    if (turns > 0 && height < 0.0) || (turns < 0 && height > 0.0) { turns } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;
    use crate::shape::surface::{Surface, SurfaceError};
    use crate::split_mix::SplitMix;

    /// Cubes by centre and half of the edge, m; inside out where the edge is negative.
    fn cubes(all: &[(DVec3, f64)]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for &(centre, half) in all {
            let (own, sides) = sample::cuboid_parts(centre, DVec3::splat(half.abs()));
            let first = vertices.len() as u32;
            vertices.extend(own);
            triangles.extend(sides.into_iter().map(|[a, b, c]| {
                let [b, c] = if half < 0.0 { [c, b] } else { [b, c] };
                [a, b, c].map(|v| first + v)
            }));
        }
        (vertices, triangles)
    }

    /// Lattice points are on edges and diagonals of cubes as seen along x.
    #[test]
    fn rays_count_what_solid_angles_do() {
        let mut random = SplitMix::new(5);
        for _ in 0..200 {
            let mut at = || (8.0 * random.next_between(-1.0, 1.0)).round();
            let centre = DVec3::new(at(), at(), at());
            let (vertices, triangles) = cubes(&[(centre, 2.0)]);
            let surface = Surface::new(vertices.clone(), triangles.clone()).unwrap();
            let mut component = Component { triangles, tree: None };
            for _ in 0..50 {
                let point = DVec3::new(at(), at(), at());
                let beside = (point - centre).abs();
                if beside.max_element() != 2.0 {
                    let found = component.winding_number(&vertices, point);
                    assert_eq!(found, surface.winding_number(point), "{point} of {centre}");
                }
            }
        }
    }

    #[test]
    fn solids_and_cavities_take_turns() {
        let nested: Vec<(DVec3, f64)> =
            (0..40).map(|k| (DVec3::ZERO, f64::from(40 - k) * if k % 2 == 0 { 1.0 } else { -1.0 })).collect();
        let (vertices, triangles) = cubes(&nested);
        assert_eq!(Surface::new(vertices, triangles).map(|s| s.component_count()), Ok(40));
        for (second, cavity) in [((DVec3::ZERO, 0.5), false), ((DVec3::X * 3.0, -0.5), true)] {
            let (vertices, triangles) = cubes(&[(DVec3::ZERO, 1.0), second]);
            let expected = SurfaceError::MisplacedComponent { triangle: 12, cavity };
            assert_eq!(Surface::new(vertices, triangles), Err(expected));
        }
    }
}
