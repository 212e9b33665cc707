//! Bodies are red while they touch another cube; the arrow keys push the first one; contacts that start and end are counted.
//!
//! ```text
//! cargo run -p drystone-bevy --example contact_events
//! ```

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use drystone_bevy::draw::BodyLook;
use drystone_bevy::{
    ContactEnded, ContactStarted, Contacts, DEFAULT_MATERIAL, DrystonePlugin, ExternalForce, RigidBody, StepFailed,
};
use drystone_engine::{Pose, Solid};
use glam::DVec3;

/// The force of a key, N: enough to overcome the friction of a cube of two tonnes.
const PUSH: f64 = 30_000.0;

/// The body that the keys push.
#[derive(Component)]
struct Pushed;

/// A body that shows what it touches.
#[derive(Component)]
struct Cube;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, DrystonePlugin::default()))
        .insert_resource(ClearColor(Color::WHITE))
        .add_systems(Startup, (add_bodies, add_camera_and_light))
        .add_systems(FixedUpdate, push)
        .add_systems(Update, (tell, paint.run_if(resource_changed::<Contacts>)))
        .run();
}

fn add_bodies(mut commands: Commands) -> Result {
    let ground = Solid::cuboid(DVec3::new(12.0, 1.0, 12.0), 2000.0)?;
    commands.spawn(RigidBody::fixed(&ground, DEFAULT_MATERIAL, Pose::from_translation(DVec3::NEG_Y * 0.5))?);
    let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
    let at =
        |x: f64, y: f64| RigidBody::dynamic(&cube, DEFAULT_MATERIAL, Pose::from_translation(DVec3::new(x, y, 0.0)));
    commands.spawn((at(-3.0, 0.5)?, Cube, Pushed, ExternalForce::default()));
    commands.spawn((at(0.0, 0.5)?, Cube));
    commands.spawn((at(0.3, 2.5)?, Cube));
    commands.spawn((at(3.0, 0.5)?, Cube));
    Ok(())
}

/// The arrow keys as a force.
fn push(keys: Res<ButtonInput<KeyCode>>, mut pushed: Query<&mut ExternalForce, With<Pushed>>) {
    let axis = |less, more| f64::from(i8::from(keys.pressed(more)) - i8::from(keys.pressed(less)));
    let direction =
        DVec3::new(axis(KeyCode::ArrowLeft, KeyCode::ArrowRight), 0.0, axis(KeyCode::ArrowUp, KeyCode::ArrowDown));
    for mut force in &mut pushed {
        force.force = PUSH * direction;
    }
}

/// Prints and counts what has happened since the last frame.
fn tell(
    mut started: MessageReader<ContactStarted>,
    mut ended: MessageReader<ContactEnded>,
    mut failed: MessageReader<StepFailed>,
    mut counts: Local<[usize; 2]>,
) {
    for ContactStarted(pair) in started.read() {
        counts[0] += 1;
        println!("{} and {} touch at {} points ({} started)", pair.a, pair.b, pair.contacts.len(), counts[0]);
    }
    for ContactEnded { a, b } in ended.read() {
        counts[1] += 1;
        println!("{a} and {b} part ({} ended)", counts[1]);
    }
    for failure in failed.read() {
        println!("step {}: {}", failure.steps + 1, failure.error);
    }
}

/// Gives cubes that touch a cube a colour of their own.
fn paint(contacts: Res<Contacts>, cubes: Query<Entity, With<Cube>>, mut commands: Commands) {
    for cube in &cubes {
        let touches = contacts.of(cube).any(|pair| cubes.contains(pair.a) && cubes.contains(pair.b));
        let colour = touches.then_some(Color::srgb(0.85, 0.35, 0.3));
        commands.entity(cube).insert(BodyLook { colour, ..BodyLook::default() });
    }
}

fn add_camera_and_light(mut commands: Commands) {
    let eye = Transform::from_xyz(2.0, 5.0, 9.0).looking_at(Vec3::Y * 0.5, Vec3::Y);
    // The default tone mapping needs a table that is a feature of Bevy of its own.
    commands.spawn((Camera3d::default(), Tonemapping::None, eye));
    let sun = Transform::from_xyz(2.0, 5.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { illuminance: 4000.0, ..default() }, sun));
}
