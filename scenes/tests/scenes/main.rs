//! Tests of scenes, their files and their scores through their public interface.

mod convex_pieces;
mod corrected_scores;
mod damaged_files;
mod damping;
mod filtered_scores;
mod general;
mod jobs;
mod kinematic_tree;
mod larger_scenes;
mod primitives;
mod rigid_ipc;
mod same_bits;
mod scene_file;
mod semi_local;
mod structures;
mod studies;
mod surfaces;
mod time_of_contact;
mod vclip;

/// Cases of a property that is looked at so many times in the whole tier: `RANDOM_CASES` of them, per cent, a quarter by default.
fn cases(whole: u32) -> u32 {
    let share =
        std::env::var("RANDOM_CASES").map_or(25, |text| text.parse().expect("RANDOM_CASES is a number, per cent"));
    (u64::from(whole) * share).div_ceil(100) as u32
}
