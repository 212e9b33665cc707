//! What keeps an HDF5 file from being read.

/// What is wrong with an HDF5 file, or what of it is not supported. Which file and which data set is for the caller to say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hdf5Error {
    /// The file does not begin as HDF5 files do.
    #[error("it is no HDF5 file: its first eight bytes are not the signature of one")]
    Signature,
    /// The file is shorter than it says.
    #[error("it ends early: it should have {expected} bytes and has {found}; fetch it again")]
    Truncated {
        /// The length that the file states, bytes.
        expected: u64,
        /// The length that it has, bytes.
        found: u64,
    },
    /// Something lies beyond the end of the file.
    #[error("{what} at byte {at} reaches beyond the end of the file; the file is damaged, fetch it again")]
    Outside {
        /// The structure that is read.
        what: &'static str,
        /// Where it begins.
        at: u64,
    },
    /// A structure that contradicts the format.
    #[error("{what} at byte {at} is damaged: {reason}; fetch the file again")]
    Damaged {
        /// The structure that is read.
        what: &'static str,
        /// Where it begins.
        at: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A part of the format that is not read.
    #[error(
        "{what} is not supported; write the data set whole, without chunks, filters or links, as 32- or 64-bit integers or 64-bit \
         floating-point numbers, little-endian"
    )]
    Unsupported {
        /// What the file has.
        what: &'static str,
    },
    /// There is nothing of this name.
    #[error("it is missing")]
    Missing,
    /// Numbers of another kind than asked for.
    #[error("it holds {found} where {expected} are expected")]
    Type {
        /// What was asked for.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
}
