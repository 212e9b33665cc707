//! Simulations with contact sets: bodies come to rest, nothing overlaps, energy does not rise.

mod laws;
mod refusals;
mod rest;
mod scenes;
mod workbench;
