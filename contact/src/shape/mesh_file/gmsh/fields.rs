//! The fields of a Gmsh file, one way to read them for text and for binary.
//!
//! In text, a row holds the fields of one record; in binary, records follow each other without any mark. Section names
//! and some counts are rows of text in both.

use super::super::error::{Location, MeshFileError, Problem, quote};
use super::super::text::{Layout, Row, Rows, plausible_count};

/// The order of the bytes of a binary number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

pub(super) struct Fields<'a> {
    rows: Rows<'a>,
    /// In text, the current row.
    row: Option<Row<'a>>,
    /// None in text.
    order: Option<ByteOrder>,
    /// Where the last field, or the row that should hold it, starts.
    place: Location,
}

impl<'a> Fields<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rows: Rows::new(bytes, Layout::default()), row: None, order: None, place: Location::Line(1) }
    }

    /// From here on, records are binary. The next field tells their byte order: an integer 1.
    pub fn start_binary(&mut self) -> Result<(), MeshFileError> {
        let one: [u8; 4] = self.take("the integer 1 that tells the byte order")?;
        self.order = Some(match one {
            [1, 0, 0, 0] => ByteOrder::Little,
            [0, 0, 0, 1] => ByteOrder::Big,
            found => {
                return Err(self.unexpected("the integer 1 that tells the byte order", format!("bytes {found:?}")));
            }
        });
        Ok(())
    }

    pub fn is_binary(&self) -> bool {
        self.order.is_some()
    }

    /// An error at the last field.
    pub fn fail(&self, problem: Problem) -> MeshFileError {
        MeshFileError::at(self.place, problem)
    }

    pub fn unexpected(&self, expected: &str, found: String) -> MeshFileError {
        self.fail(Problem::Syntax { expected: expected.to_owned(), found })
    }

    /// The next row of text, in binary files too; none at the end of the file.
    pub fn next_text_row(&mut self) -> Option<Row<'a>> {
        let row = self.rows.next_row()?;
        self.place = if self.order.is_none() { Location::Line(row.line) } else { Location::Byte(row.offset as u64) };
        Some(row)
    }

    /// The next row of text, in binary files too, or an error that tells what it should have held.
    pub fn text_row(&mut self, expected: &str) -> Result<Row<'a>, MeshFileError> {
        self.next_text_row().ok_or_else(|| {
            self.place = self.end_place();
            self.unexpected(expected, "the end of the file".to_owned())
        })
    }

    /// Takes a row that holds one word.
    pub fn word(&mut self, word: &str) -> Result<(), MeshFileError> {
        let expected = format!("`{word}`");
        let mut row = self.text_row(&expected)?;
        let found = row.token().unwrap_or_default();
        if found != word.as_bytes() {
            return Err(self.unexpected(&expected, format!("`{}`", quote(found))));
        }
        row.end().map_err(|error| self.fail(*error.problem))
    }

    /// Goes behind the row that holds the word, or says that there is none.
    pub fn skip_past(&mut self, word: &str) -> Result<(), MeshFileError> {
        let start = self.place;
        // In binary sections a row is any run of bytes up to the byte of a newline.
        while let Some(mut row) = self.next_text_row() {
            if row.token() == Some(word.as_bytes()) && row.token().is_none() {
                return Ok(());
            }
        }
        self.place = start;
        Err(self.unexpected(&format!("`{word}` to close the section"), "the end of the file".to_owned()))
    }

    /// Starts a record.
    pub fn start_record(&mut self, what: &str) -> Result<(), MeshFileError> {
        self.row = if self.order.is_none() { Some(self.text_row(what)?) } else { None };
        Ok(())
    }

    /// Checks that the record has no more fields.
    pub fn end_record(&mut self) -> Result<(), MeshFileError> {
        self.row.as_mut().map_or(Ok(()), Row::end)
    }

    /// A field of 32 bits.
    pub fn integer(&mut self, what: &str) -> Result<i64, MeshFileError> {
        match (&mut self.row, self.order) {
            (Some(row), _) => row.integer(what),
            (None, Some(ByteOrder::Big)) => self.take(what).map(|bytes| i32::from_be_bytes(bytes).into()),
            (None, _) => self.take(what).map(|bytes| i32::from_le_bytes(bytes).into()),
        }
    }

    /// A field of 32 bits that is not negative.
    pub fn small_size(&mut self, what: &str) -> Result<u64, MeshFileError> {
        let value = self.integer(what)?;
        u64::try_from(value).map_err(|_| {
            let range = "an integer from 0";
            self.fail(Problem::Integer { what: what.to_owned(), range, found: value.to_string() })
        })
    }

    /// A field of 64 bits that is not negative.
    pub fn size(&mut self, what: &str) -> Result<u64, MeshFileError> {
        match (&mut self.row, self.order) {
            (Some(row), _) => row.size(what),
            (None, Some(ByteOrder::Big)) => self.take(what).map(u64::from_be_bytes),
            (None, _) => self.take(what).map(u64::from_le_bytes),
        }
    }

    /// A finite coordinate.
    pub fn real(&mut self, what: &str) -> Result<f64, MeshFileError> {
        let value = match (&mut self.row, self.order) {
            (Some(row), _) => return row.real(what),
            (None, Some(ByteOrder::Big)) => f64::from_be_bytes(self.take(what)?),
            (None, _) => f64::from_le_bytes(self.take(what)?),
        };
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.fail(Problem::Number { what: what.to_owned(), found: value.to_string() }))
    }

    /// A declared count as a length, refused when the rest of the file cannot hold so many.
    pub fn count(&self, what: &str, declared: u64, least_bytes_each: usize) -> Result<usize, MeshFileError> {
        plausible_count(what, declared, self.rows.rest().len(), least_bytes_each).map_err(|problem| self.fail(problem))
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], MeshFileError> {
        self.place = Location::Byte(self.rows.position as u64);
        match self.rows.rest().first_chunk() {
            Some(bytes) => {
                self.rows.position += N;
                Ok(*bytes)
            }
            None => {
                let found = format!("the end of the file after {} of its {N} bytes", self.rows.rest().len());
                Err(self.unexpected(what, found))
            }
        }
    }

    fn end_place(&self) -> Location {
        match self.order {
            None => Location::Line(self.rows.line),
            Some(_) => Location::Byte(self.rows.position as u64),
        }
    }
}
