//! Why a function of space is no solid.

use glam::DVec3;
use thiserror::Error;

use crate::bounds::Bounds;

/// Why a function of space within a box is no solid.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ImplicitError {
    /// The box is not one.
    #[error("the box from {} to {} is empty or not finite; each low coordinate must be below the high one", bounds.low, bounds.high)]
    Bounds {
        /// As given, m.
        bounds: Bounds,
    },
    /// The function has no value there.
    #[error("{name} is {value} at {point}; it must be finite in the whole box")]
    Undefined {
        /// The function.
        name: String,
        /// m.
        point: DVec3,
        /// What it is there.
        value: f64,
    },
    /// The function cannot be bounded.
    #[error(
        "{name} has no bounds between {} and {}: a divisor, or what a root or a logarithm is taken of, may be zero or less \
         there; keep it above zero, or give a smaller box", cell.low, cell.high
    )]
    Unbounded {
        /// The function.
        name: String,
        /// The part of the box, m.
        cell: Bounds,
    },
    /// A bound that does not hold.
    #[error("the bounds of {name} between {} and {} do not hold at {point}: {what}", cell.low, cell.high)]
    Inconsistent {
        /// The function.
        name: String,
        /// What differs.
        what: &'static str,
        /// m.
        point: DVec3,
        /// The part of the box with these bounds, m.
        cell: Bounds,
    },
    /// The solid reaches a side of the box.
    #[error(
        "{name} is not surely above zero on the side of the box about {point}; give a larger box, or cut the solid by max(…, …)"
    )]
    ReachesSide {
        /// The function.
        name: String,
        /// m.
        point: DVec3,
    },
    /// Nothing is inside.
    #[error("{name} is nowhere below zero in the box: no ball of {resolution} m fits, nor was a thinner part met")]
    Empty {
        /// The function.
        name: String,
        /// A part that holds a ball of this diameter would have been found, m.
        resolution: f64,
    },
}
