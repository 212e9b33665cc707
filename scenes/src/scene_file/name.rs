//! Checks of names.

use super::error::SceneFileProblem;

/// The characters that part the folders of a path, on any system.
const PATH_SEPARATORS: [char; 2] = ['/', '\\'];

/// A name that people can see: not blank, and without control characters.
pub fn visible(name: &str) -> Result<(), SceneFileProblem> {
    if name.trim().is_empty() {
        return Err(wrong("a name with at least one character that is not blank", name));
    }
    if name.contains(char::is_control) {
        return Err(wrong("a name without line breaks, tabs and other control characters", name));
    }
    Ok(())
}

/// A visible name that can be a part of a file's name, as reports use the names of scenes and bodies.
pub fn of_files(name: &str) -> Result<(), SceneFileProblem> {
    visible(name)?;
    if name.contains(PATH_SEPARATORS) || matches!(name, "." | "..") {
        return Err(wrong("a name without `/` and `\\` and not `.` or `..`, as files are named by it", name));
    }
    Ok(())
}

/// The name as a Rust literal, so that the message stays in its line.
fn wrong(must: &'static str, name: &str) -> SceneFileProblem {
    SceneFileProblem::Value { must, found: format!("{name:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_language_may_have_spaces_and_dots() {
        for good in ["spike", "Straße 7", "v1.2", "…", "\"quoted\"", "a:b", " x "] {
            visible(good).unwrap();
            of_files(good).unwrap();
        }
    }

    #[test]
    fn what_cannot_be_seen_is_no_name() {
        for bad in ["", " ", "\t", "\u{a0}\u{2003}", "two\nlines", "bell\u{7}", "\u{1b}[31m", "delete\u{7f}", "\0"] {
            let message = visible(bad).unwrap_err().to_string();
            assert!(!message.contains(char::is_control), "{message}");
            assert!(of_files(bad).is_err());
        }
    }

    #[test]
    fn what_leads_to_other_folders_is_no_name_of_files() {
        for bad in ["/", "a/b", "../a", "a\\b", ".", ".."] {
            visible(bad).unwrap();
            assert!(of_files(bad).unwrap_err().to_string().contains("`/`"), "{bad}");
        }
    }
}
