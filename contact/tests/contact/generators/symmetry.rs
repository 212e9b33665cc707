//! What every method owes its user whatever it computes: swapping A and B turns the normals and changes nothing else,
//! contacts move with the bodies, and no contact is where there is nothing to touch.
//!
//! All inputs are random: no two features are equally good, no planes or edges are parallel, so that no choice is a tie.
//! Where coordinates are rounded anew, by a motion, inputs are drawn [in general position](Pair::is_in_general_position)
//! besides. Nearly touching features give points so close together that the generators take them for one, and which
//! are that close depends on the axes of the coordinates and on the order of the points.

use drystone_contact::contact::{Contact, Feature};
use drystone_contact::generator::closest_points::EPSILON;
use drystone_contact::generator::{Method, Placed, SAME, TOUCHING, methods};
use drystone_contact::shape::Shape;
use drystone_contact::{Pose, Twist};
use drystone_replica::Variant;
use glam::{DQuat, DVec3};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::sample::{cuboid, fat_tetrahedron, pose, single, star};
use super::{CASES, config, exact};

/// Two shapes at their places.
#[derive(Clone, Debug)]
pub struct Pair {
    pub shapes: [Shape; 2],
    pub poses: [Pose; 2],
}

impl Pair {
    pub fn contacts(&self, method: &Method, variant: Variant) -> Vec<Contact> {
        let [a, b] = self.placed(Pose::IDENTITY);
        variant.of(method).generator().contacts(&a, &b).unwrap()
    }

    /// Both shapes after a common rigid motion.
    pub fn placed(&self, motion: Pose) -> [Placed<'_>; 2] {
        [0, 1].map(|k| Placed { shape: &self.shapes[k], pose: motion * self.poses[k], twist: Twist::default() })
    }

    /// World positions of a body's tetrahedra, m.
    pub fn tetrahedra(&self, k: usize) -> Vec<[DVec3; 4]> {
        let mesh = self.shapes[k].as_polyhedron().unwrap().mesh().unwrap();
        let count = mesh.tetrahedra().len() as u32;
        (0..count).map(|t| mesh.corners(t).map(|p| self.poses[k].transform_point(p))).collect()
    }

    /// The intersection method pairs edges of triangles that overlap, be they on near sides or on far ones: the point
    /// between two edges may be farther from the bodies than they are deep, but both edges are between the ends of the
    /// bodies along the normal, and the point is midway. Zero for all other contacts.
    fn edge_reach(&self, method: &Method, c: &Contact) -> f64 {
        if method.name() != "intersection" || !matches!(c.feature_a, Feature::Edge(_)) {
            return 0.0;
        }
        let points = (0..2).flat_map(|k| self.tetrahedra(k)).flatten();
        let (low, high) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            let d = c.normal.dot(p);
            (low.min(d), high.max(d))
        });
        0.5 * (high - low)
    }

    /// Whether no vertex of one body is close to the plane of a face of the other, and no edge close to the line of an
    /// edge of the other: then no point that is only nearly a corner of a common volume counts as one.
    pub fn is_in_general_position(&self) -> bool {
        let close = 3.0 * TOUCHING;
        let bodies = [self.tetrahedra(0), self.tetrahedra(1)];
        let unit_normal = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p).normalize();
        let faces = |t: &[DVec3; 4]| [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]].map(|f| f.map(|i: usize| t[i]));
        let edges = |t: &[DVec3; 4]| [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|e| e.map(|i: usize| t[i]));
        bodies[0].iter().all(|a| {
            bodies[1].iter().all(|b| {
                let off_planes = |s: &[DVec3; 4], t: &[DVec3; 4]| {
                    faces(s).iter().all(|&f| t.iter().all(|p| unit_normal(f).dot(*p - f[0]).abs() > close))
                };
                let off_lines =
                    |[p, q]: [DVec3; 2], [r, s]: [DVec3; 2]| (q - p).cross(s - r).normalize().dot(r - p).abs() > close;
                off_planes(a, b)
                    && off_planes(b, a)
                    && edges(a).iter().all(|&e| edges(b).iter().all(|&f| off_lines(e, f)))
            })
        })
    }

    /// How far a point within [`TOUCHING`] of all planes of one of the body's tetrahedra may be outside of it, m.
    fn margin(&self, k: usize) -> f64 {
        let thinness = |&[p, q, r, s]: &[DVec3; 4]| {
            let size = [q - p, r - p, s - p, r - q, s - q, s - r].iter().map(|e| e.length()).fold(0.0, f64::max);
            size.powi(3) / (q - p).dot((r - p).cross(s - p)).abs()
        };
        TOUCHING * self.tetrahedra(k).iter().map(thinness).fold(1.0, f64::max)
    }

    /// How far a point is from a body, m: zero inside.
    pub fn distance(&self, k: usize, q: DVec3) -> f64 {
        let local = self.poses[k].inverse().transform_point(q);
        let mesh = self.shapes[k].as_polyhedron().unwrap().mesh().unwrap();
        let is_in = |[a, b, c, d]: [DVec3; 4]| {
            let volume = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| (q - p).dot((r - p).cross(s - p));
            [volume(local, b, c, d), volume(a, local, c, d), volume(a, b, local, d), volume(a, b, c, local)]
                .iter()
                .all(|v| *v >= 0.0)
        };
        if (0..mesh.tetrahedra().len() as u32).any(|t| is_in(mesh.corners(t))) {
            return 0.0;
        }
        let surface = self.shapes[k].surface().unwrap();
        let to = |t: u32| {
            let [a, b, c] = surface.corners(t);
            Triangle::new(a, b, c).distance_to_local_point(local, true)
        };
        (0..surface.triangles().len() as u32).map(to).fold(f64::INFINITY, f64::min)
    }
}

/// Small bodies are a few times the envelope of the closest-points method wide, large ones a hundred times.
fn scale() -> impl Strategy<Value = f64> {
    prop_oneof![Just(1.0), Just(0.03)]
}

pub fn tetrahedra() -> impl Strategy<Value = Pair> {
    (fat_tetrahedron(), fat_tetrahedron(), pose(0.5), pose(0.5), scale()).prop_map(|(a, b, pose_a, pose_b, scale)| {
        let shapes = [single(&a.map(|p| p * scale)), single(&b.map(|p| p * scale))];
        Pair { shapes, poses: [pose_a, pose_b].map(|p| Pose::from_parts(p.translation * scale, p.rotation)) }
    })
}

pub fn stars() -> impl Strategy<Value = Pair> {
    let pair = |(a, b, pose_a, pose_b)| Pair { shapes: [a, b], poses: [pose_a, pose_b] };
    (star(), star(), pose(0.7), pose(0.7)).prop_map(pair).prop_filter("close", Pair::is_in_general_position)
}

/// Whether both lists hold the same contacts, each as often, in any order.
///
/// Of contacts that differ by no more than [`SAME`] in each coordinate a generator keeps one. Axes decide which are that
/// close, and rounding which of equally deep ones stays. So a contact may be in one list alone where the other has
/// another one as close and at least as deep.
fn check_same(found: &[Contact], expected: &[Contact], tolerance: f64, features: bool) -> Result<(), TestCaseError> {
    let is_near = |c: &Contact, d: &Contact, distance: f64| {
        (c.position - d.position).length() <= distance && (c.normal - d.normal).length() <= distance
    };
    let merged = 3f64.sqrt() * SAME + tolerance;
    let is_kept_by =
        |c: &Contact, d: &Contact| is_near(c, d, merged) && !is_near(c, d, tolerance) && d.gap <= c.gap + tolerance;
    let mut left = expected.to_vec();
    for c in found {
        let same = left.iter().position(|d| {
            is_near(c, d, tolerance)
                && (c.gap - d.gap).abs() <= tolerance
                && (!features || (c.feature_a, c.feature_b) == (d.feature_a, d.feature_b))
        });
        match same {
            Some(same) => {
                left.swap_remove(same);
            }
            None => prop_assert!(expected.iter().any(|d| is_kept_by(c, d)), "{c:?} is not among {expected:#?}"),
        }
    }
    for d in &left {
        prop_assert!(found.iter().any(|c| is_kept_by(d, c)), "not found: {d:?}");
    }
    Ok(())
}

fn swapped(c: &Contact) -> Contact {
    Contact { normal: -c.normal, feature_a: c.feature_b, feature_b: c.feature_a, ..*c }
}

pub fn check_swap(pair: &Pair, method: &Method, variant: Variant, tolerance: f64) -> Result<(), TestCaseError> {
    let [a, b] = pair.placed(Pose::IDENTITY);
    let method = variant.of(method);
    let generator = method.generator();
    let turned: Vec<_> = generator.contacts(&b, &a).unwrap().iter().map(swapped).collect();
    let is_single = pair.shapes.iter().all(|s| s.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().len() == 1);
    check_same(&turned, &generator.contacts(&a, &b).unwrap(), tolerance, is_single)
}

/// Rounding of the moved coordinates is 1e-15 m; directions are products of features at angles that random features
/// have, and none of 10,000 times 44 products loses more than six digits.
pub const MOVED: f64 = 1e-9;

/// As much in single precision, m.
const SINGLE: f64 = 1e-5;

pub fn check_motion(pair: &Pair, method: &Method, motion: &Pose) -> Result<(), TestCaseError> {
    let generator = method.generator();
    let [a, b] = pair.placed(*motion);
    let moved: Vec<_> = pair
        .contacts(method, Variant::Corrected)
        .iter()
        .map(|c| Contact { position: motion.transform_point(c.position), normal: motion.rotation * c.normal, ..*c })
        .collect();
    check_same(&generator.contacts(&a, &b).unwrap(), &moved, MOVED, false)
}

/// What needs no reference.
fn check_sane(pair: &Pair, method: &Method, variant: Variant) -> Result<(), TestCaseError> {
    let contacts = pair.contacts(method, variant);
    let (envelope, rounding) = match (method.name(), variant) {
        ("closest-points", Variant::Corrected) => (2.0 * EPSILON, MOVED),
        ("closest-points", _) => (2.0 * EPSILON, SINGLE),
        (_, Variant::Corrected) => (TOUCHING, MOVED),
        (_, Variant::Published | Variant::Earlier) => (0.0, SINGLE),
    };
    let lengths_vary = (method.name(), variant) == ("intersection", Variant::Published);
    let margin = |k| if variant == Variant::Corrected { pair.margin(k) } else { 0.0 };
    for c in &contacts {
        prop_assert!(c.position.is_finite() && c.normal.is_finite() && c.gap.is_finite(), "{c:?}");
        if lengths_vary {
            continue;
        }
        prop_assert!((c.normal.length() - 1.0).abs() <= rounding, "{c:?}");
        let largest_gap = if method.name() == "closest-points" { 0.0 } else { envelope };
        prop_assert!(c.gap <= largest_gap + rounding, "a gap of {} without touching", c.gap);
        for k in 0..2 {
            let distance = pair.distance(k, c.position);
            let reach = c.gap.abs().max(pair.edge_reach(method, c)) + envelope + margin(k) + rounding;
            prop_assert!(distance <= reach, "{distance} from body {k}: {c:?}");
        }
    }
    let mut apart = f64::INFINITY;
    for a in pair.tetrahedra(0) {
        for b in pair.tetrahedra(1) {
            let (_, all) = exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b));
            apart = apart.min(all.metres);
            if apart <= envelope + rounding {
                return Ok(());
            }
        }
    }
    prop_assert!(contacts.is_empty(), "{apart} apart, and yet {contacts:?}");
    Ok(())
}

macro_rules! of_each_method {
    ($($name:ident: $method:expr),*) => { $(
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(config(CASES))]

                #[test]
                fn swapping_turns_the_normals_alone(pair in tetrahedra()) {
                    check_swap(&pair, &$method, Variant::Corrected, MOVED)?;
                }

                #[test]
                fn contacts_move_with_the_bodies(pair in tetrahedra().prop_filter("close", Pair::is_in_general_position), motion in pose(3.0)) {
                    check_motion(&pair, &$method, &motion)?;
                }

                #[test]
                fn contacts_are_where_the_shapes_are(pair in tetrahedra()) {
                    check_sane(&pair, &$method, Variant::Corrected)?;
                }

                #[test]
                fn published_contacts_are_where_the_shapes_are(pair in tetrahedra()) {
                    check_sane(&pair, &$method, Variant::Published)?;
                }
            }

            proptest! {
                #![proptest_config(config(STAR_CASES))]

                #[test]
                fn bodies_may_be_swapped_and_moved(pair in stars(), motion in pose(3.0)) {
                    check_swap(&pair, &$method, Variant::Corrected, MOVED)?;
                    check_motion(&pair, &$method, &motion)?;
                    check_sane(&pair, &$method, Variant::Corrected)?;
                }
            }
        }
    )* };
}

/// Bodies of eight tetrahedra take 64 times as long as single ones.
const STAR_CASES: u32 = CASES / 10;

of_each_method! {
    closest_points: methods::closest_points(),
    intersection: methods::intersection(),
    vertex_only: methods::vertex_only(),
    consistent_vertex: methods::consistent_vertex(),
    volume_sat: methods::volume_sat(),
    surface_sat: methods::surface_sat(),
    growth_distance: methods::growth_distance(),
    most_opposing: methods::most_opposing()
}

proptest! {
    #![proptest_config(config(CASES))]

    /// The published variants that keep the symmetry. The others do not, and their unit tests show why: closest points
    /// (the normals of edges), intersection and the SAT methods (the sense of products of edges), growth distance and
    /// most opposing (A's face first).
    #[test]
    fn published_vertex_methods_may_be_swapped(
        pair in tetrahedra(),
        method in prop::sample::select(vec![methods::vertex_only(), methods::consistent_vertex()]),
    ) {
        check_swap(&pair, &method, Variant::Published, SINGLE)?;
    }

    /// Boxes on each other, turned in the plane of contact and then moved: every touching vertex is in front of its face
    /// or behind it by rounding alone. Intersection is not here: which vertices are above the border of a side face that
    /// stands on the other box is left to rounding, and such a vertex counts at any depth.
    #[test]
    fn touching_faces_keep_their_contacts(angle in 0.1..0.7f64, shift in prop::array::uniform2(-0.2..0.2f64), motion in pose(3.0)) {
        let body = cuboid();
        let turned = Pose::from_parts(DVec3::new(shift[0], 1.0, shift[1]), DQuat::from_rotation_y(angle));
        let pair = Pair { shapes: [body.clone(), body], poses: [Pose::IDENTITY, turned] };
        for method in [methods::vertex_only(), methods::consistent_vertex()] {
            check_motion(&pair, &method, &motion)?;
            check_swap(&pair, &method, Variant::Corrected, MOVED)?;
        }
    }
}
