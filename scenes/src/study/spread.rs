//! Mean and spread of numbers.

/// Mean, standard deviation and extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// Standard deviation of the whole, not of a sample: the divisor is the count.
    pub deviation: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of some numbers; `None` of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count;
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        Some(Spread { mean, deviation: variance.sqrt(), min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_eight_numbers() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(spread, Spread { mean: 5.0, deviation: 2.0, min: 2.0, max: 9.0 });
        assert_eq!(Spread::of(&[3.0]).unwrap().deviation, 0.0);
        assert_eq!(Spread::of(&[]), None);
    }
}
