//! The main job: every scene by every method, scored, beside the published figures.

use std::time::Duration;

use drystone_contact::generator::Method;
use drystone_contact::generator::cone_filter::ConeFilter;
use drystone_engine::ContactBetween;
use serde::Serialize;

use crate::contact_region::{RegionSettings, corners};
use crate::detection::{Detection, DetectionFailure, Moment, detect};
use crate::filtering::{Filtering, filtering};
use crate::measure::{Matching, Score, score};
use crate::physics::Physics;
use crate::scene::Scene;
use crate::strict::{Strict, StrictSettings, strict};
use crate::truth::TruthKind;
use drystone_replica::published::{Published, published};

/// What is asked of an assessment.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// By which truth contacts are judged.
    pub truth: TruthKind,
    /// When contacts are looked at; `None`: in each scene's own scored step.
    pub moment: Option<Moment>,
    /// How normals are matched.
    pub matching: Matching,
    /// How the corners of the contact region are found.
    pub region: RegionSettings,
    /// The normal-cone filter behind every method; `None`: rows are of all contacts. It judges the contacts of the
    /// moment; the steps before are made with the method as it is.
    pub filter: Option<ConeFilter>,
}

/// The scores of one method in one scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The scene's name.
    pub scene: String,
    /// The method's name; of a list of contacts from elsewhere, what its owner calls it.
    pub method: String,
    /// The variant; `None` for contacts from elsewhere.
    pub variant: Option<String>,
    /// Whether the scores are of those contacts alone that the normal-cone filter keeps.
    pub filtered: bool,
    /// The truth it was judged by.
    pub truth: TruthKind,
    /// The time step from 1, or 0 for the pose at t = 0 without a step.
    pub step: usize,
    /// The scores.
    #[serde(flatten)]
    pub score: Score,
    /// The strict scores beside them.
    pub strict: Strict,
    /// What the contacts do in one step; `None` unless it was asked for, or where no reference is known.
    pub physics: Option<Physics>,
    /// The minimal number of contacts that the pose at detection needs: the corners of its contact region.
    pub minimum_at_pose: usize,
    /// Contacts by that minimum; `None` if the region has no corners.
    pub excess_at_pose: Option<f64>,
    /// How far the impulses of the steps before were from solving their contacts, at worst, N s; `None` without steps.
    pub solver_residual: Option<f64>,
    /// What the published table says of this method in this scene and step, if the scene is as it is there and nothing
    /// is filtered.
    pub published: Option<Published>,
    /// Pairs of bodies looked at.
    pub pairs: usize,
    /// Time in the method a pair of bodies, s; `None` for contacts from elsewhere.
    pub seconds: Option<f64>,
}

/// A row and the contacts behind it.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// What found the contacts.
    pub method: Method,
    /// The scores.
    pub row: Row,
    /// All contacts and where they were found.
    pub detection: Detection,
    /// What the filter says of them: the one asked for, or that of [`ConeFilter::default`].
    pub filtering: Filtering,
    /// The scores of all contacts.
    pub plain: Score,
    /// The scores of those that the filter keeps.
    pub kept: Score,
}

impl Assessed {
    /// The contacts that the row is about.
    pub fn contacts(&self) -> &[ContactBetween] {
        if self.row.filtered { &self.filtering.kept } else { &self.detection.contacts }
    }
}

/// Runs one method, of the registry or any other, in one scene and scores it.
///
/// # Errors
/// See [`DetectionFailure`].
pub fn assess(scene: &Scene, method: &Method, request: &Assessment) -> Result<Assessed, DetectionFailure> {
    let moment = request.moment.unwrap_or(Moment::Step(scene.scored_step));
    let detection = detect(scene, method, moment)?;
    let filter = request.filter.unwrap_or_default();
    let filtering = filtering(scene, method, &detection, &filter);
    let truth = scene.truth(request.truth).at(&detection.poses);
    let [plain, kept] = [&detection.contacts, &filtering.kept].map(|list| score(list, &truth, &request.matching));
    let filtered = request.filter.is_some();
    let contacts = if filtered { &filtering.kept } else { &detection.contacts };
    let mut row = score_contacts(scene, method.name(), contacts, &detection.poses, request);
    row.filtered = filtered;
    row.step = match moment {
        Moment::Start => 0,
        Moment::Step(step) => step,
    };
    row.variant = Some(method.variant().into());
    row.solver_residual = detection.steps.iter().map(|s| s.natural_residual).reduce(f64::max);
    if scene.is_as_published && !filtered && moment == Moment::Step(scene.scored_step) {
        row.published = published(&scene.name, method.name());
    }
    row.pairs = detection.pairs;
    row.seconds = Some(per_pair(detection.time, detection.pairs));
    Ok(Assessed { method: method.clone(), row, detection, filtering, plain, kept })
}

/// Scores contacts from elsewhere, found at the given poses of the bodies.
pub fn score_contacts(
    scene: &Scene,
    method: &str,
    contacts: &[ContactBetween],
    poses: &[drystone_engine::Pose],
    request: &Assessment,
) -> Row {
    let truth = scene.truth(request.truth).at(poses);
    let score = score(contacts, &truth, &request.matching);
    let minimum_at_pose = corners(scene, &truth, poses, &request.region);
    Row {
        scene: scene.name.clone(),
        method: method.into(),
        variant: None,
        filtered: false,
        truth: request.truth,
        step: scene.scored_step,
        minimum_at_pose,
        excess_at_pose: (minimum_at_pose > 0).then(|| contacts.len() as f64 / minimum_at_pose as f64),
        strict: strict(scene, contacts, &truth, poses, &request.matching, &StrictSettings::default()),
        physics: None,
        score,
        solver_residual: None,
        published: None,
        pairs: 0,
        seconds: None,
    }
}

fn per_pair(time: Duration, pairs: usize) -> f64 {
    time.as_secs_f64() / pairs.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Case, Model};
    use drystone_contact::generator::methods;

    #[test]
    fn a_row_says_what_it_is() {
        let scene = Case::CliffEdges.scene(Model::Procedural, None).unwrap();
        let request = Assessment {
            truth: TruthKind::Corrected,
            moment: Some(Moment::Start),
            matching: Matching::default(),
            region: RegionSettings::default(),
            filter: None,
        };
        let assessed = assess(&scene, &methods::closest_points(), &request).unwrap();
        let row = &assessed.row;
        assert_eq!((row.scene.as_str(), row.method.as_str(), row.step), ("cliff-edges", "closest-points", 0));
        assert_eq!((row.score.minimum, row.minimum_at_pose, row.pairs), (4, 4, 1));
        assert_eq!(row.score.coverage, 1.0);
        assert_eq!(row.excess_at_pose, Some(row.score.excess));
        assert_eq!(row.published, None, "the table shows step 2");
        assert!(assessed.detection.steps.is_empty());
        let usual_request = Assessment { moment: None, ..request.clone() };
        let usual = assess(&scene, &methods::closest_points(), &usual_request).unwrap().row;
        assert_eq!((usual.step, usual.published.unwrap().quality), (2, Some(0.625)));
        assert!(usual.solver_residual.unwrap() < 1e-6 && row.solver_residual.is_none());
        let filtered = Assessment { filter: Some(ConeFilter::default()), ..usual_request };
        let filtered = assess(&scene, &methods::volume_sat(), &filtered).unwrap();
        assert!(filtered.row.filtered && filtered.row.published.is_none());
        assert_eq!((&filtered.row.score, filtered.contacts()), (&filtered.kept, &filtered.filtering.kept[..]));
        assert!(filtered.kept.quality > filtered.plain.quality);
        let late = Assessment { moment: Some(Moment::Step(3)), ..request };
        let assessed = assess(&scene, &methods::closest_points(), &late).unwrap();
        assert_eq!((assessed.row.step, assessed.detection.steps.len()), (3, 2));
        let never = Assessment { moment: Some(Moment::Step(0)), ..late };
        assert!(assess(&scene, &methods::closest_points(), &never).is_err());
    }
}
