//! A sorting plant: 203 bodies on terrain, a belt, a gate that throws balls out, a lift, sensors, removal, a snapshot.
//!
//! ```text
//! cargo run --release -p drystone-engine --example sorting_plant -- plant.drystone    # a recording, if named
//! ```

use drystone_engine::contact::generator::Registry;
use drystone_engine::contact::shape::{HeightField, RoundedBox, Shape};
use drystone_engine::glam::DVec3;
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_engine::world::{Event, EventSettings, Snapshot};
use drystone_engine::{Friction, Material, NewBody, Pose, Solid, World};
use std::error::Error;
use std::time::Instant;

const PARCELS: usize = 196;
const STEPS: usize = 800;
const BALL: u64 = 2; // User data of a ball.

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// All within the pool of threads: each step that is handed over to it from outside takes longer.
pub fn main() -> Result<(), Box<dyn Error>> {
    Ok(rayon::scope(|_| sort().map_err(|error| error.to_string()))?)
}

/// Sorts for eight seconds; an error if parcels are lost or in the wrong place.
fn sort() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let mut material = |name, friction| {
        let friction = Friction::sliding(friction);
        world.materials_mut().add_with(name, Material { friction, ..Material::default() })
    };
    let (earth, rubber, card) = (material("earth", 0.6)?, material("rubber", 1.0)?, material("card", 0.4)?);

    // Terrain, a belt that runs along x, its two walls, a lift, and sensors over the end of the belt and in the pit beside it.
    let hills = HeightField::from_fn(81, 121, [0.5, 0.5], |x, z| 0.2 * libm::sin(0.5 * x) * libm::cos(0.4 * z) - 2.0)?;
    world.add(NewBody::fixed(hills, earth, at(-30.0, 0.0, -20.0))?)?;
    let belt = world.add(Solid::cuboid(DVec3::new(24.0, 0.2, 2.0), 500.0)?.fixed(rubber, at(0.0, -0.1, 0.0))?)?;
    world.body_mut(belt)?.velocity = DVec3::X * 2.0;
    for z in [-1.05, 1.05] {
        world.add(Solid::cuboid(DVec3::new(14.0, 0.3, 0.1), 500.0)?.fixed(rubber, at(-5.0, 0.15, z))?)?;
    }
    let lift = world.add(Solid::cuboid(DVec3::new(3.0, 0.2, 3.0), 500.0)?.kinematic(rubber, at(14.0, -1.0, 0.0))?)?;
    let gate = Solid::cuboid(DVec3::new(0.5, 1.0, 2.0), 500.0)?;
    let gate = world.add(gate.fixed(card, at(4.0, 0.5, 0.0))?.sensor())?;
    let end = world.add(Solid::cuboid(DVec3::new(6.0, 8.0, 8.0), 500.0)?.fixed(card, at(15.0, 2.0, 0.0))?.sensor())?;
    world.set_events(EventSettings { sensors: true, contacts: true, ..EventSettings::default() });

    // Parcels in layers over the belt: boxes, balls, brackets of two boxes.
    let ball = Solid::ball(0.15, 300.0)?;
    let parcel = Solid::cuboid(DVec3::new(0.3, 0.25, 0.35), 300.0)?;
    let arm = |half: DVec3| RoundedBox::new(half, 0.02).map(Shape::from);
    let arms = [
        (arm(DVec3::new(0.15, 0.03, 0.1))?, at(0.0, -0.1, 0.0)),
        (arm(DVec3::new(0.03, 0.15, 0.1))?, at(-0.12, 0.0, 0.0)),
    ];
    let bracket = Solid::compound(arms, 300.0)?;
    let mut parcels = Vec::new();
    for k in 0..PARCELS {
        let (layer, row) = (k / 49, k % 49);
        let pose = at(-11.0 + 0.8 * (row / 4) as f64, 0.4 + 0.5 * layer as f64, -0.66 + 0.44 * (row % 4) as f64);
        let (solid, kind) = [(&parcel, 1), (&ball, BALL), (&bracket, 3)][k % 3];
        let mut new = solid.dynamic(card, pose)?;
        new.user_data = kind;
        parcels.push(world.add(new)?);
    }
    println!("{} bodies", world.bodies().len());

    let path = std::env::args().nth(1).filter(|path| path.ends_with(".drystone"));
    let create = |path| Recorder::create(path, &world, &RecordingSettings::default());
    let mut recorder = path.map(create).transpose()?;
    let (mut thrown, mut arrived, mut touched, mut spent) = (0, 0, 0, 0.0);
    for step in 0..STEPS {
        // The lift goes up and down by itself.
        let height = -1.0 + 0.8 * (1.0 - libm::cos(0.5 * world.time()));
        world.move_to(lift, at(14.0, height, 0.0))?;
        let began = Instant::now();
        match &mut recorder {
            Some(recorder) => recorder.step(&mut world)?,
            None => world.step()?,
        };
        spent += began.elapsed().as_secs_f64();
        let mut hits = Vec::new();
        for event in world.events() {
            match *event {
                Event::SensorEntered { sensor, body } if sensor == gate => hits.push(body),
                Event::SensorEntered { sensor, .. } if sensor == end => arrived += 1,
                Event::ContactStarted { .. } => touched += 1,
                _ => {}
            }
        }
        for body in hits {
            if world.contains(body) && world.user_data(body)? == BALL {
                let mass = world.body(body)?.mass();
                world.apply_impulse(body, mass * DVec3::new(0.0, 3.0, 4.0))?;
                thrown += 1;
            }
        }
        // What has left the world is taken out of it.
        let lost = |world: &World, handle| world.body(handle).is_ok_and(|body| body.position.y < -5.0);
        for handle in parcels.iter().copied().filter(|&handle| lost(&world, handle)).collect::<Vec<_>>() {
            world.remove(handle)?;
        }
        if step % 200 == 0 {
            println!("{:4.1} s: {thrown} balls thrown, {arrived} arrived, {touched} contacts begun", world.time());
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let text = world.snapshot().to_json()?;
    let restored = World::from_snapshot(&Snapshot::from_json(&text)?, &Registry::default())?;
    println!("a snapshot of {} kB, the same world: {}", text.len() / 1000, restored.bodies() == world.bodies());
    println!("{:.0} steps/s on {} threads", STEPS as f64 / spent, rayon::current_num_threads());
    let is_right = thrown > 30 && arrived > 10 && restored.bodies() == world.bodies();
    if is_right { Ok(()) } else { Err(format!("{thrown} thrown, {arrived} arrived").into()) }
}
