//! The distance of solids within closed surfaces: over each corner, side and face once, leaving out pairs whose balls are apart. As
//! [`oracle::distance`] over all pairs of triangles, some hundred times as fast.

use drystone_contact::Pose;
use drystone_contact::shape::Shape;
use glam::DVec3;

use super::oracle;

/// A part with a ball around it.
#[derive(Clone)]
struct Part<const N: usize> {
    ends: [DVec3; N],
    centre: DVec3,
    radius: f64,
}

impl<const N: usize> Part<N> {
    fn new(ends: [DVec3; N]) -> Self {
        let centre = ends.iter().sum::<DVec3>() / N as f64;
        let radius = ends.iter().map(|end| end.distance(centre)).fold(0.0, f64::max) * (1.0 + 1e-12);
        Self { ends, centre, radius }
    }

    fn placed(&self, pose: &Pose) -> Self {
        let at = |point: DVec3| pose.transform_point(point);
        Self { ends: self.ends.map(at), centre: at(self.centre), radius: self.radius }
    }

    /// Whether another part is certainly no nearer than this.
    fn is_beyond<const M: usize>(&self, other: &Part<M>, distance: f64) -> bool {
        let reach = self.radius + other.radius + distance;
        self.centre.distance_squared(other.centre) > reach * reach * (1.0 + 1e-12)
    }
}

/// The parts of a closed surface.
pub struct ClosedSurface {
    corners: Vec<Part<1>>,
    sides: Vec<Part<2>>,
    faces: Vec<Part<3>>,
    triangles: Vec<[DVec3; 3]>,
}

impl ClosedSurface {
    /// Of a polyhedron, in its frame.
    pub fn new(shape: &Shape) -> Self {
        let triangles = oracle::triangles(shape, &Pose::IDENTITY);
        let mut sides = Vec::new();
        for [a, b, c] in &triangles {
            // The neighbour has the same side in the other direction.
            let directed = [[*a, *b], [*b, *c], [*c, *a]];
            sides.extend(directed.into_iter().filter(|[p, q]| p.to_array() < q.to_array()));
        }
        let mut corners: Vec<DVec3> = triangles.iter().flatten().copied().collect();
        corners.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap());
        corners.dedup();
        Self {
            corners: corners.into_iter().map(|p| Part::new([p])).collect(),
            sides: sides.into_iter().map(Part::new).collect(),
            faces: triangles.iter().copied().map(Part::new).collect(),
            triangles,
        }
    }

    /// At a pose.
    pub fn placed(&self, pose: &Pose) -> Self {
        Self {
            corners: self.corners.iter().map(|part| part.placed(pose)).collect(),
            sides: self.sides.iter().map(|part| part.placed(pose)).collect(),
            faces: self.faces.iter().map(|part| part.placed(pose)).collect(),
            triangles: self.triangles.iter().map(|t| t.map(|p| pose.transform_point(p))).collect(),
        }
    }

    /// The distance of the solids within, zero if they overlap.
    pub fn distance(&self, other: &Self) -> f64 {
        if self.pierces(other) || other.pierces(self) {
            return 0.0;
        }
        let is_in = |one: &Self, other: &Self| oracle::is_inside(one.corners[0].ends[0], &other.triangles);
        if is_in(self, other) || is_in(other, self) {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for p in &self.corners {
            for q in &other.corners {
                least = least.min(p.centre.distance_squared(q.centre));
            }
        }
        least = least.sqrt();
        for p in &self.sides {
            for q in &other.sides {
                if !p.is_beyond(q, least) {
                    least = least.min(oracle::segments(p.ends, q.ends));
                }
            }
        }
        for (one, other) in [(self, other), (other, self)] {
            for corner in &one.corners {
                for face in &other.faces {
                    if !corner.is_beyond(face, least) {
                        least = least.min(oracle::point_triangle(corner.centre, face.ends));
                    }
                }
            }
        }
        least
    }

    /// Whether a side goes through a face of another surface.
    fn pierces(&self, other: &Self) -> bool {
        self.sides.iter().any(|side| {
            let [p, q] = side.ends;
            let length = p.distance(q);
            let meets = |face: &Part<3>| {
                !side.is_beyond(face, 0.0)
                    && oracle::ray_triangle(p, (q - p) / length, face.ends, 0.0).is_some_and(|(at, _)| at <= length)
            };
            other.faces.iter().any(meets)
        })
    }
}

#[test]
fn parts_give_the_distance_of_all_pairs_of_triangles() {
    use super::shapes::{corner, cuboid, pose, star};
    use drystone_contact::split_mix::SplitMix;

    let mut random = SplitMix::new(341);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 1, 0.4), cuboid(DVec3::splat(0.1))];
    let surfaces = shapes.each_ref().map(ClosedSurface::new);
    // A closed surface of triangles has half as many sides again, and Euler's number of corners.
    for surface in &surfaces {
        let [corners, sides, faces] = [surface.corners.len(), surface.sides.len(), surface.faces.len()];
        assert_eq!((2 * sides, corners + faces), (3 * faces, sides + 2));
    }
    let mut apart = 0;
    for case in 0..200 {
        let own = [0, 1].map(|_| random.next_below(shapes.len()));
        let poses = [0, 1].map(|_| pose(&mut random, 1.3));
        let [a, b] = [0, 1].map(|k| surfaces[own[k]].placed(&poses[k]));
        let expected = oracle::distance(&a.triangles, &b.triangles);
        let found = a.distance(&b);
        assert!((found - expected).abs() < 1e-13, "case {case}: {found}, not {expected}");
        apart += usize::from(expected > 0.0);
    }
    assert!((50..=180).contains(&apart), "{apart}");
}
