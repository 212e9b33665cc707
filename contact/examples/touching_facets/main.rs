//! How long the contacts of two convex bodies take that touch at one facet each, against their number of facets: the
//! semi-local generator beside parry's manifold of convex polyhedra.
//!
//! ```text
//! cargo run --release -p drystone-contact --example touching_facets -- touching-facets.svg
//! ```
//!
//! A call is *cold* if nothing is known of the pair: no features of contacts before, a new manifold. It is *warm* if the
//! caller hands in what the call before left. At rest the upper body sways by a nanometre, sliding it moves by 0.2 mm a call,
//! there and back. Scratch space is kept between all calls. Times are medians.

mod bodies;
mod plot;

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bodies::{Family, Pair};
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed, Workspace};
use drystone_contact::{Contact, Feature, Pose, Twist};
use glam::DVec3;
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};

/// About how many facets the bodies have.
const FACETS: [usize; 8] = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000];
/// Up to which distance parry looks for contacts, m: the envelope of the bodies here.
const PREDICTION: f64 = 0.01;
/// Batches of calls that are timed; the figure is the median.
const BATCHES: usize = 41;
/// A batch takes at least this long.
const BATCH: Duration = Duration::from_micros(500);

/// What a call is told, and how the upper body moves from call to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Cold,
    AtRest,
    Sliding,
}

impl Call {
    const ALL: [Self; 3] = [Self::Cold, Self::AtRest, Self::Sliding];

    /// Poses of the upper body from a first one.
    fn poses(self, upper: Pose) -> Vec<Pose> {
        let offset = |i: i32| match self {
            Self::Cold | Self::AtRest => 1e-9 * (0.7 * f64::from(i)).sin() * DVec3::ONE,
            Self::Sliding => 2e-4 * f64::from(32 - (i - 32).abs()) * DVec3::X,
        };
        (0..64).map(|i| Pose::from_translation(offset(i)) * upper).collect()
    }
}

/// The figures of a pair.
struct Row {
    /// Facets of each body, as counted.
    facets: usize,
    /// Pairs of facets that are near each other and may look at each other.
    near: usize,
    /// Contacts of the first cold call: ours, parry's.
    contacts: [usize; 2],
    /// Microseconds a call: ours and parry's, cold, at rest and sliding.
    times: [[f64; 3]; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let mut panels = Vec::new();
    for family in Family::ALL {
        println!("\n{} (µs a call)", family.title());
        println!(
            "{:>8}{:>8}{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}",
            "facets", "near", "contacts", "cold", "at rest", "sliding", "parry cold", "at rest", "sliding"
        );
        let mut rows = Vec::new();
        for facets in FACETS {
            let row = row(&Pair::new(family, facets)?);
            print!("{:>8}{:>8}{:>10}", row.facets, row.near, format!("{} | {}", row.contacts[0], row.contacts[1]));
            println!("{}", row.times.as_flattened().iter().map(|t| format!("{t:>12.2}")).collect::<String>());
            rows.push(row);
        }
        panels.push((family.title(), rows));
    }
    if let Some(path) = path {
        std::fs::write(&path, plot::svg(&panels))?;
    }
    Ok(())
}

fn row(pair: &Pair) -> Row {
    let times = [Call::ALL.map(|call| ours(pair, call)), Call::ALL.map(|call| parry(pair, call))];
    Row {
        facets: pair.shape.features().unwrap().facets().len(),
        near: near(pair),
        contacts: times.map(|of| of[0].0),
        times: times.map(|of| of.map(|(_, time)| time)),
    }
}

/// Pairs of facets that the generator looks at when nothing is known.
fn near(pair: &Pair) -> usize {
    let (features, settings) = (pair.shape.features().unwrap(), SemiLocal::default());
    let relative = pair.lower.inv_mul(&pair.upper);
    let placement = drystone_contact::shape::features::Placement {
        rotation: glam::DMat3::from_quat(relative.rotation),
        translation: relative.translation,
    };
    let margin = settings.envelope.max(settings.depth) * features.thickness();
    let angle = settings.angles.parallel + settings.angles.cone;
    let mut pairs = Vec::new();
    features.tree().near_pairs(features.tree(), &placement, (margin, angle), &mut Vec::new(), &mut pairs);
    pairs.len()
}

fn ours(pair: &Pair, call: Call) -> (usize, f64) {
    let generator = SemiLocal::default();
    let placed = |pose| Placed { shape: &pair.shape, pose, twist: Twist::default() };
    let (mut workspace, mut contacts) = (Workspace::default(), Vec::<Contact>::new());
    let mut previous: Vec<(Feature, Feature)> = Vec::new();
    measure(&call.poses(pair.upper), |pose| {
        contacts.clear();
        generator.contacts_into(&placed(pair.lower), &placed(pose), &previous, &mut workspace, &mut contacts).unwrap();
        previous.clear();
        if call != Call::Cold {
            previous.extend(contacts.iter().map(|c| (c.feature_a, c.feature_b)));
        }
        contacts.len()
    })
}

fn parry(pair: &Pair, call: Call) -> (usize, f64) {
    let shape = pair.polyhedron.as_ref();
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    let mut workspace = None;
    measure(&call.poses(pair.upper), |pose| {
        if call == Call::Cold {
            manifolds.clear();
        }
        let relative = pair.lower.inv_mul(&pose);
        let found = DefaultQueryDispatcher.contact_manifolds(
            &relative,
            shape,
            shape,
            PREDICTION,
            &mut manifolds,
            &mut workspace,
        );
        // Two convex polyhedra are always supported; were they not, the table would show no contacts.
        found.map_or(0, |()| manifolds.first().map_or(0, |m| m.points.len()))
    })
}

/// What the first call finds, and the median time of a call, µs.
fn measure(poses: &[Pose], mut call: impl FnMut(Pose) -> usize) -> (usize, f64) {
    let contacts = call(poses[0]);
    let mut next = poses.iter().copied().cycle();
    let mut batch = |calls: u32| {
        let start = Instant::now();
        for pose in next.by_ref().take(calls as usize) {
            black_box(call(black_box(pose)));
        }
        start.elapsed()
    };
    let mut calls = 1;
    while batch(calls) < BATCH {
        calls *= 2;
    }
    let mut times: Vec<Duration> = (0..BATCHES).map(|_| batch(calls)).collect();
    times.sort_unstable();
    (contacts, 1e6 * times[BATCHES / 2].as_secs_f64() / f64::from(calls))
}
