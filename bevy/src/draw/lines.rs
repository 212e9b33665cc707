//! Thin lines, such as those between the two copies of a contact of bodies that are drawn apart.

use super::drawing::{Drawing, Stroke};
use super::part::Part;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::prelude::*;

/// Gaps and dashes of dashed lines, in widths of the line.
const DASHES: GizmoLineStyle = GizmoLineStyle::Dashed { gap_scale: 2.0, line_scale: 3.0 };

/// Draws lines of half of [`super::Layers::line_width`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility)]
pub struct Lines {
    /// Both ends, in the frame of the entity, m, and the colour. Lines whose ends are not finite are left out.
    pub segments: Vec<([Vec3; 2], Color)>,
    /// Whether all of them are dashed.
    pub is_dashed: bool,
}

impl Lines {
    /// Whole lines.
    pub fn new(segments: Vec<([Vec3; 2], Color)>) -> Self {
        Self { segments, is_dashed: false }
    }

    /// Dashed lines.
    pub fn dashed(segments: Vec<([Vec3; 2], Color)>) -> Self {
        Self { segments, is_dashed: true }
    }
}

/// Makes the parts of lines that have changed, or of all if the layers have.
pub(super) fn draw(owners: Query<(Entity, Ref<Lines>)>, mut removed: RemovedComponents<Lines>, mut drawing: Drawing) {
    for owner in removed.read().filter(|&owner| !owners.contains(owner)) {
        drawing.remove(owner, &[Part::Lines]);
    }
    let (is_shown, width) = (drawing.layers.lines, 0.5 * drawing.layers.line_width);
    let is_all = drawing.layers.is_changed();
    for (owner, lines) in owners.iter().filter(|(_, lines)| lines.is_changed() || is_all) {
        let style = if lines.is_dashed { DASHES } else { GizmoLineStyle::Solid };
        let segments: &[_] = if is_shown { &lines.segments } else { &[] };
        drawing.set_segments(owner, Part::Lines, segments, Stroke { style, ..Stroke::of_width(width) });
    }
}
