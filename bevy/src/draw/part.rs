//! The child entities that draw an owner's data.

use bevy::camera::visibility::RenderLayers;
use bevy::ecs::system::SystemParam;
use bevy::gizmos::GizmoAsset;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::prelude::*;

/// What a child entity draws of its owner.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The triangles of a body.
    Surface,
    /// The edges of a body.
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

/// The depth bias of lines in front of everything, as in `Gizmo`.
pub(super) const IN_FRONT: f32 = -1.0;

/// A bundle that draws lines.
///
/// `width` in logical pixels; `depth_bias` as in `Gizmo`: 0 where they are, towards −1 in front of other things.
pub(super) fn lines(
    handle: Handle<GizmoAsset>,
    width: f32,
    style: GizmoLineStyle,
    depth_bias: f32,
) -> impl Bundle + use<> {
    let mut gizmo = Gizmo { depth_bias, ..Gizmo::default() };
    gizmo.line_config.width = width;
    gizmo.line_config.style = style;
    (LineSet(handle), gizmo)
}

/// Makes, replaces and removes the parts of owners.
#[derive(SystemParam)]
pub(super) struct Parts<'w, 's> {
    commands: Commands<'w, 's>,
    children: Query<'w, 's, &'static Children>,
    parts: Query<'w, 's, &'static Part>,
}

impl Parts<'_, '_> {
    /// Makes a part what `drawing` says, or removes it.
    pub fn set(&mut self, owner: Entity, part: Part, drawing: Option<impl Bundle>) {
        let children = self.children.get(owner).map(|children| children.iter()).into_iter().flatten();
        let mut own = children.filter(|&child| self.parts.get(child) == Ok(&part));
        match (own.next(), drawing) {
            (Some(child), Some(drawing)) => {
                self.commands.entity(child).insert(drawing);
            }
            (None, Some(drawing)) => {
                self.commands.spawn((part, ChildOf(owner), Transform::IDENTITY, Visibility::Inherited, drawing));
            }
            (Some(child), None) => self.commands.entity(child).despawn(),
            (None, None) => {}
        }
    }

    /// Removes parts.
    pub fn remove(&mut self, owner: Entity, parts: &[Part]) {
        for &part in parts {
            self.set(owner, part, None::<()>);
        }
    }
}

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
