//! The plane faces of a surface: its triangles joined across the edges at which they do not bend.

use drystone_contact::shape::{Shape, Surface};
use glam::DVec3;

/// Faces whose normals differ by less than this angle are one, rad.
const BEND: f64 = 1e-3;

/// A plane face.
#[derive(Clone, Debug)]
pub struct Facet {
    /// Unit normal, outward.
    pub normal: DVec3,
    /// Closed outlines, counter-clockwise from outside, those of holes clockwise; corners only, none on a straight line.
    pub outlines: Vec<Vec<DVec3>>,
}

/// The facets of a shape as it is drawn. The triangles that stand in for a curved surface are a facet each.
pub fn facets_of(shape: &Shape) -> Vec<Facet> {
    match shape {
        Shape::Polyhedron(polyhedron) => facets(polyhedron.surface()),
        _ => {
            let drawn = shape.triangles();
            let facet = |triangle: &[u32; 3]| {
                let [p, q, r] = triangle.map(|v| drawn.vertices[v as usize]);
                Facet { normal: (q - p).cross(r - p).normalize_or_zero(), outlines: vec![vec![p, q, r]] }
            };
            drawn.triangles.iter().map(facet).collect()
        }
    }
}

/// The facets of a surface, in the order of their first triangles.
pub fn facets(surface: &Surface) -> Vec<Facet> {
    let group = groups(surface);
    let count = group.iter().max().map_or(0, |last| last + 1);
    let mut borders: Vec<Vec<[u32; 2]>> = vec![Vec::new(); count];
    for edge in surface.edges() {
        let [one, other] = edge.triangles.map(|t| group[t as usize]);
        if one != other {
            let [from, to] = edge.vertices;
            borders[one].push([from, to]);
            borders[other].push([to, from]);
        }
    }
    let normal = |k: usize| group.iter().position(|&g| g == k).map_or(DVec3::Y, |t| surface.normals()[t]);
    let at = |loops: Vec<Vec<u32>>| {
        let points = |l: Vec<u32>| l.into_iter().map(|v| surface.vertices()[v as usize]).collect();
        loops.into_iter().map(|l| corners(points(l))).filter(|l| l.len() > 2).collect()
    };
    borders.into_iter().enumerate().map(|(k, b)| Facet { normal: normal(k), outlines: at(closed_loops(b)) }).collect()
}

/// The number of its facet for each triangle.
fn groups(surface: &Surface) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut group = vec![NONE; surface.triangles().len()];
    let mut count = 0;
    for first in 0..group.len() {
        if group[first] != NONE {
            continue;
        }
        // Against the first triangle's normal, so that a finely meshed curve does not become one face.
        let normal = surface.normals()[first];
        let mut todo = vec![first];
        group[first] = count;
        while let Some(triangle) = todo.pop() {
            for &edge in &surface.triangle_edges()[triangle] {
                for next in surface.edges()[edge as usize].triangles.map(|t| t as usize) {
                    if group[next] == NONE && surface.normals()[next].dot(normal) > 1.0 - 0.5 * BEND * BEND {
                        group[next] = count;
                        todo.push(next);
                    }
                }
            }
        }
        count += 1;
    }
    group
}

/// Directed edges put together to closed loops.
fn closed_loops(mut edges: Vec<[u32; 2]>) -> Vec<Vec<u32>> {
    let mut loops = Vec::new();
    while let Some([first, mut next]) = edges.pop() {
        let mut line = vec![first];
        while next != first {
            line.push(next);
            let Some(k) = edges.iter().position(|e| e[0] == next) else { break };
            next = edges.swap_remove(k)[1];
        }
        loops.push(line);
    }
    loops
}

/// The points of a loop at which it turns.
fn corners(points: Vec<DVec3>) -> Vec<DVec3> {
    let n = points.len();
    let turns = |k: usize| {
        let (into, out) = (points[k] - points[(k + n - 1) % n], points[(k + 1) % n] - points[k]);
        into.cross(out).length() > BEND * into.length() * out.length()
    };
    (0..n).filter(|&k| turns(k)).map(|k| points[k]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_scenes::cases::{Case, Model};

    #[test]
    fn a_cube_has_six_squares_however_fine_its_mesh() {
        let mut scene = Case::InternalEdges.scene(Model::Procedural, None).unwrap();
        for _ in 0..2 {
            let sides = |f: &Facet| f.outlines.iter().map(Vec::len).collect::<Vec<_>>();
            let found: Vec<Vec<Facet>> = scene.bodies.iter().map(|b| facets_of(&b.shape)).collect();
            for facets in found {
                assert_eq!(facets.len(), 6);
                assert!(facets.iter().all(|f| sides(f) == [4]));
            }
            scene.refine(1).unwrap();
        }
    }

    #[test]
    fn a_hole_is_a_second_outline() {
        let scene = Case::SpikeInHole.scene(Model::Procedural, None).unwrap();
        let block = scene.bodies.iter().map(|b| facets_of(&b.shape)).find(|f| f.len() == 10).unwrap();
        assert_eq!(block.iter().filter(|f| f.outlines.len() == 2).count(), 1, "the top face has the pit's rim in it");
        let area = |f: &Facet| {
            let cross = |l: &Vec<DVec3>| (1..l.len() - 1).map(|k| (l[k] - l[0]).cross(l[k + 1] - l[0])).sum::<DVec3>();
            0.5 * f.outlines.iter().map(cross).sum::<DVec3>().dot(f.normal)
        };
        let whole: f64 = block.iter().map(area).sum();
        let surface: f64 =
            scene.bodies.iter().map(|b| b.shape.surface().unwrap().areas().iter().sum::<f64>()).fold(0.0, f64::max);
        assert!((whole - surface).abs() < 1e-9 && block.iter().all(|f| area(f) > 0.0));
    }
}
