//! Scenes with known contacts, and the measures that score them.
