//! The studies of the paper's section 8: runs of a scene over a parameter, and what came out of them.
//!
//! A [`Study`] is a list of independent [`Run`]s. A run is a value that says all that its outcome depends on; executing it
//! gives a [`Record`], what was found, from which its [`Outcome`] follows. A [`Store`] keeps records in a folder, so that
//! an interrupted study goes on where it stopped.

pub mod contact_statistics;
pub mod interfaces;
pub mod perturbation;
pub mod pillar_quality;
pub mod plan;
pub mod refinement;
pub mod row;
pub mod run;
pub mod spread;
pub mod store;
pub mod time_step;

pub use plan::{Plan, Study};
pub use row::Row;
pub use run::{Outcome, Record, Run, RunError};
pub use spread::Spread;
pub use store::{Store, StoreError};

use drystone_contact::generator::Method;
use drystone_engine::{ContactBetween, Pose};
use serde::Serialize;

/// The contacts of one run at its last step.
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    /// The scene's name.
    pub scene: String,
    /// The method; serialized as its name and variant.
    #[serde(flatten, serialize_with = "run::serialize_method")]
    pub method: Method,
    /// The time step that was looked at, from 1.
    pub step: usize,
    /// The value of the study's parameter: m of noise, level of refinement, s of time step; zero without one.
    pub parameter: f64,
    /// How many contacts there were.
    pub contacts: usize,
    /// How many of them match an expected normal.
    pub matching: usize,
    /// |n·e| of each contact with the nearest expected normal e of its pair, in descending order; zero where the pair
    /// should have no contact.
    pub qualities: Vec<f64>,
    /// |n·up| of each contact, in the order of the contacts.
    pub up: Vec<f64>,
    /// The interfaces of the scene, in the order of its truth; empty where their areas are not known.
    pub areas: Vec<InterfaceArea>,
    /// P, the measured by the expected area of all interfaces (paper, equations 5 and 8).
    pub coverage: Option<f64>,
    /// What a picture needs.
    #[serde(skip)]
    pub found: Found,
}

/// Contacts and where the bodies were.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The contacts.
    pub contacts: Vec<ContactBetween>,
    /// The poses of all bodies.
    pub poses: Vec<Pose>,
}

/// The area of one interface, m².
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterfaceArea {
    /// The name of one body.
    pub a: String,
    /// The name of the other.
    pub b: String,
    /// What the scene was built with.
    pub expected: f64,
    /// The area of the convex hull of the contacts projected along the expected normal (paper, equation 3).
    pub measured: f64,
}

/// Contact counts over the steps of one run (paper, table 6).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// The scene's name.
    pub scene: String,
    /// The method; serialized as its name and variant.
    #[serde(flatten, serialize_with = "run::serialize_method")]
    pub method: Method,
    /// Contacts in each step, from step 1.
    pub counts: Vec<usize>,
    /// Their mean.
    pub mean: f64,
    /// The fewest.
    pub min: usize,
    /// The most.
    pub max: usize,
    /// Standard deviation of the counts (of the whole, not of a sample).
    pub deviation: f64,
    /// Mean, fewest, most and standard deviation as published.
    pub published: Option<[f64; 4]>,
}
