//! Times of contact beside `cast_shapes_nonlinear` of parry3d-f64, on the same queries, against certified answers.
//!
//! parry casts shapes, not points: its point is a ball of a radius of 1e-12 of the size of the solid. It works with absolute tolerances,
//! so the solids are about a metre large. It promises no bound of its times, so that a time of its counts as late from a nanosecond on; ours
//! count from the first bit. `cargo run --release -p drystone-peers --bin time-of-contact`

use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use drystone_contact::ccd::rigid::NonlinearRigidMotion;
use drystone_contact::shape::Surface;
use drystone_contact::solid::PolyhedralSolid;
use drystone_scenes::toc::benchmark::{Plan, Sample, Tally, VARIANTS, answer, sample};
use drystone_scenes::toc::query::DURATION;
use drystone_scenes::toc::region::Region;
use glam::DVec3;
use rapier3d_f64::parry::query::{self, ShapeCastStatus};
use rapier3d_f64::parry::shape::{Ball, Cuboid, HalfSpace, Shape, TriMesh};

/// Times of contact beside parry's nonlinear shape cast.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Queries of each kind of solid.
    #[arg(long, default_value_t = 7000, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Our precision as a share of the size of the solid.
    #[arg(long, default_value_t = 1e-6)]
    precision: f64,
    /// Let the solids move and turn as well.
    #[arg(long)]
    moving: bool,
    /// Of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often each is asked, in turns; the least time counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
}

const KINDS: [&str; 4] = ["half-space", "ball", "box", "mesh"];

/// What parry is asked about.
fn peer_shape(region: &Region, is_mesh: bool) -> Result<Box<dyn Shape>> {
    Ok(match region {
        Region::HalfSpace => Box::new(HalfSpace::new(DVec3::Y)),
        Region::Ball { radius } => Box::new(Ball::new(*radius)),
        Region::Cuboid { half } if is_mesh => {
            let surface = surface_of_box(*half)?;
            Box::new(TriMesh::new(surface.vertices().to_vec(), surface.triangles().to_vec())?)
        }
        Region::Cuboid { half } => Box::new(Cuboid::new(*half)),
        _ => bail!("not among the shapes of both"),
    })
}

fn surface_of_box(half: DVec3) -> Result<Surface> {
    Ok(drystone_scenes::solids::cuboid(-half, half)?)
}

/// parry's times may be later than the certified contact by this, s.
const LATE: f64 = 1e-9;

/// parry's motion of a frame at a place of the body.
fn peer_motion(motion: &NonlinearRigidMotion, place: DVec3) -> query::NonlinearRigidMotion {
    let start = motion.pose.prepend_translation(place);
    query::NonlinearRigidMotion::new(start, -place, motion.velocity, motion.angular_velocity)
}

/// A row of the table.
struct Line {
    ours: Tally,
    peer: Tally,
}

fn measure(kind: &str, arguments: &Arguments) -> Result<Line> {
    let plan = Plan {
        queries: arguments.queries as usize,
        precision: arguments.precision,
        is_moving: arguments.moving,
        scales: 1.0,
        seed: arguments.seed,
    };
    let is_mesh = kind == "mesh";
    let mut samples = Vec::new();
    for number in 0..plan.queries {
        let mut sample = sample(if is_mesh { "box" } else { kind }, number, &plan)?;
        if let (true, Region::Cuboid { half }) = (is_mesh, &sample.case.region) {
            sample.case.solid = std::sync::Arc::new(PolyhedralSolid::new(&surface_of_box(*half)?));
        }
        samples.push(sample);
    }
    let shapes: Vec<_> = samples.iter().map(|s| peer_shape(&s.case.region, is_mesh)).collect::<Result<_>>()?;
    let (mut ours, mut peer) = (Tally::default(), Tally::default());
    let mut least = [f64::INFINITY; 2];
    for _ in 0..arguments.repeat {
        let start = Instant::now();
        let answers = samples.iter().map(|s| answer(s, &VARIANTS[0], plan.precision)).collect::<Result<Vec<_>, _>>()?;
        least[0] = least[0].min(start.elapsed().as_secs_f64());
        ours = Tally::default();
        for (sample, found) in samples.iter().zip(&answers) {
            ours.count(&sample.truth, found, plan.precision * sample.case.size);
        }
        let start = Instant::now();
        let answers: Vec<_> = samples.iter().zip(&shapes).map(|(s, shape)| peer_answer(s, &**shape)).collect();
        least[1] = least[1].min(start.elapsed().as_secs_f64());
        peer = Tally::default();
        for (sample, found) in samples.iter().zip(answers) {
            count(&mut peer, sample, found);
        }
    }
    (ours.seconds, peer.seconds) = (least[0], least[1]);
    Ok(Line { ours, peer })
}

/// parry's time of impact; `None` of no impact.
type PeerAnswer = Result<Option<query::ShapeCastHit>, query::Unsupported>;

fn peer_answer(sample: &Sample, shape: &dyn Shape) -> PeerAnswer {
    let motion = &sample.motion;
    let point = Ball::new(1e-12 * sample.case.size);
    let solid = peer_motion(&motion.solid, DVec3::ZERO);
    query::cast_shapes_nonlinear(&solid, shape, &peer_motion(&motion.body, motion.point), &point, 0.0, DURATION, true)
}

fn count(tally: &mut Tally, sample: &Sample, answer: PeerAnswer) {
    tally.queries += 1;
    match answer {
        Ok(Some(hit)) => {
            tally.contacts += 1;
            tally.stopped +=
                u64::from(matches!(hit.status, ShapeCastStatus::Failed | ShapeCastStatus::OutOfIterations));
            tally.late += u64::from(sample.truth.by.is_some_and(|by| hit.time_of_impact > by + LATE));
            tally.near += u64::from(sample.truth.after == f64::INFINITY);
        }
        Ok(None) => tally.missed += u64::from(sample.truth.by.is_some()),
        Err(_) => tally.stopped += 1,
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    println!(
        "| solid | engine | queries | contacts | missed | late | path stays outside | failed or stopped | µs a query |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for kind in KINDS {
        let Line { ours, peer } = measure(kind, &arguments)?;
        for (name, tally) in [("drystone", ours), ("parry", peer)] {
            println!(
                "| {kind} | {name} | {} | {} | {} | {} | {} | {} | {:.2} |",
                tally.queries,
                tally.contacts,
                tally.missed,
                tally.late,
                tally.near,
                tally.stopped,
                1e6 * tally.seconds / tally.queries as f64
            );
        }
    }
    Ok(())
}
