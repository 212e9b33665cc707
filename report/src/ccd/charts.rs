//! The charts of the paper's figures 7, 8, 9 and 11, for every method, family and kind.

use drystone_contact::ccd::Kind;
use drystone_scenes::ccd::Family;
use drystone_scenes::ccd::benchmark::{Figures, Parameter, Row};
use maud::{Markup, html};

use super::{ContinuousReport, KINDS, family_title, kind_title};
use crate::chart::{NEGATIVE, OverSetting, POSITIVE, TimeHistogram, Upright, over_setting, time_histogram};
use crate::markup::{details, figure};
use crate::number::count;

/// The tolerances whose run times the paper's figure 8 shows below, m.
const SHOWN_TOLERANCES: [f64; 3] = [1e-8, 1e-4, 1.0];

/// Figure 7.
pub fn run_times(report: &ContinuousReport<'_>) -> Markup {
    let rows: Vec<&Row> = report.families(None).collect();
    let one = |row: &&Row| {
        let f = &row.figures;
        let subtitle = format!("{} meet, {} do not", count(f.positives), count(f.queries - f.positives - f.unlabelled));
        figure("", &title(row.family, row.kind), &subtitle, histogram(f, &title(row.family, row.kind)))
    };
    let charts = |method: &str| rows.iter().filter(|row| row.method == method).map(one).collect();
    let key = html! {
        p class="marks" { (swatch(POSITIVE)) " they meet " (swatch(NEGATIVE)) " they do not meet" }
    };
    let text = "How many queries take how long; both axes by powers of ten.";
    section(report, "figure-7", "Run times (figure 7)", text, &key, charts)
}

/// Figure 8.
pub fn over_tolerance(report: &ContinuousReport<'_>) -> Markup {
    let charts = |method: &str| {
        let mut out = each(report, method, Parameter::Tolerance, |rows, title| {
            vec![time_chart(rows, title, Parameter::Tolerance)]
        });
        let shown = report.families(Some(Parameter::Tolerance)).filter(|row| row.method == method);
        let shown = shown.filter(|row| SHOWN_TOLERANCES.contains(&row.settings.tolerance));
        for row in shown {
            let title = format!("{}, δ = {:e} m", title(row.family, row.kind), row.settings.tolerance);
            out.push(figure("", &title, "run times", histogram(&row.figures, &title)));
        }
        out
    };
    let text = "Mean time a query over the tolerance δ; the band is from the shortest to the longest.";
    section(report, "figure-8", "Tolerance (figure 8)", text, &Markup::default(), charts)
}

/// Figure 9.
pub fn over_checks(report: &ContinuousReport<'_>) -> Markup {
    let charts = |method: &str| {
        each(report, method, Parameter::Checks, |rows, title| {
            let points = |of: fn(&Figures) -> f64| -> Vec<(f64, f64)> {
                rows.iter().map(|row| (row.settings.checks as f64, of(&row.figures))).collect()
            };
            let stops = points(|f| 100.0 * f.stopped as f64 / f.queries.max(1) as f64);
            let reached = points(|f| f.worst_reached);
            let one = |points: &[(f64, f64)], name: &str, upright| {
                let setting = "most checks m_I";
                let chart = OverSetting { points, band: &[], setting, figure: name, upright };
                figure("", title, name, over_setting(&chart, title))
            };
            vec![one(&reached, "worst δ reached (m)", Upright::Log), one(&stops, "stopped (%)", Upright::FromZero)]
        })
    };
    let text = "The worst tolerance that was reached, and how many searches ended early, over the most checks allowed.";
    section(report, "figure-9", "Limit of checks (figure 9)", text, &Markup::default(), charts)
}

/// Figure 11.
pub fn over_separation(report: &ContinuousReport<'_>) -> Markup {
    let parameter = Parameter::Separation;
    let charts = |method: &str| each(report, method, parameter, |rows, title| vec![time_chart(rows, title, parameter)]);
    let text = "Mean time a query over the minimum separation d; the band is from the shortest to the longest.";
    section(report, "figure-11", "Minimum separation (figure 11)", text, &Markup::default(), charts)
}

fn time_chart(rows: &[&Row], title: &str, parameter: Parameter) -> Markup {
    let us = |seconds: f64| 1e6 * seconds;
    let point = |row: &&Row| (parameter.value(&row.settings), us(row.figures.seconds.best_mean()));
    let points: Vec<(f64, f64)> = rows.iter().map(point).collect();
    // The clock may stand still for a query.
    let least = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min).min(1e-2);
    let range = |row: &&Row| (us(row.figures.seconds.min).max(least), us(row.figures.seconds.max));
    let band: Vec<(f64, f64)> = rows.iter().map(range).collect();
    let setting = if parameter == Parameter::Tolerance { "tolerance δ (m)" } else { "separation d (m)" };
    let chart =
        OverSetting { points: &points, band: &band, setting, figure: "time a query (µs)", upright: Upright::Log };
    figure("", title, "mean, and from shortest to longest", over_setting(&chart, title))
}

fn histogram(figures: &Figures, title: &str) -> Markup {
    let data = TimeHistogram { positive: &figures.positive_times, negative: &figures.negative_times };
    time_histogram(&data, title)
}

/// What `chart` makes of the rows of a method for each family and kind, in ascending order of what is varied.
fn each(
    report: &ContinuousReport<'_>,
    method: &str,
    parameter: Parameter,
    chart: impl Fn(&[&Row], &str) -> Vec<Markup>,
) -> Vec<Markup> {
    let mut out = Vec::new();
    for family in report.present() {
        for kind in KINDS {
            let of = report.families(Some(parameter));
            let of = of.filter(|row| row.method == method && row.family == family && row.kind == kind);
            let mut rows: Vec<&Row> = of.collect();
            rows.sort_by(|a, b| parameter.value(&a.settings).total_cmp(&parameter.value(&b.settings)));
            if !rows.is_empty() {
                out.extend(chart(&rows, &title(family, kind)));
            }
        }
    }
    out
}

/// A figure of the paper: the charts of every method; those of all but the first open on demand. Without a chart it is left out.
fn section(
    report: &ContinuousReport<'_>,
    id: &str,
    title: &str,
    text: &str,
    key: &Markup,
    charts: impl Fn(&str) -> Vec<Markup>,
) -> Markup {
    let methods = report.methods().into_iter().map(|method| (method, charts(method)));
    let there: Vec<(&str, Vec<Markup>)> = methods.filter(|(_, charts)| !charts.is_empty()).collect();
    let grid = |charts: &[Markup]| html! { div class="grid plain" { @for chart in charts { (chart) } } };
    html! {
        @if !there.is_empty() {
            section id=(id) {
                h2 { (title) }
                p { (text) }
                (key)
                @for (k, (method, charts)) in there.iter().enumerate() {
                    @if k == 0 { h3 { (method) } (grid(charts)) } @else { (details(method, grid(charts))) }
                }
            }
        }
    }
}

fn title(family: Family, kind: Kind) -> String {
    format!("{}, {}", family_title(family), kind_title(kind))
}

fn swatch(class: &str) -> Markup {
    html! { svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" { path class=(class) d="M0 0H12V12H0Z" {} } }
}
