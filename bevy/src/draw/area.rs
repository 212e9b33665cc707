//! Contact areas as filled polygons with borders.

use super::colour::Finish;
use super::drawing::{Drawing, Segment, Stroke};
use super::part::Part;
use super::polygon;
use super::triangles::Triangles;
use bevy::prelude::*;

/// An area in which two bodies touch, as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactArea {
    /// Each is a polygon: its outer loops and its holes in any order and direction, in the frame of the entity, m.
    pub outlines: Vec<Vec<Vec3>>,
    /// Across the plane of the outlines, any length.
    pub normal: Vec3,
    /// Of the inside, with its alpha; borders are opaque.
    pub colour: Color,
}

/// Draws contact areas: translucent, seen from both sides.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility)]
pub struct ContactAreas(pub Vec<ContactArea>);

/// Makes the parts of areas that have changed, or of all if the layers have.
pub(super) fn draw(
    owners: Query<(Entity, Ref<ContactAreas>)>,
    mut removed: RemovedComponents<ContactAreas>,
    mut drawing: Drawing,
) {
    for owner in removed.read().filter(|&owner| !owners.contains(owner)) {
        drawing.remove(owner, &[Part::Areas, Part::AreaBorders]);
    }
    let (is_shown, offset) = (drawing.layers.areas, drawing.layers.area_offset);
    let stroke = Stroke { depth_bias: Stroke::ON_FACES, ..Stroke::of_width(drawing.layers.line_width) };
    let is_all = drawing.layers.is_changed();
    for (owner, areas) in owners.iter().filter(|(_, areas)| areas.is_changed() || is_all) {
        let areas: &[ContactArea] = if is_shown { &areas.0 } else { &[] };
        drawing.set_triangles(owner, Part::Areas, inside(areas, offset), Finish::Translucent);
        drawing.set_segments(owner, Part::AreaBorders, &borders(areas), stroke);
    }
}

fn inside(areas: &[ContactArea], offset: f32) -> Triangles {
    let mut triangles = Triangles::default();
    for area in areas {
        for corners in polygon::triangles(&area.outlines, area.normal) {
            triangles.push_both_sides(corners, offset, area.colour);
        }
    }
    triangles
}

fn borders(areas: &[ContactArea]) -> Vec<Segment> {
    let mut segments = Vec::new();
    for area in areas {
        let colour = area.colour.with_alpha(1.0);
        for outline in area.outlines.iter().filter(|outline| polygon::is_loop(outline)) {
            let next = outline.iter().cycle().skip(1);
            segments.extend(outline.iter().zip(next).map(|(&p, &q)| ([p, q], colour)));
        }
    }
    segments
}
