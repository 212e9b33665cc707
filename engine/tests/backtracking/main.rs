//! Simulations with contact sets: bodies come to rest, nothing overlaps, energy does not rise.

mod probe;
mod workbench;
