//! Conjugate directions between sweeps; see [`Rollback::Conjugate`](super::Rollback::Conjugate).

use super::Impulse;
use num_traits::Float;

/// The direction p and what its next step needs.
#[derive(Clone, Debug)]
pub(super) struct ConjugateDirections<R> {
    /// The impulses before the step.
    before: Vec<Impulse<R>>,
    direction: Vec<Impulse<R>>,
    /// The diagonal of A.
    weights: Vec<Impulse<R>>,
    /// |g|² of the step before; none after a restart.
    last_square: Option<R>,
}

impl<R: Float> ConjugateDirections<R> {
    /// For the diagonal of A.
    pub(super) fn new(weights: Vec<Impulse<R>>) -> Self {
        let zero = vec![[R::zero(); 4]; weights.len()];
        Self { before: zero.clone(), direction: zero, weights, last_square: None }
    }

    /// Starts a step from the given impulses.
    pub(super) fn begin(&mut self, impulses: &[Impulse<R>]) {
        self.before.copy_from_slice(impulses);
    }

    /// Forgets the directions so far.
    pub(super) fn restart(&mut self) {
        self.last_square = None;
    }

    /// Moves swept impulses on along the direction; whether it did.
    pub(super) fn advance(&mut self, swept: &mut [Impulse<R>]) -> bool {
        let moves = |swept: &R, before: &R| *swept - *before;
        let triples = swept.iter().flatten().zip(self.before.iter().flatten()).zip(self.weights.iter().flatten());
        let square = triples.fold(R::zero(), |sum, ((x, y), w)| sum + *w * moves(x, y) * moves(x, y));
        let beta = match self.last_square {
            Some(last) if square <= last && last > R::zero() => square / last,
            _ => R::zero(),
        };
        self.last_square = Some(square);
        let components = swept.iter_mut().flatten().zip(self.before.iter().flatten());
        for ((x, before), p) in components.zip(self.direction.iter_mut().flatten()) {
            let carried = beta * *p;
            *p = carried + moves(x, before);
            *x = *x + carried;
        }
        beta > R::zero()
    }
}
