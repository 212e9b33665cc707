//! Sets of queries in files and folders.

use std::fs;
use std::path::{Path, PathBuf};

use drystone_contact::ccd::Kind;
use drystone_contact::sorting::CompactSort;

use super::{Fault, QuerySet, QuerySetError, packed, rationals};

/// The sets in files and in folders, which are searched to their depths; in each folder by name, first what the folder
/// itself holds. All CSV files of a folder that is named after a kind, as the published data have it, are one set, named
/// after the folder above it. `kind` is that of CSV files where neither file nor folder tells it.
///
/// # Errors
/// What cannot be read; a file named here that is no file of queries; a folder without any; a CSV file of no known kind.
pub fn read(paths: &[PathBuf], kind: Option<Kind>) -> Result<Vec<QuerySet>, QuerySetError> {
    let mut sets = Vec::new();
    for path in paths {
        let at = |fault| QuerySetError { file: path.clone(), fault };
        if fs::metadata(path).map_err(|error| at(error.into()))?.is_dir() {
            let before = sets.len();
            folder(path, kind, &mut sets)?;
            if sets.len() == before {
                return Err(at(Fault::Nothing));
            }
        } else if has_extension(path, "ccdq") {
            sets.push(packed::read(path)?);
        } else if has_extension(path, "csv") {
            sets.push(csv(path, kind)?);
        } else {
            return Err(at(Fault::Extension));
        }
        if sets.last().is_some_and(|set| set.queries.is_empty()) {
            return Err(at(Fault::Empty));
        }
    }
    Ok(sets)
}

/// The kind that the name of a file or folder tells: `vertex-face` or `edge-edge` in it, or `-vf` or `-ee` at its end.
pub fn kind_of_name(name: &str) -> Option<Kind> {
    let name = name.to_ascii_lowercase();
    let tells = |long: &str, short: &str| name.contains(long) || name.ends_with(short) || name == short[1..];
    match (tells("vertex-face", "-vf"), tells("edge-edge", "-ee")) {
        (true, false) => Some(Kind::VertexFace),
        (false, true) => Some(Kind::EdgeEdge),
        _ => None,
    }
}

/// The name of the set in a file: that of the file without its ending and without the kind.
pub(super) fn set_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ends = ["-vf", "-ee", "-vertex-face", "-edge-edge"];
    let cut = ends.iter().find_map(|end| stem.strip_suffix(end)).filter(|cut| !cut.is_empty());
    cut.unwrap_or(&stem).to_owned()
}

fn folder(path: &Path, kind: Option<Kind>, sets: &mut Vec<QuerySet>) -> Result<(), QuerySetError> {
    let at = |error: std::io::Error| QuerySetError { file: path.to_owned(), fault: error.into() };
    let entries = fs::read_dir(path).and_then(|all| all.map(|entry| entry.map(|e| e.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(at)?;
    entries.compact_sort();
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.is_dir());
    let is_named_after_kind = file_name(path).and_then(|name| kind_of_name(&name)).is_some();
    let mut together: Option<QuerySet> = None;
    for file in &files {
        if has_extension(file, "ccdq") {
            sets.push(packed::read(file)?);
        } else if has_extension(file, "csv") {
            let set = csv(file, kind)?;
            match &mut together {
                Some(all) if is_named_after_kind && all.kind == set.kind => {
                    all.queries.extend(set.queries);
                    all.labels.extend(set.labels);
                }
                _ => {
                    sets.extend(together.take());
                    together = Some(set);
                }
            }
        }
    }
    sets.extend(together);
    folders.iter().try_for_each(|inner| folder(inner, kind, sets))
}

/// A CSV file, whose kind its name tells, or the name of its folder, or the caller.
fn csv(path: &Path, kind: Option<Kind>) -> Result<QuerySet, QuerySetError> {
    let parent = path.parent();
    let of_file = path.file_stem().and_then(|stem| kind_of_name(&stem.to_string_lossy()));
    let of_folder = parent.and_then(file_name).and_then(|name| kind_of_name(&name));
    let kind = of_file.or(of_folder).or(kind);
    let kind = kind.ok_or_else(|| QuerySetError { file: path.to_owned(), fault: Fault::UnknownKind })?;
    let mut set = rationals::read(path, kind)?;
    if of_folder.is_some()
        && let Some(scene) = parent.and_then(Path::parent).and_then(file_name)
    {
        set.name = scene;
    }
    Ok(set)
}

/// The last part of a path, also of "." and "..".
fn file_name(path: &Path) -> Option<String> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    name(path).or_else(|| name(&fs::canonicalize(path).ok()?))
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "1,2,0,1,3,4,1\n";

    fn query() -> String {
        ROW.repeat(8)
    }

    #[test]
    fn names_tell_kinds() {
        let told = [
            ("vertex-face", Some(Kind::VertexFace)),
            ("data-ee", Some(Kind::EdgeEdge)),
            ("VF", Some(Kind::VertexFace)),
            ("my-edge-edge-queries", Some(Kind::EdgeEdge)),
            ("coffee", None),
            ("vertex-face-and-edge-edge", None),
        ];
        for (name, kind) in told {
            assert_eq!(kind_of_name(name), kind, "{name}");
        }
        assert_eq!(set_name(Path::new("a/hand-x-vf.ccdq")), "hand-x");
        assert_eq!(set_name(Path::new("-vf.ccdq")), "-vf");
    }

    #[test]
    fn folders_are_searched_in_order_and_published_ones_are_one_set_a_kind() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        for inner in ["scene/vertex-face", "scene/edge-edge", "loose"] {
            fs::create_dir_all(place(inner)).unwrap();
        }
        for (file, queries) in [
            ("scene/vertex-face/data_0_0.csv", 2),
            ("scene/vertex-face/data_0_1.csv", 1),
            ("scene/edge-edge/data_0_0.csv", 1),
            ("loose/b-vf.csv", 1),
            ("loose/a-ee.csv", 3),
        ] {
            fs::write(place(file), query().repeat(queries)).unwrap();
        }
        fs::write(place("scene/README.md"), "no queries").unwrap();
        let found = read(&[folder.path().to_owned()], None).unwrap();
        let facts: Vec<_> = found.iter().map(|s| (s.name.as_str(), s.kind, s.queries.len())).collect();
        let (vf, ee) = (Kind::VertexFace, Kind::EdgeEdge);
        assert_eq!(facts, [("a", ee, 3), ("b", vf, 1), ("scene", ee, 1), ("scene", vf, 3)]);
        assert!(found.iter().all(|set| set.check().is_ok()));
        let one = read(&[place("scene/vertex-face/data_0_1.csv")], None).unwrap();
        assert_eq!((one[0].name.as_str(), one[0].queries.len()), ("scene", 1));
    }

    #[test]
    fn what_has_no_kind_or_no_queries_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let refused = |path: PathBuf| read(&[path], None).unwrap_err().to_string();
        assert!(refused(folder.path().to_owned()).contains("there are no queries"));
        assert!(refused(place("missing.ccdq")).contains("missing.ccdq"));
        fs::write(place("x.txt"), "").unwrap();
        assert!(refused(place("x.txt")).contains("ends in .ccdq or .csv"));
        fs::write(place("x.csv"), query()).unwrap();
        assert!(refused(place("x.csv")).contains("x.csv: neither name nor folder tells the kind"));
        assert_eq!(read(&[place("x.csv")], Some(Kind::EdgeEdge)).unwrap()[0].kind, Kind::EdgeEdge);
        fs::write(place("y-vf.csv"), ROW).unwrap();
        assert!(refused(place("y-vf.csv")).contains("y-vf.csv: there are 1 rows"));
    }
}
