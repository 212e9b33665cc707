//! Scenes with known contacts, and the measures that score them.
//!
//! A [`Scene`](scene::Scene) holds bodies with shapes and states and the truth about their contacts. [`detection`]
//! runs it up to a time step and asks a method for its contacts; [`measure`] scores them against the truth.

pub mod assessment;
pub mod asynchronous;
pub mod builtin;
pub mod cases;
pub mod ccd;
pub mod cells;
pub mod contact_area;
pub mod contact_list;
pub mod contact_region;
pub mod convex_hull;
pub mod detection;
pub mod export;
pub mod extended;
pub mod fclib;
pub mod filtering;
pub mod further;
pub mod general;
pub mod hdf5;
pub mod icosphere;
pub mod job;
pub mod joint;
pub mod kinematic_tree;
pub mod measure;
pub mod opening;
pub mod physics;
pub mod recorded;
pub mod rigid_ipc;
pub mod scene;
pub mod scene_file;
pub mod simulation;
pub mod solids;
pub mod strict;
pub mod study;
pub mod temporal;
pub mod toc;
pub mod transformed;
pub mod truth;
