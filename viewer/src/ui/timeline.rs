//! The bar at the bottom: where in time one looks.

use bevy_egui::egui::{self, Button, DragValue, Layout, Panel, Slider, Ui, WidgetInfo, WidgetType};

use crate::model::{Command, Playback, State, Status};

/// Shows the bar.
pub fn show(root: &mut Ui, state: &mut State) {
    Panel::bottom("timeline").resizable(false).show(root, |ui| {
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            buttons(ui, state);
            step_field(ui, state);
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                toggles(ui, state);
                ui.separator();
                speed(ui, state);
                ui.separator();
                ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| scrub(ui, state));
            });
        });
        ui.add_space(2.0);
    });
}

fn buttons(ui: &mut Ui, state: &mut State) {
    let play = if state.playback.is_playing {
        ("⏸", "Pause", "Time stands still (Space)")
    } else {
        ("▶", "Play", "Time goes on (Space)")
    };
    let all = [
        (("⏮", "First", "To the start (Home)"), Command::First),
        (("⏴", "Back", "One step back (Left or ,)"), Command::StepBack),
        (play, Command::PlayPause),
        (("⏵", "Step", "One step on (Right or .)"), Command::Step),
        (("⏭", "Last", "To the last step that was made (End)"), Command::Last),
    ];
    for ((sign, name, hover), command) in all {
        let response = ui.add(Button::new(sign).min_size(egui::vec2(26.0, 0.0)));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
        if response.on_hover_text(format!("{name}: {hover}")).clicked() {
            state.apply(command);
        }
    }
}

fn step_field(ui: &mut Ui, state: &mut State) {
    let label = ui.label("Step");
    let mut step = state.playback.step;
    let last = state.last_step().unwrap_or(u64::MAX);
    let field = DragValue::new(&mut step).range(0..=last).update_while_editing(false);
    let hover = "The step that is asked for: click and type, or drag. What is not made yet will be made.";
    if ui.add(field).labelled_by(label.id).on_hover_text(hover).changed() {
        state.apply(Command::GoTo(step));
    }
}

/// The slider takes what is left.
fn scrub(ui: &mut Ui, state: &mut State) {
    let steps = state.steps();
    let made = made(state);
    ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
        ui.label(made).on_hover_text("How many steps were made; of a recording, how many there are");
        ui.with_layout(Layout::left_to_right(egui::Align::Center), |ui| {
            ui.spacing_mut().slider_width = (ui.available_width() - 8.0).max(60.0);
            let mut step = state.playback.step.clamp(*steps.start(), *steps.end());
            let has_steps = steps.start() < steps.end();
            // A slider without room stands in its middle.
            let range = *steps.start()..=(*steps.end()).max(steps.start() + 1);
            let slider = Slider::new(&mut step, range).show_value(false);
            let response = ui.add_enabled(has_steps, slider);
            response.widget_info(|| WidgetInfo::slider(has_steps, step as f64, "Scrub"));
            if response.on_hover_text("Any step that was made (Left, Right)").changed() {
                state.apply(Command::GoTo(step));
            }
        });
    });
}

fn made(state: &State) -> String {
    let end = *state.steps().end();
    match state.last_step() {
        Some(last) => format!("of {last}"),
        None if state.tracks().iter().any(|track| *track.status() == Status::Opening) => "opening".into(),
        None => format!("{end} made"),
    }
}

/// Right to left.
fn toggles(ui: &mut Ui, state: &mut State) {
    if ui.selectable_label(state.view.help, "?").on_hover_text("All keys and what the mouse does (F1 or ?)").clicked() {
        state.apply(Command::Help);
    }
    if ui.selectable_label(state.view.panel, "Panel").on_hover_text("Shows or hides the panel (N)").clicked() {
        state.apply(Command::Panel);
    }
}

fn speed(ui: &mut Ui, state: &mut State) {
    let loops = "Begins again at the end of a recording";
    ui.checkbox(&mut state.playback.is_looped, "Loop").on_hover_text(loops);
    ui.spacing_mut().slider_width = 90.0;
    let slider = Slider::new(&mut state.playback.speed, Playback::SPEEDS)
        .logarithmic(true)
        .custom_formatter(|speed, _| format!("{speed:.2}×"))
        .custom_parser(|text| text.trim_end_matches('×').trim().parse().ok());
    // Right to left: the slider stands before its name is said.
    let response = ui.add(slider);
    let label = ui.label("Speed");
    response.labelled_by(label.id).on_hover_text("How fast time goes on, by real time");
}
