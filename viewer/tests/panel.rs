//! The panel, clicked without a window.

use bevy_egui::egui;
use drystone::contact::generator::Method;
use drystone::inspection::{ColourBy, ExplodeAlong, Request};
use drystone_viewer::model::{BodyLook, BodyStyle, ContactsWith, Selected, Show, State, View};
use drystone_viewer::ui::{self, Free};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// No step of these scenes takes so long, s.
const PATIENCE: f64 = 120.0;

struct Window {
    state: State,
    free: Free,
}

type Viewer = Harness<'static, Window>;

fn opened(scene: &str, method: Method) -> State {
    let request = Request { method, ..Request::new(scene.parse().unwrap()) };
    let mut state = State::new(request, View::default(), State::DEFAULT_BUDGET);
    assert!(state.wait(PATIENCE), "{:?}", state.failure());
    state
}

fn window(state: State) -> Viewer {
    // So high that nothing is scrolled out of sight.
    sized(state, [1280.0, 3000.0])
}

fn sized(state: State, size: [f32; 2]) -> Viewer {
    let show = |ui: &mut egui::Ui, window: &mut Window| {
        window.state.update(0.0);
        window.free = ui::show(ui, &mut window.state);
    };
    let mut harness = Harness::builder().with_size(size).build_ui_state(show, Window { state, free: Free::default() });
    harness.run_steps(3);
    harness
}

fn cliff() -> Viewer {
    window(opened("cliff-edges", Method::GrowthDistance))
}

#[test]
fn everything_has_its_place() {
    for size in [[1280.0, 720.0], [1920.0, 1080.0], [800.0, 500.0]] {
        let window = sized(opened("cliff-edges", Method::GrowthDistance), size);
        let [view] = window.state().free.views[..] else { panic!("one view") };
        assert!(view.width() > 0.4 * size[0] && view.height() > 0.8 * size[1], "{view} of {size:?}");
        window.get_by_label("Play");
        window.get_by_label("Scene");
    }
}
