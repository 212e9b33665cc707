//! A scene enlarged or reduced.

use std::sync::Arc;

use drystone_engine::{Body, BodyKind, Phase, PrescribedMotion};

use super::{TransformationProblem, with_truths};
use crate::scene::Scene;

/// The scene with all lengths multiplied by `factor`, at the same densities and in the same time: shapes, positions,
/// linear velocities and gravity by the factor, areas by its square, masses by its cube and moments of inertia by its fifth
/// power, damping as the forces that it opposes. Orientations and angular velocities stay. So do the coefficients of the
/// materials: a torsional one, which is a length, is the caller's to scale.
///
/// # Errors
/// [`TransformationProblem`].
pub fn scaled(scene: &Scene, factor: f64) -> Result<Scene, TransformationProblem> {
    if !(factor.is_finite() && factor > 0.0) {
        return Err(TransformationProblem::Factor(factor));
    }
    if let Some(joint) = scene.joints.first() {
        return Err(TransformationProblem::Joints { joint: joint.name.clone() });
    }
    let mut scaled = scene.clone();
    for body in &mut scaled.bodies {
        body.shape = Arc::new(body.shape.polyhedron("points to scale")?.mapped(|v| v * factor)?.into());
        let state = &body.body;
        let resized = match state.kind() {
            BodyKind::Fixed => Body::fixed(state.material),
            BodyKind::Kinematic => Body::kinematic(state.material),
            BodyKind::Dynamic => {
                Body::dynamic(state.mass() * factor.powi(3), state.inertia() * factor.powi(5), state.material)?
            }
        };
        body.body = resized
            .at(state.position * factor, state.orientation)?
            .moving(state.velocity * factor, state.angular_velocity)?;
        if let Some(prescribed_motion) = &body.prescribed_motion {
            let phases =
                prescribed_motion.phases().iter().map(|phase| Phase { velocity: phase.velocity * factor, ..*phase });
            body.prescribed_motion = Some(PrescribedMotion::new(phases.collect())?);
        }
    }
    scaled.forces.gravity *= factor;
    scaled.forces.linear_damping *= factor.powi(3);
    scaled.forces.angular_damping *= factor.powi(5);
    with_truths(&mut scaled, |truth| {
        truth.pairs.iter_mut().filter_map(|pair| pair.area.as_mut()).for_each(|area| *area *= factor * factor);
    });
    Ok(scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BuiltIn;
    use crate::cases::{Case, Model};
    use crate::transformed::sample::{case, contacts};
    use drystone_contact::generator::methods;
    use drystone_contact::shape::MassProperties;

    #[test]
    fn masses_are_those_of_the_scaled_shapes() {
        let scene = case(Case::SpikeInHole);
        for factor in [1e-3, 0.37, 1e3] {
            let scaled = scaled(&scene, factor).unwrap();
            let (before, after) = (&scene.bodies[0].body, &scaled.bodies[0].body);
            assert!((after.mass() / before.mass() / factor.powi(3) - 1.0).abs() < 1e-12);
            let anew = MassProperties::of_mesh(scaled.bodies[0].shape.as_polyhedron().unwrap().mesh().unwrap(), 2000.0)
                .unwrap();
            assert!((after.mass() / anew.mass - 1.0).abs() < 1e-9);
            assert!(((after.inertia() - anew.principal_moments) / anew.principal_moments).abs().max_element() < 1e-9);
            assert!(scaled.bodies[1].body.is_fixed());
        }
    }

    #[test]
    fn areas_go_with_the_square_and_motion_keeps_its_time() {
        let wall = BuiltIn::Wall.scene(Model::Procedural, None).unwrap();
        let area = |scene: &Scene| scene.truth.pairs.iter().filter_map(|p| p.area).sum::<f64>();
        assert!((area(&scaled(&wall, 3.0).unwrap()) / area(&wall) - 9.0).abs() < 1e-12);
        // Vertex-only knows no length of its own but a touching distance, below which nothing is here.
        let scene = case(Case::SpikeInCrack);
        let (before, after) =
            [scene.clone(), scaled(&scene, 2.0).unwrap()].map(|scene| contacts(&scene, methods::vertex_only())).into();
        assert!(!before.is_empty() && before.len() == after.len());
        for (b, a) in before.iter().zip(&after) {
            assert!((b.contact.position * 2.0).distance(a.contact.position) < 1e-9);
            assert!((b.contact.gap * 2.0 - a.contact.gap).abs() < 1e-9);
        }
    }

    #[test]
    fn factors_that_are_none_are_refused() {
        let scene = case(Case::Spikes);
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(scaled(&scene, factor), Err(TransformationProblem::Factor(_))));
        }
        assert!(scaled(&scene, 1e200).is_err());
    }
}
