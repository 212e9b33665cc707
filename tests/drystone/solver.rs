//! Solvers beside each other on problems of FCLIB.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::scenes::fclib;
use serde_json::Value;

use crate::run::{drystone, fail, refused, succeed, text};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/tests/data/fclib").join(name)
}

fn path(name: &str) -> String {
    data(name).to_str().unwrap().to_owned()
}

/// A run over a few sweeps.
fn bench<'a>(files: &'a [&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&["solver", "bench", "--repeats", "1"], files, more].concat()
}

#[test]
fn solvers_are_shown_beside_each_other() {
    let (boxes, small) = (path("Box_Stacks-i0122-82-5.hdf5"), path("full-mass.hdf5"));
    let files = [boxes.as_str(), small.as_str()];
    let document: Value = serde_json::from_str(&succeed(&bench(&files, &["--sweeps", "300", "--json", "-"]))).unwrap();
    assert_eq!(document["schema"], "drystone.solver-bench/1");
    assert_eq!(document["factors"].as_array().unwrap().last(), Some(&Value::Null));
    let problems = document["problems"].as_array().unwrap();
    assert_eq!((&problems[0]["contacts"], &problems[1]["contacts"]), (&82.into(), &3.into()));
    for problem in problems {
        let rows = problem["rows"].as_array().unwrap();
        assert_eq!(rows.len(), fclib::BenchSolver::ALL.len());
        for name in ["blocked-conjugate", "nsgs-projection", "nsgs-exact"] {
            let row = rows.iter().find(|row| row["solver"] == name).unwrap();
            assert!(row["residual"].as_f64().unwrap() <= 1e-8 && row["reached"] == true, "{row}");
        }
    }
    let profile = document["profiles"].as_array().unwrap().iter().find(|row| row["solver"] == "nsgs-exact").unwrap();
    assert_eq!(profile["shares"][5], 1.0);
    // Somebody is the fastest.
    let fastest = document["profiles"].as_array().unwrap().iter().map(|row| row["shares"][0].as_f64().unwrap());
    assert_eq!(fastest.sum::<f64>(), 1.0);

    let table =
        succeed(&bench(&files, &["--solver", "nsgs-exact", "--solver", "blocked-best", "--solver", "nsgs-exact"]));
    assert!(table.contains("Box_Stacks-i0122-82-5.hdf5: 82 contacts, W is symmetric\n"), "{table}");
    assert_eq!(table.lines().filter(|line| line.starts_with("nsgs-exact")).count(), 3, "{table}");
    assert!(table.contains("Share of 2 problems solved"), "{table}");
}

#[test]
fn an_asymmetric_matrix_is_said() {
    let (asymmetric, symmetric) = (path("asymmetric.hdf5"), path("full-mass-latest.hdf5"));
    let table = succeed(&bench(&[&asymmetric, &symmetric], &["--solver", "blocked-best"]));
    assert!(table.contains("W is not symmetric: max |W - W'| is 2.0e-3 of max |W|"), "{table}");
    assert!(table.contains("full-mass-latest.hdf5: 3 contacts, W is symmetric\n"), "{table}");
}

#[test]
fn what_cannot_be_solved_is_refused_by_name() {
    let rolling = path("rolling.hdf5");
    let message = refused(&bench(&[&rolling], &[]));
    assert!(message.contains("rolling.hdf5: fclib_global_rolling: problems with rolling friction"), "{message}");
    assert_eq!(message.lines().count(), 1);
    let chunks = path("chunks.hdf5");
    let message = refused(&bench(&[&chunks], &[]));
    assert!(message.contains("fclib_local/vectors/q: a data set in chunks is not supported"), "{message}");

    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let whole = fs::read(data("full-mass.hdf5")).unwrap();
    let short = refused(&bench(&[&file("short.hdf5", &whole[..whole.len() - 100])], &[]));
    assert!(short.contains("short.hdf5: it ends early") && short.contains("fetch it again"), "{short}");
    let other = refused(&bench(&[&file("other.hdf5", b"contacts 3\n")], &[]));
    assert!(other.contains("other.hdf5: it is no HDF5 file"), "{other}");
    let nowhere = folder.path().join("nowhere.hdf5");
    assert!(refused(&bench(&[nowhere.to_str().unwrap()], &[])).contains("nowhere.hdf5"));
    assert!(refused(&bench(&[folder.path().to_str().unwrap()], &[])).contains("it is not a file"));
    assert!(refused(&bench(&[&rolling], &["--solver", "lemke"])).contains("nsgs-exact"));
    for wrong in ["0", "-1", "nan", "inf"] {
        refused(&["solver", "bench", &rolling, &format!("--tolerance={wrong}")]);
    }
    // A result does not replace a problem.
    let place = file("problem.hdf5", &whole);
    assert!(refused(&bench(&[&place], &["--json", &place])).contains("would replace the problem"));
    assert_eq!(fs::read(&place).unwrap(), whole);
}

#[test]
fn the_others_are_solved_beside_a_refused_one() {
    let (rolling, small) = (path("rolling.hdf5"), path("block-mass.hdf5"));
    let files = [rolling.as_str(), &small];
    let arguments = bench(&files, &["--solver", "nsgs-exact"]);
    let message = fail(1, &arguments);
    assert!(message.contains("rolling friction"), "{message}");
    assert!(text(&drystone(&arguments).stdout).contains("block-mass.hdf5: 3 contacts"));
}

/// The text has mu and q of each contact, and the blocks on and above the diagonal.
#[test]
fn hdf5_and_text_hold_the_same_numbers() {
    for name in ["Box_Stacks-i0122-82-5", "local_problem_test"] {
        let problem = fclib::read(&data(&format!("{name}.hdf5"))).unwrap();
        let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/data/fclib").join(format!("{name}.txt"));
        let text = fs::read_to_string(text).unwrap();
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let numbers = |words: &str| bits(&words.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<f64>>());
        let contacts: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("contact ")).map(numbers).collect();
        let read = problem.contacts().iter().map(|c| bits(&[&[c.friction], &c.velocity[..]].concat()));
        assert!(contacts.into_iter().eq(read), "{name}");
        let block = |line: &str| {
            let [row, column, entries] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
            (row.parse::<usize>().unwrap(), column.parse::<usize>().unwrap(), numbers(entries))
        };
        let blocks: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("block ")).map(block).collect();
        let upper = problem.blocks().filter(|(row, column, _)| row <= column);
        let mut read: Vec<_> = upper.map(|(row, column, b)| (row, column, bits(b.as_flattened()))).collect();
        read.sort_unstable();
        assert_eq!(blocks.len(), read.len(), "{name}");
        assert!(blocks == read, "{name}");
    }
}
