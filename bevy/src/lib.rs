//! Drystone in a Bevy application.
