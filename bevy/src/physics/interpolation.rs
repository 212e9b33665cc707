//! Transforms between the two last states.

use super::body::Link;
use super::world::Physics;
use bevy::prelude::*;

/// Writes the transforms of all bodies that have moved.
pub(super) fn show(physics: Res<Physics>, clock: Res<Time<Fixed>>, mut bodies: Query<(&Link, &mut Transform)>) {
    let share = if physics.interpolates { clock.overstep_fraction().clamp(0.0, 1.0) } else { 1.0 };
    for (link, mut transform) in &mut bodies {
        let scale = transform.scale;
        transform.set_if_neq(between(link, share).with_scale(scale));
    }
}

/// The share 0…1 of the way from the state before the last step to the one after it.
fn between(link: &Link, share: f32) -> Transform {
    let (from, to) = (link.previous, link.pose);
    if from == to || share >= 1.0 {
        return to.transform();
    }
    let share = f64::from(share);
    let position = from.position.lerp(to.position, share);
    let orientation = from.orientation.slerp(to.orientation, share);
    super::body::BodyPose { position, orientation }.transform()
}
