//! What keeps a file from being a problem.

use std::path::PathBuf;

use crate::hdf5::Hdf5Error;

/// A file that is not read as a contact problem, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct FclibError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: FclibFault,
}

/// What is wrong with a file, or what of it is not supported.
#[derive(Debug, thiserror::Error)]
pub enum FclibFault {
    /// The system does not give its bytes.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A device, a pipe or a folder.
    #[error("it is not a file; give files of FCLIB (.hdf5)")]
    NotAFile,
    /// A file that is too large.
    #[error("it has {length} bytes, and no more than {most} are read; give a smaller problem")]
    Large {
        /// Its length, bytes.
        length: u64,
        /// The greatest length, bytes.
        most: u64,
    },
    /// The file as a whole is no HDF5 file.
    #[error("{0}")]
    Hdf5(#[from] Hdf5Error),
    /// A data set or group that cannot be read.
    #[error("{name}: {source}")]
    DataSet {
        /// Its path in the file.
        name: String,
        /// What is wrong with it.
        source: Hdf5Error,
    },
    /// Neither form of a problem is there.
    #[error("it has neither a group fclib_local nor a group fclib_global; give files in the format of FCLIB")]
    NoProblem,
    /// Rolling friction.
    #[error(
        "{name}: problems with rolling friction (five rows a contact) are not supported, as no solver here has that law; give problems \
         with three rows a contact"
    )]
    Rolling {
        /// What tells it.
        name: String,
    },
    /// Another number of rows a contact.
    #[error("{name} is {found}; only problems with three rows a contact are supported")]
    Rows {
        /// The data set.
        name: String,
        /// Rows of a contact.
        found: i64,
    },
    /// Equality constraints beside the contacts.
    #[error(
        "{name}: problems with equality constraints beside contacts are not supported; give problems of contacts alone"
    )]
    EqualityConstraints {
        /// The group.
        name: String,
    },
    /// A data set that is longer or shorter than the others ask for.
    #[error("{name} has the size {found} where {expected} is expected, by {reason}; the file contradicts itself")]
    Size {
        /// The data set.
        name: String,
        /// Its size.
        found: i64,
        /// The size that belongs there.
        expected: usize,
        /// What asks for it.
        reason: &'static str,
    },
    /// A number that cannot be.
    #[error("{name}, number {index} counted from 0, is {value}; {allowed}")]
    Value {
        /// The data set.
        name: String,
        /// Its place.
        index: usize,
        /// The number.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A matrix that cannot be used.
    #[error("{name}: {reason}")]
    Matrix {
        /// The group.
        name: String,
        /// What is wrong with it, and what to do.
        reason: String,
    },
}
