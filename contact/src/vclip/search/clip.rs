//! Clipping an edge by Voronoi planes (paper, Algorithm 1).

use glam::DVec3;

use super::height;
use crate::vclip::polyhedron::Plane;
use crate::vclip::scalar::{Motion, Point, Scalar, along, dot, minus};

/// Tail and head of a segment, coordinate by coordinate: what is asked of one is asked of both.
#[derive(Clone, Copy)]
pub(in crate::vclip) struct Ends<S> {
    x: [S; 2],
    y: [S; 2],
    z: [S; 2],
}

impl<S: Scalar> Ends<S> {
    /// The places of two points.
    #[inline(always)]
    pub fn moved(motion: &Motion, points: [DVec3; 2]) -> Self {
        let [p, q] = points;
        let (x, y, z) = ([p.x, q.x], [p.y, q.y], [p.z, q.z]);
        let coordinate = |i: usize| {
            let (row, t) = (motion.rows[i], motion.translation[i]);
            [0, 1].map(|k| {
                S::of(row[0]) * S::of(x[k]) + S::of(row[1]) * S::of(y[k]) + S::of(row[2]) * S::of(z[k]) + S::of(t)
            })
        };
        Self { x: coordinate(0), y: coordinate(1), z: coordinate(2) }
    }

    #[inline(always)]
    pub fn new([t, h]: [Point<S>; 2]) -> Self {
        Self { x: [t[0], h[0]], y: [t[1], h[1]], z: [t[2], h[2]] }
    }

    #[inline(always)]
    pub fn tail(&self) -> Point<S> {
        [self.x[0], self.y[0], self.z[0]]
    }

    #[inline(always)]
    pub fn head(&self) -> Point<S> {
        [self.x[1], self.y[1], self.z[1]]
    }

    /// n·x.
    #[inline(always)]
    fn along(&self, plane: &Plane) -> [S; 2] {
        let n = plane.normal;
        [0, 1].map(|k| S::of(n.x) * self.x[k] + S::of(n.y) * self.y[k] + S::of(n.z) * self.z[k])
    }

    #[inline(always)]
    fn heights(&self, plane: &Plane) -> [S; 2] {
        self.along(plane).map(|x| x - S::of(plane.offset))
    }
}

/// A segment and the part of it that is inside of all planes so far, as parameters from tail (0) to head (1), with the
/// planes that cut it there by their place in a list.
pub(super) struct Clip<S> {
    pub ends: Ends<S>,
    pub low: S,
    pub high: S,
    pub low_plane: Option<usize>,
    pub high_plane: Option<usize>,
}

/// What is left of a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Something.
    Part,
    /// Nothing: all of it is outside of the plane.
    Outside,
    /// Nothing: what one plane leaves, another takes away.
    Nothing,
}

impl<S: Scalar> Clip<S> {
    #[inline(always)]
    pub fn new(ends: Ends<S>) -> Self {
        Self { ends, low: S::ZERO, high: S::ONE, low_plane: None, high_plane: None }
    }

    /// Cuts by one plane.
    #[inline(always)]
    pub fn cut(&mut self, plane: &Plane, number: usize) -> Rest {
        self.cut_at(self.ends.heights(plane), number)
    }

    /// Cuts by the two planes of an edge's vertices, which are parallel.
    #[inline(always)]
    pub fn cut_across(&mut self, [tail, head]: [&Plane; 2]) -> Rest {
        let along = self.ends.along(tail);
        match self.cut_at(along.map(|x| x - S::of(tail.offset)), 0) {
            Rest::Part => self.cut_at(along.map(|x| -x - S::of(head.offset)), 1),
            rest => rest,
        }
    }

    /// Cuts by a plane from the heights of tail and head over it (Algorithm 1, lines 7 to 23).
    #[inline(always)]
    fn cut_at(&mut self, [t, h]: [S; 2], number: usize) -> Rest {
        if t < S::ZERO {
            if h < S::ZERO {
                (self.low_plane, self.high_plane) = (Some(number), Some(number));
                return Rest::Outside;
            }
            let at = t / (t - h);
            if at > self.low {
                (self.low, self.low_plane) = (at, Some(number));
                if self.low > self.high {
                    return Rest::Nothing;
                }
            }
        } else if h < S::ZERO {
            let at = t / (t - h);
            if at < self.high {
                (self.high, self.high_plane) = (at, Some(number));
                if self.low > self.high {
                    return Rest::Nothing;
                }
            }
        }
        Rest::Part
    }

    /// From tail to head.
    #[inline(always)]
    pub fn direction(&self) -> Point<S> {
        minus(self.ends.head(), self.ends.tail())
    }

    /// The sign of the derivative of the distance to a point, where the segment is at a parameter; `None` if it meets the
    /// point there.
    #[inline(always)]
    pub fn leaves_point(&self, direction: Point<S>, parameter: S, vertex: Point<S>) -> Option<S> {
        let offset = minus(along(self.ends.tail(), parameter, direction), vertex);
        let rate = dot(direction, offset);
        let meets = rate.value() == 0.0 && offset.iter().all(|&x| x.value() == 0.0);
        (!meets).then_some(rate)
    }

    /// The sign of the derivative of the distance to a plane, where the segment is at a parameter; `None` if it is in the
    /// plane there. `turned` is the segment's direction from the frame of its body.
    #[inline(always)]
    pub fn leaves_plane(&self, direction: Point<S>, turned: Point<S>, parameter: S, plane: &Plane) -> Option<S> {
        let here = height(plane, along(self.ends.tail(), parameter, direction));
        let rate = dot(crate::vclip::scalar::point(plane.normal), turned);
        if here > S::ZERO {
            Some(rate)
        } else if here < S::ZERO {
            Some(-rate)
        } else {
            None
        }
    }
}
