//! What is kept of a step, and how two accounts of a step are compared.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::digest::Digest;
use crate::body::{Body, BodyId};
use crate::simulator::{DeformableMesh, Simulator};
use crate::stepper::Energy;
use crate::world::WorldReport;

/// The state of a body: position (m), orientation (x, y, z, w), velocity (m/s), angular velocity (rad/s), world frame.
pub type BodyState = [f64; 13];

/// The state of a vertex of a deformable surface: position (m), velocity (m/s), world frame.
pub type VertexState = [f64; 6];

/// What came out of a step. All numbers keep all their bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// The number of the step, from 1.
    pub step: u64,
    /// The simulated time after the step, s.
    pub time: f64,
    /// The states of all bodies after the step, in the order of their insertion.
    pub states: Vec<BodyState>,
    /// How many contacts there were.
    pub contacts: u64,
    /// [`Digest::of_contacts`] of these contacts and their impulses.
    pub digest: u64,
    /// Kinetic and potential energy before the step, J.
    pub energy_before: [f64; 2],
    /// Kinetic and potential energy after the step, J.
    pub energy_after: [f64; 2],
    /// The depth of the deepest contact, m.
    pub deepest_penetration: f64,
    /// The most sweeps that an island took.
    pub iterations: u64,
    /// How far the impulses are from a solution at worst, N s.
    pub natural_residual: f64,
    /// The states of the vertices of all deformable meshes after the step, one mesh after the other. In the bytes of a recording they
    /// follow the rest, if its simulator may have any.
    #[serde(skip)]
    pub vertices: Vec<VertexState>,
}

/// The first thing in which two accounts of a step differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The step, from 1.
    pub step: u64,
    /// The body, by its index in the order of insertion; `None` for what belongs to no body.
    pub body: Option<BodyId>,
    /// What differs.
    pub quantity: &'static str,
    /// What the recording says.
    pub recorded: String,
    /// What came out now.
    pub found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { step, body, quantity, recorded, found } = self;
        match body {
            Some(body) => write!(f, "step {step}, {body}, {quantity}: recorded {recorded}, now {found}"),
            None => write!(f, "step {step}, {quantity}: recorded {recorded}, now {found}"),
        }
    }
}

impl StepRecord {
    /// The account of a step that a simulator has just made.
    pub fn new(simulator: &dyn Simulator, report: &WorldReport) -> Self {
        let energy = |energy: &Energy| [energy.kinetic, energy.potential];
        Self {
            step: report.step,
            time: report.time,
            states: simulator.bodies().iter().map(state).collect(),
            contacts: report.contacts.len() as u64,
            digest: Digest::of_contacts(&report.contacts, &report.impulses).value(),
            energy_before: energy(&report.energy_before),
            energy_after: energy(&report.energy_after),
            deepest_penetration: report.deepest_penetration,
            iterations: report.iterations() as u64,
            natural_residual: report.natural_residual(),
            vertices: simulator.deformable_meshes().iter().flat_map(vertex_states).collect(),
        }
    }

    /// The first thing in which `found` differs from this record, to the last bit. Causes come before effects: contacts
    /// and impulses before states, states before energies.
    pub fn difference(&self, found: &Self) -> Option<Difference> {
        let of_step = |quantity, (recorded, found): (String, String)| {
            Some(Difference { step: self.step, body: None, quantity, recorded, found })
        };
        let numbers = |a: u64, b: u64| (a != b).then(|| (a.to_string(), b.to_string()));
        let reals = |a: f64, b: f64| (a.to_bits() != b.to_bits()).then(|| exact_pair(a, b));
        let first = |a: &[f64], b: &[f64]| a.iter().zip(b).find_map(|(&a, &b)| reals(a, b));
        let of_world = |quantity, differ: Option<(String, String)>| differ.and_then(|pair| of_step(quantity, pair));
        of_world("number", numbers(self.step, found.step))
            .or_else(|| of_world("energy before", first(&self.energy_before, &found.energy_before)))
            .or_else(|| of_world("number of contacts", numbers(self.contacts, found.contacts)))
            .or_else(|| of_world("digest of contacts and impulses", numbers(self.digest, found.digest)))
            .or_else(|| of_world("number of bodies", numbers(self.states.len() as u64, found.states.len() as u64)))
            .or_else(|| self.state_difference(found))
            .or_else(|| {
                of_world("number of vertices", numbers(self.vertices.len() as u64, found.vertices.len() as u64))
            })
            .or_else(|| self.vertex_difference(found))
            .or_else(|| of_world("time", reals(self.time, found.time)))
            .or_else(|| of_world("energy after", first(&self.energy_after, &found.energy_after)))
            .or_else(|| of_world("deepest penetration", reals(self.deepest_penetration, found.deepest_penetration)))
            .or_else(|| of_world("number of sweeps", numbers(self.iterations, found.iterations)))
            .or_else(|| of_world("natural residual", reals(self.natural_residual, found.natural_residual)))
    }

    fn vertex_difference(&self, found: &Self) -> Option<Difference> {
        for (vertex, (recorded, found)) in self.vertices.iter().zip(&found.vertices).enumerate() {
            if let Some(k) = (0..6).find(|&k| recorded[k].to_bits() != found[k].to_bits()) {
                let quantity = if k < 3 { "position of a vertex" } else { "velocity of a vertex" };
                let (recorded, found) = exact_pair(recorded[k], found[k]);
                let found = format!("{found} (vertex {vertex}, {})", ["x", "y", "z"][k % 3]);
                return Some(Difference { step: self.step, body: None, quantity, recorded, found });
            }
        }
        None
    }

    fn state_difference(&self, found: &Self) -> Option<Difference> {
        const QUANTITIES: [(&str, std::ops::Range<usize>); 4] =
            [("position", 0..3), ("orientation", 3..7), ("velocity", 7..10), ("angular velocity", 10..13)];
        for (body, (recorded, found)) in (0..).map(BodyId::new).zip(self.states.iter().zip(&found.states)) {
            for (quantity, range) in QUANTITIES {
                let differ = |&k: &usize| recorded[k].to_bits() != found[k].to_bits();
                if let Some(k) = range.clone().find(differ) {
                    let (recorded, found) = exact_pair(recorded[k], found[k]);
                    let component = ["x", "y", "z", "w"][k - range.start];
                    let found = format!("{found} ({component})");
                    return Some(Difference { step: self.step, body: Some(body), quantity, recorded, found });
                }
            }
        }
        None
    }
}

/// Two numbers with as many digits as tell them apart.
fn exact_pair(a: f64, b: f64) -> (String, String) {
    if a == b || a.is_nan() && b.is_nan() {
        // Zeros of both signs, or different kinds of NaN.
        return (format!("{a:?} (bits {:016x})", a.to_bits()), format!("{b:?} (bits {:016x})", b.to_bits()));
    }
    (format!("{a:?}"), format!("{b:?}"))
}

fn vertex_states(mesh: &DeformableMesh) -> Vec<VertexState> {
    let state = |(p, v): (&DVec3, &DVec3)| [p.x, p.y, p.z, v.x, v.y, v.z];
    mesh.positions.iter().zip(&mesh.velocities).map(state).collect()
}

fn state(body: &Body) -> BodyState {
    let mut state = [0.0; 13];
    state[..3].copy_from_slice(&body.position.to_array());
    state[3..7].copy_from_slice(&body.orientation.to_array());
    state[7..10].copy_from_slice(&body.velocity.to_array());
    state[10..].copy_from_slice(&body.angular_velocity.to_array());
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> StepRecord {
        StepRecord {
            step: 7,
            time: 0.07,
            states: vec![[0.5; 13]; 3],
            contacts: 4,
            digest: 99,
            energy_before: [1.0, 2.0],
            energy_after: [3.0, 4.0],
            deepest_penetration: 0.001,
            iterations: 12,
            natural_residual: 1e-9,
            vertices: vec![[0.25; 6]; 2],
        }
    }

    #[test]
    fn the_last_bit_counts_and_is_named() {
        assert_eq!(record().difference(&record()), None);
        let mut other = record();
        other.states[2][5] = 0.5_f64.next_up();
        let difference = record().difference(&other).unwrap();
        assert_eq!((difference.step, difference.body, difference.quantity), (7, Some(BodyId::new(2)), "orientation"));
        assert!(difference.to_string().contains("0.5000000000000001 (z)"), "{difference}");
        other.digest = 98;
        assert_eq!(record().difference(&other).unwrap().quantity, "digest of contacts and impulses");
    }

    #[test]
    fn zeros_of_both_signs_differ() {
        let (mut a, mut b) = (record(), record());
        (a.energy_after[1], b.energy_after[1]) = (0.0, -0.0);
        let difference = a.difference(&b).unwrap();
        assert_eq!(difference.quantity, "energy after");
        assert_ne!(difference.recorded, difference.found);
    }

    #[test]
    fn every_field_is_compared() {
        let changes: [fn(&mut StepRecord); 13] = [
            |r| r.step += 1,
            |r| r.time += 1.0,
            |r| r.states[0][12] = 7.0,
            |r| r.states.truncate(2),
            |r| r.vertices[1][5] = 7.0,
            |r| r.vertices.truncate(1),
            |r| r.contacts += 1,
            |r| r.digest += 1,
            |r| r.energy_before[1] = 0.0,
            |r| r.energy_after[0] = 0.0,
            |r| r.deepest_penetration = 0.0,
            |r| r.iterations += 1,
            |r| r.natural_residual = 0.0,
        ];
        for change in changes {
            let mut other = record();
            change(&mut other);
            assert!(record().difference(&other).is_some(), "{other:?}");
        }
    }
}
