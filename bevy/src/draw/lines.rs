//! Thin lines, such as those between the two copies of a contact of bodies that are drawn apart.

use super::layers::Layers;
use super::part::{Part, Parts, lines};
use bevy::gizmos::GizmoAsset;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::prelude::*;

/// Gaps and dashes of dashed lines, in widths of the line.
const DASHES: GizmoLineStyle = GizmoLineStyle::Dashed { gap_scale: 2.0, line_scale: 3.0 };

/// Draws lines of half of [`Layers::line_width`].
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
pub(super) fn draw(
    layers: Res<Layers>,
    owners: Query<(Entity, Ref<Lines>)>,
    mut removed: RemovedComponents<Lines>,
    mut parts: Parts,
    mut gizmos: ResMut<Assets<GizmoAsset>>,
) {
    for owner in removed.read().filter(|&owner| !owners.contains(owner)) {
        parts.remove(owner, &[Part::Lines]);
    }
    for (owner, own) in owners.iter().filter(|(_, own)| own.is_changed() || layers.is_changed()) {
        let asset = if layers.lines { asset(&own.segments) } else { None };
        let style = if own.is_dashed { DASHES } else { GizmoLineStyle::Solid };
        let drawing = asset.map(|asset| lines(gizmos.add(asset), 0.5 * layers.line_width, style, 0.0));
        parts.set(owner, Part::Lines, drawing);
    }
}

/// Lines as an asset; `None` if there are none.
pub(super) fn asset(segments: &[([Vec3; 2], Color)]) -> Option<GizmoAsset> {
    let mut asset = GizmoAsset::new();
    let mut is_empty = true;
    for &([p, q], colour) in segments.iter().filter(|([p, q], _)| p.is_finite() && q.is_finite()) {
        asset.line(p, q, colour);
        is_empty = false;
    }
    (!is_empty).then_some(asset)
}
