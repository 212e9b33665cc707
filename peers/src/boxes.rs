//! A scene of boxes, as every engine of the comparison is given it.

use anyhow::{Result, bail};
use drystone_engine::Pose;
use drystone_scenes::scene::{Scene, SceneBody};
use glam::DVec3;

/// A box at its place.
#[derive(Clone, Copy, Debug)]
pub struct SolidBox {
    /// Half sizes along the axes of the body, m.
    pub half: DVec3,
    /// Body → world; the body's origin is the centre of the box.
    pub pose: Pose,
    /// Mass, kg; infinite for a body that stays where it is.
    pub mass: f64,
}

/// Boxes and what holds for all of them.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// The boxes, in the order of the scene's bodies.
    pub boxes: Vec<SolidBox>,
    /// Coefficient of friction of every pair.
    pub friction: f64,
}

impl Boxes {
    /// The boxes of a scene. Friction is set to one value for all pairs, for engines mix it by different rules.
    ///
    /// # Errors
    /// A body that is no box.
    pub fn of(scene: &Scene, friction: f64) -> Result<Self> {
        let boxes = scene.bodies.iter().map(solid_box).collect::<Result<_>>()?;
        Ok(Self { boxes, friction })
    }
}

fn solid_box(body: &SceneBody) -> Result<SolidBox> {
    let Some(surface) = body.shape.surface() else { bail!("{} is a {}, not a box", body.name, body.shape.kind()) };
    let (low, high) = surface.bounds();
    let half = (high - low) / 2.0;
    let volume = 8.0 * half.x * half.y * half.z;
    if (surface.volume() / volume - 1.0).abs() > 1e-9 {
        bail!("{} is not a box along the axes of its frame", body.name);
    }
    let pose = body.body.pose();
    let centre = pose.transform_point((low + high) / 2.0);
    Ok(SolidBox { half, pose: Pose::from_parts(centre, pose.rotation), mass: body.body.mass() })
}
