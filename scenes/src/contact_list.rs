//! Lists of contacts as CSV: what `drystone contacts` writes and `drystone score` reads.
//!
//! Columns: `body_a, body_b, px, py, pz, nx, ny, nz, gap, feature_a, feature_b`. Bodies by number from 0 or by name;
//! position in m, normal from A to B, gap in m (positive apart), all in the world frame. A reader needs the bodies, the
//! position and the normal; gap and features may be missing or empty. Features are written as `vertex 3`, `edge 7`,
//! `face 2` or `tetrahedron 0`. A list that a filter judged has a last column `verdict`: `kept`, `rejected by a`,
//! `rejected by b`, `rejected by both` or `merged into 3` (a row from 0); readers do not look at it.

use std::io::{Read, Write};

use drystone_contact::generator::cone_filter::Verdict;
use drystone_contact::{Contact, Feature};
use drystone_engine::{BodyId, ContactBetween};
use glam::DVec3;

use crate::scene::Scene;

const COLUMNS: [&str; 11] = ["body_a", "body_b", "px", "py", "pz", "nx", "ny", "nz", "gap", "feature_a", "feature_b"];

/// Why a list of contacts cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ContactListError {
    /// The text is no CSV, or it cannot be read or written.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A column is not there.
    #[error("there is no column \"{column}\"; needed are {}, optional {}", COLUMNS[..8].join(", "), COLUMNS[8..].join(", "))]
    MissingColumn {
        /// Its name.
        column: &'static str,
    },
    /// A row is too short.
    #[error("line {line}: there is no value for \"{column}\"; the file may be truncated")]
    MissingValue {
        /// From 1.
        line: u64,
        /// The column.
        column: &'static str,
    },
    /// A cell is not a finite number.
    #[error("line {line}: {column} is \"{value}\"; it must be a finite number")]
    Number {
        /// From 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What stands there.
        value: String,
    },
    /// A body that the scene does not have.
    #[error("line {line}: {column} is \"{value}\"; the scene \"{scene}\" has the bodies {known}")]
    Body {
        /// From 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What stands there.
        value: String,
        /// The scene.
        scene: String,
        /// Numbers and names of its bodies.
        known: String,
    },
    /// A contact of a body with itself.
    #[error("line {line}: body_a and body_b are both {body}; a contact lies between two bodies")]
    OneBody {
        /// From 1.
        line: u64,
        /// Its name.
        body: String,
    },
    /// A normal without a direction.
    #[error("line {line}: the normal is zero; give the unit direction from A to B")]
    ZeroNormal {
        /// From 1.
        line: u64,
    },
    /// A column that stands twice.
    #[error("the column \"{column}\" stands twice; leave one of them out")]
    RepeatedColumn {
        /// Its name.
        column: &'static str,
    },
    /// A row with more cells than the header.
    #[error("line {line}: {found} cells, but the header names {expected} columns")]
    ExtraCells {
        /// From 1.
        line: u64,
        /// Cells found.
        found: usize,
        /// Columns named.
        expected: usize,
    },
    /// A feature that is none.
    #[error(
        "line {line}: {column} is \"{value}\"; write it as \"vertex 3\", \"edge 7\", \"face 2\" or \"tetrahedron 0\""
    )]
    Feature {
        /// From 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// What stands there.
        value: String,
    },
}

/// Writes the contacts with all digits, so that reading gives the same numbers.
///
/// # Errors
/// [`ContactListError::Csv`] if the writer fails.
pub fn write(contacts: &[ContactBetween], to: impl Write) -> Result<(), ContactListError> {
    write_rows(contacts, &[], to)
}

/// The same with the verdict of a filter on each contact, one a contact.
///
/// # Errors
/// [`ContactListError::Csv`] if the writer fails or a contact has no verdict.
pub fn write_judged(contacts: &[ContactBetween], verdicts: &[Verdict], to: impl Write) -> Result<(), ContactListError> {
    write_rows(contacts, &[verdicts], to)
}

fn write_rows(contacts: &[ContactBetween], judged: &[&[Verdict]], to: impl Write) -> Result<(), ContactListError> {
    let mut writer = csv::Writer::from_writer(to);
    writer.write_record(COLUMNS.into_iter().chain(judged.iter().map(|_| "verdict")))?;
    for (k, ContactBetween { a, b, contact }) in contacts.iter().enumerate() {
        let (p, n) = (contact.position, contact.normal);
        let mut record = vec![a.index().to_string(), b.index().to_string()];
        record.extend([p.x, p.y, p.z, n.x, n.y, n.z, contact.gap].map(|x| x.to_string()));
        record.extend([contact.feature_a, contact.feature_b].map(feature_name));
        record.extend(judged.iter().filter_map(|verdicts| verdicts.get(k)).map(ToString::to_string));
        writer.write_record(record)?;
    }
    writer.flush().map_err(csv::Error::from)?;
    Ok(())
}

/// Reads contacts between bodies of a scene. A missing gap is 0, a missing feature the tetrahedron 0.
///
/// # Errors
/// [`ContactListError`], which names the line.
pub fn read(from: impl Read, scene: &Scene) -> Result<Vec<ContactBetween>, ContactListError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(from);
    let header = reader.headers()?.clone();
    let place = COLUMNS.map(|column| header.iter().position(|name| name == column));
    if let Some(column) = COLUMNS.into_iter().find(|c| header.iter().filter(|name| name == c).count() > 1) {
        return Err(ContactListError::RepeatedColumn { column });
    }
    for (column, place) in COLUMNS.iter().zip(place).take(8) {
        if place.is_none() {
            return Err(ContactListError::MissingColumn { column });
        }
    }
    let mut contacts = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() > header.len() {
            return Err(ContactListError::ExtraCells { line, found: record.len(), expected: header.len() });
        }
        let cell = |k: usize| place[k].and_then(|i| record.get(i)).unwrap_or_default();
        let number = |k: usize| {
            let value = cell(k);
            let column = COLUMNS[k];
            match value.parse::<f64>() {
                Ok(x) if x.is_finite() => Ok(x),
                _ if value.is_empty() => Err(ContactListError::MissingValue { line, column }),
                _ => Err(ContactListError::Number { line, column, value: value.into() }),
            }
        };
        let body = |k: usize| find_body(cell(k), scene).ok_or_else(|| unknown_body(line, COLUMNS[k], cell(k), scene));
        let feature = |k: usize| match cell(k) {
            "" => Ok(Feature::Tetrahedron(0)),
            value => parse_feature(value).ok_or_else(|| ContactListError::Feature {
                line,
                column: COLUMNS[k],
                value: value.into(),
            }),
        };
        let contact = Contact {
            position: DVec3::new(number(2)?, number(3)?, number(4)?),
            normal: DVec3::new(number(5)?, number(6)?, number(7)?),
            gap: if cell(8).is_empty() { 0.0 } else { number(8)? },
            feature_a: feature(9)?,
            feature_b: feature(10)?,
        };
        let (a, b) = (body(0)?, body(1)?);
        if a == b {
            return Err(ContactListError::OneBody { line, body: scene.bodies[a.index()].name.clone() });
        }
        if contact.normal == DVec3::ZERO {
            return Err(ContactListError::ZeroNormal { line });
        }
        contacts.push(ContactBetween { a, b, contact });
    }
    Ok(contacts)
}

fn find_body(value: &str, scene: &Scene) -> Option<BodyId> {
    let by_name = scene.bodies.iter().position(|b| b.name == value);
    let by_number = || value.parse::<usize>().ok().filter(|&i| i < scene.bodies.len());
    by_name.or_else(by_number).map(|i| BodyId::new(i as u32))
}

fn unknown_body(line: u64, column: &'static str, value: &str, scene: &Scene) -> ContactListError {
    let known: Vec<String> = scene.bodies.iter().enumerate().map(|(i, b)| format!("{i} ({})", b.name)).collect();
    let (value, scene, known) = (value.into(), scene.name.clone(), known.join(", "));
    ContactListError::Body { line, column, value, scene, known }
}

/// How a feature is written.
pub fn feature_name(feature: Feature) -> String {
    match feature {
        Feature::Vertex(i) => format!("vertex {i}"),
        Feature::Edge(i) => format!("edge {i}"),
        Feature::Face(i) => format!("face {i}"),
        Feature::Tetrahedron(i) => format!("tetrahedron {i}"),
        Feature::Facet(i) => format!("facet {i}"),
        Feature::FacetEdge(i) => format!("facet edge {i}"),
        Feature::FacetVertex(i) => format!("facet vertex {i}"),
        Feature::PieceFace(i) => format!("piece face {i}"),
        Feature::PieceEdge(i) => format!("piece edge {i}"),
        Feature::PieceVertex(i) => format!("piece vertex {i}"),
        Feature::Surface(i) => format!("surface {i}"),
        Feature::Overlap(i) => format!("overlap {i}"),
    }
}

/// The feature of a text; `None` if it is none.
pub(crate) fn parse_feature(text: &str) -> Option<Feature> {
    let (kind, number) = text.rsplit_once(' ')?;
    let number = number.trim().parse().ok()?;
    match kind {
        "surface" => Some(Feature::Surface(number)),
        "overlap" => Some(Feature::Overlap(number)),
        "vertex" => Some(Feature::Vertex(number)),
        "edge" => Some(Feature::Edge(number)),
        "face" => Some(Feature::Face(number)),
        "tetrahedron" => Some(Feature::Tetrahedron(number)),
        "facet" => Some(Feature::Facet(number)),
        "facet edge" => Some(Feature::FacetEdge(number)),
        "facet vertex" => Some(Feature::FacetVertex(number)),
        "piece face" => Some(Feature::PieceFace(number)),
        "piece edge" => Some(Feature::PieceEdge(number)),
        "piece vertex" => Some(Feature::PieceVertex(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Case, Model};
    use crate::detection::{Moment, detect};
    use drystone_contact::generator::methods;
    use drystone_replica::Variant;

    fn scene() -> Scene {
        Case::Spikes.scene(Model::Procedural, None).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        for method in methods::all() {
            let contacts = detect(&scene(), &Variant::Published.of(&method), Moment::Step(1)).unwrap().contacts;
            let mut text = Vec::new();
            write(&contacts, &mut text).unwrap();
            assert_eq!(read(&text[..], &scene()).unwrap(), contacts, "{method}");
        }
    }

    #[test]
    fn verdicts_stand_beside_contacts_that_are_read_back() {
        let contacts = detect(&scene(), &methods::volume_sat(), Moment::Step(1)).unwrap().contacts;
        let verdicts: Vec<Verdict> = (0..contacts.len()).map(|into| Verdict::Merged { into }).collect();
        let mut text = Vec::new();
        write_judged(&contacts, &verdicts, &mut text).unwrap();
        assert_eq!(read(&text[..], &scene()).unwrap(), contacts);
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().next().unwrap().ends_with(",feature_b,verdict"));
        assert!(text.lines().nth(2).unwrap().ends_with(",merged into 1"));
        assert!(write_judged(&contacts, &verdicts[1..], Vec::new()).is_err(), "a verdict is missing");
    }

    #[test]
    fn names_and_missing_columns_are_fine() {
        let text = "nx,ny,nz,px,py,pz,body_a,body_b\n0,1,0, 1.5,2,3,upper spike,1\n";
        let contacts = read(text.as_bytes(), &scene()).unwrap();
        assert_eq!(contacts[0].contact.position, DVec3::new(1.5, 2.0, 3.0));
        assert_eq!((contacts[0].a.index(), contacts[0].b.index(), contacts[0].contact.gap), (0, 1, 0.0));
    }

    #[test]
    fn errors_name_the_line_and_the_value() {
        let header = "body_a,body_b,px,py,pz,nx,ny,nz,gap,feature_a,feature_b\n";
        let message = |text: String| read(text.as_bytes(), &scene()).unwrap_err().to_string();
        let row = |row: &str| message(format!("{header}0,1,0,0,0,0,1,0,0,,\n{row}\n"));
        assert!(row("0,7,0,0,0,0,1,0,0,,").contains("line 3: body_b is \"7\""), "{}", row("0,7,0,0,0,0,1,0,0,,"));
        assert!(row("0,1,0,0,0,0,nan,0,0,,").contains("line 3: ny is \"nan\""));
        assert!(row("0,1,0,0").contains("line 3: there is no value for \"pz\""));
        assert!(row("0,0,0,0,0,0,1,0,0,,").contains("line 3: body_a and body_b are both upper spike"));
        assert!(row("0,1,0,0,0,0,0,0,0,,").contains("line 3: the normal is zero"));
        assert!(row("0,1,0,0,0,0,1,0,0,,,,").contains("line 3: 13 cells"));
        assert!(message("body_a,body_b,px,px,py,pz,nx,ny,nz\n".into()).contains("\"px\" stands twice"));
        assert!(row("0,1,0,0,0,0,1,0,0,corner 3,").contains("corner 3"));
        assert!(message("body_a,body_b,px\n".into()).contains("no column \"py\""));
        assert!(message(String::new()).contains("no column \"body_a\""));
    }
}
