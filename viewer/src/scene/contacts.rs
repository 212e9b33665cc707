//! Contacts: points, normals, the lines between the two copies of one, and areas.

use bevy::prelude::*;
use drystone_bevy::draw::{ContactArea, ContactAreas, ContactMark, ContactMarks, Lines};
use glam::DVec3;

use super::set::OfTrack;
use super::space::{colour, place, single};
use super::stage::Stage;
use crate::Viewer;
use crate::model::{BodyPair, ContactsWith, Shown, State};

/// The lines between the two copies of a contact.
const LINKS: Color = Color::srgba(0.35, 0.37, 0.42, 0.45);
/// Contact areas.
const AREAS: Color = Color::srgba(0.0, 0.62, 0.45, 0.35);

/// Draws the contacts that are shown.
pub(super) fn draw(
    viewer: Res<Viewer>,
    stage: Res<Stage>,
    mut sets: Query<(&OfTrack, &mut ContactMarks, &mut ContactAreas, &mut Lines)>,
) {
    let middle = stage.extent.middle;
    for (track, mut marks, mut areas, mut lines) in &mut sets {
        let Some(shown) = viewer.shown(track.0) else { continue };
        marks.set_if_neq(ContactMarks(self::marks(shown, middle)));
        lines.set_if_neq(Lines::dashed(links(shown, middle)));
        areas.set_if_neq(ContactAreas(self::areas(shown, &viewer, middle)));
    }
}

/// The marks of the contacts that are shown, each once or twice.
fn marks(shown: &Shown, middle: DVec3) -> Vec<ContactMark> {
    let contacts = shown.contacts.iter();
    let marks = contacts.flat_map(|contact| {
        contact.places.into_iter().flatten().map(|at| ContactMark {
            position: place(at, middle),
            normal: single(contact.normal),
            colour: colour(contact.colour),
            is_emphasised: contact.is_selected,
            id: contact.index as u32,
        })
    });
    marks.collect()
}

/// From one copy of a contact to the other.
fn links(shown: &Shown, middle: DVec3) -> Vec<([Vec3; 2], Color)> {
    let links = shown.contacts.iter().filter_map(|contact| match contact.places {
        [Some(a), Some(b)] => Some(([place(a, middle), place(b, middle)], LINKS)),
        _ => None,
    });
    links.collect()
}

/// The areas in which facets touch, drawn with the bodies as their contacts are.
fn areas(shown: &Shown, state: &State, middle: DVec3) -> Vec<ContactArea> {
    let is_shown = |a, b| state.focus.is_none_or(|pair| pair == BodyPair::new(a, b));
    let polygons = shown.examined.polygons.iter().filter(|p| state.view.polygons && is_shown(p.a, p.b));
    let areas = polygons.flat_map(|polygon| {
        let (a, b) = (shown.shifts[polygon.a.index()], shown.shifts[polygon.b.index()]);
        let shifts = match state.view.contacts_with {
            ContactsWith::Both if a == b => [Some(a), None],
            ContactsWith::Both => [Some(a), Some(b)],
            ContactsWith::A => [Some(a), None],
            ContactsWith::B => [Some(b), None],
            ContactsWith::Between => [Some(0.5 * (a + b)), None],
        };
        shifts.into_iter().flatten().map(|shift| ContactArea {
            outlines: polygon
                .patch
                .outlines
                .iter()
                .map(|outline| outline.iter().map(|&corner| place(corner + shift, middle)).collect())
                .collect(),
            normal: single(polygon.patch.normal),
            colour: AREAS,
        })
    });
    areas.collect()
}
