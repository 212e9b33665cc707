//! Who made a recording, of what, and how.

use serde::{Deserialize, Serialize};

use super::error::RecordError;
use crate::ccd::CcdSettings;
use crate::simulator::backtracking::BacktrackingSettings;
use crate::simulator::{Simulator, SimulatorKind, SimulatorSnapshot};
use crate::world::snapshot::SettingsRecord;

/// What the user says about a recording, and how often it holds a whole snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingSettings {
    /// The name of the scene; may be empty.
    pub scene: String,
    /// The names of the bodies that are there at the start, in the order of [`Simulator::handles`]; may be left out.
    pub bodies: Vec<String>,
    /// Anything else.
    pub note: String,
    /// A keyframe, which is a whole snapshot of the simulator, follows every so many steps; 0 for the one at the start alone.
    pub keyframes: u64,
}

impl Default for RecordingSettings {
    /// Nameless, a keyframe every 100 steps.
    fn default() -> Self {
        Self { scene: String::new(), bodies: Vec::new(), note: String::new(), keyframes: 100 }
    }
}

/// The first frame of a recording, as JSON: so that it can be read by eye.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The program that wrote it: `drystone-engine` and its version.
    pub program: String,
    /// The name of the scene.
    pub scene: String,
    /// The name of the method by which contacts are found; older recordings leave out one that was in no registry.
    pub method: Option<String>,
    /// The variant of the method.
    pub variant: Option<String>,
    /// How a world steps at the start. For people: snapshots hold them to the last bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<SettingsRecord>,
    /// A keyframe every so many steps.
    pub keyframes: u64,
    /// The names of the bodies at the start.
    pub bodies: Vec<String>,
    /// Anything else.
    pub note: String,
    /// Continuous collision detection, if the world has it at the start.
    #[serde(default, alias = "impact_limit", skip_serializing_if = "Option::is_none")]
    pub ccd: Option<CcdSettings>,
    /// The simulator that made it; left out for the time-stepping one, as in recordings of before there was another.
    #[serde(default, skip_serializing_if = "is_time_stepping")]
    pub simulator: SimulatorKind,
    /// How the backtracking simulator steps at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backtracking: Option<BacktrackingSettings>,
}

fn is_time_stepping(kind: &SimulatorKind) -> bool {
    *kind == SimulatorKind::TimeStepping
}

/// This program and its version.
pub const PROGRAM: &str = concat!("drystone-engine ", env!("CARGO_PKG_VERSION"));

impl Header {
    pub(super) fn new(simulator: &dyn Simulator, settings: &RecordingSettings) -> Self {
        let RecordingSettings { scene, bodies, note, keyframes } = settings.clone();
        let [method, variant] =
            [simulator.method().name(), simulator.method().variant()].map(|name| Some(name.to_owned()));
        let (settings, ccd, backtracking) = match simulator.snapshot() {
            SimulatorSnapshot::TimeStepping(world) => (Some(world.settings), world.ccd, None),
            SimulatorSnapshot::Backtracking(snapshot) => (None, None, Some(snapshot.settings)),
            SimulatorSnapshot::Asynchronous(_) => (None, None, None),
        };
        Self {
            program: PROGRAM.to_owned(),
            scene,
            method,
            variant,
            settings,
            keyframes,
            bodies,
            note,
            ccd,
            simulator: simulator.kind(),
            backtracking,
        }
    }

    /// The header as it is written, after a look at whether it can be read.
    pub(super) fn to_json(&self) -> Result<Vec<u8>, RecordError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| RecordError::Header(error.to_string()))?;
        match serde_json::from_str::<Self>(&text) {
            Ok(read) if read == *self => Ok(text.into_bytes()),
            Ok(_) => Err(RecordError::Header("a number is lost".into())),
            Err(error) => Err(RecordError::Header(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;

    #[test]
    fn headers_with_the_names_of_before_are_read() {
        let mut world = World::default();
        world.settings_mut().ccd = Some(CcdSettings { max_substeps: 7, ..CcdSettings::default() });
        let header = Header::new(&world, &RecordingSettings::default());
        let text = String::from_utf8(header.to_json().unwrap()).unwrap();
        let old = text.replace("\"ccd\":", "\"impact_limit\":").replace("\"max_substeps\":", "\"parts\":");
        assert!(text.contains("\"max_substeps\": 7") && !old.contains("ccd"), "{text}");
        assert_eq!(serde_json::from_str::<Header>(&old).unwrap(), header);
    }
}
