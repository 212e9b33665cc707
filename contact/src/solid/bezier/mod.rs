//! Rational Bézier patches: values, normals, parts of them, where they may meet a box or a segment, and the way there from
//! rational B-splines.
//!
//! All bounds rest on two properties: with weights above zero a patch lies in the convex hull of its control points, and de
//! Casteljau's cuts only take means. Source: G. Farin, "Curves and Surfaces for CAGD", 5th edition, chapters 13–16.

pub(super) mod b_spline;
pub(super) mod clip;
pub(super) mod convexity;
pub(super) mod crossing;
pub(super) mod gap;
pub(super) mod net;
pub(super) mod patch;

#[cfg(test)]
mod tests;
