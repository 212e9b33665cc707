//! From triangles and segments to the parts that draw them.

use super::colour::{Finish, MaterialCache};
use super::layers::Layers;
use super::part::{LineSet, Part};
use super::triangles::Triangles;
use bevy::ecs::system::SystemParam;
use bevy::gizmos::GizmoAsset;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::pbr::StandardMaterial;
use bevy::prelude::*;

/// Both ends of a line, m, and its colour.
pub(super) type Segment = ([Vec3; 2], Color);

/// How lines are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    /// Logical pixels.
    pub width: f32,
    /// Whole or dashed.
    pub style: GizmoLineStyle,
    /// As in `Gizmo`: 0 where they are, towards −1 in front of other things.
    pub depth_bias: f32,
}

impl Stroke {
    /// The depth bias of lines that are drawn on faces.
    pub const ON_FACES: f32 = -0.001;
    /// The depth bias of lines in front of everything.
    pub const IN_FRONT: f32 = -1.0;

    /// A whole line where it is.
    pub fn of_width(width: f32) -> Self {
        Self { width, style: GizmoLineStyle::Solid, depth_bias: 0.0 }
    }
}

/// Makes, replaces and removes the parts of owners.
#[derive(SystemParam)]
pub(super) struct Drawing<'w, 's> {
    pub layers: Res<'w, Layers>,
    pub meshes: ResMut<'w, Assets<Mesh>>,
    pub gizmos: ResMut<'w, Assets<GizmoAsset>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
    colours: ResMut<'w, MaterialCache>,
    commands: Commands<'w, 's>,
    children: Query<'w, 's, &'static Children>,
    parts: Query<'w, 's, &'static Part>,
}

impl Drawing<'_, '_> {
    /// Draws triangles in the colours of their corners, or removes the part if there are none.
    pub fn set_triangles(&mut self, owner: Entity, part: Part, triangles: Triangles, finish: Finish) {
        let mesh = triangles.mesh().map(|mesh| self.meshes.add(mesh));
        self.set_mesh(owner, part, mesh, finish, Color::WHITE);
    }

    /// Draws a mesh in a colour, or removes the part.
    pub fn set_mesh(&mut self, owner: Entity, part: Part, mesh: Option<Handle<Mesh>>, finish: Finish, colour: Color) {
        let drawing = mesh.map(|mesh| {
            let material = self.colours.get(finish, colour, &mut self.materials);
            (Mesh3d(mesh), MeshMaterial3d(material))
        });
        self.set(owner, part, drawing);
    }

    /// Draws segments, or removes the part if there are none.
    pub fn set_segments(&mut self, owner: Entity, part: Part, segments: &[Segment], stroke: Stroke) {
        let lines = asset(segments).map(|asset| self.gizmos.add(asset));
        self.set_lines(owner, part, lines, stroke);
    }

    /// Draws lines, or removes the part.
    pub fn set_lines(&mut self, owner: Entity, part: Part, lines: Option<Handle<GizmoAsset>>, stroke: Stroke) {
        let drawing = lines.map(|lines| {
            let mut gizmo = Gizmo { depth_bias: stroke.depth_bias, ..Gizmo::default() };
            (gizmo.line_config.width, gizmo.line_config.style) = (stroke.width, stroke.style);
            (LineSet(lines), gizmo)
        });
        self.set(owner, part, drawing);
    }

    /// Removes parts.
    pub fn remove(&mut self, owner: Entity, parts: &[Part]) {
        for &part in parts {
            self.set(owner, part, None::<()>);
        }
    }

    fn set(&mut self, owner: Entity, part: Part, drawing: Option<impl Bundle>) {
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
}

/// Segments as an asset, those that are not finite left out; `None` if there are none.
pub(super) fn asset(segments: &[Segment]) -> Option<GizmoAsset> {
    let mut asset = GizmoAsset::new();
    for &([p, q], colour) in segments.iter().filter(|([p, q], _)| p.is_finite() && q.is_finite()) {
        asset.line(p, q, colour);
    }
    (!asset.list_positions.is_empty()).then_some(asset)
}
