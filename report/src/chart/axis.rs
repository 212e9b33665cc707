//! Axes: from values to places, and where their ticks are.

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// From the first value to the second.
    Linear(f64, f64),
    /// Powers of ten from the first value to the second, both above zero.
    Log(f64, f64),
}

impl Scale {
    /// The place of a value: 0 at the lower end, 1 at the upper one, nowhere else.
    pub fn place(self, value: f64) -> f64 {
        let share = match self {
            Scale::Linear(low, high) => (value - low) / (high - low),
            Scale::Log(low, high) => libm::log10(value / low) / libm::log10(high / low),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Round values within the scale: about `wanted` of them, all powers of ten of a logarithmic one.
    pub fn ticks(self, wanted: usize) -> Vec<f64> {
        match self {
            Scale::Linear(low, high) => {
                let step = nice_step((high - low) / wanted.max(1) as f64);
                let first = (low / step - 1e-9).ceil() as i64;
                let last = (high / step + 1e-9).floor() as i64;
                (first..=last).map(|k| k as f64 * step).collect()
            }
            Scale::Log(low, high) => {
                let (first, last) =
                    ((libm::log10(low) - 1e-9).ceil() as i32, (libm::log10(high) + 1e-9).floor() as i32);
                (first..=last).map(|k| libm::pow(10.0, f64::from(k))).collect()
            }
        }
    }
}

/// A linear scale from 0 to a round value that is at least `highest`.
pub fn from_zero(highest: f64, wanted: usize) -> Scale {
    let highest = if highest.is_finite() && highest > 0.0 { highest } else { 1.0 };
    let step = nice_step(highest / wanted.max(1) as f64);
    Scale::Linear(0.0, step * (highest / step - 1e-9).ceil())
}

/// 1, 2, 2.5 or 5 times a power of ten: the smallest that is at least `rough`.
fn nice_step(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|f| f * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_replica::published::prints_alike;

    #[test]
    fn ticks_are_round_and_inside() {
        let close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(close(&Scale::Linear(0.0, 1.0).ticks(4), &[0.0, 0.25, 0.5, 0.75, 1.0]));
        assert!(close(&Scale::Linear(0.0, 500.0).ticks(5), &[0.0, 100.0, 200.0, 300.0, 400.0, 500.0]));
        assert!(close(&Scale::Log(0.7, 1500.0).ticks(9), &[1.0, 10.0, 100.0, 1000.0]));
        assert_eq!(from_zero(1399.0, 4), Scale::Linear(0.0, 1500.0));
        assert_eq!(from_zero(0.0, 4), Scale::Linear(0.0, 1.0));
        assert_eq!(from_zero(f64::NAN, 4), Scale::Linear(0.0, 1.0));
        assert!(prints_alike(Scale::Log(1.0, 100.0).place(10.0), 0.5));
    }

    proptest::proptest! {
        #[test]
        fn any_highest_value_has_a_few_ticks_and_its_place(highest in 1e-9..1e12f64, wanted in 2..8usize) {
            let scale = from_zero(highest, wanted);
            let ticks = scale.ticks(wanted);
            assert!((2..=wanted + 2).contains(&ticks.len()), "{ticks:?}");
            assert!(scale.place(highest) > 0.39 && scale.place(highest) <= 1.0);
            assert_eq!(ticks[0], 0.0);
        }
    }
}
