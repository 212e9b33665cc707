//! The contacts of two convex facets alone.
//!
//! They are those of the region that [`super::facet_facet`] finds for any two facets, in less time: the smaller facet is projected onto the
//! plane of the larger one and clipped there, and gap and position are affine functions of the place in this plane.

use std::ops::{Add, Mul};

use glam::{DMat3, DVec2, DVec3};

use super::candidate::{Angles, Limits};
use super::polygon::{self, Polygons};
use crate::contact::{Contact, Feature};
use crate::pose::Pose;
use crate::shape::features::{Facet, Features};

/// What is projected onto a plane that is tilted by less than 60° is at least this share as long.
const SHRINKAGE: f64 = 0.5;

/// A facet in world axes, seen from the body of the large one.
struct Frame {
    centre: DVec3,
    axes: [DVec3; 2],
    normal: DVec3,
}

impl Frame {
    #[inline]
    fn of(facet: &Facet, rotation: &DMat3, origin: DVec3) -> Self {
        Self {
            centre: origin + *rotation * facet.centre,
            axes: [*rotation * facet.axes[0], *rotation * facet.axes[1]],
            normal: *rotation * facet.normal,
        }
    }
}

/// Appends the contacts of facet f of A and facet g of B and returns true if both are convex, they face each other in a region that has a
/// width, and the gap is in range all over it. Otherwise appends nothing.
pub(super) fn add(
    [a, b]: [(&Features, &Pose); 2],
    [f, g]: [u32; 2],
    (limits, angles): (&Limits, &Angles),
    polygons: &mut Polygons,
    contacts: &mut Vec<Contact>,
) -> bool {
    let (facet, facing) = (&a.0.facets()[f as usize], &b.0.facets()[g as usize]);
    if !facet.is_convex() || !facing.is_convex() {
        return false;
    }
    let is_of_b = facing.area < facet.area;
    let ((small, at), (large, origin)) =
        if is_of_b { ((facing, b.1), (facet, a.1)) } else { ((facet, a.1), (facing, b.1)) };
    let own = Frame::of(small, &DMat3::from_quat(at.rotation), at.translation - origin.translation);
    let other = Frame::of(large, &DMat3::from_quat(origin.rotation), DVec3::ZERO);
    // From the small facet to the large one. Its square is four times that of the cosine of the angle between it and either normal.
    let between = own.normal - other.normal;
    let (square, of_sum) = (between.length_squared(), (own.normal + other.normal).length_squared());
    let sine_squared = 0.25 * square * of_sum;
    if of_sum > square || sine_squared > angles.parallel * angles.parallel {
        return false;
    }
    let scale = 2.0 / square;
    let offset = own.centre - other.centre;
    let aside = DVec2::new(own.normal.dot(other.axes[0]), own.normal.dot(other.axes[1]));
    let place = |way: DVec3| {
        DVec2::new(way.dot(other.axes[0]), way.dot(other.axes[1])) + aside * (scale * way.dot(other.normal))
    };
    let on_large = Affine { start: place(offset), slopes: [place(own.axes[0]), place(own.axes[1])] };
    // The outline of a facet of A runs counter-clockwise around the normal from A to B, that of one of B clockwise.
    let corners = &mut polygons.corners;
    corners.clear();
    let mut farthest: f64 = 0.0;
    let count = small.outline.len();
    for k in 0..count {
        let corner = on_large.at(small.outline[if is_of_b { count - 1 - k } else { k }]);
        let from_centre = corner.length_squared();
        farthest = if from_centre > farthest { from_centre } else { farthest };
        corners.push(corner);
    }
    let [of_small, of_large] = [small.measures(), large.measures()];
    let is_cut =
        farthest > of_large.inner * of_large.inner && polygon::clip(corners, &mut polygons.scratch, &large.outline);
    let is_sharp = SHRINKAGE * of_small.length > limits.same && SHRINKAGE * of_small.sine > angles.turn;
    if (is_cut || !is_sharp) && !polygon::simplify_convex(corners, limits.same, angles.turn) {
        return false;
    }
    let gap = Affine { start: -scale * offset.dot(own.normal), slopes: [scale * aside.x, scale * aside.y] };
    let half = 0.5 * between;
    let position = Affine {
        start: origin.translation + other.centre - half * gap.start,
        slopes: [other.axes[0] - half * gap.slopes[0], other.axes[1] - half * gap.slopes[1]],
    };
    // So far gaps were counted in lengths of the vector between the normals.
    let length = square.sqrt();
    let normal = between * (if is_of_b { -1.0 } else { 1.0 } / length);
    let first = contacts.len();
    contacts.reserve(corners.len());
    for &corner in corners.iter() {
        let gap = length * gap.at(corner);
        if !(gap <= limits.envelope && gap >= -limits.depth) {
            contacts.truncate(first);
            return false;
        }
        let (feature_a, feature_b) = (Feature::Facet(f), Feature::Facet(g));
        contacts.push(Contact { position: position.at(corner), normal, gap, feature_a, feature_b });
    }
    true
}

/// A function of the place in a plane.
struct Affine<T> {
    start: T,
    slopes: [T; 2],
}

impl<T: Copy + Add<Output = T> + Mul<f64, Output = T>> Affine<T> {
    #[inline]
    fn at(&self, place: DVec2) -> T {
        self.start + self.slopes[0] * place.x + self.slopes[1] * place.y
    }
}
