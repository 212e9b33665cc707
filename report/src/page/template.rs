//! The page around its data.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::layout::head;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What the page allows itself: what is in it, and nothing from outside.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

/// What a key does.
const KEYS: [(&str, &str); 10] = [
    ("Space", "play, pause"),
    ("← →", "one step back, forth"),
    ("Home End", "first, last step"),
    ("↑ ↓", "bodies apart, together"),
    ("M N", "next method, next scene"),
    ("C B", "next colours, next style of bodies"),
    ("P", "as in the paper"),
    ("F", "show all"),
    ("Esc", "close the contact"),
    ("?", "these keys"),
];

/// The page; `data` is JSON without `<`, so that it cannot end its element.
pub fn page(title: &str, notes: &[String], data: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, Some(POLICY), STYLE))
            body data-ready="false" {
                (stage())
                (time())
                aside {
                    header { h1 id="title" { (title) } p id="subtitle" {} }
                    (fields())
                    (facts())
                    (small_print(notes))
                }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
        "\n"
    }
}

/// Where the script draws, and what stands there where it cannot.
fn stage() -> Markup {
    let how =
        "Bodies and contacts; drag to turn, wheel to come nearer, right button to move, click a contact for its values";
    html! {
        main id="stage" aria-label=(how) {
            p id="no-picture" class="message" hidden {
                "This browser shows no 3D pictures (WebGL 2 is missing or switched off). Numbers, legend and time work all the same."
            }
            p id="empty" class="message" hidden { "There is nothing to show: no run has a moment." }
            p id="error" class="message" hidden { "Something went wrong in this page: " span id="error-text" {} }
            noscript { p class="message" { "This page is drawn by its script, and scripts are switched off." } }
        }
    }
}

fn time() -> Markup {
    html! {
        div id="time" {
            button type="button" id="play" title="Space" { "Play" }
            button type="button" id="back" aria-label="One step back" title="Arrow left" { "◂" }
            button type="button" id="forth" aria-label="One step forth" title="Arrow right" { "▸" }
            input type="range" id="slider" min="0" max="0" step="1" value="0" aria-label="Step";
            output id="step" {}
        }
    }
}

/// What is shown and how.
fn fields() -> Markup {
    let choices = [("Scene", "scene"), ("Method", "method"), ("Colours", "colour"), ("Bodies", "bodies")];
    html! {
        section class="fields" {
            @for (label, id) in choices {
                label class=[(id == "colour").then_some("of-contacts")] { (label) " " select id=(id) {} }
            }
            label class="of-contacts" {
                "Apart " output id="explode-value" {}
                input type="range" id="explode" min="0" max="2" step="0.05" value="0";
            }
            label class="of-contacts" { "Direction " select id="along" {} }
            label class="of-contacts" { "Marks " input type="range" id="marks" min="0.2" max="3" step="0.1" value="1"; }
            p {
                button type="button" id="paper" { "As in the paper" }
                button type="button" id="whole" { "Show all" }
            }
        }
    }
}

/// Where the script writes what colours mean, what a contact is, and the numbers of the step.
fn facts() -> Markup {
    html! {
        section id="legend" aria-live="polite" {}
        section id="contact" hidden {
            h2 { span id="contact-title" {} " " button type="button" id="close" aria-label="Close" { "×" } }
            dl id="contact-facts" {}
        }
        section { h2 { "This step" } dl id="numbers" {} }
    }
}

fn small_print(notes: &[String]) -> Markup {
    html! {
        section class="small" {
            p id="thinned" {}
            @for note in notes { p { (note) } }
            details id="help" {
                summary { "Keys" }
                dl { @for (key, meaning) in KEYS { div { dt { (key) } dd { (meaning) } } } }
            }
            details {
                summary { "What is shown" }
                p {
                    "Spheres are contacts, arrows their normals from body A to body B. Bodies that are apart show each contact \
                     twice: the arrow leaves A and arrives at B. Bodies stand where contacts were looked for, in the middle of a \
                     step; deformable surfaces where they are after it, and pale if they move as prescribed. The address holds the view: copy it to show somebody else exactly this."
                }
            }
            p {
                "Made by Drystone " (env!("CARGO_PKG_VERSION")) ". Drawn with " a href="https://threejs.org" { "three.js" }
                " (MIT), which is inside; nothing is loaded."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    /// CRC-32 of names and contents, each ended by a zero byte, as web/build.js computes it.
    fn digest(folder: &Path) -> u32 {
        let modules = std::fs::read_dir(folder.join("src")).unwrap().map(|entry| entry.unwrap().path());
        let modules = modules.filter(|path| path.extension().is_some_and(|e| e == "js"));
        let others = ["build.js", "package-lock.json", "package.json"].map(|name| folder.join(name));
        let mut paths: Vec<PathBuf> = modules.chain(others).collect();
        paths.sort();
        let mut hasher = crc32fast::Hasher::new();
        for path in paths {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            hasher.update(name.as_bytes());
            hasher.update(b"\0");
            hasher.update(&std::fs::read(&path).unwrap());
            hasher.update(b"\0");
        }
        hasher.finalize()
    }

    #[test]
    fn the_script_is_the_one_of_its_sources() {
        let (head, bundle) = SCRIPT.split_once('\n').unwrap();
        let sources = digest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("web"));
        let how = "make it again: cd report/web && npm ci && npm run build";
        assert!(
            head.contains(&format!("sources {sources:08x}")),
            "page.js is not of the sources in report/web/; {how}"
        );
        let own = crc32fast::hash(bundle.as_bytes());
        assert!(head.contains(&format!("bundle {own:08x}")), "page.js was changed by hand; {how}");
        assert!(bundle.starts_with("/*! Contains three.js") && bundle.contains("Permission is hereby granted"));
        assert!(!SCRIPT.to_lowercase().contains("</script"), "it would end its element");
    }

    #[test]
    fn words_are_escaped_and_the_data_stays_as_it_is() {
        let page = page("<T>", &["N & \"M\"".into()], "{\"name\": \"{{script}}\"}").into_string();
        assert!(page.contains("<title>&lt;T&gt;</title>") && page.contains("<p>N &amp; &quot;M&quot;</p>"));
        assert!(page.contains("id=\"data\">{\"name\": \"{{script}}\"}</script>"));
        assert_eq!(page.matches("Made by \"npm ci").count(), 1);
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    }
}
