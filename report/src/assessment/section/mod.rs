//! The parts of the page, in their order.

mod cases;
mod complex;
mod filter;
mod head;
mod matrix;
mod notes;
mod pictures;
mod studies;
mod tables;

use drystone_scenes::measure::Matching;
use drystone_scenes::truth::TruthKind;
use maud::html;

use super::{Report, method_title};
use crate::layout::document;

/// The whole page.
pub fn page(report: &Report<'_>) -> String {
    let title = if report.head.title.is_empty() { "Contact methods, assessed" } else { &report.head.title };
    let sections = [
        head::section(report, title),
        tables::overview(report),
        tables::published(report),
        filter::section(report),
        cases::section(report),
        complex::sections(report),
        studies::sections(report),
        notes::section(report),
        head::data(report),
    ];
    document(title, &html! { @for section in sections { (section) } }).into_string()
}

/// What a method is called where several variants may stand side by side.
fn label(method: &str, variant: Option<&str>, is_one_variant: bool) -> String {
    match variant.filter(|_| !is_one_variant) {
        Some(variant) => format!("{}, {variant}", method_title(method)),
        None => method_title(method),
    }
}

/// Whether all are of the same variant.
fn is_one_variant<'v>(mut variants: impl Iterator<Item = Option<&'v str>>) -> bool {
    let first = variants.next();
    variants.all(|v| Some(v) == first)
}

/// By what contacts are judged in pictures.
fn judgement(report: &Report<'_>) -> (TruthKind, f64) {
    let tolerance = report.head.tolerance.unwrap_or(Matching::default().tolerance);
    (report.head.truth.unwrap_or(TruthKind::Corrected), tolerance)
}

/// Every value once, in the order of their first places.
fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}
