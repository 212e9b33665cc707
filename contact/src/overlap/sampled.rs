//! General solids: how deep points of each surface are in the other solid.
//!
//! Points lie a sixteenth of a thickness apart ([`GeneralShape::fine_points`]), so that the depth is a lower bound, too small by what
//! a curved surface bulges out between its points: with a radius of curvature r, about (thickness / 16)² / 2r. A ball is measured by
//! its centre, exactly. Of a surface without an inside the points that are in the other solid count. The volume is that of
//! the common part by an octree; zero with a surface without an inside.

use std::sync::Arc;

use glam::DVec3;

use super::component::Component;
use super::error::OverlapError;
use crate::pose::Pose;
use crate::shape::{GeneralShape, Shape};
use crate::solid::{Csg, Operation, Placed, Quadrature};

/// How well the volume is to be known, as a share of it, and how many cells may be spent on it.
const VOLUME: Quadrature = Quadrature { tolerance: 1e-2, cells: 20_000 };

/// The deepest point of one surface in the other solid.
struct Deepest {
    /// In the frame of A, m.
    point: DVec3,
    /// m.
    depth: f64,
    /// From A to B, unit.
    normal: DVec3,
}

/// The overlap of two shapes, one of which at least is a general solid, as one component; `relative` takes the frame of B to that of A.
///
/// # Errors
/// [`OverlapError::Kind`] of a shape that is no general solid, [`OverlapError::Thin`].
pub fn components(a: &Shape, b: &Shape, relative: &Pose) -> Result<Vec<Component>, OverlapError> {
    let general = |shape: &Shape| {
        let general = shape.general().map_err(|_| OverlapError::Kind { kind: shape.kind() })?;
        let points = general.fine_point_count();
        if points > GeneralShape::MOST_POINTS && general.solid().ball_radius().is_none() {
            return Err(OverlapError::Thin { kind: shape.kind(), points });
        }
        Ok(general.clone())
    };
    let (own, other) = (general(a)?, general(b)?);
    let of_b = deepest(&other, &own, relative).map(|(point, depth, normal)| Deepest { point, depth, normal });
    let of_a = deepest(&own, &other, &relative.inverse()).map(|(point, depth, normal)| Deepest {
        point: relative.transform_point(point),
        depth,
        normal: -(relative.rotation * normal),
    });
    let Some(found) = of_a.into_iter().chain(of_b).reduce(|p, q| if q.depth > p.depth { q } else { p }) else {
        return Ok(Vec::new());
    };
    let Deepest { point, depth, normal } = found;
    Ok(vec![Component {
        area_vector: DVec3::ZERO,
        loop_area: 0.0,
        contour: Vec::new(),
        vertices_of_a: Vec::new(),
        vertices_of_b: Vec::new(),
        points: vec![point, point + normal * depth],
        volume: volume(&own, &other, relative),
        width: depth,
        depth,
        width_normal: normal,
    }])
}

/// The deepest point of a surface in a solid: the point, m, its depth, m, and the outward normal of the solid, all in the solid's
/// frame; `relative` takes the frame of the surface to that of the solid.
fn deepest(surface: &GeneralShape, solid: &GeneralShape, relative: &Pose) -> Option<(DVec3, f64, DVec3)> {
    let into = solid.solid();
    if let Some(radius) = surface.solid().ball_radius() {
        let centre = relative.translation;
        let found = into.nearest(centre).ok().filter(|_| into.is_closed())?;
        let depth = radius - found.distance;
        return (depth > 0.0).then_some((centre - found.normal * radius, depth, found.normal));
    }
    let mut best: Option<(DVec3, f64, DVec3)> = None;
    for &own in surface.fine_points() {
        let point = relative.transform_point(own);
        if !into.contains(point) {
            continue;
        }
        let Ok(found) = into.nearest(point) else { continue };
        let depth = -found.distance;
        if depth > best.map_or(0.0, |(_, depth, _)| depth) {
            best = Some((point, depth, found.normal));
        }
    }
    best
}

/// The volume of the common part, m³; zero where it is none, or has none that can be told.
fn volume(a: &GeneralShape, b: &GeneralShape, relative: &Pose) -> f64 {
    let placed = |general: &GeneralShape, pose: Pose| Placed::new(Arc::clone(general.shared()), pose);
    let (Ok(own), Ok(other)) = (placed(a, Pose::IDENTITY), placed(b, *relative)) else { return 0.0 };
    let Ok(common) = Csg::new(Operation::Intersection, vec![own, other]) else { return 0.0 };
    VOLUME.mass_properties(&common, 1.0).map_or(0.0, |mass| mass.properties.volume)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::depth;
    use crate::shape::{Ball, HalfSpace};
    use crate::solid::{Solid, Torus};
    use glam::DQuat;

    #[test]
    fn a_torus_in_a_plane_and_a_ball_in_a_torus_are_as_deep_as_they_are() {
        let torus: Arc<dyn Solid> = Arc::new(Torus::new(1.0, 0.25).unwrap());
        let (torus, plane) = (Shape::from(torus), Shape::from(HalfSpace));
        for sunk in [0.01, 0.1, 0.2] {
            let upright = Pose::from_parts(DVec3::Y * (1.25 - sunk), DQuat::from_rotation_x(1.5));
            let lowest = 0.25 + f64::sin(1.5) - (1.25 - sunk);
            for (a, b, pose) in [(&plane, &torus, upright), (&torus, &plane, upright.inverse())] {
                let found = depth(a, b, &pose).unwrap();
                assert!(found <= lowest + 1e-12 && found > lowest - 2e-3, "{sunk}: {found} {lowest}");
            }
            let parts = super::components(&plane, &torus, &upright).unwrap();
            assert!(parts[0].width_normal.distance(DVec3::Y) < 1e-9 && parts[0].volume > 0.0);
        }
        let above = Pose::from_translation(DVec3::Y * 0.26);
        assert_eq!(depth(&plane, &torus, &above).unwrap(), 0.0);
        let ball = Shape::from(Ball::new(0.5).unwrap());
        let inside = depth(&torus, &ball, &Pose::from_translation(DVec3::X * 0.35)).unwrap();
        assert!((inside - (0.5 - 0.4)).abs() < 1e-12, "{inside}");
    }
}
