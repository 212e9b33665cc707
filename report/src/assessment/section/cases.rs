//! The scenes of the rows, one by one: pictures and numbers.

use drystone_scenes::assessment::Row;
use maud::{Markup, html};

use super::{distinct, is_one_variant, label, pictures, tables};
use crate::assessment::{Report, sentence};
use crate::markup::{anchor, details, table};

/// A part for every scene.
pub fn section(report: &Report<'_>) -> Markup {
    let elsewhere = super::complex::scenes(report);
    let scenes = distinct(report.rows.iter().map(|r| r.scene.as_str()).filter(|s| !elsewhere.contains(s)));
    let rows = |scene: &str| report.rows.iter().filter(|r| r.scene == scene).collect::<Vec<_>>();
    html! {
        @if !scenes.is_empty() {
            section id="cases" {
                h2 { "Case by case" }
                @for scene in scenes {
                    article id={ "scene-" (anchor(scene)) } {
                        h3 { (sentence(scene)) }
                        @if let Some(picture) = report.pictures.iter().find(|p| p.scene.name == scene) {
                            p { (picture.scene.title) }
                        }
                        (pictures::of_scene(report, scene))
                        (pictures::rendered(report, scene))
                        (details(&format!("Numbers of {scene}"), numbers(scene, &rows(scene))))
                    }
                }
            }
        }
    }
}

fn numbers(scene: &str, rows: &[&Row]) -> Markup {
    let mut heads = vec!["Method".to_owned(), "step".into(), "contacts".into(), "right".into()];
    for measure in tables::measures() {
        heads.push(measure.name.into());
        heads.push("published".into());
    }
    heads.extend(["minimal number", "corners at the pose", "wrong by, median (°)"].map(str::to_owned));
    let is_one = is_one_variant(rows.iter().map(|r| r.variant.as_deref()));
    let line = |row: &&Row| {
        let score = &row.score;
        let mut cells = vec![label(&row.method, row.variant.as_deref(), is_one), row.step.to_string()];
        cells.extend([score.contacts.to_string(), score.matching.to_string()]);
        for measure in tables::measures() {
            let cell = measure.cell(row);
            cells.extend([cell.text, cell.printed.unwrap_or_else(|| "–".into())]);
        }
        let angle = score.wrong.angles.map_or("–".into(), |a| format!("{:.1}", a[2]));
        cells.extend([score.minimum.to_string(), row.minimum_at_pose.to_string(), angle]);
        cells
    };
    table(
        &format!("{} (coverage and quality in %)", sentence(scene)),
        &heads,
        &rows.iter().map(line).collect::<Vec<_>>(),
    )
}
