//! Primitives against each other and against polyhedra.

use glam::DVec3;

use super::closed_form::{cap, lens, nearest_cap};
use super::component::Component;
use super::error::OverlapError;
use super::solid::Solid;
use super::stand_in::{cut_off, inscribed};
use super::{intersection, open_surface, sampled};
use crate::pose::Pose;
use crate::shape::{Ball, Ellipsoid, HalfSpace, Polyhedron, Shape};

/// The inscribed triangles of a ball are nowhere farther inside than this share of its radius.
const SAGITTA: f64 = 0.005;

/// A shape by what is done with it.
pub enum Solidity<'s> {
    /// A polyhedron, or the triangles inscribed in a primitive.
    Plane(&'s Polyhedron),
    /// Semi-axes, m.
    Curved(DVec3),
    HalfSpace,
}

impl<'s> Solidity<'s> {
    /// What a shape is.
    ///
    /// # Errors
    /// [`OverlapError::Kind`].
    pub fn of(shape: &'s Shape) -> Result<Self, OverlapError> {
        match shape {
            Shape::Polyhedron(polyhedron) => Ok(Self::Plane(polyhedron)),
            Shape::Primitive(primitive) => match (primitive.kind(), &primitive.dimensions()[..]) {
                (Ball::KIND, &[radius]) => Ok(Self::Curved(DVec3::splat(radius))),
                (Ellipsoid::KIND, &[a, b, c]) => Ok(Self::Curved(DVec3::new(a, b, c))),
                (HalfSpace::KIND, []) => Ok(Self::HalfSpace),
                (kind, _) => primitive.drawn().map(Self::Plane).ok_or(OverlapError::Kind { kind }),
            },
            other => Err(OverlapError::Kind { kind: other.kind() }),
        }
    }

    fn is_ball(semi_axes: DVec3) -> bool {
        semi_axes.min_element() == semi_axes.max_element()
    }
}

/// The components of the intersection of two shapes; `relative` takes the frame of B to that of A.
///
/// # Errors
/// [`OverlapError`].
pub fn components(a: &Shape, b: &Shape, relative: &Pose) -> Result<Vec<Component>, OverlapError> {
    if let Shape::Compound(compound) = a {
        let mut all = Vec::new();
        for part in compound.parts() {
            let own = components(&part.shape, b, &(part.pose.inverse() * *relative))?;
            all.extend(own.into_iter().map(|component| in_other_frame(without_vertices(component), &part.pose)));
        }
        return Ok(all);
    }
    if matches!(b, Shape::Compound(_)) || (b.as_open_surface().is_some() && a.as_open_surface().is_none()) {
        let swapped = components(b, a, &relative.inverse())?;
        return Ok(swapped.into_iter().map(|part| turned_round(in_other_frame(part, relative))).collect());
    }
    if a.as_open_surface().is_some() {
        return open_surface::components(a, b, relative);
    }
    if [a, b].iter().any(|shape| matches!(shape, Shape::Solid(_))) {
        return sampled::components(a, b, relative);
    }
    let mut parts = between_primitives(a, b, relative)?;
    for part in &mut parts {
        if a.as_primitive().is_some() {
            part.vertices_of_a.clear();
        }
        if b.as_primitive().is_some() {
            part.vertices_of_b.clear();
        }
    }
    Ok(parts)
}

/// As [`components`] of shapes that are polyhedra or primitives; vertices may be those of triangles that stand in.
fn between_primitives(a: &Shape, b: &Shape, relative: &Pose) -> Result<Vec<Component>, OverlapError> {
    use Solidity::{Curved, HalfSpace, Plane};
    let between = |a: Option<Solid<'_>>, b: Option<Solid<'_>>| match (a, b) {
        (Some(a), Some(b)) => intersection::components(&a.here(), &b.placed(relative)),
        _ => Ok(Vec::new()),
    };
    let half_space = |other: &Shape, pose: &Pose| cut_off(other.bounds_at(pose));
    match (Solidity::of(a)?, Solidity::of(b)?) {
        (Plane(p), Plane(q)) => between(Some(Solid::polyhedron(p)), Some(Solid::polyhedron(q))),
        (Plane(p), HalfSpace) => between(Some(Solid::polyhedron(p)), half_space(a, &relative.inverse())),
        (HalfSpace, Plane(q)) => between(half_space(b, relative), Some(Solid::polyhedron(q))),
        (HalfSpace, HalfSpace) => Err(OverlapError::Unbounded { a: a.kind(), b: b.kind() }),
        (Curved(p), Curved(q)) if Solidity::is_ball(p) && Solidity::is_ball(q) => {
            Ok(lens([p.x, q.x], relative.translation).into_iter().collect())
        }
        (Curved(p), Curved(q)) => between(inscribed(p), inscribed(q)),
        (HalfSpace, Curved(semi_axes)) => {
            let normal = relative.rotation.inverse() * DVec3::Y;
            let part = cap(semi_axes, normal, relative.translation.y);
            Ok(part.map(|part| in_other_frame(part, relative)).into_iter().collect())
        }
        (Plane(polyhedron), Curved(semi_axes)) => in_polyhedron(polyhedron, semi_axes, relative),
        (Curved(_), HalfSpace | Plane(_)) => {
            let swapped = between_primitives(b, a, &relative.inverse())?;
            Ok(swapped.into_iter().map(|part| turned_round(in_other_frame(part, relative))).collect())
        }
    }
}

/// An ellipsoid (B) in a polyhedron (A): the intersection of the solid with inscribed triangles, whose width is at least the
/// exact depth as far as the triangles may be too far inside.
fn in_polyhedron(polyhedron: &Polyhedron, semi_axes: DVec3, relative: &Pose) -> Result<Vec<Component>, OverlapError> {
    let surface = polyhedron.surface();
    let triangles = (0..surface.triangles().len() as u32)
        .map(|t| surface.corners(t).map(|corner| relative.inverse_transform_point(corner)));
    let is_inside = surface.winding_number(relative.translation) == 1;
    let Some(exact) = nearest_cap(semi_axes, triangles, is_inside) else { return Ok(Vec::new()) };
    let Some(inscribed) = inscribed(semi_axes) else { return Ok(Vec::new()) };
    let mut parts = intersection::components(&Solid::polyhedron(polyhedron).here(), &inscribed.placed(relative))?;
    let least = exact.width.min(SAGITTA * semi_axes.max_element());
    parts.iter_mut().for_each(|part| part.vertices_of_b.clear());
    match parts.iter_mut().max_by(|x, y| x.width.total_cmp(&y.width)) {
        Some(widest) => widest.width = widest.width.max(least),
        None => parts.push(in_other_frame(exact, relative)),
    }
    Ok(parts)
}

/// A component of the frame that a pose comes from, in the frame that it leads to.
fn in_other_frame(part: Component, pose: &Pose) -> Component {
    let points = |list: Vec<DVec3>| list.into_iter().map(|p| pose.transform_point(p)).collect();
    Component {
        area_vector: pose.rotation * part.area_vector,
        width_normal: pose.rotation * part.width_normal,
        contour: points(part.contour),
        points: points(part.points),
        ..part
    }
}

/// A component of a part of a compound, whose vertices have no numbers there.
fn without_vertices(part: Component) -> Component {
    Component { vertices_of_a: Vec::new(), vertices_of_b: Vec::new(), ..part }
}

/// A component with A and B exchanged.
fn turned_round(part: Component) -> Component {
    Component {
        area_vector: -part.area_vector,
        width_normal: -part.width_normal,
        vertices_of_a: part.vertices_of_b,
        vertices_of_b: part.vertices_of_a,
        ..part
    }
}

#[cfg(test)]
mod tests;
