//! A page of its own with the style of all reports.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("layout.css");

/// The head of a page that follows light and dark, with its content security policy where it has one.
pub fn head(title: &str, policy: Option<&str>, style: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            @if let Some(policy) = policy {
                meta http-equiv="Content-Security-Policy" content=(policy);
            }
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// A page with the style of all reports around its content.
pub fn document(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, None, STYLE))
            body { (content) }
        }
        "\n"
    }
}
