//! The page of a run of deformable surfaces by the asynchronous simulator.
//!
//! It has what Harmon and others, "Asynchronous contact mechanics", Communications of the ACM 55 (2012), measure: the share of time of
//! each kind of event (section 6.4) with their figures beside ours, and the time steps of vertices over time (Figure 2).

mod shares;
#[cfg(test)]
mod tests;

use drystone_engine::simulator::asynchronous::AsynchronousReport;
use glam::DVec3;
use maud::{Markup, html};

use crate::chart::{OverTime, Spread, over_time, step_histogram, swatch};
use crate::head::{self, Head};
use crate::layout::document;
use crate::markup::figure;
use crate::number::count;

/// A frame of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceFrame {
    /// From 1.
    pub step: u64,
    /// At its end, s.
    pub time: f64,
    /// How long it is, s.
    pub time_step: f64,
    /// How long it took, s.
    pub seconds: f64,
    /// What happened in it.
    pub report: AsynchronousReport,
}

/// Everything that the page shows.
#[derive(Clone, Debug, Default)]
pub struct SurfaceReport {
    /// What was run.
    pub head: Head,
    /// The frames of the run, in order.
    pub frames: Vec<SurfaceFrame>,
}

impl SurfaceReport {
    /// The page.
    pub fn page(&self) -> String {
        let title = if self.head.title.is_empty() { "Deformable surfaces" } else { &self.head.title };
        let content = html! {
            (self.head_section(title))
            @if !self.frames.is_empty() {
                (shares::section(self))
                (self.steps())
                (self.over_time())
            }
        };
        document(title, &content).into_string()
    }

    fn head_section(&self, title: &str) -> Markup {
        let mut figures = Vec::new();
        if let Some(last) = self.frames.last() {
            let events = self.frames.iter().map(|frame| frame.report.profile.all_events()).sum::<u64>();
            let [seconds, simulated] = [|f: &SurfaceFrame| f.seconds, |f: &SurfaceFrame| f.time_step]
                .map(|of| self.frames.iter().map(of).sum::<f64>());
            figures.push((count(self.frames.len()), format!("frames, to {:.4} s", last.time)));
            figures
                .push((format!("{:.2e}", events as f64), format!("events, {:.2e} a second", events as f64 / seconds)));
            figures.push((format!("{:.1}", seconds / simulated), "seconds of wall time a simulated second".into()));
            if let Some(contacts) = &last.report.contacts {
                figures.push((contacts.deepest_layer.to_string(), "is the deepest layer".into()));
                if contacts.closest.is_finite() {
                    figures.push((format!("{:.3e} m", contacts.closest), "is the closest distance".into()));
                }
            }
        }
        html! {
            header {
                h1 { (title) }
                p class="lead" {
                    "Every force has a clock of its own. Penalty layers, ever stiffer and with ever shorter steps, keep surfaces apart; \
                     certificates say which of them must act."
                }
                (head::figures(&figures))
            }
            section id="run" {
                h2 { "The run" }
                (head::facts(&self.head))
                (head::failures(&self.head))
            }
        }
    }

    fn steps(&self) -> Markup {
        let frames: Vec<_> = self.frames.iter().map(|f| (f.time, f.report.vertex_steps.counts().collect())).collect();
        let title = "Time steps of vertices";
        html! {
            section id="steps" {
                h2 { "Time steps of vertices (Figure 2)" }
                p {
                    "How many vertices have which time step, at the end of each frame: that of the most frequent force on them. The darker, \
                     the more; the line is the median. Only the vertices in tight contact have short steps."
                }
                div class="grid wide" { (figure("", title, "free vertices", step_histogram(&frames, title))) }
            }
        }
    }

    fn over_time(&self) -> Markup {
        let of = |value: &dyn Fn(&SurfaceFrame) -> f64| self.frames.iter().map(value).collect::<Vec<f64>>();
        let contacts = |value: fn(&drystone_engine::simulator::asynchronous::ContactReport) -> f64| {
            of(&move |f: &SurfaceFrame| f.report.contacts.as_ref().map_or(f64::NAN, value))
        };
        let first = self.frames.first().map_or([DVec3::ZERO; 2], |frame| frame.report.momenta);
        let change = |k: usize| of(&move |f| (f.report.momenta[k] - first[k]).length());
        let charts: [Chart<'_>; 6] = [
            (
                "Energy",
                "J",
                Spread::Linear,
                vec![
                    ("all", of(&|f| f.report.energies.total())),
                    ("kinetic", of(&|f| f.report.energies.kinetic)),
                    ("elastic", of(&|f| f.report.energies.elastic)),
                    ("contact", of(&|f| f.report.energies.contact)),
                    ("in the gravity field", of(&|f| f.report.energies.potential)),
                ],
            ),
            (
                "Change of momentum since the first frame",
                "kg m/s, kg m²/s",
                Spread::Log,
                vec![("momentum", change(0)), ("angular momentum", change(1))],
            ),
            (
                "Deepest layer so far",
                "layer",
                Spread::Linear,
                vec![("deepest layer", contacts(|c| f64::from(c.deepest_layer)))],
            ),
            ("Closest distance so far", "m", Spread::Linear, vec![("closest distance", contacts(|c| c.closest))]),
            (
                "Pairs of features",
                "pairs",
                Spread::Log,
                vec![
                    ("looked at", of(&|f| f.report.pairs[0] as f64)),
                    ("that repel each other", of(&|f| f.report.pairs[1] as f64)),
                ],
            ),
            (
                "Wall time a simulated second",
                "s/s",
                Spread::Linear,
                vec![("wall time", of(&|f| f.seconds / f.time_step))],
            ),
        ];
        let times = of(&|f| f.time);
        html! {
            section id="over-time" {
                h2 { "Over time" }
                div class="grid wide" { @for chart in &charts { (one(chart, &times)) } }
            }
        }
    }
}

/// Title, unit, how it is spread, and the series by name.
type Chart<'a> = (&'a str, &'a str, Spread, Vec<(&'a str, Vec<f64>)>);

fn one((title, unit, spread, series): &Chart<'_>, times: &[f64]) -> Markup {
    let drawn = over_time(&OverTime { times, series, figure: unit, spread: *spread }, title);
    html! {
        div {
            (figure("", title, "", drawn))
            @if series.len() > 1 {
                p class="marks" { @for (k, (name, _)) in series.iter().enumerate() { (swatch(k)) " " (name) " " } }
            }
        }
    }
}
