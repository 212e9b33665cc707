//! Queries of shapes against brute force over triangles and against equations: `oracle` shares no code with what it checks.

mod closed_surface;
mod closest;
mod every_kind;
mod oracle;
mod point;
mod ray;
mod refusals;
mod shape_cast;
mod shapes;
mod solids;
mod unions;
