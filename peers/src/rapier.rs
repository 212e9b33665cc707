//! The boxes in rapier3d-f64.

use anyhow::{Context, Result};
use drystone_engine::Pose;
use glam::DVec3;
use rapier3d_f64::prelude::*;

use super::boxes::Boxes;

/// How boxes are described to rapier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RapierShape {
    /// Its special shape for boxes.
    Cuboid,
    /// A general convex polyhedron.
    ConvexHull,
}

/// A rapier world of boxes.
pub struct Rapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// The boxes at their places, with rapier's own defaults but for the time step (s), gravity and friction; bodies never
    /// sleep.
    ///
    /// # Errors
    /// A box that rapier makes no hull of.
    pub fn new(boxes: &Boxes, shape: RapierShape, time_step: f64, gravity: DVec3) -> Result<Self> {
        let mut world = PhysicsWorld::new();
        world.gravity = gravity;
        world.integration_parameters.dt = time_step;
        let mut handles = Vec::with_capacity(boxes.boxes.len());
        for solid in &boxes.boxes {
            let half = solid.half;
            let is_dynamic = solid.mass.is_finite();
            let body = if is_dynamic { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
            let body = world.insert_body(body.pose(solid.pose).can_sleep(false));
            let collider = match shape {
                RapierShape::Cuboid => ColliderBuilder::cuboid(half.x, half.y, half.z),
                RapierShape::ConvexHull => {
                    let sign = |code: usize, bit: usize| if code >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    let corner = |code| half * DVec3::new(sign(code, 0), sign(code, 1), sign(code, 2));
                    let corners: Vec<DVec3> = (0..8).map(corner).collect();
                    ColliderBuilder::convex_hull(&corners).context("rapier makes no hull of a box")?
                }
            };
            let volume = 8.0 * half.x * half.y * half.z;
            let density = if is_dynamic { solid.mass / volume } else { 1.0 };
            world.insert_collider(collider.friction(boxes.friction).density(density), Some(body));
            handles.push(body);
        }
        Ok(Self { world, handles })
    }

    /// One time step.
    pub fn step(&mut self) {
        self.world.step();
    }

    /// Where the boxes are, in their order.
    pub fn poses(&self) -> Vec<Pose> {
        self.handles.iter().map(|&h| *self.world.bodies[h].position()).collect()
    }

    /// How many points its solver works with.
    pub fn contacts(&self) -> usize {
        let manifolds = self.world.contact_pairs().flat_map(|pair| pair.manifolds());
        manifolds.map(|manifold| manifold.data.solver_contacts.len()).sum()
    }
}
