//! Closed triangle surfaces that bound a solid.
//!
//! A surface may be non-convex and may have several components: separate solids and cavities, as long as the
//! components' orientations make every point of space either solid or empty (winding number 1 or 0).

use glam::DVec3;

use super::nesting::{self, Misplaced};
use super::predicate::{orientation_3d, projection_axis};
use super::self_intersection::first_self_intersection;
pub use super::surface_error::SurfaceError;
use super::surface_topology::SurfaceTopology;
use crate::bounds::Bounds;
use crate::sorting::CompactSort;

/// Largest magnitude of a coordinate, m: beyond it products of coordinates may overflow.
pub const MAXIMUM_COORDINATE: f64 = 1e60;

/// A volume below this share of the sum of its terms' magnitudes is rounding error only.
const VOLUME_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Below this length the angle-weighted sum of the unit normals around a vertex has no direction.
const VERTEX_NORMAL_LENGTH: f64 = 1e-12;

/// An edge of a [`Surface`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceEdge {
    /// The two end vertices, in the direction in which `triangles[0]` runs along the edge.
    pub vertices: [u32; 2],
    /// The two triangles at the edge, lower index first; `triangles[1]` runs against `vertices`.
    pub triangles: [u32; 2],
}

/// A closed, oriented, manifold triangle surface without self-intersection that encloses a positive volume.
///
/// Triangles are counter-clockwise seen from outside. Vertices and triangles keep the order in which they were given.
/// Every vertex is used, and no two share a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    topology: SurfaceTopology,
    normals: Vec<DVec3>,
    areas: Vec<f64>,
    volume: f64,
}

impl Surface {
    /// Checks a triangle surface (positions in m, counter-clockwise triangles) and takes it over unchanged.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, SurfaceError> {
        check_elements(&vertices, &triangles)?;
        let (normals, areas) = normals_and_areas(&vertices, &triangles)?;
        check_duplicates(&vertices)?;
        let topology = SurfaceTopology::new(&vertices, &triangles)?;
        let (volume, magnitude) = divergence_volume(&vertices, &triangles);
        if volume.abs() <= VOLUME_ROUNDING * magnitude {
            return Err(SurfaceError::ZeroVolume);
        }
        if volume < 0.0 {
            return Err(SurfaceError::InsideOut { volume });
        }
        if let Some(triangles) = first_self_intersection(&vertices, &triangles) {
            return Err(SurfaceError::SelfIntersecting { triangles });
        }
        nesting::check(&vertices, &triangles, &topology.component, topology.component_count).map_err(
            |Misplaced { triangle, is_cavity: cavity }| SurfaceError::MisplacedComponent { triangle, cavity },
        )?;
        Ok(Self { vertices, triangles, topology, normals, areas, volume })
    }

    /// The vertices, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles' vertex indices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges, numbered by their first appearance: triangle by triangle, sides 0–1, 1–2, 2–0.
    pub fn edges(&self) -> &[SurfaceEdge] {
        &self.topology.edges
    }

    /// The edges of each triangle, sides 0–1, 1–2, 2–0.
    pub fn triangle_edges(&self) -> &[[u32; 3]] {
        &self.topology.triangle_edges
    }

    /// The positions of a triangle's corners, m.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }

    /// The outward unit normal of each triangle.
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// The area of each triangle, m².
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// The enclosed volume by the divergence theorem, m³, positive.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The number of connected components: solids and cavities.
    pub fn component_count(&self) -> u32 {
        self.topology.component_count
    }

    /// The component of each triangle; components are numbered by their first triangle.
    pub fn components(&self) -> &[u32] {
        &self.topology.component
    }

    /// The lower and upper corner of the axis-aligned bounding box, m.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds(&self.vertices)
    }

    /// The outward unit normal of each vertex: the sum of its triangles' unit normals weighted by their angles there
    /// (Thürmer and Wüthrich 1998), normalized. Zero where that sum vanishes.
    pub fn vertex_normals(&self) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.vertices.len()];
        for (triangle, corners) in (0_u32..).zip(&self.triangles) {
            let p = self.corners(triangle);
            for k in 0..3 {
                let (s, t) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
                let angle = libm::atan2(s.cross(t).length(), s.dot(t));
                sums[corners[k] as usize] += angle * self.normals[triangle as usize];
            }
        }
        let unit = |sum: DVec3| {
            if sum.length() > VERTEX_NORMAL_LENGTH { sum.normalize() } else { DVec3::ZERO }
        };
        sums.into_iter().map(unit).collect()
    }

    /// Whether the solid is convex, decided exactly: one component, and no edge is reflex.
    ///
    /// A convex solid that was rotated in floating point may come out very slightly non-convex.
    pub fn is_convex(&self) -> bool {
        self.component_count() == 1
            && self.edges().iter().all(|edge| {
                let [a, b, c] = self.corners(edge.triangles[0]);
                let apex = self.triangles[edge.triangles[1] as usize].iter().find(|v| !edge.vertices.contains(v));
                apex.is_none_or(|&v| orientation_3d(a, b, c, self.vertices[v as usize]) <= 0.0)
            })
    }
}

/// The lower and upper corner of the box around some points.
pub(super) fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.iter().fold(none, |(low, high), &p| (low.min(p), high.max(p)))
}

/// The signed volume of a closed surface, m³, and the sum of the magnitudes of its terms.
pub(super) fn divergence_volume(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (f64, f64) {
    let around = Bounds::around(triangles.iter().flatten().map(|&v| vertices[v as usize]));
    let origin = around.map_or(DVec3::ZERO, |Bounds { low, high }| low + 0.5 * (high - low));
    triangles.iter().fold((0.0, 0.0), |(volume, magnitude), triangle| {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - origin);
        let term = a.dot(b.cross(c)) / 6.0;
        (volume + term, magnitude + a.length() * b.length() * c.length() / 6.0)
    })
}

fn check_elements(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), SurfaceError> {
    if vertices.is_empty() {
        return Err(SurfaceError::NoVertices);
    }
    if triangles.is_empty() {
        return Err(SurfaceError::NoTriangles);
    }
    let count = vertices.len().max(triangles.len());
    if count > 1 << 30 {
        return Err(SurfaceError::TooLarge { count });
    }
    check_coordinates(vertices).map_err(|(vertex, position)| SurfaceError::UnusableCoordinate { vertex, position })?;
    for (triangle, corners) in (0_u32..).zip(triangles) {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(SurfaceError::IndexOutOfRange { triangle, vertex, vertices: vertices.len() });
        }
    }
    Ok(())
}

/// The first vertex whose coordinates are not finite or too large.
pub(super) fn check_coordinates(vertices: &[DVec3]) -> Result<(), (u32, DVec3)> {
    // The comparison is false for NaN.
    let usable = |p: &DVec3| p.abs().cmple(DVec3::splat(MAXIMUM_COORDINATE)).all();
    (0_u32..).zip(vertices).find(|(_, p)| !usable(p)).map_or(Ok(()), |(vertex, &position)| Err((vertex, position)))
}

fn normals_and_areas(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(Vec<DVec3>, Vec<f64>), SurfaceError> {
    let mut normals = Vec::with_capacity(triangles.len());
    let mut areas = Vec::with_capacity(triangles.len());
    for (triangle, &corners) in (0_u32..).zip(triangles) {
        let points = corners.map(|v| vertices[v as usize]);
        let [a, b, c] = points;
        let twice_area = (b - a).cross(c - a);
        match twice_area.try_normalize() {
            Some(normal) if projection_axis(points).is_some() => normals.push(normal),
            _ => return Err(SurfaceError::DegenerateTriangle { triangle, corners }),
        }
        areas.push(0.5 * twice_area.length());
    }
    Ok((normals, areas))
}

/// Of all vertices at the position of an earlier one, reports the first.
fn check_duplicates(vertices: &[DVec3]) -> Result<(), SurfaceError> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Adding zero turns −0 into 0, so that the two compare equal.
    let key = |v: u32| (vertices[v as usize] + DVec3::ZERO).to_array();
    let compare =
        |s: [f64; 3], t: [f64; 3]| s[0].total_cmp(&t[0]).then(s[1].total_cmp(&t[1])).then(s[2].total_cmp(&t[2]));
    order.compact_sort_by(|&i, &j| compare(key(i), key(j)).then(i.cmp(&j)));
    let duplicates = order.chunk_by(|&i, &j| key(i) == key(j)).filter_map(|group| match *group {
        [first, second, ..] => Some((second, first)),
        _ => None,
    });
    match duplicates.min() {
        Some((second, first)) => {
            Err(SurfaceError::DuplicateVertex { first, second, position: vertices[first as usize] })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;

    fn cube() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        sample::cuboid_parts(DVec3::ZERO, DVec3::ONE)
    }

    fn error(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> SurfaceError {
        Surface::new(vertices, triangles).unwrap_err()
    }

    #[test]
    fn volumes_of_prisms_are_right() {
        assert!((sample::l_prism().volume() - 3.0).abs() < 1e-14);
        assert!((sample::u_prism().volume() - 5.0).abs() < 1e-14);
        assert!((sample::hollow_box().volume() - 7.0).abs() < 1e-14);
        assert!((sample::corner_tetrahedron().volume() - 1.0 / 6.0).abs() < 1e-16);
    }

    #[test]
    fn every_edge_joins_its_two_triangles_in_opposite_directions() {
        for surface in [sample::u_prism(), sample::hollow_box()] {
            let euler = surface.vertices().len() + surface.triangles().len() - surface.edges().len();
            assert_eq!(euler, 2 * surface.component_count() as usize);
            let runs = |t: u32, [from, to]: [u32; 2]| {
                let c = surface.triangles()[t as usize];
                (0..3).any(|k| c[k] == from && c[(k + 1) % 3] == to)
            };
            for (index, edge) in (0_u32..).zip(surface.edges()) {
                let [from, to] = edge.vertices;
                assert!(runs(edge.triangles[0], [from, to]) && runs(edge.triangles[1], [to, from]));
                assert!(edge.triangles[0] < edge.triangles[1]);
                for t in edge.triangles {
                    assert!(surface.triangle_edges()[t as usize].contains(&index));
                }
            }
            let first: Vec<u32> = surface.triangle_edges()[0].to_vec();
            assert_eq!(first, [0, 1, 2]);
        }
    }

    #[test]
    fn cube_vertex_normals_are_its_diagonals_whatever_its_triangles() {
        let surface = sample::cuboid(DVec3::ZERO, DVec3::ONE);
        for (p, n) in surface.vertices().iter().zip(surface.vertex_normals()) {
            assert!((n - p.normalize()).length() < 1e-15);
        }
        assert!((surface.areas().iter().sum::<f64>() - 24.0).abs() < 1e-14);
    }

    #[test]
    fn convexity_is_exact() {
        assert!(sample::cuboid(DVec3::ONE, DVec3::new(0.1, 0.2, 0.3)).is_convex());
        assert!(!sample::l_prism().is_convex());
        assert!(!sample::hollow_box().is_convex());
        let (mut vertices, triangles) = sample::sphere(false, 1);
        assert!(Surface::new(vertices.clone(), triangles.clone()).unwrap().is_convex());
        vertices[7] *= 0.7;
        assert!(!Surface::new(vertices, triangles).unwrap().is_convex());
    }

    #[test]
    fn empty_lists_are_rejected() {
        assert_eq!(error(vec![], vec![]), SurfaceError::NoVertices);
        assert_eq!(error(vec![DVec3::ZERO], vec![]), SurfaceError::NoTriangles);
    }

    #[test]
    fn bad_elements_are_named() {
        for bad in [f64::NAN, f64::INFINITY, -1e61] {
            let (mut vertices, triangles) = cube();
            vertices[5].y = bad;
            assert!(matches!(error(vertices, triangles), SurfaceError::UnusableCoordinate { vertex: 5, .. }));
        }
        let (vertices, mut triangles) = cube();
        triangles[7][1] = 8;
        let expected = SurfaceError::IndexOutOfRange { triangle: 7, vertex: 8, vertices: 8 };
        assert_eq!(error(vertices, triangles), expected);

        let (vertices, mut triangles) = cube();
        triangles[3] = [1, 1, 2];
        let expected = SurfaceError::DegenerateTriangle { triangle: 3, corners: [1, 1, 2] };
        assert_eq!(error(vertices, triangles), expected);

        let (mut vertices, mut triangles) = cube();
        vertices.push(vertices[0].midpoint(vertices[1]));
        triangles.push([0, 8, 1]);
        assert!(matches!(error(vertices, triangles), SurfaceError::DegenerateTriangle { triangle: 12, .. }));

        let (mut vertices, triangles) = cube();
        vertices.push(DVec3::splat(2.0));
        assert_eq!(error(vertices, triangles), SurfaceError::UnusedVertex { vertex: 8 });

        let (mut vertices, triangles) = cube();
        vertices.push(vertices[3]);
        assert!(matches!(error(vertices, triangles), SurfaceError::DuplicateVertex { first: 3, second: 8, .. }));
    }

    #[test]
    fn signed_zeros_are_the_same_position() {
        let (mut vertices, triangles) = cube();
        vertices.push(DVec3::new(0.0, 0.0, 5.0));
        vertices.push(DVec3::new(-0.0, 0.0, 5.0));
        assert!(matches!(error(vertices, triangles), SurfaceError::DuplicateVertex { first: 8, second: 9, .. }));
    }

    #[test]
    fn bad_edges_are_named() {
        let (vertices, mut triangles) = cube();
        triangles.remove(11);
        assert_eq!(error(vertices, triangles), SurfaceError::OpenEdge { edge: [5, 4], triangle: 3 });

        let (vertices, mut triangles) = cube();
        triangles[4].swap(0, 1);
        assert!(matches!(error(vertices, triangles), SurfaceError::InconsistentOrientation { .. }));

        // Two cubes that share the edge 0–1.
        let (mut vertices, mut triangles) = cube();
        let second = triangles.clone();
        let image = |v: u32| if v < 2 { v } else { v + 6 };
        triangles.extend(second.iter().map(|t| t.map(image)));
        let turned = |p: DVec3| DVec3::new(p.x, -2.0 - p.y, 2.0 - p.z);
        vertices.extend_from_within(2..8);
        vertices[8..].iter_mut().for_each(|p| *p = turned(*p));
        let expected = SurfaceError::NonManifoldEdge { edge: [0, 1], triangles: vec![0, 10, 12, 22] };
        assert_eq!(error(vertices, triangles), expected);
    }

    #[test]
    fn parts_that_touch_in_a_vertex_are_rejected() {
        // A tetrahedron and its mirror image through vertex 0.
        let tetrahedron = sample::corner_tetrahedron();
        let mut vertices = tetrahedron.vertices().to_vec();
        vertices.extend([-DVec3::X, -DVec3::Y, -DVec3::Z]);
        let mut triangles = tetrahedron.triangles().to_vec();
        let image = |v: u32| if v == 0 { 0 } else { v + 3 };
        triangles.extend(tetrahedron.triangles().iter().map(|&[a, b, c]| [a, c, b].map(image)));
        let expected = SurfaceError::NonManifoldVertex { vertex: 0, position: DVec3::ZERO, fan: 3, triangles: 6 };
        assert_eq!(error(vertices, triangles), expected);
    }

    #[test]
    fn inside_out_and_flat_surfaces_are_rejected() {
        let (vertices, triangles) = cube();
        let reversed = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert!(
            matches!(error(vertices, reversed), SurfaceError::InsideOut { volume } if (volume + 8.0).abs() < 1e-14)
        );
        let flat = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        assert_eq!(error(flat, triangles), SurfaceError::ZeroVolume);
    }

    #[test]
    fn self_intersection_is_found() {
        // The top vertex of an octahedron through its bottom: triangle 0 is the first at the top.
        let (mut vertices, triangles) = sample::sphere(false, 0);
        vertices[2].z = -0.5;
        vertices[5].z = -0.4;
        let found = error(vertices, triangles);
        assert!(matches!(found, SurfaceError::InsideOut { .. }), "{found}");
        let (mut vertices, mut triangles) = cube();
        let (more, second) = sample::cuboid_parts(DVec3::splat(0.5), DVec3::splat(1.0));
        vertices.extend(more);
        triangles.extend(second.iter().map(|t| t.map(|v| v + 8)));
        let found = error(vertices, triangles);
        assert!(matches!(found, SurfaceError::SelfIntersecting { triangles: [0, other] } if other >= 12), "{found}");
    }

    #[test]
    fn components_must_alternate() {
        let (vertices, triangles) = sample::hollow_box_parts();
        let solid_in_solid =
            triangles.iter().enumerate().map(|(i, &[a, b, c])| if i < 12 { [a, b, c] } else { [a, c, b] });
        let expected = SurfaceError::MisplacedComponent { triangle: 12, cavity: false };
        assert_eq!(error(vertices.clone(), solid_in_solid.collect()), expected);

        let moved: Vec<DVec3> =
            vertices.iter().enumerate().map(|(i, &p)| if i < 8 { p } else { p + 4.0 * DVec3::X }).collect();
        let expected = SurfaceError::MisplacedComponent { triangle: 12, cavity: true };
        assert_eq!(error(moved.clone(), triangles.clone()), expected);

        let apart = triangles.iter().enumerate().map(|(i, &[a, b, c])| if i < 12 { [a, b, c] } else { [a, c, b] });
        assert_eq!(Surface::new(moved, apart.collect()).unwrap().component_count(), 2);
    }
}
