//! A world that is treated badly: it refuses with an error that names the body, or goes on with finite states.

mod extremes;
mod generators;
mod operations;
mod refusals;
mod workbench;
