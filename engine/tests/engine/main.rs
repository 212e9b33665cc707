//! Tests of worlds, solvers, recordings and simulations through their public interface.

mod backtracking;
mod chains;
mod coulomb;
mod fclib;
mod global;
mod physics;
mod recording;
mod robustness;
mod rolling_cone;
mod svd;
mod thrown;
mod tunnelling;
mod vtk;
