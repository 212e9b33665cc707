//! Every pair of kinds against brute force that shares no code with what it tests: support functions and projections by formulas of
//! its own, alternating projections for distances, directions all around for depths.
//!
//! The gap is checked from both sides: along the normal found the oracle's support functions are as far apart as it says, so that it
//! is no more than the distance and no less deep than that direction; and no pair of points, nor any direction, is better by more than
//! the stated bounds.

use super::*;
use crate::shape::primitive;
use crate::split_mix::SplitMix;

/// Kinds with their dimensions; an empty list is the polyhedron below.
const KINDS: [(&str, &[f64]); 7] = [
    ("ball", &[0.4]),
    ("capsule", &[0.25, 0.45]),
    ("cylinder", &[0.4, 0.3]),
    ("cone", &[0.5, 0.8]),
    ("rounded-box", &[0.35, 0.2, 0.3, 0.1]),
    ("ellipsoid", &[0.3, 0.6, 0.45]),
    ("polyhedron", &[]),
];

/// Distances are found up to this, m: the alternating projections end there.
const DISTANCE: f64 = 2e-5;

/// Depths are the least up to this share.
const DEPTH: f64 = 2e-3;

/// A wedge with a slanted top.
fn wedge() -> Shape {
    let corners = [[-0.5, -0.3], [0.5, -0.3], [0.3, 0.4], [-0.4, 0.2]];
    polyhedron(&sample::prism(&corners, &[[0, 1, 2], [0, 2, 3]]))
}

/// The oracle's own view of a solid.
struct Known {
    shape: Shape,
    dimensions: Vec<f64>,
}

impl Known {
    fn new((kind, dimensions): (&str, &[f64]), scale: f64) -> Self {
        let dimensions: Vec<f64> = dimensions.iter().map(|d| d * scale).collect();
        let shape = if dimensions.is_empty() { wedge() } else { primitive(kind, &dimensions).unwrap() };
        Self { shape, dimensions }
    }

    /// How far the solid reaches along a direction, m.
    fn reach(&self, n: DVec3) -> f64 {
        let (d, out) = (&self.dimensions, (n.x * n.x + n.z * n.z).sqrt());
        match self.shape.kind() {
            "ball" => d[0] * n.length(),
            "capsule" => d[0] * n.length() + d[1] * n.y.abs(),
            "cylinder" => d[0] * out + d[1] * n.y.abs(),
            "cone" => (d[0] * out - 0.25 * d[1] * n.y).max(0.75 * d[1] * n.y),
            "rounded-box" => d[0] * n.x.abs() + d[1] * n.y.abs() + d[2] * n.z.abs() + d[3] * n.length(),
            "ellipsoid" => (n * DVec3::new(d[0], d[1], d[2])).length(),
            _ => self.vertices().iter().map(|v| v.dot(n)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn vertices(&self) -> &[DVec3] {
        self.shape.surface().unwrap().vertices()
    }

    /// The point of the solid that is closest to a point outside.
    fn project(&self, p: DVec3) -> DVec3 {
        let d = &self.dimensions;
        let towards = |core: DVec3, radius: f64| core + (p - core).clamp_length_max(radius);
        match self.shape.kind() {
            "ball" => towards(DVec3::ZERO, d[0]),
            "capsule" => towards(DVec3::Y * p.y.clamp(-d[1], d[1]), d[0]),
            "cylinder" => {
                let flat = DVec3::new(p.x, 0.0, p.z).clamp_length_max(d[0]);
                DVec3::new(flat.x, p.y.clamp(-d[1], d[1]), flat.z)
            }
            "cone" => self.onto_cone(p),
            "rounded-box" => {
                let half = DVec3::new(d[0], d[1], d[2]);
                towards(p.min(half).max(-half), d[3])
            }
            "ellipsoid" => {
                let on = self.shape.as_primitive().unwrap().closest(p);
                if on.distance > 0.0 { on.position } else { p }
            }
            _ => self.onto_polyhedron(p),
        }
    }

    /// By the triangle of axis, rim and tip in the plane of the axis and the point.
    fn onto_cone(&self, p: DVec3) -> DVec3 {
        let (r, h) = (self.dimensions[0], self.dimensions[1]);
        let out = (p.x * p.x + p.z * p.z).sqrt();
        let (x, y) = (out, p.y + 0.25 * h);
        if y >= 0.0 && x / r + y / h <= 1.0 {
            return p;
        }
        let segment = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2]| {
            let (ux, uy) = (bx - ax, by - ay);
            let t = (((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)).clamp(0.0, 1.0);
            (ax + t * ux, ay + t * uy)
        };
        let off = |(qx, qy): &(f64, f64)| (qx - x) * (qx - x) + (qy - y) * (qy - y);
        let candidates = [segment([0.0, 0.0], [r, 0.0]), segment([r, 0.0], [0.0, h])];
        let (qx, qy) = candidates.into_iter().min_by(|p, q| off(p).total_cmp(&off(q))).unwrap();
        let share = if out > 0.0 { qx / out } else { 0.0 };
        DVec3::new(p.x * share, qy - 0.25 * h, p.z * share)
    }

    /// By the closest of the points of its triangles.
    fn onto_polyhedron(&self, p: DVec3) -> DVec3 {
        let surface = self.shape.surface().unwrap();
        let heights = (0..surface.triangles().len() as u32).map(|t| {
            let [a, b, c] = surface.corners(t);
            (p - a).dot((b - a).cross(c - a))
        });
        if heights.fold(f64::NEG_INFINITY, f64::max) <= 0.0 {
            return p;
        }
        let segment =
            |a: DVec3, b: DVec3| a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        let mut best = surface.corners(0)[0];
        for t in 0..surface.triangles().len() as u32 {
            let [a, b, c] = surface.corners(t);
            let normal = (b - a).cross(c - a).normalize();
            let flat = p - normal * (p - a).dot(normal);
            let is_inside = [[a, b], [b, c], [c, a]].iter().all(|[u, v]| (*v - *u).cross(flat - *u).dot(normal) >= 0.0);
            let inside = is_inside.then_some(flat);
            for q in inside.into_iter().chain([segment(a, b), segment(b, c), segment(c, a)]) {
                if q.distance(p) < best.distance(p) {
                    best = q;
                }
            }
        }
        best
    }

    /// How far a point is from the surface, m, inside or outside.
    fn off_surface(&self, p: DVec3) -> f64 {
        match self.shape.as_primitive() {
            Some(primitive) => primitive.closest(p).distance.abs(),
            None => {
                let features = self.shape.features().unwrap();
                let inside = features.facets().iter().map(|f| f.height(p)).fold(f64::NEG_INFINITY, f64::max).abs();
                inside.max(self.project(p).distance(p))
            }
        }
    }
}

/// Two solids, B at a pose in the frame of A.
struct Two<'k> {
    a: &'k Known,
    b: &'k Known,
    pose: Pose,
}

impl Two<'_> {
    fn gap_along(&self, n: DVec3) -> f64 {
        let of_b = self.b.reach(self.pose.rotation.inverse() * -n) - n.dot(self.pose.translation);
        -of_b - self.a.reach(n)
    }

    /// The distance by alternating projections, from above; zero of solids that meet. Every so often the way that they have gone is gone
    /// on as far as it leads nearer, as they creep where surfaces are almost parallel.
    fn distance(&self) -> f64 {
        let onto_b = |p: DVec3| self.pose.transform_point(self.b.project(self.pose.inverse_transform_point(p)));
        let off = |on_b: DVec3| self.a.project(on_b).distance(on_b);
        let mut on_b = onto_b(self.a.project(self.pose.translation));
        for _ in 0..2000 {
            let before = on_b;
            for _ in 0..20 {
                on_b = onto_b(self.a.project(on_b));
            }
            let way = on_b - before;
            let mut factor = 1.0;
            while factor < 1e6 {
                let next = onto_b(on_b + way * factor);
                if off(next) < off(on_b) {
                    on_b = next;
                    factor *= 2.0;
                } else {
                    break;
                }
            }
            if off(before) - off(on_b) < 1e-12 {
                break;
            }
        }
        off(on_b)
    }

    /// The largest gap along any of many directions, refined by a search with shrinking steps around the best few.
    fn best_direction(&self) -> f64 {
        let count = 3000;
        let mut tried: Vec<(f64, DVec3)> = (0..count)
            .map(|k| {
                let y = 1.0 - 2.0 * (f64::from(k) + 0.5) / f64::from(count);
                let (s, c) = libm::sincos(2.399_963_229_728_653 * f64::from(k));
                let out = (1.0 - y * y).sqrt();
                let n = DVec3::new(out * c, y, out * s);
                (self.gap_along(n), n)
            })
            .collect();
        tried.sort_by(|p, q| q.0.total_cmp(&p.0));
        let refined = |&(gap, n): &(f64, DVec3)| {
            let (mut best, mut at, mut step) = (gap, n, 0.05);
            while step > 1e-7 {
                let (s, t) = at.any_orthonormal_pair();
                let around = (0..12).map(|k| {
                    let (sine, cosine) = libm::sincos(f64::from(k) * std::f64::consts::TAU / 12.0);
                    (at + (s * cosine + t * sine) * step).normalize()
                });
                let next = around.map(|n| (self.gap_along(n), n)).max_by(|p, q| p.0.total_cmp(&q.0)).unwrap();
                if next.0 > best {
                    (best, at) = next;
                } else {
                    step *= 0.7;
                }
            }
            best
        };
        tried[..6].iter().map(refined).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Poses of B at which the pair is near to contact or overlaps: along a random direction or an axis, turned anyhow, by right angles,
/// or by nearly right ones.
fn pose(a: &Known, b: &Known, random: &mut SplitMix) -> Pose {
    let vector = |random: &mut SplitMix| DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)));
    let right = |random: &mut SplitMix| {
        let axis = DVec3::AXES[random.next_below(3)];
        DQuat::from_axis_angle(axis, std::f64::consts::FRAC_PI_2 * random.next_below(4) as f64)
    };
    let (turn, direction) = match random.next_below(4) {
        0 | 1 => (random.next_rotation(), vector(random).normalize()),
        2 => (right(random), DVec3::AXES[random.next_below(3)]),
        _ => (DQuat::from_scaled_axis(vector(random) * 5e-3) * right(random), DVec3::AXES[random.next_below(3)]),
    };
    let touching = a.reach(direction) + b.reach(turn.inverse() * -direction);
    let gap = [5e-3, 0.0, -1e-4, -1e-2, -0.2, -0.45][random.next_below(6)];
    let beside = vector(random) * 0.2;
    let aside = beside - direction * beside.dot(direction);
    Pose::from_parts(direction * (touching + gap) + aside, turn)
}

fn placed(known: &Known, pose: Pose) -> PlacedCore<'_> {
    PlacedCore { rounded: known.shape.core().unwrap(), pose }
}

fn limits(scale: f64) -> CoreLimits {
    CoreLimits { envelope: 0.02 * scale, same: 2e-5 * scale, parallel: 2e-2 }
}

fn contacts_of(a: &PlacedCore<'_>, b: &PlacedCore<'_>, scale: f64) -> Vec<Contact> {
    let mut found = Vec::new();
    contacts(a, b, &limits(scale), &mut found);
    found
}

/// Calls a check for every pair of kinds at some poses.
fn every_pair(poses: usize, seed: u64, mut check: impl FnMut(&Known, &Known, Pose, &mut SplitMix, &str)) {
    let mut random = SplitMix::new(seed);
    for (i, first) in KINDS.into_iter().enumerate() {
        for second in &KINDS[i..] {
            let (a, b) = (Known::new(first, 1.0), Known::new(*second, 1.0));
            for k in 0..poses {
                let pose = pose(&a, &b, &mut random);
                check(&a, &b, pose, &mut random, &format!("{} and {}, pose {k}", first.0, second.0));
            }
        }
    }
}

#[test]
fn the_gap_is_that_of_brute_force() {
    every_pair(24, 1, |a, b, pose, _, what| {
        let two = Two { a, b, pose };
        let found = separation(&placed(a, Pose::IDENTITY), &placed(b, pose), f64::INFINITY).unwrap();
        let along = two.gap_along(found.normal);
        assert!((along - found.gap).abs() < 1e-10, "{what}: {along} along the normal of {found:?}");
        if found.gap > 0.0 {
            let distance = two.distance();
            assert!(found.gap > distance - DISTANCE, "{what}: {distance} {found:?}");
        } else {
            let best = two.best_direction();
            assert!(found.gap >= best - DEPTH * best.abs() - 1e-6, "{what}: {best} {found:?}");
        }
    });
}

#[test]
fn contacts_lie_half_way_and_none_is_too_deep() {
    let (mut exact, mut all) = (0, 0);
    every_pair(60, 2, |a, b, pose, _, what| {
        let (own, other) = (placed(a, Pose::IDENTITY), placed(b, pose));
        let found = contacts_of(&own, &other, 1.0);
        let gap = separation(&own, &other, f64::INFINITY).unwrap().gap;
        assert_eq!(found.is_empty(), gap > 0.02, "{what}");
        let least = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        assert!(found.is_empty() || (gap - 1e-12..gap + 2e-5 + 1e-12).contains(&least), "{what}: {gap} {least}");
        for contact in &found {
            let [on_a, on_b] = [-0.5, 0.5].map(|half| contact.position + contact.normal * (half * contact.gap));
            let off = [a.off_surface(on_a), b.off_surface(pose.inverse_transform_point(on_b))];
            // Lines that are oblique to each other by an angle up to 0.02 are across from each other up to that.
            assert!(off[0].max(off[1]) < 5e-3, "{what}: {off:?} {contact:?}");
            exact += u32::from(off[0].max(off[1]) < 1e-9);
            all += 1;
        }
    });
    assert!(f64::from(exact) > 0.9 * f64::from(all), "{exact} of {all} are exactly half-way");
}

#[test]
fn an_exchange_negates_normals_and_nothing_else() {
    every_pair(60, 3, |a, b, pose, _, what| {
        let (own, other) = (placed(a, Pose::IDENTITY), placed(b, pose));
        let mut exchanged = contacts_of(&other, &own, 1.0);
        exchanged.iter_mut().for_each(Contact::exchange);
        assert_eq!(contacts_of(&own, &other, 1.0), exchanged, "{what}");
    });
}

#[test]
fn a_rigid_motion_moves_the_contacts() {
    let (mut cases, mut same) = (0, 0);
    every_pair(60, 4, |a, b, pose, random, what| {
        let motion = Pose::from_parts(DVec3::new(3.0, -2.0, 1.0), random.next_rotation());
        let (own, other) = (placed(a, Pose::IDENTITY), placed(b, pose));
        let (here, there) =
            (contacts_of(&own, &other, 1.0), contacts_of(&placed(a, motion), &placed(b, motion * pose), 1.0));
        let gaps = [[&own, &other], [&placed(a, motion), &placed(b, motion * pose)]]
            .map(|[a, b]| separation(a, b, f64::INFINITY).unwrap().gap);
        assert!(here.is_empty() == there.is_empty(), "{what}");
        assert!((gaps[0] - gaps[1]).abs() < 1e-9, "{what}: {gaps:?}");
        let is_there = |c: &Contact| {
            let (at, normal) = (motion.transform_point(c.position), motion.rotation * c.normal);
            there.iter().any(|d| d.position.distance(at) < 1e-6 && d.normal.distance(normal) < 1e-6)
        };
        cases += 1;
        same += u32::from(here.len() == there.len() && here.iter().all(is_there));
    });
    // Where two directions are equally good, or a rim has no distinguished point, rounding chooses.
    assert!(f64::from(same) > 0.97 * f64::from(cases), "{same} of {cases}");
}

/// By a power of two, so that not even rounding differs.
#[test]
fn contacts_scale_with_the_shapes() {
    let scale = 1.0 / 1024.0;
    let mut random = SplitMix::new(5);
    for (i, first) in KINDS[..6].iter().enumerate() {
        for second in &KINDS[i..6] {
            let [(a, b), (c, d)] = [1.0, scale].map(|s| (Known::new(*first, s), Known::new(*second, s)));
            for _ in 0..30 {
                let large = pose(&a, &b, &mut random);
                let small = Pose::from_parts(large.translation * scale, large.rotation);
                let found = contacts_of(&placed(&a, Pose::IDENTITY), &placed(&b, large), 1.0);
                let scaled = contacts_of(&placed(&c, Pose::IDENTITY), &placed(&d, small), scale);
                assert_eq!(found.len(), scaled.len(), "{} and {}", first.0, second.0);
                for (x, y) in found.iter().zip(&scaled) {
                    assert_eq!((x.normal, x.gap * scale, x.position * scale), (y.normal, y.gap, y.position));
                }
            }
        }
    }
}
