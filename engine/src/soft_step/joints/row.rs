//! A row of a joint: one coordinate, whose impulse falls as its velocity rises.
//!
//! Friction, a motor and limits of a coordinate act along the same gradient. Each gives an impulse from `low` to `high` at one velocity, `high` below it
//! and `low` above it; all together are a staircase. On it the row is either at a step, where its velocity is
//! given, or between two of them, where its impulse is.

use arrayvec::ArrayVec;
use drystone_contact::sorting::CompactSort;

/// Steps at most: two limits, a motor, friction.
const STEPS: usize = 4;

/// Velocities and impulses that are beyond a step by no more than this share are at it.
const TOLERANCE: f64 = 1e-11;

/// A step of the staircase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// m/s or rad/s.
    pub velocity: f64,
    /// The impulse where the velocity is larger, N s or N m s.
    pub low: f64,
    /// The impulse where it is smaller.
    pub high: f64,
}

/// A row of a joint.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Which coordinate.
    pub axis: usize,
    /// Ascending by velocity; none of a lock.
    steps: ArrayVec<Step, STEPS>,
    /// Twice the number of steps below, and one more at a step.
    at: usize,
    /// What the velocity changes with the impulse, besides what bodies do: of a spring.
    pub compliance: f64,
}

impl Row {
    /// A coordinate that does not change.
    pub fn lock(axis: usize) -> Self {
        Self { axis, at: 1, ..Self::default() }
    }

    /// A coordinate with these steps, the one to begin at first.
    pub fn bounded(axis: usize, mut steps: ArrayVec<Step, STEPS>, compliance: f64) -> Self {
        let first = steps.first().map(|step| step.velocity);
        steps.compact_sort_by(|a, b| a.velocity.total_cmp(&b.velocity));
        let at = steps.iter().position(|step| Some(step.velocity) == first).map_or(0, |place| 2 * place + 1);
        Self { axis, steps, at, compliance }
    }

    /// Begins where the row would be if there were no others, from a velocity that an impulse of one changes by `change`.
    pub fn begin_at(&mut self, velocity: f64, change: f64) {
        if self.is_lock() {
            return;
        }
        self.at = 2 * self.steps.iter().take_while(|step| step.velocity < velocity).count();
        self.leave_infinity();
        for _ in 0..4 * STEPS {
            let impulse = match self.is_active() {
                true if change > 0.0 => (self.target() - velocity) / change,
                true => 0.0,
                false => self.impulse(),
            };
            if !self.follow(velocity + change * impulse, impulse) {
                return;
            }
        }
    }

    /// Beyond a limit there is no finite impulse: the row is at the limit.
    fn leave_infinity(&mut self) {
        while !self.is_active() && self.impulse().is_infinite() {
            self.at = if self.impulse() > 0.0 { self.at + 1 } else { self.at - 1 };
        }
    }

    pub fn is_lock(&self) -> bool {
        self.steps.is_empty()
    }

    /// Its steps, ascending by velocity.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the velocity is given.
    pub fn is_active(&self) -> bool {
        self.at % 2 == 1
    }

    /// The given velocity.
    pub fn target(&self) -> f64 {
        self.steps.get(self.at / 2).map_or(0.0, |step| step.velocity)
    }

    /// The given impulse.
    pub fn impulse(&self) -> f64 {
        let below = self.at / 2;
        self.steps.iter().enumerate().map(|(k, step)| if k < below { step.low } else { step.high }).sum()
    }

    /// The impulses that are allowed at the step.
    fn bounds(&self) -> [f64; 2] {
        let own = self.at / 2;
        let others: f64 = self
            .steps
            .iter()
            .enumerate()
            .filter(|(k, _)| *k != own)
            .map(|(k, step)| if k < own { step.low } else { step.high })
            .sum();
        [others + self.steps[own].low, others + self.steps[own].high]
    }

    /// Goes to another place if the velocity (with what the compliance adds) and the impulse do not belong to this one. Returns whether it has.
    pub fn follow(&mut self, velocity: f64, impulse: f64) -> bool {
        if self.is_lock() {
            return false;
        }
        let before = self.at;
        if self.is_active() {
            let [low, high] = self.bounds();
            let beyond = |bound: f64| if bound.is_finite() { TOLERANCE * (1.0 + bound.abs()) } else { 0.0 };
            if impulse > high + beyond(high) {
                self.at -= 1;
            } else if impulse < low - beyond(low) {
                self.at += 1;
            }
        } else {
            let below = self.at / 2;
            let beyond = |step: f64| TOLERANCE * (1.0 + step.abs());
            if below > 0 && velocity < self.steps[below - 1].velocity - beyond(self.steps[below - 1].velocity) {
                self.at -= 1;
            } else if below < self.steps.len()
                && velocity > self.steps[below].velocity + beyond(self.steps[below].velocity)
            {
                self.at += 1;
            }
        }
        self.leave_infinity();
        self.at != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mass of 1 kg with friction, a motor and a wall, from a velocity: what a search along all impulses finds.
    #[test]
    fn one_row_obeys_all_of_its_steps() {
        let steps = [
            Step { velocity: 2.0, low: -3.0, high: 3.0 },
            Step { velocity: 0.0, low: -1.0, high: 1.0 },
            Step { velocity: -4.0, low: 0.0, high: f64::INFINITY },
        ];
        for free in [-20.0, -9.0, -8.0, -6.5, -5.0, -3.0, -1.0, 0.0, 1.0, 2.0, 4.0, 5.0, 7.0, 30.0] {
            let mut row = Row::bounded(0, steps.into_iter().collect(), 0.0);
            let mut rounds = 0;
            let impulse = loop {
                let impulse = if row.is_active() { row.target() - free } else { row.impulse() };
                if !row.follow(free + impulse, impulse) {
                    break impulse;
                }
                rounds += 1;
                assert!(rounds < 10);
            };
            // The impulse at a velocity falls as that rises: bisection on the velocity.
            let law = |velocity: f64| -> f64 {
                steps.iter().map(|s| if velocity > s.velocity { s.low } else { s.high }).sum::<f64>()
            };
            let (mut low, mut high) = (-100.0, 100.0);
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if free + law(middle) > middle { low = middle } else { high = middle }
            }
            assert!((free + impulse - low).abs() < 1e-9, "{free}: {} {low}", free + impulse);
        }
    }
}
