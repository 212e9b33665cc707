//! Worlds with continuous collision detection: nothing passes through anything, at any speed.

mod aligned;
mod jam;
mod range;
mod spin;
mod steps;
mod walls;
