//! Recordings against the worlds that they are of.

mod damage;
mod edits;
mod kept;
mod resume;
mod sample;
mod simulators;
