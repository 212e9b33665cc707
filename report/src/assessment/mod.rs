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
pub(crate) mod section;

pub use data::{DataError, File};
pub use known_notes::known_notes;

use drystone_contact::generator::Method;
use drystone_engine::{ContactBetween, Pose};
use drystone_scenes::assessment::{Assessed, Row};
use drystone_scenes::measure::Score;
use drystone_scenes::scene::Scene;
use drystone_scenes::study::{Sample, Statistics};
use drystone_scenes::truth::TruthKind;
use serde::Serialize;

use crate::machine::Machine;
use crate::picture;

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

/// What was run, where and when. Empty texts and `None` are left out or shown as unknown.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Head {
    /// Heading of the page.
    pub title: String,
    /// The command line.
    pub command: String,
    /// How the methods are read.
    pub variant: Option<String>,
    /// By which truth contacts are judged.
    pub truth: Option<TruthKind>,
    /// A normal n matches an expected one e if | |n·e| − 1 | is below this.
    pub tolerance: Option<f64>,
    /// Where noise starts from.
    pub seed: Option<u64>,
    /// Other settings: name and value.
    pub settings: Vec<(String, String)>,
    /// The state of the sources ([`commit`]).
    pub commit: Option<String>,
    /// What it ran on.
    pub machine: Option<Machine>,
    /// When, as the reader is to see it.
    pub date: String,
    /// How long it took, s.
    pub seconds: Option<f64>,
    /// What could not be run: one line each.
    pub failures: Vec<String>,
    /// Names of further files that the caller writes beside the page, to be linked.
    pub files: Vec<String>,
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

/// What a study varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StudyKind {
    /// Noise on the positions, m (paper, section 8.5).
    Perturbation,
    /// Levels of refinement of the meshes (paper, section 8.6).
    Refinement,
    /// Length of the time step, s (paper, section 8.7).
    TimeStep,
}

/// Runs of a scene over a parameter.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Study<'a> {
    /// What is varied.
    pub kind: StudyKind,
    /// The runs.
    pub samples: &'a [Sample],
}

/// Contacts to be drawn with the bodies of their scene.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The scene as it was run: its shapes and its truth are drawn and judged by.
    pub scene: &'a Scene,
    /// The method.
    pub method: Method,
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
        picture::in_place::draw(self, width)
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
