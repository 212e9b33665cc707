//! Deformable surfaces: where their vertices are drawn.

use bevy::prelude::*;
use drystone_bevy::draw::DrawnSurface;

use super::set::OfTrack;
use super::space;
use super::stage::Stage;
use crate::Viewer;

/// Which surface an entity draws, by its number in the subject.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceOf(pub usize);

/// Surfaces beside each other differ.
const FREE: [[u8; 3]; 6] =
    [[217, 137, 91], [91, 143, 217], [127, 176, 105], [176, 127, 192], [217, 185, 91], [91, 185, 176]];
/// Those that move as prescribed are alike, and translucent.
const PRESCRIBED: [u8; 3] = [185, 181, 171];
const PRESCRIBED_ALPHA: f32 = 0.25;

/// Puts vertices where they are shown.
pub(super) fn place(
    viewer: Res<Viewer>,
    stage: Res<Stage>,
    mut surfaces: Query<(&SurfaceOf, &OfTrack, &mut DrawnSurface)>,
) {
    for (&SurfaceOf(number), track, mut drawn) in &mut surfaces {
        let Some(shown) = viewer.shown(track.0) else { continue };
        let Some(vertices) = shown.frame.surfaces.get(number) else { continue };
        let positions = vertices.iter().map(|&at| space::place(at, stage.extent.middle)).collect();
        let wanted = DrawnSurface { positions, ..drawn.clone() };
        drawn.set_if_neq(wanted);
    }
}

/// The colour of a surface.
pub fn colour(number: usize, is_prescribed: bool) -> Color {
    match is_prescribed {
        true => space::colour(PRESCRIBED).with_alpha(PRESCRIBED_ALPHA),
        false => space::colour(FREE[number % FREE.len()]),
    }
}
