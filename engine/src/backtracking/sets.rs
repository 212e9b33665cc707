//! The contact sets of all bodies, and V-Clip's answers about them.

use super::contact_row::ContactRow;
use super::{BacktrackingError, BacktrackingSettings};
use crate::body::{Body, BodyId};
use crate::material::MaterialTable;
use crate::world::Groups;
use drystone_contact::shape::Shape;
use drystone_contact::vclip::contact_set::{ContactSet, track};
use drystone_contact::vclip::hierarchy::PieceHierarchy;
use drystone_contact::vclip::{ConvexPolyhedron, NearPieces, Pair, Placing, Tracking};
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
#[derive(Clone, Debug, Default)]
pub struct HeldSet {
    pub contacts: ContactSet,
    /// The gap at which each is held, m.
    pub rests: BTreeMap<Pair, f64>,
}

/// Where V-Clip's searches between bodies ended.
pub type Trackings = BTreeMap<[usize; 2], Tracking>;

/// A contact of a set and what its bodies are made of; its features stay the same over an interval.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub bodies: [usize; 2],
    pub pieces: [u32; 2],
    pub pair: Pair,
    /// Where it is held, m.
    pub rest: f64,
    pub friction: [f64; 2],
    pub restitution: f64,
}

/// Shapes and contact sets.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    pub solids: Vec<Solid>,
    /// By bodies, then by pieces.
    pub held: BTreeMap<[usize; 2], BTreeMap<[u32; 2], HeldSet>>,
}

/// Where two bodies are in each other's frames.
pub fn placing(bodies: &[Body], [a, b]: [usize; 2]) -> Placing {
    Placing::new(&bodies[a].pose(), &bodies[b].pose())
}

/// The names of two bodies by their places.
pub fn ids(bodies: [usize; 2]) -> [BodyId; 2] {
    bodies.map(|place| BodyId::new(place as u32))
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

    /// Pairs of bodies that may touch and whose spheres are within a distance of each other.
    pub fn candidates(&self, bodies: &[Body], reach: f64) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for j in 1..bodies.len() {
            for i in 0..j {
                let (a, b) = (&self.solids[i], &self.solids[j]);
                let distance = bodies[i].position.distance(bodies[j].position);
                let moves = bodies[i].is_dynamic() || bodies[j].is_dynamic();
                if moves && a.groups.touch(b.groups) && distance <= a.radius + b.radius + reach {
                    pairs.push([i, j]);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// What V-Clip says of two bodies: all pairs of pieces within a distance.
    pub fn ask(&self, trackings: &mut Trackings, bodies: &[Body], pair: [usize; 2], reach: f64) -> Vec<NearPieces> {
        let [a, b] = pair.map(|body| &self.solids[body].pieces);
        trackings.entry(pair).or_default().within(a, b, &placing(bodies, pair), reach)
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
        let placing = placing(bodies, pair);
        for &features in features {
            set.contacts.add(features, a, b, &placing, &settings.life());
        }
        for member in set.contacts.members() {
            set.rests.entry(member.pair).or_insert(member.tracked.gap.min(rest));
        }
    }

    /// Follows all contacts to where the bodies are now and leaves out those that are out of reach. Each is held where it
    /// is, once it is within the reach of unpromoted ones: to push it anywhere would take work, and redundant contacts that
    /// are pushed to different places contradict each other.
    pub fn follow(&mut self, bodies: &[Body], settings: &BacktrackingSettings) {
        let (reach, near) = (settings.life(), settings.reach.leave);
        let solids = &self.solids;
        for (&pair, sets) in &mut self.held {
            let placing = placing(bodies, pair);
            for (pieces, set) in &mut *sets {
                let [a, b] = [0, 1].map(|k| solids[pair[k]].pieces.polyhedron(pieces[k]));
                set.contacts.follow(a, b, &placing, &reach);
                let rest = |gap: f64, before: Option<&f64>| match before {
                    Some(&before) if gap > near => before,
                    _ => gap,
                };
                let members = set.contacts.members().iter();
                set.rests = members.map(|m| (m.pair, rest(m.tracked.gap, set.rests.get(&m.pair)))).collect();
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
                let [a, b] = ids([i, j]);
                let found = materials.between(bodies[i].material, bodies[j].material);
                found.map_err(|source| BacktrackingError::Material { a, b, source })
            };
            for (&pieces, set) in sets {
                for member in set.contacts.members() {
                    let interaction = interaction(pair)?;
                    let [s, t, _] = interaction.friction.to_array();
                    let rest = set.rests.get(&member.pair).copied().unwrap_or(member.tracked.gap);
                    let restitution = interaction.restitution;
                    touches.push(Touch {
                        bodies: pair,
                        pieces,
                        pair: member.pair,
                        rest,
                        friction: [s, t],
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
        let (pair, tracked) = track(touch.pair, solids[0], solids[1], &placing(bodies, touch.bodies), 0.0)?;
        Some(ContactRow::new(pair, &tracked, solids, touch.bodies.map(|body| &bodies[body])))
    }
}
