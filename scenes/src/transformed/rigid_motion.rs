//! A scene elsewhere and turned.

use drystone_engine::{Phase, Pose, PrescribedMotion};

use super::{TransformationProblem, with_truths};
use crate::joint::JointEnds;
use crate::scene::Scene;

/// The scene moved as a whole: poses, joints to the world, velocities, prescribed motions, gravity and expected normals.
///
/// # Errors
/// A motion that is not finite or no rotation; one that turns, of a scene with locked axes.
pub fn moved(scene: &Scene, motion: &Pose) -> Result<Scene, TransformationProblem> {
    if let Some(body) = scene.locked_body().filter(|_| motion.rotation != Pose::IDENTITY.rotation) {
        return Err(TransformationProblem::LockedAxes { body: body.name.clone() });
    }
    let mut moved = scene.clone();
    let turn = |v| motion.rotation * v;
    for body in &mut moved.bodies {
        let state = &body.body;
        let pose = state.pose();
        let placed = state.clone().at(motion.transform_point(pose.translation), motion.rotation * pose.rotation)?;
        body.body = placed.moving(turn(state.velocity), turn(state.angular_velocity))?;
        if let Some(prescribed_motion) = &body.prescribed_motion {
            let turned = |phase: &Phase| Phase {
                velocity: turn(phase.velocity),
                angular_velocity: turn(phase.angular_velocity),
                ..*phase
            };
            body.prescribed_motion =
                Some(PrescribedMotion::new(prescribed_motion.phases().iter().map(turned).collect())?);
        }
    }
    for joint in &mut moved.joints {
        if let JointEnds::Bodies { a: None, frames, .. } = &mut joint.ends {
            frames[0] = *motion * frames[0];
        }
    }
    moved.forces.gravity = turn(scene.forces.gravity);
    with_truths(&mut moved, |truth| {
        for normal in truth.pairs.iter_mut().flat_map(|pair| &mut pair.normals) {
            normal.direction = turn(normal.direction).normalize();
            normal.carrier.iter_mut().for_each(|c| c.orientation = (motion.rotation * c.orientation).normalize());
        }
    });
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Case;
    use crate::measure::{Matching, score};
    use crate::transformed::sample::{case, contacts};
    use drystone_contact::generator::methods;
    use drystone_contact::split_mix::SplitMix;
    use glam::{DQuat, DVec3};

    #[test]
    fn contacts_of_a_moved_scene_are_the_moved_contacts() {
        let scene = case(Case::Spikes);
        let before = contacts(&scene, methods::closest_points());
        assert!(!before.is_empty());
        let mut sequence = SplitMix::new(5);
        for _ in 0..10 {
            let motion = Pose::from_parts(DVec3::new(3.0, -4.0, 5.0), sequence.next_rotation());
            let moved = moved(&scene, &motion).unwrap();
            let after = contacts(&moved, methods::closest_points());
            assert_eq!(before.len(), after.len());
            for b in &before {
                let (position, normal) =
                    (motion.transform_point(b.contact.position), motion.rotation * b.contact.normal);
                let is_there = |c: &drystone_engine::ContactBetween| {
                    let offset = c.contact.position.distance(position) + c.contact.normal.distance(normal);
                    offset + (c.contact.gap - b.contact.gap).abs() < 1e-9
                };
                assert!(after.iter().any(is_there), "{b:?} is not in {after:?}");
            }
            let scores = [(&scene, &before), (&moved, &after)]
                .map(|(scene, contacts)| score(contacts, &scene.truth, &Matching::default()).quality);
            assert_eq!(scores[0], scores[1]);
        }
    }

    #[test]
    fn prescribed_motions_turn_along_and_bad_motions_are_refused() {
        let mut scene = case(Case::Spikes);
        let phase = Phase { duration: 1.0, velocity: DVec3::X, angular_velocity: DVec3::Y };
        scene.bodies[0].prescribed_motion = Some(PrescribedMotion::new(vec![phase]).unwrap());
        let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let turned = moved(&scene, &Pose::from_parts(DVec3::ZERO, quarter)).unwrap();
        let phase = turned.bodies[0].prescribed_motion.as_ref().unwrap().phases()[0];
        assert!(phase.velocity.distance(DVec3::Y) < 1e-15 && phase.angular_velocity.distance(-DVec3::X) < 1e-15);
        assert!(turned.forces.gravity.distance(DVec3::X * 9.82) < 1e-14);
        assert!(moved(&scene, &Pose::from_translation(DVec3::NAN)).is_err());
        assert!(moved(&scene, &Pose::from_parts(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0))).is_err());
    }
}
