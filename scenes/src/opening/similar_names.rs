//! The names that are most like one that nothing has, for errors: there are too many scenes to list them all.

use strsim::jaro_winkler;

/// So many names are listed.
const LISTED: usize = 6;

/// The names most like another one, those that hold it or are held by it first, and how many others there are.
pub fn similar_names(name: &str, known: &[&str]) -> String {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    let name = plain(name);
    let likeness = |known: &str| {
        let known = plain(known);
        let is_part = !name.is_empty() && (known.contains(&name) || name.contains(&known));
        jaro_winkler(&name, &known) + if is_part { 1.0 } else { 0.0 }
    };
    let mut all: Vec<(f64, &str)> = known.iter().map(|&known| (likeness(known), known)).collect();
    // Of those that are as like, the first.
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let listed: Vec<&str> = all.iter().take(LISTED).map(|&(_, known)| known).collect();
    match all.len() - listed.len() {
        0 => listed.join(", "),
        others => format!("{} and {others} others, which \"drystone scenes\" lists", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asynchronous;
    use crate::builtin::BuiltIn;

    #[test]
    fn the_name_that_was_meant_comes_first() {
        let all: Vec<&str> = BuiltIn::all().into_iter().map(BuiltIn::name).chain(asynchronous::NAMES).collect();
        for (name, meant) in [
            ("box-stak", "box-stack"),
            ("Box_Stack", "box-stack"),
            ("boxstack", "box-stack"),
            ("reef", "reef-knot"),
            ("reefknot", "reef-knot"),
            ("spike in hole", "spike-in-hole"),
            ("walls", "wall"),
        ] {
            assert!(
                similar_names(name, &all).starts_with(&format!("{meant}, ")),
                "{name}: {}",
                similar_names(name, &all)
            );
        }
        for name in ["", "\u{1b}[2J", "ß", &"x".repeat(5000)] {
            let listed = similar_names(name, &all);
            assert!(listed.ends_with("others, which \"drystone scenes\" lists") && listed.len() < 300, "{listed}");
        }
        assert_eq!(similar_names("c", &["a", "b"]), "a, b");
    }
}
