//! Fractions of whole numbers of any length as the doubles that they are.

use dashu_int::IBig;
use dashu_ratio::RBig;
use thiserror::Error;

/// Why a fraction is no double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotADouble {
    /// Not a whole number.
    #[error("the {0} is not a whole number")]
    Malformed(&'static str),
    /// Nothing to divide by.
    #[error("the denominator is zero")]
    ZeroDenominator,
    /// The value lies between two doubles, or beyond the largest.
    #[error("the value is not exactly a double")]
    Inexact,
}

/// Numerator by denominator, whole decimal numbers of any length.
///
/// # Errors
/// What is not a whole number, a zero denominator, and a value that is not exactly a double.
pub fn exact_double(numerator: &str, denominator: &str) -> Result<f64, NotADouble> {
    if let (Ok(n), Ok(d)) = (numerator.parse::<i64>(), denominator.parse::<i64>())
        && n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
        && d > 0
        && d.count_ones() == 1
    {
        // Both are doubles, and so is what the division by a power of two gives.
        return Ok(n as f64 / d as f64);
    }
    let n = whole(numerator).ok_or(NotADouble::Malformed("numerator"))?;
    let d = whole(denominator).ok_or(NotADouble::Malformed("denominator"))?;
    if d == IBig::ZERO {
        return Err(NotADouble::ZeroDenominator);
    }
    let exact = RBig::from_parts_signed(n, d);
    let nearest = exact.to_f64().value();
    match RBig::try_from(nearest) {
        Ok(back) if back == exact => Ok(nearest),
        _ => Err(NotADouble::Inexact),
    }
}

/// A whole decimal number: a sign perhaps, then digits and nothing else.
fn whole(text: &str) -> Option<IBig> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let magnitude: IBig = is_whole.then(|| digits.parse().ok())??;
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_double_is_refused() {
        assert_eq!(exact_double("6004799503160661", "36028797018963968"), Ok(6004799503160661.0 / 36028797018963968.0));
        assert_eq!(exact_double("-3", "-6"), Ok(0.5));
        assert_eq!(exact_double("0", "7"), Ok(0.0));
        assert_eq!(exact_double("1", "0"), Err(NotADouble::ZeroDenominator));
        assert_eq!(exact_double("1", "3"), Err(NotADouble::Inexact));
        assert_eq!(exact_double("9007199254740993", "1"), Err(NotADouble::Inexact));
        assert_eq!(exact_double(&format!("1{}", "0".repeat(400)), "1"), Err(NotADouble::Inexact));
        for text in ["", "-", "1.5", "1e3", "1_0", "0x1", "+-1", "NaN"] {
            assert_eq!(exact_double(text, "2"), Err(NotADouble::Malformed("numerator")), "{text}");
            assert_eq!(exact_double("2", text), Err(NotADouble::Malformed("denominator")), "{text}");
        }
    }

    #[test]
    fn the_longest_fractions_are_read() {
        let power = |n: usize| (IBig::ONE << n).to_string();
        assert_eq!(exact_double("1", &power(1074)), Ok(f64::from_bits(1)));
        assert_eq!(exact_double("3", &power(1074)), Ok(f64::from_bits(3)));
        assert_eq!(exact_double("1", &power(1075)), Err(NotADouble::Inexact));
        assert_eq!(exact_double(&power(1023), "1"), Ok(2f64.powi(1023)));
        assert_eq!(exact_double(&power(1024), "1"), Err(NotADouble::Inexact));
        assert_eq!(exact_double(&power(3000), &power(3001)), Ok(0.5));
    }

    proptest! {
        #[test]
        fn every_double_comes_back(bits in any::<u64>(), factor in 1..1000i32) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let exact = RBig::try_from(value).unwrap();
            let [n, d] = [exact.numerator().clone(), exact.denominator().clone().into()].map(|x| x * IBig::from(factor));
            let back = exact_double(&n.to_string(), &d.to_string()).unwrap();
            // A fraction has no negative zero.
            prop_assert_eq!((back + 0.0).to_bits(), (value + 0.0).to_bits());
        }
    }
}
