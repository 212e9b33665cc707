//! Queries of time of contact: hard ones by chance, certified answers, and what methods get wrong.

pub mod benchmark;
pub mod case;
pub mod decider;
pub mod interval;
pub mod query;
pub mod region;
