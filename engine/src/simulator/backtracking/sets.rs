//! The contact sets of all bodies, and V-Clip's answers about them.

use super::contact_row::ContactRow;
use super::{BacktrackingError, BacktrackingSettings};
use crate::body::Body;
use crate::handle::{BodyHandle, Handles};
use crate::material::MaterialTable;
use crate::new_body::Groups;
use crate::pair_filter::{ExcludedPairs, PairFilter};
use drystone_contact::shape::Shape;
use drystone_contact::sorting::inserted;
use drystone_contact::vclip::contact_set::{ContactSet, track};
use drystone_contact::vclip::hierarchy::PieceHierarchy;
use drystone_contact::vclip::{ConvexPolyhedron, Pair, RelativePose};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of a body's shape.
#[derive(Clone, Debug)]
pub struct Solid {
    pub shape: Arc<Shape>,
    pub pieces: Arc<PieceHierarchy>,
    /// Around the body's origin, m.
    pub radius: f64,
    pub groups: Groups,
}

/// The contacts of two pieces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldSet {
    pub contacts: ContactSet,
    /// The gap at which each is held, m.
    pub rests: BTreeMap<Pair, f64>,
}

/// A contact of a set and what its bodies are made of; its features stay the same over an interval.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub bodies: [usize; 2],
    pub pieces: [u32; 2],
    pub pair: Pair,
    /// Where it is held, m.
    pub rest: f64,
    pub friction: [f64; 2],
    /// Whether the materials have torsional friction, which is left out.
    pub has_torsion: bool,
    pub restitution: f64,
}

/// Shapes and contact sets of the bodies, which are in the order of insertion.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    pub handles: Handles,
    pub solids: Vec<Solid>,
    /// Pairs that do not touch.
    pub excluded: ExcludedPairs,
    /// By bodies, then by pieces.
    pub held: BTreeMap<[usize; 2], BTreeMap<[u32; 2], HeldSet>>,
}

/// Where two bodies are in each other's frames.
pub fn relative_pose(bodies: &[Body], [a, b]: [usize; 2]) -> RelativePose {
    RelativePose::new(&bodies[a].pose(), &bodies[b].pose())
}

/// The indices of the bodies of some contacts, ascending.
pub fn members(contacts: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut bodies: Vec<usize> = contacts.flatten().collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}

impl Sets {
    /// A piece of a body.
    pub fn piece(&self, body: usize, piece: u32) -> &ConvexPolyhedron {
        self.solids[body].pieces.polyhedron(piece)
    }

    /// Two pieces.
    pub fn polyhedra(&self, bodies: [usize; 2], pieces: [u32; 2]) -> [&ConvexPolyhedron; 2] {
        [self.piece(bodies[0], pieces[0]), self.piece(bodies[1], pieces[1])]
    }

    /// The handle of a body by its index.
    pub fn handle(&self, body: usize) -> BodyHandle {
        self.handles.dense()[body]
    }

    /// The handles of two bodies.
    pub fn pair(&self, bodies: [usize; 2]) -> [BodyHandle; 2] {
        bodies.map(|body| self.handle(body))
    }

    /// Whether two bodies may touch at all.
    pub fn may_touch(&self, bodies: &[Body], [a, b]: [usize; 2]) -> bool {
        let groups = |body: usize| self.solids[body].groups;
        let filter = PairFilter {
            bodies,
            handles: self.handles.dense(),
            groups,
            excluded: &self.excluded,
            jointed: &ExcludedPairs::new(),
        };
        filter.may_touch(a, b)
    }

    /// Drops the contacts of bodies between which collision was disabled.
    pub fn drop_disabled(&mut self, bodies: &[Body]) {
        let mut held = std::mem::take(&mut self.held);
        held.retain(|&pair, _| self.may_touch(bodies, pair));
        self.held = held;
    }

    /// Forgets a body; those behind it move up.
    pub fn remove(&mut self, body: usize, handle: BodyHandle) {
        self.solids.remove(body);
        self.excluded.retain(|&(a, b)| a != handle && b != handle);
        self.held = without(std::mem::take(&mut self.held), body);
    }

    /// The contacts of two pieces; none if there are none.
    pub fn set(&self, bodies: [usize; 2], pieces: [u32; 2]) -> ContactSet {
        self.held.get(&bodies).and_then(|sets| sets.get(&pieces)).map(|set| set.contacts.clone()).unwrap_or_default()
    }

    /// Adds pairs of features to the set of two pieces where the bodies are, to be held at no more than `rest` (m).
    pub fn add(
        &mut self,
        bodies: &[Body],
        (pair, pieces): ([usize; 2], [u32; 2]),
        features: &[Pair],
        rest: f64,
        settings: &BacktrackingSettings,
    ) {
        let solids = &self.solids;
        let [a, b] = [0, 1].map(|k| solids[pair[k]].pieces.polyhedron(pieces[k]));
        let set = self.held.entry(pair).or_default().entry(pieces).or_default();
        let relative_pose = relative_pose(bodies, pair);
        for &features in features {
            set.contacts.add(features, a, b, &relative_pose, &settings.life());
        }
        for member in set.contacts.members() {
            set.rests.entry(member.pair).or_insert(member.tracked.gap.min(rest));
        }
    }

    /// Follows all contacts to where the bodies are now and leaves out those that are out of reach. Each is held
    /// where it is, once it is within the reach of unpromoted ones: to push it anywhere would take work, and
    /// redundant contacts that are pushed to different places contradict each other.
    pub fn follow(&mut self, bodies: &[Body], settings: &BacktrackingSettings) {
        let (reach, near) = (settings.life(), settings.reach.leave);
        let solids = &self.solids;
        for (&pair, sets) in &mut self.held {
            let relative_pose = relative_pose(bodies, pair);
            for (pieces, set) in &mut *sets {
                let [a, b] = [0, 1].map(|k| solids[pair[k]].pieces.polyhedron(pieces[k]));
                set.contacts.follow(a, b, &relative_pose, &reach);
                let rest = |gap: f64, before: Option<&f64>| match before {
                    Some(&before) if gap > near => before,
                    _ => gap,
                };
                let members = set.contacts.members().iter();
                set.rests = inserted(members.map(|m| (m.pair, rest(m.tracked.gap, set.rests.get(&m.pair)))));
            }
            sets.retain(|_, set| !set.contacts.members().is_empty());
        }
    }

    /// All contacts.
    ///
    /// # Errors
    /// [`BacktrackingError::Material`].
    pub fn touches(&self, bodies: &[Body], materials: &MaterialTable) -> Result<Vec<Touch>, BacktrackingError> {
        let mut touches = Vec::new();
        for (&pair, sets) in &self.held {
            let interaction = |[i, j]: [usize; 2]| {
                let [a, b] = self.pair([i, j]);
                let found = materials.between(bodies[i].material, bodies[j].material);
                found.map_err(|source| BacktrackingError::Material { a, b, source })
            };
            for (&pieces, set) in sets {
                for member in set.contacts.members() {
                    let interaction = interaction(pair)?;
                    let [s, t, torsion] = interaction.friction.to_array();
                    let rest = set.rests.get(&member.pair).copied().unwrap_or(member.tracked.gap);
                    let restitution = interaction.restitution;
                    touches.push(Touch {
                        bodies: pair,
                        pieces,
                        pair: member.pair,
                        rest,
                        friction: [s, t],
                        has_torsion: torsion > 0.0,
                        restitution,
                    });
                }
            }
        }
        Ok(touches)
    }

    /// A contact where the bodies are; `None` where its features do not face each other.
    pub fn row(&self, touch: &Touch, bodies: &[Body]) -> Option<ContactRow> {
        let solids = self.polyhedra(touch.bodies, touch.pieces);
        let (pair, tracked) = track(touch.pair, solids[0], solids[1], &relative_pose(bodies, touch.bodies), 0.0)?;
        Some(ContactRow::new(pair, &tracked, solids, touch.bodies.map(|body| &bodies[body])))
    }
}

/// What is known of pairs of bodies once one of them is gone: the indices behind it move up.
pub fn without<T>(of_pairs: BTreeMap<[usize; 2], T>, body: usize) -> BTreeMap<[usize; 2], T> {
    let others = of_pairs.into_iter().filter(|(pair, _)| !pair.contains(&body));
    inserted(others.map(|(pair, value)| (pair.map(|k| k - usize::from(k > body)), value)))
}
