//! The overview of all methods in all scenes, and the published table of the fundamental cases cell by cell.

use drystone_contact::generator::methods;
use drystone_replica::published::published as published_by_paper;
use drystone_scenes::assessment::Row;
use drystone_scenes::study::Sample;
use maud::{Markup, html};

use super::matrix::{Column, key, matrix};
use super::{distinct, is_one_variant, label, notes};
use crate::assessment::comparison::{Cell, MEASURES, Measure, agreement, area, is_case};
use crate::assessment::paper::quality_in_words;
use crate::assessment::{About, Report};

/// A method in a variant.
type Run = (String, Option<String>);

/// Coverage and quality of everything, coloured.
pub fn overview(report: &Report<'_>) -> Markup {
    let runs = runs(report);
    if runs.is_empty() {
        return Markup::default();
    }
    let of_rows = report.rows.iter().map(|r| r.scene.as_str());
    let scenes = distinct(of_rows.chain(report.samples.iter().map(|s| s.scene.as_str())));
    let columns: Vec<Column> = scenes.iter().map(|s| Column::of_scene(s)).collect();
    let sample = |scene: &str, run: &Run| {
        report
            .samples
            .iter()
            .find(|s| s.scene == scene && s.method.name() == run.0 && Some(s.method.variant()) == run.1.as_deref())
    };
    let of_quality = |scene: &&str, run: &Run| match (find(report.rows, scene, run), sample(scene, run)) {
        (_, Some(sample)) => Some(quality(sample)),
        (Some(row), None) => Some(MEASURES[1].cell(row)),
        (None, None) => None,
    };
    let of_coverage = |scene: &&str, run: &Run| match (find(report.rows, scene, run), sample(scene, run)) {
        (Some(row), _) => area(row).or_else(|| Some(MEASURES[0].cell(row))),
        (None, Some(sample)) => coverage(sample),
        (None, None) => None,
    };
    let quality_lines = lines(&runs, |run| scenes.iter().map(|scene| of_quality(scene, run)).collect());
    let coverage_lines = lines(&runs, |run| scenes.iter().map(|scene| of_coverage(scene, run)).collect());
    html! {
        section id="overview" {
            h2 { "Overview" }
            p {
                "How many of a method's contacts have a normal that the scene expects, and how much of what is expected they find. \
                 A click leads to the scene."
            }
            (key())
            (matrix("Quality: contacts with an expected normal (%)", &columns, &quality_lines, true))
            (matrix(
                "Coverage: expected normals found; in pillar, wall and arch: expected contact area found (%)",
                &columns, &coverage_lines, true
            ))
        }
    }
}

/// Table 8: coverage, quality, excess, measured and published.
pub fn published(report: &Report<'_>) -> Markup {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| is_case(row)).collect();
    if rows.is_empty() {
        return Markup::default();
    }
    let runs = distinct(rows.iter().map(|r| (r.method.clone(), r.variant.clone())));
    let scenes = distinct(rows.iter().map(|r| r.scene.as_str()));
    let columns: Vec<Column> = scenes.iter().map(|s| Column::of_scene(s)).collect();
    let of_measure = |measure: &Measure| {
        let row =
            |run: &Run| scenes.iter().map(|scene| find(report.rows, scene, run).map(|r| measure.cell(r))).collect();
        matrix(measure.title, &columns, &lines(&runs, row), false)
    };
    let at_pose = |run: &Run| {
        let cell = |scene: &&str| find(report.rows, scene, run)?.excess_at_pose.map(|x| Cell::new(x, None, 1));
        scenes.iter().map(cell).collect()
    };
    html! {
        section id="table-8" {
            h2 { "The fundamental cases beside the published table 8" }
            (agreements(report))
            @for measure in &MEASURES { (of_measure(measure)) }
            (matrix(
                "Excess at the pose: contacts by the corners of the contact region there (factor); nothing published",
                &columns, &lines(&runs, at_pose), false
            ))
            (notes::about(report, About::Table8))
        }
    }
}

/// How many cells print as published, of those that can be compared.
fn agreements(report: &Report<'_>) -> Markup {
    let (shares, all_shares) = agreement(report.rows, &MEASURES[..2]);
    let (excesses, all_excesses) = agreement(report.rows, &MEASURES[2..]);
    let is_shown_only = |r: &Row| r.published.is_some() && MEASURES[0].cell(r).agrees.is_none();
    html! {
        @if all_shares + all_excesses > 0 {
            p {
                "To the printed digit as published: " b { (shares) " of " (all_shares) } " cells of coverage and quality, "
                b { (excesses) " of " (all_excesses) } " of excess."
                @if report.rows.iter().any(is_shown_only) {
                    " The three Two-points columns are shown but not compared: the published ones belong to the published truth, \
                     not to the corrected one."
                }
            }
        }
    }
}

/// Share of contacts with an expected normal, beside what the paper prints or says.
pub fn quality(sample: &Sample) -> Cell {
    let share = 100.0 * sample.matching as f64 / sample.contacts.max(1) as f64;
    let printed = published_by_paper(&sample.scene, sample.method.name()).and_then(|p| p.quality);
    match quality_in_words(&sample.scene, sample.method.name()) {
        Some(p) => Cell::new(share, None, 1).beside(Some(format!("≈ {p:.0}"))),
        None => Cell::new(share, printed.map(|p| 100.0 * p), 1),
    }
}

/// P in per cent, which the paper prints in whole per cent.
pub fn coverage(sample: &Sample) -> Option<Cell> {
    let published = published_by_paper(&sample.scene, sample.method.name()).and_then(|p| p.area_coverage);
    sample.coverage.map(|p| Cell::new(100.0 * p, published.map(|p| 100.0 * p), 0))
}

fn find<'a>(rows: &'a [Row], scene: &str, run: &Run) -> Option<&'a Row> {
    rows.iter().find(|r| r.scene == scene && r.method == run.0 && r.variant == run.1)
}

/// All methods with their variants: those of the registry first, in its order.
fn runs(report: &Report<'_>) -> Vec<Run> {
    let of_rows = report.rows.iter().map(|r| (r.method.clone(), r.variant.clone()));
    let of_samples = report.samples.iter().map(|s| (s.method.name().to_owned(), Some(s.method.variant().to_owned())));
    let mut runs = distinct(of_rows.chain(of_samples));
    let known = methods::all();
    runs.sort_by_key(|run| known.iter().position(|m| m.name() == run.0).unwrap_or(known.len()));
    runs
}

fn lines(runs: &[Run], row: impl Fn(&Run) -> Vec<Option<Cell>>) -> Vec<(String, Vec<Option<Cell>>)> {
    let is_one = is_one_variant(runs.iter().map(|r| r.1.as_deref()));
    runs.iter().map(|run| (label(&run.0, run.1.as_deref(), is_one), row(run))).collect()
}

/// The measures by name, for the tables of single scenes.
pub fn measures() -> &'static [Measure; 3] {
    &MEASURES
}
