//! Deformable surfaces: triangles whose vertices move.

use std::sync::Arc;

use bevy::prelude::*;

use super::colour::Finish;
use super::drawing::{Drawing, Stroke};
use super::layers::{BodyStyle, Layers};
use super::part::Part;
use super::triangles::{Ball, Triangles};

/// Draws a surface from both sides, in the style of bodies. One without triangles is drawn as a ball at each vertex.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility)]
pub struct DrawnSurface {
    /// In the frame of the entity, m.
    pub positions: Vec<Vec3>,
    /// By their vertices.
    pub triangles: Arc<[[u32; 3]]>,
    /// By their vertices.
    pub edges: Arc<[[u32; 2]]>,
    /// Of its faces; translucent below an alpha of one.
    pub colour: Color,
}

/// Makes the parts of surfaces that have changed, or of all if the layers have.
pub(super) fn draw(
    owners: Query<(Entity, Ref<DrawnSurface>)>,
    mut removed: RemovedComponents<DrawnSurface>,
    mut drawing: Drawing,
) {
    for owner in removed.read().filter(|&owner| !owners.contains(owner)) {
        drawing.remove(owner, &[Part::Surface, Part::Edges]);
    }
    let is_all = drawing.layers.is_changed();
    for (owner, surface) in owners.iter().filter(|(_, surface)| surface.is_changed() || is_all) {
        let layers = drawing.layers.clone();
        let mesh = faces(&surface, &layers).mesh_without_colours().map(|mesh| drawing.meshes.add(mesh));
        drawing.set_mesh(owner, Part::Surface, mesh, Finish::Matt, surface.colour);
        let (colour, depth_bias) = match layers.bodies {
            BodyStyle::SolidEdges => (layers.edge_colour, Stroke::ON_FACES),
            BodyStyle::Wireframe => (layers.wireframe_colour, 0.0),
            BodyStyle::Solid | BodyStyle::Hidden => {
                drawing.remove(owner, &[Part::Edges]);
                continue;
            }
        };
        let at = |v: u32| surface.positions.get(v as usize).copied().unwrap_or(Vec3::NAN);
        let segments: Vec<_> = surface.edges.iter().map(|ends| (ends.map(at), colour)).collect();
        drawing.set_segments(
            owner,
            Part::Edges,
            &segments,
            Stroke { depth_bias, ..Stroke::of_width(layers.line_width) },
        );
    }
}

fn faces(surface: &DrawnSurface, layers: &Layers) -> Triangles {
    let mut triangles = Triangles::default();
    let is_solid = matches!(layers.bodies, BodyStyle::Solid | BodyStyle::SolidEdges);
    let at = |v: u32| surface.positions.get(v as usize).copied().unwrap_or(Vec3::NAN);
    for corners in surface.triangles.iter().filter(|_| is_solid) {
        triangles.push_both_sides(corners.map(at), 0.0, Color::WHITE);
    }
    if surface.triangles.is_empty() && layers.bodies != BodyStyle::Hidden {
        let ball = Ball::new(2);
        for &point in &surface.positions {
            triangles.push_ball(&ball, point, layers.point_radius * layers.emphasis_scale, Color::WHITE, false);
        }
    }
    triangles
}
