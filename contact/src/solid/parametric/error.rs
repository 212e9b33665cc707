//! What can be wrong with a surface of patches.

use thiserror::Error;

use crate::solid::bezier::b_spline::BSplineError;
use crate::solid::bezier::patch::PatchError;

/// What is wrong with a surface of patches, and where. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParametricError {
    /// No patches.
    #[error("the list of patches is empty")]
    NoPatches,
    /// The data of a patch are unusable.
    #[error("patch {patch}: {source}")]
    Patch {
        /// Its place in the list.
        patch: usize,
        /// What is wrong with it.
        source: PatchError,
    },
    /// The data of a B-spline are unusable.
    #[error("B-spline {index}: {source}")]
    BSpline {
        /// Its place in the list.
        index: usize,
        /// What is wrong with it.
        source: BSplineError,
    },
    /// All control points of a patch are one point.
    #[error("all control points of patch {patch} are one point; remove it")]
    Point {
        /// The first such patch.
        patch: usize,
    },
    /// A border has no partner, so that the surface is not closed.
    #[error(
        "{border} of patch {patch} has no partner: no other border has the same control points and the same weights, up to a \
         factor, in opposite order; turn over patches that are inside out, split patches that meet others along a part of a \
         border, or state that the surface is open"
    )]
    NoPartner {
        /// The first such patch.
        patch: usize,
        /// The border.
        border: Border,
    },
    /// The volume within a closed surface is not above zero.
    #[error(
        "the volume within the surface is {volume} m³: its normals S_u × S_v point inward; swap u and v of all patches"
    )]
    InsideOut {
        /// m³.
        volume: f64,
    },
    /// A dimension is not finite or not above zero.
    #[error("the {dimension} is {value} m; it must be finite, above zero{also}")]
    Dimension {
        /// Its name.
        dimension: &'static str,
        /// The value given, m.
        value: f64,
        /// What else is asked of it.
        also: &'static str,
    },
}

/// A border of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// v = 0.
    LowV,
    /// u = 1.
    HighU,
    /// v = 1.
    HighV,
    /// u = 0.
    LowU,
}

impl Border {
    /// In the order in which they run around the patch.
    pub(in crate::solid) const ALL: [Self; 4] = [Self::LowV, Self::HighU, Self::HighV, Self::LowU];
}

impl std::fmt::Display for Border {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Self::LowV => "border v = 0",
            Self::HighU => "border u = 1",
            Self::HighV => "border v = 1",
            Self::LowU => "border u = 0",
        })
    }
}
