//! The child entities that draw an owner's data.

use bevy::camera::visibility::RenderLayers;
use bevy::gizmos::GizmoAsset;
use bevy::prelude::*;

/// What a child entity draws of its owner.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The triangles of a body or a deformable surface.
    Surface,
    /// The edges of a body or a deformable surface.
    Edges,
    /// The balls of contact marks.
    Points,
    /// The arrows of contact marks.
    Normals,
    /// The inside of contact areas.
    Areas,
    /// The borders of contact areas.
    AreaBorders,
    /// Lines.
    Lines,
    /// The triangles and points of a highlight.
    HighlightFaces,
    /// The segments of a highlight.
    HighlightLines,
}

/// The lines that a part draws while it is visible. Bevy draws a `Gizmo` without asking for its visibility; the part's
/// `Gizmo` therefore holds these lines only while the part is not hidden.
#[derive(Component, Clone, Debug, Default)]
#[require(Gizmo, Transform, Visibility)]
pub struct LineSet(pub Handle<GizmoAsset>);

/// Gives all parts the render layers of their owners.
pub(super) fn follow_layers(
    mut commands: Commands,
    parts: Query<(Entity, &ChildOf, Option<&RenderLayers>), With<Part>>,
    owners: Query<&RenderLayers, Without<Part>>,
) {
    for (part, owner, layers) in &parts {
        let wanted = owners.get(owner.parent()).ok();
        if layers == wanted {
            continue;
        }
        match wanted {
            Some(layers) => commands.entity(part).insert(layers.clone()),
            None => commands.entity(part).remove::<RenderLayers>(),
        };
    }
}

/// Takes the lines of hidden parts out of their gizmos, and puts them back.
pub(super) fn follow_visibility(mut parts: Query<(&LineSet, &InheritedVisibility, &mut Gizmo)>) {
    for (lines, visibility, mut gizmo) in &mut parts {
        let wanted = if visibility.get() { lines.0.clone() } else { Handle::default() };
        if gizmo.handle != wanted {
            gizmo.handle = wanted;
        }
    }
}
