//! A value beside the published one.

use drystone_replica::published::{Published, prints_alike};
use drystone_scenes::assessment::Row;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Case;
use drystone_scenes::truth::TruthKind;

/// A measure of the published table.
#[derive(Clone, Copy)]
pub struct Measure {
    /// What it is, with its unit.
    pub title: &'static str,
    /// Its name in one word.
    pub name: &'static str,
    value: fn(&Row) -> f64,
    published: fn(&Published) -> Option<f64>,
}

/// Coverage, quality (per cent) and excess (a factor), in the order of table 8.
pub const MEASURES: [Measure; 3] = [
    Measure {
        title: "Coverage: expected normals that a contact has (%)",
        name: "coverage",
        value: |row| 100.0 * row.score.coverage,
        published: |p| p.coverage.map(|c| 100.0 * c),
    },
    Measure {
        title: "Quality: contacts with an expected normal (%)",
        name: "quality",
        value: |row| 100.0 * row.score.quality,
        published: |p| p.quality.map(|q| 100.0 * q),
    },
    Measure {
        title: "Excess: contacts by the minimal number for the touching pose (factor)",
        name: "excess",
        value: |row| row.score.excess,
        published: |p| p.excess,
    },
];

/// A cell: our value, what is printed, and how the two stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Our value.
    pub value: f64,
    /// As it is shown.
    pub text: String,
    /// What the paper prints; "(*)": no contacts were found.
    pub printed: Option<String>,
    /// Whether ours prints alike; `None` where the two cannot be compared.
    pub agrees: Option<bool>,
}

impl Cell {
    /// A value with its digits after the point beside a published one of as many.
    pub fn new(value: f64, published: Option<f64>, digits: usize) -> Self {
        let text = |x: f64| if x.is_finite() { format!("{x:.digits$}") } else { "–".into() };
        let agrees = published.map(|p| text(p) == text(value));
        Cell { value, text: text(value), printed: published.map(text), agrees }
    }

    /// The same, beside something that is told in words only: not to be compared digit by digit.
    pub fn beside(self, words: Option<String>) -> Self {
        Cell { printed: words, agrees: None, ..self }
    }
}

impl Measure {
    /// The cell of a row.
    pub fn cell(&self, row: &Row) -> Cell {
        let value = (self.value)(row);
        let cell = Cell::new(value, None, 1);
        let Some(published) = &row.published else { return cell };
        match (self.published)(published) {
            Some(p) => Cell {
                printed: Some(format!("{p:.1}")),
                agrees: is_comparable(row).then(|| prints_alike(value, p)),
                ..cell
            },
            // Of the three, excess alone is "(*)" in a table: where the others are printed.
            None if published.quality.is_some() && published.coverage.is_some() => cell.beside(Some("(*)".into())),
            None => cell,
        }
    }
}

/// P of a row in per cent, which the paper prints in whole per cent; `None` where no area is known.
pub fn area(row: &Row) -> Option<Cell> {
    let published = row.published.and_then(|p| p.area_coverage).map(|p| 100.0 * p);
    let cell = Cell::new(100.0 * row.score.area.as_ref()?.coverage, published, 0);
    Some(Cell { agrees: cell.agrees.filter(|_| is_comparable(row)), ..cell })
}

/// Whether a row is one of table 8.
pub fn is_case(row: &Row) -> bool {
    row.scene.parse::<Case>().is_ok()
}

/// Whether the published value was judged by the row's truth.
fn is_comparable(row: &Row) -> bool {
    row.truth == TruthKind::Published || !row.scene.parse::<BuiltIn>().is_ok_and(BuiltIn::has_two_truths)
}

/// How many cells of table 8 print as published, of how many that can be compared.
pub fn agreement(rows: &[Row], measures: &[Measure]) -> (usize, usize) {
    let cells =
        rows.iter().filter(|row| is_case(row)).flat_map(|row| measures.iter().filter_map(|m| m.cell(row).agrees));
    cells.fold((0, 0), |(same, all), agrees| (same + usize::from(agrees), all + 1))
}
