//! What was read in another way than the file says, or left out.

use std::fmt;

use super::element::Element;
use super::error::Place;

/// Something that was changed or left out, however often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The first place.
    pub place: Place,
    /// How many places there are.
    pub times: usize,
    /// What became of it, and why.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if self.times > 1 {
            write!(f, " and {} more", self.times - 1)?;
        }
        write!(f, ": {}", self.text)
    }
}

/// Notes in the order of their first places; the same is said once.
#[derive(Clone, Debug, Default)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Notes something about an attribute, or about the element itself if the key is empty.
    pub fn add(&mut self, element: &Element, key: &str, text: impl Into<String>) {
        let kind = if key.is_empty() { &element.name } else { key };
        self.at(element.place(key), format!("{kind} {}", text.into()));
    }

    /// Notes something about a place.
    pub fn at(&mut self, place: Place, text: String) {
        match self.0.iter_mut().find(|note| note.text == text) {
            Some(note) => note.times += 1,
            None => self.0.push(Note { place, times: 1, text }),
        }
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<Note> {
        self.0
    }
}
