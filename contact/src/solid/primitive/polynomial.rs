//! Real roots between 0 and 1, isolated before they are computed.
//!
//! The roots of the derivative cut the interval into pieces on which a polynomial is monotone; a piece has a root where the
//! values at its ends are on different sides of zero. Recursion over the derivatives ends with the constant. No root between
//! ends of different sides can be lost; a root where the polynomial does not change sides by more than rounding is found twice
//! or not at all.

use arrayvec::ArrayVec;

/// The highest degree.
pub const DEGREE: usize = 4;

/// More steps than bisections of every third step need to get from 1 to the spacing of numbers there.
const STEPS: usize = 240;

/// The roots in 0…1 of Σ cₖ xᵏ, ascending; `coefficients` are at most [`DEGREE`] + 1.
pub fn roots(coefficients: &[f64]) -> ArrayVec<f64, DEGREE> {
    let mut found = ArrayVec::new();
    if coefficients.len() < 2 {
        return found;
    }
    let derivative: ArrayVec<f64, DEGREE> =
        coefficients.iter().enumerate().skip(1).take(DEGREE).map(|(k, c)| k as f64 * c).collect();
    let value = |x: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let ends = roots(&derivative);
    let mut low = 0.0;
    let mut is_low_side = value(low) <= 0.0;
    for high in ends.into_iter().chain([1.0]) {
        let is_high_side = value(high) <= 0.0;
        if is_high_side != is_low_side && !found.is_full() {
            found.push(sign_change(low, high, value));
        }
        (low, is_low_side) = (high, is_high_side);
    }
    found
}

/// Where between `low` and `high` a function gets from values up to zero to values above, or back; its values at the ends
/// are on different sides. The place is known up to the spacing of numbers at 1.
///
/// Secants with the Illinois rule (the value at an end that stays is halved), and a bisection every third step.
pub fn sign_change(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (function(low), function(high));
    let is_low_side = at_low <= 0.0;
    for step in 0..STEPS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high || high - low <= 0.5 * f64::EPSILON {
            break;
        }
        let secant = low - at_low * ((high - low) / (at_high - at_low));
        let x = if step % 3 < 2 && secant > low && secant < high { secant } else { middle };
        let value = function(x);
        if value == 0.0 {
            return x;
        }
        if (value <= 0.0) == is_low_side {
            (low, at_low) = (x, value);
            at_high *= 0.5;
        } else {
            (high, at_high) = (x, value);
            at_low *= 0.5;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    /// The coefficients of Π (x − xₖ).
    fn with_roots(places: &[f64]) -> Vec<f64> {
        places.iter().fold(vec![1.0], |product, x| {
            let mut next = vec![0.0; product.len() + 1];
            for (k, c) in product.iter().enumerate() {
                next[k + 1] += c;
                next[k] -= x * c;
            }
            next
        })
    }

    #[test]
    fn roots_are_those_of_the_factors() {
        let mut random = SplitMix::new(5);
        for _ in 0..2000 {
            let degree = 1 + random.next_below(DEGREE);
            let mut places: Vec<f64> = (0..degree).map(|_| random.next_between(-0.5, 1.5)).collect();
            places.sort_unstable_by(f64::total_cmp);
            if places.windows(2).any(|w| w[1] - w[0] < 0.02) {
                continue;
            }
            let factor = [1.0, -1.0, 1e-9, 1e9][random.next_below(4)];
            let coefficients: Vec<f64> = with_roots(&places).iter().map(|c| factor * c).collect();
            let expected: Vec<f64> = places.into_iter().filter(|x| (0.0..=1.0).contains(x)).collect();
            let found = roots(&coefficients);
            assert_eq!(found.len(), expected.len(), "{coefficients:?}");
            for (x, y) in found.iter().zip(&expected) {
                assert!((x - y).abs() < 1e-10, "{x} {y}");
            }
        }
    }

    #[test]
    fn roots_where_the_side_stays_come_in_twos_or_not_at_all() {
        let mut random = SplitMix::new(6);
        for _ in 0..500 {
            let x = random.next_between(0.1, 0.9);
            let found = roots(&with_roots(&[x, x, -1.0, 2.0]));
            assert!(found.is_empty() || found.len() == 2, "{found:?}");
            assert!(found.iter().all(|y| (y - x).abs() < 1e-6));
        }
        let touching = roots(&with_roots(&[0.5, 0.5]));
        assert!(touching.len() == 2 && touching.iter().all(|x| (x - 0.5).abs() < 1e-8));
        assert_eq!(roots(&with_roots(&[0.5, 0.5, 0.5])).len(), 1);
    }

    #[test]
    fn without_roots_there_are_none() {
        for coefficients in [&[][..], &[1.0], &[0.0, 0.0, 0.0], &[1.0, 0.0, 1.0], &[f64::NAN, 1.0, 2.0], &[-1.0, 0.5]] {
            assert!(roots(coefficients).is_empty(), "{coefficients:?}");
        }
    }

    #[test]
    fn a_change_of_sides_is_found_to_the_last_bits() {
        for power in [1, 3, 7] {
            let x = sign_change(0.0, 1.0, |x| (x - 0.3_f64).powi(power));
            assert!((x - 0.3).abs() <= f64::EPSILON, "{x}");
        }
        let step = sign_change(0.0, 1.0, |x| if x > 0.7 { 1.0 } else { -1e-12 });
        assert!((step - 0.7).abs() <= f64::EPSILON);
    }
}
