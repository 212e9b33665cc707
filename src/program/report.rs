//! Results as files: JSON, CSV, and the folder of a report.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::options::SceneOptions;
use super::output::write_to;
use super::tables::Tables;
use crate::contact::generator::cone_filter::ConeFilter;
use crate::engine::solver::ContactSolver;
use crate::scenes::assessment::{Assessed, Assessment, Row};
use crate::scenes::contact_list;
use crate::scenes::detection::Moment;

/// The command line of the process, with the program by its plain name.
pub fn command_line() -> String {
    let mut words = std::env::args();
    let path = words.next().map(PathBuf::from);
    let name = path.as_deref().and_then(Path::file_stem).unwrap_or("drystone".as_ref());
    std::iter::once(name.to_string_lossy().into_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The name of the JSON format (docs/assessment.schema.json).
const SCHEMA: &str = "drystone.assessment/1";

/// A run: what was asked and what came out.
pub struct Run<'a> {
    /// How scenes were made.
    pub options: &'a SceneOptions,
    /// The solver of the steps before; none where nothing was stepped.
    pub solver: Option<ContactSolver>,
    /// How contacts were looked at and judged.
    pub request: &'a Assessment,
    /// What came out.
    pub rows: &'a [Row],
    /// What did not.
    pub failures: &'a [Failure],
}

/// A method that could not be run in a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The scene.
    pub scene: String,
    /// The method.
    pub method: String,
    /// Why.
    pub error: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    settings: Settings<'a>,
    rows: &'a [Row],
    failures: &'a [Failure],
}

/// What the rows depend on.
#[derive(Serialize)]
struct Settings<'a> {
    program: &'static str,
    variant: &'a str,
    truth: &'a str,
    model: &'a str,
    size: Option<f64>,
    /// As asked; `None`: each scene's own.
    step: Option<usize>,
    pose: Option<&'a str>,
    time_step: Option<f64>,
    perturb: Option<f64>,
    seed: Option<u64>,
    refine: u32,
    solver: Option<&'static str>,
    tolerance: f64,
    envelope: f64,
    filter: Option<ConeFilter>,
}

impl Run<'_> {
    /// The run as JSON.
    pub fn json(&self) -> Result<Vec<u8>> {
        let (options, request) = (self.options, self.request);
        let (step, pose) = match request.moment {
            Some(Moment::Step(step)) => (Some(step), None),
            Some(Moment::Start) => (None, Some("start")),
            None => (None, None),
        };
        let settings = Settings {
            program: concat!("drystone ", env!("CARGO_PKG_VERSION")),
            variant: options.variant.name(),
            truth: request.truth.name(),
            model: options.model_name(),
            size: options.size,
            step,
            pose,
            time_step: options.dt,
            perturb: options.perturb,
            seed: options.seed,
            refine: options.refine,
            solver: self.solver.map(|solver| solver.name()),
            tolerance: request.matching.tolerance,
            envelope: request.region.envelope,
            filter: request.filter,
        };
        let document = Document { schema: SCHEMA, settings, rows: self.rows, failures: self.failures };
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// The rows as CSV, fractions 0…1, nothing where there is no value.
pub fn rows_as_csv(rows: &[Row]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "scene",
        "method",
        "variant",
        "truth",
        "step",
        "contacts",
        "matching",
        "coverage",
        "quality",
        "minimum",
        "excess",
        "minimum_at_pose",
        "excess_at_pose",
        "wrong",
        "wrong_angle_least",
        "wrong_angle_median",
        "wrong_angle_most",
        "area_coverage",
        "area_measured",
        "area_expected",
        "solver_residual",
        "published_coverage",
        "published_quality",
        "published_excess",
        "published_contacts",
        "published_area_coverage",
        "pairs",
        "seconds",
        "filtered",
        "strict_coverage",
        "strict_quality",
        "orientation",
        "position",
        "farthest",
        "gap",
        "gap_error",
        "touching",
        "distinct",
        "pairs_with_contacts",
        "pairs_that_touch",
        "acceleration_error",
        "bodies_moving_right",
        "bodies_moving",
        "expected_acceleration",
    ])?;
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    for row in rows {
        let (score, published) = (&row.score, row.published);
        let (angles, area) = (score.wrong.angles, score.area.as_ref());
        let (strict, physics) = (&row.strict, row.physics.as_ref());
        writer.write_record([
            row.scene.clone(),
            row.method.clone(),
            row.variant.clone().unwrap_or_default(),
            row.truth.to_string(),
            row.step.to_string(),
            score.contacts.to_string(),
            score.matching.to_string(),
            score.coverage.to_string(),
            score.quality.to_string(),
            score.minimum.to_string(),
            score.excess.to_string(),
            row.minimum_at_pose.to_string(),
            number(row.excess_at_pose),
            score.wrong.count.to_string(),
            number(angles.map(|a| a[0])),
            number(angles.map(|a| a[2])),
            number(angles.map(|a| a[4])),
            number(area.map(|a| a.coverage)),
            number(area.map(|a| a.measured)),
            number(area.map(|a| a.expected)),
            number(row.solver_residual),
            number(published.and_then(|p| p.coverage)),
            number(published.and_then(|p| p.quality)),
            number(published.and_then(|p| p.excess)),
            published.and_then(|p| p.contacts).map(|n| n.to_string()).unwrap_or_default(),
            number(published.and_then(|p| p.area_coverage)),
            row.pairs.to_string(),
            number(row.seconds),
            row.filtered.to_string(),
            strict.normals.share().to_string(),
            strict.contacts.share().to_string(),
            strict.orientation.share().to_string(),
            strict.position.share().to_string(),
            number(strict.farthest),
            strict.gap.share().to_string(),
            number(strict.gap_error),
            strict.touching.share().to_string(),
            strict.distinct.share().to_string(),
            strict.pairs.right.to_string(),
            strict.pairs.of.to_string(),
            number(physics.and_then(|p| p.acceleration_error)),
            physics.map(|p| p.bodies.right.to_string()).unwrap_or_default(),
            physics.map(|p| p.bodies.of.to_string()).unwrap_or_default(),
            number(physics.map(|p| p.expected_acceleration)),
        ])?;
    }
    Ok(writer.into_inner()?)
}

/// Writes a folder: `assessment.json`, `assessment.csv`, `tables.txt`, and `contacts/SCENE/METHOD.csv`.
pub fn write_folder(folder: &Path, assessed: &[Assessed], run: &Run<'_>) -> Result<()> {
    let make = |path: &Path| {
        std::fs::create_dir_all(path).with_context(|| format!("the folder {} cannot be made", path.display()))
    };
    make(folder)?;
    for of in assessed {
        let row = &of.row;
        let of_scene = folder.join("contacts").join(file_name(&row.scene));
        make(&of_scene)?;
        let mut text = Vec::new();
        match row.filtered {
            true => contact_list::write_judged(&of.detection.contacts, &of.filtering.verdicts, &mut text)?,
            false => contact_list::write(&of.detection.contacts, &mut text)?,
        }
        write_to(&of_scene.join(format!("{}.csv", row.method)), &text)?;
    }
    write_to(&folder.join("assessment.json"), &run.json()?)?;
    write_to(&folder.join("assessment.csv"), &rows_as_csv(run.rows)?)?;
    write_to(&folder.join("tables.txt"), Tables::plain(run.rows).as_bytes())
}

/// Writes a folder of scores from elsewhere: `assessment.json`, `assessment.csv` and `tables.txt`.
pub fn write_scores(folder: &Path, run: &Run<'_>) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    write_to(&folder.join("assessment.json"), &run.json()?)?;
    write_to(&folder.join("assessment.csv"), &rows_as_csv(run.rows)?)?;
    write_to(&folder.join("tables.txt"), Tables::strictly_plain(run.rows).as_bytes())
}

/// A name as a part of a path: anything but letters, digits, "-" and "_" becomes "-".
pub fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect()
}
