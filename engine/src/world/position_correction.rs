//! Position correction after the motion (post-stabilisation): bodies that have sunk into each other are moved apart.
//!
//! Each island is a problem without friction, with lengths in place of velocities ([`super::stabilisation`]). The
//! corrections are found with the new velocities, since a contact that parts by itself needs none, and made after the
//! motion; with continuous collision detection no farther than to the first impact.
//!
//! Velocities stay as they are in the frame of their body: a correction turns the angular velocity with the body, for
//! the moments of inertia would stand otherwise against one that stays in the world, and the kinetic energy would
//! change. The potential energy changes with the heights of the bodies, and is reported.

use super::World;
use super::motion::StepState;
use super::report::StepCounts;
use super::settings::WorldSettings;
use super::stabilisation::normal_velocity;
use super::velocity_solve::{Response, solver_settings, stopped_at_limit};
use crate::body::{Body, Pose};
use crate::interruption::{Interrupted, Interruption};
use crate::islands::Island;
use crate::motion::advance;
use crate::solver::{SolverBody, SolverContact, SolverError, SolverSettings, Twist};
use crate::stepper::iterate;
use drystone_contact::ccd::rigid::NonlinearRigidMotion;
use drystone_contact::parallel::prelude::*;
use glam::DVec3;

/// The index of a body and the change of its position, m, and orientation, rad.
pub(super) type Correction = (usize, Twist);

/// Bodies and contacts after a velocity solve.
pub(super) struct SolvedState<'s> {
    pub states: &'s [SolverBody],
    pub contacts: &'s [SolverContact],
    /// The gap of each contact, m; with continuous collision detection less the clearance.
    pub gaps: &'s [f64],
    /// The new velocities.
    pub twists: &'s [Twist],
    /// The joints of each island. Bodies of islands with joints stay: to move them would open these.
    pub members: &'s [Vec<u32>],
}

/// The position corrections of all islands; an error comes with the number of its island.
pub(super) fn corrections(
    islands: &[Island],
    after: &SolvedState<'_>,
    (settings, interruption): (&WorldSettings, &Interruption),
    counts: &mut StepCounts,
) -> Result<Vec<Correction>, (usize, SolverError)> {
    let SolvedState { states, contacts, gaps, twists, members } = *after;
    let Some(post) = &settings.post_stabilisation else {
        return Ok(Vec::new());
    };
    let step = &settings.step;
    let solve_one = |island: &Island| -> Result<Option<(usize, Response)>, SolverError> {
        let own: Vec<SolverContact> = island
            .contacts
            .iter()
            .map(|&c| {
                let parting = normal_velocity(&contacts[c], states, |body| twists[body]);
                let gap = gaps[c];
                let expected = gap + step.time_step * parting;
                let contact = island.localised(&contacts[c]);
                // What has not touched yet has not sunk in: it may come on and bounce.
                let stabilisation = if gap > 0.0 { expected.max(0.0) } else { post.displacement(expected) };
                SolverContact { friction: [0.0; 3], restitution: 0.0, stabilisation, ..contact }
            })
            .collect();
        let asked = own.iter().filter(|contact| contact.stabilisation < 0.0).count();
        if asked == 0 {
            return Ok(None);
        }
        let still = |&b: &usize| SolverBody { twist: [0.0; 6], forced_change: [0.0; 6], ..states[b] };
        let own_states: Vec<SolverBody> = island.bodies.iter().map(still).collect();
        let solver = solver_settings(&own_states, post.tolerance, settings);
        let solver = SolverSettings { max_iterations: post.max_iterations, ..solver };
        Ok(Some((asked, iterate(interruption, &own_states, &own, &solver, &[])?)))
    };
    let solve_free = |(island, members): (&Island, &Vec<u32>)| {
        if members.is_empty() { solve_one(island) } else { Ok(None) }
    };
    let solved: Vec<_> = islands.par_iter().zip(members).in_tasks_of(1).map(solve_free).collect();
    let mut corrections = Vec::new();
    for (number, (island, solved)) in islands.iter().zip(solved).enumerate() {
        if let Some((asked, (solution, changes))) = solved.map_err(|source| (number, source))? {
            counts.post_stabilised += asked;
            counts.position_iteration_limits += usize::from(stopped_at_limit(&solution, settings));
            let moved = island.bodies.iter().copied().zip(changes);
            corrections.extend(moved.filter(|(body, _)| states[*body].inverse_mass > 0.0));
        }
    }
    Ok(corrections)
}

/// Moves the poses of bodies by corrections, as if with velocities for a second.
pub(super) fn correct(poses: &mut [Pose], corrections: &[Correction]) {
    for &(body, [x, y, z, p, q, r]) in corrections {
        poses[body] = advance(poses[body], DVec3::new(x, y, z), DVec3::new(p, q, r), 1.0);
    }
}

impl World {
    /// Makes position corrections, keeps the kinetic energy of each body to rounding, and returns by how much the
    /// potential energy of all has risen, J.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn correct_positions(
        &self,
        bodies: &mut [Body],
        state: &mut StepState,
        corrections: &[Correction],
    ) -> Result<f64, Interrupted> {
        let before = state.poses.clone();
        self.move_apart(bodies, state, corrections)?;
        let mut energy = 0.0;
        for &(index, _) in corrections {
            let (body, before, after) = (&mut bodies[index], before[index], state.poses[index]);
            if after.rotation != before.rotation {
                body.angular_velocity = after.rotation * (before.rotation.conjugate() * body.angular_velocity);
            }
            let weight = self.settings.step.forces.constant(body);
            energy -= weight.dot(after.translation - before.translation);
        }
        Ok(energy)
    }

    /// Moves the poses; with continuous collision detection as far as is free of impact.
    fn move_apart(
        &self,
        bodies: &[Body],
        state: &mut StepState,
        corrections: &[Correction],
    ) -> Result<(), Interrupted> {
        let Some(ccd) = &mut state.ccd else {
            correct(&mut state.poses, corrections);
            return Ok(());
        };
        if corrections.is_empty() {
            return Ok(());
        }
        let still = |&pose: &Pose| NonlinearRigidMotion { duration: 1.0, ..NonlinearRigidMotion::still(pose) };
        let mut motions: Vec<NonlinearRigidMotion> = state.poses.iter().map(still).collect();
        for &(body, [x, y, z, p, q, r]) in corrections {
            motions[body].velocity = DVec3::new(x, y, z);
            motions[body].angular_velocity = DVec3::new(p, q, r);
        }
        let impact = self.first_impact(bodies, &motions, ccd)?;
        for (pose, motion) in state.poses.iter_mut().zip(&motions) {
            *pose = motion.at(impact.time);
        }
        Ok(())
    }
}
