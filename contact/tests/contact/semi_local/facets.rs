//! The features of random solids under random triangulations and noise, against what a lattice says about them.

use std::collections::{BTreeMap, BTreeSet};

use drystone_contact::Pose;
use drystone_contact::shape::{Shape, TetrahedralMesh};
use glam::{DVec2, DVec3};

use super::invariants::Broken;
use super::random::Random;
use super::soup::Soup;
use super::{run, solids};

/// Facets, edges, vertices, holes.
fn counts(shape: &Shape) -> [usize; 4] {
    let f = shape.features().unwrap();
    let holes = f.facets().iter().map(|f| f.loop_ends.len() - 1).sum();
    [f.facets().len(), f.edges().len(), f.vertices().len(), holes]
}

/// Every facet is a polygon with its area, the polygons make up the surface and hang together as the triangles do.
fn check(shape: &Shape, broken: &mut Vec<Broken>) {
    let (surface, features) = (shape.surface().unwrap(), shape.features().unwrap());
    let [facets, edges, vertices, holes] = counts(shape).map(|n| n as i64);
    let of_triangles =
        surface.vertices().len() as i64 - surface.edges().len() as i64 + surface.triangles().len() as i64;
    if vertices - edges + facets - holes != of_triangles {
        broken.push(("euler", (vertices - edges + facets - holes) as f64));
    }
    let total: f64 = surface.areas().iter().sum();
    let area: f64 = features.facets().iter().map(|f| f.area).sum();
    if (area - total).abs() > 1e-9 * total {
        broken.push(("area", area / total));
    }
    let mut ways = BTreeMap::new();
    for facet in features.facets() {
        let within: f64 = facet.loops().map(|range| signed_area(&facet.outline[range])).sum();
        if (within - facet.area).abs() > 1e-3 * total {
            broken.push(("outline", (within - facet.area) / total));
        }
        for range in facet.loops() {
            for i in range.clone() {
                let next = if i + 1 == range.end { range.start } else { i + 1 };
                *ways.entry(facet.edges[i]).or_insert(0) += 1;
                let mut ends = [facet.vertices[i], facet.vertices[next]];
                let mut expected = features.edges()[facet.edges[i] as usize].vertices;
                ends.sort_unstable();
                expected.sort_unstable();
                if ends != expected {
                    broken.push(("ends", f64::from(facet.edges[i])));
                }
            }
        }
    }
    if ways.len() as i64 != edges || ways.values().any(|&n| n != 2) {
        broken.push(("two sides", ways.len() as f64));
    }
    let soup = Soup::new(shape, &Pose::IDENTITY);
    let (low, high) = surface.bounds();
    for edge in features.edges() {
        let [p, q] = edge.vertices.map(|v| features.vertices()[v as usize].position);
        let [left, right] = edge.facets.map(|f| features.facets()[f as usize].normal);
        // Flat edges have no inside to speak of.
        if left.cross(right).length() > 0.1 {
            let inward = (edge.inward[0] + edge.inward[1]).normalize();
            let inside = soup.contains(0.5 * (p + q) + inward * (1e-5 * low.distance(high)));
            if inside != edge.is_convex {
                broken.push(("convex", left.angle_between(right)));
            }
        }
    }
}

fn signed_area(outline: &[DVec2]) -> f64 {
    (0..outline.len()).map(|i| 0.5 * outline[i].perp_dot(outline[(i + 1) % outline.len()])).sum()
}

fn cases() -> u64 {
    crate::cases(2_000).into()
}

#[test]
fn features_of_any_solid_make_up_its_surface() {
    run::all(cases(), |seed, broken| check(&solids::any(&mut Random::new(seed)), broken));
}

/// Squares between a cell and no cell, by axis, plane, side and place; those of one plane and side that share an edge are one
/// facet.
fn facets_of_cells(cells: &[[usize; 3]]) -> usize {
    let is_cell: BTreeSet<[i32; 3]> = cells.iter().map(|c| c.map(|x| x as i32)).collect();
    let mut squares = BTreeSet::new();
    for &cell in &is_cell {
        for axis in 0..3 {
            for side in [-1, 1] {
                let mut beyond = cell;
                beyond[axis] += side;
                if !is_cell.contains(&beyond) {
                    squares.insert((axis, side, cell));
                }
            }
        }
    }
    let mut count = 0;
    while let Some(first) = squares.pop_first() {
        count += 1;
        let mut open = vec![first];
        while let Some((axis, side, cell)) = open.pop() {
            for step in 0..3 {
                for way in [-1, 1] {
                    let mut next = cell;
                    next[step] += way;
                    open.extend((step != axis).then(|| squares.take(&(axis, side, next))).flatten());
                }
            }
        }
    }
    count
}

#[test]
fn features_of_blocks_are_those_of_the_lattice_whatever_the_triangles() {
    run::all(cases(), |seed, broken| {
        let mut random = Random::new(seed);
        let count = 1 + random.below(12);
        let cells = solids::grow(&mut random, [3; 3], count);
        let Some(shape) = solids::blocks(&cells, &[[0.0, 1.0, 2.0, 3.0]; 3], |p| p) else { return };
        check(&shape, broken);
        if counts(&shape)[0] != facets_of_cells(&cells) {
            broken.push(("facets", counts(&shape)[0] as f64));
        }
        let splits = 1 + random.below(25);
        let Some(split) = solids::split(&shape, &mut random, splits) else { return };
        for noise in [0.0, 1e-9, 1e-6] {
            let vertices = split
                .as_polyhedron()
                .unwrap()
                .mesh()
                .unwrap()
                .vertices()
                .iter()
                .map(|&v| v + random.point() * (3.0 * noise))
                .collect();
            let Ok(mesh) =
                TetrahedralMesh::new(vertices, split.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().to_vec())
            else {
                continue;
            };
            let noisy = Shape::from_mesh(mesh);
            // Noise tilts a triangle by its share of the least height.
            let tilt = least_height(&noisy).recip() * 6.0 * noise;
            if tilt < 2e-3 {
                check(&noisy, broken);
                if counts(&noisy) != counts(&shape) {
                    let name = if noise == 0.0 { "split" } else { "noise" };
                    broken.push((name, counts(&noisy)[0] as f64 - counts(&shape)[0] as f64));
                }
            }
        }
    });
}

fn least_height(shape: &Shape) -> f64 {
    let surface = shape.surface().unwrap();
    let height = |t: usize| {
        let [a, b, c] = surface.corners(t as u32);
        let longest = [a.distance(b), b.distance(c), c.distance(a)].into_iter().fold(0.0, f64::max);
        2.0 * surface.areas()[t] / longest
    };
    (0..surface.triangles().len()).map(height).fold(f64::INFINITY, f64::min)
}

/// Many points on a circle: the border of a finely rounded plate turns less from piece to piece than a straight line may.
#[test]
fn borders_may_be_round() {
    for n in [8_u32, 100, 500, 1000, 3000] {
        let corner = |i: u32, z: f64| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
            DVec3::new(angle.cos(), angle.sin(), z)
        };
        let vertices = (0..n).map(|i| corner(i, 0.0)).chain((0..n).map(|i| corner(i, 0.2))).collect();
        let caps = (1..n - 1).flat_map(|i| [[0, i + 1, i], [n, n + i, n + i + 1]]);
        let walls = (0..n).flat_map(|i| {
            let j = (i + 1) % n;
            [[i, j, j + n], [i, j + n, i + n]]
        });
        let surface = drystone_contact::shape::Surface::new(vertices, caps.chain(walls).collect()).unwrap();
        let shape = solids::filled(&surface).unwrap();
        let mut broken = Vec::new();
        check(&shape, &mut broken);
        assert!(broken.is_empty(), "{n}: {broken:?} {:?}", counts(&shape));
    }
}
