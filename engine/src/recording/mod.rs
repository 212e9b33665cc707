//! Recordings: what a simulator did, to the last bit, so that it can be done again, verified and resumed.
//!
//! A [`Recorder`] makes the steps of any [`Simulator`](crate::simulator::Simulator) and writes them down; a
//! [`Recording`] is what it wrote; a [`Replay`] makes the steps again, on any number of threads, and stops at the
//! first bit that differs. The format is described in `docs/recordings.md`.
//!
//! ```
//! use drystone_engine::recording::{Recorder, Recording, RecordingSettings};
//! use drystone_engine::{Friction, Interaction, Pose, Solid, World};
//! use glam::DVec3;
//!
//! let mut world = World::default();
//! let stone = world.materials_mut().add("stone")?;
//! world.materials_mut().set(stone, stone, Interaction::dry(Friction::isotropic(0.6)))?;
//! let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//! world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
//! let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
//! let falling = world.add(cube.dynamic(stone, Pose::from_translation(DVec3::Y * 0.6))?)?;
//!
//! let mut recorder = Recorder::new(Vec::new(), &world, &RecordingSettings::default())?;
//! for _ in 0..20 {
//!     // Whatever is done to the world is found out and written down.
//!     world.apply_force(falling, DVec3::X * 100.0)?;
//!     recorder.step(&mut world)?;
//! }
//! let bytes = recorder.end()?;
//!
//! let mut recording = Recording::new(std::io::Cursor::new(bytes))?;
//! let mut replay = recording.replay()?;
//! while replay.step()?.is_some() {}
//! assert_eq!(replay.simulator().bodies(), world.bodies());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digest;
mod error;
mod frame;
mod header;
mod keyframe;
mod part_file;
mod reader;
mod recorder;
mod replay;
mod step_record;

pub use digest::Digest;
pub use error::{RecordError, RecordingError, ReplayError};
pub use frame::{FrameError, FrameKind, FramePosition, FrameReader, FrameWriter, MAGIC};
pub use header::{Header, PROGRAM, RecordingSettings};
pub use keyframe::{Keyframe, Push, SnapshotReason};
pub use part_file::PartFile;
pub use reader::Recording;
pub use recorder::Recorder;
pub use replay::Replay;
pub use step_record::{BodyState, Difference, StepRecord, VertexState};
