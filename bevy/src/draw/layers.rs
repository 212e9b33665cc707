//! What is drawn and how: one configuration.

use bevy::prelude::*;

/// How a body is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BodyStyle {
    /// As a solid, every triangle flat.
    Solid,
    /// As a solid with the edges between its facets.
    #[default]
    SolidEdges,
    /// By all edges of its triangulation, as in the paper.
    Wireframe,
    /// Not at all.
    Hidden,
}

/// What is drawn and how. Changing this resource changes what is drawn; an interface that writes it every frame should use
/// `set_if_neq`, since a change makes everything anew.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Layers {
    /// How bodies are drawn that do not say so themselves.
    pub bodies: BodyStyle,
    /// Whether contact points are drawn.
    pub points: bool,
    /// Whether contact normals are drawn.
    pub normals: bool,
    /// Whether contact areas are drawn.
    pub areas: bool,
    /// Whether [`super::Lines`] are drawn.
    pub lines: bool,
    /// Whether points and normals are drawn in front of bodies, which hide most of them otherwise.
    pub marks_in_front: bool,
    /// Radius of the ball at a contact point, m.
    pub point_radius: f32,
    /// Up to this many points of an entity are balls of 80 triangles, more of them balls of 20.
    pub fine_points: usize,
    /// Length of the arrow of a contact normal, m.
    pub normal_length: f32,
    /// The tip's share of an arrow, 0…1.
    pub tip_share: f32,
    /// Width of all lines, logical pixels.
    pub line_width: f32,
    /// How far areas and highlighted triangles stand off their plane on both sides, m; it keeps them from flickering.
    pub area_offset: f32,
    /// How many times larger an emphasised point is, and its arrow longer.
    pub emphasis_scale: f32,
    /// The dark outline of an emphasised point as a share of its radius.
    pub halo_share: f32,
    /// Solids that do not say so themselves.
    pub body_colour: Color,
    /// Edges of solids, and the outline of emphasised points.
    pub edge_colour: Color,
    /// Wireframes of bodies that have no colour of their own.
    pub wireframe_colour: Color,
    /// Marks that the physics fills in; marks made by hand say their colour.
    pub mark_colour: Color,
    /// Emphasised marks.
    pub emphasis_colour: Color,
}

impl Default for Layers {
    /// Grey solids with edges, blue points and normals, for bodies about a metre in size.
    fn default() -> Self {
        Self {
            bodies: BodyStyle::SolidEdges,
            points: true,
            normals: true,
            areas: true,
            lines: true,
            marks_in_front: true,
            point_radius: 0.03,
            fine_points: 500,
            normal_length: 0.3,
            tip_share: 0.2,
            line_width: 2.0,
            area_offset: 0.001,
            emphasis_scale: 1.6,
            halo_share: 0.35,
            body_colour: Color::srgb(0.72, 0.74, 0.77),
            edge_colour: Color::srgb(0.12, 0.13, 0.15),
            wireframe_colour: Color::srgb(0.85, 0.1, 0.1),
            mark_colour: Color::srgb(0.1, 0.25, 0.9),
            emphasis_colour: Color::srgb(1.0, 0.62, 0.0),
        }
    }
}

impl Layers {
    /// As in the pictures of the paper: red wireframes, blue contacts.
    pub fn paper() -> Self {
        Self {
            bodies: BodyStyle::Wireframe,
            wireframe_colour: Color::srgb(1.0, 0.0, 0.0),
            mark_colour: Color::srgb(0.0, 0.0, 1.0),
            ..Self::default()
        }
    }
}
