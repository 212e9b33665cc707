//! Checkpoints of simulations: one file a job, whole or not there, from which the job goes on with the same bits.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use drystone_contact::generator::Registry;
use drystone_engine::World;
use drystone_engine::world::snapshot::Snapshot;

use super::JobError;
use super::simulated::Tally;

/// What the files begin with: a name and the number of the form.
const MARK: &[u8] = b"drystone checkpoint 1\n";

/// Where simulations leave checkpoints. A job has the file ID.checkpoint, which is gone when the job is done.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    every: u64,
}

impl Checkpoints {
    /// In a folder, which is made if it is not there, after every `every`-th step, at least 1.
    ///
    /// # Errors
    /// [`JobError::Checkpoint`], [`JobError::Field`].
    pub fn new(folder: impl Into<PathBuf>, every: u64) -> Result<Self, JobError> {
        let folder = folder.into();
        if every == 0 {
            return Err(JobError::Field {
                field: "the number of steps between checkpoints",
                problem: "is 0; it must be at least 1".into(),
            });
        }
        fs::create_dir_all(&folder).map_err(|error| wrong(&folder, format!("the folder cannot be made: {error}")))?;
        Ok(Self { folder, every })
    }
}

/// The checkpoints of one job.
pub(super) struct Stretch {
    path: PathBuf,
    every: u64,
}

impl Stretch {
    pub(super) fn new(checkpoints: &Checkpoints, id: &str) -> Self {
        Self { path: checkpoints.folder.join(format!("{id}.checkpoint")), every: checkpoints.every }
    }

    pub(super) fn every(&self) -> u64 {
        self.every
    }

    /// The world as it was, if there is a checkpoint.
    pub(super) fn load(&self, registry: &Registry) -> Result<Option<(World, Tally)>, JobError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(&self.path, format!("it cannot be read: {error}"))),
        };
        let damaged = || wrong(&self.path, "it is damaged; remove it, and the job begins again".into());
        let rest = bytes.strip_prefix(MARK).ok_or_else(damaged)?;
        let (sum, body) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let (snapshot, tally): (Snapshot, Tally) = postcard::from_bytes(body).map_err(|_| damaged())?;
        let world = World::from_snapshot(&snapshot, registry).map_err(|error| wrong(&self.path, error.to_string()))?;
        Ok(Some((world, tally)))
    }

    pub(super) fn save(&self, world: &World, tally: &Tally) -> Result<(), JobError> {
        let failed = |error: String| wrong(&self.path, format!("it cannot be written: {error}"));
        let body = postcard::to_stdvec(&(world.snapshot(), tally)).map_err(|error| failed(error.to_string()))?;
        let written = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(self.path.parent().unwrap_or(Path::new(".")))?;
            file.write_all(MARK)?;
            file.write_all(&crc32fast::hash(&body).to_le_bytes())?;
            file.write_all(&body)?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(|error| failed(error.to_string()))
    }

    /// The job is done. A file that cannot be removed does no harm: the job would find its end again.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn wrong(path: &Path, problem: String) -> JobError {
    JobError::Checkpoint { path: path.display().to_string(), problem }
}
