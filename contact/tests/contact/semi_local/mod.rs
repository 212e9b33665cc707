//! Invariants of the semi-local generator that need no reference, over many random pairs of solids. The oracles are brute
//! force over all triangles and share no code with the generator.

mod apart;
mod deep;
mod describe;
mod facets;
mod impact;
mod invariants;
mod large;
mod pair;
pub mod random;
mod run;
mod shallow;
mod solids;
mod soup;
mod symmetry;
