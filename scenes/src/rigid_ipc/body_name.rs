//! Names of bodies: rigid-ipc has none, so they are called by their meshes, numbered from 1 where several share one.

use std::collections::{BTreeMap, BTreeSet};

use crate::scene_file::name;

/// The names that were given so far.
pub struct Names {
    /// How many bodies have this mesh.
    counts: BTreeMap<String, usize>,
    /// The last number behind this name.
    numbers: BTreeMap<String, usize>,
    given: BTreeSet<String>,
}

impl Names {
    /// For bodies with meshes of these names.
    pub fn of<'a>(stems: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = BTreeMap::new();
        stems.for_each(|stem| *counts.entry(stem.to_owned()).or_default() += 1);
        Self { counts, numbers: BTreeMap::new(), given: BTreeSet::new() }
    }

    /// The name of the next body, which has this mesh: one that no other has and that a scene file can hold.
    pub fn next(&mut self, stem: &str) -> String {
        let is_good = name::of_files(stem).is_ok();
        let base = if is_good { stem } else { "body" };
        let mut name = base.to_owned();
        let is_alone = is_good && self.counts.get(stem) == Some(&1);
        if !is_alone || self.given.contains(&name) {
            let number = self.numbers.entry(base.to_owned()).or_default();
            loop {
                *number += 1;
                name = format!("{base}-{number}");
                if !self.given.contains(&name) {
                    break;
                }
            }
        }
        self.given.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_has_its_own_name() {
        let stems = ["cube", "cube-2", "cube", "plane", "two\nlines", "cube-2-1", "cube"];
        let mut names = Names::of(stems.into_iter());
        let names = stems.map(|stem| names.next(stem));
        assert_eq!(names, ["cube-1", "cube-2", "cube-3", "plane", "body-1", "cube-2-1", "cube-4"]);
    }
}
