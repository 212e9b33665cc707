//! Persistent pairs of the soft step: pairs of bodies that are near each other keep their contacts, fixed to the bodies, until these
//! have moved against each other; impulses go over to the contacts that are found then.

use crate::body::Pose;
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;
use drystone_contact::generator::PairMemory;
use drystone_contact::{Contact, Feature};
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A contact that has no other one between the same features takes impulses over from contacts within this distance, as a multiple of
/// the distance within which features count.
const FAR: f64 = 5.0;

/// And if their normals differ by no more than this cosine.
const SIMILAR_NORMALS: f64 = 0.9;

/// The tangents of the last normal: contacts of a plane have the same.
#[derive(Debug, Default)]
pub(super) struct LastTangents(Option<(DVec3, [DVec3; 2])>);

impl LastTangents {
    /// The tangents of a normal.
    pub fn of(&mut self, normal: DVec3) -> [DVec3; 2] {
        match self.0 {
            Some((known, of_known)) if known == normal => of_known,
            _ => self.0.insert((normal, tangents(normal))).1,
        }
    }
}

/// The frame of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    rotation: DMat3,
    /// m.
    position: DVec3,
}

impl Frame {
    pub fn new(pose: &Pose) -> Self {
        Self { rotation: DMat3::from_quat(pose.rotation), position: pose.translation }
    }
}

/// A contact, fixed to its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PersistentContact {
    /// The point of A that touches, in A's frame, m.
    on_a: DVec3,
    /// The point of B, in B's frame, m.
    on_b: DVec3,
    /// From A to B, in the frame of the body whose facet it is normal to.
    normal: DVec3,
    /// Whether that is B.
    is_of_b: bool,
    pub feature_a: Feature,
    pub feature_b: Feature,
    /// Of a substep, N s.
    normal_impulse: f64,
    /// The same along the tangents, world frame, N s.
    friction: DVec3,
    /// The same about the normal, N m s.
    torsion: f64,
    /// The depth at which the bodies have come to rest, m: they are not taken apart to less.
    pub rest_depth: f64,
    /// Whether a neighbour of one of the bodies holds the plane, so that this contact is left out.
    pub is_internal_edge: bool,
}

impl PersistentContact {
    /// A contact of bodies at these poses.
    pub fn new(contact: &Contact, [a, b]: [&Pose; 2]) -> Self {
        let half = contact.normal * (0.5 * contact.gap);
        let is_facet = |feature: Feature| matches!(feature, Feature::Facet(_));
        let is_of_b = is_facet(contact.feature_b) && !is_facet(contact.feature_a);
        let frame = if is_of_b { b } else { a };
        Self {
            on_a: a.inverse_transform_point(contact.position - half),
            on_b: b.inverse_transform_point(contact.position + half),
            normal: frame.rotation.inverse() * contact.normal,
            is_of_b,
            feature_a: contact.feature_a,
            feature_b: contact.feature_b,
            normal_impulse: 0.0,
            friction: DVec3::ZERO,
            torsion: 0.0,
            rest_depth: 0.0,
            is_internal_edge: false,
        }
    }

    /// The contact where the bodies are now.
    pub fn at(&self, [a, b]: [&Pose; 2]) -> Contact {
        let normal = if self.is_of_b { b.rotation } else { a.rotation } * self.normal;
        self.between(a.transform_point(self.on_a), b.transform_point(self.on_b), normal)
    }

    /// The same, of bodies whose rotations are matrices.
    pub fn within(&self, [a, b]: [&Frame; 2]) -> Contact {
        let normal = if self.is_of_b { b.rotation } else { a.rotation } * self.normal;
        self.between(a.rotation * self.on_a + a.position, b.rotation * self.on_b + b.position, normal)
    }

    /// The contact between two points with a normal.
    fn between(&self, on_a: DVec3, on_b: DVec3, normal: DVec3) -> Contact {
        Contact {
            position: 0.5 * (on_a + on_b),
            normal,
            gap: normal.dot(on_b - on_a),
            feature_a: self.feature_a,
            feature_b: self.feature_b,
        }
    }

    /// The impulse of a substep, `share` of the one that is remembered, in the basis of a normal with its tangents.
    pub fn impulse(&self, [s, t]: [DVec3; 2], share: f64) -> Impulse {
        [self.normal_impulse, self.friction.dot(s), self.friction.dot(t), self.torsion].map(|x| x * share)
    }

    /// Remembers the impulse of a substep, in the basis of a normal with its tangents.
    pub fn remember(&mut self, [s, t]: [DVec3; 2], [n, x, y, torsion]: Impulse) {
        (self.normal_impulse, self.friction, self.torsion) = (n, s * x + t * y, torsion);
    }

    /// Whether all of it is finite.
    pub fn is_finite(&self) -> bool {
        let vectors = [self.on_a, self.on_b, self.normal, self.friction];
        vectors.iter().all(|v| v.is_finite())
            && [self.normal_impulse, self.torsion, self.rest_depth].iter().all(|x| x.is_finite())
    }

    fn take_over(&mut self, old: &mut Self) {
        self.normal_impulse += std::mem::take(&mut old.normal_impulse);
        self.friction += std::mem::take(&mut old.friction);
        self.torsion += std::mem::take(&mut old.torsion);
    }

    fn has_impulse(&self) -> bool {
        self.normal_impulse > 0.0
    }
}

/// Two bodies that are near each other.
#[derive(Clone, Debug, Default)]
pub(super) struct PersistentPair {
    /// The places of A and B in the list of bodies, ascending.
    pub bodies: (usize, usize),
    /// The pose of B in A's frame when the contacts were looked for; none if they are to be looked for now.
    pub found_at: Option<Pose>,
    /// How far the bodies may move from there without having contacts, m; zero if they may touch. Such a pair is let go.
    pub apart: f64,
    /// Whether no number of solves kept the bodies apart in the last step: the next contacts may be deep ones.
    pub is_unsettled: bool,
    /// The bodies may surely move so far against each other until contacts are to be looked for again, m; zero where that is not known.
    pub room: f64,
    /// Whether contacts may have to be looked for in this step.
    pub is_due: bool,
    /// How many of the contacts are on internal edges.
    pub internal_edges: u32,
    pub contacts: Vec<PersistentContact>,
    /// What the generator keeps of the pair.
    pub memory: PairMemory,
}

impl PersistentPair {
    pub fn new(bodies: (usize, usize)) -> Self {
        Self { bodies, ..Self::default() }
    }

    /// Whether nothing is known of it.
    pub fn is_idle(&self) -> bool {
        self.contacts.is_empty() && self.found_at.is_none() && !self.is_unsettled
    }

    /// Forgets the contacts.
    pub fn clear(&mut self) {
        self.contacts.clear();
        (self.found_at, self.apart, self.is_unsettled) = (None, 0.0, false);
        (self.room, self.internal_edges) = (0.0, 0);
    }

    /// The contacts that are on no internal edge.
    pub fn held(&self) -> impl Iterator<Item = (usize, &PersistentContact)> {
        self.contacts.iter().enumerate().filter(|(_, contact)| !contact.is_internal_edge)
    }

    /// How many these are.
    pub fn held_count(&self) -> usize {
        self.contacts.len() - self.internal_edges as usize
    }

    /// Says which contacts are on internal edges.
    pub fn mark_internal_edges(&mut self, is_one: impl Fn(usize) -> bool) {
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            contact.is_internal_edge = is_one(i);
        }
        self.internal_edges = self.contacts.iter().filter(|contact| contact.is_internal_edge).count() as u32;
    }

    /// Takes new contacts in place of those it has, whose impulses go over: to the nearest contact between the same features within
    /// `distance` (m), else to the nearest one. `old` is scratch space. Returns how many contacts continue another one.
    pub fn renew(
        &mut self,
        contacts: &[Contact],
        poses: [&Pose; 2],
        distance: Option<f64>,
        old: &mut Vec<PersistentContact>,
    ) -> usize {
        old.clear();
        old.append(&mut self.contacts);
        self.contacts.extend(contacts.iter().map(|contact| PersistentContact::new(contact, poses)));
        self.found_at = Some(poses[0].inverse() * *poses[1]);
        (self.apart, self.is_unsettled, self.internal_edges, self.room) = (0.0, false, 0, 0.0);
        let Some(distance) = distance else { return 0 };
        for is_same in [true, false] {
            for before in old.iter_mut().filter(|before| before.has_impulse()) {
                let reach = if is_same { distance } else { FAR * distance };
                let mut nearest: Option<(usize, f64)> = None;
                for (k, own) in self.contacts.iter().enumerate() {
                    let fits = if is_same {
                        !own.has_impulse() && (own.feature_a, own.feature_b) == (before.feature_a, before.feature_b)
                    } else {
                        own.is_of_b == before.is_of_b && own.normal.dot(before.normal) >= SIMILAR_NORMALS
                    };
                    let square = own.on_a.distance_squared(before.on_a);
                    if fits && square <= reach * reach && nearest.is_none_or(|(_, least)| square < least) {
                        nearest = Some((k, square));
                    }
                }
                if let Some((k, _)) = nearest {
                    self.contacts[k].take_over(before);
                }
            }
        }
        self.contacts.iter().filter(|contact| contact.has_impulse()).count()
    }
}
