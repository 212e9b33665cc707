//! The panel, clicked without a window.

use bevy_egui::egui;
use bevy_egui::egui::accesskit::Role;
use bevy_egui::egui::{Key, PointerButton, Pos2, pos2};
use drystone::contact::generator::Method;
use drystone::contact::generator::Variant;
use drystone::engine::BodyId;
use drystone::engine::solver::ContactSolver;
use drystone::inspection::{ColourBy, ExplodeAlong, Request};
use drystone::scenes::simulation::Purpose;
use drystone_viewer::keys::{BINDINGS, GESTURES};
use drystone_viewer::model::{BodyLook, BodyStyle, ContactsWith, Selected, Show, State, View};
use drystone_viewer::model::{Command, ContactKey};
use drystone_viewer::ui::{self, Free};
use egui_kittest::Harness;
use egui_kittest::Node;
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

fn wait(window: &mut Viewer) {
    assert!(window.state_mut().state.wait(PATIENCE), "{:?}", window.state().state.failure());
    window.run_steps(2);
}

fn do_it(window: &mut Viewer, command: Command) {
    window.state_mut().state.apply(command);
    wait(window);
}

fn click(window: &mut Viewer, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

fn button<'w>(window: &'w Viewer, label: &'w str) -> Node<'w> {
    window.get_by_role_and_label(Role::Button, label)
}

fn press(window: &mut Viewer, label: &str) {
    button(window, label).click();
    window.run_steps(3);
}

/// Opens a list and takes one of its names.
fn choose(window: &mut Viewer, list: &str, name: &str) {
    window.get_by_role_and_label(Role::ComboBox, list).click();
    window.run_steps(3);
    // The list lies over everything, so it comes last.
    window.get_all_by_label(name).last().unwrap().click();
    window.run_steps(3);
}

/// Moves a slider by keys.
fn slide(window: &mut Viewer, label: &str, key: Key) {
    window.get_by_role_and_label(Role::Slider, label).focus();
    window.run_steps(2);
    window.key_press(key);
    window.run_steps(2);
}

fn fill(window: &mut Viewer, field: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, field).focus();
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, field).type_text(text);
    window.run_steps(2);
}

fn click_at(window: &mut Viewer, place: Pos2) {
    window.hover_at(place);
    window.run_steps(1);
    for pressed in [true, false] {
        let (pos, button, modifiers) = (place, PointerButton::Primary, egui::Modifiers::NONE);
        window.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        window.run_steps(1);
    }
    window.run_steps(2);
}

fn says(window: &Viewer, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn everything_has_its_place() {
    for size in [[1280.0, 720.0], [1920.0, 1080.0], [800.0, 500.0]] {
        let window = sized(opened("cliff-edges", Method::GrowthDistance), size);
        let [view] = window.state().free.views[..] else { panic!("one view") };
        assert!(view.width() > 0.4 * size[0] && view.height() > 0.8 * size[1], "{view} of {size:?}");
        assert_eq!(window.state().free.view_at(view.center()), Some(0));
        assert_eq!(window.state().free.view_at(pos2(size[0] - 5.0, 5.0)), None, "there is the panel");
        for name in ["First", "Back", "Play", "Step", "Last"] {
            let place = button(&window, name).rect();
            assert!(
                place.min.y > view.max.y - 1.0 && place.max.y <= size[1] && place.max.x < size[0],
                "{name}: {place}"
            );
        }
        for (role, name) in [(Role::Slider, "Scrub"), (Role::Slider, "Speed"), (Role::CheckBox, "Loop")] {
            let place = window.get_by_role_and_label(role, name).rect();
            assert!(place.max.x <= size[0] && place.min.x > 0.0 && place.width() > 10.0, "{name}: {place}");
        }
    }
}

#[test]
fn the_timeline_goes_through_the_steps() {
    let mut window = cliff();
    let step = |window: &Viewer| window.state().state.playback.step;
    press(&mut window, "Step");
    wait(&mut window);
    press(&mut window, "Step");
    wait(&mut window);
    assert_eq!(step(&window), 2);
    press(&mut window, "Back");
    assert_eq!(step(&window), 1);
    press(&mut window, "Last");
    assert_eq!(step(&window), 2);
    press(&mut window, "First");
    assert_eq!(step(&window), 0);
    slide(&mut window, "Scrub", Key::ArrowRight);
    assert_eq!(step(&window), 1);
    press(&mut window, "Play");
    assert!(window.state().state.playback.is_playing);
    press(&mut window, "Pause");
    assert!(!window.state().state.playback.is_playing);
    click(&mut window, "Loop");
    assert!(window.state().state.playback.is_looped);
    let speed = window.state().state.playback.speed;
    slide(&mut window, "Speed", Key::ArrowRight);
    assert!(window.state().state.playback.speed > speed);
}

#[test]
fn a_step_can_be_typed_and_the_slider_dragged() {
    let mut window = cliff();
    window.get_by_role_and_label(Role::SpinButton, "Step").click();
    window.run_steps(3);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("12".into()));
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().state.playback.step, 12);
    assert!(says(&window, "Step 12 is being made") || window.state().state.shown(0).unwrap().frame.step == 12);
    wait(&mut window);
    assert!(says(&window, "12 made"));
    let place = window.get_by_role_and_label(Role::Slider, "Scrub").rect();
    window.drag_at(place.right_center() - egui::vec2(6.0, 0.0));
    window.run_steps(2);
    window.hover_at(place.center());
    window.run_steps(2);
    window.drop_at(place.center());
    window.run_steps(2);
    assert_eq!(window.state().state.playback.step, 6);
}

#[test]
fn another_run_is_chosen_from_lists() {
    let mut window = cliff();
    let request = |window: &Viewer| window.state().state.request().clone();
    choose(&mut window, "Name", "wedges");
    assert_eq!(request(&window), Request { method: Method::GrowthDistance, ..Request::new("wedges".parse().unwrap()) });
    choose(&mut window, "Method", "vertex-only");
    choose(&mut window, "Variant", "published");
    choose(&mut window, "Settings", "embedding");
    choose(&mut window, "Solver", "svd");
    let now = request(&window);
    assert_eq!((now.method, now.variant, now.purpose), (Method::VertexOnly, Variant::Published, Purpose::Embedding));
    assert_eq!(now.solver, ContactSolver::ALL[1]);
    choose(&mut window, "Compare with", "semi-local");
    wait(&mut window);
    assert_eq!(window.state().state.compared(), Some(Method::SemiLocal));
    let views = &window.state().free.views;
    assert!(views.len() == 2 && views[0].max.x < views[1].min.x && (views[0].width() - views[1].width()).abs() < 1.0);
    assert!(
        says(&window, "vertex-only: ") && says(&window, "semi-local: ") && says(&window, "wrong normals, mean quality")
    );
    choose(&mut window, "Compare with", "none");
    assert_eq!((window.state().state.compared(), window.state().free.views.len()), (None, 1));
    do_it(&mut window, Command::GoTo(3));
    press(&mut window, "Restart");
    let state = &window.state().state;
    assert_eq!(state.playback.step, 0);
    assert!(state.tracks()[0].history().last_step().is_none_or(|last| last == 0), "begun again");
}

#[test]
fn numbers_of_the_run_are_typed_and_what_makes_no_sense_is_said_in_place() {
    let mut window = cliff();
    assert!(window.query_by_role_and_label(Role::Button, "Apply").is_none(), "nothing to apply");
    fill(&mut window, "Time step", "fast");
    press(&mut window, "Apply");
    assert!(says(&window, "\"fast\" is no number"));
    assert_eq!(window.state().state.request().time_step, None);
    let mut window = cliff();
    fill(&mut window, "Time step", "0.002");
    fill(&mut window, "Size", "2");
    fill(&mut window, "Perturbation", "0.001");
    press(&mut window, "Apply");
    let request = window.state().state.request().clone();
    assert_eq!((request.time_step, request.size, request.perturbation), (Some(0.002), Some(2.0), Some((0.001, 1))));
    wait(&mut window);
    assert_eq!(window.state().state.tracks()[0].subject().unwrap().time_step, 0.002);
    fill(&mut window, "Seed", "7");
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().state.request().perturbation, Some((0.001, 17)), "typed after the 1");
}

#[test]
fn files_are_opened_and_refused_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = cliff();
    fill(&mut window, "File", "no/such/file.toml");
    press(&mut window, "Open");
    assert!(says(&window, "o such file"));
    assert!(window.state().state.failure().is_none(), "the run goes on");
    let path = folder.path().join("wrong.toml");
    std::fs::write(&path, "bodies = 3").unwrap();
    let mut window = cliff();
    fill(&mut window, "File", path.to_str().unwrap());
    window.key_press(Key::Enter);
    window.run_steps(2);
    window.state_mut().state.wait(PATIENCE);
    window.run_steps(2);
    assert!(says(&window, "This run does not go on") && says(&window, "Failed: "));
    assert!(says(&window, "press R to begin again"));
    press(&mut window, "Recent files");
    assert!(window.query_by_label("wrong.toml").is_some());
}

#[test]
fn opening_says_so() {
    let state = State::new(Request::new("wall".parse().unwrap()), View::default(), State::DEFAULT_BUDGET);
    let show = |ui: &mut egui::Ui, window: &mut Window| window.free = ui::show(ui, &mut window.state);
    let window = Harness::builder().build_ui_state(show, Window { state, free: Free::default() });
    assert!(says(&window, "wall with semi-local") && window.state().free.views.len() == 1);
}

#[test]
fn memory_is_given() {
    let mut window = cliff();
    let before = window.state().state.budget();
    let label = window.query_all_by_label_contains("Memory: ").last().unwrap().accesskit_node().label().unwrap();
    slide(&mut window, &label, Key::ArrowLeft);
    assert!(window.state().state.budget() < before);
}

#[test]
fn what_is_drawn_is_chosen() {
    let mut window = cliff();
    choose(&mut window, "Body style", "wireframe");
    choose(&mut window, "Colour by", "verdict");
    choose(&mut window, "Draw contacts", "doubtful");
    choose(&mut window, "Apart along", "y");
    choose(&mut window, "Contacts with", "between");
    for mark in ["Points", "Normals", "Polygons", "Legend"] {
        click(&mut window, mark);
    }
    slide(&mut window, "Apart", Key::ArrowRight);
    slide(&mut window, "Point size", Key::ArrowRight);
    slide(&mut window, "Normal size", Key::ArrowLeft);
    let view = window.state().state.view.clone();
    assert_eq!((view.bodies, view.colour, view.show), (BodyStyle::Wireframe, ColourBy::Verdict, Show::Doubtful));
    assert_eq!((view.explode.along, view.contacts_with), (ExplodeAlong::Y, ContactsWith::Between));
    assert_eq!([view.points, view.normals, view.polygons, view.legend], [false; 4]);
    assert!(view.explode.amount > 0.0 && view.point_size > 1.0 && view.normal_size < 1.0);
    press(&mut window, "As in the paper");
    assert_eq!(window.state().state.view.colour, ColourBy::Plain);
    press(&mut window, "Default");
    assert_eq!(window.state().state.view, View { legend: false, ..View::default() });
}

#[test]
fn colours_have_a_legend() {
    let mut window = cliff();
    assert!(says(&window, "Normal quality |n·e|"));
    do_it(&mut window, Command::Colour(ColourBy::FeaturePair));
    let entries = window.state().state.shown(0).unwrap().colouring.legend.clone();
    let drystone::inspection::Legend::Names { entries, .. } = entries else { panic!("names") };
    assert!(!entries.is_empty());
    for (_, name, count) in entries {
        assert!(window.query_by_label(&format!("{name} ({count})")).is_some(), "{name}");
    }
    do_it(&mut window, Command::Colour(ColourBy::Force));
    let count = window.state().state.shown(0).unwrap().frame.contacts.len();
    assert!(says(&window, &format!("unknown ({count})")), "there are no forces at the start");
    window.state_mut().state.view.legend = false;
    window.run_steps(2);
    assert!(!says(&window, "Force (N)"));
}

#[test]
fn numbers_are_always_to_be_seen() {
    let mut window = cliff();
    do_it(&mut window, Command::GoTo(3));
    let contacts = window.state().state.shown(0).unwrap().frame.contacts.len().to_string();
    for is_panel in [true, false] {
        window.state_mut().state.view.panel = is_panel;
        window.run_steps(3);
        for name in ["Deepest", "Kinetic energy", "Residual", "Coverage", "Sweeps"] {
            assert!(window.query_by_label(name).is_some(), "{name}, panel {is_panel}");
        }
        assert!(window.query_all_by_label(&contacts).next().is_some(), "{contacts} contacts");
    }
    do_it(&mut window, Command::First);
    assert!(says(&window, "no forces yet"));
    assert!(window.query_by_label("Scene").is_none(), "the panel is hidden");
    press(&mut window, "Panel");
    assert!(window.query_by_label("Scene").is_some());
    press(&mut window, "Panel");
    assert!(window.query_by_label("Scene").is_none());
}

#[test]
fn a_step_that_was_given_up_is_said_to_be() {
    let mut window = cliff();
    let frame = window.state().state.shown(0).unwrap().frame.bytes();
    window.state_mut().state.set_budget(8 * frame);
    do_it(&mut window, Command::GoTo(40));
    let kept = window.state().state.tracks()[0].history().frames().nth(1).unwrap().step;
    do_it(&mut window, Command::GoTo(kept + 1));
    assert!(says(&window, &format!("Step {} was given up for memory", kept + 1)));
}

#[test]
fn bodies_are_listed_picked_and_hidden() {
    let mut window = cliff();
    click(&mut window, "Bodies");
    let names: Vec<String> =
        window.state().state.tracks()[0].subject().unwrap().bodies.iter().map(|body| body.name.clone()).collect();
    assert_eq!(window.get_all_by_label("ghost").count(), names.len());
    press(&mut window, &names[1]);
    assert_eq!(window.state().state.selected, Selected::Body(BodyId::new(1)));
    assert!(says(&window, "Velocity (m/s)") && says(&window, "Mass"));
    press(&mut window, "Hide body");
    assert_eq!(window.state().state.look(BodyId::new(1)), BodyLook::Hidden);
    press(&mut window, "Ghost body");
    assert_eq!(window.state().state.look(BodyId::new(1)), BodyLook::Ghost);
    window.get_all_by_label("hidden").next().unwrap().click();
    window.run_steps(3);
    assert_eq!(window.state().state.look(BodyId::new(0)), BodyLook::Hidden);
    press(&mut window, "Show all");
    assert_eq!([0, 1].map(|k| window.state().state.look(BodyId::new(k))), [BodyLook::Usual; 2]);
    // Its contacts are listed; a click picks one.
    let text = format!("0: {} – {}", names[0], names[1]);
    press(&mut window, &text);
    let Selected::Contact { key, .. } = window.state().state.selected else { panic!("a contact is picked") };
    assert_eq!(Some(key), ContactKey::of(&window.state().state.shown(0).unwrap().frame.contacts, 0));
}

#[test]
fn the_picked_contact_says_why_it_is_there() {
    let mut window = window(opened("pillar", Method::SemiLocal));
    do_it(&mut window, Command::GoTo(4));
    press(&mut window, "Next");
    wait(&mut window);
    let shown = window.state().state.shown(0).unwrap().clone();
    let picked = shown.frame.contacts[shown.selected[0]];
    let names = [picked.a, picked.b].map(|id| shown.subject.body(id).unwrap().name.clone());
    for text in [
        "Feature of A",
        "Quality",
        "semi-local, corrected",
        "Expected normals",
        "Kept: its normal",
        "Plot: Gap over time",
    ] {
        assert!(says(&window, text), "{text}");
    }
    let first = shown.selected[0];
    press(&mut window, "Next");
    wait(&mut window);
    assert_ne!(window.state().state.shown(0).unwrap().selected, [first]);
    press(&mut window, "Previous");
    wait(&mut window);
    assert_eq!(window.state().state.shown(0).unwrap().selected, [first]);
    press(&mut window, "Focus on this pair");
    assert!(
        window.state().state.focus.is_some() && says(&window, &format!("Focus: only {} and {}", names[0], names[1]))
    );
    press(&mut window, "All pairs");
    assert_eq!(window.state().state.focus, None);
    let plot = window.get_by_label("Plot: Gap over time (m)").rect();
    click_at(&mut window, plot.center());
    assert_eq!(window.state().state.playback.step, 2);
    press(&mut window, &format!("B: {}", names[1]));
    assert_eq!(window.state().state.selected, Selected::Body(picked.b));
    press(&mut window, "Clear");
    assert_eq!(window.state().state.selected, Selected::Nothing);
    assert!(says(&window, "Nothing. Click a contact"));
}

#[test]
fn a_merged_contact_leads_to_the_one_that_says_the_same() {
    use drystone::contact::generator::cone_filter::Verdict;
    let mut window = window(opened("pillar", Method::ClosestPoints));
    let shown = window.state().state.shown(0).unwrap().clone();
    let verdicts: Vec<Verdict> = shown.examined.contacts.iter().map(|c| c.verdict).collect();
    let merged = verdicts.iter().enumerate().find_map(|(k, verdict)| match verdict {
        Verdict::Merged { into } => Some((k, *into)),
        _ => None,
    });
    let (from, into) = merged.expect("a method that finds points twice");
    let key = ContactKey::of(&shown.frame.contacts, from).unwrap();
    do_it(&mut window, Command::Select(Selected::Contact { track: 0, key }));
    press(&mut window, &format!("Go to contact {into}"));
    assert_eq!(window.state().state.shown(0).unwrap().selected, [into]);
    let rejected =
        verdicts.iter().position(|verdict| matches!(verdict, Verdict::Rejected { .. })).expect("a wrong one");
    let key = ContactKey::of(&shown.frame.contacts, rejected).unwrap();
    do_it(&mut window, Command::Select(Selected::Contact { track: 0, key }));
    assert!(says(&window, "Rejected: "));
}

#[test]
fn a_bar_of_the_histogram_picks_its_contacts() {
    let mut window = cliff();
    let plot = window.get_by_label("Histogram of qualities").rect();
    let qualities: Vec<f64> =
        window.state().state.shown(0).unwrap().examined.contacts.iter().filter_map(|c| c.quality).collect();
    let wrong = qualities.iter().copied().find(|&quality| quality < 0.9).unwrap();
    let bar = ui::histogram::bar_at(wrong, 1).unwrap();
    // A margin of a twentieth at either side.
    let at = |quality: f64| plot.left() + plot.width() * (0.05 + quality as f32) / 1.1;
    let place = pos2(at(0.5 * (bar.low + bar.high)), plot.center().y);
    click_at(&mut window, place);
    let expected = Selected::Qualities { track: 0, low: bar.low, high: bar.high };
    assert_eq!(window.state().state.selected, expected);
    let count = qualities.iter().filter(|&&quality| Selected::has_quality(quality, bar.low, bar.high)).count();
    assert!(says(&window, &format!("{count} contacts with a quality from")));
    click_at(&mut window, place);
    assert_eq!(window.state().state.selected, Selected::Nothing, "and once more lets go of them");
    assert!(says(&window, "unknown for this scene") != says(&window, "Normal quality (contacts)"));
}

#[test]
fn a_click_in_a_plot_goes_to_that_step() {
    let mut window = cliff();
    do_it(&mut window, Command::GoTo(20));
    do_it(&mut window, Command::Compare(Some(Method::SemiLocal)));
    for name in ["Plot: Contacts", "Plot: Energy (J)", "Plot: Residual (N s)", "Plot: Coverage (%)"] {
        do_it(&mut window, Command::GoTo(20));
        let plot = window.get_by_label(name).rect();
        click_at(&mut window, pos2(plot.left() + 0.3 * plot.width(), plot.bottom() - 4.0));
        let step = window.state().state.playback.step;
        assert!((4..=7).contains(&step), "{name}: step {step}");
    }
    let plot = window.get_by_label("Plot: Contacts").rect();
    window.drag_at(plot.center());
    window.run_steps(2);
    window.hover_at(plot.left_center());
    window.run_steps(2);
    window.drop_at(plot.left_center());
    window.run_steps(2);
    assert_eq!(window.state().state.playback.step, 0);
    click(&mut window, "Plots");
    assert!(!window.state().state.view.plots && window.query_by_label("Plot: Contacts").is_none());
}

#[test]
fn the_help_lists_every_key() {
    let mut window = cliff();
    click(&mut window, "Help");
    for binding in &BINDINGS {
        assert!(window.query_all_by_label(&binding.keys_text()).next().is_some(), "{}", binding.keys_text());
        assert!(window.query_all_by_label(binding.says).next().is_some(), "{}", binding.says);
    }
    for (gesture, _) in GESTURES {
        assert!(window.query_by_label(gesture).is_some(), "{gesture}");
    }
    window.get_all_by_label("?").last().unwrap().click();
    window.run_steps(3);
    assert!(window.query_by_label("Keys and mouse").is_none());
}

#[test]
fn tab_is_left_to_the_next_contact() {
    let mut window = cliff();
    window.key_press(Key::Tab);
    window.run_steps(3);
    assert_eq!(window.ctx.memory(|memory| memory.focused()), None);
}
