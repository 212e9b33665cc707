//! The values of options: what their words mean, and what is wrong with others.

use std::ops::RangeInclusive;
use std::str::FromStr;

use drystone::contact::generator::{Method, MethodTextError, Registry};
use drystone_report::inspection::ExplodeAlong;

use crate::model::{BodyStyle, ContactsWith, Show, State};

/// Bodies and contacts as somebody draws them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// As in the figures of the paper.
    Paper,
    /// As at the first start.
    Default,
}

/// The size of a picture, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
        match sides {
            Some((width @ 16..=8192, height @ 16..=8192)) => Ok(Self { width, height }),
            _ => Err("it must be WIDTHxHEIGHT in pixels, each from 16 to 8192 (1280x720)".into()),
        }
    }
}

/// Some steps, the last one included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(pub RangeInclusive<u64>);

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it must be A..=B, or A..B without B itself, and not empty (10..=50)".to_owned();
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let first: u64 = first.trim().parse().map_err(|_| wrong())?;
        let last: Option<u64> = match last.strip_prefix('=') {
            Some(last) => last.trim().parse().ok(),
            None => last.trim().parse::<u64>().ok().and_then(|end| end.checked_sub(1)),
        };
        last.filter(|&last| last >= first).map(|last| Self(first..=last)).ok_or_else(wrong)
    }
}

/// The one of a name; errors list all names.
fn named<T: Copy>(all: &[T], name_of: fn(T) -> &'static str, name: &str) -> Result<T, String> {
    let known = || all.iter().map(|&one| name_of(one)).collect::<Vec<_>>().join(", ");
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| format!("there are {}", known()))
}

/// A method by name, or with other settings.
pub fn method(text: &str) -> Result<Method, MethodTextError> {
    Registry::default().read(text)
}

/// What bodies are moved apart along.
pub fn along(name: &str) -> Result<ExplodeAlong, String> {
    named(&ExplodeAlong::ALL, ExplodeAlong::name, name)
}

/// How bodies are drawn.
pub fn bodies(name: &str) -> Result<BodyStyle, String> {
    named(&BodyStyle::ALL, BodyStyle::name, name)
}

/// Which contacts are drawn.
pub fn show(name: &str) -> Result<Show, String> {
    named(&Show::ALL, Show::name, name)
}

/// With which body contacts are drawn.
pub fn contacts_with(name: &str) -> Result<ContactsWith, String> {
    named(&ContactsWith::ALL, ContactsWith::name, name)
}

/// A preset of the view.
pub fn preset(name: &str) -> Result<Preset, String> {
    let name_of = |preset| ["paper", "default"][preset as usize];
    named(&[Preset::Paper, Preset::Default], name_of, name)
}

/// How far bodies are moved apart.
pub fn apart(text: &str) -> Result<f64, String> {
    let most = State::MOST_EXPLODED;
    let amount = text.parse::<f64>().ok().filter(|amount| (0.0..=most).contains(amount));
    amount.ok_or_else(|| format!("it must be a number from 0 to {most}"))
}

/// A duration, s.
pub fn positive(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds > 0.0 && *seconds < 1e9);
    seconds.ok_or_else(|| "it must be a number above zero".into())
}
