//! The time steps of vertices: how often the most frequent force on each acts.
//!
//! Source: Harmon and others (see [`super`]), Figure 2.

use super::clock::{Clock, Ticks};
use super::contacts::Contacts;
use super::elasticity::Level;
use super::speculative::Windows;
use super::vertices::Vertices;

/// A histogram of the time steps of all vertices that forces move. Steps are powers of two, so that nothing is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexSteps {
    /// How many vertices have a step of 2 to the power of the index, in ticks.
    counts: Vec<u32>,
}

impl VertexSteps {
    /// Of vertices with these forces; `gravity` is the clock of a force on all of them.
    pub(super) fn new(
        vertices: &Vertices,
        gravity: Option<Clock>,
        levels: &[Level],
        contacts: Option<&Contacts>,
        windows: Option<&Windows>,
    ) -> Self {
        let mut steps: Vec<Option<Clock>> = vec![gravity; vertices.len()];
        let mut acts = |of: &[u32], clock: Clock| {
            for &v in of {
                let step = &mut steps[v as usize];
                *step = Some(step.map_or(clock, |before| before.min(clock)));
            }
        };
        levels.iter().for_each(|level| level.stencils(vertices, |of| acts(of, level.clock)));
        if let Some(contacts) = contacts {
            contacts.active_clocks(&mut acts);
        }
        if let Some(windows) = windows {
            windows.active_clocks(&mut acts);
        }
        let mut counts = Vec::new();
        for (_, clock) in (0..).zip(&steps).filter(|(v, _)| vertices.inverse_mass(*v) > 0.0) {
            if let Some(clock) = clock {
                let exponent = clock.exponent() as usize;
                counts.resize(counts.len().max(exponent + 1), 0);
                counts[exponent] += 1;
            }
        }
        Self { counts }
    }

    /// Steps in s, shortest first, and how many vertices have each; none that no vertex has.
    pub fn counts(&self) -> impl Iterator<Item = (f64, u32)> {
        let counted = (0..).zip(&self.counts).filter(|(_, count)| **count > 0);
        counted.map(|(exponent, &count)| (Ticks(1 << exponent).seconds(), count))
    }

    /// The step, s, that a share (0 to 1) of the vertices does not exceed; `None` where no force moves any.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let all: u32 = self.counts.iter().sum();
        let mut below = 0;
        self.counts().find_map(|(step, count)| {
            below += count;
            (f64::from(below) >= share * f64::from(all)).then_some(step)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_steps_that_there_are() {
        let steps = VertexSteps { counts: vec![0, 0, 1, 0, 6, 3] };
        let seconds = |exponent: u32| Ticks(1 << exponent).seconds();
        assert_eq!(steps.counts().collect::<Vec<_>>(), [(seconds(2), 1), (seconds(4), 6), (seconds(5), 3)]);
        assert_eq!(
            [0.0, 0.5, 0.7, 0.71, 1.0].map(|share| steps.quantile(share).unwrap()),
            [2, 4, 4, 5, 5].map(seconds)
        );
        assert_eq!(VertexSteps::default().quantile(0.5), None);
    }
}
