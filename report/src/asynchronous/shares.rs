//! The share of time of each kind of event, beside the published one.

use drystone_engine::simulator::asynchronous::{EventKind, EventProfile};
use maud::{Markup, html};

use super::SurfaceReport;
use crate::markup::table;
use crate::number::{count, per_cent};

/// What kinds of events do, by the words of section 6.4, and the shares of the total time that it gives for the reef knot, per cent. It says
/// nothing of what the rest was.
const KINDS: [(&str, &[EventKind], &str); 6] = [
    (
        "elastic forces, gravity, prescribed motion",
        &[EventKind::Gravity, EventKind::Elastic, EventKind::Prescribed],
        "4.8",
    ),
    ("penalty layers", &[EventKind::Penalty], "0.09"),
    ("separation slabs that fail", &[EventKind::Slab], "0.9"),
    ("broad phase", &[EventKind::BroadPhase], "5.2 processing and 23.0 rescheduling of k-DOPs"),
    ("rescheduling after a kick", &[EventKind::Rescheduling], "1.0, of slabs alone"),
    ("speculative windows", &[EventKind::Window], ""),
];

pub fn section(report: &SurfaceReport) -> Markup {
    let mut all = EventProfile::default();
    report.frames.iter().for_each(|frame| all.add(&frame.report.profile));
    let seconds = |kinds: &[EventKind]| kinds.iter().map(|kind| all.seconds(*kind)).sum::<f64>();
    let number = |kinds: &[EventKind]| kinds.iter().map(|kind| all.events(*kind)).sum::<u64>();
    let total: f64 = report.frames.iter().map(|frame| frame.seconds).sum();
    let row = |name: &str, number: String, seconds: f64, published: &str| {
        vec![name.into(), number, format!("{seconds:.2}"), per_cent(seconds / total), published.into()]
    };
    let mut rows: Vec<Vec<String>> = KINDS
        .iter()
        .map(|(name, kinds, published)| row(name, count(number(kinds) as usize), seconds(kinds), published))
        .collect();
    rows.push(row("rest", String::new(), total - seconds(&EventKind::ALL), "65, not told"));
    let heads = ["events", "number", "s", "share, %", "paper's reef knot, %"].map(String::from);
    html! {
        section id="shares" {
            h2 { "Share of time (section 6.4)" }
            p {
                "Of the short events one in 31 is timed, of the others each; what is left is the queue and what a frame reports. Here a kick \
                 that leaves a velocity in its ball reschedules nothing, and boxes do not depend on velocities: hence no rescheduling in the broad phase."
            }
            (table("", &heads, &rows))
        }
    }
}
