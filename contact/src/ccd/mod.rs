//! Continuous collision detection: whether and when two moving features meet.
//!
//! A [`Query`] is a vertex and a triangle, or two edges, whose points move in straight lines at constant speed while the
//! time t goes from 0 to 1. An [`Answer`] says that they stay apart, or gives a time before which they surely do. What
//! a [`Method`] guarantees about that is its [`Guarantee`]; [`METHODS`] lists them.
//!
//! Source: Wang, Ferguson, Schneider, Jiang, Attene, Panozzo, "A Large Scale Benchmark and an Inclusion-Based Algorithm
//! for Continuous Collision Detection", ACM Transactions on Graphics 40 (2021).

mod answer;
pub mod audit;
mod error;
pub mod exact;
mod inclusion;
pub mod mesh;
mod method;
mod queries;
mod query;
pub mod rigid;
pub mod sample;
mod settings;
pub mod time_of_contact;

pub use answer::{Answer, Outcome};
pub use error::CcdError;
pub use inclusion::RootFinder;
pub use method::{Guarantee, METHODS, Method, NamedMethod, method};
pub use queries::Queries;
pub use query::{Kind, Query};
pub use settings::{Metric, Settings};
