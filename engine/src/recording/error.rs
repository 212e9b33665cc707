//! What can go wrong with a recording.

use std::io;
use std::path::PathBuf;

use super::frame::FrameError;
use super::step_record::Difference;
use crate::simulator::SimulatorError;

/// What the system says, without what an error of reading adds to it.
fn of_system(error: &FrameError) -> String {
    match error {
        FrameError::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// What keeps a recording from being written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The simulator did not step. The recording is as it was and can go on.
    #[error(transparent)]
    Step(#[from] SimulatorError),
    /// The recording cannot be written.
    #[error("the recording cannot be written: {}", of_system(.0))]
    Write(#[from] FrameError),
    /// The simulator cannot be put into bytes.
    #[error("the recording cannot be written: {0}")]
    Encode(#[from] postcard::Error),
    /// The header could not be read back.
    #[error("the settings of the simulator cannot be written down: {0}; all of them have to be finite")]
    Header(String),
    /// Another run is writing the file, or was killed while it did.
    #[error(
        "{} is there: another run is writing it, or was killed while it did. It can be read like a recording; move it \
         away or remove it", part.display()
    )]
    PartIsThere {
        /// The path of the part.
        part: PathBuf,
    },
    /// A step of another simulator, or one that was not made by the recorder.
    #[error(
        "the simulator has made {found} steps where the recording stands at {expected}; let the recorder make every step"
    )]
    Steps {
        /// The steps that are recorded.
        expected: u64,
        /// The steps that the simulator has made.
        found: u64,
    },
}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> Self {
        Self::Write(error.into())
    }
}

/// What is wrong with a recording that is read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The frames are damaged.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A whole frame holds what it should not.
    #[error("frame {frame} at byte {at} is whole, but {what}")]
    Content {
        /// From zero.
        frame: usize,
        /// Where the frame begins, bytes from the start of the file.
        at: u64,
        /// What is wrong.
        what: String,
    },
    /// A step that the recording does not hold.
    #[error("there is no step {step}: the recording can go on with steps {first} to {last}")]
    NoStep {
        /// The step asked for.
        step: u64,
        /// The first step that can be resumed.
        first: u64,
        /// The last step that can be resumed, one more than the last recorded one.
        last: u64,
    },
}

impl From<io::Error> for RecordingError {
    fn from(error: io::Error) -> Self {
        Self::Frame(error.into())
    }
}

/// What ends a replay before its time.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The recording is damaged.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The simulator could not make a step that it made when it was recorded.
    #[error("step {step} was recorded, but now it fails: {source}")]
    Step {
        /// From 1.
        step: u64,
        /// What is wrong.
        source: SimulatorError,
    },
    /// The replay took another way than the recording.
    #[error("the replay differs from the recording: {0}")]
    Differs(Box<Difference>),
}
