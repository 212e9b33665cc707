//! Snapshots and forces in a recording: the state from which a replay goes on.

use glam::DVec3;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::step_record::{StepRecord, VertexState};
use crate::handle::BodyHandle;
use crate::simulator::asynchronous::AsynchronousSnapshot;
use crate::simulator::backtracking::BacktrackingSnapshot;
use crate::simulator::{Simulator, SimulatorError, SimulatorKind, SimulatorSnapshot};
use crate::world::Snapshot;

/// Why a recording holds a snapshot at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SnapshotReason {
    /// The recording begins here.
    Start,
    /// Many steps have passed since the last one; the steps lead here by themselves.
    Keyframe,
    /// The simulator was changed between two steps.
    Edit,
}

/// The content of a snapshot frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Why it is there.
    pub reason: SnapshotReason,
    /// The simulator.
    pub state: SimulatorSnapshot,
}

/// Force (N) and torque about the centre of mass (N m) on a body for the next step, world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// The index of the body in [`Simulator::handles`].
    pub body: u32,
    /// N.
    pub force: DVec3,
    /// N m.
    pub torque: DVec3,
}

/// The forces of a snapshot for the next step, which are left at zero in it: body by body, those that are zero left
/// out.
pub(super) fn take_forces(snapshot: &mut SimulatorSnapshot) -> Vec<Push> {
    let mut pushes = Vec::new();
    for (body, record) in (0..).zip(snapshot.bodies_mut()) {
        let (force, torque) = (std::mem::take(&mut record.force), std::mem::take(&mut record.torque));
        if (force, torque) != (DVec3::ZERO, DVec3::ZERO) {
            pushes.push(Push { body, force, torque });
        }
    }
    pushes
}

/// Puts forces on the bodies of a simulator that has none.
///
/// # Errors
/// Those of [`Simulator::apply_wrench`]; `None` for a body that is not there.
pub(super) fn push(simulator: &mut dyn Simulator, pushes: &[Push]) -> Result<(), Option<SimulatorError>> {
    for push in pushes {
        let handle: BodyHandle = simulator.handles().get(push.body as usize).copied().ok_or(None)?;
        simulator.apply_wrench(handle, push.force, push.torque)?;
    }
    Ok(())
}

/// The bytes of a value. The format, postcard, keeps all bits of a number.
///
/// # Errors
/// A value that the format cannot hold.
pub(super) fn encode(value: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_stdvec(value)
}

/// The value of bytes, all of which belong to it; or what is wrong with them.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("{} bytes follow what it should hold", rest.len())),
        Err(error) => Err(format!("its content cannot be read: {error}")),
    }
}

/// The bytes of a snapshot; the header of the recording says of which simulator it is.
///
/// # Errors
/// A value that the format cannot hold.
pub(super) fn encode_state(state: &SimulatorSnapshot) -> Result<Vec<u8>, postcard::Error> {
    match state {
        SimulatorSnapshot::TimeStepping(snapshot) => encode(snapshot),
        SimulatorSnapshot::Backtracking(snapshot) => encode(snapshot),
        SimulatorSnapshot::Asynchronous(snapshot) => encode(snapshot),
    }
}

/// The bytes of a keyframe.
///
/// # Errors
/// A value that the format cannot hold.
pub(super) fn encode_keyframe(keyframe: &Keyframe) -> Result<Vec<u8>, postcard::Error> {
    Ok([encode(&keyframe.reason)?, encode_state(&keyframe.state)?].concat())
}

/// The bytes of a step of a simulator: the states of vertices follow the rest, where there may be any.
///
/// # Errors
/// A value that the format cannot hold.
pub(super) fn encode_step(kind: SimulatorKind, step: &StepRecord) -> Result<Vec<u8>, postcard::Error> {
    match kind {
        SimulatorKind::TimeStepping | SimulatorKind::Backtracking => encode(step),
        SimulatorKind::Asynchronous => encode(&(step, &step.vertices)),
    }
}

/// The step of bytes in a recording of a simulator.
pub(super) fn decode_step(kind: SimulatorKind, bytes: &[u8]) -> Result<StepRecord, String> {
    match kind {
        SimulatorKind::TimeStepping | SimulatorKind::Backtracking => decode(bytes),
        SimulatorKind::Asynchronous => {
            let (step, vertices) = decode::<(StepRecord, Vec<VertexState>)>(bytes)?;
            Ok(StepRecord { vertices, ..step })
        }
    }
}

/// The keyframe of bytes in a recording of a simulator.
pub(super) fn decode_keyframe(kind: SimulatorKind, bytes: &[u8]) -> Result<Keyframe, String> {
    let (reason, state) = match kind {
        SimulatorKind::TimeStepping => {
            let (reason, world) = decode_world(bytes)?;
            (reason, SimulatorSnapshot::TimeStepping(Box::new(world)))
        }
        SimulatorKind::Backtracking => {
            let (reason, snapshot) = decode::<(SnapshotReason, BacktrackingSnapshot)>(bytes)?;
            (reason, SimulatorSnapshot::Backtracking(Box::new(snapshot)))
        }
        SimulatorKind::Asynchronous => {
            let (reason, snapshot) = decode::<(SnapshotReason, AsynchronousSnapshot)>(bytes)?;
            (reason, SimulatorSnapshot::Asynchronous(Box::new(snapshot)))
        }
    };
    Ok(Keyframe { reason, state })
}

/// How many of the last fields of a world's snapshot older recordings may lack. Each of them takes one byte where it is
/// empty.
const LATER_FIELDS: usize = 7;

/// A world's. What was added at its end is missing in recordings of before.
fn decode_world(bytes: &[u8]) -> Result<(SnapshotReason, Snapshot), String> {
    let mut first = decode(bytes);
    for missing in 1..=LATER_FIELDS {
        if first.is_ok() {
            break;
        }
        let longer = [bytes, &[0; LATER_FIELDS][..missing]].concat();
        match decode::<(SnapshotReason, Snapshot)>(&longer) {
            // What is read from the zeros must be what is missing, and no end of a field that was cut.
            Ok(keyframe) if keyframe.1.lacks_last(missing) => first = Ok(keyframe),
            _ => {}
        }
    }
    first.map(|(reason, snapshot)| (reason, snapshot.with_named_method()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::snapshot::SettingsRecord;
    use crate::{MaterialId, NewBody, Pose, Solid, World};
    use drystone_contact::generator::Registry;

    /// The sizes follow from the layout in `docs/recordings.md`. If they change, so has the layout: describe the new
    /// one there and, if recordings of the old one are about, raise the number of the format.
    #[test]
    fn the_layout_is_that_of_the_format() {
        let size = |value: &dyn Fn() -> Result<Vec<u8>, postcard::Error>| value().unwrap().len();
        let mut world = World::default();
        let settings = SettingsRecord(world.settings().clone());
        // Δt, two choices, gravity, dampings, which solver, and settings of the soft step (three small counts, 1,000 bodies, six
        // numbers); sweeps (200), tolerances, r-factor, friction, roll-back, history; islands, tolerance, threshold; warm start;
        // pre-stabilisation; post-stabilisation (20 sweeps).
        let (step, solver) = (8 + 2 + 5 * 8 + 1 + (3 + 2 + 6 * 8), 2 + 16 + 1 + 8 + 1 + 1 + 1);
        let rest = 1 + 16 + (1 + 8) + (1 + 32) + (1 + 24 + 1 + 8);
        assert_eq!(size(&|| encode(&settings)), step + solver + rest);
        // No counted method; five empty lists and the lists of materials; time, steps, time step; no CCD; name and
        // variant of the method, no settings; no forms of shapes; no soft step; no additions; no joints; no constant forces.
        let method = 1 + (1 + "semi-local".len()) + (1 + "corrected".len()) + 1;
        let empty = 1 + (step + solver + rest) + 2 + 1 + 1 + 8 + 1 + 3 + 1 + 1 + 8 + 1 + method + 5;
        assert_eq!(size(&|| encode(&world.snapshot())), empty);

        let cube = Solid::cuboid(DVec3::ONE, 1.0).unwrap();
        let NewBody { body, shape, .. } = cube.dynamic(MaterialId::new(0), Pose::IDENTITY).unwrap();
        let surface = shape.surface().unwrap().clone();
        let (vertices, triangles) = (surface.vertices().len(), surface.triangles().len());
        world.add(NewBody::new(body, shape)).unwrap();
        // Kind, mass, moments, state, material, shape, no eroded one, groups, no prescribed motion, forces.
        let body = 1 + 32 + 13 * 8 + 1 + 1 + 1 + 2 * 5 + 1 + 48;
        // Vertices and no tetrahedra; a form with triangles, the body frame and no other tetrahedra.
        let mesh = (1 + 24 * vertices + 1) + (1 + 1 + 3 * triangles + (1 + 7 * 8) + 1);
        // A slot is a generation and an index, a handle a slot and a generation.
        assert_eq!(size(&|| encode(&world.snapshot())), empty + mesh + body + 3 + 2);

        let report = world.step().unwrap();
        let mut record = StepRecord::new(&world, &report);
        record.digest = 1;
        assert_eq!(size(&|| encode(&record)), 1 + 8 + (1 + 13 * 8) + 1 + 1 + 32 + 8 + 1 + 8);
        let push = Push { body: 3, force: DVec3::X, torque: DVec3::Y };
        assert_eq!(size(&|| encode(&vec![push; 2])), 1 + 2 * (1 + 48));
    }

    #[test]
    fn the_settings_of_ccd_stand_behind_the_rest_and_may_be_missing() {
        let mut world = World::default();
        let keyframe = |world: &World| Keyframe { reason: SnapshotReason::Start, state: Simulator::snapshot(world) };
        let decode_keyframe = |bytes: &[u8]| decode_keyframe(SimulatorKind::TimeStepping, bytes);
        let without = keyframe(&world);
        let bytes = encode_keyframe(&without).unwrap();
        assert_eq!(decode_keyframe(&bytes).unwrap(), without);
        // As written before methods were named: a number of the method and one of the variant, and no method at the
        // end; before there was any CCD, neither.
        let method = 1 + (1 + "semi-local".len()) + (1 + "corrected".len()) + 1;
        let (start, end) = (1, bytes.len() - method - 6);
        assert_eq!((bytes[start], bytes[end]), (0, 0), "no counted method, no CCD");
        let counted = [&bytes[..start], &[1, 12, 0], &bytes[start + 1..end]].concat();
        assert_eq!(decode_keyframe(&counted).unwrap(), without);
        assert_eq!(decode_keyframe(&[&counted[..], &[0]].concat()).unwrap(), without);
        let before = &bytes[..end];
        world.settings_mut().ccd = Some(crate::CcdSettings { max_substeps: 7, ..crate::CcdSettings::default() });
        let with = keyframe(&world);
        let longer = encode_keyframe(&with).unwrap();
        assert_eq!(longer[..before.len()], *before);
        assert_eq!(decode_keyframe(&longer).unwrap(), with);
        let SimulatorSnapshot::TimeStepping(written) = &with.state else { panic!("it is of a world") };
        assert_eq!(World::from_snapshot(written, &Registry::default()).unwrap().settings(), world.settings());
        // Without its last bytes it is one of before there were constant forces, joints, additions, a soft step, or forms of shapes; without more it is cut.
        for cut in 6..30 {
            assert!(decode_keyframe(&longer[..longer.len() - cut]).is_err(), "{cut}");
        }
        assert!(decode_keyframe(&bytes[..9]).is_err());
        assert!(decode_keyframe(&[&longer[..], &[0]].concat()).is_err());
        let text = serde_json::to_string(written).unwrap();
        assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), **written);
        let old = text.replace("\"ccd\":", "\"impact_limit\":").replace("\"max_substeps\":", "\"parts\":");
        assert_ne!(old, text);
        assert_eq!(serde_json::from_str::<Snapshot>(&old).unwrap(), **written, "names of before");
    }

    #[test]
    fn what_follows_a_value_is_refused() {
        let bytes = encode(&7_u64).unwrap();
        assert_eq!(decode::<u64>(&bytes), Ok(7));
        assert!(decode::<u64>(&[&bytes[..], &[0]].concat()).unwrap_err().contains("1 bytes follow"));
        assert!(decode::<u64>(&[]).is_err());
    }
}
