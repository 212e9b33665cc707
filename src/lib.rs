//! Drystone: rigid-body physics whose speciality is the quality of its contact points.

pub use drystone_contact as contact;
pub use drystone_engine as engine;
pub use drystone_scenes as scenes;
