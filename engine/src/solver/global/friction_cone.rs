//! The cone K of scaled impulses: the length of the three friction components is no larger than the normal one.
//!
//! With friction coefficients μ in the scaling (impulses λ_i/μ_i, velocities μ_i u_i) the cone is its own dual, whatever the
//! coefficients along s, t and about the normal are.

use crate::solver::Impulse;

/// Where a point is seen from the cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// In the cone: the contact sticks.
    Inside,
    /// Its nearest point is on the surface: the contact slides.
    Beside,
    /// Its nearest point is the tip: the contact is open.
    Below,
}

/// The length of the friction components.
#[inline]
pub fn tangent(x: &[f64; 4]) -> f64 {
    (x[1] * x[1] + x[2] * x[2] + x[3] * x[3]).sqrt()
}

/// The nearest point of the cone.
#[inline]
pub fn project(y: &[f64; 4]) -> (Impulse, Region) {
    let length = tangent(y);
    if length <= y[0] {
        (*y, Region::Inside)
    } else if length <= -y[0] {
        ([0.0; 4], Region::Below)
    } else {
        let normal = 0.5 * (y[0] + length);
        let scale = normal / length;
        ([normal, y[1] * scale, y[2] * scale, y[3] * scale], Region::Beside)
    }
}

/// The derivative of [`project`] at a point of a region, `matrix[row][column]`; symmetric.
#[inline]
pub fn derivative(y: &[f64; 4], region: Region) -> [[f64; 4]; 4] {
    let mut matrix = [[0.0; 4]; 4];
    match region {
        Region::Inside => (0..4).for_each(|i| matrix[i][i] = 1.0),
        Region::Below => {}
        Region::Beside => {
            let length = tangent(y);
            let share = 0.5 * (y[0] + length) / length;
            let direction = [0.0, y[1] / length, y[2] / length, y[3] / length];
            matrix[0][0] = 0.5;
            for i in 1..4 {
                matrix[0][i] = 0.5 * direction[i];
                matrix[i][0] = 0.5 * direction[i];
                for j in 1..4 {
                    let both = direction[i] * direction[j];
                    matrix[i][j] = 0.5 * both + share * (f64::from(u8::from(i == j)) - both);
                }
            }
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    proptest! {
        /// Moreau: the point is the sum of its projection and of a point of the polar cone that is normal to it.
        #[test]
        fn the_rest_of_a_projection_is_in_the_polar_cone(y in [-2.0..2.0f64, -2.0..2.0, -2.0..2.0, -2.0..2.0]) {
            let (p, _) = project(&y);
            let rest: [f64; 4] = std::array::from_fn(|i| y[i] - p[i]);
            prop_assert!(tangent(&p) <= p[0] + 1e-12);
            prop_assert!(tangent(&rest) <= -rest[0] + 1e-12);
            prop_assert!(dot(&p, &rest).abs() < 1e-12);
        }

        #[test]
        fn the_derivative_is_that_of_differences(
            y in [-2.0..2.0f64, -2.0..2.0, -2.0..2.0, -2.0..2.0],
            d in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, -1.0..1.0],
        ) {
            const SMALL: f64 = 1e-6;
            let (_, region) = project(&y);
            // Not at the seams.
            prop_assume!((tangent(&y) - y[0].abs()).abs() > 1e-3);
            let at = |h: f64| project(&std::array::from_fn(|i| y[i] + h * d[i])).0;
            let (high, low) = (at(SMALL), at(-SMALL));
            for (row, (x, z)) in derivative(&y, region).iter().zip(high.iter().zip(&low)) {
                prop_assert!((dot(row, &d) - (x - z) / (2.0 * SMALL)).abs() < 1e-5);
            }
        }
    }
}
