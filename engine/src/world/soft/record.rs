//! What a snapshot keeps of the soft step: contacts with their impulses.

use super::super::snapshot::SnapshotError;
use super::super::{World, WorldSettings};
use super::SoftState;
use super::near_pairs::NearPair;
use super::pairs::{PersistentContact, PersistentPair};
use super::sleeping::Rest;
use crate::body::{Body, Pose};
use crate::handle::{BodyHandle, Handles};
use drystone_contact::sorting::CompactSort;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Two bodies near each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PairRecord {
    a: BodyHandle,
    b: BodyHandle,
    /// The pose of B in A's frame when contacts were looked for.
    found_at: Option<(DVec3, DQuat)>,
    is_unsettled: bool,
    contacts: Vec<PersistentContact>,
}

/// What the next soft step goes on from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftRecord {
    /// s.
    substep: f64,
    pairs: Vec<PairRecord>,
    /// Of bodies, by earlier versions: how far any point has come that pairs have not counted yet, m.
    paths: Vec<(BodyHandle, f64)>,
    /// How far the bodies of pairs can move against each other without having contacts, m.
    apart: Vec<(BodyHandle, BodyHandle, f64)>,
    /// For how many steps islands with these bodies are left to sweeps.
    waits: Vec<(BodyHandle, u32)>,
    /// For how many steps bodies have been slow, the numbers of the islands that they sleep in, and for how many steps
    /// they have to be at rest until the global solver is asked, or it may be asked though they are faster.
    rests: Vec<(BodyHandle, u32, u32, [u32; 2])>,
    last_island: u32,
    /// Bodies that were written to since the last step.
    placed: Vec<BodyHandle>,
    /// Whether settings have changed since the last step.
    wakes_all: bool,
}

impl SoftRecord {
    /// What the soft step of a world remembers, if it remembers anything.
    pub(in crate::world) fn new(world: &World) -> Option<Self> {
        let (state, handles) = (&world.soft, &world.handles);
        let dense = handles.dense();
        let is_known =
            |pair: &&PersistentPair| pair.found_at.is_some() || pair.is_unsettled || !pair.contacts.is_empty();
        let record = |pair: &PersistentPair| PairRecord {
            a: dense[pair.bodies.0],
            b: dense[pair.bodies.1],
            found_at: pair.found_at.map(|pose| (pose.translation, pose.rotation)),
            is_unsettled: pair.is_unsettled,
            contacts: pair.contacts.clone(),
        };
        let pairs: Vec<PairRecord> = state.pairs.iter().filter(is_known).map(record).collect();
        let is_apart = |pair: &&NearPair| pair.apart > 0.0 && pair.apart.is_finite();
        let apart = |pair: &NearPair| (dense[pair.places().0], dense[pair.places().1], pair.apart);
        let apart: Vec<_> = state.near.iter().filter(is_apart).map(apart).collect();
        let waits = state.waits.iter().map(|&(body, wait)| (dense[body as usize], wait)).collect();
        let rests: Vec<_> = dense
            .iter()
            .zip(&state.rests)
            .filter(|(_, rest)| **rest != Rest::default())
            .map(|(&body, rest)| (body, rest.steps, rest.island, [rest.restless, rest.held]))
            .collect();
        let is_written = |&i: &usize| world.is_written(state.bodies.get(i), i);
        let placed: Vec<_> = (0..dense.len()).filter(is_written).map(|i| dense[i]).collect();
        let wakes_all = state.settings.as_ref().is_some_and(|settings| *settings != world.settings);
        // Without a record, all bodies count as written to.
        let is_empty = pairs.is_empty()
            && rests.is_empty()
            && apart.is_empty()
            && state.waits.is_empty()
            && state.last_island == 0
            && placed.len() == dense.len();
        (!is_empty).then_some(Self {
            substep: state.substep,
            pairs,
            paths: Vec::new(),
            apart,
            waits,
            rests,
            last_island: state.last_island,
            placed,
            wakes_all,
        })
    }

    /// The bodies that were written to since the last step.
    pub(in crate::world) fn placed(&self) -> &[BodyHandle] {
        &self.placed
    }

    /// The state of a world with these bodies and settings that remembers this.
    ///
    /// # Errors
    /// [`SnapshotError::Damaged`].
    pub(in crate::world) fn state(
        &self,
        handles: &Handles,
        bodies: &[Body],
        settings: &WorldSettings,
    ) -> Result<SoftState, SnapshotError> {
        // Nought before the first step.
        if !(self.substep.is_finite() && self.substep >= 0.0) {
            return Err(SnapshotError::Damaged("a substep is not finite, or below zero"));
        }
        let pair = |record: &PairRecord| {
            let places = handles.index(record.a).zip(handles.index(record.b)).filter(|(a, b)| a < b);
            let bodies = places.ok_or(SnapshotError::Damaged("a contact names bodies that do not exist"))?;
            let found_at = record.found_at.map(|(position, rotation)| Pose::from_parts(position, rotation));
            let is_finite = found_at.is_none_or(|pose| pose.translation.is_finite() && pose.rotation.is_finite());
            if !(is_finite && record.contacts.iter().all(PersistentContact::is_finite)) {
                return Err(SnapshotError::Damaged("a contact is not finite"));
            }
            let internal_edges = record.contacts.iter().filter(|contact| contact.is_internal_edge).count() as u32;
            Ok(PersistentPair {
                found_at,
                is_unsettled: record.is_unsettled,
                internal_edges,
                contacts: record.contacts.clone(),
                ..PersistentPair::new(bodies)
            })
        };
        let pairs: Vec<PersistentPair> = self.pairs.iter().map(pair).collect::<Result<_, _>>()?;
        if !pairs.is_sorted_by(|a, b| a.bodies < b.bodies) {
            return Err(SnapshotError::Damaged("pairs of bodies are not in order"));
        }
        let mut paths = vec![0.0; handles.dense().len()];
        for &(body, path) in &self.paths {
            let own = handles.index(body).filter(|_| path.is_finite() && path > 0.0);
            paths[own.ok_or(SnapshotError::Damaged("the path of a body is not a length, or of no body"))?] = path;
        }
        let near = |&(a, b, apart): &(BodyHandle, BodyHandle, f64)| {
            let places = handles.index(a).zip(handles.index(b)).filter(|(a, b)| a < b && apart.is_finite());
            places.map(|(a, b)| NearPair { apart: apart - (paths[a] + paths[b]), ..NearPair::new((a, b)) })
        };
        let near: Option<Vec<NearPair>> = self.apart.iter().map(near).collect();
        let is_ascending = |near: &Vec<NearPair>| near.is_sorted_by(|a, b| a.bodies < b.bodies);
        let mut near =
            near.filter(is_ascending).ok_or(SnapshotError::Damaged("pairs that are apart are not in order"))?;
        near.extend(pairs.iter().map(|pair| NearPair::new(pair.bodies)));
        near.compact_sort_by_key(|pair| pair.bodies);
        near.dedup_by_key(|pair| pair.bodies);
        let wait = |&(body, wait): &(BodyHandle, u32)| handles.index(body).map(|body| (body as u32, wait));
        let waits: Option<Vec<(u32, u32)>> = self.waits.iter().map(wait).collect();
        let is_sorted = |waits: &Vec<(u32, u32)>| waits.is_sorted_by(|a, b| a.0 < b.0) && waits.iter().all(|w| w.1 > 0);
        let waits = waits.filter(is_sorted).ok_or(SnapshotError::Damaged("islands that wait are not in order"))?;
        let mut rests = vec![Rest::default(); handles.dense().len()];
        for &(body, steps, island, [restless, held]) in &self.rests {
            let own = handles.index(body).filter(|_| island <= self.last_island);
            let own = own.ok_or(SnapshotError::Damaged("a body that rests does not exist, or sleeps in no island"))?;
            rests[own] = Rest { steps, island, restless, held };
        }
        let bodies = bodies.to_vec();
        let mut state = SoftState { near, pairs, waits, rests, bodies, substep: self.substep, ..SoftState::default() };
        state.last_island = self.last_island;
        state.settings = Some(settings.clone());
        if self.wakes_all {
            state.wake_all();
        }
        Ok(state)
    }
}
