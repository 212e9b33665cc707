//! The smallest application: cubes fall on the ground and each other; contacts are drawn.
//!
//! ```text
//! cargo run -p drystone-bevy --example falling_boxes
//! ```

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use drystone_bevy::{DEFAULT_MATERIAL, DrystonePlugin, RigidBody};
use drystone_engine::{Pose, Solid};
use glam::DVec3;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, DrystonePlugin::default()))
        .insert_resource(ClearColor(Color::WHITE))
        .add_systems(Startup, (add_bodies, add_camera_and_light))
        .run();
}

fn add_bodies(mut commands: Commands) -> Result {
    let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
    commands.spawn(RigidBody::fixed(&ground, DEFAULT_MATERIAL, Pose::from_translation(DVec3::NEG_Y * 0.5))?);
    let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
    for i in 0..6 {
        let height = f64::from(i);
        let pose = Pose::from_translation(DVec3::new(0.15 * (height % 2.0), 0.6 + 1.3 * height, 0.1 * height));
        commands.spawn(RigidBody::dynamic(&cube, DEFAULT_MATERIAL, pose)?);
    }
    Ok(())
}

fn add_camera_and_light(mut commands: Commands) {
    let eye = Transform::from_xyz(6.0, 5.0, 9.0).looking_at(Vec3::Y * 2.5, Vec3::Y);
    // The default tone mapping needs a table that is a feature of Bevy of its own.
    commands.spawn((Camera3d::default(), Tonemapping::None, eye));
    let sun = Transform::from_xyz(2.0, 5.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { illuminance: 4000.0, ..default() }, sun));
}
