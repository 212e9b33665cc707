//! What the page begins with: what was run and what came out; and, at its end, the data.

use maud::{Markup, html};

use super::distinct;
use crate::assessment::comparison::{MEASURES, agreement, is_case};
use crate::assessment::{Report, data, sentence};
use crate::head::{facts, failures, figures};
use crate::markup::{anchor, details};
use crate::number::count;

/// Title, contents, facts of the run, how to read it.
pub fn section(report: &Report<'_>, title: &str) -> Markup {
    html! {
        header {
            h1 { (title) }
            p class="lead" {
                "Where do two solids touch, and in which direction do they push? Contact methods answer, in scenes whose answers \
                 are known."
            }
            (figures(&totals(report)))
            (contents(report))
        }
        section id="run" {
            h2 { "The run" }
            (facts(&report.head))
            (failures(&report.head))
            (details("How to read this page", reading()))
        }
    }
}

fn reading() -> Markup {
    let words = [
        ("Quality", "The share of a method's contacts whose normal is one that the scene expects. 100 % is best."),
        (
            "Coverage",
            "The share of expected normals that at least one contact has; in wall and arch P, the measured share of the expected \
             contact area. 100 % is best.",
        ),
        (
            "Excess",
            "Contacts by the minimal number that describes the touching pose. 1 is best; below 1 something is missing.",
        ),
        (
            "Q, |n·up|",
            "How far a normal points along the expected one, without regard to its sense: 1 along, 0 across.",
        ),
        (
            "Pictures",
            "Bodies are moved apart. Contacts lie on the body that faces the eye, each with its normal: a filled dot has an \
             expected normal, a hollow one has not.",
        ),
    ];
    html! { dl class="reading" { @for (word, meaning) in words { dt { (word) } dd { (meaning) } } } }
}

/// The figures that tell most.
fn totals(report: &Report<'_>) -> Vec<(String, String)> {
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
    figures
}

fn scenes<'a>(report: &'a Report<'_>) -> impl Iterator<Item = &'a str> {
    let of_rows = report.rows.iter().map(|r| r.scene.as_str());
    let of_samples = report.samples.iter().map(|s| s.scene.as_str());
    of_rows.chain(of_samples).chain(report.statistics.iter().map(|s| s.scene.as_str()))
}

fn contents(report: &Report<'_>) -> Markup {
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
    html! {
        nav aria-label="Contents" { ul { @for (id, text) in &links { li { a href={ "#" (id) } { (text) } } } } }
    }
}

/// Links to the files beside the page.
pub fn data(report: &Report<'_>) -> Markup {
    let own = data::names(report);
    let others = report.head.files.iter().map(|name| (name.as_str(), ""));
    html! {
        section id="data" {
            h2 { "Data" }
            p { "Beside this page, fractions from 0 to 1, lengths in metres:" }
            ul {
                @for (name, title) in own.into_iter().chain(others) {
                    li { a href=(name) { code { (name) } } @if !title.is_empty() { ": " (title) } }
                }
            }
            p {
                "The measures, the scenes and the published values are those of K. Erleben, "
                cite { "Methodology for Assessing Mesh-Based Contact Point Methods" }
                ", ACM Transactions on Graphics 37(3), 2018."
            }
        }
    }
}
