//! Contact points as balls and contact normals as arrows.

use super::colour::Finish;
use super::drawing::{Drawing, Segment, Stroke};
use super::layers::Layers;
use super::part::Part;
use super::triangles::{Ball, Triangles};
use bevy::prelude::*;

/// A contact as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMark {
    /// Where, in the frame of the entity, m. Marks whose position is not finite are left out.
    pub position: Vec3,
    /// Which way the arrow points, any length. Without a direction there is no arrow.
    pub normal: Vec3,
    /// Of point and arrow; its alpha is not used.
    pub colour: Color,
    /// Whether it is larger, in [`Layers::emphasis_colour`] with a dark outline.
    pub is_emphasised: bool,
    /// What the application calls it; not drawn.
    pub id: u32,
}

/// Draws contacts. All points of an entity are one mesh and all arrows one list of lines, made anew when the component
/// changes.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility)]
pub struct ContactMarks(pub Vec<ContactMark>);

/// Makes the parts of marks that have changed, or of all if the layers have.
pub(super) fn draw(
    owners: Query<(Entity, Ref<ContactMarks>)>,
    mut removed: RemovedComponents<ContactMarks>,
    mut drawing: Drawing,
) {
    for owner in removed.read().filter(|&owner| !owners.contains(owner)) {
        drawing.remove(owner, &[Part::Points, Part::Normals]);
    }
    let layers = drawing.layers.clone();
    let (finish, depth_bias) =
        if layers.marks_in_front { (Finish::InFront, Stroke::IN_FRONT) } else { (Finish::Plain, 0.0) };
    let stroke = Stroke { depth_bias, ..Stroke::of_width(layers.line_width) };
    let is_all = drawing.layers.is_changed();
    for (owner, marks) in owners.iter().filter(|(_, marks)| marks.is_changed() || is_all) {
        let points = if layers.points { points(&marks.0, &layers) } else { Triangles::default() };
        drawing.set_triangles(owner, Part::Points, points, finish);
        let arrows = if layers.normals { arrows(&marks.0, &layers) } else { Vec::new() };
        drawing.set_segments(owner, Part::Normals, &arrows, stroke);
    }
}

/// The balls of all marks.
fn points(marks: &[ContactMark], layers: &Layers) -> Triangles {
    let ball = Ball::new(u32::from(marks.len() <= layers.fine_points));
    let mut triangles = Triangles::default();
    for mark in marks {
        let radius = layers.point_radius;
        if mark.is_emphasised {
            let radius = radius * layers.emphasis_scale;
            let outer = radius * (1.0 + layers.halo_share);
            triangles.push_ball(&ball, mark.position, outer, layers.edge_colour, true);
            triangles.push_ball(&ball, mark.position, radius, layers.emphasis_colour, false);
        } else {
            triangles.push_ball(&ball, mark.position, radius, mark.colour, false);
        }
    }
    triangles
}

/// The arrows of all marks.
fn arrows(marks: &[ContactMark], layers: &Layers) -> Vec<Segment> {
    let mut segments = Vec::with_capacity(5 * marks.len());
    for mark in marks {
        let Some(direction) = mark.normal.try_normalize() else { continue };
        let (colour, scale) = match mark.is_emphasised {
            true => (layers.emphasis_colour, layers.emphasis_scale),
            false => (mark.colour, 1.0),
        };
        let length = layers.normal_length * scale;
        let end = mark.position + length * direction;
        segments.push(([mark.position, end], colour));
        let (side, other) = direction.any_orthonormal_pair();
        let (back, out) = (layers.tip_share * length * direction, 0.5 * layers.tip_share * length);
        segments.extend([side, -side, other, -other].map(|barb| ([end, end - back + out * barb], colour)));
    }
    segments
}
