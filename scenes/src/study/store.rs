//! Records of finished runs in a folder, one file each: what is there need not be run again.
//!
//! A file is written beside its place and renamed, so that it is whole or not there. It says by which run and which
//! version of the program it was made, and what was found, in JSON with all digits: reading gives the same numbers.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use drystone_contact::Contact;
use drystone_engine::{BodyId, ContactBetween, Pose};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::run::{Record, Run, RunError};
use crate::contact_list::{feature_name, parse_feature};
use crate::job::program;

/// The name of the format.
const FORMAT: &str = "drystone.run/1";

/// A folder of records.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// Why a record cannot be kept or taken.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or file cannot be written.
    #[error("{path} cannot be written: {source}")]
    Write {
        /// The place.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be read.
    #[error("{path} cannot be read: {source}")]
    Read {
        /// The place.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not what this program writes.
    #[error("{path} is damaged: {reason}; remove it, and the run is made again")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The file belongs to another run.
    #[error("{path} was made with other settings ({differences}); use another folder, or remove it")]
    OtherSettings {
        /// The file.
        path: String,
        /// What differs: there, and asked for.
        differences: String,
    },
    /// A number that no file can hold.
    #[error("{path} is not written: contact {contact} has a number that is not finite")]
    NotFinite {
        /// The file.
        path: String,
        /// The contact, from 0.
        contact: usize,
    },
    /// The run's own scene cannot be made.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    program: String,
    run: serde_json::Value,
    counts: Vec<usize>,
    contacts: Vec<Row>,
    /// Position x y z, orientation s x y z.
    poses: Vec<[f64; 7]>,
}

/// Bodies A and B; position and normal; gap; features of A and B.
#[derive(Serialize, Deserialize)]
struct Row(u32, u32, [f64; 3], [f64; 3], f64, String, String);

/// What comes before the rest is read.
#[derive(Deserialize)]
struct Header {
    format: String,
    program: String,
    run: serde_json::Value,
}

impl Store {
    /// Opens a folder, which is made if it is not there.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(|source| StoreError::Write { path: name(&folder), source })?;
        Ok(Store { folder })
    }

    /// The record of a run, if it is there.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or was made by another run or program.
    pub fn load(&self, run: &Run) -> Result<Option<Record>, StoreError> {
        let place = self.folder.join(run.file_name());
        let bytes = match fs::read(&place) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(StoreError::Read { path: name(&place), source }),
        };
        let damaged = |reason: String| StoreError::Damaged { path: name(&place), reason };
        let text = std::str::from_utf8(&bytes).map_err(|e| damaged(e.to_string()))?;
        let header: Header = serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?;
        if header.format != FORMAT {
            return Err(damaged(format!("its format is \"{}\" instead of \"{FORMAT}\"", header.format)));
        }
        let mut differences = differences(&header.run, run);
        if header.program != program() {
            differences.push(format!("program {} instead of {}", header.program, program()));
        }
        if !differences.is_empty() {
            return Err(StoreError::OtherSettings { path: name(&place), differences: differences.join(", ") });
        }
        let document: Document = serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?;
        record(document, run, run.scene()?.bodies.len()).map(Some).map_err(damaged)
    }

    /// Keeps the record of a run.
    ///
    /// # Errors
    /// [`StoreError::Write`], [`StoreError::NotFinite`].
    pub fn save(&self, run: &Run, record: &Record) -> Result<(), StoreError> {
        let path = self.folder.join(run.file_name());
        let is_finite = |c: &ContactBetween| {
            c.contact.position.is_finite() && c.contact.normal.is_finite() && c.contact.gap.is_finite()
        };
        if let Some(contact) = record.contacts.iter().position(|c| !is_finite(c)) {
            return Err(StoreError::NotFinite { path: name(&path), contact });
        }
        let row = |ContactBetween { a, b, contact: c }: &ContactBetween| {
            let (a, b) = (a.index() as u32, b.index() as u32);
            let (feature_a, feature_b) = (feature_name(c.feature_a), feature_name(c.feature_b));
            Row(a, b, c.position.to_array(), c.normal.to_array(), c.gap, feature_a, feature_b)
        };
        let pose = |pose: &Pose| {
            let (p, q) = (pose.translation, pose.rotation);
            [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
        };
        let failed = |source| StoreError::Write { path: name(&path), source };
        let document = Document {
            format: FORMAT.into(),
            program: program().into(),
            run: serde_json::to_value(run).map_err(|e| failed(e.into()))?,
            counts: record.counts.clone(),
            contacts: record.contacts.iter().map(row).collect(),
            poses: record.poses.iter().map(pose).collect(),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What the user's mask leaves of it, as for any new file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(&self.folder).map_err(failed)?;
        serde_json::to_writer(&mut file, &document).map_err(|e| failed(e.into()))?;
        file.write_all(b"\n").map_err(failed)?;
        file.persist(&path).map_err(|e| failed(e.error))?;
        Ok(())
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// What differs between the settings in a file and those asked for.
fn differences(there: &serde_json::Value, run: &Run) -> Vec<String> {
    let asked = serde_json::to_value(run).unwrap_or_default();
    let fields = |value: &serde_json::Value| value.as_object().map(|o| o.keys().cloned().collect()).unwrap_or_default();
    let mut names: Vec<String> = fields(&asked);
    names.extend(fields(there).into_iter().filter(|name| asked.get(name).is_none()));
    let none = serde_json::Value::Null;
    let of = |value: &serde_json::Value, name: &str| value.get(name).unwrap_or(&none).clone();
    let differ = names.into_iter().filter(|name| of(there, name) != of(&asked, name));
    differ.map(|name| format!("{name} {} instead of {}", of(there, &name), of(&asked, &name))).collect()
}

/// The record in a file, or what is wrong with it.
fn record(document: Document, run: &Run, bodies: usize) -> Result<Record, String> {
    let Document { counts, contacts, poses, .. } = document;
    if counts.len() != run.steps {
        return Err(format!("it has counts of {} steps instead of {}", counts.len(), run.steps));
    }
    if counts.last() != Some(&contacts.len()) {
        return Err(format!("it has {} contacts, but counts {:?} in the last step", contacts.len(), counts.last()));
    }
    if poses.len() != bodies {
        return Err(format!("it has poses of {} bodies, but the scene has {bodies}", poses.len()));
    }
    let contact = |(k, row): (usize, Row)| {
        let Row(a, b, position, normal, gap, feature_a, feature_b) = row;
        if a == b || a.max(b) as usize >= bodies {
            return Err(format!("contact {k} lies between bodies {a} and {b} of {bodies}"));
        }
        let feature = |text: &str| parse_feature(text).ok_or(format!("contact {k} has the feature \"{text}\""));
        let (feature_a, feature_b) = (feature(&feature_a)?, feature(&feature_b)?);
        let (position, normal) = (DVec3::from_array(position), DVec3::from_array(normal));
        let contact = Contact { position, normal, gap, feature_a, feature_b };
        Ok(ContactBetween { a: BodyId::new(a), b: BodyId::new(b), contact })
    };
    let contacts = contacts.into_iter().enumerate().map(contact).collect::<Result<_, String>>()?;
    let pose = |[x, y, z, s, i, j, k]: [f64; 7]| Pose::from_parts(DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, s));
    Ok(Record { counts, contacts, poses: poses.into_iter().map(pose).collect() })
}
