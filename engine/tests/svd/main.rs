//! The SVD force method against closed answers, the law of contact and other ways to the same forces.

mod rest;
mod workbench;
