//! `.ccdq`: queries of one kind in binary, little endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `CCDQ1`, three zero bytes |
//! | 4 | kind: 0 vertex and face, 1 edges |
//! | 4 | n, how many queries |
//! | 192 n | 24 doubles a query: vertex and corners of the face, or the ends of one edge and of the other, at t = 0, then at t = 1; m |
//! | n | labels: 1 they meet, 0 they do not, 255 unknown; may be missing |
//! | 8 n, 8 n | lower bounds, then upper bounds, of the first time at which they meet; NaN twice where there is none; may be missing |

use std::io::Write;
use std::path::Path;

use drystone_contact::ccd::{Kind, Query};

use super::{Fault, QuerySet, QuerySetError};

const MAGIC: &[u8; 8] = b"CCDQ1\0\0\0";
const HEAD: usize = 16;
const COORDINATES: usize = 24;
const DOUBLE: usize = 8;

/// The label of what is not known.
const UNKNOWN: u8 = 255;

/// Reads a file; the set takes its name, without the kind at its end.
///
/// # Errors
/// A file that cannot be read; a head, length, label, coordinate or time that is not as it must be.
pub fn read(path: &Path) -> Result<QuerySet, QuerySetError> {
    let at = |fault| QuerySetError { file: path.to_owned(), fault };
    let bytes = std::fs::read(path).map_err(|error| at(error.into()))?;
    from_bytes(&super::files::set_name(path), &bytes).map_err(at)
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// A set that does not fit together, a place that cannot be written.
pub fn write(set: &QuerySet, path: &Path) -> Result<(), QuerySetError> {
    let at = |fault| QuerySetError { file: path.to_owned(), fault };
    let bytes = to_bytes(set).map_err(at)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let replace = || -> std::io::Result<()> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What the user's mask leaves of it, as for any new file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(&bytes)?;
        file.persist(path)?;
        Ok(())
    };
    replace().map_err(|error| at(error.into()))
}

/// The queries in the content of a file.
///
/// # Errors
/// As [`read`].
pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<QuerySet, Fault> {
    if bytes.len() >= MAGIC.len() && !bytes.starts_with(MAGIC) {
        return Err(Fault::Magic);
    }
    let Some((head, rest)) = bytes.split_at_checked(HEAD) else {
        return Err(Fault::Head(bytes.len() as u64));
    };
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let kind = match word(8) {
        0 => Kind::VertexFace,
        1 => Kind::EdgeEdge,
        other => return Err(Fault::KindNumber(other)),
    };
    let n = u64::from(word(12));
    let of_coordinates = n * (COORDINATES * DOUBLE) as u64;
    let sizes = [of_coordinates, of_coordinates + n, of_coordinates + n + 2 * n * DOUBLE as u64];
    let there = rest.len() as u64;
    if !sizes.contains(&there) {
        return Err(Fault::Length { there, queries: n, sizes });
    }
    // The file is at least this long, so the numbers fit.
    let (has_labels, has_times, n) = (there >= sizes[1], there == sizes[2] && n > 0, n as usize);
    let (coordinates, rest) = rest.split_at(n * COORDINATES * DOUBLE);
    let queries = coordinates.chunks_exact(COORDINATES * DOUBLE).map(|query| {
        let mut all = [0.0; COORDINATES];
        all.iter_mut().zip(doubles(query)).for_each(|(place, value)| *place = value);
        Query::from_coordinates(kind, &all)
    });
    let queries = queries.collect();
    let (labels, rest) = rest.split_at(if has_labels { n } else { 0 });
    let label = |(index, &label): (usize, &u8)| match label {
        0 => Ok(Some(false)),
        1 => Ok(Some(true)),
        UNKNOWN => Ok(None),
        label => Err(Fault::Label { index, label }),
    };
    let labels =
        if has_labels { labels.iter().enumerate().map(label).collect::<Result<_, _>>()? } else { vec![None; n] };
    let times = has_times.then(|| {
        let (lower, upper) = rest.split_at(n * DOUBLE);
        let both = doubles(lower).zip(doubles(upper));
        both.map(|(lower, upper)| (!(lower.is_nan() && upper.is_nan())).then_some((lower, upper))).collect()
    });
    let set = QuerySet { name: name.to_owned(), kind, queries, labels, times };
    set.check()?;
    Ok(set)
}

/// The content of a file with these queries. Labels are left out if none is known and there are no times.
///
/// # Errors
/// A set that does not fit together.
pub fn to_bytes(set: &QuerySet) -> Result<Vec<u8>, Fault> {
    set.check()?;
    let n = u32::try_from(set.queries.len()).map_err(|_| Fault::TooMany(set.queries.len()))?;
    let kind: u32 = match set.kind {
        Kind::VertexFace => 0,
        Kind::EdgeEdge => 1,
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(kind.to_le_bytes());
    bytes.extend(n.to_le_bytes());
    bytes.extend(set.queries.iter().flat_map(Query::coordinates).flat_map(f64::to_le_bytes));
    if set.times.is_some() || set.labels.iter().any(Option::is_some) {
        bytes.extend(set.labels.iter().map(|label| label.map_or(UNKNOWN, u8::from)));
    }
    if let Some(times) = &set.times {
        bytes.extend(times.iter().map(|time| time.map_or(f64::NAN, |t| t.0)).flat_map(f64::to_le_bytes));
        bytes.extend(times.iter().map(|time| time.map_or(f64::NAN, |t| t.1)).flat_map(f64::to_le_bytes));
    }
    Ok(bytes)
}

fn doubles(bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
    let double = |eight: &[u8]| eight.try_into().map_or(f64::NAN, f64::from_le_bytes);
    bytes.chunks_exact(DOUBLE).map(double)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(n: usize, kind: Kind, labels: Vec<Option<bool>>, times: Option<Vec<Option<(f64, f64)>>>) -> QuerySet {
        let coordinate = |q: usize, k: usize| libm::sin((q * COORDINATES + k) as f64) * 1e3;
        let query = |q| Query::from_coordinates(kind, &std::array::from_fn(|k| coordinate(q, k)));
        QuerySet { name: "s".into(), kind, queries: (0..n).map(query).collect(), labels, times }
    }

    fn sound() -> Vec<u8> {
        let times = vec![Some((0.25, 0.5)), None];
        to_bytes(&set(2, Kind::EdgeEdge, vec![Some(true), Some(false)], Some(times))).unwrap()
    }

    fn refused(bytes: &[u8]) -> String {
        from_bytes("s", bytes).unwrap_err().to_string()
    }

    #[test]
    fn every_length_but_three_is_refused() {
        let sound = sound();
        let with_labels = HEAD + 2 * COORDINATES * DOUBLE;
        let good = [with_labels, with_labels + 2, sound.len()];
        for length in 0..sound.len() {
            assert_eq!(from_bytes("s", &sound[..length]).is_ok(), good.contains(&length), "{length}");
        }
        assert!(refused(&sound[..10]).contains("10 bytes are less than the head"));
        assert!(refused(&sound[..300]).contains("284 bytes follow the head, but 2 queries take 384 bytes, or 386"));
        assert!(refused(&[&sound[..], &[0]].concat()).contains("419 bytes follow"));
        let mut many = sound.clone();
        many[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(refused(&many).contains("4294967295 queries"));
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let changed = |at: usize, with: &[u8]| {
            let mut bytes = sound();
            bytes[at..at + with.len()].copy_from_slice(with);
            refused(&bytes)
        };
        let labels = HEAD + 2 * COORDINATES * DOUBLE;
        assert!(changed(0, b"X").contains("does not begin as"));
        assert!(changed(8, &[2]).contains("the kind is 2"));
        assert!(changed(labels, &[7]).contains("label of query 0 is 7"));
        assert!(changed(labels, &[0]).contains("query 0 has a time of impact, but"));
        let nan = f64::NAN.to_le_bytes();
        assert!(changed(HEAD + 8 * 28, &nan).contains("query 1: coordinate y of point 1 at t = 0 is NaN"));
        assert!(changed(HEAD, &f64::INFINITY.to_le_bytes()).contains("query 0: coordinate x"));
        let far = changed(HEAD, &1e71f64.to_le_bytes());
        assert!(far.starts_with("query 0: coordinate x of point 0 at t = 0 is 1"), "{far}");
        assert!(changed(labels + 2, &nan).contains("between NaN and 0.5"));
        assert!(changed(labels + 2, &0.75f64.to_le_bytes()).contains("between 0.75 and 0.5"));
        assert!(changed(labels + 2, &(-0.1f64).to_le_bytes()).contains("between -0.1 and 0.5"));
    }

    #[test]
    fn no_queries_are_a_set() {
        let empty = set(0, Kind::VertexFace, vec![], None);
        assert_eq!(from_bytes("s", &to_bytes(&empty).unwrap()).unwrap(), empty);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            facts in proptest::collection::vec((0..3u8, proptest::option::of((0.0..1.0f64, 0.0..1.0f64))), 1..12),
            has_times: bool,
            vertex_face: bool,
        ) {
            let kind = if vertex_face { Kind::VertexFace } else { Kind::EdgeEdge };
            let labels: Vec<_> = facts.iter().map(|f| [Some(false), Some(true), None][usize::from(f.0)]).collect();
            let time = |f: &(u8, Option<(f64, f64)>)| f.1.filter(|_| f.0 != 0).map(|(a, b)| (a.min(b), a.max(b)));
            let times = has_times.then(|| facts.iter().map(time).collect());
            let set = set(facts.len(), kind, labels, times);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("s-vf.ccdq");
            write(&set, &path).unwrap();
            prop_assert_eq!(read(&path).unwrap(), set);
        }
    }
}
