//! The report of an assessment: its page, its data, its contacts, in one folder.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use super::studies::Studies;
use crate::contact::generator::cone_filter::Sides;
use crate::program::output::write_to;
use crate::program::report::{Run, command_line, write_folder};
use crate::report::{Filtered, Head, Machine, Picture, Rendered, Report, Study, commit, date, known_notes};
use crate::scenes::assessment::Assessed;
use crate::scenes::scene::Scene;

/// What there is to report.
pub struct Results<'a> {
    /// The scenes that were scored.
    pub scenes: &'a [Scene],
    /// What came out, scene by scene.
    pub assessed: &'a [Assessed],
    /// The scores and what was asked.
    pub run: &'a Run<'a>,
    /// The studies, where they belong to it.
    pub studies: &'a Studies,
    /// The pictures that the viewer drew.
    pub rendered: &'a [Rendered],
    /// When it began.
    pub start: Instant,
}

/// Writes a folder: `index.html`, the data behind it, `tables.txt` and `contacts/SCENE/METHOD.csv`.
pub fn write(folder: &Path, results: &Results<'_>) -> Result<()> {
    write_folder(folder, results.assessed, results.run)?;
    let Results { scenes, assessed, run, studies, rendered, start } = results;
    let scene_of = |name: &str| scenes.iter().find(|scene| scene.name == name);
    let drawn = assessed.iter().filter_map(|of| {
        Some(Picture {
            scene: scene_of(&of.row.scene)?,
            method: of.method.name(),
            contacts: of.contacts(),
            poses: &of.detection.poses,
            study: None,
            parameter: 0.0,
        })
    });
    let pictures: Vec<Picture<'_>> = drawn.chain(studies.pictures()).collect();
    let parameters: Vec<Study<'_>> =
        studies.parameters.iter().map(|(kind, samples)| Study { kind: *kind, samples }).collect();
    let filtered: Vec<Filtered> = assessed.iter().map(Filtered::from).collect();
    let variant = run.options.variant;
    let report = Report {
        head: Head {
            title: format!("Contact methods assessed, variant {variant}"),
            command: command_line(),
            variant: Some(variant.to_string()),
            truth: Some(run.request.truth),
            tolerance: Some(run.request.matching.tolerance),
            seed: run.options.seed,
            settings: settings(run),
            commit: commit(),
            machine: Some(Machine::this()),
            date: date::now(),
            seconds: Some(start.elapsed().as_secs_f64()),
            failures: failures(run, studies),
            files: ["assessment.json", "assessment.csv", "tables.txt"].map(String::from).to_vec(),
        },
        rows: run.rows,
        filtered: &filtered,
        samples: &studies.samples,
        statistics: &studies.statistics,
        studies: &parameters,
        pictures: &pictures,
        rendered,
        notes: &known_notes(variant),
    };
    for file in report.files().context("the data of the report cannot be written")? {
        write_to(&folder.join(file.name), &file.content)?;
    }
    write_to(&folder.join("index.html"), report.page().as_bytes())
}

fn settings(run: &Run<'_>) -> Vec<(String, String)> {
    let options = run.options;
    let mut settings = vec![("Bodies of built-in scenes".to_owned(), options.model_name().to_owned())];
    let given = [
        ("Scene size", options.size.map(|x| x.to_string())),
        ("Time step (s)", options.dt.map(|x| x.to_string())),
        ("Noise (m)", options.perturb.map(|x| x.to_string())),
        ("Normal-cone filter", run.request.filter.map(|filter| format!("tests {}", sides(filter.sides)))),
        ("Levels of refinement", (options.refine > 0).then(|| options.refine.to_string())),
    ];
    settings.extend(given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    settings
}

fn sides(sides: Sides) -> &'static str {
    match sides {
        Sides::Both => "both sides",
        Sides::A => "the first side alone",
        Sides::B => "the second side alone",
    }
}

fn failures(run: &Run<'_>, studies: &Studies) -> Vec<String> {
    let of_scenes = run.failures.iter().map(|f| format!("{}, {}: {}", f.scene, f.method, f.error));
    let of_studies = studies.failures.iter().map(|f| format!("{}: {}", f.name(), f.error));
    of_scenes.chain(of_studies).collect()
}
