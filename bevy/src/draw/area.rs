//! Contact areas as filled polygons with borders.

use super::colour::{Finish, MaterialCache};
use super::layers::Layers;
use super::part::{Part, Parts, lines};
use super::polygon;
use super::triangles::Triangles;
use bevy::gizmos::GizmoAsset;
use bevy::gizmos::config::GizmoLineStyle;
use bevy::pbr::StandardMaterial;
use bevy::prelude::*;

/// How much closer to the camera the borders of areas are drawn, as in `Gizmo`.
const BORDER_DEPTH_BIAS: f32 = -0.001;

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
    layers: Res<Layers>,
    areas: Query<(Entity, Ref<ContactAreas>)>,
    mut removed: RemovedComponents<ContactAreas>,
    mut parts: Parts,
    mut colours: ResMut<MaterialCache>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut gizmos: ResMut<Assets<GizmoAsset>>,
) {
    for owner in removed.read().filter(|&owner| !areas.contains(owner)) {
        parts.remove(owner, &[Part::Areas, Part::AreaBorders]);
    }
    for (owner, areas) in areas.iter().filter(|(_, areas)| areas.is_changed() || layers.is_changed()) {
        let shown: &[ContactArea] = if layers.areas { &areas.0 } else { &[] };
        let inside = inside(shown, layers.area_offset).mesh().map(|mesh| {
            let material = colours.get(Finish::Translucent, Color::WHITE, &mut materials);
            (Mesh3d(meshes.add(mesh)), MeshMaterial3d(material))
        });
        let borders =
            borders(shown).map(|b| lines(gizmos.add(b), layers.line_width, GizmoLineStyle::Solid, BORDER_DEPTH_BIAS));
        parts.set(owner, Part::Areas, inside);
        parts.set(owner, Part::AreaBorders, borders);
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

/// The borders of all areas; `None` if there are none.
fn borders(areas: &[ContactArea]) -> Option<GizmoAsset> {
    let mut asset = GizmoAsset::new();
    let mut is_empty = true;
    for area in areas {
        for outline in area.outlines.iter().filter(|outline| polygon::is_loop(outline)) {
            for (&p, &q) in outline.iter().zip(outline.iter().cycle().skip(1)) {
                asset.line(p, q, area.colour.with_alpha(1.0));
            }
            is_empty = false;
        }
    }
    (!is_empty).then_some(asset)
}
