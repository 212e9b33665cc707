//! The panel in a window that is not drawn, and how a test clicks, types and reads in it.

pub use bevy_egui::egui;
pub use bevy_egui::egui::accesskit::Role;
pub use bevy_egui::egui::{Key, PointerButton, Pos2, pos2};
pub use drystone::contact::generator::{Method, methods};
pub use drystone::engine::BodyId;
pub use drystone::engine::solver::ContactSolver;
pub use drystone::replica::Variant;
pub use drystone::scenes::simulation::WorldPreset;
pub use drystone_report::inspection::{ColourBy, ExplodeAlong, Request};
pub use drystone_viewer::keys::{BINDINGS, GESTURES};
pub use drystone_viewer::model::{BodyLook, BodyStyle, ContactsWith, Selected, Show, State, View};
pub use drystone_viewer::model::{Command, ContactKey};
pub use drystone_viewer::ui::{self, Free};
pub use egui_kittest::Harness;
pub use egui_kittest::Node;
pub use egui_kittest::kittest::{NodeT, Queryable};

/// No step of these scenes takes so long, s.
pub const PATIENCE: f64 = 120.0;

pub struct Window {
    pub state: State,
    pub free: Free,
}

pub type Viewer = Harness<'static, Window>;

pub fn opened(scene: &str, method: Method) -> State {
    let request = Request { method, ..Request::new(scene.parse().unwrap()) };
    let mut state = State::new(request, View::default(), State::DEFAULT_BUDGET);
    assert!(state.wait(PATIENCE), "{:?}", state.failure());
    state
}

pub fn window(state: State) -> Viewer {
    // So high that nothing is scrolled out of sight.
    sized(state, [1280.0, 3000.0])
}

pub fn sized(state: State, size: [f32; 2]) -> Viewer {
    let show = |ui: &mut egui::Ui, window: &mut Window| {
        window.state.update(0.0);
        window.free = ui::show(ui, &mut window.state);
    };
    let mut harness = Harness::builder().with_size(size).build_ui_state(show, Window { state, free: Free::default() });
    harness.run_steps(3);
    harness
}

pub fn cliff() -> Viewer {
    window(opened("cliff-edges", methods::growth_distance()))
}

pub fn wait(window: &mut Viewer) {
    assert!(window.state_mut().state.wait(PATIENCE), "{:?}", window.state().state.failure());
    window.run_steps(2);
}

pub fn do_it(window: &mut Viewer, command: Command) {
    window.state_mut().state.apply(command);
    wait(window);
}

pub fn click(window: &mut Viewer, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

pub fn button<'w>(window: &'w Viewer, label: &'w str) -> Node<'w> {
    window.get_by_role_and_label(Role::Button, label)
}

pub fn press(window: &mut Viewer, label: &str) {
    button(window, label).click();
    window.run_steps(3);
}

/// Opens a list and takes one of its names.
pub fn choose(window: &mut Viewer, list: &str, name: &str) {
    window.get_by_role_and_label(Role::ComboBox, list).click();
    window.run_steps(3);
    // The list lies over everything, so it comes last.
    window.get_all_by_label(name).last().unwrap().click();
    window.run_steps(3);
}

/// Moves a slider by keys.
pub fn slide(window: &mut Viewer, label: &str, key: Key) {
    window.get_by_role_and_label(Role::Slider, label).focus();
    window.run_steps(2);
    window.key_press(key);
    window.run_steps(2);
}

pub fn fill(window: &mut Viewer, field: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, field).focus();
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, field).type_text(text);
    window.run_steps(2);
}

pub fn click_at(window: &mut Viewer, place: Pos2) {
    window.hover_at(place);
    window.run_steps(1);
    for pressed in [true, false] {
        let (pos, button, modifiers) = (place, PointerButton::Primary, egui::Modifiers::NONE);
        window.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        window.run_steps(1);
    }
    window.run_steps(2);
}

pub fn says(window: &Viewer, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}
