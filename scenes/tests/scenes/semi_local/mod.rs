//! What the semi-local generator is judged by: the ten cases at their start and after it, structures of stones over
//! hundreds of steps, the same scenes said differently, and scenes beyond the suite.

mod attainable;
mod brute_force;
mod cases;
mod energy;
mod extended;
mod further;
mod structures;
mod transformations;
mod verdict;
mod workbench;
