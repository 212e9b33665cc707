//! How deep a shape is in a height field, or reaches through a triangle mesh: measured at points of both, a lower bound. There is no volume.

use glam::DVec3;

use super::component::Component;
use super::error::OverlapError;
use crate::pose::Pose;
use crate::shape::open_surface::{OpenSurface, SurfaceTriangle};
use crate::shape::{HeightField, Shape};
use crate::solid::triangle::closest_of_triangle;

/// Points of a shape against a surface, all in the surface's frame.
struct Measured<'s> {
    triangles: Vec<SurfaceTriangle>,
    /// Of a surface that is solid below.
    field: Option<&'s HeightField>,
}

/// The component of the overlap of a surface (A) and a polyhedron or primitive (B), if any; `relative` takes the frame of B to that of A.
/// Its depth is the largest distance from the surface of a vertex of B that lies beyond it as seen from B's middle, or below a height field, or of a
/// vertex of the surface inside B from B's surface.
///
/// # Errors
/// [`OverlapError::Kind`] of a general solid, [`OverlapError::Unbounded`] of a shape without an end.
pub fn components(surface: &Shape, shape: &Shape, relative: &Pose) -> Result<Vec<Component>, OverlapError> {
    let Some(open) = surface.as_open_surface() else { return Ok(Vec::new()) };
    if matches!(shape, Shape::Solid(_)) {
        return Err(OverlapError::Kind { kind: shape.kind() });
    }
    if !shape.radius().is_finite() || shape.as_open_surface().is_some() {
        return Err(OverlapError::Unbounded { a: surface.kind(), b: shape.kind() });
    }
    let (low, high) = shape.bounds_at(relative);
    let mut numbers = Vec::new();
    open.triangles_within(low, high, &mut numbers);
    let field = if let Shape::HeightField(field) = surface { Some(&**field) } else { None };
    let measured = Measured { triangles: numbers.iter().map(|&t| SurfaceTriangle::of(open, t)).collect(), field };
    let mut deepest: Option<(f64, [DVec3; 2])> = None;
    let mut add = |depth: f64, ends: [DVec3; 2]| {
        if depth > 0.0 && deepest.is_none_or(|(most, _)| depth > most) {
            deepest = Some((depth, ends));
        }
    };
    let drawn = shape.triangles();
    let points: Vec<DVec3> = drawn.vertices.iter().map(|&p| relative.transform_point(p)).collect();
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    for &point in &points {
        if measured.is_beyond(middle, point)
            && let Some(on) = measured.nearest(point)
        {
            add(on.distance(point), [point, on]);
        }
    }
    let back = relative.inverse();
    for vertex in vertices(open, &measured.triangles) {
        if let Some(on) = inside(shape, back.transform_point(vertex)) {
            let on = relative.transform_point(on);
            add(on.distance(vertex), [vertex, on]);
        }
    }
    Ok(deepest.map(|(depth, ends)| component(depth, ends)).into_iter().collect())
}

/// The vertices of triangles, each once.
fn vertices(surface: &dyn OpenSurface, triangles: &[SurfaceTriangle]) -> Vec<DVec3> {
    let mut numbers: Vec<u32> = triangles.iter().flat_map(|triangle| triangle.vertices).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(|v| surface.vertex(v)).collect()
}

/// The point of a shape's surface that is closest to a point inside, in its frame; none of a point outside.
fn inside(shape: &Shape, point: DVec3) -> Option<DVec3> {
    match shape {
        Shape::Primitive(primitive) => {
            let on = primitive.closest(point);
            (on.distance < 0.0).then_some(on.position)
        }
        Shape::Polyhedron(polyhedron) if polyhedron.surface().winding_number(point) == 1 => {
            let surface = polyhedron.surface();
            let closest =
                (0..surface.triangles().len() as u32).map(|t| closest_of_triangle(point, surface.corners(t)).position);
            closest.min_by(|p, q| p.distance_squared(point).total_cmp(&q.distance_squared(point)))
        }
        _ => None,
    }
}

impl Measured<'_> {
    fn nearest(&self, point: DVec3) -> Option<DVec3> {
        let closest = self.triangles.iter().map(|triangle| triangle.closest(point));
        closest.min_by(|p, q| p.distance_squared(point).total_cmp(&q.distance_squared(point)))
    }

    /// Whether a point of a shape is on the other side of the surface than its middle, or below a height field.
    fn is_beyond(&self, middle: DVec3, point: DVec3) -> bool {
        if let Some(field) = self.field {
            return field.height(point.x, point.z).is_some_and(|height| point.y < height);
        }
        let crosses = |triangle: &&SurfaceTriangle| {
            let (from, to) = (triangle.height(middle), triangle.height(point));
            (from < 0.0) != (to < 0.0) && triangle.is_over(middle.lerp(point, from / (from - to)), 0.0)
        };
        self.triangles.iter().filter(crosses).count() % 2 == 1
    }
}

fn component(depth: f64, ends: [DVec3; 2]) -> Component {
    let normal = (ends[0] - ends[1]).normalize_or(DVec3::Y);
    Component {
        area_vector: DVec3::ZERO,
        loop_area: 0.0,
        contour: Vec::new(),
        vertices_of_a: Vec::new(),
        vertices_of_b: Vec::new(),
        points: ends.to_vec(),
        volume: 0.0,
        width: depth,
        depth,
        width_normal: normal,
    }
}
