//! The entities that draw one track.

use std::sync::Arc;

use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use drystone::engine::BodyId;
use drystone_bevy::draw::{BodyLook, ContactAreas, ContactMarks, DrawnBody, DrawnSurface, Highlight, Lines};
use drystone_report::inspection::Subject;

use super::bodies::BodyOf;
use super::highlight::Side;
use super::surfaces::{self, SurfaceOf};

/// Of which track an entity draws something, from 0.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfTrack(pub usize);

/// The layers on which a track is drawn: two tracks are seen by two cameras.
pub fn layers(track: usize) -> RenderLayers {
    RenderLayers::layer(track + 1)
}

/// Makes the entities of a track; the systems of this module fill them.
pub(super) fn spawn(commands: &mut Commands, track: usize, subject: &Arc<Subject>) -> Vec<Entity> {
    let common = || (OfTrack(track), layers(track));
    let mut entities = vec![
        commands.spawn((common(), ContactMarks::default(), ContactAreas::default(), Lines::default())).id(),
        commands.spawn((common(), Side::A, Highlight::default())).id(),
        commands.spawn((common(), Side::B, Highlight::default())).id(),
    ];
    for (number, body) in (0_u32..).zip(&subject.bodies) {
        let drawn = (DrawnBody::new(Arc::clone(&body.shape)), BodyLook::default());
        entities.push(commands.spawn((common(), BodyOf(BodyId::new(number)), drawn)).id());
    }
    for (number, surface) in subject.surfaces.iter().enumerate() {
        let drawn = DrawnSurface {
            positions: Vec::new(),
            triangles: Arc::clone(&surface.triangles),
            edges: Arc::clone(&surface.edges),
            colour: surfaces::colour(number, surface.is_prescribed),
        };
        entities.push(commands.spawn((common(), SurfaceOf(number), drawn)).id());
    }
    entities
}
