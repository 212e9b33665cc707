//! Triangles of constant strain, in place of springs: V = a (μ E:E + λ/2 (tr E)²), E = ½ (FᵀF − 1) being the strain in the plane of the triangle
//! at rest, and a its area.
//!
//! Unlike springs they have a Poisson's ratio that can be chosen, and no stiffness that depends on how a surface is cut into triangles.

use glam::{DMat2, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::error::AsynchronousError;
use super::surface::check_positive;

/// A step is this share of the limit of stability of the triangle alone: a vertex has about six of them.
const SHARE: f64 = 0.25;

/// How a surface resists stretching in its plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneMaterial {
    /// Young's modulus times thickness, N/m.
    pub stiffness: f64,
    /// Poisson's ratio, above −1 and below 1.
    pub poisson: f64,
}

impl MembraneMaterial {
    /// μ and λ of plane stress, N/m.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`].
    pub(super) fn lame(&self) -> Result<[f64; 2], AsynchronousError> {
        check_positive("stiffness of a membrane", self.stiffness)?;
        let Self { stiffness, poisson } = *self;
        if !(poisson > -1.0 && poisson < 1.0) {
            let (what, value) = ("Poisson's ratio", poisson);
            return Err(AsynchronousError::Parameter { what, value, must: "above -1 and below 1" });
        }
        Ok([stiffness / (2.0 * (1.0 + poisson)), stiffness * poisson / (1.0 - poisson * poisson)])
    }
}

/// A triangle of constant strain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Membrane {
    /// Its vertices.
    pub vertices: [u32; 3],
    /// From sides in space to the deformation gradient, 1/m: the inverse of the sides at rest in their plane.
    pub(super) inverse: DMat2,
    /// At rest, m².
    pub(super) area: f64,
    /// μ and λ, N/m.
    pub(super) lame: [f64; 2],
}

impl Membrane {
    /// A triangle whose rest is how its vertices lie (m), with μ and λ in N/m.
    pub(super) fn at_rest(vertices: [u32; 3], [a, b, c]: [DVec3; 3], lame: [f64; 2]) -> Self {
        let (first, second) = (b - a, c - a);
        let along = first.normalize();
        let across = second - along * second.dot(along);
        let sides = DMat2::from_cols(DVec2::new(first.length(), 0.0), DVec2::new(second.dot(along), across.length()));
        Self { vertices, inverse: sides.inverse(), area: 0.5 * sides.determinant(), lame }
    }

    /// The columns of F, and E.
    fn strain(&self, [a, b, c]: [DVec3; 3]) -> ([DVec3; 2], DMat2) {
        let sides = [b - a, c - a];
        let column = |weights: DVec2| sides[0] * weights.x + sides[1] * weights.y;
        let f = [column(self.inverse.x_axis), column(self.inverse.y_axis)];
        let shear = 0.5 * f[0].dot(f[1]);
        let stretch = f.map(|column| 0.5 * (column.length_squared() - 1.0));
        (f, DMat2::from_cols(DVec2::new(stretch[0], shear), DVec2::new(shear, stretch[1])))
    }

    /// V, J, by the positions of the vertices, m.
    pub fn energy(&self, positions: [DVec3; 3]) -> f64 {
        let (_, e) = self.strain(positions);
        let [mu, lambda] = self.lame;
        let trace = e.x_axis.x + e.y_axis.y;
        self.area * (mu * (e.x_axis.length_squared() + e.y_axis.length_squared()) + 0.5 * lambda * trace * trace)
    }

    /// The forces on the vertices, N.
    pub fn forces(&self, positions: [DVec3; 3]) -> [DVec3; 3] {
        let (f, e) = self.strain(positions);
        let [mu, lambda] = self.lame;
        let trace = e.x_axis.x + e.y_axis.y;
        let stress = e * (2.0 * mu) + DMat2::IDENTITY * (lambda * trace);
        let column = |weights: DVec2| f[0] * weights.x + f[1] * weights.y;
        // −a F S D⁻ᵀ, D being the sides at rest.
        let forces = stress * self.inverse.transpose() * -self.area;
        let [second, third] = [column(forces.x_axis), column(forces.y_axis)];
        [-second - third, second, third]
    }

    /// The longest step for vertices with these inverse masses (1/kg), s: a quarter of 2/ω with ω² = 2 (μ + λ⁺) a Σ |∇Nᵢ|²/mᵢ, no less than that of any motion
    /// out of rest; λ⁺ is λ or zero. Infinite if none can move.
    pub fn longest_step(&self, inverse_masses: [f64; 3]) -> f64 {
        let rows = self.inverse.transpose();
        let gradients = [-rows.x_axis - rows.y_axis, rows.x_axis, rows.y_axis];
        let mobility: f64 =
            gradients.iter().zip(inverse_masses).map(|(gradient, w)| gradient.length_squared() * w).sum();
        let [mu, lambda] = self.lame;
        SHARE * 2.0 / (2.0 * (mu + lambda.max(0.0)) * self.area * mobility).sqrt()
    }
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
        let mut random = SplitMix::new(5);
        for case in 0..200 {
            let rest: [DVec3; 3] = std::array::from_fn(|_| vector(&mut random));
            let material = MembraneMaterial { stiffness: 3.0, poisson: random.next_between(-0.5, 0.9) };
            let membrane = Membrane::at_rest([0, 1, 2], rest, material.lame().unwrap());
            assert!(
                membrane.energy(rest) < 1e-26
                    && (2.0 * membrane.area - (rest[1] - rest[0]).cross(rest[2] - rest[0]).length()).abs() < 1e-14
            );
            let bent = rest.map(|point| point + 0.3 * vector(&mut random));
            let forces = membrane.forces(bent);
            for vertex in 0..3 {
                for axis in 0..3 {
                    let moved = |by: f64| {
                        let mut positions = bent;
                        positions[vertex][axis] += by;
                        membrane.energy(positions)
                    };
                    let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                    let size = 1.0 + membrane.energy(bent) + slope.abs();
                    assert!((forces[vertex][axis] + slope).abs() < 1e-5 * size, "case {case}: {slope} {forces:?}");
                }
            }
            let force: DVec3 = forces.iter().sum();
            let moment: DVec3 = forces.iter().zip(bent).map(|(force, at)| at.cross(*force)).sum();
            let size: f64 = forces.iter().map(|force| force.length()).sum();
            assert!(force.length() < 1e-14 * size && moment.length() < 1e-13 * size, "case {case}: {force} {moment}");
        }
    }

    #[test]
    fn a_strip_that_is_pulled_gets_narrower_by_poissons_ratio() {
        // Of a right triangle with legs along x and z, pulled along x by a small strain: no stress across at −ν of it.
        let (poisson, strain) = (0.3, 1e-5);
        let rest = [DVec3::ZERO, DVec3::X, DVec3::Z];
        let material = MembraneMaterial { stiffness: 7.0, poisson };
        let membrane = Membrane::at_rest([0, 1, 2], rest, material.lame().unwrap());
        let forces = membrane.forces([DVec3::ZERO, DVec3::X * (1.0 + strain), DVec3::Z * (1.0 - poisson * strain)]);
        assert!(forces[2].length() < 1e-9, "{forces:?}");
        // The stress E t ε acts on half of the side.
        assert!((forces[1].x / (-7.0 * strain * 0.5) - 1.0).abs() < 1e-4, "{forces:?}");
        for bad in [MembraneMaterial { stiffness: 0.0, ..material }, MembraneMaterial { poisson: 1.0, ..material }] {
            assert!(bad.lame().is_err());
        }
    }
}
