//! The mass of links that move as one.

use drystone_contact::shape::MassProperties;
use drystone_engine::Pose;
use glam::{DMat3, DVec3};

use super::error::{TreeError, TreeProblem};
use super::model::{Geom, Inertial, Link, Weight};
use super::solid::Solids;

/// Mass and its first and second moments about the origin of a frame: what can be added.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// kg.
    mass: f64,
    /// kg m.
    first: DVec3,
    /// Inertia about the origin, kg m².
    inertia: DMat3,
}

impl Moments {
    /// Of nothing.
    pub const NONE: Self = Self { mass: 0.0, first: DVec3::ZERO, inertia: DMat3::ZERO };

    /// Adds a mass whose frame is at `pose`.
    fn add(&mut self, part: &Inertial, pose: &Pose) {
        let turn = DMat3::from_quat(pose.rotation);
        let centre = pose.transform_point(part.centre);
        let own = turn * part.inertia * turn.transpose();
        self.mass += part.mass;
        self.first += part.mass * centre;
        self.inertia += own + part.mass * about_origin(centre);
    }

    /// Adds a link whose frame is at `pose`: what it states, or else what its geometry weighs.
    pub fn add_link(&mut self, link: &Link, pose: &Pose, solids: &mut Solids) -> Result<(), TreeError> {
        if let Some(inertial) = &link.inertial {
            self.add(inertial, pose);
            return Ok(());
        }
        for geom in &link.geoms {
            if let Some(inertial) = of_geom(geom, solids)? {
                self.add(&inertial, &(*pose * geom.pose));
            }
        }
        Ok(())
    }

    /// The mass properties in the frame of the moments.
    pub fn properties(&self) -> Result<MassProperties, TreeProblem> {
        if self.mass <= 0.0 {
            let text = "it moves and has no mass; give an <inertial>, or a geom with a mass or a density";
            return Err(TreeProblem::Wrong(text.into()));
        }
        let centre = self.first / self.mass;
        let inertia = self.inertia - self.mass * about_origin(centre);
        // The volume is not used.
        Ok(MassProperties::new(1.0, self.mass, centre, 0.5 * (inertia + inertia.transpose()))?)
    }
}

/// The mass of a geom in its own frame, if it has any.
fn of_geom(geom: &Geom, solids: &mut Solids) -> Result<Option<Inertial>, TreeError> {
    if matches!(geom.weight, Weight::Density(0.0) | Weight::Mass(0.0)) {
        return Ok(None);
    }
    let unit = solids.mass(geom)?;
    let density = match geom.weight {
        Weight::Density(density) => density,
        Weight::Mass(mass) => mass / unit.volume,
    };
    let (mass, inertia) = (density * unit.volume, density * unit.inertia);
    Ok(Some(Inertial { mass, centre: unit.centre, inertia }))
}

/// The inertia of a unit mass at a place about the origin, m².
fn about_origin(place: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(place * place.x, place * place.y, place * place.z);
    DMat3::from_diagonal(DVec3::splat(place.length_squared())) - outer
}
