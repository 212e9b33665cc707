//! What must hold of the contacts of any pair, whatever they are.

use drystone_contact::Contact;
use glam::DVec3;

use super::pair::{Lengths, Pair};
use super::soup::{Soup, distance, meetings, overlap};

/// What was broken and by how much.
pub type Broken = (&'static str, f64);

/// Contacts of a pair, and the pair as its triangles.
pub struct Sample<'p> {
    pub contacts: Vec<Contact>,
    pub soups: [Soup; 2],
    pub lengths: Lengths,
    pub pair: &'p Pair<'p>,
}

impl<'p> Sample<'p> {
    pub fn new(pair: &'p Pair<'p>) -> Self {
        Self { contacts: pair.contacts(), soups: pair.soups(), lengths: pair.lengths(), pair }
    }

    /// All that needs no convexity.
    pub fn check(&self, broken: &mut Vec<Broken>) {
        self.single(broken);
        self.twice(broken);
        self.apart_or_not(broken);
        self.depth(broken);
        self.enough(broken);
        if self.pair.shapes.iter().all(|s| s.surface().unwrap().is_convex()) {
            self.convex(broken);
        }
    }

    /// Unit normals, gaps in range, points near both solids.
    fn single(&self, broken: &mut Vec<Broken>) {
        let Lengths { envelope, depth, size, .. } = self.lengths;
        for c in &self.contacts {
            if !c.position.is_finite() || !c.normal.is_finite() || !c.gap.is_finite() {
                broken.push(("finite", f64::NAN));
                continue;
            }
            if (c.normal.length() - 1.0).abs() > 1e-12 {
                broken.push(("unit", c.normal.length()));
            }
            if c.gap > envelope + 1e-12 * size || c.gap < -depth - 1e-12 * size {
                broken.push(("range", c.gap / depth));
            }
            for (soup, name) in self.soups.iter().zip(["near A", "near B"]) {
                let off = soup.distance_to_solid(c.position);
                if off > 0.5 * c.gap.abs() + envelope {
                    broken.push((name, off / envelope));
                }
            }
        }
    }

    /// No two contacts share position and normal.
    fn twice(&self, broken: &mut Vec<Broken>) {
        for (i, c) in self.contacts.iter().enumerate() {
            for d in &self.contacts[..i] {
                if c.position.distance(d.position) <= self.lengths.same && c.normal.distance(d.normal) <= 1e-6 {
                    broken.push(("twice", c.position.distance(d.position)));
                }
            }
        }
    }

    /// No contact between what is farther apart than the envelope, one at least between what overlaps.
    fn apart_or_not(&self, broken: &mut Vec<Broken>) {
        let [a, b] = &self.soups;
        if self.contacts.is_empty() {
            if overlaps_surely(a, b, 1e-9 * self.lengths.size) {
                broken.push(("lost", 0.0));
            }
        } else if !overlap(a, b) && distance(a, b, self.lengths.envelope * (1.0 + 1e-9) + 1e-12).is_none() {
            broken.push(("spurious", self.deepest()));
        }
    }

    fn deepest(&self) -> f64 {
        self.contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
    }

    /// No contact is deeper than B has to move along its normal until it has left A: all the way they overlap.
    fn depth(&self, broken: &mut Vec<Broken>) {
        let [a, b] = &self.soups;
        let tolerance = self.depth_tolerance();
        for c in self.contacts.iter().filter(|c| c.gap < -tolerance) {
            let way = -c.gap - tolerance;
            let mut stops = meetings(a, b, c.normal, 0.0, way);
            stops.insert(0, 0.0);
            stops.push(way);
            // Gaps of rounding between stops say nothing.
            let width = 1e-3 * way;
            let apart = stops.windows(2).filter(|w| w[1] - w[0] > width).map(|w| 0.5 * (w[0] + w[1])).find(|&t| {
                !overlap(a, &b.moved(c.normal * t))
                    && !overlaps_perhaps(a, &b.moved(c.normal * t), 1e-9 * self.lengths.size)
            });
            if let Some(t) = apart {
                broken.push(("too deep", (-c.gap - t) / self.lengths.thickness));
            }
        }
    }

    /// What normals within their tolerance may make of a depth, m.
    fn depth_tolerance(&self) -> f64 {
        2.0 * self.lengths.same
    }

    /// A motion along which all contacts part takes the solids apart.
    fn enough(&self, broken: &mut Vec<Broken>) {
        let [a, b] = &self.soups;
        let deepest = -self.deepest();
        if self.contacts.is_empty() || deepest > 1e-3 * self.lengths.thickness {
            return;
        }
        let Some(v) = parting(&self.contacts) else { return };
        let way = 3.0 * deepest.max(self.lengths.same);
        if overlaps_surely(a, &b.moved(v * way), 1e-9 * self.lengths.size) {
            broken.push(("not enough", deepest / self.lengths.thickness));
        }
    }

    /// Between convex solids the deepest contact is as deep as they overlap.
    fn convex(&self, broken: &mut Vec<Broken>) {
        let gap = separation(&self.soups);
        let Lengths { depth, size, same, .. } = self.lengths;
        if gap >= -1e-9 * size || gap < -0.9 * depth {
            return;
        }
        let off = self.deepest() - gap;
        if off.abs() > 2.0 * same + 1e-3 * size {
            broken.push(("convex depth", off / self.lengths.thickness));
        }
    }
}

/// A velocity v with n · v ≥ 1 for all normals, as short as can be; `None` if there is none of a moderate length.
fn parting(contacts: &[Contact]) -> Option<DVec3> {
    let mut weights = vec![0.0; contacts.len()];
    let mut v = DVec3::ZERO;
    for _ in 0..300 {
        for (c, weight) in contacts.iter().zip(&mut weights) {
            let step = f64::max(1.0 - c.normal.dot(v), -*weight);
            *weight += step;
            v += c.normal * step;
        }
    }
    (v.length() < 5.0 && contacts.iter().all(|c| c.normal.dot(v) > 0.99)).then_some(v)
}

/// The largest gap between convex solids over the normals of all faces and the products of all edges, m.
pub fn separation([a, b]: &[Soup; 2]) -> f64 {
    let gap = |n: DVec3| -b.support(-n) - a.support(n);
    let normals = |s: &Soup| -> Vec<DVec3> {
        let corner = |v: u32| s.vertices[v as usize];
        s.triangles.iter().map(|&[i, j, k]| (corner(j) - corner(i)).cross(corner(k) - corner(i)).normalize()).collect()
    };
    let directions = |s: &Soup| -> Vec<DVec3> {
        s.edges.iter().map(|e| (s.vertices[e[1] as usize] - s.vertices[e[0] as usize]).normalize()).collect()
    };
    let (of_a, of_b) = (directions(a), directions(b));
    let products = of_a.iter().flat_map(|e| of_b.iter().map(move |f| e.cross(*f))).filter(|n| n.length() > 1e-6);
    let products = products.map(DVec3::normalize).flat_map(|n| [n, -n]);
    let faces = normals(a).into_iter().chain(normals(b).into_iter().map(|n| -n));
    faces.chain(products).map(gap).fold(f64::NEG_INFINITY, f64::max)
}

/// Three offsets in general directions: planes that coincide in a pair do not once it is moved by one of them.
const OFFSETS: [DVec3; 3] =
    [DVec3::new(0.34, -0.56, 0.75), DVec3::new(-0.81, 0.13, -0.57), DVec3::new(0.42, 0.86, -0.29)];

/// Whether the solids overlap, moved a little in any direction.
pub fn overlaps_surely(a: &Soup, b: &Soup, little: f64) -> bool {
    overlap(a, b) && OFFSETS.iter().flat_map(|&o| [o, -o]).all(|o| overlap(a, &b.moved(o * little)))
}

/// Whether the solids overlap, moved a little in some direction.
pub fn overlaps_perhaps(a: &Soup, b: &Soup, little: f64) -> bool {
    OFFSETS.iter().flat_map(|&o| [o, -o]).any(|o| overlap(a, &b.moved(o * little)))
}
