//! Obstacles that move as they are told: a body whose vertices go along chords of their paths.
//!
//! A phase of a [`PrescribedMotion`] is cut into equal pieces, in each of which the body's map to the world changes linearly from one pose to the next:
//! every vertex runs straight, so that what is certified of vertices holds for what is simulated. A vertex at a distance r from the
//! axis is off its arc by r (1 − cos(ω h/2)) at most, h being how long a piece lasts; pieces are short enough for an error that is given.

use drystone_contact::Pose;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::clock::Ticks;
use super::error::AsynchronousError;
use super::surface::check_positive;
use crate::prescribed_motion::{Phase, PrescribedMotion};

/// How an obstacle moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// The number of its body.
    pub body: u32,
    rotation: DQuat,
    translation: DVec3,
    phases: Vec<Phase>,
    /// The largest distance of a vertex from the origin of its frame, m.
    radius: f64,
    chord_error: f64,
}

impl Obstacle {
    /// A body of a radius (m) that moves from a pose; its vertices are off their paths by no more than `chord_error`, m.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`].
    pub fn new(
        body: u32,
        radius: f64,
        pose: &Pose,
        motion: &PrescribedMotion,
        chord_error: f64,
    ) -> Result<Self, AsynchronousError> {
        check_positive("chord error", chord_error)?;
        let Pose { rotation, translation, .. } = *pose;
        Ok(Self { body, rotation, translation, phases: motion.phases().to_vec(), radius, chord_error })
    }

    /// The same motion of another body.
    pub(super) fn of_body(&self, body: u32) -> Self {
        Self { body, ..self.clone() }
    }

    /// When the piece of its path ends that begins at or lasts beyond a time, and its map to the world then; `None` if it rests from that time on.
    pub fn next(&self, now: Ticks) -> Option<(Ticks, DAffine3)> {
        let mut start = 0.0;
        let mut at = (self.rotation, self.translation);
        for phase in &self.phases {
            let end = start + phase.duration;
            if Ticks::at(end) > now {
                let piece = self.piece(phase);
                let number = ((now.seconds() - start).max(0.0) / piece).floor();
                // The tick of a boundary is no later than the boundary itself.
                let boundary = |number: f64| Ticks::at(end.min(start + piece * number));
                let next = (1..=2).map(|k| boundary(number + f64::from(k))).find(|&time| time > now);
                let next = next.unwrap_or(Ticks(now.0 + 1));
                let (rotation, translation) = moved(at, phase, next.seconds() - start);
                return Some((next, DAffine3 { matrix3: DMat3::from_quat(rotation), translation }));
            }
            at = moved(at, phase, phase.duration);
            start = end;
        }
        None
    }

    /// How long a piece of a phase lasts at most, s.
    fn piece(&self, phase: &Phase) -> f64 {
        let rate = phase.angular_velocity.length();
        if rate == 0.0 {
            // Straight on; at most as long as a clock can tell.
            return phase.duration.min(LONGEST);
        }
        // 1 − cos x ≤ x²/2.
        let angle =
            if self.radius > 0.0 { (8.0 * self.chord_error / self.radius).sqrt().min(MOST_ANGLE) } else { MOST_ANGLE };
        let piece = (angle / rate).min(LONGEST);
        if phase.duration.is_finite() { phase.duration / (phase.duration / piece).ceil() } else { piece }
    }
}

/// Of a piece, s.
const LONGEST: f64 = 1.0;

/// Of a piece, rad.
const MOST_ANGLE: f64 = 0.5;

/// Where a rotation and a translation get in some time of a phase, s.
fn moved((rotation, translation): (DQuat, DVec3), phase: &Phase, time: f64) -> (DQuat, DVec3) {
    let turn = phase.angular_velocity * time;
    let turned = (DQuat::from_scaled_axis(turn) * rotation).normalize();
    (if turn == DVec3::ZERO { rotation } else { turned }, translation + phase.velocity * time)
}
