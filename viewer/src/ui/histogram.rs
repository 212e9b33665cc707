//! How many contacts have which quality; a click on a bar picks them.

use bevy_egui::egui::{self, Stroke, Ui, WidgetInfo, WidgetType};
use drystone_report::inspection::colour::method_colour;
use egui_plot::{Bar, BarChart, GridMark, HoverPosition, Plot};

use super::colours::{colour, on_ramp, quality_ramp};
use crate::model::{Command, Selected, State};

/// How many bars there are.
pub const BARS: usize = 20;
/// How high the plot is, points.
const HEIGHT: f32 = 110.0;

/// A bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityBar {
    /// Of which run, from 0.
    pub track: usize,
    /// From this quality.
    pub low: f64,
    /// To this one.
    pub high: f64,
}

/// The bar at a place of the axis of quality. Of `tracks` runs each has its part of a bar's width.
pub fn bar_at(quality: f64, tracks: usize) -> Option<QualityBar> {
    if !(0.0..=1.0).contains(&quality) || tracks == 0 {
        return None;
    }
    let place = (quality * BARS as f64).min(BARS as f64 - f64::EPSILON * BARS as f64);
    let bar = place.floor();
    let track = ((place - bar) * tracks as f64).floor() as usize;
    Some(QualityBar { track: track.min(tracks - 1), low: bar / BARS as f64, high: (bar + 1.0) / BARS as f64 })
}

/// How many of the qualities are in each bar.
pub fn counts(qualities: impl IntoIterator<Item = f64>) -> [usize; BARS] {
    let mut counts = [0; BARS];
    for quality in qualities {
        // A quality above 1 by rounding belongs to the last bar.
        let bar = ((quality.max(0.0) * BARS as f64) as usize).min(BARS - 1);
        counts[bar] += 1;
    }
    counts
}

/// Shows the histogram, if anything is known.
pub fn show(ui: &mut Ui, state: &mut State) {
    let tracks = state.tracks().len();
    let of = |track: usize| {
        let contacts = &state.shown(track)?.examined.contacts;
        let qualities: Vec<f64> = contacts.iter().filter_map(|c| c.quality).collect();
        (!qualities.is_empty()).then_some(qualities)
    };
    let known: Vec<Option<Vec<f64>>> = (0..tracks).map(of).collect();
    let title = "Normal quality (contacts)";
    let hover = "How well normals agree with expected ones: 1 is right. The axis is logarithmic. Click a bar to pick its contacts.";
    if known.iter().all(Option::is_none) {
        ui.label("Normal quality: unknown for this scene").on_hover_text(hover);
        return;
    }
    ui.label(title).on_hover_text(hover);
    let charts: Vec<BarChart> = known
        .iter()
        .enumerate()
        .filter_map(|(track, qualities)| Some(chart(state, track, tracks, qualities.as_ref()?)))
        .collect();
    let plot = Plot::new("qualities")
        .height(HEIGHT)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .include_x(0.0)
        .include_x(1.0)
        .include_y(0.0)
        .y_axis_min_width(46.0)
        .y_grid_spacer(|input| {
            let marks =
                [0usize, 1, 10, 100, 1000, 10_000, 100_000].map(|n| GridMark { value: height(n), step_size: 1.0 });
            marks.into_iter().filter(|mark| mark.value <= input.bounds.1).collect()
        })
        .y_axis_formatter(|mark, bounds| {
            // Nought and one are too near to each other to be told apart beside hundreds.
            let is_crowded = mark.value == 0.0 && *bounds.end() > 1.5;
            if is_crowded { String::new() } else { format!("{:.0}", 10f64.powf(mark.value) - 1.0) }
        })
        .label_formatter(|position| match position {
            HoverPosition::NearDataPoint { .. } | HoverPosition::Elsewhere { .. } => None,
        });
    let response = plot.show(ui, move |plot| charts.into_iter().for_each(|chart| plot.bar_chart(chart)));
    response.response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Histogram of qualities"));
    let place = response.response.interact_pointer_pos().filter(|_| response.response.clicked());
    let x = place.map(|place| response.transform.value_from_position(place).x);
    let Some(bar) = x.and_then(|x| bar_at(x, tracks)) else { return };
    let QualityBar { track, low, high } = bar;
    let selected = Selected::Qualities { track, low, high };
    let selected = if state.selected == selected { Selected::Nothing } else { selected };
    state.apply(Command::Select(selected));
}

/// So that one wrong normal is seen beside a thousand right ones.
fn height(count: usize) -> f64 {
    (count as f64 + 1.0).log10()
}

fn chart(state: &State, track: usize, tracks: usize, qualities: &[f64]) -> BarChart {
    let counts = counts(qualities.iter().copied());
    let method = state.tracks()[track].request().found_by();
    let (stops, width) = (quality_ramp(), 1.0 / (BARS * tracks) as f64);
    let bar = |(k, &count): (usize, &usize)| {
        let low = k as f64 / BARS as f64;
        let fill = if tracks > 1 {
            colour(method_colour(&method))
        } else {
            // By its worst: one wrong normal among right ones is to be seen.
            let high = low + 1.0 / BARS as f64;
            let in_bar = qualities.iter().filter(|&&quality| Selected::has_quality(quality, low, high));
            on_ramp(&stops, in_bar.fold(high, |worst, &quality| worst.min(quality)))
        };
        let is_picked = matches!(state.selected, Selected::Qualities { track: of, low: from, .. }
            if of == track && (from - low).abs() < 0.5 * width);
        let stroke = if is_picked { Stroke::new(2.0, egui::Color32::WHITE) } else { Stroke::NONE };
        let name = format!("{count} contacts of {method}\nquality {low:.2} to {:.2}", low + 1.0 / BARS as f64);
        Bar::new(low + (track as f64 + 0.5) * width, height(count))
            .width(0.92 * width)
            .fill(fill)
            .stroke(stroke)
            .name(name)
    };
    let bars = counts.iter().enumerate().map(bar).collect();
    BarChart::new(method.name(), bars)
        .color(colour(method_colour(&method)))
        .element_formatter(Box::new(|bar, _| bar.name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_in_the_bar_that_is_drawn_there() {
        assert_eq!(bar_at(0.0, 1), Some(QualityBar { track: 0, low: 0.0, high: 0.05 }));
        assert_eq!(bar_at(0.52, 1), Some(QualityBar { track: 0, low: 0.5, high: 0.55 }));
        assert_eq!(bar_at(1.0, 1), Some(QualityBar { track: 0, low: 0.95, high: 1.0 }));
        assert_eq!((bar_at(0.51, 2).unwrap().track, bar_at(0.54, 2).unwrap().track), (0, 1));
        assert_eq!(bar_at(1.0, 2).unwrap().track, 1);
        assert_eq!((bar_at(-0.1, 1), bar_at(1.1, 1), bar_at(f64::NAN, 1), bar_at(0.5, 0)), (None, None, None, None));
    }

    #[test]
    fn bars_pick_what_they_count() {
        let qualities = [0.0, 0.049, 0.05, 0.5, 0.949, 0.95, 0.999, 1.0, 1.0 + 1e-12];
        let counts = counts(qualities);
        assert_eq!(counts.iter().sum::<usize>(), qualities.len());
        for (k, &count) in counts.iter().enumerate() {
            let bar = bar_at((k as f64 + 0.5) / BARS as f64, 1).unwrap();
            let picked = qualities.iter().filter(|&&q| Selected::has_quality(q, bar.low, bar.high)).count();
            assert_eq!(count, picked, "bar {k}");
        }
    }
}
