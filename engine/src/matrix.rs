//! Tensors in turned axes.

use glam::{DMat3, DQuat, DVec3};

/// `R diag(moments) Rᵀ`, where R is the rotation matrix of the unit quaternion `orientation`.
pub fn turned(moments: DVec3, orientation: DQuat) -> DMat3 {
    if moments.x == moments.y && moments.y == moments.z {
        return DMat3::from_diagonal(moments);
    }
    let (m, DQuat { x, y, z, w }) = (moments.to_array(), orientation);
    let [x2, y2, z2] = [x + x, y + y, z + z];
    let r = [
        [1.0 - (y * y2 + z * z2), x * y2 - w * z2, x * z2 + w * y2],
        [x * y2 + w * z2, 1.0 - (x * x2 + z * z2), y * z2 - w * x2],
        [x * z2 - w * y2, y * z2 + w * x2, 1.0 - (x * x2 + y * y2)],
    ];
    let entry = |i: usize, j: usize| r[i][0] * r[j][0] * m[0] + r[i][1] * r[j][1] * m[1] + r[i][2] * r[j][2] * m[2];
    let column = |j: usize| DVec3::new(entry(0, j), entry(1, j), entry(2, j));
    let [a, b, c] = [column(0), column(1), column(2)];
    DMat3::from_cols(a, b, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn turned_agrees_with_the_product(
            moments in prop::array::uniform3(0.5..2.0f64),
            turn in prop::array::uniform3(-3.0..3.0f64),
        ) {
            let (moments, turn) = (DVec3::from(moments), DQuat::from_scaled_axis(DVec3::from(turn)));
            let rotation = DMat3::from_quat(turn);
            let expected = rotation * DMat3::from_diagonal(moments) * rotation.transpose();
            prop_assert!(turned(moments, turn).abs_diff_eq(expected, 1e-14));
        }
    }
}
