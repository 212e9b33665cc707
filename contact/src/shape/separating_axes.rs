//! The separating axis test of boxes around shapes and their parts: where these are, or as bodies carry them through a motion.
//!
//! Two boxes are apart if and only if they are along one of fifteen axes, the normals of their faces and what is across an edge of each:
//! S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A hierarchical structure for rapid interference detection", SIGGRAPH 1996, section 5.
//! Boxes of a motion are looked at along the axes of those where it begins, which do not turn.

use std::cell::OnceCell;

use glam::{DMat3, DVec3};

use super::Shape;
use super::open_surface::OpenSurface;
use crate::pose::Pose;

/// The axes and the origins (m) of the frames of A and of B.
type Frames = [(DMat3, DVec3); 2];

/// The centre of a box and half its sides, m, in the frame of its shape.
pub(crate) type CentredBox = (DVec3, DVec3);

/// The axes along which boxes of two shapes may be apart at all of some poses.
pub(crate) struct SeparatingAxes<const POSES: usize> {
    frames: [Frames; POSES],
    /// What is no farther apart than this is not apart, m: a negative one is a depth.
    distance: f64,
    /// The normals of the faces of A, and of B.
    of_faces: [Axes<POSES>; 2],
    /// The axes across each edge of A and all of B, once they are asked for.
    across_edges: [OnceCell<Axes<POSES>>; 3],
}

/// Three axes that do not turn, unit, as the shapes see them.
#[derive(Clone, Copy)]
struct Axes<const POSES: usize> {
    /// From the frames of A and of B to heights along the axes.
    heights: [[DMat3; 2]; POSES],
    /// How high the origin of B is over that of A along them, m.
    ways: [DVec3; POSES],
}

impl<const POSES: usize> SeparatingAxes<POSES> {
    /// Those of one or more poses of A and B. A box of A and one of B are apart if they are so by more than a distance (m) along one axis at all
    /// poses, on the same side.
    pub fn new(poses: &[[Pose; 2]; POSES], distance: f64) -> Self {
        let frames = poses.map(|pair| pair.map(|pose| (DMat3::from_quat(pose.rotation), pose.translation)));
        let of_faces = frames[0].map(|(axes, _)| Axes::new(&axes, &frames));
        Self { frames, distance, of_faces, across_edges: Default::default() }
    }

    /// The axes across one of the edges of A and each of B. For edges that are parallel any other axis stands in.
    fn across_edge(&self, edge: usize) -> &Axes<POSES> {
        self.across_edges[edge].get_or_init(|| {
            let [(own, _), (other, _)] = self.frames[0];
            let edge = own.col(edge);
            let across = |other: DVec3| edge.cross(other).try_normalize().unwrap_or(edge);
            let axes = DMat3::from_cols(across(other.x_axis), across(other.y_axis), across(other.z_axis));
            Axes::new(&axes, &self.frames)
        })
    }

    /// Whether the normal of a face keeps two boxes apart.
    fn are_apart_by_faces(&self, own: &CentredBox, other: &CentredBox) -> bool {
        self.of_faces.iter().any(|axes| axes.are_any_between([own, other], self.distance))
    }

    /// Whether an axis across an edge of each does.
    fn are_apart_across_edges(&self, own: &CentredBox, other: &CentredBox) -> bool {
        (0..3).any(|edge| self.across_edge(edge).are_any_between([own, other], self.distance))
    }

    /// Whether the boxes of two pieces, by their numbers, are apart: parts of compounds, or 0 of a whole shape. Never, if a shape
    /// has no end.
    pub fn are_apart(&self, [a, b]: [&Shape; 2], [i, j]: [u32; 2]) -> bool {
        let (Some(own), Some(other)) = (piece(a, i), piece(b, j)) else { return false };
        self.are_apart_by_faces(&own, &other) || self.are_apart_across_edges(&own, &other)
    }

    /// Finds the pieces of two shapes whose boxes are not apart, by their numbers, ascending: the parts of compounds, or 0 of a whole shape.
    /// Nothing is found, and false returned, if a shape has no end.
    pub fn find_near(&self, shapes: [&Shape; 2], pairs: &mut Vec<(u32, u32)>) -> bool {
        pairs.clear();
        if let [Some(own), Some(other)] = shapes.map(Shape::as_compound) {
            let is_near = |own: &CentredBox, other: &CentredBox| !self.are_apart_by_faces(own, other);
            own.tree().pairs_by(other.tree(), is_near, |pair, own, other| {
                if !self.are_apart_across_edges(own, other) {
                    pairs.push(pair);
                }
            });
            pairs.sort_unstable();
            return true;
        }
        let [own, other] = shapes.map(|shape| shape.as_compound().map_or(1, |compound| compound.parts().len() as u32));
        let all = (0..own).flat_map(|i| (0..other).map(move |j| (i, j)));
        let have_ends = shapes.iter().all(|shape| piece(shape, 0).is_some());
        pairs.extend(all.filter(|&(i, j)| have_ends && !self.are_apart(shapes, [i, j])));
        have_ends
    }
}

impl<const POSES: usize> Axes<POSES> {
    /// Those along the columns of a matrix.
    #[inline(never)]
    fn new(axes: &DMat3, frames: &[Frames; POSES]) -> Self {
        let along = axes.transpose();
        let heights = frames.map(|shapes| shapes.map(|(axes, _)| along * axes));
        Self { heights, ways: frames.map(|[(_, own), (_, other)]| along * (other - own)) }
    }

    /// Whether one of them has a box of A on one side and one of B on the other at all poses, farther apart than a distance, m.
    #[inline(never)]
    fn are_any_between(&self, [own, other]: [&CentredBox; 2], distance: f64) -> bool {
        let (mut gaps, mut side) = (DVec3::INFINITY, DVec3::ONE);
        for k in 0..POSES {
            let [of_a, of_b] = self.heights[k];
            let way = self.ways[k] + of_b * other.0 - of_a * own.0;
            side = if k == 0 { way.signum() } else { side };
            gaps = gaps.min(side * way - reach(&of_a, own.1) - reach(&of_b, other.1));
        }
        gaps.max_element() > distance
    }
}

/// How far a box with these half sides (m) reaches to each side along three axes, m: from its frame to heights along them.
#[inline]
fn reach(heights: &DMat3, half: DVec3) -> DVec3 {
    heights.x_axis.abs() * half.x + heights.y_axis.abs() * half.y + heights.z_axis.abs() * half.z
}

/// The box around a part of a compound, or around a whole shape, in the frame of the shape; `None` if it has no end.
fn piece(shape: &Shape, number: u32) -> Option<CentredBox> {
    let (low, high) = match shape {
        Shape::Compound(compound) => return Some(compound.tree().leaf_box(number)),
        Shape::Polyhedron(polyhedron) => return polyhedron.features().tree().whole(),
        Shape::Solid(general) => {
            let bounds = general.solid().bounds();
            (bounds.low, bounds.high)
        }
        Shape::TriangleMesh(mesh) => mesh.bounds(),
        Shape::Primitive(_) | Shape::HeightField(_) => shape.bounds_at(&Pose::IDENTITY),
    };
    (low.is_finite() && high.is_finite()).then(|| (0.5 * (low + high), 0.5 * (high - low)))
}

#[cfg(test)]
mod tests {
    use super::super::CompoundPart;
    use super::*;
    use crate::shape::{HalfSpace, RoundedBox};
    use crate::split_mix::SplitMix;
    use glam::DQuat;
    use std::sync::Arc;

    /// How far two boxes (half sides, pose) are apart, m, up to what this has not converged to: by projecting a point onto one and the other
    /// in turn.
    fn distance([(half_a, a), (half_b, b)]: [(DVec3, Pose); 2]) -> f64 {
        let onto = |half: DVec3, pose: &Pose, p: DVec3| {
            pose.transform_point(pose.inverse_transform_point(p).clamp(-half, half))
        };
        let mut on_b = b.translation;
        let mut apart = f64::INFINITY;
        for _ in 0..3000 {
            let on_a = onto(half_a, &a, on_b);
            on_b = onto(half_b, &b, on_a);
            apart = on_a.distance(on_b);
        }
        apart
    }

    /// Bars (half sides, place) and the compound of them.
    fn bars(random: &mut SplitMix, count: usize) -> (Vec<(DVec3, DVec3)>, Shape) {
        let mut vector = |low: f64, high: f64| DVec3::from_array([0; 3].map(|_| random.next_between(low, high)));
        let bars: Vec<_> = (0..count).map(|_| (vector(0.06, 0.4), vector(-0.4, 0.4))).collect();
        let part = |&(half, place): &(DVec3, DVec3)| CompoundPart {
            shape: Arc::new(RoundedBox::new(half - 0.05, 0.05).unwrap().into()),
            pose: Pose::from_translation(place),
        };
        let shape = super::super::Compound::new(bars.iter().map(part)).unwrap();
        (bars, shape.into())
    }

    #[test]
    fn parts_are_near_if_their_boxes_have_a_point_in_common() {
        let mut random = SplitMix::new(91);
        let mut counts = [0; 2];
        for round in 0..150 {
            let ((own, a), (others, b)) = (bars(&mut random, 3), bars(&mut random, 1 + round % 4));
            let mut vector = |most: f64| DVec3::from_array([0; 3].map(|_| random.next_between(-most, most)));
            let pose = |from: DVec3, turn: DVec3| Pose::from_parts(from, DQuat::from_scaled_axis(turn));
            let poses = [pose(vector(5.0), vector(3.0)), pose(DVec3::ZERO, vector(3.0))];
            let poses = [poses[0], Pose { translation: poses[0].translation + vector(0.8), ..poses[1] }];
            let mut pairs = Vec::new();
            assert!(SeparatingAxes::new(&[poses], 0.0).find_near([&a, &b], &mut pairs));
            assert!(pairs.is_sorted());
            let are_apart = |i: u32, j: u32| SeparatingAxes::new(&[poses], 0.0).are_apart([&a, &b], [i, j]);
            for (i, bar) in (0..).zip(&own) {
                for (j, other) in (0..).zip(&others) {
                    let at = |(half, place): (DVec3, DVec3), of: &Pose| (half, *of * Pose::from_translation(place));
                    let apart = distance([at(*bar, &poses[0]), at(*other, &poses[1])]);
                    // What is nearly there, and what has hardly converged, tells nothing.
                    if (1e-6..1e-3).contains(&apart) {
                        continue;
                    }
                    counts[usize::from(apart < 1e-6)] += 1;
                    assert_eq!(are_apart(i, j), apart > 1e-6, "round {round}, parts {i} and {j}: {apart} m");
                    assert_eq!(pairs.contains(&(i, j)), apart < 1e-6, "round {round}, parts {i} and {j}: {apart} m");
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn shapes_without_an_end_are_left_to_others() {
        let (_, compound) = bars(&mut SplitMix::new(92), 3);
        let axes = SeparatingAxes::new(&[[Pose::IDENTITY, Pose::from_translation(DVec3::Y * 9.0)]], 0.0);
        let space = Shape::from(HalfSpace);
        let mut pairs = vec![(7, 7)];
        for shapes in [[&space, &compound], [&compound, &space], [&space, &space]] {
            assert!(!axes.find_near(shapes, &mut pairs) && pairs.is_empty());
            assert!(!axes.are_apart(shapes, [0, 0]));
        }
    }
}
