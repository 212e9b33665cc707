//! The tables on the terminal: one a measure, methods as rows, scenes as columns, the published value in dim type
//! beside ours, cells that differ marked.

use std::fmt::Write;

use console::{Style, Term};

use crate::scenes::assessment::Row;
use crate::scenes::builtin::BuiltIn;
use crate::scenes::cases::Case;
use crate::scenes::truth::TruthKind;

/// Width where the output is not a terminal, or does not tell.
const DEFAULT_WIDTH: usize = 160;

/// A value as it is printed, without its unit.
type Value = fn(&Row) -> Option<f64>;

/// A published value; the inner `None`: the paper has "(*)".
type PublishedValue = fn(&Row) -> Option<Option<f64>>;

/// A measure that has a table.
struct Measure {
    title: &'static str,
    value: Value,
    /// Where the measure is published.
    published: Option<PublishedValue>,
    digits: usize,
}

const MEASURES: [Measure; 8] = [
    Measure {
        title: "Coverage: expected normals that a contact has (%)",
        value: |row| Some(100.0 * row.score.coverage),
        published: Some(|row| row.published?.coverage.map(|c| Some(100.0 * c))),
        digits: 1,
    },
    Measure {
        title: "Quality: contacts with an expected normal (%)",
        value: |row| Some(100.0 * row.score.quality),
        published: Some(|row| row.published?.quality.map(|q| Some(100.0 * q))),
        digits: 1,
    },
    Measure {
        title: "Excess: contacts by the minimal number for the touching pose (factor)",
        value: |row| Some(row.score.excess),
        published: Some(|row| row.published.filter(|p| p.quality.is_some()).map(|p| p.excess)),
        digits: 1,
    },
    Measure {
        title: "Area: convex hulls of the contacts by the area of the interfaces (%)",
        value: |row| row.score.area.as_ref().map(|a| 100.0 * a.coverage),
        published: Some(|row| row.published?.area_coverage.map(|a| Some(100.0 * a))),
        digits: 0,
    },
    Measure {
        title: "Contacts",
        value: |row| Some(row.score.contacts as f64),
        published: Some(|row| row.published?.contacts.map(|n| Some(n as f64))),
        digits: 0,
    },
    Measure {
        title: "Excess at the pose: contacts by corners of the contact region (factor)",
        value: |row| row.excess_at_pose,
        published: None,
        digits: 1,
    },
    Measure {
        title: "Wrong contacts: median angle to the nearest expected normal (degrees)",
        value: |row| row.score.wrong.angles.map(|a| a[2]),
        published: None,
        digits: 1,
    },
    Measure {
        title: "Time in the method for a pair of bodies, one call (µs)",
        value: |row| row.seconds.map(|s| 1e6 * s),
        published: None,
        digits: 0,
    },
];

/// The strict scores, which are not in the paper.
const STRICT: [Measure; 10] = [
    Measure::own("Strict coverage: expected normals with a contact that is right in everything (%)", 1, |row| {
        Some(100.0 * row.strict.normals.share())
    }),
    Measure::own("Strict quality: contacts that are right in everything (%)", 1, |row| {
        Some(100.0 * row.strict.contacts.share())
    }),
    Measure::own("Orientation: matching normals that point from A to B (%)", 1, |row| {
        Some(100.0 * row.strict.orientation.share())
    }),
    Measure::own("Position: contacts that lie on both surfaces (%)", 1, |row| {
        Some(100.0 * row.strict.position.share())
    }),
    Measure::own("Gap: matching contacts with the right gap (%)", 1, |row| Some(100.0 * row.strict.gap.share())),
    Measure::own("Touching: contacts between bodies that touch (%)", 1, |row| {
        Some(100.0 * row.strict.touching.share())
    }),
    Measure::own("Distinct: contacts that are there once (%)", 1, |row| Some(100.0 * row.strict.distinct.share())),
    Measure::own("Missing: pairs that touch, without a contact", 0, |row| Some(row.strict.missing.len() as f64)),
    Measure::own("Motion: bodies that move as they should in one step (%)", 1, |row| {
        row.physics.as_ref().map(|physics| 100.0 * physics.bodies.share())
    }),
    Measure::own("Motion: largest error of acceleration in one step (m/s²)", 3, |row| {
        row.physics.as_ref()?.acceleration_error
    }),
];

/// Rows arranged as tables.
pub struct Tables<'a> {
    rows: &'a [Row],
    scenes: Vec<&'a str>,
    methods: Vec<&'a str>,
}

impl<'a> Tables<'a> {
    fn new(rows: &'a [Row]) -> Self {
        let mut tables = Tables { rows, scenes: Vec::new(), methods: Vec::new() };
        for row in rows {
            if !tables.scenes.contains(&row.scene.as_str()) {
                tables.scenes.push(&row.scene);
            }
            if !tables.methods.contains(&row.method.as_str()) {
                tables.methods.push(&row.method);
            }
        }
        tables
    }

    /// For the terminal, as wide as it is, in colour where it has colours.
    pub fn for_terminal(rows: &'a [Row], term: &Term) -> String {
        let width = term.size_checked().map_or(DEFAULT_WIDTH, |(_, columns)| usize::from(columns));
        let styled = |style: Style| if term.is_term() { style.for_stderr().for_stdout() } else { Style::new() };
        Tables::new(rows).text(width, &styled(Style::new().dim()), &styled(Style::new().bold()))
    }

    /// For a file.
    pub fn plain(rows: &'a [Row]) -> String {
        let plain = Style::new().force_styling(false);
        Tables::new(rows).text(DEFAULT_WIDTH, &plain, &plain)
    }

    /// The measures of the paper, then the strict ones, for the terminal.
    pub fn strictly(rows: &'a [Row], term: &Term) -> String {
        let plain = Style::new();
        let width = term.size_checked().map_or(DEFAULT_WIDTH, |(_, columns)| usize::from(columns));
        Tables::for_terminal(rows, term) + &Tables::new(rows).of_measures(&STRICT, width, &plain, &plain)
    }

    /// The same for a file.
    pub fn strictly_plain(rows: &'a [Row]) -> String {
        let plain = Style::new().force_styling(false);
        Tables::plain(rows) + &Tables::new(rows).of_measures(&STRICT, DEFAULT_WIDTH, &plain, &plain)
    }

    fn row(&self, method: &str, scene: &str) -> Option<&Row> {
        self.rows.iter().find(|r| r.method == method && r.scene == scene)
    }

    fn text(&self, width: usize, dim: &Style, bold: &Style) -> String {
        let mut text = self.of_measures(&MEASURES, width, dim, bold);
        self.summary(&mut text);
        text
    }

    /// A table of each measure that some row has.
    fn of_measures(&self, measures: &[Measure], width: usize, dim: &Style, bold: &Style) -> String {
        let mut text = String::new();
        for measure in measures {
            let is_there = |row: &Row| (measure.value)(row).is_some();
            if self.rows.iter().any(is_there) {
                self.table(measure, width, dim, bold, &mut text);
            }
        }
        text
    }

    /// One table, in as many blocks of scenes as the width asks for.
    fn table(&self, measure: &Measure, width: usize, dim: &Style, bold: &Style, text: &mut String) {
        let has_published = measure.published.is_some_and(|p| self.rows.iter().any(|r| p(r).is_some()));
        let cell = if has_published { 14 } else { 9 };
        let first = self.methods.iter().map(|m| m.len()).max().unwrap_or(0).max(6);
        let per_block = (width.saturating_sub(first) / cell).max(1);
        let _ = writeln!(text, "{}", bold.apply_to(measure.title));
        for scenes in self.scenes.chunks(per_block) {
            for line in heading(scenes, first, cell) {
                let _ = writeln!(text, "{}", line.trim_end());
            }
            for method in &self.methods {
                let _ = write!(text, "{method:<first$}");
                for scene in scenes {
                    let row = self.row(method, scene);
                    let _ = write!(text, "{}", measure.cell(row, has_published, dim, bold));
                }
                while text.ends_with(' ') {
                    text.pop();
                }
                text.push('\n');
            }
            text.push('\n');
        }
    }

    /// How many cells print as the published ones: of table 8, and of what is published of other scenes.
    fn summary(&self, text: &mut String) {
        let count = |measures: &[Measure], of_cases: bool| {
            let rows = || self.rows.iter().filter(|row| is_case(row) == of_cases);
            let cells = measures.iter().flat_map(|m| rows().filter_map(|row| m.agrees(row)));
            cells.fold((0, 0), |(same, all), agrees| (same + usize::from(agrees), all + 1))
        };
        let (shares, all_shares) = count(&MEASURES[..2], true);
        let (excesses, all_excesses) = count(&MEASURES[2..3], true);
        if all_shares > 0 {
            let _ = writeln!(
                text,
                "Beside our values: table 8 of Erleben 2018. As published, to the printed digit:\n\
                 {shares} of {all_shares} cells of coverage and quality, {excesses} of {all_excesses} of excess; \
                 ≠ marks the others."
            );
        }
        let (others, all_others) = count(&MEASURES, false);
        if all_others > 0 {
            let _ = writeln!(
                text,
                "Beside Pillar, Wall and Arch: table 7 and sections 8.2 and 8.3; {others} of {all_others} figures as \
                 published."
            );
        }
        if self.rows.iter().any(|row| row.published.is_some() && !is_comparable(row)) {
            let _ = writeln!(
                text,
                "The published columns of the Two-points cases and of the Arch belong to another truth and are not\n\
                 compared (--truth published)."
            );
        }
    }
}

/// Whether a row is one of table 8.
fn is_case(row: &Row) -> bool {
    row.scene.parse::<Case>().is_ok()
}

/// Whether the published value was judged by the row's truth.
fn is_comparable(row: &Row) -> bool {
    let has_two_truths = row.scene.parse::<BuiltIn>().is_ok_and(BuiltIn::has_two_truths);
    row.truth == TruthKind::Published || !has_two_truths
}

impl Measure {
    /// A measure that is not published.
    const fn own(title: &'static str, digits: usize, value: Value) -> Self {
        Measure { title, value, published: None, digits }
    }

    /// Whether the row prints as published; `None` if nothing comparable is published.
    fn agrees(&self, row: &Row) -> Option<bool> {
        let published = self.published?(row)??;
        let printed = |value: f64| format!("{value:.digits$}", digits = self.digits);
        is_comparable(row).then_some(printed((self.value)(row)?) == printed(published))
    }

    fn cell(&self, row: Option<&Row>, has_published: bool, dim: &Style, bold: &Style) -> String {
        let digits = self.digits;
        let value = row.and_then(|r| (self.value)(r)).map_or("–".into(), |v| format!("{v:.digits$}"));
        if !has_published {
            return format!("{value:>8} ");
        }
        let published = row.zip(self.published).and_then(|(row, published)| published(row));
        let beside = match published {
            Some(Some(p)) => format!("{p:.digits$}"),
            Some(None) => "(*)".into(),
            None => String::new(),
        };
        let differs = row.and_then(|r| self.agrees(r)) == Some(false);
        let (mark, style) = if differs { ("≠", bold) } else { (" ", &Style::new()) };
        let (before, after) = (" ".repeat(6 - value.chars().count().min(6)), " ".repeat(7 - beside.len().min(7)));
        format!("{before}{}{mark}{}{after}", style.apply_to(value), dim.apply_to(beside))
    }
}

/// The names of scenes above their columns, broken at hyphens.
fn heading(scenes: &[&str], first: usize, cell: usize) -> Vec<String> {
    let broken: Vec<Vec<String>> = scenes.iter().map(|s| break_name(s, cell - 1)).collect();
    let lines = broken.iter().map(Vec::len).max().unwrap_or(0);
    (0..lines)
        .map(|line| {
            let mut text = " ".repeat(first);
            for name in &broken {
                // The last parts stand directly above the column.
                let part = (line + name.len()).checked_sub(lines).and_then(|k| name.get(k));
                let _ = write!(text, "{:>width$} ", part.map_or("", String::as_str), width = cell - 1);
            }
            text
        })
        .collect()
}

/// Parts of a name, each no longer than the width where hyphens allow it.
fn break_name(name: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in name.split_inclusive('-') {
        match lines.last_mut() {
            Some(line) if line.len() + part.len() <= width => line.push_str(part),
            _ => lines.push(part.into()),
        }
    }
    lines
}
