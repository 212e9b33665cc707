//! Joints against analytic answers, through the public interface.

mod blows;
mod breaking;
mod bridges;
mod chains;
mod couplings;
mod global;
mod handles;
mod limits;
mod linkages;
mod locked_axes;
mod motors;
mod pendulums;
mod sleeping;
mod snapshots;
mod tops;
mod workbench;

/// Steps of a long run: `RANDOM_CASES` of them, per cent; a tenth by default.
fn steps(whole: u32) -> u32 {
    let share =
        std::env::var("RANDOM_CASES").map_or(10, |text| text.parse().expect("RANDOM_CASES is a number, per cent"));
    (u64::from(whole) * share).div_ceil(100) as u32
}
