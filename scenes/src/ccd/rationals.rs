//! The published format (paper, appendix A): CSV without a head, eight rows a query, one a point: numerator and
//! denominator of x, y and z, then whether they meet, the same in all eight rows. Without truth a row has six cells.
//!
//! The points of a query are those of a `.ccdq` file in the same order: all at t = 0, then all at t = 1.

use std::io::Read;
use std::path::Path;

use csv::StringRecord;
use drystone_contact::ccd::{Kind, Query};

use super::exact_double::exact_double;
use super::{Fault, QuerySet, QuerySetError};

/// Rows a query.
const POINTS: usize = 8;

/// How much of a long number an error quotes.
const QUOTED: usize = 40;

/// Reads a file; the set takes the name of the file, without the kind at its end.
///
/// # Errors
/// A file that cannot be read; a row, number, truth or number of rows that is not as it must be.
pub fn read(path: &Path, kind: Kind) -> Result<QuerySet, QuerySetError> {
    let at = |fault| QuerySetError { file: path.to_owned(), fault };
    let file = std::fs::File::open(path).map_err(|error| at(error.into()))?;
    from_reader(&super::files::set_name(path), kind, std::io::BufReader::new(file)).map_err(at)
}

/// The queries in the content of a file.
///
/// # Errors
/// As [`read`].
pub fn from_reader(name: &str, kind: Kind, source: impl Read) -> Result<QuerySet, Fault> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(source);
    let mut set = QuerySet { name: name.to_owned(), kind, queries: Vec::new(), labels: Vec::new(), times: None };
    let mut coordinates = [0.0; 3 * POINTS];
    let (mut rows, mut columns, mut truth) = (0, None, None);
    let mut record = StringRecord::new();
    while reader.read_record(&mut record)? {
        let line = record.position().map_or(0, csv::Position::line);
        let here = record.len();
        if !(6..=7).contains(&here) {
            return Err(Fault::Columns { line, columns: here });
        }
        let before = *columns.get_or_insert(here);
        if here != before {
            return Err(Fault::Ragged { line, columns: here, before });
        }
        let point = rows % POINTS;
        for (axis, place) in coordinates[3 * point..3 * point + 3].iter_mut().enumerate() {
            *place = coordinate(&record, line, axis)?;
        }
        let this = record.get(6).map(|cell| truth_of(cell, line)).transpose()?;
        if point > 0
            && let (Some(value), Some(before)) = (this, truth)
            && value != before
        {
            return Err(Fault::TwoTruths { line, value: u8::from(value), before: u8::from(before) });
        }
        truth = this;
        rows += 1;
        if point + 1 == POINTS {
            let query = Query::from_coordinates(kind, &coordinates);
            query.check().map_err(|source| Fault::Query { index: set.queries.len(), source })?;
            set.queries.push(query);
            set.labels.push(truth);
        }
    }
    if !rows.is_multiple_of(POINTS) {
        return Err(Fault::Rows { rows });
    }
    Ok(set)
}

fn coordinate(record: &StringRecord, line: u64, axis: usize) -> Result<f64, Fault> {
    let [n, d] = [2 * axis, 2 * axis + 1].map(|k| record.get(k).unwrap_or_default());
    let cut = |text: &str| match text.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    };
    exact_double(n, d).map_err(|source| Fault::Coordinate {
        line,
        axis: ["x", "y", "z"][axis],
        numerator: cut(n),
        denominator: cut(d),
        source,
    })
}

fn truth_of(cell: &str, line: u64) -> Result<bool, Fault> {
    match cell {
        "0" => Ok(false),
        "1" => Ok(true),
        other => Err(Fault::Truth { line, value: other.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of `queries` queries, point p of query q at (p/2, −q, 3/4).
    fn rows(queries: usize, truth: Option<&str>) -> Vec<String> {
        let row = |q: usize, p: usize| match truth {
            Some(truth) => format!("{p},2,-{q},1,3,4,{truth}"),
            None => format!("{p},2,-{q},1,3,4"),
        };
        (0..queries).flat_map(|q| (0..POINTS).map(move |p| row(q, p))).collect()
    }

    fn read(rows: &[String]) -> Result<QuerySet, Fault> {
        from_reader("s", Kind::EdgeEdge, rows.join("\n").as_bytes())
    }

    fn refused(line: usize, with: &str) -> String {
        let mut rows = rows(2, Some("1"));
        rows[line - 1] = with.to_owned();
        read(&rows).unwrap_err().to_string()
    }

    #[test]
    fn eight_rows_are_a_query() {
        let set = read(&rows(2, Some("1"))).unwrap();
        assert_eq!(set.labels, [Some(true); 2]);
        assert_eq!(set.queries[1].start[3].to_array(), [1.5, -1.0, 0.75]);
        assert_eq!(set.queries[1].end[0].to_array(), [2.0, -1.0, 0.75]);
        assert_eq!(set.check(), Ok(()));
        assert_eq!(read(&rows(1, None)).unwrap().labels, [None]);
        assert_eq!(read(&[]).unwrap().queries.len(), 0);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        assert!(refused(3, "1,2,3").starts_with("line 3: 3 cells; there must be 6"));
        assert!(refused(4, "1,2,0,1,3,4").starts_with("line 4: 6 cells, but 7 in the rows before"));
        assert!(refused(5, "1,2,x,1,3,4,1").starts_with("line 5: y is x/1: the numerator is not a whole number"));
        assert!(refused(6, "1,2,0,1,3,0,1").starts_with("line 6: z is 3/0: the denominator is zero"));
        assert!(refused(7, "1,3,0,1,3,4,1").starts_with("line 7: x is 1/3: the value is not exactly a double"));
        assert!(refused(8, "1,2,0,1,3,4,0").starts_with("line 8: the truth is 0, but 1 in the row before"));
        assert!(refused(9, "1,2,0,1,3,4,yes").starts_with("line 9: the truth is \"yes\""));
        let long = format!("{},3,0,1,3,4,1", "7".repeat(500));
        assert!(refused(2, &long).contains(&format!("x is {}…/3", "7".repeat(QUOTED))));
        assert!(read(&rows(2, Some("0"))[..15]).unwrap_err().to_string().starts_with("there are 15 rows"));
    }

    #[test]
    fn a_coordinate_that_no_query_may_have_is_refused() {
        let mut rows = rows(1, None);
        rows[4] = format!("1{},1,0,1,3,4", "0".repeat(22));
        assert!(read(&rows).is_ok(), "1e22 is a double");
        rows[4] = format!("{},1,0,1,3,4", dashu_int::IBig::ONE << 300);
        assert!(read(&rows).unwrap_err().to_string().starts_with("query 0: coordinate x of point 0 at t = 1"));
    }
}
