//! A table of methods by columns whose cells hold our value and, small, the published one.

use crate::assessment::comparison::Cell;
use crate::markup::{anchor, escape};

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
pub fn matrix(caption: &str, columns: &[Column], rows: &[(String, Vec<Option<Cell>>)], is_coloured: bool) -> String {
    let class = if is_coloured { "matrix heat" } else { "matrix" };
    let mut out = format!("<div class=\"scroll\"><table class=\"{class}\"><caption>{}</caption>", escape(caption));
    out.push_str("<thead><tr><th scope=\"col\">Method</th>");
    for column in columns {
        let title = escape(&column.title);
        out.push_str(&match &column.target {
            Some(target) => format!("<th scope=\"col\"><a href=\"#{target}\">{title}</a></th>"),
            None => format!("<th scope=\"col\">{title}</th>"),
        });
    }
    out.push_str("</tr></thead><tbody>");
    for (label, cells) in rows {
        out.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(label)));
        for (k, cell) in cells.iter().enumerate() {
            let target = columns.get(k).and_then(|c| c.target.as_deref()).filter(|_| is_coloured);
            out.push_str(&self::cell(cell.as_ref(), is_coloured, target));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn cell(cell: Option<&Cell>, is_coloured: bool, target: Option<&str>) -> String {
    let Some(cell) = cell else {
        return "<td class=\"none\">–</td>".into();
    };
    let differs = cell.agrees == Some(false);
    let mut classes = Vec::new();
    if is_coloured {
        classes.push(shade(cell.value));
    }
    if differs {
        classes.push("differs");
    }
    let class = if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
    let sign = if differs { "<i title=\"differs from the published value\">≠</i>" } else { "" };
    let beside = cell.printed.as_ref().map(|p| format!("<small>{sign}{}</small>", escape(p))).unwrap_or_default();
    let content = format!("<b>{}</b>{beside}", escape(&cell.text));
    match target {
        Some(target) => format!("<td{class}><a href=\"#{target}\">{content}</a></td>"),
        None => format!("<td{class}>{content}</td>"),
    }
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
pub fn key() -> String {
    let shades = [
        ("q0", "0"),
        ("q1", "> 0"),
        ("q2", "≥ 25"),
        ("q3", "≥ 50"),
        ("q4", "≥ 75"),
        ("q5", "100 %"),
        ("over", "> 105"),
    ];
    let boxes: String = shades.iter().map(|(class, text)| format!("<span class=\"{class}\">{text}</span>")).collect();
    format!(
        "<p class=\"key\">{boxes} <em>Large: measured. Small: as published. <i>≠</i> differs at the printed digit; \
         (*) the paper found no contacts; – not run; \
         hatched: an area too large, from contacts outside of their interface.</em></p>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_differ_are_marked_and_link_to_their_scene() {
        let columns = [Column::of_scene("a & b"), Column::plain("n")];
        let rows = vec![("m".into(), vec![Some(Cell::new(50.0, Some(25.0), 1)), None])];
        let text = matrix("c", &columns, &rows, true);
        let document = roxmltree::Document::parse(&text).unwrap();
        let cell = document.descendants().find(|n| n.has_tag_name("td")).unwrap();
        assert_eq!(cell.attribute("class"), Some("q3 differs"));
        assert!(text.contains("href=\"#scene-a---b\"") && text.contains("≠</i>25.0"));
        assert!(!matrix("c", &columns, &rows, false).contains("q3"));
        assert!(matrix("c", &columns, &rows, true).contains(">–</td>"));
    }

    #[test]
    fn a_hundred_is_a_shade_of_its_own() {
        assert_eq!([0.0, 10.0, 99.9, 100.0, 229.0, f64::NAN].map(shade), ["q0", "q1", "q4", "q5", "over", "q0"]);
    }
}
