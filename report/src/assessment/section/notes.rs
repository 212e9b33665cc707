//! Remarks, each beside what it is about.

use crate::assessment::{About, Report};
use crate::markup::escape;

/// The notes on one part.
pub fn about(report: &Report<'_>, about: About) -> String {
    let items: Vec<String> = report.notes.iter().filter(|note| note.about == about).map(item).collect();
    if items.is_empty() { String::new() } else { format!("<ul class=\"notes\">{}</ul>\n", items.concat()) }
}

fn item(note: &crate::assessment::Note) -> String {
    let cells = if note.cells.is_empty() { String::new() } else { format!("<b>{}</b> ", escape(&note.cells)) };
    format!("<li>{cells}{}</li>", escape(&note.text))
}

/// Those on the whole.
pub fn section(report: &Report<'_>) -> String {
    match about(report, About::Everything) {
        list if list.is_empty() => list,
        list => format!("<section id=\"notes\"><h2>Remarks</h2>\n{list}</section>\n"),
    }
}
