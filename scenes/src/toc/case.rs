//! Solids said twice: as one to be asked, and by inequalities.

use std::sync::Arc;

use drystone_contact::shape::ShapeError;
use drystone_contact::solid::{Solid, primitive_solid};
use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

use super::region::Region;

/// A solid and what it is checked against.
#[derive(Clone, Debug)]
pub struct Case {
    /// The one that is asked.
    pub solid: Arc<dyn Solid>,
    /// The same by inequalities.
    pub region: Region,
    /// About half its largest extent, m.
    pub size: f64,
}

/// The kinds with certified answers.
pub const KINDS: [&str; 6] = ["half-space", "ball", "box", "cylinder", "cone", "torus"];

/// A solid of one of the [`KINDS`], a metre large or `scales` times more or less.
///
/// # Errors
/// [`ShapeError`] for other names.
pub fn case(kind: &str, random: &mut SplitMix, scales: f64) -> Result<Case, ShapeError> {
    let scale = libm::exp(random.next_between(-1.0, 1.0) * libm::log(scales));
    let mut length = |low: f64, high: f64| scale * random.next_between(low, high);
    let (dimensions, region) = match kind {
        "half-space" => (vec![], Region::HalfSpace),
        "ball" => {
            let radius = length(0.2, 1.0);
            (vec![radius], Region::Ball { radius })
        }
        "box" => {
            let half = DVec3::new(length(0.1, 1.0), length(0.1, 1.0), length(0.1, 1.0));
            (half.to_array().to_vec(), Region::Cuboid { half })
        }
        "cylinder" => {
            let (radius, half_height) = (length(0.1, 1.0), length(0.1, 1.0));
            (vec![radius, half_height], Region::Cylinder { radius, half_height })
        }
        "cone" => {
            let (radius, height) = (length(0.1, 1.0), length(0.1, 1.0));
            (vec![radius, height], Region::Cone { radius, height })
        }
        _ => {
            let major = length(0.5, 1.0);
            let minor = major * length(0.1, 0.9) / scale;
            (vec![major, minor], Region::Torus { major, minor })
        }
    };
    let size = dimensions.iter().copied().fold(if dimensions.is_empty() { scale } else { 0.0 }, f64::max);
    Ok(Case { solid: primitive_solid(kind, &dimensions)?, region, size })
}
