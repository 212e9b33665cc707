//! How the triangles of a surface hang together: edges, fans around vertices, connected components.

use glam::DVec3;

use super::surface::{SurfaceEdge, SurfaceError};
use crate::sorting::CompactSort;

/// Edges, neighbours and components of a closed, oriented, manifold triangle surface.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SurfaceTopology {
    pub(super) edges: Vec<SurfaceEdge>,
    pub(super) triangle_edges: Vec<[u32; 3]>,
    /// For each triangle, the component that it belongs to; components are numbered by their first triangle.
    pub(super) component: Vec<u32>,
    pub(super) component_count: u32,
}

/// A triangle's side, `corner` → `corner + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    triangle: u32,
    corner: u8,
}

impl SurfaceTopology {
    /// Builds the topology; all indices must be in range and the three indices of a triangle distinct.
    pub(super) fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, SurfaceError> {
        let (edges, triangle_edges, across) = pair_sides(triangles)?;
        check_fans(vertices, triangles, &across)?;
        let (component, component_count) = components(&across);
        Ok(Self { edges, triangle_edges, component, component_count })
    }
}

type PairedSides = (Vec<SurfaceEdge>, Vec<[u32; 3]>, Vec<[Side; 3]>);

/// Numbers the edges by their first appearance and finds the side across every side.
fn pair_sides(triangles: &[[u32; 3]]) -> Result<PairedSides, SurfaceError> {
    let mut sides: Vec<([u32; 2], Side)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in (0_u32..).zip(triangles) {
        for corner in 0..3_u8 {
            let (from, to) = (corners[corner as usize], corners[(corner as usize + 1) % 3]);
            sides.push(([from.min(to), from.max(to)], Side { triangle, corner }));
        }
    }
    sides.compact_sort();
    let mut groups: Vec<&[([u32; 2], Side)]> = sides.chunk_by(|a, b| a.0 == b.0).collect();
    groups.compact_sort_by_key(|group| group[0].1);

    let nowhere = Side { triangle: u32::MAX, corner: 0 };
    let mut edges = Vec::with_capacity(groups.len());
    let mut triangle_edges = vec![[0; 3]; triangles.len()];
    let mut across = vec![[nowhere; 3]; triangles.len()];
    let start = |side: Side| triangles[side.triangle as usize][side.corner as usize];
    for (index, group) in (0_u32..).zip(groups) {
        let first = group[0].1;
        let corners = triangles[first.triangle as usize];
        let edge = [corners[first.corner as usize], corners[(first.corner as usize + 1) % 3]];
        let second = match *group {
            [_] => {
                return Err(SurfaceError::OpenEdge { edge, triangle: first.triangle });
            }
            [_, (_, second)] => second,
            _ => {
                let triangles = group.iter().map(|side| side.1.triangle).collect();
                return Err(SurfaceError::NonManifoldEdge { edge, triangles });
            }
        };
        if start(first) == start(second) {
            return Err(SurfaceError::InconsistentOrientation { edge, triangles: [first.triangle, second.triangle] });
        }
        edges.push(SurfaceEdge { vertices: edge, triangles: [first.triangle, second.triangle] });
        for (side, other) in [(first, second), (second, first)] {
            triangle_edges[side.triangle as usize][side.corner as usize] = index;
            across[side.triangle as usize][side.corner as usize] = other;
        }
    }
    Ok((edges, triangle_edges, across))
}

/// Checks that the triangles around every vertex form one closed fan.
fn check_fans(vertices: &[DVec3], triangles: &[[u32; 3]], across: &[[Side; 3]]) -> Result<(), SurfaceError> {
    let mut incident = vec![0_u32; vertices.len()];
    let mut corner_at: Vec<Option<Side>> = vec![None; vertices.len()];
    for (triangle, corners) in (0_u32..).zip(triangles) {
        for corner in 0..3_u8 {
            let vertex = corners[corner as usize] as usize;
            incident[vertex] += 1;
            corner_at[vertex].get_or_insert(Side { triangle, corner });
        }
    }
    for (vertex, start) in (0_u32..).zip(&corner_at) {
        let Some(start) = *start else {
            return Err(SurfaceError::UnusedVertex { vertex });
        };
        let (mut here, mut fan) = (start, 0_u32);
        loop {
            let other = across[here.triangle as usize][here.corner as usize];
            here = Side { triangle: other.triangle, corner: (other.corner + 1) % 3 };
            fan += 1;
            if here == start {
                break;
            }
        }
        if fan != incident[vertex as usize] {
            return Err(SurfaceError::NonManifoldVertex {
                vertex,
                position: vertices[vertex as usize],
                fan,
                triangles: incident[vertex as usize],
            });
        }
    }
    Ok(())
}

/// The connected component of every triangle, and how many there are.
fn components(across: &[[Side; 3]]) -> (Vec<u32>, u32) {
    let mut component = vec![u32::MAX; across.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for seed in 0..across.len() {
        if component[seed] != u32::MAX {
            continue;
        }
        component[seed] = count;
        stack.push(seed);
        while let Some(triangle) = stack.pop() {
            for side in across[triangle] {
                let next = side.triangle as usize;
                if component[next] == u32::MAX {
                    component[next] = count;
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    (component, count)
}
