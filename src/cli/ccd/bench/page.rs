//! The page of a run.

use drystone::contact::continuous::Settings;

use super::Results;

/// The page.
pub fn page(_results: &Results, _settings: &Settings) -> String {
    String::new()
}
