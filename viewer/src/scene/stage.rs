//! What stands on the stage: the entities of each track, and how large the scene is.

use std::sync::Arc;

use bevy::prelude::*;
use drystone_bevy::draw::Layers;
use drystone_report::inspection::Subject;
use drystone_report::inspection::colour::SELECTED;

use super::bodies::style;
use super::extent::Extent;
use super::set::spawn;
use super::space::colour;
use crate::Viewer;
use crate::model::{State, Status, View};

/// The radius of a contact point by the size of a usual body.
const POINT: f64 = 0.012;
/// The length of a normal by it.
const NORMAL: f64 = 0.14;
/// How far areas stand off the faces that they lie on, by it.
const OFFSET: f64 = 0.001;
/// Of the lines of bodies and normals, logical pixels.
const LINE_WIDTH: f32 = 1.6;

/// What stands on the stage.
#[derive(Resource, Default)]
pub struct Stage {
    /// How large the scene is, and what all is drawn relative to.
    pub extent: Extent,
    /// Which scene it is, by the count of scenes that were opened.
    opened: u64,
    sets: Vec<Set>,
}

/// The entities of a track.
struct Set {
    subject: Arc<Subject>,
    entities: Vec<Entity>,
}

impl Stage {
    /// Whether what is opened is also what stands here.
    pub fn is_set(&self, state: &State) -> bool {
        !self.sets.is_empty() && self.opened == state.opened()
    }
}

/// Lets time go by.
pub(super) fn advance(time: Res<Time>, mut viewer: ResMut<Viewer>) {
    if viewer.bypass_change_detection().update(time.delta_secs_f64()) {
        viewer.set_changed();
    }
}

/// Makes the entities of tracks that are new, and takes away those of tracks that are gone.
pub(super) fn set(viewer: Res<Viewer>, mut stage: ResMut<Stage>, mut commands: Commands) {
    let tracks = viewer.tracks().len();
    while stage.sets.len() > tracks {
        stage.sets.pop().iter().for_each(|set| clear(&mut commands, set));
    }
    for track in 0..tracks {
        let Some(shown) = viewer.shown(track) else {
            // While a run is opened the one before stays in sight; where it cannot be opened there is nothing to see.
            if matches!(viewer.tracks()[track].status(), Status::Failed(_)) {
                while stage.sets.len() > track {
                    stage.sets.pop().iter().for_each(|set| clear(&mut commands, set));
                }
            }
            continue;
        };
        let is_set = stage.sets.get(track).is_some_and(|set| Arc::ptr_eq(&set.subject, &shown.subject));
        // The second track stands beside the first, which says where the middle is.
        if is_set || track > stage.sets.len() {
            continue;
        }
        if track == 0 {
            stage.opened = viewer.opened();
            stage.extent = Extent::of(&shown.subject, &shown.frame.poses);
            stage.extent.take_surfaces(&shown.subject, &shown.frame.surfaces);
        }
        let set = Set { subject: Arc::clone(&shown.subject), entities: spawn(&mut commands, track, &shown.subject) };
        match stage.sets.get_mut(track) {
            Some(old) => clear(&mut commands, &std::mem::replace(old, set)),
            None => stage.sets.push(set),
        }
    }
}

fn clear(commands: &mut Commands, set: &Set) {
    set.entities.iter().for_each(|&entity| commands.entity(entity).despawn());
}

/// The radius of contact points and the length of normals, m.
pub fn sizes(view: &View, extent: &Extent) -> (f64, f64) {
    (POINT * extent.scale * view.point_size, NORMAL * extent.scale * view.normal_size)
}

/// Whether contacts are seen through solid bodies: as long as these touch, nothing else would be seen of their contacts. Once they
/// are apart, what is in front hides what is behind.
pub fn are_marks_in_front(view: &View) -> bool {
    view.explode.amount == 0.0
}

/// Says how everything is drawn.
pub(super) fn configure(viewer: Res<Viewer>, stage: Res<Stage>, mut layers: ResMut<Layers>) {
    let view = &viewer.view;
    let (radius, length) = sizes(view, &stage.extent);
    let wanted = Layers {
        bodies: style(view.bodies),
        points: view.points,
        normals: view.normals,
        areas: view.polygons,
        point_radius: radius as f32,
        normal_length: length as f32,
        area_offset: (OFFSET * stage.extent.scale) as f32,
        line_width: LINE_WIDTH,
        emphasis_colour: colour(SELECTED),
        marks_in_front: are_marks_in_front(view),
        ..Layers::default()
    };
    layers.set_if_neq(wanted);
}
