//! Queries of continuous collision detection in files, and the benchmark that answers them by any method.
//!
//! A [`QuerySet`] is one scene's queries of one kind with what is known of them; [`read`] finds sets in files and
//! folders. [`packed`] is our binary format, [`rationals`] the published one. [`benchmark`] counts what a method gets
//! wrong and times it; `drystone_replica::ccd::published` holds the figures to put beside it.
//!
//! Source: Wang, Ferguson, Schneider, Jiang, Attene, Panozzo, "A Large Scale Benchmark and an Inclusion-Based Algorithm
//! for Continuous Collision Detection", ACM Transactions on Graphics 40 (2021).

pub mod benchmark;
mod error;
mod exact_double;
mod files;
pub mod packed;
mod query_set;
pub mod rationals;

pub use error::{Fault, QuerySetError};
pub use exact_double::{NotADouble, exact_double};
pub use files::{kind_of_name, read};
pub use query_set::{Family, QuerySet};
