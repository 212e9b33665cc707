//! From the world in double precision to what is drawn in single precision, relative to the scene's middle.

use bevy::prelude::{Color, Quat, Transform, Vec3};
use drystone::engine::Pose;
use drystone_report::inspection::colour::Rgb;
use glam::DVec3;

/// The vector in single precision.
pub fn single(v: DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

/// A point of the world as it is drawn around `middle`.
pub fn place(point: DVec3, middle: DVec3) -> Vec3 {
    single(point - middle)
}

/// A pose as it is drawn around `middle`.
pub fn transform(pose: Pose, middle: DVec3) -> Transform {
    let [x, y, z, w] = pose.rotation.to_array().map(|c| c as f32);
    Transform::from_translation(place(pose.translation, middle)).with_rotation(Quat::from_xyzw(x, y, z, w))
}

/// The pose moved by a shift, m.
pub fn shifted(pose: Pose, shift: DVec3) -> Pose {
    pose.append_translation(shift)
}

/// An sRGB colour.
pub fn colour([red, green, blue]: Rgb) -> Color {
    Color::srgb_u8(red, green, blue)
}
