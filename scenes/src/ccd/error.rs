//! Why queries cannot be read or written.

use std::path::PathBuf;

use drystone_contact::ccd::CcdError;
use thiserror::Error;

use super::NotADouble;

/// What is wrong with which file.
#[derive(Debug, Error)]
#[error("{}: {fault}", file.display())]
pub struct QuerySetError {
    /// The file or folder.
    pub file: PathBuf,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a file of queries. Queries are numbered from 0, lines from 1.
#[derive(Debug, Error)]
pub enum Fault {
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is neither file nor folder with queries.
    #[error("there are no queries; they are in files that end in .ccdq or .csv")]
    Nothing,
    /// There is no query in it.
    #[error("there is no query in the file; it may be truncated")]
    Empty,
    /// Its name ends in something else.
    #[error("the name of a file with queries ends in .ccdq or .csv")]
    Extension,
    /// It is not of this format.
    #[error("it does not begin as a .ccdq file does (\"CCDQ1\" and three zero bytes)")]
    Magic,
    /// A number for the kind that has no meaning.
    #[error("the kind is {0}; it must be 0 (vertex and face) or 1 (edges)")]
    KindNumber(u32),
    /// It is longer or shorter than it says.
    #[error(
        "{there} bytes follow the head, but {queries} queries take {} bytes, or {} with labels, or {} with times; \
         the file may be truncated", sizes[0], sizes[1], sizes[2]
    )]
    Length {
        /// How many bytes follow the head.
        there: u64,
        /// How many queries it says it has.
        queries: u64,
        /// Bytes of coordinates; of them and labels; of them and times.
        sizes: [u64; 3],
    },
    /// It ends within its head.
    #[error("{0} bytes are less than the head of a .ccdq file; the file may be truncated")]
    Head(u64),
    /// A label without a meaning.
    #[error("the label of query {index} is {label}; it must be 0 (apart), 1 (they meet) or 255 (unknown)")]
    Label {
        /// Which query.
        index: usize,
        /// What stands there.
        label: u8,
    },
    /// More queries than a file can hold.
    #[error("{0} queries are more than one file can hold")]
    TooMany(usize),
    /// A query that cannot be asked.
    #[error("query {index}: {source}")]
    Query {
        /// Which.
        index: usize,
        /// Why not.
        source: CcdError,
    },
    /// Times that are none.
    #[error("query {index} first meets between {lower} and {upper}; that must be 0 ≤ lower ≤ upper ≤ 1, or NaN twice")]
    Time {
        /// Which query.
        index: usize,
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// A time of what never happens.
    #[error("query {index} has a time of impact, but the label says that they do not meet")]
    TimeOfNone {
        /// Which query.
        index: usize,
    },
    /// As many labels or times as queries are needed.
    #[error("there are {there} {what} for {queries} queries")]
    Count {
        /// Labels or times.
        what: &'static str,
        /// How many there are.
        there: usize,
        /// How many queries.
        queries: usize,
    },
    /// A set holds one kind.
    #[error("query {index} is of the other kind than its set")]
    OtherKind {
        /// Which query.
        index: usize,
    },
    /// A name that does not tell the kind.
    #[error("neither name nor folder tells the kind (vertex-face or edge-edge, -vf or -ee); say it with --kind")]
    UnknownKind,
    /// No CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A row with another number of cells.
    #[error(
        "line {line}: {columns} cells; there must be 6 (numerators and denominators of x, y and z) or 7 (and the truth)"
    )]
    Columns {
        /// The line.
        line: u64,
        /// How many there are.
        columns: usize,
    },
    /// Rows with and without truth.
    #[error("line {line}: {columns} cells, but {before} in the rows before it")]
    Ragged {
        /// The line.
        line: u64,
        /// How many there are.
        columns: usize,
        /// How many there were.
        before: usize,
    },
    /// A cell that is no fraction of whole numbers, or no double.
    #[error("line {line}: {axis} is {numerator}/{denominator}: {source}")]
    Coordinate {
        /// The line.
        line: u64,
        /// x, y or z.
        axis: &'static str,
        /// What stands for the numerator, cut if long.
        numerator: String,
        /// What stands for the denominator, cut if long.
        denominator: String,
        /// What is wrong with it.
        source: NotADouble,
    },
    /// A truth that is none.
    #[error("line {line}: the truth is \"{value}\"; it must be 0 (apart) or 1 (they meet)")]
    Truth {
        /// The line.
        line: u64,
        /// What stands there.
        value: String,
    },
    /// One truth a query.
    #[error("line {line}: the truth is {value}, but {before} in the row before, of the same query")]
    TwoTruths {
        /// The line.
        line: u64,
        /// What stands there.
        value: u8,
        /// What stands above it.
        before: u8,
    },
    /// Queries take eight rows each.
    #[error("there are {rows} rows, which is not a multiple of 8; the file may be truncated")]
    Rows {
        /// How many there are.
        rows: usize,
    },
}

impl PartialEq for Fault {
    /// Faults are the same that say the same.
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
