//! The head of a page: what was run, where and when, in figures and facts.

use drystone_scenes::truth::TruthKind;
use maud::{Markup, html};
use serde::Serialize;

use crate::machine::Machine;
use crate::number::{duration, short};

/// What was run, where and when. Empty texts and `None` are left out or shown as unknown.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Head {
    /// Heading of the page.
    pub title: String,
    /// The command line.
    pub command: String,
    /// How the methods are read.
    pub variant: Option<String>,
    /// By which truth contacts are judged.
    pub truth: Option<TruthKind>,
    /// A normal n matches an expected one e if | |n·e| − 1 | is below this.
    pub tolerance: Option<f64>,
    /// Where noise starts from.
    pub seed: Option<u64>,
    /// Other settings: name and value.
    pub settings: Vec<(String, String)>,
    /// The state of the sources ([`commit`]).
    pub commit: Option<String>,
    /// What it ran on.
    pub machine: Option<Machine>,
    /// When, as the reader is to see it ([`date::now`](crate::date::now)).
    pub date: String,
    /// How long it took, s.
    pub seconds: Option<f64>,
    /// What could not be run: one line each.
    pub failures: Vec<String>,
    /// Names of further files that the caller writes beside the page, to be linked.
    pub files: Vec<String>,
}

/// Numbers in large type, each with what it counts.
pub fn figures(figures: &[(String, String)]) -> Markup {
    html! { @if !figures.is_empty() { ul class="figures" { @for (n, text) in figures { li { b { (n) } " " (text) } } } } }
}

/// What was not run, if anything.
pub fn failures(head: &Head) -> Markup {
    html! {
        @if !head.failures.is_empty() {
            div class="warning" { p { "Not run, or failed:" } ul { @for failure in &head.failures { li { (failure) } } } }
        }
    }
}

/// The facts of the run.
pub fn facts(head: &Head) -> Markup {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            facts.push((name.into(), value));
        }
    };
    fact("Command", Some(head.command.clone()));
    fact("Variant of the methods", head.variant.clone());
    fact("Truth", head.truth.map(|t| t.to_string()));
    fact("Tolerance of normals", head.tolerance.map(short));
    fact("Seed", head.seed.map(|s| s.to_string()));
    for (name, value) in &head.settings {
        fact(name, Some(value.clone()));
    }
    fact("Program", Some(format!("drystone {}", env!("CARGO_PKG_VERSION"))));
    fact("Commit", Some(head.commit.clone().unwrap_or_else(|| "unknown".into())));
    let machine = head.machine.as_ref().map(|m| {
        let cores = match m.cores {
            0 => String::new(),
            n => format!(", {n} threads"),
        };
        format!("{}{cores}, {}", m.processor, m.system)
    });
    fact("Machine", Some(machine.unwrap_or_else(|| "unknown".into())));
    fact("Date", Some(head.date.clone()));
    fact("Took", head.seconds.map(duration));
    html! {
        dl class="facts" {
            @for (name, value) in &facts {
                div {
                    dt { (name) }
                    dd { @if name == "Command" { code { (value) } } @else { (value) } }
                }
            }
        }
    }
}
