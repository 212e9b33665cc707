//! Checks of single numbers, vectors and quaternions.

use glam::{DQuat, DVec3};

use super::document::{RotationEntry, Tuple};
use super::error::{SceneFileError, SceneFileProblem};
use super::{MAXIMUM_COMPONENT, PARALLEL_ANGLE};

/// How far the length of an expected normal or of a quaternion may be from one (dimensionless): three digits suffice,
/// as in 0.707. What is within is normalised.
pub const UNIT_LENGTH_TOLERANCE: f64 = 1e-3;

/// A normal whose length is this close to one (dimensionless) is taken as it is, to the last bit.
pub const EXACT_LENGTH_TOLERANCE: f64 = 1e-9;

/// A number above zero.
pub fn positive(value: f64) -> Result<f64, SceneFileProblem> {
    let is_good = value.is_finite() && value > 0.0;
    if is_good { Ok(value) } else { Err(wrong("a finite number above zero", value.to_string())) }
}

/// A number that is zero or above.
pub fn not_negative(value: f64) -> Result<f64, SceneFileProblem> {
    let is_good = value.is_finite() && value >= 0.0;
    if is_good { Ok(value) } else { Err(wrong("a finite number, zero or above", value.to_string())) }
}

/// A vector of finite numbers.
pub fn finite(&Tuple(components): &Tuple<f64, 3>) -> Result<DVec3, SceneFileProblem> {
    let vector = DVec3::from_array(components);
    if vector.is_finite() { Ok(vector) } else { Err(wrong("three finite numbers", vector.to_string())) }
}

/// A vector whose components are finite and not absurdly large.
pub fn bounded(components: &Tuple<f64, 3>) -> Result<DVec3, SceneFileProblem> {
    finite(components).and_then(within_bounds)
}

/// The vector, if none of its components is NaN or absurdly large.
pub fn within_bounds(vector: DVec3) -> Result<DVec3, SceneFileProblem> {
    // The comparison is false for NaN.
    let is_good = vector.abs().cmple(DVec3::splat(MAXIMUM_COMPONENT)).all();
    if is_good { Ok(vector) } else { Err(SceneFileProblem::Magnitude { found: vector }) }
}

/// A count from `least` to `most`.
pub fn count(found: usize, least: usize, most: usize) -> Result<usize, SceneFileProblem> {
    if (least..=most).contains(&found) { Ok(found) } else { Err(SceneFileProblem::Range { least, most, found }) }
}

/// Whether two unit vectors lie along the same line, in either sense.
pub fn are_parallel(a: DVec3, b: DVec3) -> bool {
    // The arc cosine could not tell such small angles.
    a.cross(b).length().atan2(a.dot(b).abs()) <= PARALLEL_ANGLE
}

/// Three numbers above zero.
pub fn all_positive(components: &Tuple<f64, 3>) -> Result<DVec3, SceneFileProblem> {
    let vector = finite(components)?;
    if vector.min_element() > 0.0 { Ok(vector) } else { Err(wrong("three numbers above zero", vector.to_string())) }
}

/// A direction of unit length.
pub fn unit(components: &Tuple<f64, 3>) -> Result<DVec3, SceneFileProblem> {
    let vector = finite(components)?;
    let length = vector.length();
    match (length - 1.0).abs() {
        error if error <= EXACT_LENGTH_TOLERANCE => Ok(vector),
        error if error <= UNIT_LENGTH_TOLERANCE => Ok(vector / length),
        _ => Err(SceneFileProblem::UnitLength { found: vector.to_string(), length }),
    }
}

/// A quaternion (x, y, z, w) whose length is one within the tolerance, as it is.
pub fn rotation(&Tuple(components): &Tuple<f64, 4>, tolerance: f64) -> Result<DQuat, SceneFileProblem> {
    let quaternion = DQuat::from_array(components);
    if !quaternion.is_finite() {
        return Err(wrong("four finite numbers", quaternion.to_string()));
    }
    let length = quaternion.length();
    let is_good = (length - 1.0).abs() <= tolerance;
    if is_good { Ok(quaternion) } else { Err(SceneFileProblem::UnitLength { found: quaternion.to_string(), length }) }
}

/// A rotation as a quaternion, or by an axis and an angle in degrees; none if neither is given. `tolerance` is how far the length of a
/// quaternion may be from one; `at` makes an error of a key and what is wrong with it.
pub fn orientation(
    quaternion: Option<&Tuple<f64, 4>>,
    turn: Option<&RotationEntry>,
    tolerance: f64,
    at: impl Fn(&str, SceneFileProblem) -> SceneFileError,
) -> Result<DQuat, SceneFileError> {
    match (quaternion, turn) {
        (None, None) => Ok(DQuat::IDENTITY),
        (Some(quaternion), None) => rotation(quaternion, tolerance).map_err(|problem| at("orientation_xyzw", problem)),
        (None, Some(turn)) => {
            let value = |must, found| at("rotation", wrong(must, found));
            let axis = DVec3::from_array(turn.axis.0);
            let axis = axis.try_normalize().ok_or_else(|| value("about an axis with a direction", axis.to_string()))?;
            if !turn.degrees.is_finite() {
                return Err(value("by a finite angle in degrees", turn.degrees.to_string()));
            }
            Ok(DQuat::from_axis_angle(axis, turn.degrees.to_radians()))
        }
        (Some(_), Some(_)) => {
            Err(at("rotation", SceneFileProblem::Keys("give `orientation_xyzw` or `rotation`, not both")))
        }
    }
}

fn wrong(must: &'static str, found: String) -> SceneFileProblem {
    SceneFileProblem::Value { must, found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_make_a_direction() {
        let slanted = unit(&Tuple([0.707, 0.0, 0.707])).unwrap();
        assert!((slanted.length() - 1.0).abs() < 1e-15);
        let error = unit(&Tuple([1.0, 1.0, 0.0])).unwrap_err();
        assert!(error.to_string().contains("[1, 1, 0] has the length 1.414"), "{error}");
        assert!(unit(&Tuple([0.0; 3])).is_err());
    }

    #[test]
    fn a_direction_that_is_exact_keeps_its_bits() {
        let exact = [3.0 / 10f64.sqrt(), 1.0 / 10f64.sqrt(), -0.0];
        let kept = unit(&Tuple(exact)).unwrap().to_array();
        assert_eq!(kept.map(f64::to_bits), exact.map(f64::to_bits));
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(positive(bad).is_err() && not_negative(bad).is_err());
            assert!(all_positive(&Tuple([1.0, bad, 1.0])).is_err());
            assert!(rotation(&Tuple([0.0, bad, 0.0, 1.0]), UNIT_LENGTH_TOLERANCE).is_err());
        }
        assert!(positive(0.0).is_err() && not_negative(0.0).is_ok());
        assert!(finite(&Tuple([0.0, f64::NAN, 0.0])).is_err());
        assert!(within_bounds(DVec3::new(0.0, 0.0, f64::NAN)).is_err());
    }

    #[test]
    fn bounds_are_inclusive() {
        assert_eq!(bounded(&Tuple([1e9, -1e9, 0.0])).unwrap(), DVec3::new(1e9, -1e9, 0.0));
        let error = bounded(&Tuple([0.0, -1.1e9, 0.0])).unwrap_err().to_string();
        assert!(error.contains("at most 1e9") && error.contains("-1100000000"), "{error}");
        assert_eq!((count(1, 1, 3).unwrap(), count(3, 1, 3).unwrap()), (1, 3));
        assert_eq!(count(0, 1, 3).unwrap_err().to_string(), "must be from 1 to 3, found 0");
        assert!(count(4, 1, 3).is_err());
    }

    #[test]
    fn a_line_has_two_senses() {
        for (angle, parallel) in [(0.0, true), (0.999e-3, true), (1.001e-3, false), (1.5, false)] {
            for axis in [DVec3::X, DVec3::new(0.6, 0.0, -0.8)] {
                let turned = DQuat::from_axis_angle(DVec3::Y, angle) * axis;
                assert_eq!([turned, -turned].map(|n| are_parallel(axis, n)), [parallel; 2], "{angle}");
            }
        }
    }
}
