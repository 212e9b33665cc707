//! Pictures of contacts in rows.

use maud::{Markup, html};

use super::judgement;
use crate::assessment::{Rendered, Report, method_title};
use crate::markup::figure;
use crate::number::count;
use crate::picture::{Picture, draw};
use crate::study::StudyKind;

/// The pictures of a scene that stand with it, one a method.
pub fn of_scene(report: &Report<'_>, scene: &str) -> Markup {
    let chosen = report.pictures.iter().filter(|p| p.study.is_none() && p.scene.name == scene);
    grid(report, chosen, |p| method_title(p.method))
}

/// The pictures of a study.
pub fn of_study(report: &Report<'_>, study: StudyKind) -> Markup {
    let chosen = report.pictures.iter().filter(|p| p.study == Some(study));
    grid(report, chosen, |p| format!("{}, {}", method_title(p.method), super::studies::value(study, p.parameter)))
}

/// The pictures of a scene that were drawn elsewhere, one a method.
pub fn rendered(report: &Report<'_>, scene: &str) -> Markup {
    let of_scene = || report.rendered.iter().filter(|p| p.scene == scene);
    let one = |picture: &Rendered| {
        let title = method_title(&picture.method);
        let [width, height] = picture.size;
        let alt = format!("Bodies of {scene}, moved apart, with the contacts of {title}");
        let image = html! {
            a href=(picture.file) { img src=(picture.file) width=(width) height=(height) loading="lazy" alt=(alt); }
        };
        figure("panel", &title, &format!("step {}", picture.step), image)
    };
    html! {
        @if of_scene().next().is_some() {
            h3 { "In the viewer" }
            div class="grid" { @for picture in of_scene() { (one(picture)) } }
        }
    }
}

fn grid<'a>(
    report: &Report<'_>,
    pictures: impl Iterator<Item = &'a Picture<'a>>,
    name: impl Fn(&Picture<'_>) -> String,
) -> Markup {
    let (truth, tolerance) = judgement(report);
    let mut class = "plain";
    let mut figures = Vec::new();
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
        figures.push(figure("panel", &title, &text, drawn.svg));
    }
    html! {
        @if !figures.is_empty() {
            (key())
            div class={ "grid " (class) } { @for figure in figures { (figure) } }
        }
    }
}

/// What the marks mean.
fn key() -> Markup {
    let mark = |content: Markup| {
        html! { svg width="30" height="14" viewBox="0 0 30 14" aria-hidden="true" { (content) } }
    };
    html! {
        p class="marks" {
            (mark(html! { path class="normal right" d="M6 8L26 4" {} path class="spot right" d="M6 8h0" {} }))
            " expected normal "
            (mark(html! {
                path class="normal wrong" d="M6 8L26 4" {}
                path class="spot wrong" d="M6 8h0" {}
                path class="hollow-spot" d="M6 8h0" {}
            }))
            " any other "
            em { "Bodies are moved apart; ground is cut at the edge of the picture." }
        }
    }
}
