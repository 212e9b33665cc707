//! A reader of the part of HDF5 that problems of FCLIB are written in.
//!
//! Written from the HDF5 File Format Specification, version 3. Read are superblocks of versions 0 to 3, groups by symbol tables or by
//! links in their header, and data sets that are stored whole (contiguous or compact) as 32- or 64-bit integers or 64-bit floating-point
//! numbers, little-endian. What else the format has (data in chunks, with filters, of other types, in other files; groups with very many
//! links; symbolic links) is refused by name.
//!
//! Files may be damaged or hostile: every place and length is checked against the file before it is used, lists of structures that lead
//! to each other have a greatest length, and no more memory is taken than a few times the size of the file. Checksums of headers are
//! not verified; data sets have none.

mod bytes;
mod data_set;
mod error;
mod group;
mod header;
mod superblock;

pub use error::Hdf5Error;

use bytes::Bytes;
use data_set::Values;

/// A file in memory.
#[derive(Clone, Copy, Debug)]
pub struct Hdf5File<'a> {
    bytes: Bytes<'a>,
    /// Where the header of the root group is.
    root: u64,
}

impl<'a> Hdf5File<'a> {
    /// Looks at the beginning of a file.
    ///
    /// # Errors
    /// The bytes are no HDF5 file, or one that ends early, or of a version that is not known.
    pub fn new(data: &'a [u8]) -> Result<Self, Hdf5Error> {
        let (bytes, root) = superblock::read(data)?;
        Ok(Self { bytes, root })
    }

    /// Whether there is something at a path of names with `/` between them.
    ///
    /// # Errors
    /// A group on the way cannot be read.
    pub fn contains(&self, path: &str) -> Result<bool, Hdf5Error> {
        Ok(self.find(path)?.is_some())
    }

    /// The integers of a data set, in the order in which they are stored.
    ///
    /// # Errors
    /// It is not there, cannot be read, or holds something else.
    pub fn integers(&self, path: &str) -> Result<Vec<i64>, Hdf5Error> {
        match self.values(path)? {
            Values::Integers(values) => Ok(values),
            Values::Floats(_) => Err(Hdf5Error::Type { expected: "integers", found: "floating-point numbers" }),
        }
    }

    /// The numbers of a data set; integers are turned into the nearest floating-point numbers.
    ///
    /// # Errors
    /// It is not there, cannot be read, or holds something else.
    pub fn floats(&self, path: &str) -> Result<Vec<f64>, Hdf5Error> {
        Ok(match self.values(path)? {
            Values::Integers(values) => values.into_iter().map(|value| value as f64).collect(),
            Values::Floats(values) => values,
        })
    }

    fn values(&self, path: &str) -> Result<Values, Hdf5Error> {
        let header = self.find(path)?.ok_or(Hdf5Error::Missing)?;
        data_set::read(self.bytes, header)
    }

    /// Where the header of what is at a path is.
    fn find(&self, path: &str) -> Result<Option<u64>, Hdf5Error> {
        let mut place = self.root;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            match group::find(self.bytes, place, name.as_bytes())? {
                Some(next) => place = next,
                None => return Ok(None),
            }
        }
        Ok(Some(place))
    }
}

#[cfg(test)]
mod tests;
