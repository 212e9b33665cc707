//! Solids that no inner point sees whole, on a machine without TetGen: only methods that need tetrahedra ask for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Output;

use crate::run;

/// The program where it finds no other program.
fn drystone(arguments: &[&str]) -> Output {
    run::program().args(arguments).env("PATH", "").output().unwrap()
}

/// The surface of some cells of a grid in the x–y plane, each a cube of this size, as `vertices` and `triangles` of a scene
/// file.
fn cells(rows: &[&str], size: f64) -> String {
    let is_filled = |x: i32, y: i32, z: i32| {
        let cell = usize::try_from(y).ok().and_then(|y| rows.get(rows.len().checked_sub(y + 1)?));
        let cell = cell.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.as_bytes().get(x));
        z == 0 && cell == Some(&b'#')
    };
    let mut numbers: BTreeMap<[i32; 3], usize> = BTreeMap::new();
    let mut corners: Vec<[i32; 3]> = Vec::new();
    let mut triangles = Vec::new();
    // For each face of a cell its corners, counter-clockwise seen from outside, and the way to the neighbour beyond it.
    let faces: [([[i32; 3]; 4], [i32; 3]); 6] = [
        ([[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]], [-1, 0, 0]),
        ([[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]], [1, 0, 0]),
        ([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], [0, -1, 0]),
        ([[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]], [0, 1, 0]),
        ([[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]], [0, 0, -1]),
        ([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], [0, 0, 1]),
    ];
    let width = rows.iter().map(|row| row.len()).max().unwrap() as i32;
    for (x, y) in (0..rows.len() as i32).flat_map(|y| (0..width).map(move |x| (x, y))) {
        for (face, _) in faces.iter().filter(|(_, [i, j, k])| is_filled(x, y, 0) && !is_filled(x + i, y + j, *k)) {
            let [a, b, c, d] = face.map(|[i, j, k]| {
                let corner = [x + i, y + j, k];
                *numbers.entry(corner).or_insert_with(|| {
                    corners.push(corner);
                    corners.len() - 1
                })
            });
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let vertices: Vec<[f64; 3]> = corners.iter().map(|corner| corner.map(|i| f64::from(i) * size)).collect();
    format!("vertices = {vertices:?}\ntriangles = {triangles:?}\n")
}

/// A solid that falls on the ground from a small height.
fn scene(folder: &Path, name: &str, rows: &[&str]) -> String {
    let mut text = format!("name = \"{name}\"\nmaterials = [\"stone\"]\n");
    let _ = writeln!(text, "[[interaction]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.6");
    let _ = writeln!(text, "[[body]]\nname = \"ground\"\nmaterial = \"stone\"\nfixed = true\nposition = [0, -0.5, 0]");
    let _ = writeln!(text, "[body.shape]\nbox = [10, 1, 10]");
    let _ = writeln!(text, "[[body]]\nname = \"solid\"\nmaterial = \"stone\"\ndensity = 2000\nposition = [0, 0.01, 0]");
    let _ = writeln!(text, "[body.shape]\n{}", cells(rows, 0.2));
    let path = folder.join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_u_and_a_solid_with_three_holes_simulate_by_semi_local() {
    let folder = tempfile::tempdir().unwrap();
    let u = ["#.#", "#.#", "###"];
    let genus_three = ["#######", "#.#.#.#", "#######"];
    for (name, rows) in [("u", &u[..]), ("genus-3", &genus_three[..])] {
        let scene = scene(folder.path(), name, rows);
        let csv = folder.path().join(format!("{name}.csv")).display().to_string();
        let output = drystone(&["simulate", &scene, "--steps", "60", "--csv", &csv]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {message}");
        let [contacts, depths] = ["contacts", "deepest_penetration"].map(|name| column(&csv, name));
        assert!(contacts.last().unwrap() >= &4.0, "{name}: {contacts:?}");
        assert!(depths.iter().all(|&depth| depth < 2e-3), "{name}: {depths:?}");

        let output = drystone(&["simulate", &scene, "--steps", "1", "--method", "volume-sat"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        for part in ["solid", "volume-sat needs the tetrahedra of a polyhedron", "tetgen"] {
            assert!(message.contains(part), "{message}");
        }
    }
}

/// The numbers of a column of a CSV file.
fn column(path: &str, name: &str) -> Vec<f64> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let index = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[index].parse().unwrap()).collect()
}
