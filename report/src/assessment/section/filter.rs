//! Every method without and with the normal-cone filter behind it, in the fundamental cases.

use drystone_contact::generator::methods;
use drystone_scenes::cases::Case;
use drystone_scenes::measure::Score;
use maud::{Markup, html};

use super::matrix::{Column, matrix};
use super::{distinct, is_one_variant, label};
use crate::assessment::comparison::Cell;
use crate::assessment::{Filtered, Report, sentence};

/// The id of the section.
pub const ID: &str = "filter";

/// Whether there is a case to show.
pub fn is_there(report: &Report<'_>) -> bool {
    report.filtered.iter().any(is_case)
}

fn is_case(of: &Filtered) -> bool {
    of.scene.parse::<Case>().is_ok()
}

/// A method in a variant.
type Run<'a> = (&'a str, Option<&'a str>);

fn run_of(of: &Filtered) -> Run<'_> {
    (&of.method, of.variant.as_deref())
}

/// A measure of a score as it is shown.
type Measure = fn(&Score) -> f64;

const MEASURES: [(&str, Measure); 3] = [
    ("Quality (%)", |score| 100.0 * score.quality),
    ("Coverage (%)", |score| 100.0 * score.coverage),
    ("Excess", |score| score.excess),
];

/// Means over the cases, then quality case by case.
pub fn section(report: &Report<'_>) -> Markup {
    if !is_there(report) {
        return Markup::default();
    }
    let all: Vec<&Filtered> = report.filtered.iter().filter(|of| is_case(of)).collect();
    let scenes = distinct(all.iter().map(|of| of.scene.as_str()));
    let mut runs = distinct(all.iter().map(|of| run_of(of)));
    let known = methods::all();
    runs.sort_by_key(|run| known.iter().position(|m| m.name() == run.0).unwrap_or(known.len()));
    let is_one = is_one_variant(runs.iter().map(|run| run.1));
    let mean = |run: Run<'_>, value: &dyn Fn(&Filtered) -> f64| {
        let values: Vec<f64> = all.iter().filter(|of| run_of(of) == run).map(|of| value(of)).collect();
        Some(Cell::new(values.iter().sum::<f64>() / values.len() as f64, None, 1))
    };
    let means = |&run: &Run<'_>| {
        let two = |(_, of): &(&str, Measure)| [mean(run, &|f| of(&f.plain)), mean(run, &|f| of(&f.kept))];
        (label(run.0, run.1, is_one), MEASURES.iter().flat_map(two).collect())
    };
    let cases = |&run: &Run<'_>| {
        let cell = |scene: &&str| {
            let of = all.iter().find(|of| run_of(of) == run && of.scene == *scene)?;
            let [plain, kept] = [&of.plain, &of.kept].map(|score| {
                let cell = Cell::new(100.0 * score.quality, None, 1);
                if score.contacts == 0 { Cell { text: "none".into(), ..cell } } else { cell }
            });
            Some(kept.beside(Some(plain.text)))
        };
        (label(run.0, run.1, is_one), scenes.iter().map(cell).collect())
    };
    let heads = MEASURES.iter().flat_map(|(name, _)| ["plain", "filtered"].map(|which| format!("{name}, {which}")));
    let columns: Vec<Column> = heads.map(|head| Column::plain(&head)).collect();
    let column = |scene: &&str| match report.rows.iter().any(|row| row.scene == *scene) {
        true => Column::of_scene(scene),
        false => Column::plain(&sentence(scene)),
    };
    let of_scenes: Vec<Column> = scenes.iter().map(column).collect();
    let means: Vec<_> = runs.iter().map(means).collect();
    let cases: Vec<_> = runs.iter().map(cases).collect();
    let quality = "Quality: contacts with an expected normal (%); none: there is no contact, which counts as 0";
    html! {
        section id=(ID) {
            h2 { "With the normal-cone filter" }
            p {
                "The filter knows the facets, edges and vertices of both shapes. It leaves a contact if its normal lies in the \
                 normal cone of the feature that it lies on, on both bodies, and leaves it once. It judges the contacts of the same \
                 step: what a method did not find it cannot add, and between planes that would all do it does not choose."
            }
            (matrix(&mean_title(scenes.len()), &columns, &means, false))
            p { "Large: with the filter. Small: without." }
            (matrix(quality, &of_scenes, &cases, true))
        }
    }
}

fn mean_title(cases: usize) -> String {
    match cases {
        1 => "One fundamental case".into(),
        n => format!("Means over {n} fundamental cases"),
    }
}
