//! Three by three matrices in either precision, with sums in the order of the published program.

use drystone_contact::precision::Vector;
use glam::{DMat3, DQuat, DVec3};

/// A 3×3 matrix over the coordinates of `V`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix<V> {
    columns: [V; 3],
}

impl<V: Vector> Matrix<V> {
    /// The matrix with the given columns.
    pub fn from_columns(columns: [V; 3]) -> Self {
        Self { columns }
    }

    /// The nearest matrix in this precision.
    pub fn narrow(matrix: &DMat3) -> Self {
        Self::from_columns([matrix.x_axis, matrix.y_axis, matrix.z_axis].map(V::narrow))
    }

    /// The same matrix in double precision.
    pub fn widen(&self) -> DMat3 {
        let [x, y, z] = self.columns.map(V::widen);
        DMat3::from_cols(x, y, z)
    }

    /// `R diag(moments) Rᵀ`, where R is the rotation matrix of the unit quaternion `orientation`.
    pub fn turned(moments: V, orientation: DQuat) -> Self {
        let (m, w) = (moments.coordinates(), V::real(orientation.w));
        let imaginary = V::narrow(DVec3::new(orientation.x, orientation.y, orientation.z));
        let ([x, y, z], [x2, y2, z2]) = (imaginary.coordinates(), (imaginary + imaginary).coordinates());
        let one = V::real(1.0);
        let r = [
            [one - (y * y2 + z * z2), x * y2 - w * z2, x * z2 + w * y2],
            [x * y2 + w * z2, one - (x * x2 + z * z2), y * z2 - w * x2],
            [x * z2 - w * y2, y * z2 + w * x2, one - (x * x2 + y * y2)],
        ];
        let entry = |i: usize, j: usize| r[i][0] * r[j][0] * m[0] + r[i][1] * r[j][1] * m[1] + r[i][2] * r[j][2] * m[2];
        Self::from_columns([0, 1, 2].map(|j| V::from_coordinates(entry(0, j), entry(1, j), entry(2, j))))
    }

    /// The product with a vector, columns added in their order.
    #[inline]
    pub fn times(&self, v: V) -> V {
        let ([a, b, c], [x, y, z]) = (self.columns, v.coordinates());
        a * x + b * y + c * z
    }

    /// The inverse by cofactors over the determinant; not finite if the determinant vanishes.
    pub fn inverse(&self) -> Self {
        let [a, b, c] = self.columns;
        let first = V::from_coordinates(a.coordinates()[0], b.coordinates()[0], c.coordinates()[0]);
        let cofactors = Self::from_columns([b.cross(c), c.cross(a), a.cross(b)]).transposed();
        let determinant = first.dot(cofactors.columns[0]);
        Self::from_columns(cofactors.columns.map(|column| column / determinant))
    }

    fn transposed(&self) -> Self {
        let [a, b, c] = self.columns.map(V::coordinates);
        Self::from_columns([0, 1, 2].map(|i| V::from_coordinates(a[i], b[i], c[i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    /// Largest difference of an entry.
    fn distance(x: DMat3, y: DMat3) -> f64 {
        (x - y).to_cols_array().into_iter().fold(0.0, |largest, entry| entry.abs().max(largest))
    }

    proptest! {
        #[test]
        fn both_precisions_agree_with_glam(
            moments in prop::array::uniform3(0.5..2.0f64),
            turn in prop::array::uniform3(-3.0..3.0f64),
            v in prop::array::uniform3(-3.0..3.0f64),
        ) {
            let (moments, turn, v) = (DVec3::from(moments), DQuat::from_scaled_axis(DVec3::from(turn)), DVec3::from(v));
            let rotation = DMat3::from_quat(turn);
            let expected = rotation * DMat3::from_diagonal(moments) * rotation.transpose();
            let double = Matrix::<DVec3>::turned(moments, turn);
            let single = Matrix::<Vec3>::turned(<Vec3 as Vector>::narrow(moments), turn);
            prop_assert!(distance(double.widen(), expected) < 1e-14);
            prop_assert!(distance(single.widen(), expected) < 1e-5);
            prop_assert!(distance(double.inverse().widen(), expected.inverse()) < 1e-13);
            prop_assert!(distance(single.inverse().widen(), expected.inverse()) < 1e-4);
            prop_assert!((double.times(v) - expected * v).length() < 1e-13);
        }
    }

    /// A matrix without symmetry: the cofactors are not transposed.
    #[test]
    fn the_inverse_of_a_shear() {
        let shear = DMat3::from_cols(DVec3::new(2.0, 0.0, 0.0), DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.0, 3.0, 4.0));
        let inverse = Matrix::<DVec3>::narrow(&shear).inverse();
        assert!(distance(inverse.widen() * shear, DMat3::IDENTITY) < 1e-15);
    }
}
