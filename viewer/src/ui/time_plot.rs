//! A value over the steps; a click or a drag goes to a step.

use bevy_egui::egui::{Color32, RichText, Ui, WidgetInfo, WidgetType};
use egui_plot::{HoverPosition, Line, Plot, PlotPoints, VLine};

use super::figures::{SMALL, figure, short};
use crate::model::{Command, State};

/// How high a plot is, points.
const HEIGHT: f32 = 90.0;
/// How many points a line has at most: more are not to be told apart.
const MOST: usize = 2000;

/// A line of a plot.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: Color32,
    /// Step and value; values are not finite where nothing is known.
    pub points: Vec<[f64; 2]>,
}

/// A plot over the steps.
pub struct TimePlot<'p> {
    /// Its name, with the unit.
    pub name: &'p str,
    /// What it tells.
    pub hover: &'p str,
    /// Whether the axis of values is logarithmic; values that are not above zero are left out.
    pub is_log: bool,
    /// Values that are always in sight, so that what hardly changes does not look wild.
    pub in_sight: &'p [f64],
    /// Its lines.
    pub series: Vec<Series>,
}

impl TimePlot<'_> {
    /// Shows the plot; a click or a drag in it goes to that step.
    pub fn show(self, ui: &mut Ui, state: &mut State) {
        ui.horizontal_wrapped(|ui| {
            ui.label(self.name).on_hover_text(self.hover);
            for line in self.series.iter().filter(|_| self.series.len() > 1) {
                ui.label(RichText::new(&line.name).color(line.colour).size(SMALL));
            }
        });
        let is_log = self.is_log;
        let value = move |y: f64| if is_log { format!("1e{y:.0}") } else { short(y) };
        let exact = move |y: f64| if is_log { format!("{:.2e}", 10f64.powf(y)) } else { figure(y) };
        let plot = Plot::new(self.name)
            .height(HEIGHT)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_axis_zoom_drag(false)
            .y_axis_min_width(46.0)
            .y_axis_formatter(
                move |mark, _| if is_log && mark.value.fract() != 0.0 { String::new() } else { value(mark.value) },
            )
            .x_axis_formatter(
                |mark, _| if mark.value.fract() == 0.0 { format!("{}", mark.value) } else { String::new() },
            )
            .label_formatter(move |position| match position {
                HoverPosition::NearDataPoint { plot_name, position, .. } => {
                    Some(format!("{plot_name}\nstep {:.0}: {}", position.x, exact(position.y)))
                }
                HoverPosition::Elsewhere { .. } => None,
            });
        let plot = self.in_sight.iter().fold(plot, |plot, &value| plot.include_y(value));
        let now = state.playback.step as f64;
        let now_colour = ui.visuals().strong_text_color();
        let series = self.series;
        let response = plot.show(ui, move |plot| {
            for line in series {
                let points = PlotPoints::from(thinned(&line.points, is_log));
                plot.line(Line::new(line.name, points).color(line.colour).width(1.5));
            }
            plot.vline(VLine::new("", now).color(now_colour).width(1.0).allow_hover(false));
        });
        response.response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("Plot: {}", self.name)));
        let is_asked = response.response.clicked() || response.response.dragged();
        if let Some(place) = response.response.interact_pointer_pos().filter(|_| is_asked) {
            let step = response.transform.value_from_position(place).x;
            state.apply(Command::GoTo(step_at(step, *state.steps().end())));
        }
    }
}

/// The step at a place of the axis.
pub fn step_at(x: f64, last: u64) -> u64 {
    // Below nought and what is no number become 0.
    (x.round() as u64).min(last)
}

/// At most so many points as can be told apart, the last one always.
fn thinned(points: &[[f64; 2]], is_log: bool) -> Vec<[f64; 2]> {
    let every = points.len().div_ceil(MOST).max(1);
    let is_kept = |k: usize| k.is_multiple_of(every) || k + 1 == points.len();
    let scaled = |[x, y]: [f64; 2]| [x, if is_log { y.log10() } else { y }];
    let kept = points.iter().enumerate().filter(|(k, _)| is_kept(*k)).map(|(_, &point)| scaled(point));
    kept.filter(|point| point[1].is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_step_that_is_there() {
        assert_eq!([-3.0, 2.4, 2.6, 99.0, f64::NAN].map(|x| step_at(x, 10)), [0, 2, 3, 10, 0]);
    }

    #[test]
    fn a_line_is_thinned_and_ends_where_it_ends() {
        let points: Vec<[f64; 2]> = (0..10_001).map(|k| [f64::from(k), f64::from(k)]).collect();
        let line = thinned(&points, false);
        assert!(line.len() <= MOST + 1, "{}", line.len());
        assert_eq!((line[0][0], line[line.len() - 1][0]), (0.0, 10_000.0));
        let log = thinned(&[[0.0, 0.0], [1.0, 100.0], [2.0, f64::NAN]], true);
        assert_eq!(log, [[1.0, 2.0]]);
    }
}
