//! Triangles with a normal and a colour at each corner, on their way to a mesh.

use super::colour::linear;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;

/// Triangles that become one mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangles {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

/// The ball of radius one about the origin: corners, which are normals as well, and triangles.
#[derive(Clone, Debug)]
pub(super) struct Ball {
    corners: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Ball {
    /// An icosahedron whose triangles are split along their sides into `subdivisions` + 1 pieces.
    pub fn new(subdivisions: u32) -> Self {
        let mesh = Sphere::new(1.0).mesh().ico(subdivisions).ok();
        let corners = match mesh.as_ref().and_then(|mesh| mesh.attribute(Mesh::ATTRIBUTE_POSITION)) {
            Some(VertexAttributeValues::Float32x3(corners)) => corners.iter().map(|&p| Vec3::from(p)).collect(),
            _ => Vec::new(),
        };
        let indices: Vec<u32> = match mesh.as_ref().and_then(|mesh| mesh.indices()) {
            Some(indices) => indices.iter().map(|i| i as u32).collect(),
            None => Vec::new(),
        };
        Self { corners, triangles: indices.as_chunks::<3>().0.to_vec() }
    }
}

impl Triangles {
    /// Adds a triangle with its own corners, counter-clockwise seen from where the normal points.
    pub fn push(&mut self, corners: [Vec3; 3], normal: Vec3, colour: Color) {
        if !(corners.iter().all(|p| p.is_finite()) && normal.is_finite()) {
            return;
        }
        let first = self.positions.len() as u32;
        self.positions.extend(corners.map(|p| p.to_array()));
        self.normals.extend([normal.to_array(); 3]);
        self.colours.extend([linear(colour); 3]);
        self.indices.extend([first, first + 1, first + 2]);
    }

    /// Adds a triangle to be seen from both sides, each `offset` (m) off its plane; none without an area.
    pub fn push_both_sides(&mut self, [p, q, r]: [Vec3; 3], offset: f32, colour: Color) {
        let Some(normal) = (q - p).cross(r - p).try_normalize() else { return };
        let lift = normal * offset;
        self.push([p + lift, q + lift, r + lift], normal, colour);
        self.push([p - lift, r - lift, q - lift], -normal, colour);
    }

    /// Adds a ball (m), inside out if that is wished: then only its far side is seen, as an outline of what is in it.
    pub fn push_ball(&mut self, ball: &Ball, centre: Vec3, radius: f32, colour: Color, is_inside_out: bool) {
        if !(centre.is_finite() && radius.is_finite()) {
            return;
        }
        let (first, colour) = (self.positions.len() as u32, linear(colour));
        self.positions.extend(ball.corners.iter().map(|&p| (centre + radius * p).to_array()));
        self.normals.extend(ball.corners.iter().map(|p| p.to_array()));
        self.colours.extend(ball.corners.iter().map(|_| colour));
        let order = if is_inside_out { [0, 2, 1] } else { [0, 1, 2] };
        self.indices.extend(ball.triangles.iter().flat_map(|t| order.map(|k| first + t[k])));
    }

    /// The mesh; `None` without triangles.
    pub fn mesh(self) -> Option<Mesh> {
        let coloured = self.colours.clone();
        Some(self.mesh_without_colours()?.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, coloured))
    }

    /// The mesh for a material that says the colour; `None` without triangles.
    pub fn mesh_without_colours(self) -> Option<Mesh> {
        if self.indices.is_empty() {
            return None;
        }
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_indices(Indices::U32(self.indices));
        Some(mesh)
    }
}
