//! Drystone in a Bevy application: bodies and contacts drawn.

pub mod draw;
