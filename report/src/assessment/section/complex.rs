//! Pillar, wall and arch: normals, areas, counts over time (paper, sections 8.1 to 8.3).

use drystone_replica::published::published;
use drystone_scenes::study::{Sample, Statistics};
use maud::{Markup, html};

use super::matrix::{Column, matrix};
use super::{distinct, is_one_variant, judgement, label, notes, pictures, tables};
use crate::assessment::comparison::Cell;
use crate::assessment::paper::{PILLAR_MINIMUM, quality_in_words};
use crate::assessment::{About, Report, method_title, sentence};
use crate::chart::{
    BINS, Counts, Curve, Pair, Plateaus, bins, counts, dumbbell, histogram, plateaus, sorted_curves, value_at,
};
use crate::markup::{anchor, details, figure, table};
use crate::number::{count, per_cent, short};

/// The scenes that have samples or counts, in order.
pub fn scenes<'a>(report: &'a Report<'_>) -> Vec<&'a str> {
    let of_samples = report.samples.iter().map(|s| s.scene.as_str());
    distinct(of_samples.chain(report.statistics.iter().map(|s| s.scene.as_str())))
}

/// A part for every such scene.
pub fn sections(report: &Report<'_>) -> Markup {
    html! { @for scene in scenes(report) { (section(report, scene)) } }
}

fn section(report: &Report<'_>, scene: &str) -> Markup {
    let samples: Vec<&Sample> = report.samples.iter().filter(|s| s.scene == scene).collect();
    let is_one = is_one_variant(samples.iter().map(|s| Some(s.method.variant())));
    let named: Vec<(String, &Sample)> =
        samples.iter().map(|s| (label(s.method.name(), Some(s.method.variant()), is_one), *s)).collect();
    let steps = distinct(samples.iter().map(|s| s.step.to_string())).join(", ");
    let about: &[About] = match scene {
        "pillar" => &[About::Table7, About::Table6],
        "wall" => &[About::Wall],
        "arch" => &[About::Arch],
        _ => &[],
    };
    html! {
        section id={ "scene-" (anchor(scene)) } {
            h2 { (sentence(scene)) }
            @if let Some(text) = introduction(scene) { p { (text) } }
            @if !named.is_empty() {
                p { "Contacts of time step " (steps) "." }
                (beside_published(scene, &named))
                (pictures::of_scene(report, scene))
                (pictures::rendered(report, scene))
                (normals(scene, &named, judgement(report).1))
                (areas(scene, &named))
            }
            (over_time(report, scene))
            @for about in about { (notes::about(report, *about)) }
        }
    }
}

fn introduction(scene: &str) -> Option<&'static str> {
    match scene {
        "pillar" => Some(
            "Seven stones on the ground. Every right normal is vertical; 40 contacts are enough. Round caps meet in fans of \
             triangles, so that many inner edges and vertices touch.",
        ),
        "wall" => Some(
            "Eighty bricks in ten layers. Right normals are vertical between layers and along the wall within one. The 213 \
             interfaces have three sizes: 0.3125, 0.2 and 0.15625 m², 37.59 m² in all.",
        ),
        "arch" => Some("Two pillars of three stones and an arch of seven. Each of the 14 interfaces has 1 m²."),
        _ => None,
    }
}

/// Quality and coverage beside the published ones, and table 7.
fn beside_published(scene: &str, named: &[(String, &Sample)]) -> Markup {
    let of = |s: &Sample| published(&s.scene, s.method.name()).unwrap_or_default();
    let quality = |(label, s): &(String, &Sample)| {
        let printed = of(s).quality.map(|q| 100.0 * q).or_else(|| quality_in_words(&s.scene, s.method.name()));
        Pair { label: label.clone(), value: tables::quality(s).value, published: printed }
    };
    let coverage = |(label, s): &(String, &Sample)| {
        let published = of(s).area_coverage.map(|p| 100.0 * p);
        s.coverage.map(|p| Pair { label: label.clone(), value: 100.0 * p, published })
    };
    let key = "filled: measured; hollow: published";
    let quality: Vec<Pair> = named.iter().map(quality).collect();
    let coverage: Vec<Pair> = named.iter().filter_map(coverage).collect();
    let panel = |name: &str, pairs: &[Pair], axis: &str| {
        figure("panel", name, key, dumbbell(pairs, axis, &format!("{name} in {scene}")))
    };
    let columns = ["Contacts", "Quality (%)", "Excess (factor)", "Coverage P (%)"].map(Column::plain);
    let minimum = (scene == "pillar").then_some(PILLAR_MINIMUM as f64);
    let row = |(label, s): &(String, &Sample)| {
        let p = of(s);
        let contacts = Cell::new(s.contacts as f64, p.contacts.map(|n| n as f64), 0);
        let excess = minimum.map(|m| Cell::new(s.contacts as f64 / m, p.excess, 1));
        (label.clone(), vec![Some(contacts), Some(tables::quality(s)), excess, tables::coverage(s)])
    };
    let rows: Vec<_> = named.iter().map(row).collect();
    // No column that nothing stands in.
    let kept: Vec<usize> = (0..4).filter(|&k| rows.iter().any(|(_, cells)| cells[k].is_some())).collect();
    let columns: Vec<Column> =
        columns.into_iter().enumerate().filter(|(k, _)| kept.contains(k)).map(|(_, c)| c).collect();
    let rows: Vec<_> = rows.into_iter().map(|(l, c)| (l, kept.iter().map(|&k| c[k].clone()).collect())).collect();
    let caption = if scene == "pillar" { "Table 7, measured and published" } else { "Measured and published" };
    html! {
        div class="grid pair" {
            (panel("Quality", &quality, "contacts with an expected normal (%)"))
            @if !coverage.is_empty() { (panel("Coverage", &coverage, "P: expected contact area that is found (%)")) }
        }
        (matrix(caption, &columns, &rows, false))
    }
}

/// Histograms of |n·up| where up is the one right direction, else sorted qualities.
fn normals(scene: &str, named: &[(String, &Sample)], tolerance: f64) -> Markup {
    let mut figures = Vec::new();
    let subtitle = |s: &Sample| {
        let share = s.matching as f64 / s.contacts.max(1) as f64;
        format!("{} contacts, {} % right", count(s.contacts), per_cent(share))
    };
    if scene == "pillar" {
        let all: Vec<_> = named.iter().map(|(_, s)| bins(&s.up, tolerance)).collect();
        let highest = all.iter().flat_map(|h| h.wrong.iter().chain([&h.right])).max().copied().unwrap_or(0);
        for ((label, s), data) in named.iter().zip(&all) {
            let drawing = histogram(data, highest, &format!("|n·up| of {label} in {scene}"));
            figures.push(figure("panel", label, &subtitle(s), drawing));
        }
        let mut heads = vec!["Method".to_owned()];
        heads.extend((0..BINS).map(|k| format!("{}–", short(k as f64 / BINS as f64))));
        heads.push("right".into());
        let cells = |h: &crate::chart::Histogram| h.wrong.iter().chain([&h.right]).map(ToString::to_string).collect();
        let row = |((label, _), h): (&(String, &Sample), &crate::chart::Histogram)| {
            let mut line = vec![label.clone()];
            line.extend::<Vec<String>>(cells(h));
            line
        };
        let rows: Vec<_> = named.iter().zip(&all).map(row).collect();
        let numbers = table("Contacts in each bin of |n·up|; right ones apart", &heads, &rows);
        return gallery("Directions of normals: |n·up|", None, &figures, &numbers);
    }
    for (label, s) in named {
        let curve = Curve { label: label.clone(), values: &s.qualities };
        let drawing = sorted_curves(&[curve], "Q", &format!("Q of {label} in {scene}"));
        figures.push(figure("panel", label, &subtitle(s), drawing));
    }
    let rows: Vec<_> = named.iter().map(|(label, s)| deciles(label, &s.qualities)).collect();
    let numbers = table("Q at shares of the contacts, in descending order", &decile_heads(), &rows);
    gallery("Normals: Q in descending order", None, &figures, &numbers)
}

/// Figures under a heading, and their numbers on demand.
fn gallery(heading: &str, text: Option<String>, figures: &[Markup], numbers: &Markup) -> Markup {
    html! {
        h3 { (heading) }
        @if let Some(text) = text { p { (text) } }
        div class="grid" { @for figure in figures { (figure) } }
        (details("Numbers", numbers))
    }
}

/// The heads of a table of deciles.
pub fn decile_heads() -> Vec<String> {
    std::iter::once("".to_owned()).chain((0..=10).map(|k| format!("{} %", 10 * k))).collect()
}

/// The values at every tenth of sorted values.
pub fn deciles(label: &str, values: &[f64]) -> Vec<String> {
    let at = |k: usize| {
        value_at(values, k as f64 / 10.0).filter(|v| v.is_finite()).map_or("–".into(), |v| format!("{v:.4}"))
    };
    std::iter::once(label.to_owned()).chain((0..=10).map(at)).collect()
}

/// Areas of the interfaces before the expected plateaus.
fn areas(scene: &str, named: &[(String, &Sample)]) -> Markup {
    let with: Vec<&(String, &Sample)> = named.iter().filter(|(_, s)| !s.areas.is_empty()).collect();
    if with.is_empty() {
        return Markup::default();
    }
    let all = with.iter().flat_map(|(_, s)| &s.areas);
    let (expected, measured) = all.fold((0.0, 0.0), |(e, m): (f64, f64), a| (e.max(a.expected), m.max(a.measured)));
    // Contacts far outside their interface would make all the others flat.
    let highest = expected.max(measured.min(1.5 * expected));
    let cut = if measured > 1.6 * expected {
        " Much larger ones, from contacts outside of their interface, are cut."
    } else {
        ""
    };
    let mut figures = Vec::new();
    for (label, s) in &with {
        let measured: Vec<f64> = s.areas.iter().map(|a| a.measured).collect();
        let expected: Vec<f64> = s.areas.iter().map(|a| a.expected).collect();
        let data = Plateaus { measured: &measured, expected: &expected, highest };
        let subtitle = s.coverage.map(|p| format!("P = {p:.2}")).unwrap_or_default();
        figures.push(figure("panel", label, &subtitle, plateaus(&data, &format!("Areas of {label} in {scene}"))));
    }
    let heads: Vec<String> =
        ["Interface", "expected"].map(str::to_owned).into_iter().chain(with.iter().map(|(l, _)| l.clone())).collect();
    let first = with[0].1;
    let row = |k: usize| {
        let area = &first.areas[k];
        let mut cells = vec![format!("{} – {}", area.a, area.b), short(area.expected)];
        cells.extend(
            with.iter().map(|(_, s)| s.areas.get(k).map_or("–".into(), |a| Cell::new(a.measured, None, 4).text)),
        );
        cells
    };
    let rows: Vec<_> = (0..first.areas.len()).map(row).collect();
    let text = format!("Dashed: the areas that the construction gives.{cut}");
    let numbers = table("Contact areas of the interfaces (m²)", &heads, &rows);
    gallery("Contact areas, in descending order", Some(text), &figures, &numbers)
}

/// Table 6 and the counts over the steps.
fn over_time(report: &Report<'_>, scene: &str) -> Markup {
    let all: Vec<&Statistics> = report.statistics.iter().filter(|s| s.scene == scene).collect();
    if all.is_empty() {
        return Markup::default();
    }
    let is_one = is_one_variant(all.iter().map(|s| Some(s.method.variant())));
    let name = |s: &Statistics| {
        if is_one { method_title(s.method.name()) } else { label(s.method.name(), Some(s.method.variant()), false) }
    };
    let highest = all
        .iter()
        .flat_map(|s| s.counts.iter().map(|&n| n as f64).chain(s.published.map(|p| p[2])))
        .fold(0.0, f64::max);
    let mut figures = Vec::new();
    for s in &all {
        let data = Counts { counts: &s.counts, published: s.published, highest };
        let subtitle = format!("mean {}, {} to {}", Cell::new(s.mean, None, 0).text, count(s.min), count(s.max));
        let drawing = counts(&data, &format!("Contacts of {} in {scene}", name(s)));
        figures.push(figure("panel", &name(s), &subtitle, drawing));
    }
    let columns = ["Mean", "Fewest", "Most", "Deviation"].map(Column::plain);
    let row = |s: &&Statistics| {
        let ours = [(s.mean, 1), (s.min as f64, 0), (s.max as f64, 0), (s.deviation, 1)];
        let cell =
            |(k, (value, digits)): (usize, (f64, usize))| Some(Cell::new(value, s.published.map(|p| p[k]), digits));
        (name(s), ours.into_iter().enumerate().map(cell).collect())
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    let steps = all.iter().map(|s| s.counts.len()).max().unwrap_or(0);
    let every = (steps / 20).max(1);
    let heads: Vec<String> = std::iter::once("Step".to_owned()).chain(all.iter().map(|s| name(s))).collect();
    let line = |step: usize| {
        let cell = |s: &&Statistics| s.counts.get(step - 1).map_or("–".into(), ToString::to_string);
        std::iter::once(step.to_string()).chain(all.iter().map(cell)).collect::<Vec<_>>()
    };
    let lines: Vec<_> = (1..=steps).filter(|step| *step == 1 || step % every == 0).map(line).collect();
    let caption = format!("Contacts in each of {steps} steps, measured and published (table 6)");
    let has_published = all.iter().any(|s| s.published.is_some());
    let numbers = table("Contacts in every so many steps; all are in counts.csv", &heads, &lines);
    html! {
        h3 { "Contacts over time" }
        @if has_published { p { "Band and dashed line: published range and mean." } }
        div class="grid" { @for figure in figures { (figure) } }
        (matrix(&caption, &columns, &rows, false))
        (details("Numbers", numbers))
    }
}
