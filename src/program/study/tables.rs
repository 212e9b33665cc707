//! The tables of studies on the terminal: methods as rows, the published value in dim type beside ours.

use std::fmt::Write;

use console::{Style, Term};

use super::Finished;
use crate::contact::generator::Method;
use crate::scenes::study::pillar_quality::MINIMUM;
use crate::scenes::study::{Outcome, Sample, Spread, Statistics, Study, perturbation, refinement, time_step};

/// A value, and what is beside it.
#[derive(Clone, Debug, Default)]
struct Cell {
    value: String,
    beside: String,
}

/// Titles of columns, and a row of cells a method.
struct Table {
    title: String,
    columns: Vec<String>,
    rows: Vec<(Method, Vec<Cell>)>,
}

/// The tables in the type of a terminal, or plain if it is none.
pub fn for_terminal(studies: &[Study], finished: &[Finished], term: &Term) -> String {
    if term.is_term() { text(studies, finished, &Style::new().dim()) } else { plain(studies, finished) }
}

/// The tables without type.
pub fn plain(studies: &[Study], finished: &[Finished]) -> String {
    text(studies, finished, &Style::new())
}

fn text(studies: &[Study], finished: &[Finished], dim: &Style) -> String {
    let mut text = String::new();
    for &study in studies {
        let of_study: Vec<&Finished> = finished.iter().filter(|f| f.run.study == study).collect();
        if let Some(first) = of_study.first() {
            let _ = writeln!(text, "{study}: {}", study.title());
            let steps = if study == Study::ContactStatistics { "steps" } else { "step" };
            let _ = writeln!(text, "Variant {}, {steps} {}.\n", first.run.method.variant(), first.run.steps);
        }
        for table in tables(study, &of_study) {
            table.write(dim, &mut text);
        }
    }
    text
}

impl Cell {
    fn new(value: Option<f64>, published: Option<f64>, digits: usize) -> Self {
        let print = |x: f64| format!("{x:.digits$}");
        Cell { value: value.map_or("–".into(), print), beside: published.map(print).unwrap_or_default() }
    }
}

impl Table {
    fn write(&self, dim: &Style, text: &mut String) {
        let first = self.rows.iter().map(|(method, _)| method.name().len()).max().unwrap_or(0);
        let length = |s: &str| s.chars().count();
        let width = |k: usize, part: fn(&Cell) -> &str| {
            self.rows.iter().map(|(_, cells)| length(part(&cells[k]))).max().unwrap_or(0)
        };
        let _ = writeln!(text, "{}", self.title);
        let _ = write!(text, "{:first$}", "");
        let mut widths = Vec::new();
        for (k, column) in self.columns.iter().enumerate() {
            let (value, beside) = (width(k, |c| &c.value), width(k, |c| &c.beside));
            let value = value.max(length(column).saturating_sub(beside + usize::from(beside > 0)));
            let whole = value + beside + usize::from(beside > 0);
            let _ = write!(text, "  {column:>whole$}");
            widths.push((value, beside));
        }
        text.push('\n');
        for (method, cells) in &self.rows {
            let _ = write!(text, "{:first$}", method.name());
            for (cell, (value, beside)) in cells.iter().zip(&widths) {
                let _ = write!(text, "  {:>value$}", cell.value);
                if *beside > 0 {
                    let _ = write!(text, " {}", dim.apply_to(format!("{:>beside$}", cell.beside)));
                }
            }
            while text.ends_with(' ') {
                text.pop();
            }
            text.push('\n');
        }
        text.push('\n');
    }
}

fn tables(study: Study, finished: &[&Finished]) -> Vec<Table> {
    match study {
        Study::ContactStatistics => vec![statistics_table(finished)],
        Study::PillarQuality => vec![quality_table(finished)],
        Study::Wall | Study::Arch => vec![area_table(finished)],
        Study::Perturbation => {
            let magnitudes = [0.0].into_iter().chain(perturbation::MAGNITUDES);
            over_parameter(finished, magnitudes.map(|m| (m, format!("{m} m"))).collect())
        }
        Study::Refinement => {
            over_parameter(finished, refinement::LEVELS.map(|l| (l as f64, format!("level {l}"))).into())
        }
        Study::TimeStep => over_parameter(finished, time_step::TIME_STEPS.map(|dt| (dt, format!("{dt} s"))).into()),
    }
}

fn statistics(finished: &Finished) -> Option<&Statistics> {
    match &finished.outcome {
        Outcome::Statistics(statistics) => Some(statistics),
        Outcome::Sample(_) => None,
    }
}

fn sample(finished: &Finished) -> Option<&Sample> {
    match &finished.outcome {
        Outcome::Sample(sample) => Some(sample),
        Outcome::Statistics(_) => None,
    }
}

/// Per cent of the contacts that match an expected normal; `None` without contacts.
fn quality(sample: &Sample) -> Option<f64> {
    (sample.contacts > 0).then(|| 100.0 * sample.matching as f64 / sample.contacts as f64)
}

fn statistics_table(finished: &[&Finished]) -> Table {
    let row = |s: &Statistics| {
        let values = [s.mean, s.min as f64, s.max as f64, s.deviation];
        let cell = |k: usize, digits| Cell::new(Some(values[k]), s.published.map(|p| p[k]), digits);
        (s.method.clone(), vec![cell(0, 2), cell(1, 0), cell(2, 0), cell(3, 2)])
    };
    Table {
        title: "Contacts a step, beside them table 6".into(),
        columns: ["mean", "fewest", "most", "deviation"].map(String::from).into(),
        rows: finished.iter().filter_map(|f| statistics(f)).map(row).collect(),
    }
}

fn quality_table(finished: &[&Finished]) -> Table {
    let row = |f: &&Finished| {
        let (s, p) = (sample(f)?, f.run.published().unwrap_or_default());
        let excess = s.contacts as f64 / MINIMUM as f64;
        let cells = vec![
            Cell::new(quality(s), p.quality.map(|q| 100.0 * q), 1),
            Cell::new(Some(s.contacts as f64), p.contacts.map(|n| n as f64), 0),
            Cell::new(Some(excess), p.excess, 1),
        ];
        Some((s.method.clone(), cells))
    };
    Table {
        title: "Contacts with the normal up, beside them table 7".into(),
        columns: ["quality (%)", "contacts", "excess"].map(String::from).into(),
        rows: finished.iter().filter_map(row).collect(),
    }
}

fn area_table(finished: &[&Finished]) -> Table {
    let row = |f: &&Finished| {
        let (s, p) = (sample(f)?, f.run.published().unwrap_or_default());
        let spanned = s.areas.iter().filter(|area| area.measured > 0.0).count();
        let cells = vec![
            Cell::new(Some(s.contacts as f64), None, 0),
            Cell::new(quality(s).map(|q| 100.0 - q), None, 1),
            Cell::new(Some(spanned as f64), Some(s.areas.len() as f64), 0),
            Cell::new(s.coverage, p.area_coverage, 2),
        ];
        Some((s.method.clone(), cells))
    };
    Table {
        title:
            "Contacts, wrong normals, interfaces that they span (of all), share of the area (beside it the published)"
                .into(),
        columns: ["contacts", "wrong (%)", "interfaces", "P"].map(String::from).into(),
        rows: finished.iter().filter_map(row).collect(),
    }
}

/// Two tables with a column for each value of the parameter: quality and number of contacts, their mean and, where there
/// are several runs, their standard deviation.
fn over_parameter(finished: &[&Finished], columns: Vec<(f64, String)>) -> Vec<Table> {
    let mut methods: Vec<Method> = Vec::new();
    for f in finished {
        if !methods.contains(&f.run.method) {
            methods.push(f.run.method.clone());
        }
    }
    let table = |title: &str, digits: usize, value: &dyn Fn(&Sample) -> Option<f64>| {
        let cell = |method: &Method, parameter: f64| {
            let of_cell = finished.iter().filter(|f| f.run.method == *method && f.run.parameter() == parameter);
            let values: Vec<f64> = of_cell.filter_map(|f| sample(f)).filter_map(value).collect();
            let Some(spread) = Spread::of(&values) else {
                return Cell::new(None, None, digits);
            };
            let mut cell = Cell::new(Some(spread.mean), None, digits);
            if values.len() > 1 {
                cell.beside = format!("± {:.digits$}", spread.deviation);
            }
            cell
        };
        let row = |method: &Method| (method.clone(), columns.iter().map(|(p, _)| cell(method, *p)).collect());
        Table {
            title: title.into(),
            columns: columns.iter().map(|(_, title)| title.clone()).collect(),
            rows: methods.iter().map(row).collect(),
        }
    };
    vec![
        table("Contacts with the normal up (%)", 1, &quality),
        table("Contacts", 0, &|sample| Some(sample.contacts as f64)),
    ]
}
