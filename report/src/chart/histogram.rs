//! How often which |n·up| occurs (paper, figure 21). The counts are on a logarithmic axis, for the bin at 1 is often a hundred
//! times as high as the others; right normals are a bar of their own, beside the others and named.

use maud::Markup;

use super::axis::Scale;
use super::plot::{Axis, Plot};
use crate::number::{coordinate, count, per_cent, short};

/// How many bins 0…1 is cut into.
pub const BINS: usize = 20;

/// Counts of wrong normals a bin, and of right ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// |n·up| of the wrong ones, in equal bins from 0 to 1.
    pub wrong: [usize; BINS],
    /// How many are right: within the tolerance of 1.
    pub right: usize,
}

/// Sorts values into bins. Values that are not numbers count as 0.
pub fn bins(values: &[f64], tolerance: f64) -> Histogram {
    let mut histogram = Histogram { wrong: [0; BINS], right: 0 };
    for &value in values {
        if (value - 1.0).abs() < tolerance {
            histogram.right += 1;
        } else {
            // A cast of a negative number or of none gives 0.
            histogram.wrong[((value * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
    }
    histogram
}

/// Draws a histogram; `highest` is the largest count of all that are to be compared with it.
pub fn histogram(data: &Histogram, highest: usize, title: &str) -> Markup {
    const LEAST: f64 = 0.6;
    let scale = Scale::Log(LEAST, (highest.max(10) as f64) * 1.15);
    let y_ticks = scale.ticks(9).into_iter().map(|v| (v, count(v as usize))).collect();
    let y = Axis { scale, ticks: y_ticks, label: "contacts (logarithmic)".into() };
    // The bar of right normals stands where a further bin and a half would be.
    let x_ticks = Scale::Linear(0.0, 1.0).ticks(4).into_iter().map(|v| (v, short(v))).collect();
    let x = Axis { scale: Scale::Linear(0.0, 1.14), ticks: x_ticks, label: "|n·up|".into() };
    let mut plot = Plot::new(280.0, 190.0, 6.0, x, y);
    let bar = |plot: &Plot, from: f64, to: f64, n: usize| {
        let [left, right, top] = [plot.x(from) + 0.5, plot.x(to) - 0.5, plot.y(n as f64)].map(coordinate);
        format!("M{left} {floor}V{top}H{right}V{floor}Z", floor = coordinate(plot.floor()))
    };
    let width = 1.0 / BINS as f64;
    let edges = |k: usize| (k as f64 * width, (k + 1) as f64 * width);
    let wrong = data.wrong.iter().enumerate().filter(|(_, n)| **n > 0);
    let bars: String = wrong.map(|(k, n)| bar(&plot, edges(k).0, edges(k).1, *n)).collect();
    if !bars.is_empty() {
        plot.path("bar wrong", &bars);
    }
    let all = data.right + data.wrong.iter().sum::<usize>();
    if data.right > 0 {
        let right = bar(&plot, 1.03, 1.11, data.right);
        plot.path("bar right", &right);
    }
    let (x, y) = (plot.end() - 1.0, plot.y(data.right as f64) - 4.0);
    let text = if all == 0 { "no contacts".into() } else { format!("{} right", count(data.right)) };
    plot.text("name halo", "end", x, y.min(plot.floor() - 4.0), &text);
    let share = if all == 0 { 0.0 } else { data.right as f64 / all as f64 };
    let description =
        format!("{all} contacts, {} of them ({} %) within the tolerance of 1", data.right, per_cent(share));
    plot.finish(title, &description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_bin() {
        let data = bins(&[0.0, 0.049, 0.05, 0.999, 1.0, 0.99995, 1.5, f64::NAN], 1e-4);
        assert_eq!((data.wrong[0], data.wrong[1], data.wrong[19], data.right), (3, 1, 2, 2));
    }

    #[test]
    fn a_bar_a_bin_that_is_not_empty() {
        let data = bins(&[0.0, 0.5, 0.5, 1.0], 1e-4);
        let svg = histogram(&data, 500, "a < b").into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let bars = |class| {
            document.descendants().find(|n| n.attribute("class") == Some(class)).unwrap().attribute("d").unwrap()
        };
        assert_eq!((bars("bar wrong").matches('M').count(), bars("bar right").matches('M').count()), (2, 1));
        assert!(svg.contains("1 right") && svg.contains(">100<") && !svg.contains("NaN"));
        assert!(histogram(&bins(&[], 1e-4), 0, "t").into_string().contains("no contacts"));
    }
}
