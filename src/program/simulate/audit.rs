//! Overlaps measured by surfaces while a scene runs (`--audit`): whether what the contacts say of depths is all there is.

use anyhow::Result;

use crate::engine::BodyOverlap;
use crate::engine::simulator::Simulator;

/// The overlaps of one step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Audited {
    /// The deepest overlap, m; 0 if there is none.
    pub depth: f64,
    /// Pairs of bodies that overlap.
    pub pairs: usize,
}

/// Measures every so many steps.
pub struct Audit {
    every: u64,
    measured: u64,
    /// The deepest overlap so far, and the step after which it was found.
    worst: Option<(BodyOverlap, u64)>,
    /// The last step that was measured, and what was found.
    last: Option<(u64, Audited)>,
}

impl Audit {
    /// Measures after every `every`-th step.
    pub fn new(every: u64) -> Self {
        Self { every, measured: 0, worst: None, last: None }
    }

    /// Measures if it is time to; `made` is the number of the step in this run, from 1.
    ///
    /// # Errors
    /// Two bodies whose overlap cannot be measured.
    pub fn after_step(&mut self, made: u64, steps: u64, simulator: &dyn Simulator) -> Result<Option<Audited>> {
        if !made.is_multiple_of(self.every) && made != steps {
            return Ok(None);
        }
        self.measure(simulator).map(Some)
    }

    /// Measures once more unless the present state has been.
    ///
    /// # Errors
    /// As [`Audit::after_step`].
    pub fn finish(&mut self, simulator: &dyn Simulator) -> Result<()> {
        if self.last.is_none_or(|(step, _)| step != simulator.steps()) {
            self.measure(simulator)?;
        }
        Ok(())
    }

    fn measure(&mut self, simulator: &dyn Simulator) -> Result<Audited> {
        let overlaps = simulator.overlaps()?;
        self.measured += 1;
        let deepest = overlaps.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
        if let Some(deepest) = deepest
            && self.worst.is_none_or(|(worst, _)| deepest.depth > worst.depth)
        {
            self.worst = Some((*deepest, simulator.steps()));
        }
        let found = Audited { depth: deepest.map_or(0.0, |deepest| deepest.depth), pairs: overlaps.len() };
        self.last = Some((simulator.steps(), found));
        Ok(found)
    }

    /// The result for people; `names` are those of the bodies as far as they are known.
    pub fn text(&self, names: &[String]) -> String {
        let name = |index: usize| names.get(index).cloned().unwrap_or_else(|| format!("body {index}"));
        let worst = self.worst.map_or("none".into(), |(worst, step)| {
            let (a, b) = (name(worst.a.index()), name(worst.b.index()));
            format!("{:.3e} m between {a} and {b}, after step {step}", worst.depth)
        });
        let pairs = self.last.map_or(0, |(_, last)| last.pairs);
        let last = self.last.map_or(0.0, |(_, last)| last.depth);
        format!(
            "{worst}; {last:.3e} m and {pairs} pairs at the end; measured by surfaces after {} steps",
            self.measured
        )
    }
}
