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
    /// Of one or more poses of A and B. A box of A and one of B are apart if they are so by more than a distance (m) along one axis at all
    /// poses, on the same side.
    pub fn new(poses: &[[Pose; 2]; POSES], distance: f64) -> Self {
        let frames = poses.map(|pair| pair.map(|pose| (DMat3::from_quat(pose.rotation), pose.translation)));
        let of_faces = frames[0].map(|(axes, _)| Axes::new(&axes, &frames));
        Self { frames, distance, of_faces, across_edges: Default::default() }
    }

    /// The axes across one of the edges of A: edges that are parallel have any direction across them.
    fn across_edge(&self, edge: usize) -> &Axes<POSES> {
        self.across_edges[edge].get_or_init(|| {
            let [(own, _), (other, _)] = self.frames[0];
            let edge = own.col(edge);
            let across = |other: DVec3| edge.cross(other).try_normalize().unwrap_or(edge);
            let axes = DMat3::from_cols(across(other.x_axis), across(other.y_axis), across(other.z_axis));
            Axes::new(&axes, &self.frames)
        })
    }

    fn are_apart_by_faces(&self, own: &CentredBox, other: &CentredBox) -> bool {
        self.of_faces.iter().any(|axes| axes.are_any_between([own, other], self.distance))
    }

    fn are_apart_across_edges(&self, own: &CentredBox, other: &CentredBox) -> bool {
        (0..3).any(|edge| self.across_edge(edge).are_any_between([own, other], self.distance))
    }

    /// Finds the pieces of two shapes whose boxes are not apart, by their numbers, ascending: the parts of compounds, or 0 of a whole shape.
    /// Those that touch in all likelihood are asked for along the normals of faces alone. Nothing is found, and false returned, if a shape has no
    /// end.
    pub fn find_near(
        &self,
        [a, b]: [&Shape; 2],
        touches: impl Fn((u32, u32)) -> bool,
        pairs: &mut Vec<(u32, u32)>,
    ) -> bool {
        pairs.clear();
        let is_near = |own: &CentredBox, other: &CentredBox| !self.are_apart_by_faces(own, other);
        let mut add = |pair: (u32, u32), own: &CentredBox, other: &CentredBox| {
            if touches(pair) || !self.are_apart_across_edges(own, other) {
                pairs.push(pair);
            }
        };
        match ([a, b].map(Shape::as_compound), [a, b].map(whole)) {
            ([Some(own), Some(other)], _) => own.tree().pairs_by(other.tree(), is_near, add),
            ([Some(own), None], [_, Some(other)]) => {
                own.tree().leaves_by(|own| is_near(own, &other), |i, own| add((i, 0), own, &other));
            }
            ([None, Some(other)], [Some(own), _]) => {
                other.tree().leaves_by(|other| is_near(&own, other), |j, other| add((0, j), &own, other));
            }
            ([None, None], [Some(own), Some(other)]) => {
                if is_near(&own, &other) {
                    add((0, 0), &own, &other);
                }
            }
            _ => return false,
        }
        pairs.sort_unstable();
        true
    }
}

impl<const POSES: usize> Axes<POSES> {
    /// The columns of a matrix.
    #[inline]
    fn new(axes: &DMat3, frames: &[Frames; POSES]) -> Self {
        let along = axes.transpose();
        let heights = frames.map(|shapes| shapes.map(|(axes, _)| along * axes));
        Self { heights, ways: frames.map(|[(_, own), (_, other)]| along * (other - own)) }
    }

    /// Whether one of them has a box of A on one side and one of B on the other at all poses, farther apart than a distance, m.
    #[inline]
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

/// The box around a shape in its frame; `None` if it has no end, and of a compound, whose parts are looked at.
fn whole(shape: &Shape) -> Option<CentredBox> {
    let (low, high) = match shape {
        Shape::Compound(_) => return None,
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
