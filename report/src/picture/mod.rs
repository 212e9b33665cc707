//! Pictures of contacts: the bodies of a scene moved apart, so that one sees between them, and the contacts on the faces where they
//! were found (paper, figures 10 to 20, 23, 26, 29, 31 and 33, where stones were moved by hand); or the bodies in place, as outlines.

mod apart;
mod camera;
mod drawing;
mod facets;
pub mod in_place;
mod marks;
mod outlines;

pub use drawing::draw;
