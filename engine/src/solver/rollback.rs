//! What happens after a sweep that made things worse.
//!
//! The plain rule ([`Rollback::Corrected`]) calls a sweep divergent if it moves the impulses further (largest component)
//! than the last good sweep did; then the r-factors shrink by ν and the impulses go back. Two things are wrong with that
//! rule. A Gauss–Seidel iteration passes through sweeps that move further than the one before, on its way to the solution.
//! And the move gets small because the r-factors do, not only because the solution is near, and they never grow again: a
//! few harmless rises, and a thousand sweeps go nowhere.
//!
//! [`Rollback::Best`] measures in each sweep the step that *unscaled* factors would make. It forgives a rise up to
//! [`DIVERGENCE_RATIO`]; beyond that it goes back to the best impulses and shrinks the steps. If the best stays the best
//! for [`PATIENCE`] sweeps, as in a cycle, the steps shrink too, without going back. Steps grow to their
//! full size again while the residual falls.
//!
//! [`Rollback::Conjugate`] adds the acceleration of Silcowitz, Niebe and Erleben, "A nonsmooth nonlinear conjugate
//! gradient method for interactive contact force problems" (The Visual Computer, 2010): the move of a step stands for the
//! negative gradient, −g, and after the step the impulses move on by βp, where β = |g|²/|g before|² (Fletcher and
//! Reeves) and p ← βp − g; a β above one restarts with p = −g. Differs from the paper in: a step is a sweep forward and
//! one backward, because conjugate gradients want a symmetric preconditioner; the norm weighs rows by the diagonal of A,
//! so that sliding and torsion add up in one unit; the answer is the best swept iterate, which satisfies the
//! bounds of friction; the velocities are computed anew after each βp.

use super::r_factor::{LARGEST_SHARE, RFactor};

/// What goes back when a sweep diverges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollback {
    /// Impulses and velocities both go back. With a reduction ν of one the next sweep would only repeat the divergent
    /// one, so nothing goes back then.
    #[default]
    Corrected,
    /// Impulses and velocities go back to the best ones seen, judged by the unscaled step. The answer is the best one too.
    Best,
    /// As [`Rollback::Best`], with sweeps as the steps of a nonsmooth nonlinear conjugate gradient method: much faster where
    /// contacts are redundant or stacked high.
    Conjugate,
}

/// A sweep whose residual is this many times the best one diverges.
const DIVERGENCE_RATIO: f64 = 10.0;
/// Sweeps without a new best residual before steps shrink.
const PATIENCE: usize = 20;
/// What shrunken steps grow by while the residual falls.
const RECOVERY: f64 = 1.05;
/// No step shrinks below this share of the full one: a smaller one would not get anywhere.
const LEAST_SHARE: f64 = 1e-3;

/// What to do after a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The impulses are the best so far.
    pub(super) keep: bool,
    /// The impulses go back to the best ones.
    pub(super) go_back: bool,
    /// What the steps are scaled by.
    pub(super) scale: f64,
}

/// The memory of [`Rollback::Best`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    r_factor: RFactor,
    best: f64,
    last: f64,
    since_best: usize,
}

impl Watch {
    pub(super) fn new(r_factor: RFactor) -> Self {
        Self { r_factor, best: f64::INFINITY, last: f64::INFINITY, since_best: 0 }
    }

    /// Judges a sweep by its residual, made with steps of the given share.
    pub(super) fn judge(&mut self, residual: f64, share: f64) -> Verdict {
        let last = std::mem::replace(&mut self.last, residual);
        let reduction = self.r_factor.reduction();
        let shrink = if share * reduction < LEAST_SHARE { 1.0 } else { reduction };
        if residual < self.best {
            self.best = residual;
            self.since_best = 0;
        } else {
            self.since_best += 1;
        }
        let keep = self.since_best == 0;
        // Not repeated with the same steps.
        if (residual > DIVERGENCE_RATIO * self.best || residual.is_nan()) && shrink < 1.0 {
            self.last = f64::INFINITY;
            self.since_best = 0;
            return Verdict { keep, go_back: true, scale: shrink };
        }
        let scale = match self.r_factor {
            RFactor::Adaptive { .. } if residual > last => shrink,
            RFactor::Adaptive { growth, stall, .. } if residual > (1.0 - stall) * last => {
                growth.min(LARGEST_SHARE / share)
            }
            _ if self.since_best >= PATIENCE => {
                self.since_best = 0;
                shrink
            }
            _ if keep && share < 1.0 => RECOVERY.min(1.0 / share),
            _ => 1.0,
        };
        Verdict { keep, go_back: false, scale }
    }
}
