//! Files that include others: one tree of elements is made of all.

use std::path::{Path, PathBuf};

use super::super::element::{Element, MAXIMUM_DEPTH, MAXIMUM_ELEMENTS};
use super::super::error::{TreeError, TreeProblem};
use super::super::folder;

/// What was included so far.
pub struct Included<'a> {
    /// The folder of the main file, from which names of files count.
    main: &'a Path,
    /// The main file and all others, each at most once.
    pub files: Vec<PathBuf>,
    elements: usize,
}

impl<'a> Included<'a> {
    /// Nothing but the main file.
    pub fn new(path: &'a Path) -> Self {
        Self { main: folder(path), files: vec![path.to_owned()], elements: 0 }
    }

    /// Puts the children of included files where they are included.
    pub fn resolve(&mut self, mut element: Element, depth: usize) -> Result<Element, TreeError> {
        if depth >= MAXIMUM_DEPTH {
            return Err(element.error("", TreeProblem::TooDeep));
        }
        self.elements += 1;
        if self.elements > MAXIMUM_ELEMENTS {
            return Err(element.error("", TreeProblem::TooMany));
        }
        for child in std::mem::take(&mut element.children) {
            if child.name == "include" {
                let root = self.read(&child)?;
                element.children.extend(self.resolve(root, depth + 1)?.children);
            } else {
                element.children.push(self.resolve(child, depth + 1)?);
            }
        }
        Ok(element)
    }

    fn read(&mut self, include: &Element) -> Result<Element, TreeError> {
        include.only(&[&["file"]])?;
        let name = include.required("file")?;
        let beside = folder(&include.file).join(name);
        let path = [self.main.join(name), beside].into_iter().find(|path| path.is_file());
        let path = path.unwrap_or_else(|| self.main.join(name));
        if self.files.contains(&path) {
            let text = format!("{} is included twice; a file can be included once", path.display());
            return Err(include.error("file", TreeProblem::Wrong(text)));
        }
        self.files.push(path.clone());
        let root = Element::read(&path)?;
        if !matches!(root.name.as_str(), "mujoco" | "mujocoinclude") {
            return Err(root.error("", TreeProblem::Root(root.name.clone())));
        }
        Ok(root)
    }
}
