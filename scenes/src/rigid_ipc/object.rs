//! A JSON object whose values are checked as they are taken. Keys that begin with `#` are notes of the author.

use glam::DVec3;
use serde_json::{Map, Value};

use super::error::{RigidIpcError, RigidIpcProblem};
use crate::scene_file::MAXIMUM_COMPONENT;

/// Longest value that an error quotes, in characters.
const QUOTED: usize = 60;

/// An object and what errors call it.
pub struct Object<'a> {
    map: &'a Map<String, Value>,
    place: String,
}

impl<'a> Object<'a> {
    /// The value, if it is an object; an empty `place` is the whole file.
    pub fn new(value: &'a Value, place: impl Into<String>) -> Result<Self, RigidIpcError> {
        let place = place.into();
        match value {
            Value::Object(map) => Ok(Self { map, place }),
            _ if place.is_empty() => Err(RigidIpcError::whole(wrong("an object", value))),
            _ => Err(RigidIpcError::at(place, wrong("an object", value))),
        }
    }

    /// What errors call it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Refuses keys that are neither known nor notes.
    pub fn only(&self, known: &[&str]) -> Result<(), RigidIpcError> {
        match self.map.keys().find(|key| !known.contains(&key.as_str()) && !key.starts_with('#')) {
            None => Ok(()),
            Some(key) => {
                let problem = RigidIpcProblem::UnknownKey { key: shortened(key), known: known.join(", ") };
                let place = if self.place.is_empty() { None } else { Some(self.place.clone()) };
                Err(RigidIpcError { place, ..RigidIpcError::whole(problem) })
            }
        }
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    /// A problem with the value of a key.
    pub fn error(&self, key: &str, problem: impl Into<RigidIpcProblem>) -> RigidIpcError {
        RigidIpcError::at(self.name(key), problem)
    }

    /// What errors call the value of a key.
    pub fn name(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}, {key}", self.place) }
    }

    /// An object inside.
    pub fn object(&self, key: &str) -> Result<Option<Object<'a>>, RigidIpcError> {
        self.value(key).map(|value| Object::new(value, self.name(key))).transpose()
    }

    /// A finite number. (JSON has no others.)
    pub fn number(&self, key: &str) -> Result<Option<f64>, RigidIpcError> {
        self.taken(key, "a number", Value::as_f64)
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, RigidIpcError> {
        self.taken(key, "true or false", Value::as_bool)
    }

    /// A whole number.
    pub fn integer(&self, key: &str) -> Result<Option<i64>, RigidIpcError> {
        self.taken(key, "a whole number", Value::as_i64)
    }

    /// A string.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>, RigidIpcError> {
        self.taken(key, "a string", Value::as_str)
    }

    /// An array.
    pub fn list(&self, key: &str) -> Result<Option<&'a [Value]>, RigidIpcError> {
        self.taken(key, "an array", |value| value.as_array().map(Vec::as_slice))
    }

    /// Three numbers that are not absurdly large; zeros where the key is missing.
    pub fn vector(&self, key: &str) -> Result<DVec3, RigidIpcError> {
        let Some(value) = self.value(key) else { return Ok(DVec3::ZERO) };
        let vector = vector(value).ok_or_else(|| self.error(key, wrong("an array of three numbers", value)))?;
        within_bounds(vector).map_err(|problem| self.error(key, problem))
    }

    fn taken<T>(
        &self,
        key: &str,
        must: &'static str,
        take: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, RigidIpcError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        take(value).map(Some).ok_or_else(|| self.error(key, wrong(must, value)))
    }
}

/// An array of exactly three numbers.
pub fn vector(value: &Value) -> Option<DVec3> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    Some(DVec3::from_array(numbers.try_into().ok()?))
}

/// The vector, if no component is absurdly large.
pub fn within_bounds(vector: DVec3) -> Result<DVec3, RigidIpcProblem> {
    // The comparison is false for NaN.
    let is_good = vector.abs().cmple(DVec3::splat(MAXIMUM_COMPONENT)).all();
    if is_good { Ok(vector) } else { Err(RigidIpcProblem::Magnitude { found: vector.to_string() }) }
}

/// The value is not what it must be.
pub fn wrong(must: &'static str, found: &Value) -> RigidIpcProblem {
    RigidIpcProblem::Value { must, found: shortened(&found.to_string()) }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(QUOTED).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() {
        short.push('…');
    }
    short
}
