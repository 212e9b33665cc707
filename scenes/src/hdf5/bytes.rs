//! The bytes of a file, and reading on in them.

use super::Hdf5Error;

/// A file whose places and lengths have a known number of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    pub data: &'a [u8],
    /// Bytes of a place in the file.
    pub place_size: usize,
    /// Bytes of a length.
    pub length_size: usize,
}

impl<'a> Bytes<'a> {
    /// Reading of a structure from a place on, as far as the file goes.
    pub fn at(self, what: &'static str, at: u64) -> Result<Cursor<'a>, Hdf5Error> {
        let rest =
            usize::try_from(at).ok().and_then(|at| self.data.get(at..)).ok_or(Hdf5Error::Outside { what, at })?;
        Ok(Cursor { bytes: self, rest, what, at })
    }

    /// Reading of a structure of a known length.
    pub fn part(self, what: &'static str, at: u64, length: u64) -> Result<Cursor<'a>, Hdf5Error> {
        let mut cursor = self.at(what, at)?;
        cursor.rest = cursor.take(length)?;
        Ok(cursor)
    }
}

/// What is left of a structure.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: Bytes<'a>,
    pub rest: &'a [u8],
    what: &'static str,
    at: u64,
}

impl<'a> Cursor<'a> {
    /// The next bytes.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Hdf5Error> {
        let split = usize::try_from(length).ok().and_then(|length| self.rest.split_at_checked(length));
        let (taken, rest) = split.ok_or(Hdf5Error::Outside { what: self.what, at: self.at })?;
        self.rest = rest;
        Ok(taken)
    }

    /// Passes over bytes.
    pub fn skip(&mut self, length: usize) -> Result<(), Hdf5Error> {
        self.take(length as u64).map(|_| ())
    }

    /// A number without sign of up to eight bytes.
    pub fn number(&mut self, size: usize) -> Result<u64, Hdf5Error> {
        let bytes = self.take(size as u64)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A number of one byte.
    pub fn byte(&mut self) -> Result<u8, Hdf5Error> {
        Ok(self.take(1)?.first().copied().unwrap_or_default())
    }

    /// A place in the file; `None` for the one that means nowhere.
    pub fn place(&mut self) -> Result<Option<u64>, Hdf5Error> {
        let size = self.bytes.place_size;
        let place = self.number(size)?;
        let nowhere = u64::MAX >> (64 - 8 * size);
        Ok((place != nowhere).then_some(place))
    }

    /// A length.
    pub fn length(&mut self) -> Result<u64, Hdf5Error> {
        self.number(self.bytes.length_size)
    }

    /// Passes over the signature of the structure.
    pub fn expect(&mut self, signature: &[u8]) -> Result<(), Hdf5Error> {
        let is_there = self.take(signature.len() as u64)? == signature;
        is_there.then_some(()).ok_or_else(|| self.damaged("its signature is wrong"))
    }

    /// The structure contradicts the format.
    pub fn damaged(&self, reason: &'static str) -> Hdf5Error {
        Hdf5Error::Damaged { what: self.what, at: self.at, reason }
    }

    /// Another structure of the same file.
    pub fn file(&self) -> Bytes<'a> {
        self.bytes
    }
}
