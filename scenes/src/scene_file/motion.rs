//! How a body of a scene file moves: of itself, by a prescribed motion, or not at all.

use drystone_engine::{Body, BodyKind, Phase, PrescribedMotion};
use glam::DVec3;

use super::document::{BodyEntry, PhaseEntry, Tuple};
use super::error::{SceneFileError, SceneFileProblem};
use super::number;

/// Kind and prescribed motion of a body; `place` is what errors call it.
pub fn motion(entry: &BodyEntry, place: &str) -> Result<(BodyKind, Option<PrescribedMotion>), SceneFileError> {
    let keys = |key: &str, cure| Err(SceneFileError::at(format!("{place}, {key}"), SceneFileProblem::Keys(cure)));
    let kind = match (entry.fixed, entry.kinematic) {
        (true, true) => {
            return keys("kinematic", "a body that moves by itself is not fixed; set `fixed` or `kinematic`");
        }
        (true, false) => BodyKind::Fixed,
        (false, true) => BodyKind::Kinematic,
        (false, false) => BodyKind::Dynamic,
    };
    match &entry.phase {
        Some(_) if kind != BodyKind::Kinematic => {
            keys("phase", "only kinematic bodies have phases; set `kinematic = true`, or remove them")
        }
        Some(phases) => Ok((kind, Some(prescribed_motion(phases, place)?))),
        None => Ok((kind, None)),
    }
}

/// The kinematic body that is where `body` is and moves as that does.
pub fn kinematic(body: &Body) -> Body {
    let mut moved = Body::kinematic(body.material);
    (moved.position, moved.orientation) = (body.position, body.orientation);
    (moved.velocity, moved.angular_velocity) = (body.velocity, body.angular_velocity);
    moved
}

fn prescribed_motion(entries: &[PhaseEntry], place: &str) -> Result<PrescribedMotion, SceneFileError> {
    let vector = |number: usize, key: &str, value: &Option<Tuple<f64, 3>>| match value {
        Some(value) => {
            number::bounded(value).map_err(|p| SceneFileError::at(format!("{place}, phase[{number}].{key}"), p))
        }
        None => Ok(DVec3::ZERO),
    };
    let phase = |(number, entry): (usize, &PhaseEntry)| {
        Ok(Phase {
            duration: entry.duration,
            velocity: vector(number, "velocity", &entry.velocity)?,
            angular_velocity: vector(number, "angular_velocity", &entry.angular_velocity)?,
        })
    };
    let phases = entries.iter().enumerate().map(phase).collect::<Result<_, SceneFileError>>()?;
    PrescribedMotion::new(phases).map_err(|error| SceneFileError::at(format!("{place}, phase"), error))
}
