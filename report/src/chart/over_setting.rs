//! A figure over a setting that is varied, with the range of its values as a band (Wang et al. 2021, figures 8, 9 and 11).

use maud::Markup;

use super::axis::{Scale, from_zero};
use super::plot::{Axis, Plot};
use crate::number::coordinate;

/// How the figure is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upright {
    /// By powers of ten; what is not above zero is not drawn.
    Log,
    /// Evenly, from zero.
    FromZero,
}

/// What is drawn.
pub struct OverSetting<'a> {
    /// Value of the setting (above zero) and of the figure, in ascending order of the setting.
    pub points: &'a [(f64, f64)],
    /// The least and the most at each point; may be empty.
    pub band: &'a [(f64, f64)],
    /// What is varied, with unit.
    pub setting: &'a str,
    /// What the figure is, with unit.
    pub figure: &'a str,
    /// How it is spread.
    pub upright: Upright,
}

/// Draws the line, its points and its band.
pub fn over_setting(data: &OverSetting<'_>, title: &str) -> Markup {
    let ends = |mut of: Box<dyn Iterator<Item = f64> + '_>| {
        let first = of.next()?;
        Some(of.fold((first, first), |(low, high), v| (low.min(v), high.max(v))))
    };
    let settings = data.points.iter().map(|p| p.0).filter(|x| *x > 0.0);
    let (low, high) = ends(Box::new(settings)).unwrap_or((1.0, 10.0));
    let x_scale = Scale::Log(low, if high > low { high } else { 10.0 * low });
    let x_ticks = data.points.iter().map(|p| (p.0, power(p.0))).collect();
    let is_drawn = |v: &f64| v.is_finite() && (data.upright == Upright::FromZero || *v > 0.0);
    let of_band = data.band.iter().flat_map(|b| [b.0, b.1]);
    let values = data.points.iter().map(|p| p.1).chain(of_band).filter(is_drawn);
    let (least, most) = ends(Box::new(values)).unwrap_or((1.0, 1.0));
    let (scale, y_ticks): (Scale, Vec<(f64, String)>) = match data.upright {
        Upright::Log => {
            let [bottom, top] = [libm::log10(least).floor(), libm::log10(most).floor() + 1.0];
            let scale = Scale::Log(libm::pow(10.0, bottom), libm::pow(10.0, top));
            let every = (((top - bottom) / 6.0).ceil() as usize).max(1);
            (scale, scale.ticks(9).into_iter().step_by(every).map(|v| (v, power(v))).collect())
        }
        Upright::FromZero => {
            let scale = from_zero(most, 4);
            (scale, scale.ticks(4).into_iter().map(|v| (v, crate::number::short(v))).collect())
        }
    };
    let x = Axis { scale: x_scale, ticks: x_ticks, label: data.setting.into() };
    let mut plot = Plot::new(340.0, 190.0, 18.0, x, Axis { scale, ticks: y_ticks, label: data.figure.into() });
    let place = |plot: &Plot, x: f64, y: f64| format!("{} {}", coordinate(plot.x(x)), coordinate(plot.y(y)));
    if data.band.len() == data.points.len() && !data.band.is_empty() {
        let upper = data.points.iter().zip(data.band).map(|(p, b)| place(&plot, p.0, b.1));
        let lower = data.points.iter().zip(data.band).rev().map(|(p, b)| place(&plot, p.0, b.0));
        let around: Vec<String> = upper.chain(lower).collect();
        plot.path("area", &format!("M{}Z", around.join("L")));
    }
    let line: Vec<String> = data.points.iter().filter(|p| is_drawn(&p.1)).map(|p| place(&plot, p.0, p.1)).collect();
    if !line.is_empty() {
        plot.path("line s0", &format!("M{}", line.join("L")));
        // A stroke of no length with round ends is a dot.
        plot.path("spot right", &line.iter().map(|at| format!("M{at}h0")).collect::<String>());
    }
    let parts: Vec<String> = data.points.iter().map(|p| format!("{}: {:.3e}", power(p.0), p.1)).collect();
    plot.finish(title, &format!("{} over {}. {}", data.figure, data.setting, parts.join("; ")))
}

/// A value in few characters: 1e-6, 100, 0.1.
fn power(value: f64) -> String {
    if (0.01..1e4).contains(&value) { crate::number::short(value) } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(points: &[(f64, f64)], band: &[(f64, f64)], upright: Upright) -> String {
        over_setting(&OverSetting { points, band, setting: "δ <m>", figure: "time", upright }, "t").into_string()
    }

    #[test]
    fn a_dot_a_point_and_one_band() {
        let points = [(1e-100, 0.2), (1e-8, 3.0), (1e-2, 40.0)];
        let svg = draw(&points, &[(0.1, 1.0), (1.0, 9.0), (2.0, 5000.0)], Upright::Log);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let path = |class| document.descendants().find(|n| n.attribute("class") == Some(class));
        assert_eq!(path("spot right").unwrap().attribute("d").unwrap().matches("h0").count(), 3);
        assert_eq!(path("area").unwrap().attribute("d").unwrap().matches('L').count(), 5);
        assert!(svg.contains(">1e-100<") && svg.contains(">0.01<") && !svg.contains("NaN"));
    }

    #[test]
    fn nothing_and_zero_are_drawn_as_such() {
        let zero = draw(&[(100.0, 0.0), (1000.0, 0.0)], &[], Upright::Log);
        assert!(!zero.contains("line s0"), "zero has no place among powers of ten");
        let share = draw(&[(100.0, 0.0), (1000.0, 25.0)], &[], Upright::FromZero);
        assert!(share.contains("line s0"));
        for svg in [zero, share, draw(&[], &[], Upright::Log), draw(&[(1.0, f64::NAN)], &[], Upright::FromZero)] {
            assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
        }
    }
}
