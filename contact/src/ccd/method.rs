use super::variants::{
    FloatingCubic, IntervalRoots, Printed, RootParity, SeparationPolynomial, UnivariateIntervalRoots,
};
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

/// Checks the settings and makes a method with them.
type Make = fn(Settings) -> Result<Box<dyn Method>, CcdError>;

/// Every method: name, one line about it, and how it is made.
const METHODS: &[(&str, &str, Make)] = &[
    (RootFinder::NAME, "boxes of time and place, narrowed and halved", |s| Ok(Box::new(RootFinder::new(s)?))),
    ("exact", "in whole numbers: no meeting is missed and none invented", super::exact::Exact::make),
    (Printed::PAPER, "the paper's Algorithm 2 to the letter", |s| Ok(Box::new(Printed::paper(s)?))),
    (Printed::CODE, "the same with the filter of the published code", |s| Ok(Box::new(Printed::code(s)?))),
    (IntervalRoots::NAME, "interval arithmetic over t, u, v (IRF)", |s| Ok(Box::new(IntervalRoots::new(s)?))),
    (UnivariateIntervalRoots::NAME, "interval arithmetic over t (UIRF)", |s| {
        Ok(Box::new(UnivariateIntervalRoots::new(s)?))
    }),
    (FloatingCubic::NAME, "roots of the cubic in floating point (FPRF)", |s| Ok(Box::new(FloatingCubic::new(s)?))),
    (RootParity::NAME, "the parity of contacts, by a ray (RRP)", |s| Ok(Box::new(RootParity::new(s)?))),
    (SeparationPolynomial::NAME, "roots of the polynomials of a distance d (MSRF)", |s| {
        Ok(Box::new(SeparationPolynomial::new(s)?))
    }),
];

/// Name and one line about each method, in the order of the paper's Table 1, ours first.
pub fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    METHODS.iter().map(|&(name, about, _)| (name, about))
}

/// The method of this name with these settings.
///
/// # Errors
/// A name that is not known; settings out of range or that the method cannot do.
pub fn method(name: &str, settings: Settings) -> Result<Box<dyn Method>, CcdError> {
    let known = METHODS.iter().find(|entry| entry.0 == name);
    let &(_, _, make) = known.ok_or_else(|| CcdError::UnknownMethod {
        name: name.to_owned(),
        known: METHODS.iter().map(|entry| entry.0).collect(),
    })?;
    make(settings)
}
