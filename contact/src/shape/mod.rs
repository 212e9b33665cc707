//! Shapes: closed triangle surfaces, the tetrahedra inside them, and what follows from both.
