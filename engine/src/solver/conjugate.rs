//! Conjugate directions between sweeps; see [`Rollback::Conjugate`](super::Rollback::Conjugate).

use super::Impulse;

/// The direction p and what its next step needs.
#[derive(Clone, Debug)]
pub(super) struct ConjugateDirections {
    /// The impulses before the step.
    before: Vec<Impulse>,
    direction: Vec<Impulse>,
    /// The diagonal of A.
    weights: Vec<Impulse>,
    /// |g|² of the step before; none after a restart.
    last_square: Option<f64>,
}

impl ConjugateDirections {
    /// For the diagonal of A.
    pub(super) fn new(weights: Vec<Impulse>) -> Self {
        let zero = vec![[0.0; 4]; weights.len()];
        Self { before: zero.clone(), direction: zero, weights, last_square: None }
    }

    /// Starts a step from the given impulses.
    pub(super) fn begin(&mut self, impulses: &[Impulse]) {
        self.before.copy_from_slice(impulses);
    }

    /// Forgets the directions so far.
    pub(super) fn restart(&mut self) {
        self.last_square = None;
    }

    /// Moves swept impulses on along the direction; whether it did.
    pub(super) fn advance(&mut self, swept: &mut [Impulse]) -> bool {
        let moves = |swept: &f64, before: &f64| *swept - *before;
        let triples = swept.iter().flatten().zip(self.before.iter().flatten()).zip(self.weights.iter().flatten());
        let square = triples.fold(0.0, |sum, ((x, y), w)| sum + *w * moves(x, y) * moves(x, y));
        let beta = match self.last_square {
            Some(last) if square <= last && last > 0.0 => square / last,
            _ => 0.0,
        };
        self.last_square = Some(square);
        let components = swept.iter_mut().flatten().zip(self.before.iter().flatten());
        for ((x, before), p) in components.zip(self.direction.iter_mut().flatten()) {
            let carried = beta * *p;
            *p = carried + moves(x, before);
            *x += carried;
        }
        beta > 0.0
    }
}
