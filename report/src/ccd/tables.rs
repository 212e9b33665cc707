//! The paper's tables 1 and 2, the published figures beside ours.

use drystone_contact::ccd::Kind;
use drystone_replica::ccd::published::{self, Data, METHODS, Published, SEPARATIONS, abbreviation};
use drystone_scenes::ccd::Family;
use drystone_scenes::ccd::benchmark::{Figures, Parameter, Row};
use maud::{Markup, html};

use super::{ContinuousReport, KINDS, TruthBehind, family_title, kind_title, microseconds};
use crate::markup::table;
use crate::number::count;

/// The paper's data, what of ours stands beside them.
const DATA: [(Data, &str, &[Family]); 2] =
    [(Data::Hand, "Handcrafted", &[Family::Hand]), (Data::Sim, "Simulation", &[Family::Mix, Family::Sim])];

/// What is compared, and why it differs.
const REMARKS: [(&str, &str); 4] = [
    (
        "Machines.",
        "Published times: AMD EPYC 7452 at 2.35 GHz, one C++ program a method. Ours: the machine above, all methods in this program.",
    ),
    (
        "Handcrafted.",
        "The paper has 12 thousand vertex-face and 15 thousand edge-edge queries; ours are those of its published samples \
         (Sample-Queries) that were given to this run, n in the table, so counts need not agree.",
    ),
    (
        "Simulation.",
        "The published figures are of four simulations with 18 and 41 million queries, which could not be had when this comparison \
         was made. Beside them stand queries made from Sample-Scalable-CCD-Data: “mix” is a sample of the candidates of a broad \
         phase, of which at most some 1.6 % meet; “sim” are queries that do meet, and near misses, which take longer.",
    ),
    ("Methods.", "TCCD, RP and BSC are published only; the others are our own implementations."),
];

fn remarks() -> Markup {
    html! { ul class="notes" { @for (about, text) in REMARKS { li { b { (about) } " " (text) } } } }
}

/// Table 1.
pub fn table_1(report: &ContinuousReport<'_>) -> Markup {
    let has = |family: &Family| report.families(None).any(|row| row.family == *family);
    let mut tables = Vec::new();
    for (data, title, families) in DATA {
        let families: Vec<Family> = families.iter().copied().filter(has).collect();
        for kind in KINDS.into_iter().filter(|_| !families.is_empty()) {
            tables.push(one_of_table_1(report, data, title, &families, kind));
        }
    }
    html! {
        @if !tables.is_empty() {
            section id="table-1" {
                h2 { "Table 1 of the paper" }
                p {
                    "Mean time a query in µs (t), false positives (FP), false negatives (FN)."
                    @if report.families(None).any(|row| row.settings.separation > 0.0) {
                        " The paper's table is for d = 0; this run was not."
                    }
                }
                @for table in tables { (table) }
                (remarks())
            }
        }
    }
}

fn one_of_table_1(report: &ContinuousReport<'_>, data: Data, title: &str, families: &[Family], kind: Kind) -> Markup {
    let mut heads: Vec<String> = ["Method", "here", "paper t", "FP", "FN"].map(String::from).into();
    for family in families {
        heads.extend([format!("{family} t"), "FP".into(), "FN".into(), "n".into(), "meet".into()]);
    }
    let ours = report.methods();
    let mut rows = Vec::new();
    let mut line = |paper: Option<&str>, own: Option<&str>| {
        let mut cells = vec![paper.unwrap_or("–").to_owned(), own.unwrap_or("–").to_owned()];
        cells.extend(printed(paper.and_then(|paper| published::table_1(data, kind, paper))));
        for &family in families {
            let figures = own.and_then(|own| report.family(own, family, kind)).map(|row| &row.figures);
            cells.extend(measured(figures));
            let n = |n: Option<usize>| n.map_or("–".into(), count);
            cells.extend([n(figures.map(|f| f.queries)), n(figures.map(|f| f.positives))]);
        }
        rows.push(cells);
    };
    for paper in METHODS {
        let same: Vec<&str> = ours.iter().copied().filter(|own| abbreviation(own) == Some(paper)).collect();
        if same.is_empty() {
            line(Some(paper), None);
        }
        same.into_iter().for_each(|own| line(Some(paper), Some(own)));
    }
    ours.iter().filter(|own| abbreviation(own).is_none()).for_each(|own| line(None, Some(own)));
    table(&format!("{title}, {}", kind_title(kind)), &heads, &rows)
}

/// Table 2.
pub fn table_2(report: &ContinuousReport<'_>) -> Markup {
    let rows: Vec<&Row> = report.families(Some(Parameter::Separation)).collect();
    let mut tables = Vec::new();
    for (data, title, families) in DATA {
        for kind in KINDS {
            for &family in families {
                let of: Vec<&Row> = rows.iter().copied().filter(|r| r.family == family && r.kind == kind).collect();
                if !of.is_empty() {
                    let beside =
                        if data == Data::Sim { format!(", here {}", family_title(family)) } else { String::new() };
                    tables.push(one_of_table_2(&of, data, kind, &format!("{title}, {}{beside}", kind_title(kind))));
                }
            }
        }
    }
    let judged = match report.truth {
        TruthBehind::Labels => "Published and measured FP and FN are by the truth for d = 0.",
        TruthBehind::Exact => {
            "Published FP and FN are by the truth for d = 0, measured ones by the exact truth for each d."
        }
    };
    html! {
        @if !rows.is_empty() {
            section id="table-2" {
                h2 { "Table 2 of the paper" }
                p {
                    "With a minimum separation d: mean time a query in µs (t), false positives, false negatives; first as published \
                     (K thousand, M million), then as measured here. " (judged)
                }
                @for table in tables { (table) }
                (remarks())
            }
        }
    }
}

fn one_of_table_2(rows: &[&Row], data: Data, kind: Kind, title: &str) -> Markup {
    let mut methods: Vec<&str> = Vec::new();
    for row in rows {
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
    }
    let mut heads = vec!["d (m)".to_owned()];
    for paper in ["MSRF", "Ours"] {
        heads.extend([format!("{paper} t"), "FP".into(), "FN".into()]);
    }
    for method in &methods {
        heads.extend([format!("{method} t"), "FP".into(), "FN".into()]);
    }
    let line = |d: f64| {
        let mut cells = vec![format!("{d:e}")];
        for paper in ["MSRF", "Ours"] {
            cells.extend(printed(published::table_2(d, data, kind, paper)));
        }
        for method in &methods {
            let row = rows.iter().find(|row| row.method == *method && row.settings.separation == d);
            cells.extend(measured(row.map(|row| &row.figures)));
        }
        cells
    };
    table(title, &heads, &SEPARATIONS.map(line))
}

fn printed(published: Option<Published>) -> [String; 3] {
    let cells = published.map(|p| [p.microseconds, p.false_positives, p.false_negatives].map(str::to_owned));
    cells.unwrap_or_else(|| ["–"; 3].map(str::to_owned))
}

fn measured(figures: Option<&Figures>) -> [String; 3] {
    match figures {
        Some(f) => [microseconds(f.seconds.best_mean()), count(f.false_positives), count(f.false_negatives)],
        None => ["–"; 3].map(str::to_owned),
    }
}
