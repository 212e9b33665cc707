//! The features of a picked contact.

use super::colour::{Finish, MaterialCache};
use super::layers::Layers;
use super::lines::asset;
use super::part::{IN_FRONT, Part, Parts, lines};
use super::triangles::{Ball, Triangles};
use bevy::gizmos::GizmoAsset;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::pbr::StandardMaterial;
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
    layers: Res<Layers>,
    highlights: Query<(Entity, Ref<Highlight>)>,
    mut removed: RemovedComponents<Highlight>,
    mut parts: Parts,
    mut colours: ResMut<MaterialCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut gizmos: ResMut<Assets<GizmoAsset>>,
) {
    for owner in removed.read().filter(|&owner| !highlights.contains(owner)) {
        parts.remove(owner, &[Part::HighlightFaces, Part::HighlightLines]);
    }
    for (owner, own) in highlights.iter().filter(|(_, own)| own.is_changed() || layers.is_changed()) {
        let faces = faces(&own, &layers).mesh().map(|mesh| {
            let material = colours.get(Finish::Translucent, Color::WHITE, &mut materials);
            (Mesh3d(meshes.add(mesh)), MeshMaterial3d(material))
        });
        let opaque = own.colour.with_alpha(1.0);
        let segments: Vec<_> = own.segments.iter().map(|&segment| (segment, opaque)).collect();
        let segments =
            asset(&segments).map(|a| lines(gizmos.add(a), 2.0 * layers.line_width, GizmoLineStyle::Solid, IN_FRONT));
        parts.set(owner, Part::HighlightFaces, faces);
        parts.set(owner, Part::HighlightLines, segments);
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
