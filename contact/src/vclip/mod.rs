//! V-Clip: the closest features of convex polyhedra, and shapes as convex pieces.

pub mod convex_pieces;
mod edge_rings;
mod flatness;
mod growth;
pub mod hull;
pub mod solids;

#[cfg(test)]
pub(crate) mod sample;
