//! V-Clip's tracked distance queries beside parry's, on the courses of Algorithm 9 of MERL TR97-05.
//!
//! ```text
//! cargo bench -p drystone-replica --bench vclip [-- [--seconds S] [--only NAME] [DIRECTORY]]
//! ```
//!
//! The directory holds solids (`NAME.poly`: numbers of vertices and faces, then a line for each: coordinates; number of
//! corners and corners) and poses (`NAME_ω.pose`: ten courses of a thousand, each rotation by rows and position as
//! twelve little-endian doubles). Solids that are not there are our own on the narrowest courses of clearance 1.1.
//!
//! | column | what is asked |
//! |---|---|
//! | tracked | closest features, points and distance; the relative pose is given; best and median |
//! | two poses | the same from the poses of both bodies in the world |
//! | certified | tracked, with bounds that prove the distance; best and median |
//! | cold | without the pair of the call before |
//! | parry | `query::distance` of parry3d-f64 between convex polyhedra, from two poses |
//!
//! Each figure is nanoseconds a query: the best (or the median) time of a course among all sweeps, in the mean over ten
//! courses. All columns are measured sweep by sweep in turn, so that what else the machine does hits all of them.
//!
//! A second table holds the motion of the surface in one call fixed while the number of vertices grows, in two
//! senses: a fixed share of the solid's radius, and a fixed share of the mean length of its edges.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use drystone_contact::Pose;
use drystone_contact::vclip::hull::PointsAndFaces;
use drystone_contact::vclip::{self, ConvexPolyhedron, Found, Outcome, Pair, RelativePose, solids};
use drystone_replica::vclip::Random;
use drystone_replica::vclip::coherence::Course;
use glam::{DMat3, DQuat, DVec3};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron as ParryPolyhedron;

const COURSES: usize = 10;
const CALLS: usize = 1000;

/// Of our own courses.
const CLEARANCE: f64 = 1.1;
const SEED: u64 = 1997;

/// Time for all sweeps of one row, s, and the fewest sweeps.
const SECONDS: f64 = 3.0;
const SWEEPS: usize = 3;

struct Solid {
    name: &'static str,
    own: ConvexPolyhedron,
    parry: ParryPolyhedron,
}

impl Solid {
    fn new(name: &'static str, (points, faces): PointsAndFaces) -> Self {
        let triangles: Vec<[u32; 3]> =
            faces.iter().flat_map(|f| (2..f.len()).map(|k| [f[0], f[k - 1], f[k]])).collect();
        let parry = ParryPolyhedron::from_convex_mesh(points.clone(), &triangles)
            .or_else(|| ParryPolyhedron::from_convex_hull(&points));
        let own = ConvexPolyhedron::new(&points, &faces).expect("a convex solid");
        Self { name, own, parry: parry.expect("a convex solid") }
    }

    /// The mean length of the edges, m.
    fn edge(&self) -> f64 {
        let length = |e: u32| {
            let [tail, head] = self.own.edge(e).map(|v| self.own.vertices()[v as usize]);
            tail.distance(head)
        };
        (0..self.own.edge_count() as u32).map(length).sum::<f64>() / self.own.edge_count() as f64
    }
}

/// A relative pose in all the ways in which it is asked for.
struct Query {
    relative_pose: RelativePose,
    a: Pose,
    b: Pose,
}

impl Query {
    fn new(rotation: DMat3, position: DVec3) -> Self {
        // A pose of A in the world that is none in particular.
        let a = Pose::from_parts(DVec3::new(0.5, -2.0, 1.0), DQuat::from_xyzw(0.1, 0.3, -0.5, 0.8).normalize());
        let b = a * Pose::from_parts(position, DQuat::from_mat3(&rotation));
        Self { relative_pose: RelativePose::from_parts(rotation, position), a, b }
    }
}

fn courses(solid: &Solid, degrees: f64) -> Vec<Query> {
    let mut random = Random::new(SEED);
    let course = |_| Course::narrow(&mut random, solid.own.radius(), CLEARANCE);
    let courses: Vec<Course> = (0..COURSES).map(course).collect();
    let calls = |course: &Course| {
        let course = *course;
        (1..=CALLS).map(move |call| {
            let (rotation, position) = course.at((degrees * call as f64).to_radians());
            Query::new(rotation, position)
        })
    };
    courses.iter().flat_map(calls).collect()
}

/// One way to ask: a course of queries to the sum of the distances.
type Ask = fn(&Solid, &[Query]) -> f64;

fn tracked(solid: &Solid, queries: &[Query]) -> f64 {
    let mut pair = Pair::FIRST;
    let distance = |query: &Query| distance(vclip::closest(&solid.own, &solid.own, &query.relative_pose, &mut pair));
    queries.iter().map(distance).sum()
}

fn two_poses(solid: &Solid, queries: &[Query]) -> f64 {
    let mut pair = Pair::FIRST;
    let distance = |query: &Query| {
        distance(vclip::closest(&solid.own, &solid.own, &RelativePose::new(&query.a, &query.b), &mut pair))
    };
    queries.iter().map(distance).sum()
}

fn certified(solid: &Solid, queries: &[Query]) -> f64 {
    let mut pair = Pair::FIRST;
    let distance = |query: &Query| match vclip::certified(&solid.own, &solid.own, &query.relative_pose, &mut pair) {
        Outcome::Apart { closest, .. } => closest.distance,
        Outcome::Overlapping { .. } => 0.0,
    };
    queries.iter().map(distance).sum()
}

fn cold(solid: &Solid, queries: &[Query]) -> f64 {
    let distance = |query: &Query| {
        let mut pair = Pair::cold(&solid.own, &solid.own, &query.relative_pose);
        distance(vclip::closest(&solid.own, &solid.own, &query.relative_pose, &mut pair))
    };
    queries.iter().map(distance).sum()
}

fn parry(solid: &Solid, queries: &[Query]) -> f64 {
    let distance = |query: &Query| query::distance(&query.a, &solid.parry, &query.b, &solid.parry);
    queries.iter().map(|query| distance(query).map_or(f64::NAN, |found| found.distance)).sum()
}

fn distance(found: Found) -> f64 {
    match found {
        Found::Apart(closest) => closest.distance,
        Found::Intersecting(_) | Found::Circle => 0.0,
    }
}

/// Best and median nanoseconds a query of some ways to ask.
fn measure(solid: &Solid, queries: &[Query], ways: &[Ask], seconds: f64) -> Vec<[f64; 2]> {
    let mut times: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); queries.len() / CALLS]; ways.len()];
    let start = Instant::now();
    let mut sweeps = 0;
    while sweeps < SWEEPS || start.elapsed().as_secs_f64() < seconds {
        for (way, times) in ways.iter().zip(&mut times) {
            for (course, times) in queries.chunks(CALLS).zip(times) {
                let start = Instant::now();
                black_box(way(black_box(solid), black_box(course)));
                times.push(start.elapsed().as_nanos() as f64 / CALLS as f64);
            }
        }
        sweeps += 1;
    }
    let mean = |courses: &mut Vec<Vec<f64>>, pick: fn(&[f64]) -> f64| {
        courses.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
        courses.iter().map(|times| pick(times)).sum::<f64>() / courses.len() as f64
    };
    times.iter_mut().map(|courses| [mean(courses, |t| t[0]), mean(courses, |t| t[t.len() / 2])]).collect()
}

/// Our distances and parry's, in the mean, m.
fn check(solid: &Solid, queries: &[Query]) -> [f64; 2] {
    [tracked, parry].map(|way| way(solid, queries) / queries.len() as f64)
}

fn solid_from(directory: &Path, name: &'static str) -> Option<Solid> {
    let text = std::fs::read_to_string(directory.join(format!("{name}.poly"))).ok()?;
    let mut lines = text.lines().map(|line| line.split_whitespace());
    let mut head = lines.next()?.map(|n| n.parse::<usize>());
    let (vertices, faces) = (head.next()?.ok()?, head.next()?.ok()?);
    let point = |line: std::str::SplitWhitespace<'_>| {
        let numbers: Vec<f64> = line.filter_map(|x| x.parse().ok()).collect();
        DVec3::from_slice(&numbers)
    };
    let points = lines.by_ref().take(vertices).map(point).collect();
    let corners = |line: std::str::SplitWhitespace<'_>| line.skip(1).filter_map(|x| x.parse().ok()).collect();
    let faces = lines.take(faces).map(corners).collect();
    Some(Solid::new(name, (points, faces)))
}

fn courses_from(directory: &Path, name: &str, degrees: u32) -> Option<Vec<Query>> {
    let bytes = std::fs::read(directory.join(format!("{name}_{degrees}.pose"))).ok()?;
    let numbers: Vec<f64> =
        bytes.chunks_exact(8).map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])).collect();
    let query = |n: &[f64]| {
        let rows = DMat3::from_cols_slice(&n[..9]);
        Query::new(rows.transpose(), DVec3::from_slice(&n[9..]))
    };
    Some(numbers.chunks_exact(12).map(query).collect())
}

fn main() {
    let mut seconds = SECONDS;
    let (mut only, mut directory) = (None, None);
    let mut arguments = std::env::args().skip(1);
    let mut is_bench = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => is_bench = true,
            "--seconds" => seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(SECONDS),
            "--only" => only = arguments.next(),
            path => directory = Some(PathBuf::from(path)),
        }
    }
    if !is_bench {
        return;
    }
    let solid = |name: &'static str, own: PointsAndFaces| {
        directory.as_ref().and_then(|d| solid_from(d, name)).unwrap_or_else(|| Solid::new(name, own))
    };
    let all = [
        solid("cube", solids::cube()),
        solid("icosahedron", solids::icosahedron()),
        solid("disk", solids::disk()),
        solid("sphere162", solids::geodesic_sphere(4)),
        solid("sphere642", solids::geodesic_sphere(8)),
        solid("sphere1002", solids::geodesic_sphere(10)),
        solid("sphere2562", solids::geodesic_sphere(16)),
        solid("sphere10242", solids::geodesic_sphere(32)),
    ];
    let chosen = |solid: &&Solid| only.as_ref().is_none_or(|only| solid.name == only);
    println!(
        "{:<12} {:>6} {:>3}  {:>13}  {:>9}  {:>13}  {:>6}  {:>9} {:>7}  {:>12}",
        "ns a query", "n", "ω/°", "tracked", "two poses", "certified", "cold", "parry", "factor", "mean distance"
    );
    for solid in all.iter().filter(chosen) {
        for degrees in [1, 25] {
            let given = directory.as_ref().and_then(|d| courses_from(d, solid.name, degrees));
            let queries = given.unwrap_or_else(|| courses(solid, f64::from(degrees)));
            let own = measure(solid, &queries, &[tracked, two_poses, certified, cold], 0.75 * seconds);
            let peer = measure(solid, &queries, &[parry], 0.25 * seconds)[0];
            let [ours, theirs] = check(solid, &queries);
            println!(
                "{:<12} {:>6} {:>3}  {:>6.1} {:>6.1}  {:>9.1}  {:>6.1} {:>6.1}  {:>6.0}  {:>9.0} {:>6.1}×  {ours:.9} {theirs:.9}",
                solid.name,
                solid.own.vertices().len(),
                degrees,
                own[0][0],
                own[0][1],
                own[1][0],
                own[2][0],
                own[2][1],
                own[3][0],
                peer[0],
                peer[0] / own[1][0],
            );
        }
    }
    if only.is_some() {
        return;
    }
    growth(&all, seconds);
}

/// Tracked queries while the number of vertices grows.
fn growth(all: &[Solid], seconds: f64) {
    /// Motion of the surface in a call: these shares of the radius, and of the mean edge.
    const SHARES: [f64; 3] = [0.001, 0.01, 0.1];
    println!("\nns a tracked query while the surface moves in a call by a share of … at most");
    println!("{:<12} {:>6}  {:>20}  {:>20}", "", "n", "the radius", "the mean edge");
    let shares = SHARES.map(|s| format!("{:>6}", format!("{} %", 100.0 * s))).join(" ");
    println!("{:<12} {:>6}  {shares}  {shares}", "", "");
    for solid in all.iter().filter(|solid| solid.name != "cube" && solid.name != "disk") {
        let mut row = format!("{:<12} {:>6} ", solid.name, solid.own.vertices().len());
        for unit in [solid.own.radius(), solid.edge()] {
            for share in SHARES {
                // What a degree of the course moves B at most: its position along the widest of its courses, of width
                // four in the mean, and its surface about itself.
                let width = 2.0 * solid.own.radius() * CLEARANCE * 1.5;
                let degrees = (share * unit / (width + solid.own.radius())).to_degrees();
                let queries = courses(solid, degrees);
                row += &format!(" {:>6.1}", measure(solid, &queries, &[tracked], 0.2 * seconds)[0][0]);
            }
            row += " ";
        }
        println!("{row}");
    }
}
