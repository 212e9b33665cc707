//! Springs along edges: V = ½ k L (ℓ/L − 1)², ℓ being the length and L the length at rest.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A step is this share of the limit of stability of the spring alone: a vertex has about six of them.
const SHARE: f64 = 0.25;

/// A spring between two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// The vertices.
    pub ends: [u32; 2],
    /// L, m.
    pub rest_length: f64,
    /// k, N.
    pub stiffness: f64,
    /// The force per rate of strain, N s.
    pub damping: f64,
}

impl Spring {
    /// V, J, by the positions of the ends, m.
    pub fn energy(&self, [from, to]: [DVec3; 2]) -> f64 {
        let strain = from.distance(to) / self.rest_length - 1.0;
        0.5 * self.stiffness * self.rest_length * strain * strain
    }

    /// The force on the first end, N; that on the second is its opposite. None if the ends are in one place.
    pub fn force(&self, [from, to]: [DVec3; 2], velocities: [DVec3; 2]) -> DVec3 {
        let way = to - from;
        let length = way.length();
        if length == 0.0 {
            return DVec3::ZERO;
        }
        let direction = way / length;
        let elastic = self.stiffness * (length / self.rest_length - 1.0);
        if self.damping == 0.0 {
            return direction * elastic;
        }
        let rate = direction.dot(velocities[1] - velocities[0]) / self.rest_length;
        direction * (elastic + self.damping * rate)
    }

    /// The longest step for ends with these inverse masses (1/kg), s: a quarter of 2/ω with ω² = k/L (1/m₁ + 1/m₂), and half of what damping
    /// alone allows. Infinite if neither can move.
    pub fn longest_step(&self, inverse_masses: [f64; 2]) -> f64 {
        let mobility = inverse_masses[0] + inverse_masses[1];
        let elastic = SHARE * 2.0 / (self.stiffness / self.rest_length * mobility).sqrt();
        let damped =
            if self.damping > 0.0 { 0.5 * self.rest_length / (self.damping * mobility) } else { f64::INFINITY };
        elastic.min(damped)
    }
}
