//! The solids in rapier3d-f64.

use anyhow::{Context, Result};
use drystone_engine::Pose;
use glam::DVec3;
use rapier3d_f64::prelude::*;

use super::solids::{Form, Solids};

/// How boxes are described to rapier, those of which other solids are made included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RapierShape {
    /// Its special shape for boxes.
    Cuboid,
    /// A general convex polyhedron.
    ConvexHull,
}

/// A rapier world of solids.
pub struct Rapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// The solids at their places, with rapier's own defaults but for the time step (s), gravity and friction; bodies never
    /// sleep. Solids of several boxes are compounds. With `follows` bodies have its continuous collision detection.
    ///
    /// # Errors
    /// A solid that rapier makes no hull of.
    pub fn new(solids: &Solids, (shape, follows): (RapierShape, bool), time_step: f64, gravity: DVec3) -> Result<Self> {
        let mut world = PhysicsWorld::new();
        world.gravity = gravity;
        world.integration_parameters.dt = time_step;
        let mut handles = Vec::with_capacity(solids.solids.len());
        for solid in &solids.solids {
            let is_dynamic = solid.mass.is_finite();
            let body = if is_dynamic { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
            let mut body = body.pose(solid.pose).can_sleep(false).ccd_enabled(follows && is_dynamic);
            if is_dynamic {
                body = body.additional_mass_properties(MassProperties::new(DVec3::ZERO, solid.mass, solid.inertia));
            }
            let body = world.insert_body(body);
            for collider in colliders(&solid.form, shape)? {
                world.insert_collider(collider.friction(solids.friction).density(0.0), Some(body));
            }
            handles.push(body);
        }
        Ok(Self { world, handles })
    }

    /// One time step.
    pub fn step(&mut self) {
        self.world.step();
    }

    /// Where the solids are, in their order.
    pub fn poses(&self) -> Vec<Pose> {
        self.handles.iter().map(|&h| *self.world.bodies[h].position()).collect()
    }

    /// How many points its solver works with.
    pub fn contacts(&self) -> usize {
        let manifolds = self.world.contact_pairs().flat_map(|pair| pair.manifolds());
        manifolds.map(|manifold| manifold.data.solver_contacts.len()).sum()
    }
}

fn colliders(form: &Form, shape: RapierShape) -> Result<Vec<ColliderBuilder>> {
    let hull = |corners: &[DVec3]| ColliderBuilder::convex_hull(corners).context("rapier makes no hull of a solid");
    let cuboid = |centre: DVec3, half: DVec3| -> Result<ColliderBuilder> {
        match shape {
            RapierShape::Cuboid => Ok(ColliderBuilder::cuboid(half.x, half.y, half.z).translation(centre)),
            RapierShape::ConvexHull => {
                let sign = |code: usize, bit: usize| if code >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let corner = |code| centre + half * DVec3::new(sign(code, 0), sign(code, 1), sign(code, 2));
                hull(&(0..8).map(corner).collect::<Vec<DVec3>>())
            }
        }
    };
    match form {
        Form::Box(half) => Ok(vec![cuboid(DVec3::ZERO, *half)?]),
        Form::Boxes(boxes) => boxes.iter().map(|&(centre, half)| cuboid(centre, half)).collect(),
        Form::Hull(corners) => Ok(vec![hull(corners)?]),
    }
}
