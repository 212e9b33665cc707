//! The parts of the page, in their order.

mod cases;
mod complex;
mod filter;
pub mod head;
mod matrix;
mod notes;
mod pictures;
mod studies;
mod tables;

use drystone_scenes::measure::Matching;
use drystone_scenes::truth::TruthKind;

use super::{Report, method_title};
use crate::markup::escape;

const STYLE: &str = include_str!("../style.css");

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
    document(title, &sections.concat())
}

/// A page with the style of all reports around its content.
pub fn document(title: &str, content: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{}</body>\n</html>\n",
        escape(title),
        content
    )
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
