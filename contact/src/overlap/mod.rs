//! The overlap of two solids by their surfaces alone: what a simulation did wrong, whatever its contacts say.
//!
//! Nothing here is shared with the contact generators. Two polyhedra, convex or not, are intersected exactly as far as
//! decisions go: edges of one through triangles of the other are found by trees of boxes and decided by exact predicates
//! under symbolic perturbation ([`predicate`]); segments between them form the closed contours in which the surfaces cross
//! (D. Baraff, A. Witkin, M. Kass, "Untangling cloth", ACM TOG 22(3), 2003; P. Volino, N. Magnenat-Thalmann, "Resolving
//! surface collisions through intersection contour minimization", ACM TOG 25(3), 2006). What is inside the other solid is the boundary of the intersection; its connected
//! parts are the components.
//!
//! | A and B | volume | width |
//! |---|---|---|
//! | polyhedron, polyhedron or half-space | exact up to rounding | exact up to rounding |
//! | ball, ball or half-space | exact | exact |
//! | ellipsoid, half-space | exact | exact along the plane's normal, at most the shortest diameter: an upper bound |
//! | ball or ellipsoid, polyhedron | of inscribed triangles: at most 1 % of the whole too little | as of the volume; exact for a ball, an upper bound for an ellipsoid, below 0.5 % of the longest semi-axis |
//! | ellipsoid, ball or ellipsoid | of inscribed triangles | of inscribed triangles: a lower bound, at most 0.5 % of each longest semi-axis too little |
//! | capsule, cylinder, cone or rounded box, any of these or of the above | of inscribed triangles: at most 1 % of the whole too little | of inscribed triangles: a lower bound, at most 0.5 % of each longest radius too little |
//! | general solid, any shape that is one or can be | by an octree, to about 1 %; 0 with an open surface | at points a sixteenth of a thickness apart: a lower bound; exact for a ball |
//! | compound, any shape | part by part: what parts share counts for each | part by part |
//! | height field or triangle mesh, polyhedron or primitive | 0: a surface bounds none | at vertices of both (of triangles that stand in for a primitive): a lower bound |
//!
//! Whether a ball or ellipsoid meets a polyhedron, a half-space or, as a ball, a ball is decided in closed form.
//!
//! Solids that touch have no component.
//!
//! ```
//! use drystone_contact::{Pose, overlap};
//! use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
//! use glam::DVec3;
//!
//! let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
//! let surface = Surface::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let solid = Shape::from_surface(&surface, &TetrahedralizationSettings::default())?;
//! let parts = overlap::components(&solid, &solid, &Pose::from_translation(DVec3::X * 0.5))?;
//! assert_eq!(parts.len(), 1);
//! assert!((parts[0].volume - 0.125 / 6.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boundary;
mod closed_form;
mod component;
mod contour;
mod disjoint_sets;
mod error;
mod inside;
mod intersection;
mod open_surface;
pub(crate) mod predicate;
mod sampled;
mod shapes;
mod solid;
mod stand_in;
mod width;

pub use component::Component;
pub use error::OverlapError;

use crate::pose::Pose;
use crate::shape::Shape;

/// The connected parts of the intersection of two shapes; `relative` takes the frame of B to that of A.
///
/// # Errors
/// [`OverlapError`].
pub fn components(a: &Shape, b: &Shape, relative: &Pose) -> Result<Vec<Component>, OverlapError> {
    let is_rotation = (relative.rotation.length_squared() - 1.0).abs() < 1e-6;
    if !relative.translation.is_finite() || !is_rotation {
        return Err(OverlapError::Pose);
    }
    // Rotations that went through single precision are off by more than boxes are grown for rounding.
    shapes::components(a, b, &Pose { rotation: relative.rotation.normalize(), ..*relative })
}

/// How deep two shapes are in each other: the largest depth of a component, m; 0 if they do not overlap.
///
/// # Errors
/// [`OverlapError`].
pub fn depth(a: &Shape, b: &Shape, relative: &Pose) -> Result<f64, OverlapError> {
    Ok(components(a, b, relative)?.iter().map(|part| part.depth).fold(0.0, f64::max))
}

/// The volume of the intersection of two shapes, m³.
///
/// # Errors
/// [`OverlapError`].
pub fn volume(a: &Shape, b: &Shape, relative: &Pose) -> Result<f64, OverlapError> {
    Ok(components(a, b, relative)?.iter().map(|part| part.volume).sum())
}

#[cfg(test)]
mod tests;
