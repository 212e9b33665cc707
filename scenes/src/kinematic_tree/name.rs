//! Names of bodies and joints: those of the file, with numbers where they would be alike or blank.

use std::collections::{BTreeMap, BTreeSet};

use crate::scene_file::name;

/// The names that were given so far.
#[derive(Debug, Default)]
pub struct Names {
    given: BTreeSet<String>,
    /// The last number behind this name.
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// A name that no other has and that a scene file can hold: this one, if it is such.
    pub fn next(&mut self, wished: &str) -> String {
        let is_good = name::of_files(wished).is_ok();
        let base = if is_good { wished } else { "unnamed" };
        let mut name = base.to_owned();
        while self.given.contains(&name) {
            let number = self.numbers.entry(base.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{base} {number}");
        }
        self.given.insert(name.clone());
        name
    }
}
