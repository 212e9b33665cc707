//! A page of its own with the style of all reports.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("layout.css");

/// A page with the style of all reports around its content.
pub fn document(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (content) }
        }
        "\n"
    }
}
