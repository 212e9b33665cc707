//! Bodies under gravity and contacts between them, put to the method at the level of accelerations.

use drystone_engine::BodyId;
use drystone_engine::solver::contact_problem::tangents;
use drystone_engine::solver::svd::{ForceBody, ForceContact, Forces, Level, SvdSettings, SvdStatus, solve_forces};
use glam::{DMat3, DVec3};

/// m/s².
pub const G: f64 = 9.81;

/// The first body of a bench: the ground.
pub const GROUND: usize = 0;

/// Bodies, and where they touch.
#[derive(Clone)]
pub struct Bench {
    pub bodies: Vec<ForceBody>,
    pub positions: Vec<DVec3>,
    pub contacts: Vec<ForceContact>,
    pub normals: Vec<DVec3>,
    pub gravity: DVec3,
}

/// Moments of inertia of a box with the given half-sides, kg m².
pub fn box_inertia(mass: f64, half: DVec3) -> DVec3 {
    let square = half * half;
    DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y) * mass / 3.0
}

impl Bench {
    /// Nothing but the ground; gravity along −z.
    pub fn new() -> Self {
        Self::under(DVec3::NEG_Z * G)
    }

    pub fn under(gravity: DVec3) -> Self {
        let ground = ForceBody { inverse_mass: 0.0, inverse_inertia: DMat3::ZERO, free: [0.0; 6] };
        Self { bodies: vec![ground], positions: vec![DVec3::ZERO], contacts: Vec::new(), normals: Vec::new(), gravity }
    }

    /// Adds a body with principal axes along those of the world.
    pub fn body(&mut self, mass: f64, inertia: DVec3, position: DVec3) -> usize {
        let [x, y, z] = self.gravity.to_array();
        self.bodies.push(ForceBody {
            inverse_mass: 1.0 / mass,
            inverse_inertia: DMat3::from_diagonal(inertia.recip()),
            free: [x, y, z, 0.0, 0.0, 0.0],
        });
        self.positions.push(position);
        self.bodies.len() - 1
    }

    pub fn cuboid(&mut self, mass: f64, half: DVec3, position: DVec3) -> usize {
        self.body(mass, box_inertia(mass, half), position)
    }

    /// Adds a contact; the normal points from `a` to `b`, which slides on `a` with a velocity.
    pub fn touch_sliding(&mut self, [a, b]: [usize; 2], point: DVec3, normal: DVec3, friction: f64, sliding: DVec3) {
        let [s, t] = tangents(normal);
        let jacobian = [normal, s, t].map(|axis| {
            let mut row = [0.0; 12];
            for (side, (body, sign)) in [(a, -1.0), (b, 1.0)].into_iter().enumerate() {
                let (linear, angular) = (axis * sign, (point - self.positions[body]).cross(axis) * sign);
                row[6 * side..6 * side + 3].copy_from_slice(&linear.to_array());
                row[6 * side + 3..6 * side + 6].copy_from_slice(&angular.to_array());
            }
            row
        });
        self.contacts.push(ForceContact {
            bodies: [a, b].map(|body| BodyId::new(body as u32)),
            jacobian,
            bias: [0.0; 3],
            sliding: [sliding.dot(s), sliding.dot(t)],
            friction: [friction; 2],
        });
        self.normals.push(normal);
    }

    pub fn touch(&mut self, bodies: [usize; 2], point: DVec3, normal: DVec3, friction: f64) {
        self.touch_sliding(bodies, point, normal, friction, DVec3::ZERO);
    }

    pub fn solve(&self) -> Forces {
        self.solve_with(&SvdSettings::default())
    }

    pub fn solve_with(&self, settings: &SvdSettings) -> Forces {
        solve_forces(&self.bodies, &self.contacts, Level::Acceleration, settings).unwrap()
    }

    /// The force of each contact on its body B in the world, which the method is to have found exactly.
    pub fn exact(&self) -> Vec<DVec3> {
        let found = self.solve();
        assert_eq!(found.report.status, SvdStatus::Exact, "{:?}", found.report);
        self.in_world(&found)
    }

    pub fn in_world(&self, found: &Forces) -> Vec<DVec3> {
        let one = |(normal, [n, s, t]): (&DVec3, &[f64; 3])| {
            let [along_s, along_t] = tangents(*normal);
            *normal * *n + along_s * *s + along_t * *t
        };
        self.normals.iter().zip(&found.forces).map(one).collect()
    }

    /// Accelerations of all bodies under the forces.
    pub fn accelerations(&self, forces: &[[f64; 3]]) -> Vec<[f64; 6]> {
        let mut motion: Vec<[f64; 6]> = self.bodies.iter().map(|body| body.free).collect();
        for (contact, force) in self.contacts.iter().zip(forces) {
            for (side, body) in contact.bodies.iter().enumerate() {
                let wrench: [f64; 6] =
                    std::array::from_fn(|k| (0..3).map(|row| contact.jacobian[row][6 * side + k] * force[row]).sum());
                let ForceBody { inverse_mass, inverse_inertia, .. } = self.bodies[body.index()];
                let turned = inverse_inertia * DVec3::new(wrench[3], wrench[4], wrench[5]);
                let change = [wrench[0], wrench[1], wrench[2]].map(|f| f * inverse_mass);
                let all = change.into_iter().chain(turned.to_array());
                motion[body.index()].iter_mut().zip(all).for_each(|(sum, x)| *sum += x);
            }
        }
        motion
    }

    /// The relative motion at each contact, normal, s and t.
    pub fn relative(&self, motion: &[[f64; 6]]) -> Vec<[f64; 3]> {
        let of = |contact: &ForceContact| {
            std::array::from_fn(|row| {
                let side = |side: usize| -> f64 {
                    let motion = &motion[contact.bodies[side].index()];
                    (0..6).map(|k| contact.jacobian[row][6 * side + k] * motion[k]).sum()
                };
                side(0) + side(1) + contact.bias[row]
            })
        };
        self.contacts.iter().map(of).collect()
    }
}

/// Asserts that two numbers agree to a share of the larger one.
#[track_caller]
pub fn assert_near(found: f64, expected: f64, share: f64) {
    let size = found.abs().max(expected.abs());
    assert!((found - expected).abs() <= share * size, "{found:e} in place of {expected:e}");
}
