//! Runge–Kutta steps for poses and twists (H. Munthe-Kaas, "High order Runge–Kutta methods on manifolds", 1999).
//!
//! The paper calls for forces within the right-hand side of the integration; the classical method of fourth order is the
//! simplest with an error per step far below the gaps at which contacts are held. Positions and velocities are
//! integrated as they are, orientations as rotation vectors from that at the start of the step, so that they stay rotations:
//! free fall and constant spin are exact.

use crate::body::Body;
use crate::motion::advance;
use glam::DVec3;

/// Linear (m/s²) and angular (rad/s²) acceleration of a body, world frame.
pub type Acceleration = [DVec3; 2];

/// Moves bodies on for a time (s) under accelerations that depend on where they are and how they move.
///
/// # Errors
/// The first error of `accelerations`.
pub fn integrate<E>(
    bodies: &[Body],
    time: f64,
    mut accelerations: impl FnMut(&[Body]) -> Result<Vec<Acceleration>, E>,
) -> Result<Vec<Body>, E> {
    let start = Slope::none(bodies.len());
    let (mut sum, mut last) = (start.clone(), start);
    for (weight, node) in [(1.0, 0.0), (2.0, 0.5), (2.0, 0.5), (1.0, 1.0)] {
        let stage = last.applied(bodies, node * time);
        let accelerations = accelerations(&stage)?;
        last = Slope::of(&stage, accelerations, &last.turn, node * time);
        sum.add(&last, weight / 6.0);
    }
    Ok(sum.applied(bodies, time))
}

/// Rates of change of all bodies.
#[derive(Clone)]
struct Slope {
    velocity: Vec<DVec3>,
    /// Of the rotation vectors.
    turn: Vec<DVec3>,
    acceleration: Vec<Acceleration>,
}

impl Slope {
    fn none(count: usize) -> Self {
        let zero = vec![DVec3::ZERO; count];
        Self { velocity: zero.clone(), turn: zero, acceleration: vec![[DVec3::ZERO; 2]; count] }
    }

    /// The rates at a stage that `time` times `turn` has turned.
    fn of(stage: &[Body], acceleration: Vec<Acceleration>, turn: &[DVec3], time: f64) -> Self {
        let rate = |(body, turn): (&Body, &DVec3)| turn_rate(*turn * time, body.angular_velocity);
        Self {
            velocity: stage.iter().map(|body| body.velocity).collect(),
            turn: stage.iter().zip(turn).map(rate).collect(),
            acceleration,
        }
    }

    fn add(&mut self, other: &Self, weight: f64) {
        self.velocity.iter_mut().zip(&other.velocity).for_each(|(x, y)| *x += *y * weight);
        self.turn.iter_mut().zip(&other.turn).for_each(|(x, y)| *x += *y * weight);
        for (x, y) in self.acceleration.iter_mut().zip(&other.acceleration) {
            (x[0], x[1]) = (x[0] + y[0] * weight, x[1] + y[1] * weight);
        }
    }

    fn applied(&self, bodies: &[Body], time: f64) -> Vec<Body> {
        let mut moved = bodies.to_vec();
        if time == 0.0 {
            return moved;
        }
        for (k, body) in moved.iter_mut().enumerate() {
            if body.is_fixed() {
                continue;
            }
            body.position += self.velocity[k] * time;
            body.orientation = advance(body.pose(), DVec3::ZERO, self.turn[k], time).rotation;
            if body.is_dynamic() {
                let [linear, angular] = self.acceleration[k];
                body.velocity += linear * time;
                body.angular_velocity += angular * time;
            }
        }
        moved
    }
}

/// Rate of the rotation vector at an angular velocity: the inverse of the differential of the exponential map, up to the
/// order of the method.
fn turn_rate(turn: DVec3, spin: DVec3) -> DVec3 {
    let once = turn.cross(spin);
    spin - 0.5 * once + turn.cross(once) / 12.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external_forces::ExternalForces;
    use crate::material::MaterialId;
    use std::convert::Infallible;

    fn free(forces: ExternalForces) -> impl Fn(&[Body]) -> Result<Vec<Acceleration>, Infallible> {
        move |bodies| {
            let of = |body: &Body| {
                let (force, torque) = forces.on(body, body.orientation);
                [force * body.inverse_mass(), body.inverse_inertia_at(body.orientation) * torque]
            };
            Ok(bodies.iter().map(of).collect())
        }
    }

    /// The error of a tumbling body falls with the fourth power of the step, against steps that are much shorter.
    #[test]
    fn steps_are_of_fourth_order() {
        let body = Body::dynamic(2.0, DVec3::new(1.0, 2.0, 3.5), MaterialId::new(0)).unwrap();
        let start = vec![body.moving(DVec3::new(1.0, 2.0, 0.0), DVec3::new(3.0, 0.4, -2.0)).unwrap()];
        let right = free(ExternalForces::NONE);
        let run = |steps: usize| {
            let step = |bodies: Vec<Body>, _| integrate(&bodies, 1.0 / steps as f64, &right).unwrap();
            (0..steps).fold(start.clone(), step).remove(0)
        };
        let exact = run(2000);
        let error = |steps: usize| {
            let end = run(steps);
            (end.angular_velocity - exact.angular_velocity).length() + (end.orientation - exact.orientation).length()
        };
        let (coarse, fine) = (error(40), error(80));
        assert!(fine < 1e-5 && coarse / fine > 12.0 && coarse / fine < 20.0, "{coarse} {fine}");
        assert!((exact.kinetic_energy() - start[0].kinetic_energy()).abs() < 1e-10);
    }
}
