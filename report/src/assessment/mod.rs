//! The report of an assessment: one self-contained HTML page, and its data as CSV and JSON beside it.
//!
//! A pure function from results to text. The page needs nothing from outside: style and drawings are inside, there is no
//! script. What was not run is left out: every part of a [`Report`] may be empty.
//!
//! ```
//! use drystone_report::{Head, Report};
//! let report = Report { head: Head { title: "Nothing yet".into(), ..Head::default() }, ..Report::default() };
//! assert!(report.page().contains("<title>Nothing yet</title>"));
//! assert_eq!(report.files()?[0].name, "report.json");
//! # Ok::<(), drystone_report::DataError>(())
//! ```

mod comparison;
mod data;
mod known_notes;
mod paper;
mod section;

pub use data::{DataError, File};
pub use known_notes::known_notes;

use drystone_scenes::assessment::{Assessed, Row};
use drystone_scenes::measure::Score;
use drystone_scenes::study::{Sample, Statistics};
use serde::Serialize;

use crate::head::Head;
use crate::picture::Picture;
use crate::study::{Study, StudyKind};

/// Everything that a report shows. Every part may be empty.
#[derive(Clone, Debug, Default)]
pub struct Report<'a> {
    /// What was run.
    pub head: Head,
    /// The scores of the fundamental cases, or of any other scenes.
    pub rows: &'a [Row],
    /// Scores without and with the normal-cone filter.
    pub filtered: &'a [Filtered],
    /// The contacts of pillar, wall and arch, in the order in which scenes and methods are to be shown.
    pub samples: &'a [Sample],
    /// Contact counts over many steps.
    pub statistics: &'a [Statistics],
    /// Runs over a parameter.
    pub studies: &'a [Study<'a>],
    /// What to draw.
    pub pictures: &'a [Picture<'a>],
    /// Pictures that the caller has written beside the page.
    pub rendered: &'a [Rendered],
    /// What makes values differ from the published ones, and other remarks.
    pub notes: &'a [Note],
}

/// The scores of a method in a scene without and with the normal-cone filter behind it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filtered {
    /// The scene's name.
    pub scene: String,
    /// The method's name.
    pub method: String,
    /// The variant of the method.
    pub variant: Option<String>,
    /// Of all contacts.
    pub plain: Score,
    /// Of those that the filter keeps.
    pub kept: Score,
}

impl From<&Assessed> for Filtered {
    fn from(assessed: &Assessed) -> Self {
        let row = &assessed.row;
        let (plain, kept) = (assessed.plain.clone(), assessed.kept.clone());
        Filtered { scene: row.scene.clone(), method: row.method.clone(), variant: row.variant.clone(), plain, kept }
    }
}

/// A picture of a method in a scene, drawn elsewhere; it stands with its scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rendered {
    /// The scene's name.
    pub scene: String,
    /// The method's name.
    pub method: String,
    /// The time step that it shows, from 1, or 0 for the pose at t = 0.
    pub step: usize,
    /// The name of the file, beside the page.
    pub file: String,
    /// Width and height, pixels.
    pub size: [u32; 2],
}

/// A remark on what the page shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// Which table or section it belongs to.
    pub about: About,
    /// Which cells are meant: a scene, a method, a measure; may be empty.
    pub cells: String,
    /// What there is to know.
    pub text: String,
}

/// Where a [`Note`] stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// Contact counts of the pillar.
    Table6,
    /// Quality of the pillar.
    Table7,
    /// The fundamental cases.
    Table8,
    /// The wall.
    Wall,
    /// The arch.
    Arch,
    /// A study.
    Study(StudyKind),
    /// The whole.
    Everything,
}

impl Report<'_> {
    /// The page.
    pub fn page(&self) -> String {
        section::page(self)
    }

    /// The data behind the page, to be written beside it: the page links to these names.
    ///
    /// # Errors
    /// Values that cannot be written as JSON or CSV.
    pub fn files(&self) -> Result<Vec<File>, DataError> {
        data::files(self)
    }
}

/// A method's name as people write it.
fn method_title(method: &str) -> String {
    match method {
        "volume-sat" => "Volume SAT".into(),
        "surface-sat" => "Surface SAT".into(),
        _ => sentence(method),
    }
}

/// "spike-and-wedge" → "Spike and wedge".
fn sentence(name: &str) -> String {
    let spaced = name.replace('-', " ");
    let mut letters = spaced.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
