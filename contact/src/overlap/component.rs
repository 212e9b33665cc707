//! One connected part of the intersection of two solids.

use glam::DVec3;

use super::solid::bounds;

/// A connected part of the intersection of two solids, in the frame of A.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The vector area of A's surface inside B, m²: ½ ∮ x × dx along the contour. Its direction is that of a normal, from A
    /// to B; it vanishes where one solid is wholly inside the other, and nearly where one goes through the other.
    pub area_vector: DVec3,
    /// The sum of the lengths of the area vectors of the contour's loops, m². Much more than the length of
    /// [`Component::area_vector`] where one solid goes through the other.
    pub loop_area: f64,
    /// The corners of the contour in which the surfaces cross, m, loop by loop in the order of each loop; empty where
    /// primitives are intersected in closed form.
    pub contour: Vec<DVec3>,
    /// Vertices of A inside B, by index; none of a primitive.
    pub vertices_of_a: Vec<u32>,
    /// Vertices of B inside A, by index; none of a primitive.
    pub vertices_of_b: Vec<u32>,
    /// All corners of the part, m: the contour, then vertices of A, then of B; the ends of the depth where primitives are
    /// intersected in closed form.
    pub points: Vec<DVec3>,
    /// m³, positive.
    pub volume: f64,
    /// The least extent of the part across any of its faces, m, positive. Moving B by this along
    /// [`Component::width_normal`] parts two convex solids.
    pub width: f64,
    /// How deep the solids are in each other here, m: the width, or six volumes by the area of its boundary if that is less.
    /// A thin film that is bent around a corner, as between the walls of interlocked solids, is wide across any direction
    /// but not deep; for a flat one six volumes by the area are three times its thickness, for a cube its width.
    pub depth: f64,
    /// The normal of the face across which the part is thinnest, unit, turned to the side of
    /// [`Component::area_vector`].
    pub width_normal: DVec3,
}

impl Component {
    /// The lower and upper corner of the box around it, m.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds(self.points.iter().copied())
    }

    /// The middle of the box around it, m.
    pub fn middle(&self) -> DVec3 {
        let (low, high) = self.bounds();
        low + 0.5 * (high - low)
    }
}
