//! Perturbation, refinement and time step: sorted qualities, one line a value of the parameter (paper, sections 8.5 to 8.7).

use drystone_contact::generator::Method;
use drystone_scenes::study::Sample;
use maud::{Markup, html};

use super::complex::{decile_heads, deciles};
use super::matrix::{Column, matrix};
use super::{distinct, is_one_variant, label, notes, pictures};
use crate::assessment::comparison::Cell;
use crate::assessment::{About, Report, sentence};
use crate::chart::{Curve, sorted_curves, swatch};
use crate::markup::{details, figure, table};
use crate::number::{count, short};
use crate::study::{Study, StudyKind};

/// A part for every study.
pub fn sections(report: &Report<'_>) -> Markup {
    html! { @for study in report.studies { (section(report, study)) } }
}

fn section(report: &Report<'_>, study: &Study<'_>) -> Markup {
    let kind = study.kind;
    let is_one = is_one_variant(study.samples.iter().map(|s| Some(s.method.variant())));
    let scenes = distinct(study.samples.iter().map(|s| s.scene.as_str()));
    let steps = distinct(study.samples.iter().map(|s| s.step.to_string())).join(", ");
    let mut parameters = distinct(study.samples.iter().map(|s| s.parameter));
    parameters.sort_by(f64::total_cmp);
    let runs = distinct(study.samples.iter().map(|s| (s.scene.as_str(), s.method.clone())));
    let name = |run: &(&str, Method)| {
        let label = label(run.1.name(), Some(run.1.variant()), is_one);
        if scenes.len() > 1 { format!("{label} in {}", run.0) } else { label }
    };
    let find = |run: &(&str, Method), parameter: f64| -> Option<&Sample> {
        study
            .samples
            .iter()
            .find(|s| (s.scene.as_str(), &s.method) == (run.0, &run.1) && s.parameter.total_cmp(&parameter).is_eq())
    };
    let (mut figures, mut numbers) = (Vec::new(), Vec::new());
    for run in &runs {
        let curve = |p: &f64| {
            let values = find(run, *p).map_or(&[][..], |s| &s.qualities);
            Curve { label: value(kind, *p), values }
        };
        let curves: Vec<Curve<'_>> = parameters.iter().map(curve).collect();
        let drawing = sorted_curves(&curves, "Q", &format!("Q of {} over {}", name(run), kind.name()));
        let counts: Vec<String> =
            parameters.iter().map(|p| find(run, *p).map_or("–".into(), |s| count(s.contacts))).collect();
        figures.push(figure("panel", &name(run), &format!("{} contacts", counts.join(", ")), drawing));
        numbers.extend(curves.iter().map(|c| deciles(&format!("{}, {}", name(run), c.label), c.values)));
    }
    let columns: Vec<Column> = parameters.iter().map(|p| Column::plain(&value(kind, *p))).collect();
    let row = |run: &(&str, Method), of: &dyn Fn(&Sample) -> Cell| {
        (name(run), parameters.iter().map(|p| find(run, *p).map(of)).collect::<Vec<_>>())
    };
    let share = |s: &Sample| Cell::new(100.0 * s.matching as f64 / s.contacts.max(1) as f64, None, 1);
    let contacts = |s: &Sample| Cell::new(s.contacts as f64, None, 0);
    let rows = |of: &dyn Fn(&Sample) -> Cell| runs.iter().map(|run| row(run, of)).collect::<Vec<_>>();
    let caption = "Q at shares of the contacts, in descending order";
    html! {
        section id={ "study-" (kind.name()) } {
            h2 { (sentence(kind.name())) }
            p { (introduction(kind)) }
            @if !scenes.is_empty() {
                p {
                    (sentence(&scenes.join(", "))) ", contacts of time step " (steps) ". A normal is right within the tolerance; \
                    tilts of a few degrees hardly show in the curves, but do in the table below them."
                }
            }
            ul class="legend" {
                @for (k, parameter) in parameters.iter().enumerate() { li { (swatch(k)) (value(kind, *parameter)) } }
            }
            div class="grid" { @for figure in figures { (figure) } }
            @if !runs.is_empty() {
                (matrix("Contacts with an expected normal (%)", &columns, &rows(&share), true))
                (matrix("Contacts", &columns, &rows(&contacts), false))
                (details("Numbers", table(caption, &decile_heads(), &numbers)))
            }
            (pictures::of_study(report, kind))
            (notes::about(report, About::Study(kind)))
        }
    }
}

/// A value of the parameter with its name and unit.
pub fn value(kind: StudyKind, parameter: f64) -> String {
    match kind {
        StudyKind::Perturbation if parameter == 0.0 => "no noise".into(),
        StudyKind::Perturbation => format!("± {} m", short(parameter)),
        StudyKind::Refinement if parameter == 0.0 => "as built".into(),
        StudyKind::Refinement => format!("level {}", short(parameter)),
        StudyKind::TimeStep => format!("{} s", short(parameter)),
    }
}

fn introduction(kind: StudyKind) -> &'static str {
    match kind {
        StudyKind::Perturbation => {
            "Every body is shifted at random along x and z. Noise breaks the exact meeting of vertices with vertices and of \
             parallel edges. The paper finds that every method gains from it, growth distance most."
        }
        StudyKind::Refinement => {
            "The same solids with finer meshes. The paper reads off its curves a little more than 90 % right normals for most \
             opposing, close to 70 % for growth distance, only 30 % for closest points."
        }
        StudyKind::TimeStep => {
            "The same motion with shorter and longer steps: longer ones let bodies sink in deeper before they are looked at. \
             The paper finds growth distance highly sensitive."
        }
    }
}
