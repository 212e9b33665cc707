//! Manifolds: the contacts of two bodies that have one normal, by no more at once than a constraint holds.
//!
//! Those of more contacts are solved in parts, each of which reaches around the whole of them: a body that lands comes to rest by the part that is
//! solved first if its centre of mass lies between the contacts of this part. By corners of one side alone it would get spin that the other parts
//! would not take back.

use super::SoftContact;
use super::constraint::MAX_POINTS;
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;
use glam::DVec3;
use std::ops::Range;

/// Normals of one manifold differ by no more than this.
const SAME_NORMAL: f64 = 1e-9;

/// Contacts of two bodies with one normal: a manifold, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manifold {
    pub start: u32,
    pub count: u32,
    /// A and B.
    pub bodies: [u32; 2],
}

/// All manifolds.
#[derive(Debug, Default)]
pub struct Manifolds {
    /// In the order of their contacts.
    pub list: Vec<Manifold>,
    /// Whether any of them bounces.
    pub bounces: bool,
    /// The contacts of those that are solved in parts.
    divided: Vec<Range<usize>>,
    /// For each of these contacts, as they are ordered, how many were before it in its manifold.
    order: Vec<usize>,
    /// The contacts of a manifold around their middle: the directions, and which they are.
    ring: Vec<(f64, usize)>,
    contacts: Vec<SoftContact>,
    totals: Vec<Impulse>,
}

/// The contacts of a ring of so many, part by part: one out of each of as many stretches of about the same length as a part has contacts.
fn order(count: usize) -> impl Iterator<Item = usize> {
    let stretch = move |k: usize| k * count / MAX_POINTS..(k + 1) * count / MAX_POINTS;
    (0..count.div_ceil(MAX_POINTS)).flat_map(move |part| (0..MAX_POINTS).filter_map(move |k| stretch(k).nth(part)))
}

/// Grows with the direction of a vector from 0 to 4 anticlockwise; no function is asked for that machines have of their own.
fn direction(x: f64, y: f64) -> f64 {
    let share = x / (x.abs() + y.abs()).max(f64::MIN_POSITIVE);
    if y < 0.0 { 3.0 + share } else { 1.0 - share }
}

impl Manifolds {
    /// Finds them: the contacts of each follow each other. Those of one that is solved in parts are put in the order of these.
    pub fn group(&mut self, contacts: &mut [SoftContact]) {
        self.list.clear();
        self.divided.clear();
        self.order.clear();
        self.bounces = contacts.iter().any(|contact| contact.bounce > 0.0);
        let mut start = 0;
        while start < contacts.len() {
            let first = contacts[start];
            let fits =
                |c: &&SoftContact| (c.a, c.b) == (first.a, first.b) && c.normal.dot(first.normal) > 1.0 - SAME_NORMAL;
            let end = start + contacts[start..].iter().take_while(fits).count().max(1);
            if end - start > MAX_POINTS {
                self.divide(contacts, start..end);
            }
            for part in (start..end).step_by(MAX_POINTS) {
                let count = MAX_POINTS.min(end - part);
                self.list.push(Manifold { start: part as u32, count: count as u32, bodies: [first.a, first.b] });
            }
            start = end;
        }
    }

    fn divide(&mut self, contacts: &mut [SoftContact], all: Range<usize>) {
        let own = &mut contacts[all.clone()];
        let middle = own.iter().map(|contact| contact.position).sum::<DVec3>() / own.len() as f64;
        let [u, v] = tangents(own[0].normal);
        self.ring.clear();
        self.ring.extend(own.iter().enumerate().map(|(k, contact)| {
            let out = contact.position - middle;
            (direction(u.dot(out), v.dot(out)), k)
        }));
        self.ring.sort_unstable_by(|(a, k), (b, l)| a.total_cmp(b).then(k.cmp(l)));
        self.contacts.clear();
        self.contacts.extend_from_slice(own);
        for (contact, k) in own.iter_mut().zip(order(all.len())) {
            let k = self.ring[k].1;
            *contact = self.contacts[k];
            self.order.push(k);
        }
        self.divided.push(all);
    }

    /// Puts all contacts and their impulses back where they were.
    pub fn restore(&mut self, contacts: &mut [SoftContact], totals: &mut [Impulse]) {
        let mut order = self.order.iter();
        for all in self.divided.drain(..) {
            self.contacts.clear();
            self.contacts.extend_from_slice(&contacts[all.clone()]);
            self.totals.clear();
            self.totals.extend_from_slice(&totals[all.clone()]);
            for ((contact, total), k) in self.contacts.iter().zip(&self.totals).zip(&mut order) {
                (contacts[all.start + k], totals[all.start + k]) = (*contact, *total);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_each_contact_once_and_reach_around_a_polygon() {
        for count in 1..100 {
            let order: Vec<usize> = order(count).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..count), "{order:?}");
            // No part of four leaves out half of the way around.
            for part in order.chunks_exact(MAX_POINTS) {
                let next = part.iter().skip(1).copied().chain([part[0] + count]);
                let widest = part.iter().zip(next).map(|(&k, next)| next - k).max().unwrap();
                assert!(2 * widest < count, "{count}: {part:?}");
            }
        }
    }

    #[test]
    fn directions_grow_as_angles_do() {
        let angles = (0..1000).map(|k| std::f64::consts::TAU * f64::from(k) / 1000.0);
        let directions: Vec<f64> = angles.map(|angle| direction(angle.cos(), angle.sin())).collect();
        assert!(directions.is_sorted_by(|a, b| a < b) && directions[0] == 0.0 && directions[999] < 4.0);
        assert!((0.0..4.0).contains(&direction(0.0, 0.0)));
    }

    /// The corners of regular polygons, in orders that mean nothing.
    #[test]
    fn the_parts_of_polygons_hold_their_middle_and_contacts_come_back() {
        // Of three pairs of bodies, the second and the last with two normals.
        let ends = [3, 10, 12, 35, 40];
        let contact = |k: usize| {
            let manifold = ends.iter().position(|&end| k < end).unwrap();
            let start = if manifold == 0 { 0 } else { ends[manifold - 1] };
            let count = ends[manifold] - start;
            // One step in seventeen is prime to all these counts.
            let angle = std::f64::consts::TAU * ((17 * (k - start)) % count) as f64 / count as f64;
            let (y, x) = angle.sin_cos();
            let normal = if (10..35).contains(&k) { DVec3::X } else { DVec3::Y };
            let [u, v] = tangents(normal);
            let position = DVec3::new(3.0, -1.0, 5.0) + x * u + 0.3 * y * v;
            SoftContact { gap: k as f64, a: [0, 1, 1, 2, 2][manifold], b: 5, normal, position, ..SoftContact::NONE }
        };
        let before: Vec<SoftContact> = (0..40).map(contact).collect();
        let (mut manifolds, mut contacts) = (Manifolds::default(), before.clone());
        manifolds.group(&mut contacts);
        let parts: Vec<[u32; 2]> = manifolds.list.iter().map(|part| [part.start, part.count]).collect();
        let of_23 = [12, 16, 20, 24, 28].map(|start| [start, 4]);
        let expected = [[0, 3], [3, 4], [7, 3], [10, 2]].into_iter().chain(of_23);
        assert!(parts.iter().copied().eq(expected.chain([[32, 3], [35, 4], [39, 1]])), "{parts:?}");
        for [start, count] in parts.into_iter().filter(|part| part[1] >= 3) {
            let own = &contacts[start as usize..(start + count) as usize];
            let [u, v] = tangents(own[0].normal);
            let out = |contact: &SoftContact| contact.position - DVec3::new(3.0, -1.0, 5.0);
            let angle = |contact: &SoftContact| v.dot(out(contact)).atan2(u.dot(out(contact)));
            let mut angles: Vec<f64> = own.iter().map(angle).collect();
            angles.sort_unstable_by(f64::total_cmp);
            let next = angles.iter().skip(1).copied().chain([angles[0] + std::f64::consts::TAU]);
            let widest = angles.iter().zip(next).map(|(angle, next)| next - angle).fold(0.0, f64::max);
            assert!(widest < std::f64::consts::PI, "{widest} of {angles:?}");
        }
        let gaps = |contacts: &[SoftContact]| contacts.iter().map(|contact| contact.gap).collect::<Vec<_>>();
        assert_ne!(gaps(&contacts), gaps(&before));
        let mut totals: Vec<Impulse> = contacts.iter().map(|contact| [contact.gap; 4]).collect();
        manifolds.restore(&mut contacts, &mut totals);
        assert_eq!(gaps(&contacts), gaps(&before));
        assert!(totals.iter().zip(&before).all(|(total, contact)| total == &[contact.gap; 4]));
    }
}
