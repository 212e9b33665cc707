//! What is looked at: scene, method, solver, settings, and how far the run is.

use std::path::Path;

use bevy_egui::egui::{self, Button, Grid, Id, Key, Label, RichText, Slider, SliderClamping, TextEdit, Ui};
use drystone::contact::generator::{Method, methods};
use drystone::engine::simulator::SimulatorKind;
use drystone::engine::solver::ContactSolver;
use drystone::replica::Variant;
use drystone::replica::readings::registry;
use drystone::scenes::asynchronous::SCENES;
use drystone::scenes::builtin::BuiltIn;
use drystone::scenes::simulation::WorldPreset;
use drystone_report::inspection::{Request, What};

use super::choice::{Choice, choose, named};
use super::colours::{NOTE, WRONG};
use super::draft::Draft;
use super::figures::memory;
use crate::model::{Command, State, Status, read_as, read_in};

/// The memory that can be chosen, MiB.
const BUDGETS: std::ops::RangeInclusive<f64> = 16.0..=32768.0;

/// Shows the section.
pub fn show(ui: &mut Ui, state: &mut State) {
    let id = Id::new("draft of a run");
    let kept: Option<Draft> = ui.data(|data| data.get_temp(id));
    let mut draft = kept.filter(|draft| draft.of == *state.request()).unwrap_or_else(|| Draft::new(state.request()));
    let mut asked = None;
    Grid::new("scene").num_columns(2).show(ui, |ui| {
        asked = scene(ui, &draft);
        if matches!(draft.of.what, What::Recording(_)) {
            of_recording(ui, state);
        } else {
            asked = asked.take().or(settings(ui, &draft));
            compare(ui, state);
        }
    });
    asked = asked.or(path(ui, state, &mut draft));
    if !matches!(draft.of.what, What::Recording(_)) {
        asked = asked.or(numbers(ui, &mut draft));
    }
    ui.data_mut(|data| data.insert_temp(id, draft));
    if let Some(request) = asked {
        state.apply(Command::Open(Box::new(request)));
    }
    status(ui, state);
    budget(ui, state);
}

fn scene(ui: &mut Ui, draft: &Draft) -> Option<Request> {
    let mut scenes: Vec<Choice<What>> = BuiltIn::all()
        .into_iter()
        .map(|scene| Choice { value: What::BuiltIn(scene), name: scene.name().into(), summary: scene.title().into() })
        .collect();
    scenes.extend(SCENES.iter().map(|scene| {
        let (name, summary) = (scene.name.into(), scene.title.into());
        Choice { value: What::Surfaces(scene.name), name, summary }
    }));
    if !matches!(draft.of.what, What::BuiltIn(_) | What::Surfaces(_)) {
        let path = draft.of.what.to_string();
        let name = Path::new(&path).file_name().map(|name| name.display().to_string());
        scenes.insert(0, Choice { value: draft.of.what.clone(), name: name.unwrap_or(path.clone()), summary: path });
    }
    choose(ui, ("Name", "A scene that comes with the program"), &draft.of.what, scenes)
        .map(|what| draft.with_scene(what))
}

fn settings(ui: &mut Ui, draft: &Draft) -> Option<Request> {
    let of = &draft.of;
    let mut asked = None;
    let simulators =
        SimulatorKind::ALL.map(|kind| Choice { value: kind, name: kind.name().into(), summary: kind.summary().into() });
    if let Some(simulator) = choose(ui, ("Simulator", "What moves the bodies"), &of.simulator, simulators) {
        asked = Some(Request { simulator, ..of.clone() });
    }
    // Another simulator finds contacts and forces in its own way.
    if of.simulator != SimulatorKind::TimeStepping {
        return asked;
    }
    let hover = "What finds the contacts";
    if let Some(method) = choose(ui, ("Method", hover), &of.method, method_choices(&of.method, &of.method)) {
        asked = Some(Request { method, ..of.clone() });
    }
    let hover = "How the method is read: the paper's text, or what its tables were made with";
    let variant = Variant::read(&of.method).unwrap_or(Variant::Corrected);
    if let Some(variant) = choose(ui, ("Variant", hover), &variant, named(&Variant::ALL, Variant::name)) {
        asked = Some(Request { method: read_in(&of.method, variant), ..of.clone() });
    }
    if let Some(world_preset) = choose(ui, ("Settings", "How the world steps"), &of.world_preset, world_presets()) {
        asked = Some(Request { world_preset, ..of.clone() });
    }
    let solvers =
        ContactSolver::ALL.map(|solver| Choice { value: solver, name: solver.name().into(), summary: String::new() });
    if let Some(solver) = choose(ui, ("Solver", "What finds the forces"), &of.solver, solvers) {
        asked = Some(Request { solver, ..of.clone() });
    }
    asked
}

/// All methods in the variant of the run, and the present one if its settings are its own.
fn method_choices(of_run: &Method, now: &Method) -> Vec<Choice<Method>> {
    let choice = |value: Method| Choice { name: registry().text(&value), summary: value.summary().into(), value };
    let mut all: Vec<Method> = methods::all().iter().map(|method| read_as(method, of_run)).collect();
    if !all.contains(now) {
        all.insert(0, now.clone());
    }
    all.into_iter().map(choice).collect()
}

fn world_presets() -> [Choice<WorldPreset>; 2] {
    let choice =
        |value, name: &str, summary: &str| Choice { value, name: name.to_owned(), summary: summary.to_owned() };
    [
        choice(WorldPreset::Suite, "suite", "as in the assessment"),
        choice(WorldPreset::Embedding, "embedding", "as in a program that embeds the engine"),
    ]
}

fn compare(ui: &mut Ui, state: &mut State) {
    let none = Choice { value: None, name: "none".into(), summary: "one view".into() };
    let (of_run, compared) = (&state.request().method, state.compared());
    let methods = method_choices(of_run, compared.as_ref().unwrap_or(of_run));
    let methods = methods.into_iter().map(|m| Choice { value: Some(m.value), name: m.name, summary: m.summary });
    let hover = "The same scene with another method, side by side";
    let chosen = choose(ui, ("Compare with", hover), &compared, [none].into_iter().chain(methods));
    if let Some(method) = chosen {
        state.apply(Command::Compare(method));
    }
}

fn of_recording(ui: &mut Ui, state: &State) {
    let Some(subject) = state.tracks()[0].subject() else { return };
    let rows = [
        ("Recorded", subject.scene.clone()),
        ("Method", subject.method.name().to_owned()),
        ("Simulator", subject.simulator.to_string()),
    ];
    for (name, value) in rows {
        ui.label(name);
        ui.label(value).on_hover_text("A recording has its own");
        ui.end_row();
    }
}

fn path(ui: &mut Ui, state: &State, draft: &mut Draft) -> Option<Request> {
    let mut is_asked = false;
    ui.horizontal(|ui| {
        let label = ui.label("File");
        let width = (ui.available_width() - 54.0).max(80.0);
        let hint = "scene .toml, rigid-ipc .json, MJCF .xml, .urdf, recording";
        let field = TextEdit::singleline(&mut draft.path).hint_text(hint).desired_width(width);
        let field = ui.add(field).labelled_by(label.id).on_hover_text("The path of a file; Enter opens it");
        let open = ui.add_enabled(!draft.path.trim().is_empty(), Button::new("Open"));
        is_asked = open.on_hover_text("Opens the file").clicked() || is_entered(ui, &field);
    });
    if !state.recent.is_empty() {
        ui.menu_button("Recent files", |ui| {
            for path in &state.recent {
                let name = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
                if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                    draft.path = path.display().to_string();
                    is_asked = true;
                    ui.close();
                }
            }
        });
    }
    let asked = is_asked.then(|| draft.with_path());
    if let Some(asked) = &asked {
        draft.path_problem = asked.as_ref().err().map(ToString::to_string);
    }
    problem(ui, draft.path_problem.as_ref());
    asked?.ok()
}

fn numbers(ui: &mut Ui, draft: &mut Draft) -> Option<Request> {
    let mut is_asked = false;
    let size = match draft.of.what {
        What::BuiltIn(scene) => scene.size(),
        _ => None,
    };
    Grid::new("numbers of the run").num_columns(2).show(ui, |ui| {
        let mut row = |ui: &mut Ui, name: &str, text: &mut String, hint: String, hover: &str| {
            let label = ui.label(name);
            let field = ui.add(TextEdit::singleline(text).hint_text(hint).desired_width(120.0)).labelled_by(label.id);
            is_asked |= is_entered(ui, &field);
            field.on_hover_text(format!("{hover}; Enter applies it"));
            ui.end_row();
        };
        if let Some(size) = size {
            row(ui, "Size", &mut draft.size, format!("{} ({})", size.default, size.of), size.of);
        }
        row(ui, "Time step", &mut draft.time_step, "the scene's, s".into(), "Of the simulation, seconds");
        row(
            ui,
            "Perturbation",
            &mut draft.perturbation,
            "none, m".into(),
            "Bodies are shifted at random by up to so many metres",
        );
        if !draft.perturbation.trim().is_empty() {
            row(ui, "Seed", &mut draft.seed, "1".into(), "Another seed, other shifts");
        }
    });
    let is_other = Draft { path: draft.path.clone(), ..Draft::new(&draft.of) }
        != Draft { problem: None, path_problem: None, ..draft.clone() };
    if is_other {
        let apply = ui.button("Apply").on_hover_text("Begins the run with these numbers (Enter)");
        is_asked |= apply.clicked();
    }
    let asked = is_asked.then(|| draft.with_numbers());
    if let Some(asked) = &asked {
        draft.problem = asked.as_ref().err().cloned();
    }
    problem(ui, draft.problem.as_ref());
    asked?.ok().filter(|request| *request != draft.of)
}

/// Whether something that was typed is done with.
fn is_entered(ui: &Ui, field: &egui::Response) -> bool {
    field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

fn problem(ui: &mut Ui, problem: Option<&String>) {
    if let Some(problem) = problem {
        ui.add(Label::new(RichText::new(problem).color(WRONG)).wrap());
    }
}

fn status(ui: &mut Ui, state: &mut State) {
    for track in state.tracks() {
        let mut text = match track.status() {
            Status::Opening => RichText::new("Opening…"),
            Status::Ready => {
                let made = track.history().last_step().unwrap_or(0);
                let last = track.last_step().map_or(String::new(), |last| format!(" of {last}"));
                RichText::new(format!("Made to step {made}{last}"))
            }
            Status::Ended => RichText::new("The recording has come to its end; every step was verified"),
            Status::Failed(why) => RichText::new(format!("Failed: {why}")).color(WRONG),
        };
        if state.tracks().len() > 1 {
            text = RichText::new(format!("{}: {}", track.request().way_name(), text.text()))
                .color(if matches!(track.status(), Status::Failed(_)) { WRONG } else { ui.visuals().text_color() });
        }
        ui.add(Label::new(text).wrap());
    }
    for note in state.tracks()[0].notes() {
        ui.add(Label::new(RichText::new(note).color(NOTE)).wrap());
    }
    if ui.button("Restart").on_hover_text("The same run once more from its start (R)").clicked() {
        state.apply(Command::Restart);
    }
}

fn budget(ui: &mut Ui, state: &mut State) {
    let used: usize = state.tracks().iter().map(|track| track.history().bytes()).sum();
    let mut mebibytes = state.budget() as f64 / f64::from(1 << 20);
    ui.horizontal(|ui| {
        let label = ui.label(format!("Memory: {} of", memory(used)));
        let slider = Slider::new(&mut mebibytes, BUDGETS).logarithmic(true).suffix(" MiB").fixed_decimals(0);
        let slider = slider.clamping(SliderClamping::Never);
        let hover = "What the steps may take. Beyond it every second step is given up; their numbers stay.";
        if ui.add(slider).labelled_by(label.id).on_hover_text(hover).changed() {
            state.set_budget((mebibytes * f64::from(1 << 20)) as usize);
        }
    });
}
