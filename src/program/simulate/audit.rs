//! Overlaps measured by surfaces at the end of a run, and while it runs with `--audit`: whether what the contacts say of depths is all there is.

use anyhow::Result;

use crate::engine::BodyOverlap;
use crate::engine::simulator::{Simulator, SimulatorKind};

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
    every: Option<u64>,
    measured: u64,
    /// The deepest overlap so far, and the step after which it was found.
    worst: Option<(BodyOverlap, u64)>,
    /// The last step that was measured, and what was found.
    last: Option<(u64, Audited)>,
    /// Why there is no measure of the end, where none was asked for by name.
    failed: Option<String>,
    /// The first triangles of deformable surfaces that intersect, and the step after which they did.
    intersection: Option<([u32; 2], u64)>,
}

impl Audit {
    /// Measures after every `every`-th step, or at the end alone.
    pub fn new(every: Option<u64>) -> Self {
        Self { every, measured: 0, worst: None, last: None, failed: None, intersection: None }
    }

    /// Measures if it is time to; `made` is the number of the step in this run, from 1.
    ///
    /// # Errors
    /// Two bodies whose overlap cannot be measured.
    pub fn after_step(&mut self, made: u64, steps: u64, simulator: &dyn Simulator) -> Result<Option<Audited>> {
        match self.every {
            Some(every) if made.is_multiple_of(every) || made == steps => self.measure(simulator).map(Some),
            _ => Ok(None),
        }
    }

    /// Measures once more unless the present state has been.
    ///
    /// # Errors
    /// As [`Audit::after_step`]; if only the end is measured, the text says it.
    pub fn finish(&mut self, simulator: &dyn Simulator) -> Result<()> {
        if self.last.is_some_and(|(step, _)| step == simulator.steps()) {
            return Ok(());
        }
        match self.measure(simulator) {
            Err(error) if self.every.is_none() => self.failed = Some(error.to_string()),
            measured => drop(measured?),
        }
        Ok(())
    }

    fn measure(&mut self, simulator: &dyn Simulator) -> Result<Audited> {
        if simulator.kind() == SimulatorKind::Asynchronous {
            return Ok(self.intersect(simulator));
        }
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

    fn intersect(&mut self, simulator: &dyn Simulator) -> Audited {
        self.measured += 1;
        let found = simulator.first_intersection();
        if let Some(triangles) = found {
            self.intersection.get_or_insert((triangles, simulator.steps()));
        }
        let audited = Audited { depth: 0.0, pairs: usize::from(found.is_some()) };
        self.last = Some((simulator.steps(), audited));
        audited
    }

    /// What an exact test has found of intersections of deformable surfaces, for people.
    pub fn intersections(&self) -> String {
        let found = match self.intersection {
            Some(([a, b], step)) => format!("triangles {a} and {b} after step {step}"),
            None => "none".into(),
        };
        match self.every {
            None => format!("{found} at the end, by an exact test (--audit tests more often)"),
            Some(_) => format!("{found}, by an exact test after {} steps", self.measured),
        }
    }

    /// The result for people; `names` are those of the bodies as far as they are known.
    pub fn text(&self, names: &[String]) -> String {
        if let Some(why) = &self.failed {
            return why.clone();
        }
        let name = |index: usize| names.get(index).cloned().unwrap_or_else(|| format!("body {index}"));
        let worst = self.worst.map_or("none".into(), |(worst, step)| {
            let (a, b) = (name(worst.a.index()), name(worst.b.index()));
            format!("{:.3e} m between {a} and {b}, after step {step}", worst.depth)
        });
        let pairs = self.last.map_or(0, |(_, last)| last.pairs);
        let last = self.last.map_or(0.0, |(_, last)| last.depth);
        let (end, measured) = (format!("{last:.3e} m and {pairs} pairs at the end"), self.measured);
        match (self.every, self.worst) {
            (None, None) => "none at the end, measured by surfaces".into(),
            (None, _) => {
                format!("{worst}; {pairs} pairs; measured by surfaces at the end (--audit measures more often)")
            }
            _ => format!("{worst}; {end}; measured by surfaces after {measured} steps"),
        }
    }
}
