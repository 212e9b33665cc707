//! Worlds on height fields and triangle meshes, and with compounds.

mod compounds;
mod fast;
mod pile;
mod records;
mod sliding;
mod workbench;
