//! How long it takes to check closed surfaces that are hard to check, for triangles that meet and as shapes, and how much memory.
//!
//! ```text
//! cargo run --release -p drystone-contact --example surface_check -- 100000               # triangles, about
//! cargo run --release -p drystone-contact --example surface_check -- 1000000 bipyramid    # one of the surfaces
//! ```

use std::error::Error;
use std::process::Command;
use std::time::Instant;

use drystone_contact::shape::self_intersection::first_self_intersection;
use drystone_contact::shape::surface::Surface;
use drystone_contact::split_mix::SplitMix;
use glam::{DQuat, DVec3};

type Triangles = (Vec<DVec3>, Vec<[u32; 3]>);

/// Makes a surface of about so many triangles.
type Maker = fn(usize) -> Triangles;

const SURFACES: [(&str, Maker); 6] = [
    ("ball", ball),
    ("bipyramid", bipyramid),
    ("parallel slivers", parallel_slivers),
    ("needles in all directions", needles),
    ("oblique plates in a stack", plates),
    ("urchin of spikes", urchin),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(Ok(100_000), |text| text.parse::<usize>())?;
    if let Some(name) = arguments.next() {
        let known = SURFACES.iter().find(|(own, _)| *own == name);
        let (_, maker) =
            known.ok_or_else(|| format!("there is no surface {name:?}: {:?}", SURFACES.map(|(own, _)| own)))?;
        return measure(&name, maker(count));
    }
    println!(
        "| surface | triangles | search, s | `Surface::new`, s | memory at the peak, B a triangle |\n|---|---|---|---|---|"
    );
    // In a process of its own, so that the peak is of one surface.
    for (name, _) in SURFACES {
        if !Command::new(std::env::current_exe()?).args([&count.to_string(), name]).status()?.success() {
            return Err(format!("{name} failed").into());
        }
    }
    Ok(())
}

/// Prints a row of the table.
fn measure(name: &str, (vertices, triangles): Triangles) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    if let Some([s, t]) = first_self_intersection(&vertices, &triangles) {
        return Err(format!("{name}: triangles {s} and {t} meet").into());
    }
    let search = began.elapsed().as_secs_f64();
    let (size, began) = (triangles.len(), Instant::now());
    let surface = Surface::new(vertices, triangles)?;
    let built = began.elapsed().as_secs_f64();
    let memory = peak_memory().map_or("-".to_owned(), |bytes| (bytes / size as u64).to_string());
    println!("| {name} | {} | {search:.2} | {built:.2} | {memory} |", surface.triangles().len());
    Ok(())
}

/// The most memory that this process has had, bytes; known on Linux.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

/// Rings of a ball, closed at the poles.
fn ball(count: usize) -> Triangles {
    let rings = ((count as f64 / 4.0).sqrt() as usize).max(2);
    revolved(
        2 * rings,
        (1..rings).map(|k| {
            let angle = std::f64::consts::PI * k as f64 / rings as f64;
            (libm::sin(angle), -libm::cos(angle))
        }),
        [-1.0, 1.0],
    )
}

/// Two fans on one ring.
fn bipyramid(count: usize) -> Triangles {
    revolved(count / 2, [(1.0, 0.0)], [-0.7, 0.9])
}

/// Points (radius, height) turned round z in so many steps, between two poles.
fn revolved(around: usize, rings: impl IntoIterator<Item = (f64, f64)>, poles: [f64; 2]) -> Triangles {
    let mut vertices = vec![DVec3::Z * poles[0], DVec3::Z * poles[1]];
    let mut triangles = Vec::new();
    let at = |ring: usize, k: usize| (2 + ring * around + k % around) as u32;
    let mut count = 0;
    for (radius, height) in rings {
        for k in 0..around {
            let angle = std::f64::consts::TAU * k as f64 / around as f64;
            vertices.push(DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), height));
            if count > 0 {
                let [a, b, c, d] = [at(count - 1, k), at(count - 1, k + 1), at(count, k + 1), at(count, k)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        count += 1;
    }
    for k in 0..around {
        triangles.extend([[0, at(0, k + 1), at(0, k)], [1, at(count - 1, k), at(count - 1, k + 1)]]);
    }
    (vertices, triangles)
}

/// Thin tetrahedra along a diagonal, side by side.
fn parallel_slivers(count: usize) -> Triangles {
    let side = (count as f64 / 4.0).sqrt().ceil() as usize;
    let turn = DQuat::from_rotation_arc(DVec3::X, DVec3::new(0.5, 0.6, 0.7).normalize());
    let step = 1.0 / side as f64;
    let sliver =
        |k: usize| (turn, turn * DVec3::new(0.0, (k % side) as f64, (k / side) as f64) * step, 1.0, 0.3 * step);
    tetrahedra((0..count / 4).map(sliver))
}

/// Thin tetrahedra in all directions, shorter than half the distance of their lattice.
fn needles(count: usize) -> Triangles {
    let side = (count as f64 / 4.0).cbrt().ceil() as usize;
    let mut random = SplitMix::new(3);
    let step = 1.0 / side as f64;
    let needle = |k: usize| {
        let axis = DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)));
        let turn = DQuat::from_rotation_arc(DVec3::X, axis.normalize_or(DVec3::X));
        let place = DVec3::new((k % side) as f64, (k / side % side) as f64, (k / (side * side)) as f64) * step;
        (turn, place, 0.45 * step, 1e-3 * step)
    };
    tetrahedra((0..count / 4).map(needle))
}

/// Tetrahedra: rotation, place of a corner, length along x, width, m.
fn tetrahedra(all: impl Iterator<Item = (DQuat, DVec3, f64, f64)>) -> Triangles {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (turn, place, length, width) in all {
        let first = vertices.len() as u32;
        let corners = [DVec3::ZERO, DVec3::Y * width, DVec3::Z * width, DVec3::X * length];
        vertices.extend(corners.map(|p| place + turn * p));
        triangles.extend([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(|t| t.map(|v: u32| first + v)));
    }
    (vertices, triangles)
}

/// Flat boxes over each other, turned together.
fn plates(count: usize) -> Triangles {
    let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::new(0.3, 0.5, 0.8).normalize());
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let step = 12.0 / count as f64;
    for k in 0..count / 12 {
        let first = vertices.len() as u32;
        let corner = |c: usize| {
            let height = (k as f64 + if c & 4 == 4 { 0.5 } else { 0.0 }) * step;
            turn * DVec3::new((c & 1) as f64, (c >> 1 & 1) as f64, height)
        };
        vertices.extend((0..8).map(corner));
        triangles
            .extend(quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|t| t.map(|v: u32| first + v)));
    }
    (vertices, triangles)
}

/// A ball of which every second ring of points is drawn out far.
fn urchin(count: usize) -> Triangles {
    let (mut vertices, triangles) = ball(count);
    let around = 2 * ((count as f64 / 4.0).sqrt() as usize).max(2);
    for (k, vertex) in vertices.iter_mut().enumerate().skip(2) {
        let (ring, along) = ((k - 2) / around, (k - 2) % around);
        if ring % 2 == 1 && along % 2 == 1 {
            *vertex *= 4.0;
        }
    }
    (vertices, triangles)
}
