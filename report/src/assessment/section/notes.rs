//! Remarks, each beside what it is about.

use maud::{Markup, html};

use crate::assessment::{About, Note, Report};

/// The notes on one part.
pub fn about(report: &Report<'_>, about: About) -> Markup {
    let notes: Vec<&Note> = report.notes.iter().filter(|note| note.about == about).collect();
    html! {
        @if !notes.is_empty() {
            ul class="notes" {
                @for note in notes {
                    li {
                        @if !note.cells.is_empty() { b { (note.cells) } " " }
                        (note.text)
                    }
                }
            }
        }
    }
}

/// Those on the whole.
pub fn section(report: &Report<'_>) -> Markup {
    html! {
        @if report.notes.iter().any(|note| note.about == About::Everything) {
            section id="notes" { h2 { "Remarks" } (about(report, About::Everything)) }
        }
    }
}
