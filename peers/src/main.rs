//! temporary
mod boxes; mod penetration; mod rapier;
fn main(){}
