//! The features of a picked contact.

use super::colour::Finish;
use super::drawing::{Drawing, Stroke};
use super::layers::Layers;
use super::part::Part;
use super::triangles::{Ball, Triangles};
use bevy::prelude::*;

/// Draws features that stand out: faces as translucent triangles, edges as lines of twice the width in front of
/// everything, vertices as balls. All in the frame of the entity, m; whatever is not finite is left out.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility)]
pub struct Highlight {
    /// Faces.
    pub triangles: Vec<[Vec3; 3]>,
    /// Edges.
    pub segments: Vec<[Vec3; 2]>,
    /// Vertices.
    pub points: Vec<Vec3>,
    /// Of all of them; its alpha is that of the triangles.
    pub colour: Color,
}

/// Makes the parts of highlights that have changed, or of all if the layers have.
pub(super) fn draw(
    owners: Query<(Entity, Ref<Highlight>)>,
    mut removed: RemovedComponents<Highlight>,
    mut drawing: Drawing,
) {
    for owner in removed.read().filter(|&owner| !owners.contains(owner)) {
        drawing.remove(owner, &[Part::HighlightFaces, Part::HighlightLines]);
    }
    let stroke = Stroke { depth_bias: Stroke::IN_FRONT, ..Stroke::of_width(2.0 * drawing.layers.line_width) };
    let is_all = drawing.layers.is_changed();
    for (owner, own) in owners.iter().filter(|(_, own)| own.is_changed() || is_all) {
        let faces = faces(&own, &drawing.layers);
        drawing.set_triangles(owner, Part::HighlightFaces, faces, Finish::Translucent);
        let opaque = own.colour.with_alpha(1.0);
        let segments: Vec<_> = own.segments.iter().map(|&segment| (segment, opaque)).collect();
        drawing.set_segments(owner, Part::HighlightLines, &segments, stroke);
    }
}

fn faces(highlight: &Highlight, layers: &Layers) -> Triangles {
    let (mut triangles, ball) = (Triangles::default(), Ball::new(1));
    for &corners in &highlight.triangles {
        triangles.push_both_sides(corners, layers.area_offset, highlight.colour);
    }
    let radius = layers.point_radius * layers.emphasis_scale;
    for &point in &highlight.points {
        triangles.push_ball(&ball, point, radius, highlight.colour.with_alpha(1.0), false);
    }
    triangles
}
