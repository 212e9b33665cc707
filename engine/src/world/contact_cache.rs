//! The contact cache, or persistent manifolds: where the contacts of each pair were and which impulses they had.
//!
//! Warm starting gives each contact the impulse of the contact that it continues: of those between the same features the
//! nearest, and if there is none the nearest with a similar normal. Each old contact is continued once; one that
//! nothing continues leaves its impulse to the nearest contact with a similar normal, so that contacts which come and
//! go, as they do where features meet, take no force away. The friction impulse keeps its direction in the world while
//! the tangents follow the new normal.

use crate::body::Pose;
use crate::handle::BodyHandle;
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;
use drystone_contact::{Contact, Feature};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Normals further apart than this cosine do not belong to one contact.
const SIMILAR_NORMALS: f64 = 0.9;

/// How contacts of one step are found again in the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarmStart {
    /// Contacts further apart than this in the frame of body A are different ones, m.
    pub distance: f64,
}

impl Default for WarmStart {
    /// Two centimetres.
    fn default() -> Self {
        Self { distance: 0.02 }
    }
}

/// A contact of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CachedContact {
    /// The feature of A.
    pub feature_a: Feature,
    /// The feature of B.
    pub feature_b: Feature,
    /// In the frame of body A, m.
    pub position: DVec3,
    /// From A to B, world frame.
    pub normal: DVec3,
    /// Normal, s, t (N s), torsion (N m s), in the basis of the normal.
    pub impulse: Impulse,
}

/// The contacts of the last step by pair, in the order in which they were solved.
pub(super) type ContactCache = BTreeMap<(BodyHandle, BodyHandle), Vec<CachedContact>>;

impl CachedContact {
    pub fn new(contact: &Contact, pose_a: &Pose, impulse: Impulse) -> Self {
        let Contact { position, normal, feature_a, feature_b, .. } = *contact;
        Self { feature_a, feature_b, position: pose_a.inverse_transform_point(position), normal, impulse }
    }

    /// In place of contacts that an unsettled pair did not get; no contact continues it.
    pub fn unknown() -> Self {
        let feature = Feature::UNKNOWN;
        Self { feature_a: feature, feature_b: feature, position: DVec3::ZERO, normal: DVec3::ZERO, impulse: [0.0; 4] }
    }

    /// The impulse in the basis of another normal.
    fn turned(&self, normal: DVec3) -> Impulse {
        let [n, s, t, torsion] = self.impulse;
        let [old_s, old_t] = tangents(self.normal);
        let friction = old_s * s + old_t * t;
        let [new_s, new_t] = tangents(normal);
        [n, friction.dot(new_s), friction.dot(new_t), torsion]
    }
}

/// The impulse that each contact of a pair takes over from the cache; `None` for a contact that continues none.
pub(super) fn cached_impulses(
    contacts: &[Contact],
    pose_a: &Pose,
    cached: &[CachedContact],
    settings: &WarmStart,
) -> Vec<Option<Impulse>> {
    let mut used = vec![false; cached.len()];
    let mut impulses: Vec<Option<Impulse>> = vec![None; contacts.len()];
    let positions: Vec<DVec3> = contacts.iter().map(|c| pose_a.inverse_transform_point(c.position)).collect();
    for same_features in [true, false] {
        for ((contact, impulse), &position) in contacts.iter().zip(&mut impulses).zip(&positions) {
            if impulse.is_some() {
                continue;
            }
            let fits = |old: &CachedContact| {
                if same_features {
                    (old.feature_a, old.feature_b) == (contact.feature_a, contact.feature_b)
                } else {
                    old.normal.dot(contact.normal) >= SIMILAR_NORMALS
                }
            };
            let mut nearest: Option<(usize, f64)> = None;
            for (i, old) in cached.iter().enumerate().filter(|(i, old)| !used[*i] && fits(old)) {
                let distance = old.position.distance(position);
                if distance <= settings.distance && nearest.is_none_or(|(_, least)| distance < least) {
                    nearest = Some((i, distance));
                }
            }
            if let Some((i, _)) = nearest {
                used[i] = true;
                *impulse = Some(cached[i].turned(contact.normal));
            }
        }
    }
    for old in cached.iter().zip(&used).filter(|(_, used)| !**used).map(|(old, _)| old) {
        let mut nearest: Option<(usize, f64)> = None;
        for (i, _) in contacts.iter().enumerate().filter(|(_, c)| old.normal.dot(c.normal) >= SIMILAR_NORMALS) {
            let distance = old.position.distance(positions[i]);
            if distance <= settings.distance && nearest.is_none_or(|(_, least)| distance < least) {
                nearest = Some((i, distance));
            }
        }
        if let Some((i, _)) = nearest {
            let left = old.turned(contacts[i].normal);
            let own = impulses[i].unwrap_or([0.0; 4]);
            impulses[i] = Some(std::array::from_fn(|k| own[k] + left[k]));
        }
    }
    impulses
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn contact(x: f64, normal: DVec3, vertex: u32) -> Contact {
        let (feature_a, feature_b) = (Feature::Vertex(vertex), Feature::Face(0));
        Contact { position: DVec3::X * x, normal, gap: 0.0, feature_a, feature_b }
    }

    #[test]
    fn features_come_before_nearness() {
        let pose = Pose::from_parts(DVec3::Y, DQuat::from_rotation_z(0.5));
        let old: Vec<CachedContact> = [(0.0, 1), (0.01, 2), (0.5, 3)]
            .map(|(x, vertex)| {
                CachedContact::new(&contact(x, DVec3::Y, vertex), &pose, [f64::from(vertex), 0.0, 0.0, 0.0])
            })
            .to_vec();
        let new = [contact(0.001, DVec3::Y, 2), contact(0.002, DVec3::Y, 9), contact(0.3, DVec3::Y, 3)];
        let normals = |impulses: Vec<Option<Impulse>>| impulses.iter().map(|s| s.map(|s| s[0])).collect::<Vec<_>>();
        let settings = WarmStart::default();
        assert_eq!(normals(cached_impulses(&new, &pose, &old, &settings)), [Some(2.0), Some(1.0), None]);
        let across = [contact(0.0, DVec3::X, 9)];
        assert_eq!(normals(cached_impulses(&across, &pose, &old, &settings)), [None]);
        // The pair has moved as one.
        let moved = Pose::from_parts(DVec3::Z * 3.0, pose.rotation);
        let seen = Contact { position: moved.transform_point(old[2].position), ..contact(0.0, DVec3::Y, 3) };
        assert_eq!(normals(cached_impulses(&[seen], &moved, &old, &settings)), [Some(3.0)]);
    }

    #[test]
    fn what_nothing_continues_goes_to_its_neighbour() {
        let old: Vec<CachedContact> = [(0.0, 1), (0.001, 2), (0.5, 3)]
            .map(|(x, vertex)| {
                let impulse = [f64::from(vertex), 0.5, 0.0, 0.0];
                CachedContact::new(&contact(x, DVec3::Y, vertex), &Pose::IDENTITY, impulse)
            })
            .to_vec();
        let new = [contact(0.0, DVec3::Y, 1), contact(0.3, DVec3::Y, 4)];
        let found = cached_impulses(&new, &Pose::IDENTITY, &old, &WarmStart::default());
        assert_eq!(found, [Some([3.0, 1.0, 0.0, 0.0]), None]);
    }

    #[test]
    fn friction_keeps_its_direction_when_the_basis_jumps() {
        // The basis changes at equal components.
        let normals = [DVec3::new(1.0, 1.001, 0.0).normalize(), DVec3::new(1.001, 1.0, 0.0).normalize()];
        let world = |normal: DVec3, impulse: Impulse| {
            let [s, t] = tangents(normal);
            s * impulse[1] + t * impulse[2]
        };
        let old = CachedContact::new(&contact(0.0, normals[0], 1), &Pose::IDENTITY, [5.0, 1.0, -2.0, 0.5]);
        let turned = old.turned(normals[1]);
        assert_ne!(turned[1], 1.0);
        assert_eq!((turned[0], turned[3]), (5.0, 0.5));
        assert!((world(normals[0], old.impulse) - world(normals[1], turned)).length() < 0.01);
    }
}
