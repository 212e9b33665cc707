//! The SVD force method against closed answers, the law of contact and other ways to the same forces.

mod complementarity;
mod invariance;
mod painleve;
mod refusals;
mod rest;
mod sliding;
mod steps;
mod workbench;
