//! Tests of worlds, solvers, recordings and simulations through their public interface.

mod backtracking;
mod coulomb;
mod fclib;
mod physics;
mod recording;
mod robustness;
mod svd;
mod tunnelling;
mod vtk;
