//! Bodies: where they are drawn and how.

use bevy::prelude::*;
use drystone::engine::BodyId;
use drystone_bevy::draw::{BodyLook, BodyStyle};
use drystone_report::inspection::colour::SELECTED;

use super::extent::Extent;
use super::set::OfTrack;
use super::space::{colour, shifted, transform};
use super::stage::Stage;
use crate::Viewer;
use crate::model::{self, Selected, Shown, State};

/// Which body an entity draws.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyOf(pub BodyId);

/// What is left of the opacity of a ghost.
const GHOST: f32 = 0.22;
/// And of ground.
const GROUND: f32 = 0.3;
/// Stones: neighbours differ a little, so that one tells them apart.
const STONES: [[u8; 3]; 5] = [[206, 201, 190], [190, 190, 186], [214, 206, 186], [196, 199, 204], [203, 193, 184]];
/// A picked body, solid.
const PICKED_MIX: f32 = 0.55;
const PICKED_LINES: Color = Color::srgb(0.88, 0.58, 0.0);

/// Puts bodies where they are shown, as they are shown.
pub(super) fn place(
    viewer: Res<Viewer>,
    stage: Res<Stage>,
    mut bodies: Query<(&BodyOf, &OfTrack, &mut Transform, &mut BodyLook)>,
) {
    for (body, track, mut place, mut look) in &mut bodies {
        let Some(shown) = viewer.shown(track.0) else { continue };
        let Some(pose) = pose(shown, body.0) else { continue };
        place.set_if_neq(transform(pose, stage.extent.middle));
        look.set_if_neq(look_of(&viewer, &stage.extent, body.0));
    }
}

/// Where a body is drawn: at its pose, moved apart from the others; world frame.
pub fn pose(shown: &Shown, body: BodyId) -> Option<drystone::engine::Pose> {
    let (pose, shift) = (shown.frame.poses.get(body.index())?, shown.shifts.get(body.index())?);
    Some(shifted(*pose, *shift))
}

/// How a body is drawn.
pub fn look_of(state: &State, extent: &Extent, body: BodyId) -> BodyLook {
    let look = state.look(body);
    let is_picked = state.selected == Selected::Body(body);
    let is_wireframe = state.view.bodies == model::BodyStyle::Wireframe;
    let stone = Color::srgb_u8(STONES[body.index() % 5][0], STONES[body.index() % 5][1], STONES[body.index() % 5][2]);
    let colour = match (is_picked, is_wireframe) {
        (true, true) => Some(PICKED_LINES),
        (true, false) => Some(stone.mix(&colour(SELECTED), PICKED_MIX)),
        (false, true) => None,
        (false, false) => Some(stone),
    };
    let faint = if extent.is_ground(body.index()) { GROUND } else { 1.0 };
    let alpha = if look == model::BodyLook::Ghost { GHOST * faint } else { faint };
    BodyLook { style: None, colour, alpha, is_hidden: look == model::BodyLook::Hidden }
}

/// How bodies are drawn that do not say so themselves.
pub fn style(style: model::BodyStyle) -> BodyStyle {
    match style {
        model::BodyStyle::Solid => BodyStyle::Solid,
        model::BodyStyle::SolidEdges => BodyStyle::SolidEdges,
        model::BodyStyle::Wireframe => BodyStyle::Wireframe,
        model::BodyStyle::Hidden => BodyStyle::Hidden,
    }
}
