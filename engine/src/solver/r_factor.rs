//! How a contact's impulse follows from its velocity: the r-factors of the proximal iteration, and two updates by blocks.
//!
//! The proximal update is λ_k ← prox(λ_k − R_k u_k). Where R_k is not the same for the friction rows of a contact, its fixed
//! points on a ball or an ellipsoid have friction along −R_k u_k and not along −u_k: that is another law than Coulomb's.
//! The local strategy does this; global and adaptive have one factor for the friction of a contact and do not.
//!
//! Differs from the paper in: the blocked strategy multiplied by the inverse of the friction block and then projected in
//! the Euclidean metric, which for a block that is no multiple of the identity lengthens some steps without bound and
//! need not converge. Here it projects in the metric of the block, that is, it minimises over the allowed friction
//! (`contact_block`), after the normal impulse.

use super::Impulse;
use super::SolverError;
use super::contact_block::{ContactBlock, largest_eigenvalue};
use super::contact_operator::ContactOperator;
use super::friction::FrictionModel;
use super::natural_map::proximal_point;

/// How the impulse of a contact is updated, and by what share ν steps shrink when a sweep diverges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RFactor {
    /// One factor r for every row (N s per m/s).
    Global {
        /// The factor at the start.
        r: f64,
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
    /// One factor for each row: one over its diagonal entry of A.
    Local {
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
    /// One over the diagonal entry for the normal; for friction the exact minimum in its 3×3 block. A step of share ν goes
    /// that part of the way.
    Blocked {
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
    /// One factor for the normal and one for the friction of each contact, scaled together: they grow while the residual
    /// falls by less than the share `stall` in a sweep, and shrink by ν when a sweep diverges. The rule of the RAINBOW
    /// simulator, with an upper limit.
    Adaptive {
        /// What the factors grow by, at least 1.
        growth: f64,
        /// ν, above 0 and at most 1.
        reduction: f64,
        /// A fall of the residual by less than this share lets the factors grow.
        stall: f64,
    },
    /// Normal and friction of each contact solved together, exactly: nonlinear block Gauss–Seidel. A step of share ν goes
    /// that part of the way.
    Exact {
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
}

/// Adaptive factors stay below this multiple of their start: beyond twice the inverse of the diagonal entry even a single
/// row runs away.
pub(super) const LARGEST_SHARE: f64 = 1.9;

impl RFactor {
    /// The global strategy with the numbers of the paper.
    pub const GLOBAL: Self = Self::Global { r: 5.0, reduction: 0.1 };
    /// The local strategy with the reduction of the paper.
    pub const LOCAL: Self = Self::Local { reduction: 0.9 };
    /// The blocked strategy, which never shrinks.
    pub const BLOCKED: Self = Self::Blocked { reduction: 1.0 };
    /// The adaptive strategy with the numbers of RAINBOW.
    pub const ADAPTIVE: Self = Self::Adaptive { growth: 1.3, reduction: 0.7, stall: 0.01 };
    /// The exact update, relaxed where sweeps diverge.
    pub const EXACT: Self = Self::Exact { reduction: 0.7 };

    /// The reduction factor ν.
    pub fn reduction(self) -> f64 {
        match self {
            Self::Global { reduction, .. }
            | Self::Local { reduction }
            | Self::Blocked { reduction }
            | Self::Adaptive { reduction, .. }
            | Self::Exact { reduction } => reduction,
        }
    }

    /// The strategy for every contact of a problem.
    pub(super) fn updates<P: ContactOperator>(self, problem: &P, model: FrictionModel) -> Result<Updates, SolverError> {
        self.check()?;
        let contacts = 0..problem.contact_count();
        let block = |k: usize| ContactBlock::new(k, problem.diagonal_block(k), problem.friction(k), model);
        let factor = |k: usize| {
            let a = problem.diagonal_block(k);
            let factor = match self {
                Self::Global { r, .. } => [r; 4],
                Self::Adaptive { .. } => {
                    let friction = largest_eigenvalue(&a).recip();
                    [a[0][0].recip(), friction, friction, friction]
                }
                Self::Local { .. } | Self::Blocked { .. } | Self::Exact { .. } => [0, 1, 2, 3].map(|i| a[i][i].recip()),
            };
            let usable = factor.iter().all(|r| r.is_finite() && *r > 0.0);
            if usable { Ok(factor) } else { Err(SolverError::Unresponsive { contact: k }) }
        };
        let update = match self {
            Self::Blocked { .. } => Update::Blocked(contacts.map(block).collect::<Result<_, _>>()?),
            Self::Exact { .. } => Update::Exact(contacts.map(block).collect::<Result<_, _>>()?),
            _ => Update::Proximal(contacts.map(factor).collect::<Result<_, _>>()?),
        };
        Ok(Updates { update, model, share: 1.0 })
    }

    fn check(self) -> Result<(), SolverError> {
        let refuse = |setting, value, allowed| Err(SolverError::Setting { setting, value, allowed });
        let reduction = self.reduction();
        if !(reduction > 0.0 && reduction <= 1.0) {
            return refuse("the r-factor reduction", reduction, "it must be above 0 and at most 1");
        }
        match self {
            Self::Global { r, .. } if !(r.is_finite() && r > 0.0) => {
                refuse("the global r-factor", r, "it must be finite and above 0")
            }
            Self::Adaptive { growth, .. } if !(growth.is_finite() && growth >= 1.0) => {
                refuse("the r-factor growth", growth, "it must be finite and at least 1")
            }
            Self::Adaptive { stall, .. } if !(0.0..=1.0).contains(&stall) => {
                refuse("the share of a stalling residual", stall, "it must lie between 0 and 1")
            }
            _ => Ok(()),
        }
    }
}

/// What a sweep reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The largest move of an impulse component.
    Move,
    /// The largest move that an unscaled step would have made.
    FullMove,
}

/// In which order a sweep visits the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As the problem has them.
    Forward,
    /// The last one first.
    Backward,
}

/// A strategy made ready for every contact of a problem, with the scale that its steps have at present.
pub(super) struct Updates {
    update: Update,
    model: FrictionModel,
    share: f64,
}

enum Update {
    /// The factors of each row.
    Proximal(Vec<[f64; 4]>),
    Blocked(Vec<ContactBlock>),
    Exact(Vec<ContactBlock>),
}

impl Updates {
    /// The scale of steps against those at the start.
    pub(super) fn share(&self) -> f64 {
        self.share
    }

    /// Multiplies the scale of all steps.
    pub(super) fn scale(&mut self, by: f64) {
        self.share *= by;
        if let Update::Proximal(factors) = &mut self.update {
            factors.iter_mut().flatten().for_each(|r| *r *= by);
        }
    }

    /// One sweep over all contacts; `motion` belongs to the impulses and follows them.
    pub(super) fn sweep<P: ContactOperator>(
        &self,
        problem: &P,
        measure: Measure,
        order: Order,
        impulses: &mut [Impulse],
        motion: &mut P::Motion,
    ) -> f64 {
        let full_step = measure == Measure::FullMove && self.share != 1.0;
        match &self.update {
            Update::Proximal(factors) => visit(problem, order, factors, impulses, motion, |r, mu, impulse, u| {
                let next = proximal_point(std::array::from_fn(|i| impulse[i] - r[i] * u[i]), mu, self.model);
                let measured = if full_step {
                    let z = std::array::from_fn(|i| impulse[i] - r[i] / self.share * u[i]);
                    proximal_point(z, mu, self.model)
                } else {
                    next
                };
                (next, measured)
            }),
            Update::Blocked(blocks) => visit(problem, order, blocks, impulses, motion, |block, mu, impulse, u| {
                let full = block.normal_then_friction(impulse, u);
                let next = self.towards(impulse, full, mu);
                (next, if full_step { full } else { next })
            }),
            Update::Exact(blocks) => visit(problem, order, blocks, impulses, motion, |block, mu, impulse, u| {
                let own = block.response(impulse);
                let free = std::array::from_fn(|i| u[i] - own[i]);
                let full = block.impulse(&free, impulse[0]);
                let next = self.towards(impulse, full, mu);
                (next, if full_step { full } else { next })
            }),
        }
    }

    /// The share of the way; convexity keeps what lies between allowed.
    #[inline]
    fn towards(&self, impulse: &Impulse, full: Impulse, mu: [f64; 3]) -> Impulse {
        if self.share == 1.0 {
            return full;
        }
        let z = std::array::from_fn(|i| impulse[i] + self.share * (full[i] - impulse[i]));
        proximal_point(z, mu, self.model)
    }
}

/// Visits every contact: `update` gives the next impulse and the one to measure. Returns the largest measured move.
#[inline]
fn visit<P: ContactOperator, T>(
    problem: &P,
    order: Order,
    each: &[T],
    impulses: &mut [Impulse],
    motion: &mut P::Motion,
    update: impl Fn(&T, [f64; 3], &Impulse, &[f64; 4]) -> (Impulse, Impulse),
) -> f64 {
    let mut largest = 0.0;
    let mut visit_one = |(contact, (own, impulse)): (usize, (&T, &mut Impulse))| {
        let velocity = problem.velocity(contact, motion);
        let (next, measured) = update(own, problem.friction(contact), impulse, &velocity);
        for i in 0..4 {
            largest = larger(largest, (measured[i] - impulse[i]).abs());
        }
        let step: Impulse = std::array::from_fn(|i| next[i] - impulse[i]);
        *impulse = next;
        problem.push(contact, &step, motion);
    };
    match order {
        Order::Forward => each.iter().zip(impulses).enumerate().for_each(&mut visit_one),
        Order::Backward => each.iter().zip(impulses).enumerate().rev().for_each(&mut visit_one),
    }
    largest
}

/// The larger number; not a number if one of the two is none.
#[inline]
pub(super) fn larger(largest: f64, x: f64) -> f64 {
    if x > largest || x.is_nan() { x } else { largest }
}
