//! Text inside markup.

/// Text as content or attribute value.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in XML, and nothing to see.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => out.push(c),
        }
    }
    out
}

/// A name as an id or the target of a link.
pub fn anchor(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

/// A table: first row and first column are headings; numbers are aligned by the style.
pub fn table(caption: &str, heads: &[String], rows: &[Vec<String>]) -> String {
    let mut out =
        format!("<div class=\"scroll\"><table class=\"data\"><caption>{}</caption><thead><tr>", escape(caption));
    for head in heads {
        out.push_str(&format!("<th scope=\"col\">{}</th>", escape(head)));
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (k, cell) in row.iter().enumerate() {
            let cell = escape(cell);
            out.push_str(&if k == 0 { format!("<th scope=\"row\">{cell}</th>") } else { format!("<td>{cell}</td>") });
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// Something that opens on demand.
pub fn details(summary: &str, content: &str) -> String {
    format!("<details><summary>{}</summary>{content}</details>\n", escape(summary))
}

/// A figure with its caption (text, then a smaller text) and its drawing.
pub fn figure(class: &str, title: &str, subtitle: &str, drawing: &str) -> String {
    format!(
        "<figure class=\"{class}\"><figcaption><b>{}</b> <span>{}</span></figcaption>{drawing}</figure>\n",
        escape(title),
        escape(subtitle)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("a<b> & \"c\" 'd'\u{0}"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(anchor("my scene/2"), "my-scene-2");
        let table = table("<x>", &["<h>".into()], &[vec!["&".into(), "<".into()]]);
        assert!(roxmltree::Document::parse(&table).is_ok());
    }
}
