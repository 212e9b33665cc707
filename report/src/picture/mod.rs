//! Pictures of contacts: the bodies of a scene moved apart, so that one sees between them, and the contacts on the faces where they
//! were found (paper, figures 10 to 20, 23, 26, 29, 31 and 33, where stones were moved by hand); or the bodies in place, as outlines.

mod apart;
mod camera;
mod drawing;
mod facets;
mod in_place;
mod marks;
mod outlines;

pub use drawing::draw;

use drystone_engine::{ContactBetween, Pose};
use drystone_scenes::scene::Scene;

use crate::study::StudyKind;

/// Contacts to be drawn with the bodies of their scene.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The scene as it was run: its shapes and its truth are drawn and judged by.
    pub scene: &'a Scene,
    /// Who made the contacts: the name of a method, or what a list from elsewhere is called.
    pub method: &'a str,
    /// The contacts.
    pub contacts: &'a [ContactBetween],
    /// The poses of all bodies; where there are none, those of the scene.
    pub poses: &'a [Pose],
    /// The study that it illustrates; `None`: it stands with its scene.
    pub study: Option<StudyKind>,
    /// The value of the study's parameter.
    pub parameter: f64,
}

impl Picture<'_> {
    /// The contacts on the bodies where they are, as an SVG that stands alone; `width` is that of its main panel in pixels.
    pub fn in_place(&self, width: f64) -> String {
        in_place::draw(self, width)
    }
}
