//! Ray casts, point projection and distances beside parry3d-f64 on single shapes, and beside the query pipeline of rapier3d-f64 in a world
//! of boxes. One thread; the least of several rounds counts. `cargo run --release -p drystone-peers --bin queries`

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use drystone_contact::query::{Fill, Ray, cast_ray, closest_points, project_point};
use drystone_contact::shape::{Ball, Polyhedron, Shape, Surface, TetrahedralizationSettings};
use drystone_contact::split_mix::SplitMix;
use drystone_engine::broad_phase::Bounds;
use drystone_engine::query::QueryFilter;
use drystone_engine::{Pose, Solid, World};
use glam::DVec3;
use rapier3d_f64::parry::query as parry;
use rapier3d_f64::parry::shape as theirs;
use rapier3d_f64::prelude as rapier;

/// Queries beside parry's and rapier's.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Queries of each kind.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,
    /// Bodies of the world.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    bodies: u32,
    /// How often all are asked; the least time counts.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
}

fn vector(random: &mut SplitMix, size: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)))
}

fn pose(random: &mut SplitMix, size: f64) -> Pose {
    Pose::from_parts(vector(random, size), random.next_rotation())
}

/// Ns a query by both, each the least of the rounds, which take turns; and the sums of what they say.
fn both<'a>(
    count: usize,
    repeat: u32,
    ours: &'a mut dyn FnMut() -> f64,
    peer: &'a mut dyn FnMut() -> f64,
) -> ([f64; 2], [f64; 2]) {
    let mut runs = [ours, peer];
    let (mut least, mut sums) = ([f64::INFINITY; 2], [0.0; 2]);
    for _ in 0..repeat {
        for (k, run) in runs.iter_mut().enumerate() {
            let start = Instant::now();
            sums[k] = black_box(run());
            least[k] = least[k].min(start.elapsed().as_secs_f64() * 1e9 / count as f64);
        }
    }
    (least, sums)
}

fn print(what: &str, (times, sums): ([f64; 2], [f64; 2])) {
    let [ours, peer] = times;
    println!("| {what} | {ours:.0} | {peer:.0} | {:.2} | {:.6} | {:.6} |", ours / peer, sums[0], sums[1]);
}

/// A sphere of 2,048 triangles with bumps.
fn stone() -> Result<Surface> {
    let mut vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..4 {
        let mut middles = std::collections::BTreeMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let [d, e, f] = [(a, b), (b, c), (c, a)].map(|(p, q)| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    vertices.push((vertices[p as usize] + vertices[q as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            });
            finer.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]);
        }
        triangles = finer;
    }
    let bump = |v: DVec3| v * (1.0 + 0.15 * libm::sin(7.0 * v.x) * libm::sin(5.0 * v.y + v.z));
    Ok(Surface::new(vertices.into_iter().map(bump).collect(), triangles)?)
}

fn polyhedron(surface: &Surface) -> Result<Shape> {
    Ok(Polyhedron::from_surface(surface, &TetrahedralizationSettings::default())?.into())
}

fn shapes(arguments: &Arguments) -> Result<()> {
    let half = DVec3::new(0.4, 0.5, 0.7);
    let cuboid = drystone_scenes::solids::cuboid(-half, half)?;
    let stone = stone()?;
    let hull = |surface: &Surface| theirs::ConvexPolyhedron::from_convex_hull(surface.vertices()).context("no hull");
    let mesh = |surface: &Surface| {
        let (vertices, triangles) = (surface.vertices().to_vec(), surface.triangles().to_vec());
        theirs::TriMesh::with_flags(vertices, triangles, theirs::TriMeshFlags::ORIENTED)
    };
    let all: [(&str, Shape, Box<dyn theirs::Shape>); 5] = [
        ("ball", Ball::new(0.6)?.into(), Box::new(theirs::Ball::new(0.6))),
        ("box, its Cuboid", polyhedron(&cuboid)?, Box::new(theirs::Cuboid::new(half))),
        ("box, its ConvexPolyhedron", polyhedron(&cuboid)?, Box::new(hull(&cuboid)?)),
        ("box, its TriMesh", polyhedron(&cuboid)?, Box::new(mesh(&cuboid)?)),
        ("stone of 2,048 triangles, its TriMesh", polyhedron(&stone)?, Box::new(mesh(&stone)?)),
    ];
    let count = arguments.queries as usize;
    for (name, shape, peer) in &all {
        let mut random = SplitMix::new(5);
        let poses: Vec<Pose> = (0..count).map(|_| pose(&mut random, 1.0)).collect();
        let rays: Vec<Ray> = poses
            .iter()
            .map(|pose| {
                let origin = pose.translation + 4.0 * vector(&mut random, 1.0).normalize();
                Ray::new(origin, pose.translation + vector(&mut random, 0.8) - origin)
            })
            .collect::<Result<_, _>>()?;
        let peer_rays: Vec<parry::Ray> =
            rays.iter().map(|ray| parry::Ray::new(ray.origin(), ray.direction())).collect();
        let ours = || {
            let hit = |(pose, ray)| cast_ray(shape, pose, ray, f64::INFINITY, Fill::Solid).ok().flatten();
            poses.iter().zip(&rays).filter_map(hit).map(|hit| hit.distance).sum()
        };
        let theirs = || {
            let hit = |(pose, ray): (&Pose, &parry::Ray)| peer.cast_ray_and_get_normal(pose, ray, f64::MAX, true);
            poses.iter().zip(&peer_rays).filter_map(hit).map(|hit| hit.time_of_impact).sum()
        };
        print(&format!("ray, {name}"), both(count, arguments.repeat, &mut { ours }, &mut { theirs }));
        let points: Vec<DVec3> = poses.iter().map(|pose| pose.translation + vector(&mut random, 2.0)).collect();
        let ours = || {
            let found = |(pose, point): (&Pose, &DVec3)| project_point(shape, pose, *point).ok();
            poses.iter().zip(&points).filter_map(found).map(|found| found.distance.abs()).sum()
        };
        let theirs = || {
            let found = |(pose, point): (&Pose, &DVec3)| peer.project_point(pose, *point, false).point.distance(*point);
            poses.iter().zip(&points).map(found).sum()
        };
        print(&format!("point, {name}"), both(count, arguments.repeat, &mut { ours }, &mut { theirs }));
        let others: Vec<Pose> = poses.iter().map(|own| pose(&mut random, 3.0) * *own).collect();
        let some = count.min(if name.starts_with("stone") { 500 } else { count });
        let ours = || {
            let found = |(one, other)| closest_points([shape, shape], [one, other], f64::INFINITY).ok()?.distance();
            poses.iter().zip(&others).take(some).filter_map(found).sum()
        };
        let theirs = || {
            let found = |(one, other)| parry::distance(one, &**peer, other, &**peer).ok().map(|found| found.distance);
            poses.iter().zip(&others).take(some).filter_map(found).sum()
        };
        print(&format!("distance, {name}"), both(some, arguments.repeat, &mut { ours }, &mut { theirs }));
    }
    Ok(())
}

/// Boxes by chance in a cube, so that every tenth of its volume is filled.
fn worlds(arguments: &Arguments) -> Result<()> {
    let half = DVec3::new(0.4, 0.5, 0.7);
    let size = 0.5 * (f64::from(arguments.bodies) * 1.12 / 0.1).cbrt();
    let mut random = SplitMix::new(6);
    let poses: Vec<Pose> = (0..arguments.bodies).map(|_| pose(&mut random, size)).collect();
    let mut ours = World::default();
    let stuff = ours.materials_mut().add("stuff")?;
    let solid = Solid::cuboid(2.0 * half, 1000.0)?;
    let mut peer = rapier::PhysicsWorld::new();
    for pose in &poses {
        ours.add(solid.fixed(stuff, *pose)?)?;
        let body = peer.insert_body(rapier::RigidBodyBuilder::fixed().pose(*pose));
        peer.insert_collider(rapier::ColliderBuilder::cuboid(half.x, half.y, half.z), Some(body));
    }
    peer.step();
    let pipeline = peer.broad_phase.as_query_pipeline(
        peer.narrow_phase.query_dispatcher(),
        &peer.bodies,
        &peer.colliders,
        rapier::QueryFilter::default(),
    );
    let filter = QueryFilter::default();
    let start = Instant::now();
    black_box(ours.bodies_at(DVec3::ZERO, &filter)?);
    println!("The tree of {} bodies: {:.2} ms to build.", arguments.bodies, 1e3 * start.elapsed().as_secs_f64());
    println!("\n| query | ours, ns | rapier, ns | ratio | sum, ours | sum, rapier |\n|---|---|---|---|---|---|");
    let count = arguments.queries as usize;
    let rays: Vec<Ray> =
        (0..count).map(|_| Ray::new(vector(&mut random, size), vector(&mut random, 1.0))).collect::<Result<_, _>>()?;
    let peer_rays: Vec<parry::Ray> = rays.iter().map(|ray| parry::Ray::new(ray.origin(), ray.direction())).collect();
    for length in [5.0, 1e3] {
        let mine = || {
            let hit = |ray| ours.cast_ray(ray, length, Fill::Solid, &filter).ok().flatten();
            rays.iter().filter_map(hit).map(|hit| hit.hit.distance).sum()
        };
        let theirs = || {
            let hit = |ray| pipeline.cast_ray_and_get_normal(ray, length, true);
            peer_rays.iter().filter_map(hit).map(|(_, hit)| hit.time_of_impact).sum()
        };
        print(&format!("ray of {length} m"), both(count, arguments.repeat, &mut { mine }, &mut { theirs }));
    }
    let points: Vec<DVec3> = (0..count).map(|_| vector(&mut random, size)).collect();
    let mine = || {
        let found = |point: &DVec3| ours.project_point(*point, 1e3, &filter).ok().flatten();
        points.iter().filter_map(found).map(|found| found.projection.distance.max(0.0)).sum()
    };
    let theirs = || {
        let found = |point: &DVec3| pipeline.project_point(*point, 1e3, true).map(|(_, on)| on.point.distance(*point));
        points.iter().filter_map(found).sum()
    };
    print("closest body of a point", both(count, arguments.repeat, &mut { mine }, &mut { theirs }));
    let reach = DVec3::ONE;
    let mine = || {
        let found = |p: &DVec3| ours.overlap_box(&Bounds { low: *p - reach, high: *p + reach }, &filter).ok();
        points.iter().filter_map(found).map(|found| found.len() as f64).sum()
    };
    let block = theirs::Cuboid::new(reach);
    let theirs = || {
        let found = |p: &DVec3| pipeline.intersect_shape(Pose::from_translation(*p), &block).count() as f64;
        points.iter().map(found).sum()
    };
    print("bodies in a box of 2 m", both(count, arguments.repeat, &mut { mine }, &mut { theirs }));
    Ok(())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    println!("| query | ours, ns | parry, ns | ratio | sum, ours | sum, parry |\n|---|---|---|---|---|---|");
    shapes(&arguments)?;
    println!();
    worlds(&arguments)
}
