//! Parts of pages that come up again and again: tables, figures, what opens on demand.

use maud::{Markup, Render, html};

/// A name as an id or the target of a link.
pub fn anchor(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

/// A table: first row and first column are headings; numbers are aligned by the style.
pub fn table(caption: &str, heads: &[String], rows: &[Vec<String>]) -> Markup {
    html! {
        div class="scroll" {
            table class="data" {
                caption { (caption) }
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (k, cell) in row.iter().enumerate() {
                                @if k == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Something that opens on demand.
pub fn details(summary: &str, content: impl Render) -> Markup {
    html! { details { summary { (summary) } (content) } }
}

/// A figure with its caption (text, then a smaller text) and its drawing.
pub fn figure(class: &str, title: &str, subtitle: &str, drawing: impl Render) -> Markup {
    html! { figure class=(class) { figcaption { b { (title) } " " span { (subtitle) } } (drawing) } }
}

/// A page as XML: the elements without content that HTML leaves open are closed.
#[cfg(test)]
pub fn xml(page: &str) -> String {
    let mut rest = page.trim_start_matches("<!DOCTYPE html>");
    let mut out = String::new();
    while let Some(at) = ["<meta ", "<img "].into_iter().filter_map(|element| rest.find(element)).min() {
        let end = at + rest[at..].find('>').unwrap();
        out.push_str(&rest[..end]);
        out.push_str("/>");
        rest = &rest[end + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(anchor("my scene/2"), "my-scene-2");
        let table = table("<x>", &["<h> \"q\"".into()], &[vec!["&".into(), "<".into()]]).into_string();
        assert!(roxmltree::Document::parse(&table).is_ok());
        assert!(table.contains("<caption>&lt;x&gt;</caption>") && table.contains("<td>&lt;</td>"), "{table}");
        assert!(figure("a\"b", "<t>", "", &table).into_string().starts_with("<figure class=\"a&quot;b\">"));
    }
}
