//! Time of contact: when a point of a turning body first touches a solid, whatever represents the solid.
//!
//! The path of the point is enclosed in boxes around its chords, which are halved in time, the earlier half first. A box that
//! surely misses the solid ([`crate::solid::Solid::relation`]) rules its interval out; where a box remains that is as small
//! as the precision, its start is the answer. So **no contact is missed, and none is reported later than it happens**; the
//! point is no farther from the solid at the time reported than [`Contact::within`].
//!
//! Source: Shell and Drumwright, "Time of contact for rigid body simulation", Algorithm 1 (DETERMINE-TOC). Differs from the
//! paper in
//! - the bound of the deviation from the chord, r (1 − cos φ/2) for a constant twist, in place of equation 2, which is valid but 2.8 to
//!   5.7 times (or, in its other reading, without limit) too large;
//! - the box, along the chord in place of the velocity of the centre: the printed one leaves part of the path outside;
//! - intervals in the order of time, and the start of an interval in place of t_a + |p_x − p_b| / |p_a − p_b|;
//! - moving solids, for which a bound on the second derivative takes the place of equation 2: seen from a turning frame the motion is
//!   no constant twist.
//!
//! The printed choices are there as [`Bound`] and [`Boxes`], for comparison.

mod chord_box;
mod determine;
mod error;
mod outcome;
mod path;
mod points;
mod printed_box;
mod settings;

pub use determine::determine_toc;
pub use error::TocError;
pub use outcome::{Contact, Counts, Outcome, StopReason, TimeOfContact};
pub use path::{PointMotion, RigidPath};
pub use points::{PointContact, PointTree, Workspace};
pub use settings::{Bound, Boxes, TocSettings};

#[cfg(test)]
mod tests;
