//! Snapshots: all of a backtracking simulator that its future depends on, as plain data.
//!
//! Contact sets are part of it, and where V-Clip's searches ended: where features are equally near, the start of a
//! search decides which of them is found. Boxes and convex pieces follow from the rest.

use super::sets::HeldSet;
use super::{BacktrackingError, BacktrackingSettings, BacktrackingSimulator};
use crate::handle::{BodyHandle, Handles};
use crate::pair_filter::unordered;
use crate::world::SnapshotError;
use crate::world::snapshot::{
    BodyRecord, FormRecord, MaterialsRecord, MeshRecord, ReadShapes, Shapes, body, materials,
};
use drystone_contact::sorting::inserted;
use drystone_contact::vclip::Tracking;
use serde::{Deserialize, Serialize};

/// The contact set of two pieces of two bodies, by their indices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SetRecord {
    bodies: [u32; 2],
    pieces: [u32; 2],
    set: HeldSet,
}

/// A backtracking simulator as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BacktrackingSnapshot {
    /// How it steps.
    pub settings: BacktrackingSettings,
    /// What bodies are made of.
    pub materials: MaterialsRecord,
    /// The shapes, each once.
    pub shapes: Vec<MeshRecord>,
    /// What the shapes are.
    pub forms: Vec<FormRecord>,
    /// The bodies in the order of insertion, without eroded shapes, prescribed motions and forces.
    pub bodies: Vec<BodyRecord>,
    /// Since the simulator was made, s.
    pub time: f64,
    /// How many steps were made.
    pub steps: u64,
    handles: Handles,
    excluded: Vec<(BodyHandle, BodyHandle)>,
    sets: Vec<SetRecord>,
    trackings: Vec<([u32; 2], Tracking)>,
}

impl BacktrackingSimulator {
    /// All of the simulator that its future depends on.
    pub fn snapshot(&self) -> BacktrackingSnapshot {
        let mut shapes = Shapes::default();
        let bodies = self.bodies.iter().zip(&self.sets.solids);
        let bodies = bodies.map(|(body, solid)| BodyRecord::new(body, shapes.number(&solid.shape), solid.groups));
        let bodies = bodies.collect();
        let numbers = |pair: [usize; 2]| pair.map(|index| index as u32);
        let of_pair = |(&pair, sets): (&[usize; 2], &std::collections::BTreeMap<[u32; 2], HeldSet>)| {
            let record = |(&pieces, set): (_, &HeldSet)| SetRecord { bodies: numbers(pair), pieces, set: set.clone() };
            sets.iter().map(record).collect::<Vec<_>>()
        };
        BacktrackingSnapshot {
            settings: self.settings.clone(),
            materials: MaterialsRecord::new(&self.materials),
            forms: shapes.forms(),
            shapes: shapes.records,
            bodies,
            time: self.time,
            steps: self.steps,
            handles: self.sets.handles.clone(),
            excluded: self.sets.excluded.iter().copied().collect(),
            sets: self.sets.held.iter().flat_map(of_pair).collect(),
            trackings: self.nearness.trackings.iter().map(|(&pair, found)| (numbers(pair), found.clone())).collect(),
        }
    }

    /// The simulator of a snapshot: it goes on as the first one does, bit for bit.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn from_snapshot(snapshot: &BacktrackingSnapshot) -> Result<Self, SnapshotError> {
        let count = snapshot.bodies.len();
        if !snapshot.handles.are_consistent() || snapshot.handles.dense().len() != count {
            return Err(SnapshotError::Damaged("handles and bodies do not fit together"));
        }
        if !snapshot.time.is_finite() {
            return Err(SnapshotError::Damaged("the time is not finite"));
        }
        let mut simulator = Self::new(snapshot.settings.clone(), materials(&snapshot.materials)?)?;
        let mut shapes = ReadShapes::new(&snapshot.shapes, &snapshot.forms)?;
        for (number, record) in snapshot.bodies.iter().enumerate() {
            if record.prescribed_motion.is_some() {
                return Err(BacktrackingError::PrescribedMotion.into());
            }
            let solid = simulator.solid(shapes.of_body(number, record.shape, record.eroded)?, record.groups)?;
            simulator.bodies.push(body(number, record)?);
            simulator.sets.solids.push(solid);
        }
        simulator.sets.handles = snapshot.handles.clone();
        simulator.sets.excluded = inserted(snapshot.excluded.iter().map(|&(a, b)| unordered(a, b)));
        let solids = &simulator.sets.solids;
        let pair = |bodies: [u32; 2]| {
            let [a, b] = bodies.map(|index| index as usize);
            let is_pair = a < b && b < count;
            is_pair
                .then_some([a, b])
                .ok_or(SnapshotError::Damaged("a contact set is between bodies that are not there"))
        };
        for record in &snapshot.sets {
            let bodies = pair(record.bodies)?;
            let [a, b] = bodies.map(|index| &solids[index].pieces);
            let count = [a, b].map(|pieces| pieces.pieces().pieces().len());
            let is_there = (0..2).all(|k| (record.pieces[k] as usize) < count[k]);
            let [p, q] = record.pieces;
            if !(is_there && record.set.contacts.is_of(a.polyhedron(p), b.polyhedron(q))) {
                return Err(SnapshotError::Damaged("a contact set names features that are not there"));
            }
            simulator.sets.held.entry(bodies).or_default().insert(record.pieces, record.set.clone());
        }
        for (bodies, tracking) in &snapshot.trackings {
            let bodies = pair(*bodies)?;
            if !tracking.is_of(&solids[bodies[0]].pieces, &solids[bodies[1]].pieces) {
                return Err(SnapshotError::Damaged("a search of V-Clip ended at features that are not there"));
            }
            simulator.nearness.trackings.insert(bodies, tracking.clone());
        }
        (simulator.time, simulator.steps) = (snapshot.time, snapshot.steps);
        Ok(simulator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Pose;
    use crate::material::{Friction, Interaction, MaterialTable};
    use crate::new_body::Solid;
    use glam::{DQuat, DVec3};

    fn dropped() -> BacktrackingSimulator {
        let mut materials = MaterialTable::new();
        let stuff = materials.add("stuff").unwrap();
        materials.set(stuff, stuff, Interaction { friction: Friction::sliding(0.5), restitution: 0.3 }).unwrap();
        let mut simulator = BacktrackingSimulator::new(BacktrackingSettings::default(), materials).unwrap();
        let ground = Solid::cuboid(DVec3::new(9.0, 1.0, 9.0), 1000.0).unwrap();
        simulator.add(ground.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
        let cube = Solid::cuboid(DVec3::new(0.4, 0.3, 0.5), 1000.0).unwrap();
        for height in [0.25, 0.7] {
            let pose = Pose::from_parts(DVec3::Y * height, DQuat::from_rotation_x(0.3 * height));
            simulator.add(cube.dynamic(stuff, pose).unwrap()).unwrap();
        }
        simulator
    }

    /// Taken while bodies touch and fall, written to bytes and back.
    #[test]
    fn a_restored_simulator_goes_on_bit_for_bit() {
        let mut simulator = dropped();
        let extra = simulator.add(simulator_cube()).unwrap();
        for step in 0..16 {
            if step == 3 {
                simulator.remove(extra).unwrap();
            }
            simulator.advance(0.02).unwrap();
        }
        let snapshot = simulator.snapshot();
        assert!(!snapshot.sets.is_empty() && !snapshot.trackings.is_empty());
        let bytes = postcard::to_stdvec(&snapshot).unwrap();
        let read: BacktrackingSnapshot = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(read, snapshot);
        let mut restored = BacktrackingSimulator::from_snapshot(&read).unwrap();
        assert_eq!(restored.snapshot(), snapshot);
        for _ in 0..8 {
            assert_eq!(simulator.advance(0.02), restored.advance(0.02));
            assert_eq!(simulator.bodies(), restored.bodies());
        }
    }

    fn simulator_cube() -> crate::new_body::NewBody {
        let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
        cube.fixed(crate::material::MaterialId::new(0), Pose::from_translation(DVec3::X * 30.0)).unwrap()
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let mut simulator = dropped();
        (0..16).for_each(|_| drop(simulator.advance(0.02).unwrap()));
        let whole = simulator.snapshot();
        let changes: [fn(&mut BacktrackingSnapshot); 6] = [
            |s| s.bodies.truncate(2),
            |s| s.sets[0].bodies = [1, 9],
            |s| s.sets[0].pieces[0] = 7,
            |s| s.trackings[0].0 = [2, 1],
            |s| s.time = f64::NAN,
            |s| s.settings.interval = 0.0,
        ];
        for change in changes {
            let mut snapshot = whole.clone();
            change(&mut snapshot);
            assert!(BacktrackingSimulator::from_snapshot(&snapshot).is_err());
        }
    }
}
