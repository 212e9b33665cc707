//! Tests of scenes, their files and their scores through their public interface.

mod convex_pieces;
mod corrected_scores;
mod damping;
mod filtered_scores;
mod larger_scenes;
mod primitives;
mod rigid_ipc;
mod same_bits;
mod scene_file;
mod semi_local;
mod structures;
mod studies;
mod vclip;
