//! How often which run time occurs, for queries that meet and for those that do not (Wang et al. 2021, figure 7). Both
//! axes are logarithmic.

use drystone_scenes::ccd::benchmark::LogHistogram;
use maud::Markup;

use super::axis::Scale;
use super::plot::{Axis, Plot};
use crate::number::{coordinate, count};

/// The class of the bars of queries that do not meet.
pub const NEGATIVE: &str = "bar right";

/// The class of the bars of queries that meet.
pub const POSITIVE: &str = "bar wrong";

/// What is drawn.
pub struct TimeHistogram<'a> {
    /// Of the queries that meet.
    pub positive: &'a LogHistogram,
    /// Of the queries that do not.
    pub negative: &'a LogHistogram,
}

/// Draws two bars a bin.
pub fn time_histogram(data: &TimeHistogram<'_>, title: &str) -> Markup {
    /// The lower end of the axis of counts: one query is a bar to be seen.
    const LEAST: f64 = 0.6;
    let counts = || data.positive.counts.iter().zip(&data.negative.counts);
    let used: Vec<usize> = counts().enumerate().filter(|(_, (p, n))| **p + **n > 0).map(|(k, _)| k).collect();
    let decade = LogHistogram::A_DECADE;
    // Whole decades around what there is, at least one.
    let first = used.first().map_or(0, |k| k / decade * decade);
    let last = used.last().map_or(first + decade, |k| (k / decade + 1) * decade);
    let x_scale = Scale::Log(LogHistogram::edge(first), LogHistogram::edge(last));
    let x_ticks = x_scale.ticks(9).into_iter().map(|v| (v, time(v))).collect();
    let highest = counts().map(|(p, n)| *p.max(n)).max().unwrap_or(0);
    let scale = Scale::Log(LEAST, (highest.max(10) as f64) * 1.3);
    let y_ticks = scale.ticks(9).into_iter().map(|v| (v, count(v as usize))).collect();
    let x = Axis { scale: x_scale, ticks: x_ticks, label: "time a query".into() };
    let mut plot = Plot::new(340.0, 190.0, 20.0, x, Axis { scale, ticks: y_ticks, label: "queries".into() });
    for (class, histogram, side) in [(NEGATIVE, data.negative, 0.0), (POSITIVE, data.positive, 0.5)] {
        let mut bars = String::new();
        for (k, &n) in histogram.counts.iter().enumerate().filter(|(_, n)| **n > 0) {
            let [left, right] = [k, k + 1].map(|k| plot.x(LogHistogram::edge(k)));
            let from = left + side * (right - left);
            let [from, to, top] = [from, from + 0.5 * (right - left), plot.y(n as f64)].map(coordinate);
            bars.push_str(&format!("M{from} {floor}V{top}H{to}V{floor}Z", floor = coordinate(plot.floor())));
        }
        if !bars.is_empty() {
            plot.path(class, &bars);
        }
    }
    let all = |histogram: &LogHistogram| count(histogram.counts.iter().sum::<u64>() as usize);
    plot.finish(title, &format!("{} queries that meet, {} that do not", all(data.positive), all(data.negative)))
}

/// A power of ten of seconds, in a unit that suits it.
fn time(seconds: f64) -> String {
    let nanoseconds = (1e9 * seconds).round();
    match nanoseconds {
        n if n < 1e3 => format!("{n} ns"),
        n if n < 1e6 => format!("{} µs", n / 1e3),
        n if n < 1e9 => format!("{} ms", n / 1e6),
        n => format!("{} s", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_a_bin_that_is_not_empty() {
        let (mut positive, mut negative) = (LogHistogram::default(), LogHistogram::default());
        [2e-6, 2.1e-6, 3e-3].into_iter().for_each(|s| positive.add(s));
        (0..500).for_each(|_| negative.add(8e-8));
        let svg = time_histogram(&TimeHistogram { positive: &positive, negative: &negative }, "a < b");
        let svg = svg.into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let bars = |class| document.descendants().find(|n| n.attribute("class") == Some(class)).unwrap();
        assert_eq!(bars(POSITIVE).attribute("d").unwrap().matches('M').count(), 2);
        assert_eq!(bars(NEGATIVE).attribute("d").unwrap().matches('M').count(), 1);
        assert!(svg.contains(">1 µs<") && svg.contains(">10 ms<") && svg.contains("3 queries that meet, 500 that"));
        let none = LogHistogram::default();
        let empty = time_histogram(&TimeHistogram { positive: &none, negative: &none }, "t").into_string();
        assert!(roxmltree::Document::parse(&empty).is_ok() && !empty.contains("NaN"));
    }
}
