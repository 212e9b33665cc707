//! Pictures of contacts in rows.

use super::judgement;
use crate::assessment::{Picture, Report, StudyKind, method_title};
use crate::markup::{escape, figure};
use crate::number::count;
use crate::picture::draw;

/// The pictures of a scene that stand with it, one a method.
pub fn of_scene(report: &Report<'_>, scene: &str) -> String {
    let chosen = report.pictures.iter().filter(|p| p.study.is_none() && p.scene.name == scene);
    grid(report, chosen, |p| method_title(p.method.name()))
}

/// The pictures of a study.
pub fn of_study(report: &Report<'_>, study: StudyKind) -> String {
    let chosen = report.pictures.iter().filter(|p| p.study == Some(study));
    grid(report, chosen, |p| {
        format!("{}, {}", method_title(p.method.name()), super::studies::value(study, p.parameter))
    })
}

/// The pictures of a scene that were drawn elsewhere, one a method.
pub fn rendered(report: &Report<'_>, scene: &str) -> String {
    let mut figures = String::new();
    for picture in report.rendered.iter().filter(|p| p.scene == scene) {
        let title = method_title(&picture.method);
        let file = escape(&picture.file);
        let image = format!(
            "<a href=\"{file}\"><img src=\"{file}\" width=\"{}\" height=\"{}\" loading=\"lazy\" alt=\"{}\"/></a>",
            picture.size[0],
            picture.size[1],
            escape(&format!("Bodies of {scene}, moved apart, with the contacts of {title}"))
        );
        figures.push_str(&figure("panel", &title, &format!("step {}", picture.step), &image));
    }
    if figures.is_empty() { figures } else { format!("<h3>In the viewer</h3>\n<div class=\"grid\">{figures}</div>\n") }
}

fn grid<'a>(
    report: &Report<'_>,
    pictures: impl Iterator<Item = &'a Picture<'a>>,
    name: impl Fn(&Picture<'_>) -> String,
) -> String {
    let (truth, tolerance) = judgement(report);
    let mut class = "plain";
    let mut figures = String::new();
    for picture in pictures {
        let title = name(picture);
        let drawn = draw(picture, truth, tolerance, &format!("Contacts of {title} in {}", picture.scene.name));
        class = drawn.class;
        let mut text = match (drawn.right, drawn.contacts - drawn.right) {
            (0, 0) => "no contacts".into(),
            (right, 0) => format!("{} right", count(right)),
            (right, wrong) => format!("{} right, {} wrong", count(right), count(wrong)),
        };
        if drawn.drawn < drawn.contacts {
            text.push_str(&format!(" ({} drawn)", count(drawn.drawn)));
        }
        figures.push_str(&figure("panel", &title, &text, &drawn.svg));
    }
    if figures.is_empty() { figures } else { format!("{KEY}<div class=\"grid {class}\">{figures}</div>\n") }
}

const KEY: &str = "<p class=\"marks\"><svg width=\"30\" height=\"14\" viewBox=\"0 0 30 14\" aria-hidden=\"true\">\
    <path class=\"normal right\" d=\"M6 8L26 4\"/><path class=\"spot right\" d=\"M6 8h0\"/></svg> expected normal \
    <svg width=\"30\" height=\"14\" viewBox=\"0 0 30 14\" aria-hidden=\"true\"><path class=\"normal wrong\" d=\"M6 8L26 4\"/>\
    <path class=\"spot wrong\" d=\"M6 8h0\"/><path class=\"hollow-spot\" d=\"M6 8h0\"/></svg> any other \
    <em>Bodies are moved apart; ground is cut at the edge of the picture.</em></p>\n";
