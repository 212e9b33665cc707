use super::exact::Exact;
use super::{Answer, CcdError, Query, RootFinder, Settings};
use std::fmt::Debug;

/// What the answers of a method are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// No meeting is missed and no time is late.
    Conservative,
    /// As conservative, and no meeting is invented.
    Exact,
    /// Meetings can be missed, or times late; the text says when.
    None(&'static str),
}

/// A way to answer queries, with its settings.
pub trait Method: Debug + Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What its answers are worth.
    fn guarantee(&self) -> Guarantee;

    /// Answers one query.
    ///
    /// # Errors
    /// A query that does not pass [`Query::check`], or what the method cannot do.
    fn solve(&self, query: &Query) -> Result<Answer, CcdError>;
}

/// A method by its name. Other crates put their own beside [`METHODS`] in lists of theirs.
#[derive(Clone, Copy, Debug)]
pub struct NamedMethod {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Checks the settings and makes the method with them.
    pub make: fn(Settings) -> Result<Box<dyn Method>, CcdError>,
}

/// The methods of this crate.
pub const METHODS: [NamedMethod; 2] = [
    NamedMethod {
        name: RootFinder::NAME,
        about: "interval branch and bound with narrowing",
        make: |settings| Ok(Box::new(RootFinder::new(settings)?)),
    },
    NamedMethod {
        name: Exact::NAME,
        about: "exact integer arithmetic: no impact is missed and none is invented",
        make: |settings| Ok(Box::new(Exact::new(settings)?)),
    },
];

/// The method of this name in a list, with these settings.
///
/// # Errors
/// A name that is not in the list; settings out of range or that the method cannot do.
pub fn method(methods: &[NamedMethod], name: &str, settings: Settings) -> Result<Box<dyn Method>, CcdError> {
    let named = methods.iter().find(|named| named.name == name).ok_or_else(|| CcdError::UnknownMethod {
        name: name.to_owned(),
        known: methods.iter().map(|named| named.name).collect(),
    })?;
    (named.make)(settings)
}
