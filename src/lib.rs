//! Drystone: rigid-body physics whose speciality is the quality of its contact points.
//!
//! Five libraries in one façade: [`contact`] finds where two shapes touch, [`engine`] moves bodies, [`scenes`] holds
//! scenes with known contacts and the measures that score methods on them, [`report`] shows what came out, and [`replica`]
//! holds what exists only to reproduce published tables.
//!
//! ```
//! use drystone::contact::generator::{Method, Variant};
//! use drystone::scenes::cases::{Case, Model};
//! use drystone::scenes::detection::{Moment, detect};
//! use drystone::scenes::measure::{Matching, score};
//!
//! // A cube rests on a frustum. Which contacts does a method find, and how many of them have a right normal?
//! let scene = Case::CliffEdges.scene(Model::Procedural, None)?;
//! let found = detect(&scene, Method::MostOpposing, Variant::Corrected, Moment::Start)?;
//! let score = score(&found.contacts, &scene.truth, &Matching::default());
//! assert_eq!((score.coverage, score.quality), (1.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Contacts without scenes or bodies: see [`contact::generator::Generator`]. Units are SI, y is up, normals point from A to
//! B, gaps are positive apart.

pub use drystone_contact as contact;
pub use drystone_engine as engine;
pub use drystone_replica as replica;
pub use drystone_report as report;
pub use drystone_scenes as scenes;
