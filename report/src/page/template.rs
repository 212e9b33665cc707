//! The page around its data.

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Fills the page; everything but `data` is markup.
pub fn fill(title: &str, notes: &str, data: &str) -> String {
    let program = concat!("Drystone ", env!("CARGO_PKG_VERSION"));
    let values = [
        ("title", title),
        ("style", STYLE),
        ("notes", notes),
        ("program", program),
        ("data", data),
        ("script", SCRIPT),
    ];
    let mut page = String::with_capacity(FRAME.len() + STYLE.len() + SCRIPT.len() + data.len() + notes.len());
    let mut rest = FRAME;
    // What is filled in is not looked into again: it may hold anything.
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        page.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    page + rest
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
    fn every_place_is_filled_once_and_what_is_filled_in_stays_as_it_is() {
        let page = fill("T", "<p>N</p>", "{\"name\": \"{{script}} {{data}}\"}");
        assert!(page.contains("<title>T</title>") && page.contains("<p>N</p>") && page.ends_with("</html>\n"));
        assert!(page.contains("{\"name\": \"{{script}} {{data}}\"}"));
        assert_eq!(page.matches("Made by \"npm ci").count(), 1);
    }
}
