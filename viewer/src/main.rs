//! The viewer as a program.
fn main() {}
