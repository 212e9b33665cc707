//! The methods that the paper compares with, and its own as it is printed and as it was published.

mod floating_cubic;
mod interval;
mod interval_number;
mod motion;
mod polynomial;
mod printed;
mod root_parity;
mod separation_polynomial;
#[cfg(test)]
mod shown_failures;
#[cfg(test)]
mod tests;
mod univariate_interval;

pub use floating_cubic::FloatingCubic;
pub use interval::IntervalRoots;
pub use printed::{LaterSmall, Printed, PrintedFilter};
pub use root_parity::RootParity;
pub use separation_polynomial::SeparationPolynomial;
pub use univariate_interval::UnivariateIntervalRoots;

use super::{CcdError, Metric, Settings};

/// That the settings are in range and ask for nothing but what a method can do: a d in one of `metrics`, if any.
fn accept(method: &'static str, settings: &Settings, metrics: &[Metric]) -> Result<(), CcdError> {
    settings.check()?;
    let refuse = |what| Err(CcdError::Unsupported { method, what });
    if settings.exact_after.is_some() {
        return refuse("decide in integers");
    }
    if settings.separation > 0.0 && !metrics.contains(&settings.metric) {
        return refuse(match (metrics, settings.metric) {
            ([], _) => "a minimum separation",
            (_, Metric::Chebyshev) => "a minimum separation by the largest difference of a coordinate",
            (_, Metric::Euclidean) => "a minimum separation by the straight distance",
        });
    }
    Ok(())
}
