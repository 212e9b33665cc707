//! Three sets of two wheels on an axle roll down hills that are given by a formula.

use std::f64::consts::FRAC_PI_2;

use drystone_contact::Pose;
use drystone_contact::solid::Description;
use glam::{DQuat, DVec3};

use super::{fixed, moving, part, primitive};
use crate::scene::{BodyProblem, SceneBody};

/// The height of the hills over x and z falls by 0.2 m a metre along x; they end at the sides of a block.
const HILLS: &str = "max(y + 0.2*x - 0.12*sin(2*x)*cos(0.7*z), max(max(abs(x - 2) - 5.5, abs(z) - 1.5), -2.2 - y))";

/// The bodies.
pub fn bodies() -> Result<Vec<SceneBody>, BodyProblem> {
    let terrain = Description::Implicit { f: HILLS.into(), low: [-4.0, -2.5, -2.0], high: [8.0, 1.5, 2.0] };
    let mut bodies = vec![fixed("hills", &terrain)?];
    // Axis along z.
    let across = |solid: Description, z: f64| part(solid, [0.0, 0.0, z], DVec3::X, FRAC_PI_2);
    let wheels = Description::Union(vec![
        across(primitive("cylinder", &[0.05, 0.5]), 0.0),
        across(primitive("torus", &[0.22, 0.06]), 0.45),
        across(primitive("torus", &[0.22, 0.06]), -0.45),
        across(primitive("cylinder", &[0.2, 0.03]), 0.45),
        across(primitive("cylinder", &[0.2, 0.03]), -0.45),
    ]);
    for k in 0..3 {
        let x = -3.0 + f64::from(k);
        let place = DVec3::new(x, -0.2 * x + 0.12 * libm::sin(2.0 * x) + 0.35, 0.0);
        let start = Pose::from_parts(place, DQuat::IDENTITY);
        bodies.push(moving(&format!("wheels {}", k + 1), &wheels, start, [DVec3::ZERO; 2])?);
    }
    Ok(bodies)
}
