//! Reads the problems of data/fclib; the format is described in scripts/fclib_to_text.py.

use drystone_engine::solver::{Delassus, DelassusBlock, DelassusContact};
use std::path::Path;

/// The names of the problems.
pub const NAMES: [&str; 4] =
    ["local_problem_test", "Spheres-i099-356-679", "LMGC_100_PR_PerioBox-i00361-60-03000", "Box_Stacks-i0122-82-5"];

/// The problem of a name.
pub fn problem(name: &str) -> Delassus {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/fclib").join(name).with_extension("txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (contacts, blocks) = parse(&text).unwrap_or_else(|line| panic!("{}: line {line}", path.display()));
    Delassus::without_torsion(&contacts, &blocks).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Contacts and blocks of a text, or the line, from one, that is not as it should be.
pub fn parse(text: &str) -> Result<(Vec<DelassusContact<3>>, Vec<DelassusBlock<3>>), usize> {
    let (mut expected, mut contacts, mut blocks) = (None, Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace();
        let keyword = words.next();
        let words: Vec<&str> = words.collect();
        let count = |word: &str| word.parse::<usize>().map_err(|_| number);
        match (keyword, words.as_slice()) {
            (Some("contacts"), [n]) => expected = Some(count(n)?),
            (Some("contact"), rest) => {
                let [mu, n, s, t] = numbers(rest).ok_or(number)?;
                contacts.push(DelassusContact { velocity: [n, s, t], friction: [mu; 3] });
            }
            (Some("block"), [row, column, rest @ ..]) => {
                let b: [f64; 9] = numbers(rest).ok_or(number)?;
                let entries = [[b[0], b[1], b[2]], [b[3], b[4], b[5]], [b[6], b[7], b[8]]];
                blocks.push(DelassusBlock { row: count(row)?, column: count(column)?, entries });
            }
            _ => return Err(number),
        }
    }
    if expected == Some(contacts.len()) { Ok((contacts, blocks)) } else { Err(1) }
}

fn numbers<const N: usize>(words: &[&str]) -> Option<[f64; N]> {
    let numbers: Vec<f64> = words.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
