//! The beginning of a file: how long its numbers are, and where its root group is.

use super::Hdf5Error;
use super::bytes::{Bytes, Cursor};

const WHAT: &str = "the superblock";
const SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";

/// The file with the sizes of its numbers, and where the header of the root group is.
pub fn read(data: &[u8]) -> Result<(Bytes<'_>, u64), Hdf5Error> {
    if !data.starts_with(&SIGNATURE) {
        return Err(Hdf5Error::Signature);
    }
    // Before the sizes are known nothing is read that depends on them.
    let mut start = Bytes { data, place_size: 8, length_size: 8 }.at(WHAT, SIGNATURE.len() as u64)?;
    let version = start.byte()?;
    match version {
        0 | 1 => start.skip(4)?,
        2 | 3 => {}
        _ => return Err(Hdf5Error::Unsupported { what: "a superblock of a version above 3" }),
    }
    let (place_size, length_size) = (usize::from(start.byte()?), usize::from(start.byte()?));
    if ![place_size, length_size].iter().all(|size| matches!(size, 2 | 4 | 8)) {
        return Err(start.damaged("places and lengths must have two, four or eight bytes"));
    }
    // Version 0: a reserved byte, two sizes of nodes, flags. Version 1 has another size of nodes. Later ones have flags alone.
    let skipped = match version {
        0 => 9,
        1 => 13,
        _ => 1,
    };
    let read = (data.len() - start.rest.len() + skipped) as u64;
    let bytes = Bytes { data, place_size, length_size };
    let mut cursor = bytes.at(WHAT, read)?;
    if cursor.place()? != Some(0) {
        return Err(Hdf5Error::Unsupported { what: "a base address other than 0" });
    }
    cursor.place()?;
    let end = cursor.place()?;
    let found = data.len() as u64;
    if let Some(expected) = end.filter(|end| *end > found) {
        return Err(Hdf5Error::Truncated { expected, found });
    }
    if version < 2 {
        // Where the block of the driver is; the name of the root group.
        cursor.place()?;
        cursor.place()?;
    }
    root(&mut cursor).map(|root| (bytes, root))
}

fn root(cursor: &mut Cursor<'_>) -> Result<u64, Hdf5Error> {
    cursor.place()?.ok_or_else(|| cursor.damaged("it has no root group"))
}
