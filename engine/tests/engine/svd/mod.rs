//! The SVD force method against closed-form solutions, the law of contact and other ways to the same forces.

mod complementarity;
mod equilibrium;
mod friction;
mod invariance;
mod painleve;
mod random_sets;
mod refusals;
mod rest;
mod sliding;
mod steps;
mod workbench;
