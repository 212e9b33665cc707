//! The methods that the inclusion paper compares with, its own as printed and as published, and its tables.
//!
//! Source: Wang, Ferguson, Schneider, Jiang, Attene, Panozzo, "A Large Scale Benchmark and an Inclusion-Based Algorithm
//! for Continuous Collision Detection", ACM Transactions on Graphics 40 (2021). [`METHODS`] has them beside those of
//! [`drystone_contact::ccd`].

mod floating_cubic;
mod interval;
mod interval_number;
mod motion;
mod polynomial;
mod printed;
pub mod published;
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

use drystone_contact::ccd::{self, CcdError, Method, Metric, NamedMethod, Settings};

/// Every method in the order of the paper's table 1, those of [`drystone_contact::ccd`] first.
pub const METHODS: [NamedMethod; 9] = {
    let [inclusion, exact] = ccd::METHODS;
    [
        inclusion,
        exact,
        NamedMethod {
            name: Printed::PAPER,
            about: "the paper's Algorithm 2 to the letter",
            make: |settings| Ok(Box::new(Printed::paper(settings)?)),
        },
        NamedMethod {
            name: Printed::CODE,
            about: "the same with the filter of the published code",
            make: |settings| Ok(Box::new(Printed::code(settings)?)),
        },
        NamedMethod {
            name: IntervalRoots::NAME,
            about: "interval arithmetic over t, u, v (IRF)",
            make: |settings| Ok(Box::new(IntervalRoots::new(settings)?)),
        },
        NamedMethod {
            name: UnivariateIntervalRoots::NAME,
            about: "interval arithmetic over t (UIRF)",
            make: |settings| Ok(Box::new(UnivariateIntervalRoots::new(settings)?)),
        },
        NamedMethod {
            name: FloatingCubic::NAME,
            about: "roots of the cubic in floating point (FPRF)",
            make: |settings| Ok(Box::new(FloatingCubic::new(settings)?)),
        },
        NamedMethod {
            name: RootParity::NAME,
            about: "the parity of contacts, by a ray (RRP)",
            make: |settings| Ok(Box::new(RootParity::new(settings)?)),
        },
        NamedMethod {
            name: SeparationPolynomial::NAME,
            about: "roots of the polynomials of a distance d (MSRF)",
            make: |settings| Ok(Box::new(SeparationPolynomial::new(settings)?)),
        },
    ]
};

/// The method of this name among all, with these settings.
///
/// # Errors
/// A name that is not known; settings out of range or that the method cannot do.
pub fn method(name: &str, settings: Settings) -> Result<Box<dyn Method>, CcdError> {
    ccd::method(&METHODS, name, settings)
}

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
