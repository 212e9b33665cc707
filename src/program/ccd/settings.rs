//! The settings of the methods as options, and the words for kinds and metrics.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::contact::ccd::{Kind, Metric, Settings};

/// The method where none is asked for.
pub const DEFAULT_METHOD: &str = "inclusion";

/// What methods are asked with.
#[derive(Args, Clone, Copy, Debug)]
pub struct SettingsOptions {
    /// Minimum separation d, m: features that are no farther apart count as touching.
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_negative_numbers = true)]
    ms: f64,

    /// How d is measured: by the largest difference of a coordinate, or straight.
    #[arg(long, default_value = "chebyshev", value_name = "METRIC")]
    metric: MetricWord,

    /// Tolerance δ, m.
    #[arg(long, value_name = "METRES", default_value_t = Settings::default().tolerance, allow_negative_numbers = true)]
    tol: f64,

    /// The most checks a query, m_I.
    #[arg(long, value_name = "N", default_value_t = Settings::default().checks)]
    checks: u64,

    /// The end of the time interval, from 0 to 1.
    #[arg(long, value_name = "T", default_value_t = Settings::default().t_max, allow_negative_numbers = true)]
    t_max: f64,

    /// Decide in integers after so many checks, and where rounding forbids an answer.
    #[arg(long, value_name = "N")]
    exact_after: Option<u64>,
}

impl SettingsOptions {
    /// The settings.
    pub fn settings(&self) -> Settings {
        Settings {
            tolerance: self.tol,
            checks: self.checks,
            t_max: self.t_max,
            separation: self.ms,
            metric: self.metric.0,
            exact_after: self.exact_after,
        }
    }
}

/// A kind by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindWord(pub Kind);

impl ValueEnum for KindWord {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Kind::VertexFace), Self(Kind::EdgeEdge)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(kind_name(self.0)).alias(kind_short(self.0)))
    }
}

/// A metric by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MetricWord(Metric);

impl ValueEnum for MetricWord {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Metric::Chebyshev), Self(Metric::Euclidean)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(metric_name(self.0)))
    }
}

/// A kind as it is written.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::VertexFace => "vertex-face",
        Kind::EdgeEdge => "edge-edge",
    }
}

/// A kind as it is written where there is little room.
pub fn kind_short(kind: Kind) -> &'static str {
    match kind {
        Kind::VertexFace => "vf",
        Kind::EdgeEdge => "ee",
    }
}

/// A metric as it is written.
pub fn metric_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Chebyshev => "chebyshev",
        Metric::Euclidean => "euclidean",
    }
}
