//! Contact points as balls and contact normals as arrows.

use super::colour::{Finish, MaterialCache};
use super::layers::Layers;
use super::part::{IN_FRONT, Part, Parts, lines};
use super::triangles::{Ball, Triangles};
use bevy::gizmos::GizmoAsset;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::pbr::StandardMaterial;
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
    layers: Res<Layers>,
    marks: Query<(Entity, Ref<ContactMarks>)>,
    mut removed: RemovedComponents<ContactMarks>,
    mut parts: Parts,
    mut colours: ResMut<MaterialCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut gizmos: ResMut<Assets<GizmoAsset>>,
) {
    for owner in removed.read().filter(|&owner| !marks.contains(owner)) {
        parts.remove(owner, &[Part::Points, Part::Normals]);
    }
    for (owner, marks) in marks.iter().filter(|(_, marks)| marks.is_changed() || layers.is_changed()) {
        let points = if layers.points { points(&marks.0, &layers).mesh() } else { None };
        let points = points.map(|mesh| {
            let finish = if layers.marks_in_front { Finish::InFront } else { Finish::Plain };
            let material = colours.get(finish, Color::WHITE, &mut materials);
            (Mesh3d(meshes.add(mesh)), MeshMaterial3d(material))
        });
        let arrows = if layers.normals { arrows(&marks.0, &layers) } else { None };
        let depth_bias = if layers.marks_in_front { IN_FRONT } else { 0.0 };
        let arrows = arrows.map(|a| lines(gizmos.add(a), layers.line_width, GizmoLineStyle::Solid, depth_bias));
        parts.set(owner, Part::Points, points);
        parts.set(owner, Part::Normals, arrows);
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

/// The arrows of all marks; `None` if there are none.
fn arrows(marks: &[ContactMark], layers: &Layers) -> Option<GizmoAsset> {
    let mut asset = GizmoAsset::new();
    let mut is_empty = true;
    for mark in marks.iter().filter(|mark| mark.position.is_finite()) {
        let Some(direction) = mark.normal.try_normalize() else { continue };
        let scale = if mark.is_emphasised { layers.emphasis_scale } else { 1.0 };
        let length = layers.normal_length * scale;
        let colour = if mark.is_emphasised { layers.emphasis_colour } else { mark.colour };
        let end = mark.position + length * direction;
        if !end.is_finite() {
            continue;
        }
        asset.line(mark.position, end, colour);
        let (side, other) = direction.any_orthonormal_pair();
        let (back, out) = (layers.tip_share * length * direction, 0.5 * layers.tip_share * length);
        for barb in [side, -side, other, -other] {
            asset.line(end, end - back + out * barb, colour);
        }
        is_empty = false;
    }
    (!is_empty).then_some(asset)
}
