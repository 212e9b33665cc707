//! Rows and fields of a text file, each with the number of its line.

use super::error::{Location, MeshFileError, Problem, quote};

/// How a text format lays out its rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    /// A `#` starts a comment that ends with its line.
    pub comments: bool,
    /// A backslash at the end of a line joins it to the next.
    pub continuation: bool,
}

/// The rows of a text file that hold at least one field.
#[derive(Clone, Debug)]
pub(super) struct Rows<'a> {
    bytes: &'a [u8],
    layout: Layout,
    /// Offset of the next unread byte.
    pub position: usize,
    /// Number of the line that holds the next unread byte, from 1.
    pub line: u64,
}

/// One row: its fields, read from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    rest: &'a [u8],
    continuation: bool,
    /// Number of the row's first line.
    pub line: u64,
    /// Offset of the row's first byte.
    pub offset: usize,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'a> Rows<'a> {
    pub fn new(bytes: &'a [u8], layout: Layout) -> Self {
        let position = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { bytes, layout, position, line: 1 }
    }

    /// The unread bytes.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.position..]
    }

    /// The next row that holds a field, or none at the end of the file.
    pub fn next_row(&mut self) -> Option<Row<'a>> {
        while self.position < self.bytes.len() {
            let row = self.any_row();
            if row.clone().token().is_some() {
                return Some(row);
            }
        }
        None
    }

    /// The next row, or an error that says what the file should have held here.
    pub fn expect_row(&mut self, expected: &str) -> Result<Row<'a>, MeshFileError> {
        self.next_row().ok_or_else(|| {
            let problem = Problem::Syntax { expected: expected.to_owned(), found: "the end of the file".to_owned() };
            MeshFileError::at(Location::Line(self.line), problem)
        })
    }

    fn any_row(&mut self) -> Row<'a> {
        let (first_line, start) = (self.line, self.position);
        loop {
            let line_start = self.position;
            let rest = self.rest();
            let newline = rest.iter().position(|&byte| byte == b'\n');
            let line = &rest[..newline.unwrap_or(rest.len())];
            self.position += newline.map_or(rest.len(), |at| at + 1);
            self.line += u64::from(newline.is_some());
            let comment = self.layout.comments.then(|| line.iter().position(|&byte| byte == b'#')).flatten();
            let goes_on = self.layout.continuation && comment.is_none() && line.trim_ascii_end().ends_with(b"\\");
            if !(goes_on && self.position < self.bytes.len()) {
                let end = line_start + comment.unwrap_or(line.len());
                return Row {
                    rest: &self.bytes[start..end],
                    continuation: self.layout.continuation,
                    line: first_line,
                    offset: start,
                };
            }
        }
    }
}

impl<'a> Row<'a> {
    /// The next field, or none at the end of the row.
    pub fn token(&mut self) -> Option<&'a [u8]> {
        let gap = |byte: &u8| byte.is_ascii_whitespace() || (self.continuation && *byte == b'\\');
        let start = self.rest.iter().position(|byte| !gap(byte))?;
        let length = self.rest[start..].iter().position(gap).unwrap_or(self.rest.len() - start);
        let token = &self.rest[start..start + length];
        self.rest = &self.rest[start + length..];
        Some(token)
    }

    /// An error at this row.
    pub fn fail(&self, problem: Problem) -> MeshFileError {
        MeshFileError::at(Location::Line(self.line), problem)
    }

    /// The next field, or an error that names what is missing.
    pub fn expect_token(&mut self, what: &str) -> Result<&'a [u8], MeshFileError> {
        self.token().ok_or_else(|| {
            self.fail(Problem::Syntax { expected: what.to_owned(), found: "the end of the line".to_owned() })
        })
    }

    /// The next field as a finite number.
    pub fn real(&mut self, what: &str) -> Result<f64, MeshFileError> {
        let token = self.expect_token(what)?;
        let value = std::str::from_utf8(token).ok().and_then(|text| text.parse::<f64>().ok());
        value
            .filter(|value| value.is_finite())
            .ok_or_else(|| self.fail(Problem::Number { what: what.to_owned(), found: quote(token) }))
    }

    /// The next field as an integer.
    pub fn integer(&mut self, what: &str) -> Result<i64, MeshFileError> {
        let token = self.expect_token(what)?;
        integer(token).ok_or_else(|| self.fail(not_an_integer(what, token)))
    }

    /// The next field as an integer from 0.
    pub fn size(&mut self, what: &str) -> Result<u64, MeshFileError> {
        let token = self.expect_token(what)?;
        let value = std::str::from_utf8(token).ok().and_then(|text| text.parse().ok());
        value.ok_or_else(|| {
            let range = "an integer from 0 to 2⁶⁴ − 1";
            self.fail(Problem::Integer { what: what.to_owned(), range, found: quote(token) })
        })
    }

    /// Checks that no field is left.
    pub fn end(&mut self) -> Result<(), MeshFileError> {
        match self.token() {
            None => Ok(()),
            Some(token) => Err(self.fail(Problem::Syntax {
                expected: "the end of the line".to_owned(),
                found: format!("`{}`", quote(token)),
            })),
        }
    }
}

/// A token as an integer.
pub(super) fn integer(token: &[u8]) -> Option<i64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// The problem of a token that is no integer.
pub(super) fn not_an_integer(what: &str, token: &[u8]) -> Problem {
    Problem::Integer { what: what.to_owned(), range: "an integer of 64 bits", found: quote(token) }
}

/// A declared count as a length, refused when the unread bytes cannot hold so many: a hostile count reserves nothing.
pub(super) fn plausible_count(
    what: &str,
    declared: u64,
    unread_bytes: usize,
    least_bytes_each: usize,
) -> Result<usize, Problem> {
    let most = unread_bytes / least_bytes_each;
    match usize::try_from(declared) {
        Ok(count) if count <= most => Ok(count),
        _ => Err(Problem::Count {
            what: what.to_owned(),
            declared: declared.into(),
            found: format!("room for at most {most}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: Layout = Layout { comments: true, continuation: true };

    fn tokens(bytes: &[u8], layout: Layout) -> Vec<(u64, Vec<String>)> {
        let mut rows = Rows::new(bytes, layout);
        let mut all = Vec::new();
        while let Some(mut row) = rows.next_row() {
            let line = row.line;
            all.push((line, std::iter::from_fn(|| row.token().map(quote)).collect()));
        }
        all
    }

    #[test]
    fn rows_carry_the_number_of_their_first_line() {
        let text = b"\xef\xbb\xbfa b\r\n\n# note \\\nc \\\r\n d\\\ne # f \\\ng\\";
        let rows = tokens(text, BOTH);
        let expected = [(1, vec!["a", "b"]), (4, vec!["c", "d", "e"]), (7, vec!["g"])];
        assert_eq!(rows, expected.map(|(line, words)| (line, words.into_iter().map(String::from).collect())));
    }

    #[test]
    fn layouts_without_comments_keep_their_marks() {
        assert_eq!(tokens(b"a # \\\nb", Layout::default())[0].1, ["a", "#", "\\"]);
    }

    #[test]
    fn numbers_must_be_finite_and_whole_fields() {
        for bad in ["nan", "inf", "-inf", "1e999", "1,5", "0x1", "1.0.0", "é", "--1"] {
            let mut row = Rows::new(bad.as_bytes(), BOTH).next_row().unwrap();
            let error = row.real("x").unwrap_err();
            assert!(error.to_string().starts_with("line 1: x must be a finite number"), "{error}");
        }
        for bad in ["1.0", "9223372036854775808", "one", ""] {
            let text = format!("k {bad}");
            let mut row = Rows::new(text.as_bytes(), BOTH).next_row().unwrap();
            row.token();
            assert!(row.integer("k").is_err());
        }
    }

    #[test]
    fn counts_beyond_the_file_are_refused() {
        assert_eq!(plausible_count("nodes", 10, 80, 8).unwrap(), 10);
        for hostile in [11, 1 << 40, u64::MAX] {
            assert!(plausible_count("nodes", hostile, 80, 8).is_err());
        }
    }
}
