//! Meshes that deform: what simulators of surfaces show of their state.

use std::sync::Arc;

use glam::DVec3;

/// A connected part of a surface that deforms, where it is now; world frame. One without triangles is a particle.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformableMesh {
    /// m.
    pub positions: Vec<DVec3>,
    /// m/s.
    pub velocities: Vec<DVec3>,
    /// Three vertices each; they stay the same while it deforms.
    pub triangles: Arc<[[u32; 3]]>,
    /// Whether it moves as prescribed, and no force moves any of its vertices.
    pub is_prescribed: bool,
}
