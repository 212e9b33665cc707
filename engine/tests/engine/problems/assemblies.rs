//! Contact problems of bodies at rest under gravity: redundant contacts, mass ratios, an arch.

use drystone_engine::solver::{ContactProblem, SolverBody, SolverContact};
use drystone_engine::{BodyId, ExternalForces};
use glam::{DMat3, DQuat, DVec3};

/// Bodies, and contacts between them.
#[derive(Clone)]
pub struct Assembly {
    pub bodies: Vec<SolverBody>,
    pub contacts: Vec<SolverContact>,
}

const TIME_STEP: f64 = 0.01;

impl Assembly {
    /// Nothing but a fixed ground.
    fn on_ground() -> Self {
        let ground = SolverBody {
            position: DVec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
            twist: [0.0; 6],
            forced_change: [0.0; 6],
        };
        Self { bodies: vec![ground], contacts: Vec::new() }
    }

    /// Adds a box of half-sides `half` and the given mass, turned by `orientation`.
    fn add(&mut self, half: DVec3, mass: f64, position: DVec3, orientation: DQuat) -> BodyId {
        let square = half * half;
        let sums = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        let rotation = DMat3::from_quat(orientation);
        let inverse = DMat3::from_diagonal(DVec3::splat(3.0 / mass) / sums);
        let gravity = ExternalForces::default().gravity * TIME_STEP;
        self.bodies.push(SolverBody {
            position,
            inverse_mass: 1.0 / mass,
            inverse_inertia: rotation * inverse * rotation.transpose(),
            twist: [0.0; 6],
            forced_change: [gravity.x, gravity.y, gravity.z, 0.0, 0.0, 0.0],
        });
        BodyId::new(self.bodies.len() as u32 - 1)
    }

    /// Adds a lattice of `across` × `across` contacts over a rectangle with the given half-diagonals.
    fn touch(&mut self, a: BodyId, b: BodyId, centre: DVec3, [u, v]: [DVec3; 2], across: usize, friction: [f64; 3]) {
        let place = |i: usize| 2.0 * i as f64 / (across - 1) as f64 - 1.0;
        for i in 0..across {
            for j in 0..across {
                let position = centre + u * place(i) + v * place(j);
                let normal = u.cross(v).normalize();
                self.contacts.push(SolverContact {
                    a,
                    b,
                    position,
                    normal,
                    friction,
                    restitution: 0.0,
                    stabilisation: 0.0,
                });
            }
        }
    }

    /// The problem.
    pub fn problem(&self) -> ContactProblem {
        ContactProblem::assemble(&self.bodies, &self.contacts).unwrap()
    }
}

/// A tower of cubes of edge 1 m, each `ratio` times as heavy as the one below, with `across`² contacts on each face. The
/// lowest has a mass of 1000 kg, and the highest is pushed sideways at `speed` (m/s).
pub fn tower(count: usize, ratio: f64, across: usize, speed: f64) -> Assembly {
    let mut tower = Assembly::on_ground();
    let mut below = BodyId::new(0);
    let mut mass = 1000.0;
    for level in 0..count {
        let body = tower.add(DVec3::splat(0.5), mass, DVec3::Y * (level as f64 + 0.5), DQuat::IDENTITY);
        let face = [DVec3::Z * 0.5, DVec3::X * 0.5];
        tower.touch(below, body, DVec3::Y * level as f64, face, across, [0.6, 0.6, 0.2]);
        below = body;
        mass *= ratio;
    }
    tower.bodies[count].twist[0] = speed;
    tower
}

/// Half a ring of `count` equal stones between radius 2 m and 3 m, 1 m deep, that stands on the ground with both ends; four
/// contacts at each joint.
pub fn arch(count: usize) -> Assembly {
    let mut arch = Assembly::on_ground();
    let angle = std::f64::consts::PI / count as f64;
    let radial = |turn: f64| DVec3::new(libm::cos(turn), libm::sin(turn), 0.0);
    let mut before = BodyId::new(0);
    for stone in 0..=count {
        let turn = angle * stone as f64;
        let middle = turn + 0.5 * angle;
        let body = if stone < count {
            let half = DVec3::new(0.5, 2.5 * libm::tan(0.5 * angle), 0.5);
            arch.add(
                half,
                2000.0 * 8.0 * half.x * half.y * half.z,
                radial(middle) * 2.5,
                DQuat::from_rotation_z(middle),
            )
        } else {
            BodyId::new(0)
        };
        // The normal u × v points along the growing angle, from the stone before to this one.
        arch.touch(before, body, radial(turn) * 2.5, [DVec3::Z * 0.5, radial(turn) * 0.5], 2, [0.6, 0.6, 0.2]);
        before = body;
    }
    arch
}
