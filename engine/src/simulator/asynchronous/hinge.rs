//! Bending: hinges between two triangles, V = 3 k L²/A (θ − θ₀)², L being the length of the common edge and A the area of both
//! triangles at rest, θ the angle between their normals.
//!
//! Source: Grinspun, Hirani, Desbrun, Schröder, "Discrete shells" (2003).

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A step is this share of the limit of stability of the hinge alone.
const SHARE: f64 = 0.25;

/// A hinge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hinge {
    /// The two vertices of the edge and those opposite to it. Triangles (0, 1, 2) and (1, 0, 3) turn the same way.
    pub vertices: [u32; 4],
    /// θ₀, rad.
    pub rest_angle: f64,
    /// 3 k L²/A, J.
    pub stiffness: f64,
}

impl Hinge {
    /// A hinge whose rest is how its vertices lie (m), with the bending stiffness k, J.
    pub fn at_rest(vertices: [u32; 4], positions: [DVec3; 4], bending: f64) -> Self {
        let [a, b, c, d] = positions;
        let area = 0.5 * ((b - a).cross(c - a).length() + (a - b).cross(d - b).length());
        let stiffness = 3.0 * bending * a.distance_squared(b) / area;
        Self { vertices, rest_angle: angle(positions).0, stiffness }
    }

    /// V, J, by the positions of the vertices, m.
    pub fn energy(&self, positions: [DVec3; 4]) -> f64 {
        let bent = angle(positions).0 - self.rest_angle;
        self.stiffness * bent * bent
    }

    /// The forces on the vertices, N.
    pub fn forces(&self, positions: [DVec3; 4]) -> [DVec3; 4] {
        let (angle, gradient) = angle(positions);
        let moment = -2.0 * self.stiffness * (angle - self.rest_angle);
        gradient.map(|part| part * moment)
    }

    /// The longest step for vertices at rest in these positions (m) with these inverse masses (1/kg), s: a quarter of 2/ω with
    /// ω² = 2 · 3 k L²/A Σ |∇ᵢθ|²/mᵢ.
    pub fn longest_step(&self, positions: [DVec3; 4], inverse_masses: [f64; 4]) -> f64 {
        let (_, gradient) = angle(positions);
        let mobility: f64 = gradient.iter().zip(inverse_masses).map(|(part, w)| part.length_squared() * w).sum();
        SHARE * 2.0 / (2.0 * self.stiffness * mobility).sqrt()
    }
}

/// θ (rad, from −π to π; zero of a flat hinge) and its gradient (rad/m); none of a triangle without area.
fn angle([a, b, c, d]: [DVec3; 4]) -> (f64, [DVec3; 4]) {
    let edge = b - a;
    let normals = [edge.cross(c - a), (d - a).cross(edge)];
    let squares = normals.map(DVec3::length_squared);
    let length = edge.length();
    if squares[0] == 0.0 || squares[1] == 0.0 {
        return (0.0, [DVec3::ZERO; 4]);
    }
    let sine = normals[0].cross(normals[1]).dot(edge) / length;
    let angle = libm::atan2(sine, normals[0].dot(normals[1]));
    // Of the opposite vertices, each by its height over the edge; those of the edge balance forces and moments.
    let [of_c, of_d] = [0, 1].map(|k| normals[k] * (-length / squares[k]));
    let share = |point: DVec3| (point - a).dot(edge) / (length * length);
    let [c, d] = [share(c), share(d)];
    (angle, [of_c * (c - 1.0) + of_d * (d - 1.0), of_c * -c + of_d * -d, of_c, of_d])
}

#[cfg(test)]
mod tests {
    use drystone_contact::split_mix::SplitMix;

    use super::*;

    fn vector(random: &mut SplitMix) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)))
    }

    #[test]
    fn forces_are_differences_of_the_energy_and_keep_both_momenta() {
        let mut random = SplitMix::new(2);
        for case in 0..200 {
            let rest = [DVec3::ZERO, DVec3::X, DVec3::new(0.4, 1.0, 0.0), DVec3::new(0.6, -0.8, 0.1)];
            let hinge = Hinge::at_rest([0, 1, 2, 3], rest, 0.7);
            assert!(hinge.energy(rest).abs() < 1e-28);
            let bent = rest.map(|point| point + 0.4 * vector(&mut random));
            let forces = hinge.forces(bent);
            for vertex in 0..4 {
                for axis in 0..3 {
                    let moved = |by: f64| {
                        let mut positions = bent;
                        positions[vertex][axis] += by;
                        hinge.energy(positions)
                    };
                    let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                    assert!((forces[vertex][axis] + slope).abs() < 1e-6 * (1.0 + slope.abs()), "case {case}: {slope}");
                }
            }
            let force: DVec3 = forces.iter().sum();
            let moment: DVec3 = forces.iter().zip(bent).map(|(force, at)| at.cross(*force)).sum();
            assert!(force.length() < 1e-12 && moment.length() < 1e-11, "case {case}: {force} {moment}");
        }
    }
}
