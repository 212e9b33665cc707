//! Common divisors of polynomials, by pseudo-remainders whose content is taken out.

use super::form::{Form, sign};
use dashu_int::ops::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// Coefficients of powers of x = t / (1 − t), the last not zero.
type Powers = Vec<IBig>;

/// What divides both, as forms, up to roots at both ends of the step; of degree 0 if nothing does.
pub(super) fn common_divisor(a: &Form, b: &Form) -> Form {
    Form::from_coefficients(greatest(trimmed(a.coefficients()), trimmed(b.coefficients())))
}

/// The form with each of its roots inside the step once, and none at the ends.
pub(super) fn square_free(form: &Form) -> Form {
    let whole = trimmed(form.coefficients());
    let slope = whole.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect();
    let repeated = greatest(whole.clone(), slope);
    Form::from_coefficients(quotient(whole, &repeated))
}

/// Without roots at x = 0 and x = ∞, and without a common factor of the coefficients.
fn trimmed(coefficients: &[IBig]) -> Powers {
    let inside = |c: &IBig| !c.is_zero();
    let first = coefficients.iter().position(inside).unwrap_or(0);
    let end = coefficients.iter().rposition(inside).map_or(0, |last| last + 1);
    primitive(coefficients.get(first..end).unwrap_or_default().to_vec())
}

fn primitive(mut powers: Powers) -> Powers {
    while powers.last().is_some_and(IBig::is_zero) {
        powers.pop();
    }
    let content = powers.iter().fold(UBig::ZERO, |content, c| match (content.is_zero(), c.is_zero()) {
        (_, true) => content,
        (true, false) => c.unsigned_abs(),
        (false, false) => content.gcd(c.unsigned_abs()),
    });
    if content > UBig::ONE {
        let content = IBig::from(content);
        for c in &mut powers {
            *c = &*c / &content;
        }
    }
    powers
}

fn greatest(a: Powers, b: Powers) -> Powers {
    let (mut a, mut b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    while !b.is_empty() {
        let rest = remainder(a, &b);
        a = b;
        b = rest;
    }
    a
}

/// The remainder of a times a number that is not zero, by b, which is not zero.
fn remainder(mut a: Powers, b: &Powers) -> Powers {
    let lead = &b[b.len() - 1];
    while a.len() >= b.len() {
        let (shift, top) = (a.len() - b.len(), a[a.len() - 1].clone());
        for c in &mut a {
            *c *= lead;
        }
        for (c, d) in a[shift..].iter_mut().zip(b) {
            *c -= d * &top;
        }
        a.pop();
        a = primitive(a);
    }
    a
}

/// a / b up to a factor, where b divides a.
fn quotient(mut a: Powers, b: &Powers) -> Powers {
    let Some(lead) = b.last().filter(|lead| sign(lead) != 0) else { return a };
    let mut digits = vec![IBig::ZERO; (a.len() + 1).saturating_sub(b.len())];
    for shift in (0..digits.len()).rev() {
        let top = a[shift + b.len() - 1].clone();
        for c in a.iter_mut().chain(&mut digits) {
            *c *= lead;
        }
        for (c, d) in a[shift..].iter_mut().zip(b) {
            *c -= d * &top;
        }
        digits[shift] = top;
    }
    primitive(digits)
}
