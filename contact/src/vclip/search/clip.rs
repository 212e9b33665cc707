//! Clipping an edge by Voronoi planes (paper, Algorithm 1).

use super::height;
use crate::vclip::polyhedron::Plane;
use crate::vclip::scalar::{Point, Scalar, along, dot, minus};

/// A segment and the part of it that is inside of all planes so far, as parameters from tail (0) to head (1), with the
/// planes that cut it there by their place in a list.
pub(super) struct Clip<S> {
    pub tail: Point<S>,
    pub head: Point<S>,
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
    pub fn new([tail, head]: [Point<S>; 2]) -> Self {
        Self { tail, head, low: S::ZERO, high: S::ONE, low_plane: None, high_plane: None }
    }

    /// Cuts by one plane (Algorithm 1, lines 4 to 23).
    #[inline(always)]
    pub fn cut(&mut self, plane: &Plane, number: usize) -> Rest {
        let (t, h) = (height(plane, self.tail), height(plane, self.head));
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
        minus(self.head, self.tail)
    }

    /// The point at a parameter.
    #[inline(always)]
    pub fn at(&self, parameter: S) -> Point<S> {
        along(self.tail, parameter, self.direction())
    }

    /// The sign of the derivative of the distance to a point, where the segment is at a parameter; `None` if it meets the
    /// point there.
    #[inline(always)]
    pub fn leaves_point(&self, parameter: S, vertex: Point<S>) -> Option<S> {
        let offset = minus(self.at(parameter), vertex);
        let rate = dot(self.direction(), offset);
        let meets = rate == S::ZERO && offset.iter().all(|&x| x.value() == 0.0);
        (!meets).then_some(rate)
    }

    /// The sign of the derivative of the distance to a plane, where the segment is at a parameter; `None` if it is in the
    /// plane there.
    #[inline(always)]
    pub fn leaves_plane(&self, parameter: S, plane: &Plane) -> Option<S> {
        let direction = self.direction();
        let here = height(plane, along(self.tail, parameter, direction));
        if here == S::ZERO {
            return None;
        }
        let rate = dot(crate::vclip::scalar::point(plane.normal), direction);
        Some(if here > S::ZERO { rate } else { -rate })
    }
}
