//! What the colours mean, in a corner of each view.

use bevy_egui::egui::{Align2, Area, Context, FontId, Frame, Id, Mesh, Order, Rect, Sense, Shape, Ui, pos2, vec2};
use drystone_report::inspection::Legend;
use drystone_report::inspection::colour::{Rgb, UNKNOWN};

use super::colours::colour;
use super::figures::{SMALL, short};
use crate::model::State;

/// The size of a ramp, points.
const RAMP: [f32; 2] = [200.0, 12.0];

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

/// Stops stand at even distances, whatever their values: the qualities that matter lie close to 1.
fn ramp(ui: &mut Ui, title: &str, stops: &[(f64, Rgb)], unknown: usize) {
    ui.strong(title);
    let (place, _) = ui.allocate_exact_size(RAMP.into(), Sense::hover());
    let at = |k: usize| place.left() + place.width() * k as f32 / stops.len().saturating_sub(1).max(1) as f32;
    let mut mesh = Mesh::default();
    for (k, (_, rgb)) in stops.iter().enumerate() {
        mesh.colored_vertex(pos2(at(k), place.top()), colour(*rgb));
        mesh.colored_vertex(pos2(at(k), place.bottom()), colour(*rgb));
        if k > 0 {
            let n = 2 * k as u32;
            mesh.add_triangle(n - 2, n - 1, n);
            mesh.add_triangle(n - 1, n, n + 1);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
    ticks(ui, place, stops);
    if unknown > 0 {
        entry(ui, UNKNOWN, &format!("unknown ({unknown})"));
    }
}

/// The values of the stops, under them; the outer ones end where the ramp ends.
fn ticks(ui: &mut Ui, ramp: Rect, stops: &[(f64, Rgb)]) {
    let font = FontId::proportional(SMALL);
    let (row, _) = ui.allocate_exact_size(vec2(ramp.width(), SMALL + 2.0), Sense::hover());
    let last = stops.len().saturating_sub(1);
    for (k, (value, _)) in stops.iter().enumerate() {
        let align = match k {
            0 => Align2::LEFT_TOP,
            k if k == last => Align2::RIGHT_TOP,
            _ => Align2::CENTER_TOP,
        };
        let x = row.left() + row.width() * k as f32 / last.max(1) as f32;
        ui.painter().text(pos2(x, row.top()), align, short(*value), font.clone(), ui.visuals().text_color());
    }
}
