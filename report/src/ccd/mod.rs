//! The page of a benchmark of continuous collision detection.
//!
//! The parts follow the paper (Wang et al., ACM TOG 40(5), 2021): its tables 1 and 2 with the published figures beside
//! ours, and the charts of its figures 7, 8, 9 and 11.

mod charts;
mod overview;
mod tables;

use drystone_contact::ccd::Kind;
use drystone_scenes::ccd::benchmark::{Parameter, Row, Scope};
use drystone_scenes::ccd::{Family, QuerySet};
use maud::{Markup, html};

use crate::head::{self, Head};
use crate::layout::document;
use crate::number::count;

/// By what answers were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TruthBehind {
    /// What the files say of contact without separation.
    #[default]
    Labels,
    /// What the exact method says, with the same separation.
    Exact,
}

/// Everything that the page shows.
#[derive(Clone, Debug, Default)]
pub struct ContinuousReport<'a> {
    /// What was run.
    pub head: Head,
    /// What was asked.
    pub sets: &'a [QuerySet],
    /// What came out.
    pub rows: &'a [Row],
    /// By what answers were judged.
    pub truth: TruthBehind,
}

const KINDS: [Kind; 2] = [Kind::VertexFace, Kind::EdgeEdge];

impl ContinuousReport<'_> {
    /// The page.
    pub fn page(&self) -> String {
        let title =
            if self.head.title.is_empty() { "Continuous collision detection, measured" } else { &self.head.title };
        let parts = [
            self.head_section(title),
            overview::section(self),
            tables::table_1(self),
            tables::table_2(self),
            charts::run_times(self),
            charts::over_tolerance(self),
            charts::over_checks(self),
            charts::over_separation(self),
            overview::sets(self),
        ];
        document(title, &html! { @for part in parts { (part) } }).into_string()
    }

    fn head_section(&self, title: &str) -> Markup {
        let asked: usize = self.sets.iter().map(|set| set.queries.len()).sum();
        let meet: usize = self.sets.iter().flat_map(|set| &set.labels).filter(|label| **label == Some(true)).count();
        let sets = self.sets.len();
        let methods = self.methods();
        let figures = [
            (count(asked), format!("queries in {sets} sets")),
            (count(meet), "of them meet, by the labels of the files".into()),
            (count(methods.len()), if methods.len() == 1 { "method".into() } else { "methods".to_owned() }),
        ];
        html! {
            header {
                h1 { (title) }
                p class="lead" {
                    "Two features move in straight lines for the length of a time step. Do they meet, and when? A method must never \
                     miss a contact, may see some that are not there, and is asked millions of times."
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

    /// The methods in the order in which they were run.
    fn methods(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for row in self.rows {
            if !all.contains(&row.method.as_str()) {
                all.push(&row.method);
            }
        }
        all
    }

    /// The rows of families, of a sweep or of none.
    fn families(&self, sweep: Option<Parameter>) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.scope == Scope::Family && row.sweep == sweep)
    }

    /// The row of a method for a family and kind, without anything varied.
    fn family(&self, method: &str, family: Family, kind: Kind) -> Option<&Row> {
        self.families(None).find(|row| row.method == method && row.family == family && row.kind == kind)
    }

    /// The families that were asked.
    fn present(&self) -> Vec<Family> {
        Family::ALL.into_iter().filter(|family| self.sets.iter().any(|set| set.family() == *family)).collect()
    }
}

fn kind_title(kind: Kind) -> &'static str {
    match kind {
        Kind::VertexFace => "vertex-face",
        Kind::EdgeEdge => "edge-edge",
    }
}

fn family_title(family: Family) -> &'static str {
    match family {
        Family::Hand => "Handcrafted",
        Family::Mix => "Broad-phase candidates (mix)",
        Family::Sim => "Simulation (sim)",
        Family::Touch => "Exact touch",
        Family::Other => "Other",
    }
}

/// Microseconds as the paper prints them: two digits after the point, more where there would be none, fewer from 10,000 on.
fn microseconds(seconds: f64) -> String {
    let us = 1e6 * seconds;
    match us {
        _ if us >= 9999.5 => count(us.round() as usize),
        _ if us >= 0.1 || us == 0.0 => format!("{us:.2}"),
        _ => format!("{us:.3}"),
    }
}

#[cfg(test)]
mod tests;
