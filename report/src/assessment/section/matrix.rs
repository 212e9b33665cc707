//! A table of methods by columns whose cells hold our value and, small, the published one.

use maud::{Markup, Render, html};

use crate::assessment::comparison::Cell;
use crate::markup::anchor;

/// A column: its name and the section that it links to, if any.
pub struct Column {
    /// What stands at its head.
    pub title: String,
    /// The id of a section of the page.
    pub target: Option<String>,
}

impl Column {
    /// A column of a scene, linked to the scene's section.
    pub fn of_scene(scene: &str) -> Self {
        Column { title: crate::assessment::sentence(scene), target: Some(format!("scene-{}", anchor(scene))) }
    }

    /// A column without link.
    pub fn plain(title: &str) -> Self {
        Column { title: title.into(), target: None }
    }
}

/// The table; coloured cells are shares in per cent, 0 bad, 100 good.
pub fn matrix(caption: &str, columns: &[Column], rows: &[(String, Vec<Option<Cell>>)], is_coloured: bool) -> Markup {
    let target = |k: usize| columns.get(k).and_then(|column| column.target.as_deref()).filter(|_| is_coloured);
    html! {
        div class="scroll" {
            table class=(if is_coloured { "matrix heat" } else { "matrix" }) {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "Method" }
                        @for column in columns { th scope="col" { (linked(column.target.as_deref(), &column.title)) } }
                    }
                }
                tbody {
                    @for (label, cells) in rows {
                        tr {
                            th scope="row" { (label) }
                            @for (k, cell) in cells.iter().enumerate() { (self::cell(cell.as_ref(), is_coloured, target(k))) }
                        }
                    }
                }
            }
        }
    }
}

/// Content that leads to a section of the page, if there is one.
fn linked(target: Option<&str>, content: impl Render) -> Markup {
    html! { @if let Some(target) = target { a href={ "#" (target) } { (content) } } @else { (content) } }
}

fn cell(cell: Option<&Cell>, is_coloured: bool, target: Option<&str>) -> Markup {
    let Some(cell) = cell else {
        return html! { td class="none" { "–" } };
    };
    let differs = cell.agrees == Some(false);
    let classes: Vec<&str> =
        is_coloured.then(|| shade(cell.value)).into_iter().chain(differs.then_some("differs")).collect();
    let class = (!classes.is_empty()).then(|| classes.join(" "));
    let content = html! {
        b { (cell.text) }
        @if let Some(printed) = &cell.printed {
            small { @if differs { i title="differs from the published value" { "≠" } } (printed) }
        }
    };
    html! { td class=[class] { (linked(target, content)) } }
}

/// One of six shades for a share in per cent.
fn shade(value: f64) -> &'static str {
    match value {
        // Of areas: contacts outside of their interface.
        v if v >= 105.0 => "over",
        v if v >= 99.95 => "q5",
        v if v >= 75.0 => "q4",
        v if v >= 50.0 => "q3",
        v if v >= 25.0 => "q2",
        v if v >= 0.05 => "q1",
        _ => "q0",
    }
}

/// What the shades mean.
pub fn key() -> Markup {
    let shades = [
        ("q0", "0"),
        ("q1", "> 0"),
        ("q2", "≥ 25"),
        ("q3", "≥ 50"),
        ("q4", "≥ 75"),
        ("q5", "100 %"),
        ("over", "> 105"),
    ];
    html! {
        p class="key" {
            @for (class, text) in shades { span class=(class) { (text) } }
            " "
            em {
                "Large: measured. Small: as published. " i { "≠" } " differs at the printed digit; (*) the paper found no contacts; \
                 – not run; hatched: an area too large, from contacts outside of their interface."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_differ_are_marked_and_link_to_their_scene() {
        let columns = [Column::of_scene("a & b"), Column::plain("n")];
        let rows = vec![("m".into(), vec![Some(Cell::new(50.0, Some(25.0), 1)), None])];
        let text = matrix("c", &columns, &rows, true).into_string();
        let document = roxmltree::Document::parse(&text).unwrap();
        let cell = document.descendants().find(|n| n.has_tag_name("td")).unwrap();
        assert_eq!(cell.attribute("class"), Some("q3 differs"));
        assert!(text.contains("href=\"#scene-a---b\"") && text.contains("≠</i>25.0"));
        assert!(text.contains(">–</td>"));
        assert!(!matrix("c", &columns, &rows, false).into_string().contains("q3"));
    }

    #[test]
    fn a_hundred_is_a_shade_of_its_own() {
        assert_eq!([0.0, 10.0, 99.9, 100.0, 229.0, f64::NAN].map(shade), ["q0", "q1", "q4", "q5", "over", "q0"]);
    }
}
