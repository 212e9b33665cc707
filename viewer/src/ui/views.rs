//! Where the pictures go: all that is free, or two halves with a heading each.

use bevy_egui::egui::{self, Align2, FontId, Rect, Sense, TextStyle, Ui, UiBuilder, pos2};
use drystone_report::inspection::colour::method_colour;

use super::colours::colour;
use super::figures::share;
use crate::model::shown::RIGHT;
use crate::model::{Shown, State};

/// Points between two views.
const GAP: f32 = 4.0;

/// Shows the headings; where the pictures go.
pub fn show(root: &mut Ui, state: &State) -> Vec<Rect> {
    let free = root.available_rect_before_wrap();
    if state.tracks().len() < 2 {
        return vec![free];
    }
    let font = TextStyle::Body.resolve(root.style());
    let height = root.text_style_height(&TextStyle::Body) + 10.0;
    let middle = free.center().x;
    let halves = [
        Rect::from_min_max(free.min, pos2(middle - GAP / 2.0, free.max.y)),
        Rect::from_min_max(pos2(middle + GAP / 2.0, free.min.y), free.max),
    ];
    let line = Rect::from_min_max(pos2(middle - GAP / 2.0, free.min.y), pos2(middle + GAP / 2.0, free.max.y));
    root.painter().rect_filled(line, 0.0, root.visuals().window_fill());
    let split = |(track, half): (usize, Rect)| {
        let (top, view) = half.split_top_bottom_at_y(half.min.y + height);
        heading(root, state, track, top, &font);
        view
    };
    halves.into_iter().enumerate().map(split).collect()
}

fn heading(root: &Ui, state: &State, track: usize, place: Rect, font: &FontId) {
    let visuals = root.visuals();
    let painter = root.painter().with_clip_rect(place);
    painter.rect_filled(place, 0.0, visuals.panel_fill);
    let request = state.tracks()[track].request();
    let dot = pos2(place.min.x + 12.0, place.center().y);
    painter.circle_filled(dot, 5.0, colour(method_colour(&request.found_by())));
    let text = title(request.way_name(), state.shown(track));
    let at = pos2(place.min.x + 24.0, place.center().y);
    painter.text(at, Align2::LEFT_CENTER, &text, font.clone(), visuals.strong_text_color());
    // The text is drawn, not laid out; a reader of the screen hears it all the same.
    let ui = root.ctx().clone();
    let child = Ui::new(ui, root.id().with(("heading", track)), UiBuilder::new().max_rect(place));
    let heading = child.interact(place, child.id().with("text"), Sense::hover());
    heading.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
    heading.on_hover_text(text);
}

/// What stands above a view: the method, and how well it did.
pub fn title(method: &str, shown: Option<&Shown>) -> String {
    let Some(shown) = shown else { return method.to_owned() };
    let count = shown.frame.contacts.len();
    let known: Vec<f64> = shown.examined.contacts.iter().filter_map(|c| c.quality).collect();
    if known.is_empty() {
        return format!("{method}: {count} contacts");
    }
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let wrong = known.iter().filter(|&&q| q <= RIGHT).count();
    format!("{method}: {count} contacts, {wrong} wrong normals, mean quality {}", share(Some(mean)))
}
