//! A scene of solids, as every engine of the comparison is given it.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use drystone_contact::shape::Shape;
use drystone_engine::Pose;
use drystone_scenes::scene::{Scene, SceneBody};
use glam::DVec3;

/// What a solid is made of, in its body frame.
#[derive(Clone, Debug)]
pub enum Form {
    /// A box along the axes, by its half sizes, m.
    Box(DVec3),
    /// Boxes along the axes that overlap or touch, each by its centre and half sizes, m.
    Boxes(Vec<(DVec3, DVec3)>),
    /// A convex polyhedron, by its corners, m.
    Hull(Vec<DVec3>),
}

/// A solid at its place.
#[derive(Clone, Debug)]
pub struct Solid {
    /// What it is made of.
    pub form: Form,
    /// The same as Drystone sees it.
    pub shape: Arc<Shape>,
    /// Body → world; the body's origin is the centre of mass, its axes are principal ones.
    pub pose: Pose,
    /// Mass, kg; infinite for a body that stays where it is.
    pub mass: f64,
    /// Principal moments of inertia, kg m².
    pub inertia: DVec3,
}

/// Solids and what holds for all of them.
#[derive(Clone, Debug)]
pub struct Solids {
    /// In the order of the scene's bodies.
    pub solids: Vec<Solid>,
    /// Coefficient of friction of every pair.
    pub friction: f64,
}

impl Solids {
    /// The solids of a scene, of which those that are no boxes are made as `form` says of a body. Friction is set to one value for all
    /// pairs, for engines mix it by different rules.
    ///
    /// # Errors
    /// A body that is no box and of which `form` knows nothing.
    pub fn of(scene: &Scene, friction: f64, form: impl Fn(&SceneBody) -> Option<Form>) -> Result<Self> {
        let solid = |body: &SceneBody| -> Result<Solid> {
            let (form, offset) = match form(body) {
                Some(form) => (form, DVec3::ZERO),
                None => cuboid(body)?,
            };
            let pose = body.body.pose();
            let centre = pose.transform_point(offset);
            let (mass, inertia) = (body.body.mass(), body.body.inertia());
            Ok(Solid {
                form,
                shape: Arc::clone(&body.shape),
                pose: Pose::from_parts(centre, pose.rotation),
                mass,
                inertia,
            })
        };
        let solids = scene.bodies.iter().map(solid).collect::<Result<_>>()?;
        Ok(Self { solids, friction })
    }

    /// The half sizes of all solids, if all of them are boxes.
    pub fn boxes(&self) -> Option<Vec<DVec3>> {
        let half = |solid: &Solid| match solid.form {
            Form::Box(half) => Some(half),
            _ => None,
        };
        self.solids.iter().map(half).collect()
    }
}

/// A body that is a box along the axes of its frame, and where the centre of that is.
fn cuboid(body: &SceneBody) -> Result<(Form, DVec3)> {
    let surface =
        body.shape.surface().with_context(|| format!("{} is a {}, not a box", body.name, body.shape.kind()))?;
    let (low, high) = surface.bounds();
    let half = (high - low) / 2.0;
    let volume = 8.0 * half.x * half.y * half.z;
    if (surface.volume() / volume - 1.0).abs() > 1e-9 {
        bail!("{} is not a box along the axes of its frame", body.name);
    }
    Ok((Form::Box(half), (low + high) / 2.0))
}
