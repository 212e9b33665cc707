use super::*;

/// Superblock 0, symbol tables.
const OLD: &[u8] = include_bytes!("../../tests/data/fclib/full-mass-local.hdf5");
/// Superblock 3, links in headers, 64-bit integers.
const LATEST: &[u8] = include_bytes!("../../tests/data/fclib/full-mass-latest.hdf5");
const CHUNKS: &[u8] = include_bytes!("../../tests/data/fclib/chunks.hdf5");

#[test]
fn both_versions_hold_the_same() {
    let [old, latest] = [OLD, LATEST].map(|data| Hdf5File::new(data).unwrap());
    for file in [old, latest] {
        assert_eq!(file.integers("fclib_local/spacedim"), Ok(vec![3]));
        assert_eq!(file.floats("/fclib_local/vectors/mu"), Ok(vec![0.3, 0.5, 0.0]));
        assert_eq!(file.floats("fclib_local/W/m"), Ok(vec![9.0]));
        assert!(file.contains("fclib_local/W").unwrap() && !file.contains("fclib_local/V").unwrap());
        assert!(!file.contains("fclib_local/vectors/mu/deeper").unwrap());
    }
    for name in ["q", "mu"].map(|name| format!("fclib_local/vectors/{name}")) {
        assert_eq!(old.floats(&name), latest.floats(&name));
    }
}

#[test]
fn what_is_not_there_or_not_read_is_said() {
    let file = Hdf5File::new(OLD).unwrap();
    assert_eq!(file.integers("fclib_local/W/k"), Err(Hdf5Error::Missing));
    assert!(matches!(file.integers("fclib_local/W"), Err(Hdf5Error::Type { .. })));
    assert!(matches!(file.integers("fclib_local/W/x"), Err(Hdf5Error::Type { expected: "integers", .. })));
    let chunks = Hdf5File::new(CHUNKS).unwrap();
    assert_eq!(chunks.floats("fclib_local/vectors/q"), Err(Hdf5Error::Unsupported { what: "a data set in chunks" }));
    assert_eq!(Hdf5File::new(b"contacts 3\n").err(), Some(Hdf5Error::Signature));
    assert_eq!(Hdf5File::new(&[]).err(), Some(Hdf5Error::Signature));
}

#[test]
fn files_that_end_early_are_refused() {
    for data in [OLD, LATEST] {
        for length in 0..data.len() {
            let error = Hdf5File::new(&data[..length]).unwrap_err();
            assert!(length < 8 || !matches!(error, Hdf5Error::Signature), "{length}: {error}");
        }
    }
}

#[test]
fn lists_that_lead_to_themselves_end() {
    // The tree of the root group, whose child becomes the tree itself.
    let mut data = OLD.to_vec();
    let tree = data.windows(4).position(|bytes| bytes == b"TREE").unwrap();
    data[tree + 32..tree + 40].copy_from_slice(&(tree as u64).to_le_bytes());
    let error = Hdf5File::new(&data).and_then(|file| file.contains("fclib_local")).unwrap_err();
    assert!(matches!(error, Hdf5Error::Damaged { reason: "it has too many nodes", .. }), "{error}");
}
