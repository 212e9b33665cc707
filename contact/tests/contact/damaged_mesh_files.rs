//! Damaged mesh files: an error each time, never a panic, and no memory for what a file merely claims to hold.
//!
//! Every damage of the first test is made so that no valid surface can be left: either the file breaks its format, or
//! it states a surface that is open, folded, inside out or has coordinates or indices out of range. Damages that may be
//! harmless, such as a changed digit, belong to the second test, which asks only for sound answers.

mod damage;
mod sample;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use drystone_contact::shape::Surface;
use drystone_contact::shape::mesh_file::{MeshFile, MeshFileError, Problem};

use damage::{DAMAGES, Damage};
use sample::{FORMATS, Random, Sample};

/// Files of each kind of damage: 2000 by default.
fn damaged_files() -> u64 {
    super::cases(8000).into()
}

/// Reads a file and builds its surface, or says why that fails.
fn build(sample: &Sample) -> Result<Surface, String> {
    let mesh = sample.read().map_err(|error| error.to_string())?;
    Surface::new(mesh.vertices, mesh.triangles).map_err(|error| error.to_string())
}

/// Whether an error tells its place, or is about the file as a whole.
fn is_placed(error: &MeshFileError) -> bool {
    let whole = matches!(*error.problem, Problem::Empty)
        || matches!(&*error.problem, Problem::Syntax { found, .. } if found == "none");
    error.place.is_some() || whole
}

fn is_sound(mesh: &MeshFile) -> bool {
    let in_range = |&index: &u32| (index as usize) < mesh.vertices.len();
    mesh.vertices.iter().all(|vertex| vertex.is_finite())
        && mesh.triangles.as_flattened().iter().all(in_range)
        && mesh.tetrahedra.as_flattened().iter().all(in_range)
}

#[test]
fn undamaged_files_make_surfaces() {
    for seed in 0..20 {
        for format in FORMATS {
            let mesh = sample::bipyramid(&mut Random::new(seed));
            let surface = build(&Sample::new(format, &mesh)).unwrap();
            assert_eq!(surface.triangles().len(), mesh.triangles.len());
        }
    }
}

#[test]
fn every_certain_damage_is_an_error() {
    let cases: Vec<(sample::Format, &Damage)> = FORMATS
        .into_iter()
        .flat_map(|format| DAMAGES.iter().map(move |damage| (format, damage)))
        .filter(|(format, damage)| (damage.concerns)(*format))
        .collect();
    let mut tried = BTreeMap::<&str, u64>::new();
    for seed in 0..damaged_files() {
        let (format, damage) = cases[seed as usize % cases.len()];
        let mut random = Random::new(seed);
        let mesh = sample::bipyramid(&mut random);
        let whole = Sample::new(format, &mesh);
        let damaged = (damage.inflict)(&whole, &mesh, &mut random);
        assert_ne!(damaged.parts, whole.parts, "seed {seed}: {format:?}, {}, changes nothing", damage.name);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if let Err(error) = damaged.read() {
                assert!(is_placed(&error), "no place: {error}");
            }
            build(&damaged).map(drop)
        }));
        match outcome {
            Ok(Err(_)) => *tried.entry(damage.name).or_default() += 1,
            Ok(Ok(())) => panic!("seed {seed}: {format:?}, {}, is not noticed\n{damaged}", damage.name),
            Err(_) => panic!("seed {seed}: {format:?}, {}, panics\n{damaged}", damage.name),
        }
    }
    println!("refused: {tried:?}");
    assert_eq!(tried.len(), DAMAGES.len(), "{tried:?}");
    assert_eq!(tried.values().sum::<u64>(), damaged_files());
}

#[test]
fn blind_damage_gives_an_error_or_a_sound_mesh() {
    let [mut errors, mut meshes] = [0; 2];
    for seed in 0..damaged_files() {
        let mut random = Random::new(seed);
        let mesh = sample::bipyramid(&mut random);
        let format = FORMATS[seed as usize % FORMATS.len()];
        let mut sample = Sample::new(format, &mesh);
        for _ in 0..1 + random.below(4) {
            damage::scramble(&mut sample, &mut random);
        }
        match sample.read() {
            Err(error) => {
                assert!(is_placed(&error), "seed {seed}: no place: {error}");
                errors += 1;
            }
            Ok(mesh) => {
                assert!(is_sound(&mesh), "seed {seed}\n{sample}");
                // Valid or not: what counts is that an answer comes.
                let _answer = Surface::new(mesh.vertices, mesh.triangles);
                meshes += 1;
            }
        }
    }
    println!("{errors} files refused, {meshes} read");
    // Both answers do occur.
    assert!(errors > 500 && meshes > 50, "{errors} errors, {meshes} meshes");
}

/// Counts that would take terabytes leave the process as small as it was.
#[cfg(target_os = "linux")]
#[test]
fn hostile_counts_reserve_no_memory() {
    const MOST_KILOBYTES: u64 = 1 << 20;
    let peak = || -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmPeak:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let before = peak();
    let damage = DAMAGES.iter().find(|damage| damage.name == "a hostile count").unwrap();
    for seed in 0..400 {
        let format = FORMATS[seed as usize % FORMATS.len()];
        if !(damage.concerns)(format) {
            continue;
        }
        let mut random = Random::new(seed);
        let mesh = sample::bipyramid(&mut random);
        let whole = Sample::new(format, &mesh);
        assert!((damage.inflict)(&whole, &mesh, &mut random).read().is_err());
    }
    assert!(peak() - before < MOST_KILOBYTES);
}
