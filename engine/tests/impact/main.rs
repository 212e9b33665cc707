//! Worlds that limit their motion to the earliest impact: nothing passes through anything, at any speed.

mod aligned;
mod range;
mod steps;
mod walls;
