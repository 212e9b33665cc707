use super::*;

const FULL: &[u8] = include_bytes!("../../../tests/data/fclib/full-mass.hdf5");
const BLOCKS: &[u8] = include_bytes!("../../../tests/data/fclib/block-mass.hdf5");
const LOCAL_FORM: &[u8] = include_bytes!("../../../tests/data/fclib/full-mass-local.hdf5");
const LATEST: &[u8] = include_bytes!("../../../tests/data/fclib/full-mass-latest.hdf5");
const ASYMMETRIC: &[u8] = include_bytes!("../../../tests/data/fclib/asymmetric.hdf5");
const CHUNKS: &[u8] = include_bytes!("../../../tests/data/fclib/chunks.hdf5");
const ROLLING: &[u8] = include_bytes!("../../../tests/data/fclib/rolling.hdf5");

/// Why a file is refused.
fn refusal(bytes: &[u8]) -> String {
    parse(bytes).unwrap_err().to_string()
}

/// The largest difference of two problems of the same blocks, in W and q.
fn difference(a: &FclibProblem, b: &FclibProblem) -> f64 {
    let numbers = |problem: &FclibProblem| -> Vec<f64> {
        let blocks = problem.blocks().flat_map(|(_, _, block)| block.iter().flatten().copied());
        blocks.chain(problem.contacts().iter().flat_map(|contact| contact.velocity)).collect()
    };
    let places = |problem: &FclibProblem| problem.blocks().map(|(row, column, _)| (row, column)).collect::<Vec<_>>();
    assert_eq!(places(a), places(b));
    numbers(a).iter().zip(numbers(b)).fold(0.0, |largest, (x, y)| (x - y).abs().max(largest))
}

#[test]
fn all_forms_are_the_same_problem() {
    let local = parse(LOCAL_FORM).unwrap();
    assert_eq!(local, parse(LATEST).unwrap());
    assert_eq!(local.contacts().iter().map(|contact| contact.friction).collect::<Vec<_>>(), [0.3, 0.5, 0.0]);
    // numpy has found W by the inverse of M.
    let off = difference(&local, &parse(FULL).unwrap());
    assert!(off < 1e-14, "{off}");
    let blocks = parse(BLOCKS).unwrap();
    assert!(difference(&local, &blocks) > 1e-3 && blocks.asymmetry() < 1e-15);
}

#[test]
fn an_asymmetric_matrix_stays_as_it_is() {
    let (symmetric, asymmetric) = (parse(LOCAL_FORM).unwrap(), parse(ASYMMETRIC).unwrap());
    assert_eq!(symmetric.asymmetry(), 0.0);
    assert!((asymmetric.asymmetry() - 2e-3).abs() < 1e-5, "{}", asymmetric.asymmetry());
    let [zero, one] = [[0.0; 3], [1.0, 0.0, 0.0]];
    let gain = |problem: &FclibProblem, on: [[f64; 3]; 2]| problem.velocities(&on)[usize::from(on[0] != zero)][0];
    let [above, below] = [[zero, one], [one, zero]];
    let changes = [above, below].map(|on| gain(&asymmetric, on) - gain(&symmetric, on));
    assert!(changes[0] > 0.0 && (changes[0] + changes[1]).abs() < 1e-15, "{changes:?}");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let rolling = refusal(ROLLING);
    assert!(rolling.contains("fclib_global_rolling") && rolling.contains("rolling friction (five rows"), "{rolling}");
    let chunks = refusal(CHUNKS);
    assert!(chunks.contains("fclib_local/vectors/q") && chunks.contains("chunks"), "{chunks}");
    assert!(refusal(b"contacts 3\n").contains("no HDF5 file"));
    // Names of the same length, so that nothing else moves.
    let renamed = |bytes: &[u8], from: &[u8], to: &[u8]| {
        let mut bytes = bytes.to_vec();
        let place = bytes.windows(from.len()).position(|part| part == from).unwrap();
        bytes[place..place + to.len()].copy_from_slice(to);
        refusal(&bytes)
    };
    assert!(renamed(LOCAL_FORM, b"fclib_local\0", b"fclib_lokal\0").contains("neither a group fclib_local"));
    assert!(renamed(LOCAL_FORM, b"\0mu\0", b"\0mx\0").contains("fclib_local/vectors/mu: it is missing"));
    assert!(renamed(FULL, b"\0H\0", b"\0G\0").contains("fclib_global/G: problems with equality constraints"));
}

#[test]
fn numbers_that_cannot_be_are_refused_by_place() {
    let changed = |bytes: &[u8], from: &[u8], to: &[u8]| {
        let mut bytes = bytes.to_vec();
        let place = bytes.windows(from.len()).position(|part| part == from).unwrap();
        bytes[place..place + to.len()].copy_from_slice(to);
        refusal(&bytes)
    };
    let mu = [0.3f64, 0.5].map(f64::to_le_bytes).concat();
    let with = |x: f64| [0.3, x].map(f64::to_le_bytes).concat();
    let negative = changed(LOCAL_FORM, &mu, &with(-0.5));
    assert!(negative.contains("fclib_local/vectors/mu, number 1 counted from 0, is -0.5"), "{negative}");
    let nothing = changed(LOCAL_FORM, &mu, &with(f64::NAN));
    assert!(nothing.contains("fclib_local/vectors/mu, number 1") && nothing.contains("finite"), "{nothing}");
    // The starts of rows in a full 9 × 9 matrix.
    let starts = [0i32, 9, 18].map(i32::to_le_bytes).concat();
    let descending = changed(LOCAL_FORM, &starts, &[0i32, 19, 18].map(i32::to_le_bytes).concat());
    assert!(descending.contains("fclib_local/W: the starts in p must ascend"), "{descending}");
    let outside = changed(LOCAL_FORM, &starts, &[0i32, 9, 1800].map(i32::to_le_bytes).concat());
    assert!(outside.contains("fclib_local/W/p, number 2 counted from 0, is 1800"), "{outside}");
    let form = changed(LOCAL_FORM, &(-2i32).to_le_bytes(), &(-3i32).to_le_bytes());
    assert!(form.contains("fclib_local/W: nz must be -1"), "{form}");
}

/// A small generator of bytes with a fixed seed (xorshift).
fn chance(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn damaged_files_are_errors_or_problems_of_finite_numbers() {
    let mut state = 0x5eed;
    for original in [FULL, BLOCKS, LOCAL_FORM, LATEST, CHUNKS, ROLLING] {
        for place in (0..original.len()).step_by(3) {
            let mut bytes = original.to_vec();
            bytes[place] ^= (chance(&mut state) % 255 + 1) as u8;
            // More of them, anywhere, in every other file.
            for _ in 0..(place % 2) * (chance(&mut state) % 8) as usize {
                let other = (chance(&mut state) % bytes.len() as u64) as usize;
                bytes[other] = chance(&mut state) as u8;
            }
            if let Ok(problem) = parse(&bytes) {
                let blocks = problem.blocks().flat_map(|(_, _, block)| block.iter().flatten());
                let velocities = problem.contacts().iter().flat_map(|contact| &contact.velocity);
                assert!(blocks.chain(velocities).all(|x| x.is_finite()), "byte {place}");
            }
        }
    }
}
