//! The head of the page: what was run and what came out; and, at its end, the data.

use crate::assessment::comparison::{MEASURES, agreement, is_case};
use crate::assessment::{Head, Report, data, sentence};
use crate::markup::{anchor, details, escape};
use crate::number::{count, duration, short};

use super::distinct;

/// Title, contents, facts of the run, how to read it.
pub fn section(report: &Report<'_>, title: &str) -> String {
    let mut out = format!("<header><h1>{}</h1>\n", escape(title));
    out.push_str(
        "<p class=\"lead\">Where do two solids touch, and in which direction do they push? Contact methods answer, in scenes whose \
         answers are known.</p>\n",
    );
    out.push_str(&figures(report));
    out.push_str(&contents(report));
    out.push_str("</header>\n<section id=\"run\"><h2>The run</h2>\n");
    out.push_str(&facts(&report.head));
    out.push_str(&failures(&report.head));
    out.push_str(&details("How to read this page", READING));
    out.push_str("</section>\n");
    out
}

const READING: &str = "<dl class=\"reading\">\
    <dt>Quality</dt><dd>The share of a method's contacts whose normal is one that the scene expects. 100 % is best.</dd>\
    <dt>Coverage</dt><dd>The share of expected normals that at least one contact has; in wall and arch P, the measured share of the \
    expected contact area. 100 % is best.</dd>\
    <dt>Excess</dt><dd>Contacts by the least number that describes the touching pose. 1 is best; below 1 something is missing.</dd>\
    <dt>Q, |n·up|</dt><dd>How far a normal points along the expected one, without regard to its sense: 1 along, 0 across.</dd>\
    <dt>Pictures</dt><dd>Bodies are moved apart. Contacts lie on the body that faces the eye, each with its normal: a filled dot has \
    an expected normal, a hollow one has not.</dd></dl>";

/// The figures that tell most.
fn figures(report: &Report<'_>) -> String {
    let mut figures: Vec<(String, String)> = Vec::new();
    let (shares, all) = agreement(report.rows, &MEASURES[..2]);
    if all > 0 {
        figures.push((format!("{shares} of {all}"), "cells of coverage and quality print as published".into()));
    }
    let (excesses, all) = agreement(report.rows, &MEASURES[2..]);
    if all > 0 {
        figures.push((format!("{excesses} of {all}"), "cells of excess print as published".into()));
    }
    let scenes = distinct(scenes(report)).len();
    let complex = super::complex::scenes(report);
    let of_rows = report.rows.iter().filter(|r| !complex.contains(&r.scene.as_str())).map(|r| r.score.contacts);
    let of_samples = report.samples.iter().chain(report.studies.iter().flat_map(|s| s.samples)).map(|s| s.contacts);
    let contacts: usize = of_rows.chain(of_samples).sum();
    if contacts > 0 {
        let scenes = if scenes == 1 {
            "contacts judged in one scene".into()
        } else {
            format!("contacts judged in {scenes} scenes")
        };
        figures.push((count(contacts), scenes));
    }
    if figures.is_empty() {
        return String::new();
    }
    let items = figures.iter().map(|(n, text)| format!("<li><b>{n}</b> {}</li>", escape(text)));
    format!("<ul class=\"figures\">{}</ul>\n", items.collect::<String>())
}

fn scenes<'a>(report: &'a Report<'_>) -> impl Iterator<Item = &'a str> {
    let of_rows = report.rows.iter().map(|r| r.scene.as_str());
    let of_samples = report.samples.iter().map(|s| s.scene.as_str());
    of_rows.chain(of_samples).chain(report.statistics.iter().map(|s| s.scene.as_str()))
}

fn contents(report: &Report<'_>) -> String {
    let mut links = vec![("run".to_owned(), "The run".to_owned())];
    if !report.rows.is_empty() || !report.samples.is_empty() {
        links.push(("overview".into(), "Overview".into()));
    }
    if report.rows.iter().any(is_case) {
        links.push(("table-8".into(), "Table 8".into()));
    }
    if super::filter::is_there(report) {
        links.push((super::filter::ID.into(), "Filter".into()));
    }
    let complex = super::complex::scenes(report);
    if report.rows.iter().any(|row| !complex.contains(&row.scene.as_str())) {
        links.push(("cases".into(), "Cases".into()));
    }
    for scene in complex {
        links.push((format!("scene-{}", anchor(scene)), sentence(scene)));
    }
    for study in report.studies {
        links.push((format!("study-{}", study.kind.name()), sentence(study.kind.name())));
    }
    links.push(("data".into(), "Data".into()));
    let items = links.iter().map(|(id, text)| format!("<li><a href=\"#{id}\">{}</a></li>", escape(text)));
    format!("<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n", items.collect::<String>())
}

/// What was not run, if anything.
pub fn failures(head: &Head) -> String {
    if head.failures.is_empty() {
        return String::new();
    }
    let items: String = head.failures.iter().map(|f| format!("<li>{}</li>", escape(f))).collect();
    format!("<div class=\"warning\"><p>Not run, or failed:</p><ul>{items}</ul></div>\n")
}

/// The facts of the run.
pub fn facts(head: &Head) -> String {
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
    let items = facts.iter().map(|(name, value)| {
        let value = escape(value);
        let value = if name == "Command" { format!("<code>{value}</code>") } else { value };
        format!("<div><dt>{}</dt><dd>{value}</dd></div>", escape(name))
    });
    format!("<dl class=\"facts\">{}</dl>\n", items.collect::<String>())
}

/// Links to the files beside the page.
pub fn data(report: &Report<'_>) -> String {
    let own = data::names(report).into_iter().map(|(name, title)| (name.to_owned(), title.to_owned()));
    let others = report.head.files.iter().map(|name| (name.clone(), String::new()));
    let items = own.chain(others).map(|(name, title)| {
        let title = if title.is_empty() { title } else { format!(": {}", escape(&title)) };
        format!("<li><a href=\"{name}\"><code>{name}</code></a>{title}</li>", name = escape(&name))
    });
    let items: String = items.collect();
    format!(
        "<section id=\"data\"><h2>Data</h2>\n<p>Beside this page, fractions from 0 to 1, lengths in metres:</p>\n<ul>{items}</ul>\n\
         <p>The measures, the scenes and the published values are those of K. Erleben, <cite>Methodology for Assessing Mesh-Based \
         Contact Point Methods</cite>, ACM Transactions on Graphics 37(3), 2018.</p></section>\n"
    )
}
