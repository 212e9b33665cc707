//! What the colours mean, in a corner of each view.

use bevy_egui::egui::{
    self, Align2, Area, Color32, Context, Frame, Id, Mesh, Order, Rect, Sense, Shape, Ui, pos2, vec2,
};
use drystone::inspection::Legend;
use drystone::inspection::colour::{Rgb, UNKNOWN};

use super::colours::colour;
use super::figures::figure;
use crate::model::State;

/// The size of a ramp, points.
const RAMP: [f32; 2] = [180.0, 12.0];

/// Shows the legend of a view.
pub fn show(ctx: &Context, state: &State, track: usize, view: Rect) {
    let Some(shown) = state.shown(track).filter(|_| state.view.legend) else { return };
    let area = Area::new(Id::new(("legend", track))).order(Order::Middle).interactable(false);
    let corner = view.left_bottom() + vec2(8.0, -8.0);
    area.pivot(Align2::LEFT_BOTTOM).fixed_pos(corner).constrain_to(view).show(ctx, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| match &shown.colouring.legend {
            Legend::Names { title, entries } => names(ui, title, entries),
            Legend::Ramp { title, stops, unknown } => ramp(ui, title, stops, *unknown),
        });
    });
}

fn names(ui: &mut Ui, title: &str, entries: &[(Rgb, String, usize)]) {
    ui.strong(title);
    if entries.is_empty() {
        ui.label("no contacts");
    }
    for (rgb, name, count) in entries {
        entry(ui, *rgb, &format!("{name} ({count})"));
    }
}

fn entry(ui: &mut Ui, rgb: Rgb, text: &str) {
    ui.horizontal(|ui| {
        let (place, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().circle_filled(place.center(), 5.0, colour(rgb));
        ui.label(text);
    });
}

fn ramp(ui: &mut Ui, title: &str, stops: &[(f64, Rgb)], unknown: usize) {
    ui.strong(title);
    let (place, _) = ui.allocate_exact_size(RAMP.into(), Sense::hover());
    let (Some((low, _)), Some((high, _))) = (stops.first(), stops.last()) else { return };
    let at = |value: f64| place.left() + place.width() * ((value - low) / (high - low)) as f32;
    let mut mesh = Mesh::default();
    for (value, rgb) in stops {
        let n = mesh.vertices.len() as u32;
        mesh.colored_vertex(pos2(at(*value), place.top()), colour(*rgb));
        mesh.colored_vertex(pos2(at(*value), place.bottom()), colour(*rgb));
        if n > 0 {
            mesh.add_triangle(n - 2, n - 1, n);
            mesh.add_triangle(n - 1, n, n + 1);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
    ticks(ui, place, *low, *high);
    if unknown > 0 {
        entry(ui, UNKNOWN, &format!("unknown ({unknown})"));
    }
}

/// At both ends and in the middle.
fn ticks(ui: &mut Ui, ramp: Rect, low: f64, high: f64) {
    let colour: Color32 = ui.visuals().text_color();
    ui.horizontal(|ui| {
        ui.set_width(ramp.width());
        ui.columns_const(|[left, middle, right]| {
            left.label(egui::RichText::new(figure(low)).color(colour));
            middle.vertical_centered(|ui| ui.label(figure(0.5 * (low + high))));
            right.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| ui.label(figure(high)));
        });
    });
}
