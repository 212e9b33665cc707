//! A ball shot at a ring of arches (assessment paper, figures 2, 7 and 8): storeys of arches in a circle, as in a
//! colosseum, with a ring of stones between two storeys.
//!
//! The rule is that of the program behind the figures: with the inner radius r and n arches, an arch has the outer radius
//! r sin(π/n), the inner 0.6 of that, pillars as high as the outer radius and 0.8 of the width deep, and stands in the
//! middle of the width; a ring is 0.2 as high as an arch and turned by half a step. Here the stones of a ring are wedges
//! that meet above the keystones, and lie on the flat tops of these.

use std::f64::consts::PI;

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use drystone_engine::{MaterialId, Pose};
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground, moving, turned};
use crate::cases::materials;
use crate::icosphere::icosphere;
use crate::scene::{BodyProblem, Scene, SceneBody};
use crate::solids::{cuboid, trapezoidal_prism};
use crate::truth::Truth;

/// Stones of a pillar.
const STONES: u32 = 5;

/// Stones of an arch above its pillars.
const VOUSSOIRS: u32 = 7;

/// How the building and the ball are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Masonry {
    /// Storeys.
    pub storeys: u32,
    /// Arches in a storey, at least 3.
    pub arches: u32,
    /// Inner radius, m.
    pub inner_radius: f64,
    /// From the inner to the outer radius, m.
    pub width: f64,
    /// Radius of the ball, m.
    pub ball_radius: f64,
    /// Where the ball starts, m.
    pub ball_position: DVec3,
    /// How fast it starts, m/s.
    pub ball_velocity: DVec3,
    /// Density of the ball, kg/m³.
    pub ball_density: f64,
}

impl Default for Masonry {
    /// The figures of the paper's program; the ball of iron.
    fn default() -> Self {
        Masonry {
            storeys: 3,
            arches: 14,
            inner_radius: 10.0,
            width: 3.0,
            ball_radius: 2.5,
            ball_position: DVec3::new(30.0, 12.0, 0.0),
            ball_velocity: DVec3::new(-20.0, 0.0, -1.0),
            ball_density: 7870.0,
        }
    }
}

impl Masonry {
    /// The scene: ground, ball, then storey by storey from below the arches, each with its pillars and its voussoirs, and
    /// the ring on top of them where a storey follows.
    ///
    /// # Errors
    /// Measures of which no stones can be made.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground_material) = materials()?;
        let here = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        let half_step = PI / f64::from(self.arches);
        let outer = self.inner_radius * libm::sin(half_step);
        let inner = 0.6 * outer;
        let half_depth = 0.4 * self.width;

        let half = DVec3::new(0.5 * (outer - inner), 0.5 * outer / f64::from(STONES), half_depth);
        let block = at_rest("block", cuboid(-half, half), here, false, stone)?;
        let half_angle = 0.5 * PI / f64::from(VOUSSOIRS);
        let (sin, cos) = (libm::sin(half_angle), libm::cos(half_angle));
        let voussoir = trapezoidal_prism([inner * sin, outer * sin], [inner * cos, outer * cos], half_depth);
        let voussoir = at_rest("voussoir", voussoir, here, false, stone)?;
        // Up to the flat top of the keystone.
        let arch_height = outer + outer * cos;
        let ring_height = 0.2 * arch_height;
        let radii = [self.inner_radius, self.inner_radius + self.width];
        let [widths, distances] = [libm::sin(half_step), libm::cos(half_step)].map(|f| radii.map(|r| r * f));
        // Drawn in the plane of x and y; laid down, with y outward.
        let down = Pose::from_parts(DVec3::ZERO, turned(DVec3::X, 0.5 * PI));
        let ring = at_rest("ring", trapezoidal_prism(widths, distances, 0.5 * ring_height), down, false, stone)?;

        let mut bodies = vec![ground(8.0 * (self.inner_radius + self.width), ground_material)?, self.ball(stone)?];
        for storey in 0..self.storeys {
            let floor = f64::from(storey) * (arch_height + ring_height);
            for arch in 0..self.arches {
                let turn = turned(DVec3::Y, 2.0 * half_step * f64::from(arch));
                let outward = DVec3::Z * (self.inner_radius + 0.5 * self.width);
                let place = |local: DVec3, rotation: DQuat| {
                    Pose::from_parts(turn * (outward + local) + DVec3::Y * floor, turn * rotation)
                };
                let name = format!("storey {} arch {}", storey + 1, arch + 1);
                for k in 0..STONES {
                    for (side, of_side) in [(-1.0, "left"), (1.0, "right")] {
                        let y = (2.0 * f64::from(k) + 1.0) * half.y;
                        let local = DVec3::new(side * 0.5 * (outer + inner), y, 0.0);
                        let name = format!("{name} {of_side} stone {}", k + 1);
                        bodies.push(block.copy(name, &place(local, DQuat::IDENTITY))?);
                    }
                }
                for k in 0..VOUSSOIRS {
                    let angle = (f64::from(k) + 0.5) * PI / f64::from(VOUSSOIRS) - 0.5 * PI;
                    let pose = place(DVec3::Y * outer, turned(DVec3::Z, angle));
                    bodies.push(voussoir.copy(format!("{name} voussoir {}", k + 1), &pose)?);
                }
            }
            for k in (0..self.arches).filter(|_| storey + 1 < self.storeys) {
                let turn = turned(DVec3::Y, half_step * (2.0 * f64::from(k) + 1.0));
                let up = DVec3::Y * (floor + arch_height + 0.5 * ring_height);
                bodies.push(ring.copy(format!("storey {} ring {}", storey + 1, k + 1), &Pose::from_parts(up, turn))?);
            }
        }
        Ok(BuiltIn::Masonry.of_bodies(bodies, materials, Truth::default()))
    }

    fn ball(&self, material: MaterialId) -> Result<SceneBody, BodyProblem> {
        let surface = icosphere(self.ball_radius, 2)?;
        let shape = Shape::from_surface(&surface, &TetrahedralizationSettings::default())?;
        let pose = Pose::from_parts(self.ball_position, DQuat::IDENTITY);
        moving("ball", &shape, self.ball_density, pose, self.ball_velocity, material)
    }
}
