//! Elements of an XML file, with their attributes checked as they are taken.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use roxmltree::{Document, Node, ParsingOptions};

use super::error::{Place, TreeError, TreeProblem};
use crate::scene_file::MAXIMUM_COMPONENT;

/// The largest file that is read, bytes.
pub const MAXIMUM_SIZE: u64 = 64 << 20;

/// Elements are nested at most so deep.
pub const MAXIMUM_DEPTH: usize = 200;

/// A file, with what it includes, has at most so many elements.
pub const MAXIMUM_ELEMENTS: usize = 1_000_000;

/// Longest value that an error quotes, in characters.
const QUOTED: usize = 60;

/// An element, with the place where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    pub file: Arc<Path>,
    /// From 1.
    pub line: u32,
}

impl Element {
    /// The root element of a file.
    pub fn read(file: &Path) -> Result<Self, TreeError> {
        let io = |cause| TreeError::of_file(file, TreeProblem::Io(cause));
        let length = std::fs::metadata(file).map_err(io)?.len();
        if length > MAXIMUM_SIZE {
            return Err(TreeError::of_file(file, TreeProblem::TooLong(length)));
        }
        Self::parse(&std::fs::read_to_string(file).map_err(io)?, file)
    }

    /// The root element of a text that stands in `file`.
    pub fn parse(text: &str, file: &Path) -> Result<Self, TreeError> {
        let nodes_limit = u32::try_from(4 * MAXIMUM_ELEMENTS).unwrap_or(u32::MAX);
        let options = ParsingOptions { allow_dtd: false, nodes_limit, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| {
            let position = error.pos();
            let problem = match error {
                roxmltree::Error::DtdDetected => TreeProblem::DocumentType,
                roxmltree::Error::NodesLimitReached => TreeProblem::TooMany,
                error => {
                    // The parser repeats the place at the end of its message.
                    let said = error.to_string();
                    let message = said.split(" at ").next().unwrap_or_default().replace(char::is_control, "?");
                    TreeProblem::Syntax { column: position.col, message }
                }
            };
            TreeError::new(Place { file: file.into(), line: position.row, what: "the text".into() }, problem)
        })?;
        // The parser counts lines from the beginning for every place that it is asked for.
        let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        Self::of(document.root_element(), &Source { file: file.into(), starts }, 0)
    }

    fn of(node: Node, source: &Source, depth: usize) -> Result<Self, TreeError> {
        let mut element = Self {
            name: node.tag_name().name().to_owned(),
            attributes: node.attributes().map(|a| (a.name().to_owned(), a.value().to_owned())).collect(),
            children: Vec::new(),
            file: Arc::clone(&source.file),
            line: source.line(node.range().start),
        };
        if depth >= MAXIMUM_DEPTH {
            return Err(element.error("", TreeProblem::TooDeep));
        }
        let children = node.children().filter(Node::is_element);
        element.children = children.map(|child| Self::of(child, source, depth + 1)).collect::<Result<_, _>>()?;
        Ok(element)
    }

    /// The children of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The one child of a name, if there is one.
    ///
    /// # Errors
    /// There are several.
    pub fn one(&self, name: &str) -> Result<Option<&Element>, TreeError> {
        let mut all = self.children.iter().filter(|child| child.name == name);
        match (all.next(), all.next()) {
            (_, Some(second)) => {
                let text = format!("there is more than one <{name}> in <{}>; keep one", self.name);
                Err(second.error("", TreeProblem::Wrong(text)))
            }
            (first, None) => Ok(first),
        }
    }

    /// The value of an attribute.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The value of an attribute that must be there.
    pub fn required(&self, key: &str) -> Result<&str, TreeError> {
        self.text(key).ok_or_else(|| self.error(key, wrong("given", "nothing")))
    }

    /// The place of an attribute, or of the element itself if the key is empty.
    pub fn place(&self, key: &str) -> Place {
        let key_of_name = if self.name == "default" { "class" } else { "name" };
        let name = self.text(key_of_name).map(|name| format!(" \"{}\"", quoted(name)));
        let key = if key.is_empty() { String::new() } else { format!(", {key}") };
        let what = format!("<{}>{}{key}", self.name, name.unwrap_or_default());
        Place { file: Arc::clone(&self.file), line: self.line, what }
    }

    /// A problem with an attribute, or with the element itself if the key is empty.
    pub fn error(&self, key: &str, problem: impl Into<TreeProblem>) -> TreeError {
        TreeError::new(self.place(key), problem)
    }

    /// Refuses attributes that are not among the known ones.
    pub fn only(&self, known: &[&[&str]]) -> Result<(), TreeError> {
        match self.attributes.iter().find(|(name, _)| !known.iter().any(|list| list.contains(&name.as_str()))) {
            None => Ok(()),
            Some((name, _)) => Err(self.error("", TreeProblem::UnknownAttribute(quoted(name)))),
        }
    }

    /// Refuses children that are not among the known ones.
    pub fn only_children(&self, known: &[&[&str]]) -> Result<(), TreeError> {
        match self.children.iter().find(|child| !known.iter().any(|list| list.contains(&child.name.as_str()))) {
            None => Ok(()),
            Some(child) => Err(child.error("", TreeProblem::UnknownElement(quoted(&child.name)))),
        }
    }

    /// Numbers, none of them absurdly large; none if the attribute is missing.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, TreeError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let number = |token: &str| match token.parse::<f64>() {
            Ok(value) if value.abs() <= MAXIMUM_COMPONENT => Ok(value),
            Ok(value) if value.is_finite() => Err(self.error(key, TreeProblem::Magnitude { found: value })),
            _ => Err(self.error(key, wrong("finite numbers, with blanks between them", text))),
        };
        text.split_ascii_whitespace().map(number).collect::<Result<Vec<_>, _>>().map(Some)
    }

    /// So many numbers.
    pub fn array<const N: usize>(&self, key: &str, must: &'static str) -> Result<Option<[f64; N]>, TreeError> {
        let Some(numbers) = self.numbers(key)? else { return Ok(None) };
        let found = || self.error(key, wrong(must, self.text(key).unwrap_or_default()));
        numbers.try_into().map(Some).map_err(|_| found())
    }

    /// Three numbers.
    pub fn vector(&self, key: &str) -> Result<Option<DVec3>, TreeError> {
        Ok(self.array(key, "three numbers")?.map(DVec3::from_array))
    }

    /// A direction, of length one; it may be given with any length above zero.
    pub fn direction(&self, key: &str) -> Result<Option<DVec3>, TreeError> {
        let Some(vector) = self.vector(key)? else { return Ok(None) };
        let must = "a direction: three numbers that are not all zero";
        let unit = vector.try_normalize().ok_or_else(|| self.error(key, wrong(must, &vector.to_string())));
        unit.map(Some)
    }

    /// A number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, TreeError> {
        Ok(self.array(key, "one number")?.map(|[value]| value))
    }

    /// A number that is zero or above.
    pub fn not_negative(&self, key: &str) -> Result<Option<f64>, TreeError> {
        match self.number(key)? {
            Some(value) if value < 0.0 => Err(self.error(key, wrong("zero or above", &value.to_string()))),
            value => Ok(value),
        }
    }

    /// A number above zero.
    pub fn positive(&self, key: &str) -> Result<Option<f64>, TreeError> {
        match self.number(key)? {
            Some(value) if value <= 0.0 => Err(self.error(key, wrong("above zero", &value.to_string()))),
            value => Ok(value),
        }
    }

    /// A whole number from 0.
    pub fn integer(&self, key: &str) -> Result<Option<u32>, TreeError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let refusal = |_| self.error(key, wrong("a whole number from 0 to 4294967295", text));
        text.trim().parse().map(Some).map_err(refusal)
    }

    /// One of a few words.
    pub fn word<T: Copy>(&self, key: &str, words: &[(&str, T)], must: &'static str) -> Result<Option<T>, TreeError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value);
        found.map(Some).ok_or_else(|| self.error(key, wrong(must, text)))
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, TreeError> {
        self.word(key, &[("true", true), ("false", false), ("1", true), ("0", false)], "true or false")
    }
}

/// A text and where its lines end.
struct Source {
    file: Arc<Path>,
    starts: Vec<usize>,
}

impl Source {
    /// The line of a place, from 1.
    fn line(&self, at: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|&end| end < at)).map_or(u32::MAX, |lines| lines.saturating_add(1))
    }
}

/// The value is not what it must be.
pub fn wrong(must: &'static str, found: &str) -> TreeProblem {
    TreeProblem::Value { must, found: quoted(found) }
}

/// A text as an error quotes it: short, and in one line.
pub fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(QUOTED).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() {
        short.push('…');
    }
    short
}
