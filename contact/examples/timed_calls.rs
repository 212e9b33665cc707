//! How long contacts of boxes and a batch of continuous collision detection take in Rust, on one thread, for
//! `python/tests/time_bounds.py`, which writes the file and times the same calls from Python.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release -p drystone-contact --example timed_calls -- FILE
//! ```
//!
//! FILE has numbers of eight bytes, least significant first: three integers n, m and q; n + m points, the centres of
//! cubes of one metre whose contacts with one in the origin are asked, n as a first set and m as a second one; 8 q
//! points, the ends of two edges at t = 0, then at t = 1, of each query. Written: µs a call for each of the three, the
//! least of three passes.

use std::env;
use std::error::Error;
use std::fs;
use std::time::Instant;

use drystone_contact::ccd::{Kind, Queries, Query, RootFinder, Settings};
use drystone_contact::generator::{Placed, Workspace, methods};
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::{Pose, Twist};
use glam::DVec3;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: timed_calls FILE")?;
    let bytes = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let words = bytes.as_chunks::<8>().0;
    let [n, m, q, rest @ ..] = words else { return Err(format!("{path}: ends too soon").into()) };
    let [n, m, q] = [n, m, q].map(|&count| u64::from_le_bytes(count) as usize);
    let points: Vec<DVec3> = rest.as_chunks::<3>().0.iter().map(|point| point.map(f64::from_le_bytes).into()).collect();
    if points.len() != n + m + 8 * q {
        return Err(format!("{path}: {} points instead of {}", points.len(), n + m + 8 * q).into());
    }
    let (centres, ends) = points.split_at(n + m);

    let (cube, semi_local) = (cube()?, methods::semi_local());
    let generator = semi_local.generator();
    generator.prepare(&cube)?;
    let placed = |centre| Placed { shape: &cube, pose: Pose::from_translation(centre), twist: Twist::default() };
    let (mut workspace, mut contacts) = (Workspace::default(), Vec::new());
    let (first, second) = centres.split_at(n);
    for (name, centres) in [("first", first), ("second", second)] {
        let took = least(centres.len(), || {
            for &centre in centres {
                contacts.clear();
                generator.contacts_into(&placed(DVec3::ZERO), &placed(centre), &[], &mut workspace, &mut contacts)?;
            }
            Ok(())
        })?;
        println!("{name} {took:.4}");
    }

    let finder = RootFinder::new(Settings::default())?;
    let mut queries = Queries::new(Kind::EdgeEdge);
    for &[a, b, c, d, e, f, g, h] in ends.as_chunks::<8>().0 {
        queries.push(&Query::edge_edge([a, b, c, d], [e, f, g, h]))?;
    }
    let took = least(q, || {
        finder.solve_all(&queries)?;
        Ok(())
    })?;
    println!("queries {took:.4}");
    Ok(())
}

/// A cube of one metre about the origin.
fn cube() -> Result<Shape, Box<dyn Error>> {
    let corner = |i: usize| {
        let sign = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
        DVec3::new(sign(1), sign(2), sign(4))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new((0..8).map(corner).collect(), triangles)?;
    Ok(Shape::from_surface(&surface, &TetrahedralizationSettings::default())?)
}

/// The least of three passes, µs a call.
fn least(calls: usize, mut pass: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        pass()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least * 1e6 / calls as f64)
}
