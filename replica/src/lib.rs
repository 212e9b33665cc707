//! What exists only to reproduce published tables and figures.
//!
//! Nothing here is needed to read or to embed the engine: `drystone-contact` and `drystone-engine` do not know this crate.
//! It plugs what the published programs did into their seams, and holds what they were given and what they printed.

pub mod ccd;
pub mod published;
pub mod readings;
pub mod recorded;
pub mod stepper;
pub mod vclip;

pub use readings::Variant;
