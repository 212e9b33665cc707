//! Whether memory stays flat while bodies come and go, over a million steps, with each contact method.
//!
//! ```text
//! cargo run --release -p drystone-engine --example comings_and_goings                              # all methods, 1,000,000 steps each
//! cargo run --release -p drystone-engine --example comings_and_goings -- 10000 semi-local vclip    # steps, methods
//! ```
//! Every few steps a body of a new shape falls onto a floor, and the oldest one is taken away; every second one hangs on the one before it by a
//! rope, and every thousandth step the world is put back to a snapshot of itself. All on one thread, so that what it has allocated is
//! known: the least after any step of the last tenth may be 256 kB more than of the second tenth. Ends with status 1 if it is more.
//! The resident memory of the process, which is up to the allocator, is told as well.

use std::collections::VecDeque;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use allocation_counter::measure;
use drystone_engine::contact::generator::{Method, Registry, methods};
use drystone_engine::{BodyHandle, MaterialId, NewJoint, Pose, Solid, SolidError, World, WorldSettings};
use glam::{DQuat, DVec3};

#[path = "process/memory.rs"]
mod memory;

/// How much more may be allocated in the last tenth than in the second one, kB; the least of 100,000 steps differs by some 50 kB by chance.
const LARGEST_GROWTH: i64 = 256;

/// Steps from one body to the next.
const EVERY: u64 = 8;

/// Bodies at once.
const MOST: usize = 6;

/// Steps from one snapshot to the next.
const SNAPSHOT: u64 = 1000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let steps: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    if steps < 10 * SNAPSHOT {
        return Err(format!("{steps} steps are too few to tell; there must be {} or more", 10 * SNAPSHOT).into());
    }
    let names: Vec<String> = arguments.collect();
    let registry = Registry::default();
    let chosen: Result<Vec<Method>, _> = names.iter().map(|name| registry.find(name).cloned()).collect();
    let chosen = if names.is_empty() { methods::all() } else { chosen? };
    println!(
        "| method | steps | bodies that came | allocated in the second tenth, kB | growth, kB | resident after a tenth, kB | growth, kB | s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut is_flat = true;
    for method in chosen {
        let began = Instant::now();
        let name = method.name().to_owned();
        let outcome = pool.install(|| run(method, steps, &registry).map_err(|error| format!("{name}: {error}")));
        let Seen { came, allocated, resident } = outcome?;
        let [first, last] = allocated.map(|bytes| bytes / 1024);
        let growth = resident[1] as i64 - resident[0] as i64;
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "| {name} | {steps} | {came} | {first} | {} | {} | {growth} | {seconds:.0} |",
            last - first,
            resident[0]
        );
        is_flat &= last - first <= LARGEST_GROWTH;
    }
    println!("no more than {LARGEST_GROWTH} kB more are allocated: {}", if is_flat { "holds" } else { "BROKEN" });
    Ok(if is_flat { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was seen of a run.
struct Seen {
    /// How many bodies came.
    came: u64,
    /// The least that was allocated after any step of the second and of the last tenth, bytes.
    allocated: [i64; 2],
    /// Of the process after a tenth of the steps and at the end, kB.
    resident: [u64; 2],
}

fn run(method: Method, steps: u64, registry: &Registry) -> Result<Seen, Box<dyn Error>> {
    let mut made = None;
    let mut allocated = measure(|| made = Some(Ground::new(method))).bytes_current;
    let mut ground = made.ok_or("nothing was made")??;
    let (mut least, mut first) = ([i64::MAX; 2], 0);
    for step in 0..steps {
        let mut outcome = Ok(());
        allocated += measure(|| outcome = ground.step(step, registry)).bytes_current;
        outcome?;
        match step * 10 / steps {
            1 => least[0] = least[0].min(allocated),
            9 => least[1] = least[1].min(allocated),
            _ => {}
        }
        if step == steps / 10 {
            first = memory::resident()?;
        }
    }
    Ok(Seen { came: ground.came, allocated: least, resident: [first, memory::resident()?] })
}

/// A floor, and what is on it.
struct Ground {
    world: World,
    stone: MaterialId,
    /// The oldest first.
    present: VecDeque<BodyHandle>,
    came: u64,
}

impl Ground {
    fn new(method: Method) -> Result<Self, Box<dyn Error>> {
        let mut world = World::new(WorldSettings::default(), method);
        let stone = world.materials_mut().add("stone")?;
        let floor = Solid::cuboid(DVec3::new(6.0, 1.0, 6.0), 2000.0)?;
        world.add(floor.fixed(stone, Pose::from_translation(-DVec3::Y))?)?;
        Ok(Self { world, stone, present: VecDeque::new(), came: 0 })
    }

    fn step(&mut self, step: u64, registry: &Registry) -> Result<(), Box<dyn Error>> {
        if step.is_multiple_of(EVERY) {
            if self.present.len() == MOST
                && let Some(oldest) = self.present.pop_front()
            {
                self.world.remove(oldest)?;
            }
            self.add()?;
        }
        if step.is_multiple_of(SNAPSHOT) {
            self.world = World::from_snapshot(&self.world.snapshot(), registry)?;
        }
        self.world.step()?;
        Ok(())
    }

    /// One more body above the floor.
    fn add(&mut self) -> Result<(), Box<dyn Error>> {
        let Self { world, stone, present, came } = self;
        let k = *came;
        let (x, z, turn) = (share(k, 2) - 0.5, share(k, 3) - 0.5, 6.0 * share(k, 5));
        let at = DVec3::new(2.0 * x, 0.6 + share(k, 7), 2.0 * z);
        let pose = Pose::from_parts(at, DQuat::from_euler(glam::EulerRot::XYZ, turn, 2.0 * turn, 3.0 * turn));
        let body = world.add(served(world, k)?.dynamic(*stone, pose)?)?;
        if let (1, Some(&last)) = (k % 2, present.back()) {
            world.add_joint(NewJoint::rope(Some(last), body, [world.body(last)?.position, at], 1.0))?;
        }
        present.push_back(body);
        *came += 1;
        Ok(())
    }
}

/// A solid of a shape that no body had before: one of several kinds, or a box where the method does not know it.
fn served(world: &World, k: u64) -> Result<Solid, SolidError> {
    let [a, b, c] = [11, 13, 17].map(|base| 0.1 + 0.15 * share(k, base));
    let corners = [-1.0, 1.0].map(|x| [DVec3::new(x, 0.0, 1.0), DVec3::new(x, 1.0, 0.0), DVec3::new(x, -1.0, -1.0)]);
    let wedge: Vec<DVec3> = corners.concat().iter().map(|corner| *corner * DVec3::new(a, b, c)).collect();
    let solid = match k % 5 {
        0 => Solid::ball(a, 1000.0),
        1 => Solid::capsule(a, b, 1000.0),
        2 => Solid::convex_hull(&wedge, 1000.0),
        3 => Solid::cylinder(a, c, 1000.0),
        _ => Solid::cuboid(DVec3::new(a, b, c), 1000.0),
    }?;
    let is_served = world.method().generator().prepare(&solid.shape).is_ok();
    if is_served { Ok(solid) } else { Solid::cuboid(DVec3::new(a, b, c), 1000.0) }
}

/// The k-th number of the van der Corput sequence of a base, from 0 to 1.
fn share(k: u64, base: u64) -> f64 {
    let (mut rest, mut place, mut sum) = (k % (base * base * base * base), 1.0, 0.0);
    while rest > 0 {
        place /= base as f64;
        sum += place * (rest % base) as f64;
        rest /= base;
    }
    sum
}
