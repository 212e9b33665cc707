//! Volume, first and second moments within a closed surface of patches, and its area.
//!
//! By the divergence theorem they are integrals over the surface, here by Gauss and Legendre's rule. With weights that are all equal
//! the integrands of volume and moments are polynomials, and the rule is exact; otherwise a patch is cut into more and
//! more pieces until the integrals hardly change, and twice the last change bounds the error, with a share for rounding.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::shape::{MassProperties, MassPropertiesError};
use crate::solid::BoundedMass;
use crate::solid::bezier::patch::BezierPatch;

/// Integrals: volume; ∫x, ∫y, ∫z; ∫xx, ∫yy, ∫zz, ∫xy, ∫yz, ∫zx; area.
const COUNT: usize = 11;

/// Pieces of a patch each way at most.
const MOST_PIECES: usize = 16;

/// Cutting ends where the integrals over a patch change by less than this share of the sum of magnitudes.
const SETTLED: f64 = 1e-14;

/// Rounding, as a share of the sum of magnitudes.
const SUM_ROUNDING: f64 = 64.0 * f64::EPSILON;

type Values = [f64; COUNT];

/// Integrals over a surface about a point near it, and bounds of their errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integrals {
    /// m.
    origin: DVec3,
    values: Values,
    errors: Values,
}

impl Integrals {
    /// Over patches, about an origin (m).
    pub fn new(patches: &[BezierPatch], origin: DVec3) -> Self {
        let mut all = Self { origin, values: [0.0; COUNT], errors: [0.0; COUNT] };
        for patch in patches {
            let degree = patch.degrees()[0].max(patch.degrees()[1]);
            let is_polynomial = patch.is_polynomial();
            // Volume and moments have the degree 5 m − 1 at most.
            let order = if is_polynomial { (5 * degree).div_ceil(2) } else { 8 + degree };
            let rule = gauss_legendre(order);
            let (mut coarse, _) = integrate(patch, &rule, 1, origin);
            let mut pieces = 1;
            let (fine, magnitudes) = loop {
                pieces *= 2;
                let (fine, magnitudes) = integrate(patch, &rule, pieces, origin);
                let is_settled = (0..COUNT).all(|k| (fine[k] - coarse[k]).abs() <= SETTLED * magnitudes[k]);
                if is_settled || pieces == MOST_PIECES || is_polynomial {
                    break (fine, magnitudes);
                }
                coarse = fine;
            };
            for k in 0..COUNT {
                all.values[k] += fine[k];
                all.errors[k] += 2.0 * (fine[k] - coarse[k]).abs() + SUM_ROUNDING * magnitudes[k];
            }
        }
        all
    }

    /// m³.
    pub fn volume(&self) -> f64 {
        self.values[0]
    }

    /// m².
    pub fn area(&self) -> f64 {
        self.values[10]
    }

    /// The mass properties at a density, kg/m³.
    pub fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        if !(density.is_finite() && density > 0.0) {
            return Err(MassPropertiesError::Density { density });
        }
        let [volume, x, y, z, xx, yy, zz, xy, yz, zx, _] = self.values;
        let centre = DVec3::new(x, y, z) / volume;
        let second = DMat3::from_cols_array(&[xx, xy, zx, xy, yy, yz, zx, yz, zz]);
        let about_centre = second - DMat3::from_cols(centre * x, centre * y, centre * z);
        let trace = about_centre.diagonal().element_sum();
        let inertia = density * (DMat3::from_diagonal(DVec3::splat(trace)) - about_centre);
        // The products of the centre with the first moments are the same both ways, up to rounding.
        let inertia = 0.5 * (inertia + inertia.transpose());
        let properties = MassProperties::new(volume, density * volume, self.origin + centre, inertia)?;
        let largest = |range: std::ops::Range<usize>| self.errors[range].iter().copied().fold(0.0, f64::max);
        let (volume_error, first_error, second_error) = (self.errors[0], largest(1..4), largest(4..10));
        let away = centre.abs().max_element();
        let of_centre = (first_error + away * volume_error) / (volume - volume_error);
        let of_entry = second_error + 2.0 * away * first_error + away * away * volume_error;
        Ok(BoundedMass {
            properties,
            volume_error,
            centre_error: of_centre + f64::EPSILON * self.origin.abs().max_element(),
            // Two of the three second moments, or a product; the rest is of second order.
            inertia_error: 2.1 * density * of_entry,
        })
    }
}

/// The integrals over a patch in so many pieces each way, and the sums of the magnitudes.
fn integrate(patch: &BezierPatch, rule: &[(f64, f64)], pieces: usize, origin: DVec3) -> (Values, Values) {
    let width = 1.0 / pieces as f64;
    let (mut values, mut magnitudes) = ([0.0; COUNT], [0.0; COUNT]);
    let places =
        || (0..pieces).flat_map(|piece| rule.iter().map(move |&(t, w)| ((piece as f64 + t) * width, w * width)));
    for (u, weight_u) in places() {
        for (v, weight_v) in places() {
            let at = patch.derivatives(u, v);
            let p = at.s - origin;
            let n = at.u.cross(at.v) * (weight_u * weight_v);
            let halves = 0.5 * p * p * n;
            let thirds = p * p * p * n / 3.0;
            let terms = [
                p.dot(n) / 3.0,
                halves.x,
                halves.y,
                halves.z,
                thirds.x,
                thirds.y,
                thirds.z,
                halves.x * p.y,
                halves.y * p.z,
                halves.z * p.x,
                n.length(),
            ];
            for k in 0..COUNT {
                values[k] += terms[k];
                magnitudes[k] += terms[k].abs();
            }
        }
    }
    (values, magnitudes)
}

/// Places and weights of the rule on 0…1 with this many places: exact for polynomials of twice that degree, less one. The
/// places are the zeros of the Legendre polynomial, by Newton's iteration.
fn gauss_legendre(order: usize) -> Vec<(f64, f64)> {
    (0..order)
        .map(|k| {
            let mut x = libm::cos(PI * (k as f64 + 0.75) / (order as f64 + 0.5));
            let mut slope = 1.0;
            for _ in 0..8 {
                let (mut before, mut value) = (1.0, x);
                for degree in 2..=order {
                    let d = degree as f64;
                    (before, value) = (value, ((2.0 * d - 1.0) * x * value - (d - 1.0) * before) / d);
                }
                slope = order as f64 * (before - x * value) / (1.0 - x * x);
                x -= value / slope;
            }
            (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}
