//! Tests of shapes, contact generators and closest features through their public interface.

mod damaged_mesh_files;
mod generators;
mod semi_local;
mod vclip;
