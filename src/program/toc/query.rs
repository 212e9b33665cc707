//! `drystone toc query`: one query asked.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use glam::{DQuat, DVec3};
use serde::Serialize;

use crate::contact::Pose;
use crate::contact::ccd::rigid::NonlinearRigidMotion;
use crate::contact::ccd::time_of_contact::{
    Bound, Boxes, Counts, Outcome, RigidPath, StopReason, TocSettings, determine_toc,
};
use crate::contact::solid::Description;
use crate::program::output::write_to;

/// What `drystone toc query` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The solid: a kind with its dimensions, as in "torus 1 0.25" (half-space, ball, box, capsule, cylinder, cone, torus,
    /// ellipsoid), or a file with its description, as JSON or TOML (docs/time-of-contact.md).
    #[arg(value_name = "SOLID")]
    solid: String,

    /// The point of the body, from the body's centre, m: three numbers, split by commas or spaces.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    point: String,

    /// The body's centre at the time 0, m.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    position: String,

    /// The body's rotation at the time 0: axis times angle, degrees.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    rotation: String,

    /// Of the body's centre, m/s.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    velocity: String,

    /// Of the body, rad/s.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    angular_velocity: String,

    /// The solid's velocity, m/s.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    solid_velocity: String,

    /// The solid's angular velocity about its origin, rad/s.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true)]
    solid_angular_velocity: String,

    /// The interval begins at this time, s.
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_hyphen_values = true)]
    from: f64,

    /// It ends at this time, s.
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_hyphen_values = true)]
    to: f64,

    /// Precision ε, m.
    #[arg(long, value_name = "M", default_value_t = TocSettings::default().precision, allow_hyphen_values = true)]
    precision: f64,

    /// The bound of the deviation from the chord.
    #[arg(long, value_name = "BOUND", default_value = "exact")]
    bound: BoundWord,

    /// What encloses the path.
    #[arg(long, value_name = "BOXES", default_value = "chord")]
    boxes: BoxesWord,

    /// Stop after so many boxes.
    #[arg(long, value_name = "N", default_value_t = TocSettings::default().max_boxes)]
    max_boxes: u32,

    /// Write the solid, the settings and the answer as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BoundWord {
    Exact,
    ReadingA,
    ReadingB,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BoxesWord {
    Chord,
    Printed,
    Without,
}

/// The name of the JSON format.
const SCHEMA: &str = "drystone.toc-query/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    solid: &'a Description,
    settings: TocSettings,
    /// s.
    interval: [f64; 2],
    outcome: &'static str,
    /// Why the search stopped, if it did.
    reason: Option<&'static str>,
    /// There is surely no contact before, s.
    safe_until: Option<f64>,
    position: Option<[f64; 3]>,
    normal: Option<[f64; 3]>,
    within: Option<f64>,
    tests: u32,
    curved: u32,
}

/// Asks and prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let description = description(&arguments.solid)?;
    let solid = description.build().with_context(|| format!("the solid \"{}\"", arguments.solid))?;
    let turn = vector("--rotation", &arguments.rotation)?.map(f64::to_radians);
    let body = NonlinearRigidMotion {
        pose: Pose::from_parts(vector("--position", &arguments.position)?, DQuat::from_scaled_axis(turn)),
        velocity: vector("--velocity", &arguments.velocity)?,
        angular_velocity: vector("--angular-velocity", &arguments.angular_velocity)?,
        duration: arguments.to,
    };
    let solid_motion = NonlinearRigidMotion {
        pose: Pose::IDENTITY,
        velocity: vector("--solid-velocity", &arguments.solid_velocity)?,
        angular_velocity: vector("--solid-angular-velocity", &arguments.solid_angular_velocity)?,
        duration: arguments.to,
    };
    let bound = match arguments.bound {
        BoundWord::Exact => Bound::Exact,
        BoundWord::ReadingA => Bound::ReadingA,
        BoundWord::ReadingB => Bound::ReadingB,
    };
    let boxes = match arguments.boxes {
        BoxesWord::Chord => Boxes::Chord,
        BoxesWord::Printed => Boxes::Printed,
        BoxesWord::Without => Boxes::Without,
    };
    let settings = TocSettings { precision: arguments.precision, bound, boxes, max_boxes: arguments.max_boxes };
    let path = RigidPath::new(&solid_motion, &body)?;
    let point = path.point(vector("--point", &arguments.point)?);
    let found = determine_toc(&*solid, &point, [arguments.from, arguments.to], &settings)?;
    let Some(file) = &arguments.json else {
        print!("{}", block(solid.kind(), &found.outcome, found.counts, [arguments.from, arguments.to]));
        return Ok(());
    };
    let contact = found.contact();
    let document = Document {
        schema: SCHEMA,
        solid: &description,
        settings,
        interval: [arguments.from, arguments.to],
        outcome: match found.outcome {
            Outcome::Contact(_) => "contact",
            Outcome::Apart => "apart",
            Outcome::Stopped { .. } => "stopped",
        },
        reason: match found.outcome {
            Outcome::Stopped { reason: StopReason::Boxes, .. } => Some("boxes"),
            Outcome::Stopped { reason: StopReason::Undecided, .. } => Some("undecided"),
            _ => None,
        },
        safe_until: Some(found.safe_until()).filter(|time| time.is_finite()),
        position: contact.map(|contact| contact.position.to_array()),
        normal: contact.and_then(|contact| contact.normal.clone().ok()).map(|normal| normal.to_array()),
        within: contact.map(|contact| contact.within),
        tests: found.counts.tests,
        curved: found.counts.curved,
    };
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    write_to(file, &text)
}

/// A kind with dimensions, or a file.
fn description(text: &str) -> Result<Description> {
    let is_file = [".json", ".toml"].iter().any(|ending| text.ends_with(ending));
    if !is_file {
        let mut words = text.split_whitespace();
        let kind = words.next().context("the solid has no name")?;
        let number =
            |word: &str| word.parse::<f64>().with_context(|| format!("\"{word}\" is no dimension of a {kind}"));
        let dimensions = words.map(number).collect::<Result<_>>()?;
        return Ok(Description::Primitive { kind: kind.into(), dimensions });
    }
    let content = fs::read_to_string(text).with_context(|| format!("{text} cannot be read"))?;
    if text.ends_with(".json") {
        return serde_json::from_str(&content).with_context(|| format!("{text} describes no solid"));
    }
    toml::from_str(&content).map_err(|error| {
        // In one line; its own words show a piece of the file as well.
        let until = error.span().and_then(|span| content.get(..span.start)).unwrap_or("");
        let line = 1 + until.matches('\n').count();
        anyhow!("{text} describes no solid: line {line}: {}", error.message().replace('\n', ", "))
    })
}

fn vector(option: &str, text: &str) -> Result<DVec3> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
        _ => bail!("{option} \"{text}\" is no vector; give three numbers, as in 0,1.5,-2"),
    }
}

/// Question and answer for people.
fn block(kind: &str, outcome: &Outcome, counts: Counts, [from, to]: [f64; 2]) -> String {
    let mut text = match outcome {
        Outcome::Apart => format!("apart: the point does not touch the {kind} for {from} ≤ t ≤ {to}, certified\n"),
        Outcome::Stopped { time, reason } => {
            let why = match reason {
                StopReason::Boxes => "at the limit of boxes",
                StopReason::Undecided => "where the solid cannot tell whether boxes below the precision meet it",
            };
            format!("stopped {why}: no contact before t = {time}; not known after it\n")
        }
        Outcome::Contact(contact) => {
            let vector = |v: &DVec3| format!("({}, {}, {})", v.x, v.y, v.z);
            let normal = match &contact.normal {
                Ok(normal) => format!("normal {}", vector(normal)),
                Err(none) => none.to_string(),
            };
            format!(
                "contact: not before t = {}; there the point is within {:e} m of the {kind}\n  at {}, {normal}\n",
                contact.time,
                contact.within,
                vector(&contact.position)
            )
        }
    };
    text.push_str(&format!("  {} boxes, {} of them around arcs above the precision\n", counts.tests, counts.curved));
    text
}
