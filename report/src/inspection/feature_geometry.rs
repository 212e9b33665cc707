//! Where a feature of a contact lies on its shape.

use drystone_contact::Feature;
use drystone_contact::shape::features::FeatureId;
use drystone_contact::shape::{Polyhedron, Shape, TetrahedralMesh};
use glam::DVec3;

/// The points, segments and triangles of a feature; body frame, m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureGeometry {
    /// Of a vertex.
    pub points: Vec<DVec3>,
    /// Of an edge; around a face or a facet.
    pub segments: Vec<[DVec3; 2]>,
    /// Of a face, a facet, a tetrahedron.
    pub triangles: Vec<[DVec3; 3]>,
}

/// Where a feature lies on its shape. Empty if the shape has no such feature.
pub fn feature_geometry(shape: &Shape, feature: Feature) -> FeatureGeometry {
    geometry(shape, feature).unwrap_or_default()
}

fn geometry(shape: &Shape, feature: Feature) -> Option<FeatureGeometry> {
    let polyhedron = shape.as_polyhedron()?;
    let features = polyhedron.features();
    let of_features = |v: u32| features.vertices().get(v as usize).map(|vertex| vertex.position);
    match feature {
        Feature::Vertex(_) | Feature::Edge(_) | Feature::Face(_) | Feature::Tetrahedron(_) => {
            of_mesh(polyhedron.mesh().ok()?, feature)
        }
        Feature::Facet(f) => facet(polyhedron, f),
        Feature::FacetEdge(e) => {
            let [a, b] = features.edges().get(e as usize)?.vertices;
            Some(segment([of_features(a)?, of_features(b)?]))
        }
        Feature::FacetVertex(v) => Some(point(of_features(v)?)),
        Feature::PieceFace(f) => of_piece(polyhedron, FeatureId::Facet(f)),
        Feature::PieceEdge(e) => of_piece(polyhedron, FeatureId::Edge(e)),
        Feature::PieceVertex(v) => of_piece(polyhedron, FeatureId::Vertex(v)),
        Feature::Surface(_) | Feature::Overlap(_) => None,
    }
}

fn of_mesh(mesh: &TetrahedralMesh, feature: Feature) -> Option<FeatureGeometry> {
    let at = |v: u32| mesh.vertices().get(v as usize).copied();
    Some(match feature {
        Feature::Vertex(v) => point(at(v)?),
        Feature::Edge(e) => {
            let [a, b] = *mesh.edges().get(e as usize)?;
            segment([at(a)?, at(b)?])
        }
        Feature::Face(f) => {
            let [a, b, c] = mesh.faces().get(f as usize)?.vertices;
            polygon(&[at(a)?, at(b)?, at(c)?])
        }
        Feature::Tetrahedron(t) if (t as usize) < mesh.tetrahedra().len() => tetrahedron(mesh.corners(t)),
        _ => return None,
    })
}

fn point(point: DVec3) -> FeatureGeometry {
    FeatureGeometry { points: vec![point], ..FeatureGeometry::default() }
}

fn segment(segment: [DVec3; 2]) -> FeatureGeometry {
    FeatureGeometry { segments: vec![segment], ..FeatureGeometry::default() }
}

/// A convex polygon, as a fan.
fn polygon(corners: &[DVec3]) -> FeatureGeometry {
    let n = corners.len();
    FeatureGeometry {
        points: Vec::new(),
        segments: (0..n).map(|k| [corners[k], corners[(k + 1) % n]]).collect(),
        triangles: (2..n).map(|k| [corners[0], corners[k - 1], corners[k]]).collect(),
    }
}

fn tetrahedron([a, b, c, d]: [DVec3; 4]) -> FeatureGeometry {
    FeatureGeometry {
        points: Vec::new(),
        segments: vec![[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]],
        triangles: vec![[a, c, b], [a, b, d], [b, c, d], [c, a, d]],
    }
}

/// Its borders, and the triangles of the surface that lie in its plane and within it.
fn facet(shape: &Polyhedron, number: u32) -> Option<FeatureGeometry> {
    let facet = shape.features().facets().get(number as usize)?;
    let segments = facet.loops().flat_map(|range| {
        let corners = &facet.corners[range];
        (0..corners.len()).map(|k| [corners[k], corners[(k + 1) % corners.len()]]).collect::<Vec<_>>()
    });
    let surface = shape.surface();
    let (low, high) = facet.bounds;
    let near = 1e-4 * (surface.bounds().1 - surface.bounds().0).length();
    let is_in = |corners: &[DVec3; 3], normal: DVec3| {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let in_box = middle.cmpge(low - near).all() && middle.cmple(high + near).all();
        in_box
            && normal.dot(facet.normal) > 0.99
            && facet.height(middle).abs() < near
            && facet.contains(facet.place(middle), near)
    };
    let triangles = (0..surface.triangles().len()).map(|t| (surface.corners(t as u32), surface.normals()[t]));
    Some(FeatureGeometry {
        points: Vec::new(),
        segments: segments.collect(),
        triangles: triangles.filter(|(corners, normal)| is_in(corners, *normal)).map(|(corners, _)| corners).collect(),
    })
}

fn of_piece(shape: &Polyhedron, number: FeatureId) -> Option<FeatureGeometry> {
    let pieces = shape.pieces().ok()?;
    let (piece, feature) = pieces.feature(number)?;
    let polyhedron = pieces.polyhedron(piece);
    if !polyhedron.has(feature) {
        return None;
    }
    let at = |v: u32| polyhedron.vertices()[v as usize];
    Some(match feature {
        FeatureId::Vertex(v) => point(at(v)),
        FeatureId::Edge(e) => segment(polyhedron.edge(e).map(at)),
        FeatureId::Facet(f) => polygon(&polyhedron.corners(f).map(|(v, _)| at(v)).collect::<Vec<_>>()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_engine::Solid;

    fn areas(geometry: &FeatureGeometry) -> f64 {
        geometry.triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).sum()
    }

    #[test]
    fn features_of_a_cube_are_where_they_belong() {
        let cube = Solid::cuboid(DVec3::ONE, 1.0).unwrap();
        let of = |feature| feature_geometry(&cube.shape, feature);
        for facet in 0..6 {
            let geometry = of(Feature::Facet(facet));
            assert!((areas(&geometry) - 1.0).abs() < 1e-12 && geometry.segments.len() == 4, "facet {facet}");
            let geometry = of(Feature::PieceFace(facet));
            assert!((areas(&geometry) - 1.0).abs() < 1e-12 && geometry.segments.len() == 4, "face {facet}");
        }
        for edge in 0..12 {
            for feature in [Feature::FacetEdge(edge), Feature::PieceEdge(edge)] {
                let [p, q] = of(feature).segments[0];
                assert!(((p - q).length() - 1.0).abs() < 1e-12, "{feature:?}");
            }
        }
        for vertex in 0..8 {
            for feature in [Feature::FacetVertex(vertex), Feature::PieceVertex(vertex)] {
                assert!((of(feature).points[0].abs() - 0.5).length() < 1e-12, "{feature:?}");
            }
        }
        let volume: f64 = (0..cube.shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().len() as u32)
            .map(|t| {
                let geometry = of(Feature::Tetrahedron(t));
                geometry.triangles.iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum::<f64>()
            })
            .sum();
        assert!((volume - 1.0).abs() < 1e-12, "outward triangles: {volume}");
        assert_eq!(of(Feature::Face(0)).triangles.len(), 1);
        assert_eq!(of(Feature::Edge(0)).segments.len(), 1);
        assert_eq!(of(Feature::Vertex(0)).points.len(), 1);
    }

    #[test]
    fn there_is_nothing_where_there_is_no_feature() {
        let cube = Solid::cuboid(DVec3::ONE, 1.0).unwrap();
        let all: [fn(u32) -> Feature; 10] = [
            Feature::Vertex,
            Feature::Edge,
            Feature::Face,
            Feature::Tetrahedron,
            Feature::Facet,
            Feature::FacetEdge,
            Feature::FacetVertex,
            Feature::PieceFace,
            Feature::PieceEdge,
            Feature::PieceVertex,
        ];
        for feature in all {
            assert_eq!(feature_geometry(&cube.shape, feature(u32::MAX)), FeatureGeometry::default());
        }
    }
}
