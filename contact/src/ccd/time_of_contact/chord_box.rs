//! The box around a chord that holds all of the path between its ends.

use glam::{DMat3, DVec3};

use super::path::Deviation;
use crate::solid::OrientedBox;

/// The box along the chord from `start` to `end` (m), grown on all sides by `margin`, m.
pub(super) fn chord_box(start: DVec3, end: DVec3, deviation: &Deviation, margin: f64) -> OrientedBox {
    let chord = end - start;
    let length = chord.length();
    let Some((outward, sideward, across)) = deviation.plane else {
        let along = if length > 0.0 { chord / length } else { DVec3::X };
        let (second, third) = along.any_orthonormal_pair();
        let half = DVec3::new(0.5 * length + deviation.any, deviation.any, deviation.any) + margin;
        return OrientedBox { centre: start.midpoint(end), axes: DMat3::from_cols(along, second, third), half };
    };
    // One side across the chord faces the arm as far as can be: there the path bulges out.
    let along = if length > 0.0 { chord / length } else { sideward };
    let second = across_of(outward, along);
    let axes = DMat3::from_cols(along, second, along.cross(second));
    // a outward + b sideward with 0 ≤ a ≤ any and |b| ≤ across.
    let (bulge, shift) = (0.5 * deviation.any, 0.5 * deviation.any * outward);
    let [out, side] = [outward, sideward].map(|direction| (axes.transpose() * direction).abs());
    let half = DVec3::new(0.5 * length, 0.0, 0.0) + bulge * out + across * side + margin;
    OrientedBox { centre: start.midpoint(end) + shift, axes, half }
}

/// The part of `direction` across `along` (both unit), normalised; any direction across where there is next to none.
fn across_of(direction: DVec3, along: DVec3) -> DVec3 {
    let part = direction - along * along.dot(direction);
    if part.length_squared() < 1e-4 {
        return along.any_orthonormal_vector();
    }
    // Twice, so that no rounding of the first time is left.
    let part = part.normalize();
    (part - along * along.dot(part)).normalize()
}
