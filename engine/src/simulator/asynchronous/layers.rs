//! Discrete penalty layers: nested half-springs whose energies add up without bound as two features get to zero distance.
//!
//! Layer l = 1, 2, … acts below the distance η(l) = η(1) l^(−1/4) with the stiffness r(l) = r(1) l³; its clock has a step of no more than
//! h(l) = h(1) l^(−3/2), in proportion to 1/√r(l).
//!
//! Source: Harmon and others (see [`super`]), section 3. The step follows from stability: h(1) = c · 2 √(m/r(1)), with c small enough for all
//! layers together, and short enough for a layer to tick before it is crossed.

use serde::{Deserialize, Serialize};

use super::clock::{Clock, Ticks};
use super::error::AsynchronousError;
use super::surface::check_positive;

/// c: layers that are active together add up, so that L (2c)² must stay below 4.
const SHARE: f64 = 0.02;

/// A feature gets through no more than this share of η(1) in a step of layer 1.
const CROSSED: f64 = 0.25;

/// How surfaces push each other apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactLaw {
    /// η(1): below this distance surfaces repel each other, m.
    pub thickness: f64,
    /// r(1), N/m.
    pub stiffness: f64,
    /// The highest relative speed for which the energy is kept, m/s. Faster contacts are as safe, but less accurate.
    pub speed: f64,
    /// The ratio of the speeds after and before a bounce, 0 to 1.
    pub restitution: f64,
    /// The coefficient of friction, 0 or more. It acts against sliding; nothing remembers where sticking began.
    pub friction: f64,
    /// Motion that needs more layers than this ends the simulation: a distance of η(1) times its fourth root's inverse.
    pub most_layers: u32,
}

impl Default for ContactLaw {
    /// A thickness of 1 mm, 1 kN/m, 1 m/s, elastic, without friction; 256 layers: down to a quarter of the thickness.
    fn default() -> Self {
        Self { thickness: 1e-3, stiffness: 1e3, speed: 1.0, restitution: 1.0, friction: 0.0, most_layers: 256 }
    }
}

impl ContactLaw {
    /// Checks that all numbers make sense.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`].
    pub fn check(&self) -> Result<(), AsynchronousError> {
        check_positive("thickness", self.thickness)?;
        check_positive("contact stiffness", self.stiffness)?;
        check_positive("contact speed", self.speed)?;
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(AsynchronousError::Parameter {
                what: "restitution",
                value: self.restitution,
                must: "from 0 to 1",
            });
        }
        if !(self.friction.is_finite() && self.friction >= 0.0) {
            let (what, value) = ("coefficient of friction", self.friction);
            return Err(AsynchronousError::Parameter { what, value, must: "finite and not below zero" });
        }
        if !(1..=PenaltyLayers::MOST).contains(&self.most_layers) {
            let value = f64::from(self.most_layers);
            return Err(AsynchronousError::Parameter { what: "number of layers", value, must: "from 1 to 65536" });
        }
        Ok(())
    }
}

/// One layer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layer {
    /// η(l), m.
    thickness: f64,
    /// r(l), N/m.
    stiffness: f64,
    /// h(l) / h(1).
    step: f64,
}

/// The layers of a law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ContactLaw", into = "ContactLaw")]
pub struct PenaltyLayers {
    layers: Vec<Layer>,
    law: ContactLaw,
}

impl TryFrom<ContactLaw> for PenaltyLayers {
    type Error = AsynchronousError;

    fn try_from(law: ContactLaw) -> Result<Self, AsynchronousError> {
        Self::new(&law)
    }
}

impl From<PenaltyLayers> for ContactLaw {
    fn from(layers: PenaltyLayers) -> Self {
        layers.law
    }
}

impl PenaltyLayers {
    /// The largest number of layers.
    pub const MOST: u32 = 1 << 16;

    /// The layers of a law.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`].
    pub fn new(law: &ContactLaw) -> Result<Self, AsynchronousError> {
        law.check()?;
        let layer = |number: u32| {
            let l = f64::from(number);
            let root = l.sqrt();
            let (thickness, stiffness) = (law.thickness / root.sqrt(), law.stiffness * l * l * l);
            Layer { thickness, stiffness, step: 1.0 / (l * root) }
        };
        Ok(Self { layers: (1..=law.most_layers + 1).map(layer).collect(), law: *law })
    }

    /// As given.
    pub fn law(&self) -> &ContactLaw {
        &self.law
    }

    /// η(l) of a layer from 1, m.
    pub fn thickness(&self, layer: u32) -> f64 {
        self.layers[layer as usize - 1].thickness
    }

    /// h(1) of features with an effective mass in kg, s.
    pub fn first_step(&self, mass: f64) -> f64 {
        let ContactLaw { thickness, stiffness, speed, .. } = self.law;
        (SHARE * 2.0 * (mass / stiffness).sqrt()).min(CROSSED * thickness / speed)
    }

    /// The clock of a layer from 1, by h(1) in s; `None` if its step is shorter than a tick.
    pub fn clock(&self, layer: u32, first_step: f64) -> Option<Clock> {
        Clock::with_step(first_step * self.layers[layer as usize - 1].step)
    }

    /// The impulse at a distance (m) by those of the first `active` layers whose clocks tick now, N s.
    pub fn impulse(&self, distance: f64, active: u32, first_step: f64, now: Ticks) -> f64 {
        let mut sum = 0.0;
        for layer in self.touched(distance, active) {
            let clock = Clock::with_step(first_step * layer.step);
            if let Some(clock) = clock.filter(|clock| clock.ticks_at(now)) {
                sum += clock.step() * layer.stiffness * (layer.thickness - distance);
            }
        }
        sum
    }

    /// The energy of the first `active` layers at a distance (m), J.
    pub fn energy(&self, distance: f64, active: u32) -> f64 {
        let energy = |layer: &Layer| 0.5 * layer.stiffness * (layer.thickness - distance).powi(2);
        self.touched(distance, active).map(energy).sum()
    }

    /// How many of the first `active` layers are thicker than a distance (m).
    pub fn touched_count(&self, distance: f64, active: u32) -> u32 {
        self.touched(distance, active).count() as u32
    }

    /// Those of the first `active` layers that are thicker than a distance.
    fn touched(&self, distance: f64, active: u32) -> impl Iterator<Item = &Layer> {
        self.layers[..active as usize].iter().take_while(move |layer| layer.thickness > distance)
    }
}
