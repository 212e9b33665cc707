//! The two features of the picked contact, and the edges of a picked body.

use bevy::prelude::*;
use drystone::contact::Feature;
use drystone::engine::BodyId;
use drystone_bevy::draw::Highlight;
use drystone_report::inspection::colour::SELECTED;
use drystone_report::inspection::feature_geometry;

use super::bodies::pose;
use super::set::OfTrack;
use super::space::{colour, single, transform};
use super::stage::Stage;
use crate::Viewer;
use crate::model::{Selected, Shown, State};

/// Which side of the picked contact an entity highlights.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The feature of the first body.
    A,
    /// That of the second.
    B,
}

/// The opacity of highlighted faces.
const FACES: f32 = 0.55;

/// Highlights the features of the picked contact.
pub(super) fn draw(
    viewer: Res<Viewer>,
    stage: Res<Stage>,
    mut sides: Query<(&Side, &OfTrack, &mut Transform, &mut Highlight)>,
) {
    for (&side, track, mut at, mut highlight) in &mut sides {
        let Some(shown) = viewer.shown(track.0) else { continue };
        let picked = picked(&viewer, track.0, shown, side);
        let pose = picked.and_then(|(body, _)| pose(shown, body));
        let drawn = picked.map(|(body, feature)| features(shown, body, feature)).unwrap_or_default();
        if let Some(pose) = pose {
            at.set_if_neq(transform(pose, stage.extent.middle));
        }
        highlight.set_if_neq(drawn);
    }
}

/// The body and the feature of one side of the picked contact, if one is picked in this track and in this step.
fn picked(state: &State, track: usize, shown: &Shown, side: Side) -> Option<(BodyId, Feature)> {
    let Selected::Contact { track: of, key } = state.selected else { return None };
    if of != track || shown.selected.is_empty() {
        return None;
    }
    Some(match side {
        Side::A => (key.a, key.feature_a),
        Side::B => (key.b, key.feature_b),
    })
}

/// Features are those of the shape that the generator saw.
fn features(shown: &Shown, body: BodyId, feature: Feature) -> Highlight {
    if shown.subject.body(body).is_none() {
        return Highlight::default();
    }
    let geometry = feature_geometry(shown.subject.contact_shape(body), feature);
    Highlight {
        triangles: geometry.triangles.iter().map(|triangle| triangle.map(single)).collect(),
        segments: geometry.segments.iter().map(|segment| segment.map(single)).collect(),
        points: geometry.points.iter().map(|&point| single(point)).collect(),
        colour: colour(SELECTED).with_alpha(FACES),
    }
}
