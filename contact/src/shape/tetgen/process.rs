//! A run of TetGen, and what becomes of its answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use glam::DVec3;

use super::super::mesh_file::{MeshFile, Problem, tetgen_files};
use super::super::predicate::orientation_3d;
use super::super::surface::Surface;
use super::super::tetgen_input::write_surface;
use super::super::tetrahedral_mesh::{FACE_CORNERS, TetrahedralMesh};
use super::guarded::Guarded;
use super::{TetgenError, TetgenSettings};
use crate::sorting::inserted;

/// TetGen may move an input vertex by this share of the bounding box's largest side when it prints it; the exact
/// position is put back.
const PRINTING_TOLERANCE: f64 = 1e-9;

/// Longest pause between two looks at the running program.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// At most this many characters of the program's own words are quoted in an error.
const QUOTED_LENGTH: usize = 500;

/// Fills a surface with tetrahedra by TetGen.
///
/// The mesh vertices are those of the surface in their order, then those that TetGen added inside. The tetrahedra are
/// in TetGen's order, without those in cavities; where one was negative its last two vertices are swapped.
pub fn tetrahedralize(surface: &Surface, settings: &TetgenSettings) -> Result<TetrahedralMesh, TetgenError> {
    let switches = settings.switches()?;
    let directory = tempfile::tempdir().map_err(TetgenError::Files)?;
    let poly = directory.path().join("surface.poly");
    write_surface(surface, &poly).map_err(TetgenError::Files)?;
    let said = run(settings, &switches, &poly)?;

    let (node_file, ele_file) = (directory.path().join("surface.1.node"), directory.path().join("surface.1.ele"));
    let no_tetrahedra = || TetgenError::NoTetrahedra {
        program: settings.program().display().to_string(),
        switches: switches.clone(),
        said: said.clone(),
    };
    if !node_file.exists() || !ele_file.exists() {
        return Err(no_tetrahedra());
    }
    let MeshFile { mut vertices, mut tetrahedra, .. } = match tetgen_files::read(&node_file) {
        Err(error) if matches!(*error.problem, Problem::Empty) => return Err(no_tetrahedra()),
        read => read?,
    };
    if tetrahedra.is_empty() {
        return Err(no_tetrahedra());
    }
    restore_vertices(surface, &mut vertices)?;
    for tetrahedron in &mut tetrahedra {
        let [a, b, c, d] = tetrahedron.map(|v| vertices[v as usize]);
        if orientation_3d(a, b, c, d) < 0.0 {
            tetrahedron.swap(2, 3);
        }
    }
    if surface.component_count() > 1 {
        tetrahedra = inside(surface, &tetrahedra);
    }
    drop_unused_vertices(surface.vertices().len(), &mut vertices, &mut tetrahedra);
    let mesh = TetrahedralMesh::new(vertices, tetrahedra)?;
    mesh.check_against(surface)?;
    Ok(mesh)
}

/// Runs the program on a file and returns the end of what it printed.
fn run(settings: &TetgenSettings, switches: &str, poly: &Path) -> Result<String, TetgenError> {
    let program = settings.program().display().to_string();
    let log = poly.with_extension("log");
    let output = File::create(&log).map_err(TetgenError::Files)?;
    let errors = output.try_clone().map_err(TetgenError::Files)?;
    let folder = poly.parent().unwrap_or(Path::new("."));
    let started =
        Guarded::spawn(settings.program(), [Path::new(switches), poly], folder, [output.into(), errors.into()]);
    let mut child = started.map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => TetgenError::MissingProgram { program: program.clone() },
        _ => TetgenError::Run { program: program.clone(), source },
    })?;
    let (start, mut pause) = (Instant::now(), Duration::from_millis(1));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < settings.timeout => sleep(pause),
            unfinished => {
                child.end();
                let seconds = settings.timeout.as_secs_f64();
                return Err(match unfinished {
                    Err(source) => TetgenError::Run { program, source },
                    Ok(_) => TetgenError::Timeout { program, switches: switches.to_owned(), seconds },
                });
            }
        }
        pause = (2 * pause).min(LONGEST_PAUSE);
    };
    let said = last_words(&log);
    if status.success() {
        Ok(said)
    } else {
        Err(TetgenError::Failed { program, switches: switches.to_owned(), status, said })
    }
}

fn last_words(log: &Path) -> String {
    let bytes = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim();
    let skipped = text.chars().count().saturating_sub(QUOTED_LENGTH);
    text.chars().skip(skipped).collect()
}

/// Puts the exact positions of the surface's vertices back.
fn restore_vertices(surface: &Surface, vertices: &mut [DVec3]) -> Result<(), TetgenError> {
    let (low, high) = surface.bounds();
    let tolerance = PRINTING_TOLERANCE * (high - low).max_element();
    for (vertex, (index, &exact)) in (0_u32..).zip(surface.vertices().iter().enumerate()) {
        match vertices.get_mut(index) {
            Some(printed) if (*printed - exact).abs().max_element() <= tolerance => *printed = exact,
            _ => return Err(TetgenError::LostVertex { vertex }),
        }
    }
    Ok(())
}

/// The tetrahedra inside the solid: TetGen also fills cavities.
///
/// A tetrahedron is inside if it has a surface triangle as an outward face, outside if it has one as an inward face,
/// and otherwise what its neighbours are.
fn inside(surface: &Surface, tetrahedra: &[[u32; 4]]) -> Vec<[u32; 4]> {
    let outward: BTreeSet<[u32; 3]> = inserted(surface.triangles().iter().map(|&t| rotated(t)));
    let reversed = |[a, b, c]: [u32; 3]| rotated([a, c, b]);
    let faces = |t: &[u32; 4]| FACE_CORNERS.map(|corners| rotated(corners.map(|k| t[k])));
    let owner: BTreeMap<[u32; 3], usize> =
        inserted(tetrahedra.iter().enumerate().flat_map(|(index, t)| faces(t).map(|face| (face, index))));

    let mut is_inside = vec![false; tetrahedra.len()];
    let mut stack: Vec<usize> = Vec::new();
    for (index, t) in tetrahedra.iter().enumerate() {
        if faces(t).iter().any(|face| outward.contains(face)) {
            is_inside[index] = true;
            stack.push(index);
        }
    }
    while let Some(index) = stack.pop() {
        for face in faces(&tetrahedra[index]) {
            if outward.contains(&face) {
                continue;
            }
            if let Some(&neighbour) = owner.get(&reversed(face))
                && !is_inside[neighbour]
            {
                is_inside[neighbour] = true;
                stack.push(neighbour);
            }
        }
    }
    tetrahedra.iter().zip(is_inside).filter(|(_, inside)| *inside).map(|(&t, _)| t).collect()
}

/// The same triangle, starting with its lowest vertex.
fn rotated(triangle: [u32; 3]) -> [u32; 3] {
    let first = (0..3).min_by_key(|&k| triangle[k]).unwrap_or(0);
    [0, 1, 2].map(|k| triangle[(first + k) % 3])
}

/// Removes the vertices from index `kept` on that are in no tetrahedron.
fn drop_unused_vertices(kept: usize, vertices: &mut Vec<DVec3>, tetrahedra: &mut [[u32; 4]]) {
    let mut used = vec![false; vertices.len()];
    used[..kept].fill(true);
    tetrahedra.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut number = vec![0; vertices.len()];
    let kept_numbers = number.iter_mut().zip(&used).filter(|(_, used)| **used);
    (0..).zip(kept_numbers).for_each(|(new, (number, _))| *number = new);
    tetrahedra.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
    let mut keep = used.into_iter();
    vertices.retain(|_| keep.next().unwrap_or(false));
}

#[cfg(test)]
mod tests;
