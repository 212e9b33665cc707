//! Runs of a scene over a parameter, as a report shows them.

use drystone_scenes::study::Sample;
use serde::Serialize;

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

impl StudyKind {
    /// The name in files and in addresses within a page.
    pub fn name(self) -> &'static str {
        match self {
            StudyKind::Perturbation => "perturbation",
            StudyKind::Refinement => "refinement",
            StudyKind::TimeStep => "time-step",
        }
    }
}

/// Runs of a scene over a parameter.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Study<'a> {
    /// What is varied.
    pub kind: StudyKind,
    /// The runs.
    pub samples: &'a [Sample],
}
