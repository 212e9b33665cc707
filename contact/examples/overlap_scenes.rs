//! Pairs of solids in each other with what `overlap` says of them, one a line as JSON: for `scripts/overlap-beside-manifold`.
//!
//! ```text
//! cargo run --release -p drystone-contact --example overlap_scenes -- 100
//! ```
//! Vertices are in the frame of A, m. Components are [volume, width] by volume, the largest first.

use std::collections::BTreeMap;

use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Pose, overlap};
use glam::DVec3;

type Mesh = (Vec<DVec3>, Vec<[u32; 3]>);

/// An octahedron with its triangles split in four `level` times, its vertices at random distances from 1 − `jag` to 1.
fn star(random: &mut SplitMix, level: u32, jag: f64) -> Mesh {
    let mut vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let mut triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..level {
        let mut middles = BTreeMap::new();
        let mut split = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |a: u32, b: u32| {
                *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            split.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = split;
    }
    (vertices.into_iter().map(|v| v * (1.0 - jag * random.next_fraction())).collect(), triangles)
}

/// A prism over a ring of `n` corners, `inner` the radius of its hole: a washer.
fn washer(n: u32, inner: f64, half_height: f64) -> Mesh {
    let ring = |radius: f64, y: f64| {
        (0..n).map(move |k| {
            let (s, c) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(n));
            DVec3::new(radius * c, y, -radius * s)
        })
    };
    let h = half_height;
    let vertices = ring(1.0, -h).chain(ring(1.0, h)).chain(ring(inner, h)).chain(ring(inner, -h)).collect();
    let mut triangles = Vec::new();
    for (k, (from, to)) in (0..n).flat_map(|k| [(0, n), (n, 2 * n), (2 * n, 3 * n), (3 * n, 0)].map(|r| (k, r))) {
        let next = (k + 1) % n;
        triangles.extend([[from + k, from + next, to + next], [from + k, to + next, to + k]]);
    }
    (vertices, triangles)
}

fn cuboid(half: DVec3) -> Mesh {
    let corner = |k: u32| half * DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 }));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn solid(random: &mut SplitMix, kind: usize) -> Mesh {
    let side = |random: &mut SplitMix| random.next_between(0.1, 1.0);
    match kind {
        0 => star(random, 2, 0.6),
        1 => star(random, 3, 0.15),
        2 => washer(24, random.next_between(0.3, 0.8), random.next_between(0.05, 0.3)),
        _ => cuboid(DVec3::new(side(random), side(random), side(random))),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(100), |n| n.parse())?;
    let mut random = SplitMix::new(1);
    let mut written = 0;
    while written < count {
        let [a, b] = [0, 1].map(|_| {
            let kind = random.next_below(4);
            solid(&mut random, kind)
        });
        let axis = random.next_rotation() * DVec3::X;
        let pose = Pose::from_parts(axis * random.next_between(0.0, 1.6), random.next_rotation());
        let shape = |(vertices, triangles): &Mesh| {
            let surface = Surface::new(vertices.clone(), triangles.clone())?;
            Ok::<_, Box<dyn std::error::Error>>(Shape::from_surface(&surface, &TetrahedralizationSettings::default())?)
        };
        let (first, second) = (shape(&a)?, shape(&b)?);
        let start = std::time::Instant::now();
        let parts = overlap::components(&first, &second, &pose)?;
        let seconds = start.elapsed().as_secs_f64();
        if parts.is_empty() {
            continue;
        }
        written += 1;
        let mut components: Vec<[f64; 2]> = parts.iter().map(|part| [part.volume, part.width]).collect();
        components.sort_by(|x, y| y[0].total_cmp(&x[0]));
        let list = |vertices: Vec<DVec3>| vertices.into_iter().map(|v| v.to_array()).collect::<Vec<_>>();
        let placed = b.0.iter().map(|&v| pose.transform_point(v)).collect();
        let line = serde_json::json!({
            "a": { "vertices": list(a.0), "triangles": a.1 },
            "b": { "vertices": list(placed), "triangles": b.1 },
            "components": components,
            "seconds": seconds,
        });
        println!("{line}");
    }
    Ok(())
}
