//! Data sets: how many numbers of which type, and where.

use super::Hdf5Error;
use super::bytes::{Bytes, Cursor};
use super::header::{DATA_SPACE, DATA_TYPE, FILTERS, Header, LAYOUT};

/// Dimensions at most, as in HDF5.
const MOST_DIMENSIONS: u8 = 32;

/// Numbers of a data set.
#[derive(Debug, PartialEq)]
pub enum Values {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

/// Types that are read.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Int32,
    Int64,
    Float64,
}

/// The numbers of the data set whose header is at a place.
pub fn read(bytes: Bytes<'_>, at: u64) -> Result<Values, Hdf5Error> {
    let header = Header::read(bytes, at)?;
    let (space, kind, layout) = (header.find(DATA_SPACE)?, header.find(DATA_TYPE)?, header.find(LAYOUT)?);
    let (Some(space), Some(kind), Some(layout)) = (space, kind, layout) else {
        return Err(Hdf5Error::Type { expected: "numbers", found: "a group or a type" });
    };
    let (count, kind) = (count(space)?, number_type(kind)?);
    if header.find(FILTERS)?.is_some_and(|filters| filters.rest.get(1).is_some_and(|count| *count > 0)) {
        return Err(Hdf5Error::Unsupported { what: "a data set with filters" });
    }
    let size = if kind == Type::Int32 { 4 } else { 8 };
    let length = count.checked_mul(size).ok_or_else(|| space.damaged("it has too many numbers"))?;
    let raw = stored(bytes, layout, length)?;
    Ok(match kind {
        Type::Int32 => {
            Values::Integers(raw.as_chunks::<4>().0.iter().map(|b| i64::from(i32::from_le_bytes(*b))).collect())
        }
        Type::Int64 => Values::Integers(raw.as_chunks::<8>().0.iter().map(|b| i64::from_le_bytes(*b)).collect()),
        Type::Float64 => Values::Floats(raw.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect()),
    })
}

/// How many numbers there are.
fn count(mut space: Cursor<'_>) -> Result<u64, Hdf5Error> {
    let (version, dimensions) = (space.byte()?, space.byte()?);
    if dimensions > MOST_DIMENSIONS {
        return Err(space.damaged("it has too many dimensions"));
    }
    match version {
        // Flags and five reserved bytes; flags and the kind of the space.
        1 => space.skip(6)?,
        2 => {
            space.skip(1)?;
            if space.byte()? == 2 {
                return Ok(0);
            }
        }
        _ => return Err(space.damaged("the version of its dimensions is unknown")),
    }
    let mut count: u64 = 1;
    for _ in 0..dimensions {
        count = count.checked_mul(space.length()?).ok_or_else(|| space.damaged("it has too many numbers"))?;
    }
    Ok(count)
}

/// The type of the numbers.
fn number_type(mut kind: Cursor<'_>) -> Result<Type, Hdf5Error> {
    let class = kind.byte()? & 0x0f;
    let bits = kind.number(3)?;
    let size = kind.number(4)?;
    match class {
        0 => {
            let (is_big, is_signed) = (bits & 1 != 0, bits & 8 != 0);
            let (offset, precision) = (kind.number(2)?, kind.number(2)?);
            let is_whole = offset == 0 && precision == 8 * size;
            match size {
                4 if is_signed && is_whole && !is_big => Ok(Type::Int32),
                8 if is_signed && is_whole && !is_big => Ok(Type::Int64),
                _ => Err(Hdf5Error::Unsupported {
                    what: "a type of integers without sign, big-endian or of another size",
                }),
            }
        }
        1 => {
            let is_big = bits & 0x41 != 0;
            let (offset, precision) = (kind.number(2)?, kind.number(2)?);
            // Where exponent and mantissa are, how long they are, and what is added to the exponent.
            let fields = [kind.number(1)?, kind.number(1)?, kind.number(1)?, kind.number(1)?, kind.number(4)?];
            let is_double = (size, offset, precision) == (8, 0, 64) && fields == [52, 11, 0, 52, 1023];
            if is_double && !is_big {
                Ok(Type::Float64)
            } else {
                Err(Hdf5Error::Unsupported {
                    what: "a type of floating-point numbers other than 64 bits, little-endian",
                })
            }
        }
        _ => Err(Hdf5Error::Unsupported { what: "a type other than integers and floating-point numbers" }),
    }
}

/// The bytes of the numbers.
fn stored<'a>(bytes: Bytes<'a>, mut layout: Cursor<'a>, length: u64) -> Result<&'a [u8], Hdf5Error> {
    let version = layout.byte()?;
    if !(3..=4).contains(&version) {
        return Err(Hdf5Error::Unsupported { what: "a layout of data of another version than 3 and 4" });
    }
    match layout.byte()? {
        0 => {
            let size = layout.number(2)?;
            let mut own = layout;
            own.rest = own.take(size)?;
            own.take(length)
        }
        1 => {
            let (place, size) = (layout.place()?, layout.length()?);
            if length == 0 {
                return Ok(&[]);
            }
            let place = place.ok_or_else(|| layout.damaged("its numbers were never written"))?;
            if size < length {
                return Err(layout.damaged("its numbers take more room than it has"));
            }
            bytes.part("the data", place, length)?.take(length)
        }
        2 => Err(Hdf5Error::Unsupported { what: "a data set in chunks" }),
        _ => Err(Hdf5Error::Unsupported { what: "a virtual data set, or one of an unknown layout" }),
    }
}
