//! Bodies that move.
