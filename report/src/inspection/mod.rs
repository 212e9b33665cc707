//! Looking into contact regions: moments of a run with everything that is known of their contacts.
//!
//! ```text
//! Request ─ open ─▶ Opened { Subject, Source } ─ run ─▶ Frame, Frame, … ─▶ History
//!                                                          │
//!                                Subject + Frame ─ examine ─▶ Examined ─ colour ─▶ what is drawn
//! ```
//! A [`Subject`] is what does not change during a run: bodies, their shapes, what is expected of their contacts. A
//! [`Frame`] is one moment of it, as small as can be, so that a [`History`] holds many. [`examine`] adds what can be
//! computed from the two: quality, verdict, force, contact polygons. Nothing here draws; the viewer and the page both
//! build on it.
//!
//! ```
//! use drystone_report::inspection::{Request, What, examine, open};
//! use drystone_contact::generator::{Method, methods};
//! use std::ops::ControlFlow;
//!
//! let request = Request { method: methods::growth_distance(), ..Request::new("cliff-edges".parse::<What>()?) };
//! let opened = open(&request)?;
//! let mut wrong = Vec::new();
//! opened.source.run(&mut |frame| {
//!     let Ok(frame) = frame else { return ControlFlow::Break(()) };
//!     let examined = examine(&opened.subject, &frame);
//!     wrong.push(examined.contacts.iter().filter(|c| c.quality.is_some_and(|q| q < 0.999)).count());
//!     if frame.step < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//! });
//! assert_eq!(wrong.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod colour;
pub mod examination;
pub mod explode;
pub mod feature_geometry;
pub mod frame;
pub mod history;
pub mod opening;
pub mod outline;
pub mod source;
pub mod subject;

pub use drystone_scenes::opening::What;

pub use colour::{ColourBy, Legend};
pub use examination::{Examined, ExaminedContact, examine};
pub use explode::{Explode, ExplodeAlong};
pub use feature_geometry::{FeatureGeometry, feature_geometry};
pub use frame::{Frame, Numbers, SurfaceNumbers};
pub use history::History;
pub use opening::{InspectionError, Opened, Request, open};

pub use outline::Outline;
pub use source::{Seeker, Source, SourceError};
pub use subject::{Subject, SubjectBody, SubjectSurface};

#[cfg(test)]
mod tests;
