//! Scene files: the round trip of all cases, the documented examples, and an error for every kind of mistake.

mod bodies;
mod friction;
mod joints;
mod kinematic;
mod locked_axes;
mod mistakes;
mod pages;
mod round_trip;
pub mod same;
mod spoil;
mod terrain;
