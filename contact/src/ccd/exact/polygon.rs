//! The convex polygon of the differences of two moving features, with exact predicates.

use super::form::Form;
use super::instant::Instant;
use crate::ccd::{Kind, Query};
use dashu_int::IBig;
use num_traits::Float;
use std::cell::OnceCell;

/// A point that moves in a straight line at constant speed, or a product of such points.
pub type Moving = [Form; 3];

/// All differences of a point of the one and a point of the other feature, as they move: a convex polygon, with the
/// origin in it when the features touch.
#[derive(Debug)]
pub struct Polygon {
    /// Three corners, or the four of a parallelogram, in order.
    corners: Vec<Moving>,
    /// d: half a side of the cube that stands for the origin.
    reach: IBig,
    /// The product of its first two sides, which is zero if there are but two corners.
    normal: Moving,
    separations: OnceCell<Vec<Separation>>,
}

/// Forms that are all positive, or all negative, at a time when there is a plane of one direction between the polygon and
/// the cube.
type Separation = Vec<Form>;

impl Polygon {
    /// The polygon of a query whose numbers are finite, and the cube of `separation`, all multiplied by one power of two
    /// that makes them whole.
    pub fn new(query: &Query, separation: f64) -> Self {
        let numbers: Vec<f64> = query.coordinates().into_iter().chain([separation]).collect();
        let whole = whole(&numbers);
        let difference = |i: usize, j: usize| -> Moving {
            [0, 1, 2].map(|k| {
                let at = |time: usize| &whole[12 * time + 3 * i + k] - &whole[12 * time + 3 * j + k];
                Form::linear(at(0), at(1))
            })
        };
        let pairs: &[(usize, usize)] = match query.kind {
            Kind::VertexFace => &[(0, 1), (0, 2), (0, 3)],
            Kind::EdgeEdge => &[(0, 2), (1, 2), (1, 3), (0, 3)],
        };
        Self::from_corners(pairs.iter().map(|&(i, j)| difference(i, j)).collect(), whole[24].clone())
    }

    /// From two corners (a segment), three, or the four of a parallelogram in order.
    pub fn from_corners(corners: Vec<Moving>, reach: IBig) -> Self {
        let side = |i: usize| minus(&corners[(i + 1) % corners.len()], &corners[i]);
        let normal = cross(&side(0), &side(1));
        Self { corners, reach, normal, separations: OnceCell::new() }
    }

    /// The corners, in order.
    pub fn corners(&self) -> &[Moving] {
        &self.corners
    }

    /// A vector across the polygon, as long as its area or twice that.
    pub fn normal(&self) -> &Moving {
        &self.normal
    }

    /// Six times the volume under the polygon: zero whenever the origin is in its plane.
    pub fn plane(&self) -> Form {
        dot(&self.normal, &self.corners[0])
    }

    /// Whether a cube stands for the origin.
    pub fn has_reach(&self) -> bool {
        !self.reach.is_zero()
    }

    /// Whether the polygon meets the cube at this time.
    pub fn touches(&self, time: &mut Instant) -> bool {
        if !self.has_reach()
            && let Some(inside) = self.holds_origin_in_plane(time)
        {
            return inside;
        }
        !self.separations().iter().any(|separation| separates(separation, time))
    }

    /// Whether the origin, which is in the plane of the polygon at this time, is in the polygon; nothing if that has no
    /// area.
    fn holds_origin_in_plane(&self, time: &mut Instant) -> Option<bool> {
        // Along an axis that does not lie in the plane nothing is lost.
        let (axis, turn) = (0..3).map(|k| (k, time.sign(&self.normal[k]))).find(|&(_, turn)| turn != 0)?;
        let mut outside = |i: usize| {
            let next = &self.corners[(i + 1) % self.corners.len()];
            time.sign(&cross_along(axis, &self.corners[i], next)) == -turn
        };
        Some(!(0..self.corners.len()).any(&mut outside))
    }

    /// The directions in which a plane can lie between a convex polygon and a cube: those of the faces of their
    /// difference, which are the cube's, the polygon's, and those of an edge of each. They suffice as well where the cube
    /// is a point and where the polygon is a segment or a point.
    pub fn separations(&self) -> &[Separation] {
        self.separations.get_or_init(|| {
            let faces = (0..3).map(|k| self.along_axis(k));
            let edges = (0..3).flat_map(|k| self.edges().map(move |edge| self.along_edge(k, edge)));
            faces.chain([self.along_normal()]).chain(edges).collect()
        })
    }

    /// Edges of different directions.
    fn edges(&self) -> std::ops::Range<usize> {
        // A parallelogram has two, a segment one.
        0..if self.corners.len() == 3 { 3 } else { self.corners.len() / 2 }
    }

    fn along_axis(&self, k: usize) -> Separation {
        let reach = Form::constant(&self.reach);
        let sides = |corner: &Moving| {
            let lower = &corner[k] - &reach;
            if self.has_reach() { vec![lower, &corner[k] + &reach] } else { vec![lower] }
        };
        self.corners.iter().flat_map(sides).collect()
    }

    fn along_normal(&self) -> Separation {
        let plane = self.plane();
        let [x, y, z] = &self.normal;
        let one = Form::constant(&self.reach);
        let signs = [[false, false], [false, true], [true, false], [true, true]];
        let corner = |[minus_y, minus_z]: [bool; 2]| {
            let sum = if minus_y { x - y } else { x + y };
            &one * &if minus_z { &sum - z } else { &sum + z }
        };
        self.both_sides(&plane, signs.map(corner))
    }

    /// A plane along the axis k and the edge from the corner i.
    fn along_edge(&self, k: usize, i: usize) -> Separation {
        let edge = minus(&self.corners[(i + 1) % self.corners.len()], &self.corners[i]);
        let one = Form::constant(&self.reach);
        let (x, y) = (&edge[(k + 1) % 3], &edge[(k + 2) % 3]);
        let signs = [&one * &(x - y), &one * &(x + y)];
        let opposite = (i + 2) % self.corners.len();
        let on = self.both_sides(&cross_along(k, &edge, &self.corners[i]), signs.clone());
        let across = (opposite != i).then(|| self.both_sides(&cross_along(k, &edge, &self.corners[opposite]), signs));
        on.into_iter().chain(across.into_iter().flatten()).collect()
    }

    /// The form plus and minus each of what the corners of the cube add to it; itself if there is no cube.
    fn both_sides<const N: usize>(&self, form: &Form, corners: [Form; N]) -> Separation {
        if !self.has_reach() {
            return vec![form.clone()];
        }
        corners.iter().flat_map(|corner| [form - corner, form + corner]).collect()
    }
}

/// Whether all are positive, or all negative, at this time.
fn separates(separation: &Separation, time: &mut Instant) -> bool {
    let mut signs = separation.iter().map(|form| time.sign(form));
    let first = signs.next().unwrap_or(0);
    first != 0 && signs.all(|sign| sign == first)
}

/// The numbers times one power of two that makes all of them whole.
fn whole(numbers: &[f64]) -> Vec<IBig> {
    let parts: Vec<(u64, i32, bool)> = numbers
        .iter()
        .map(|x| {
            let (mantissa, exponent, sign) = x.integer_decode();
            let even = mantissa.trailing_zeros().min(63);
            (mantissa >> even, i32::from(exponent) + even as i32, sign < 0)
        })
        .collect();
    let least = parts.iter().filter(|part| part.0 != 0).map(|part| part.1).min().unwrap_or(0);
    let number = |&(mantissa, exponent, negative): &(u64, i32, bool)| {
        let size = IBig::from(mantissa) << usize::try_from(exponent - least).unwrap_or(0);
        if negative { -size } else { size }
    };
    parts.iter().map(number).collect()
}

/// a − b.
pub fn minus(a: &Moving, b: &Moving) -> Moving {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

/// The component k of a × b.
pub fn cross_along(k: usize, a: &Moving, b: &Moving) -> Form {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    &(&a[i] * &b[j]) - &(&a[j] * &b[i])
}

/// a × b.
pub fn cross(a: &Moving, b: &Moving) -> Moving {
    [0, 1, 2].map(|k| cross_along(k, a, b))
}

/// a · b.
pub fn dot(a: &Moving, b: &Moving) -> Form {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}
