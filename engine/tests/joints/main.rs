//! Joints against analytic answers, through the public interface.

mod breaking;
mod chains;
mod couplings;
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
