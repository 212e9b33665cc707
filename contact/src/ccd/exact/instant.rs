//! Times of a step: its ends, and the roots of polynomials, with exact predicates.

use super::ExactTime;
use super::divisor::{common_divisor, square_free};
use super::form::{Form, bits, sign_inside, variations};
use dashu_int::IBig;

/// So often is the step halved before roots that still lie in one piece are taken for one repeated root.
const PATIENCE: usize = 16;
/// So often is a root's interval halved before two polynomials are asked for a common root.
const DOUBT: usize = 24;
/// Halvings between two looks at a sign.
const STRIDE: usize = 8;
/// Bits of the mantissa of an f64.
const MANTISSA: usize = 53;
/// The least positive f64 is 2 to the power of minus this.
const FINEST: usize = 1074;

/// A moment of the step: a root of a [`Form`], or a whole number over a power of two.
#[derive(Clone, Debug)]
pub struct Instant {
    /// With `level`, the left end of the interval that it is in: index / 2^level.
    index: IBig,
    level: usize,
    /// The polynomial whose only root it is between index / 2^level and (index + 1) / 2^level; without one it is the left
    /// end itself.
    root: Option<Root>,
}

#[derive(Clone, Debug)]
struct Root {
    form: Form,
    /// Bernstein coefficients of the form over the interval.
    local: Vec<IBig>,
}

impl Instant {
    /// t = 0.
    pub const START: Self = Self { index: IBig::ZERO, level: 0, root: None };
    /// t = 1.
    pub const END: Self = Self { index: IBig::ONE, level: 0, root: None };

    /// When the form is zero, in ascending order, each time once. None if it always is.
    pub fn roots(form: &Form) -> Vec<Self> {
        if form.is_zero() || form.sign_throughout().is_some() {
            return Vec::new();
        }
        let start = (form.sign_at_start() == 0).then_some(Self::START);
        let end = (form.sign_at_end() == 0).then_some(Self::END);
        let inside = Self::inside(form, PATIENCE).or_else(|| Self::inside(&square_free(form), usize::MAX));
        start.into_iter().chain(inside.unwrap_or_default()).chain(end).collect()
    }

    /// The roots inside the step, if halving as often as that tells them apart.
    fn inside(form: &Form, patience: usize) -> Option<Vec<Self>> {
        let mut found = Vec::new();
        let mut open = vec![(bernstein(form), IBig::ZERO, 0_usize)];
        while let Some((local, index, level)) = open.pop() {
            // An interval without coefficients stands for its left end.
            let count = variations(&local);
            if local.is_empty() {
                found.push(Self { index, level, root: None });
            } else if count == 1 {
                found.push(Self { index, level, root: Some(Root { form: form.clone(), local }) });
            } else if count > 1 && level == patience {
                return None;
            } else if count > 1 {
                let [left, right] = halves(&local);
                let (index, level) = (index << 1, level + 1);
                let middle = &index + IBig::ONE;
                let is_root = right.first().is_some_and(IBig::is_zero);
                open.push((right, middle.clone(), level));
                if is_root {
                    open.push((Vec::new(), middle, level));
                }
                open.push((left, index, level));
            }
        }
        Some(found)
    }

    /// The sign of another form at this time.
    pub fn sign(&mut self, form: &Form) -> i8 {
        if form.is_zero() {
            return 0;
        }
        let mut doubted = false;
        while let Some(root) = &self.root {
            if let Some(sign) = form.within(&self.index, self.level).sign_inside() {
                return sign;
            }
            if !doubted && self.level >= DOUBT {
                doubted = true;
                // It has no root in the interval but this one, so an odd number of variations is this root.
                let common = common_divisor(&root.form, form);
                if common.within(&self.index, self.level).variations() % 2 == 1 {
                    return 0;
                }
            }
            for _ in 0..STRIDE {
                self.halve();
            }
        }
        form.sign_at(&self.index, self.level)
    }

    /// Halves the interval.
    fn halve(&mut self) {
        let Some(root) = &mut self.root else { return };
        let [left, right] = halves(&root.local);
        self.index <<= 1;
        self.level += 1;
        if sign_inside(&left).is_none() {
            root.local = left;
            return;
        }
        self.index += IBig::ONE;
        if sign_inside(&right).is_none() {
            root.local = right;
        } else {
            self.root = None;
        }
    }

    /// Divides the interval by 2^pace and takes the part where the line through its ends is zero, if the root is in it
    /// (Abbott, "Quadratic interval refinement for real roots", 2014).
    fn guess(&mut self, pace: usize) -> bool {
        let Some(Root { form, local }) = &mut self.root else { return false };
        let [Some(first), Some(last)] = [local.first(), local.last()] else { return false };
        let width = last - first;
        if self.index.is_zero() || width.is_zero() {
            return false;
        }
        let part = (-first << pace) / width;
        let (index, level) = ((&self.index << pace) + part, self.level + pace);
        if &index >> pace != self.index {
            return false;
        }
        let within = form.within(&index, level);
        let found = within.variations() == 1;
        if found {
            *local = bernstein(&within);
            (self.index, self.level) = (index, level);
        }
        found
    }

    /// The greatest f64 that is not later and the least that is not earlier.
    pub fn enclosure(&mut self) -> ExactTime {
        let mut pace = 2;
        while self.root.is_some() && bits(&self.index) < MANTISSA && self.level < FINEST {
            let left = (MANTISSA - bits(&self.index)).min(FINEST - self.level);
            // The guess is as good as the interval is short; where it is not, the interval is halved.
            if self.guess(pace.min(left)) {
                pace *= 2;
            } else {
                pace = (pace / 2).max(1);
                self.halve();
            }
        }
        self.rounded()
    }

    /// Its interval, outwards; as far as the next f64 alone where that is no longer than the interval.
    fn rounded(&self) -> ExactTime {
        let cut = bits(&self.index).saturating_sub(MANTISSA).max(self.level.saturating_sub(FINEST));
        let kept = &self.index >> cut;
        let exact = self.root.is_none() && (&kept << cut) == self.index;
        let scale = i32::try_from(self.level).unwrap_or(i32::MAX) - i32::try_from(cut).unwrap_or(i32::MAX);
        // At most 2^53, so nothing is rounded.
        let value = |whole: &IBig| libm::ldexp(whole.to_f64().value(), -scale);
        let lo = value(&kept);
        ExactTime { lo, hi: if exact { lo } else { value(&(kept + IBig::ONE)) } }
    }

    /// Halves the interval until it is short enough to tell most times apart; whether it was not yet.
    pub fn narrow(&mut self) -> bool {
        let wide = self.root.is_some() && self.level < STRIDE;
        while self.root.is_some() && self.level < STRIDE {
            self.halve();
        }
        wide
    }

    /// The greatest f64 that is not after its interval begins.
    pub fn earliest(&self) -> f64 {
        self.rounded().lo
    }

    /// Whether it is t = 0 or t = 1.
    pub fn is_end(&self) -> bool {
        self.root.is_none() && self.level == 0
    }
}

/// The coefficients of a form over binomials, times what makes them whole again.
fn bernstein(form: &Form) -> Vec<IBig> {
    let coefficients = form.coefficients();
    let degree = coefficients.len() - 1;
    let mut binomials = vec![1_u64];
    for i in 1..=degree {
        binomials.push(binomials[i - 1] * (degree + 1 - i) as u64 / i as u64);
    }
    let whole: u64 = binomials.iter().product();
    coefficients.iter().zip(binomials).map(|(c, binomial)| c * IBig::from(whole / binomial)).collect()
}

/// The Bernstein coefficients over both halves, times a power of two (de Casteljau).
fn halves(local: &[IBig]) -> [Vec<IBig>; 2] {
    let mut row = local.to_vec();
    let (mut left, mut right) = (Vec::with_capacity(row.len()), Vec::with_capacity(row.len()));
    while let (Some(first), Some(last)) = (row.first(), row.last()) {
        let scale = row.len() - 1;
        left.push(first << scale);
        right.push(last << scale);
        for i in 0..scale {
            let next = &row[i] + &row[i + 1];
            row[i] = next;
        }
        row.pop();
    }
    right.reverse();
    [left, right]
}
