//! Every key, pressed in an application without a window.

use bevy::MinimalPlugins;
use bevy::app::{App, PreUpdate};
use bevy::ecs::message::Messages;
use bevy::input::ButtonInput;
use bevy::input::keyboard::KeyCode as K;
use bevy_egui::input::{EguiWantsInput, write_egui_wants_input_system};
use bevy_egui::{EguiContext, egui};
use drystone::contact::generator::methods;
use drystone::engine::BodyId;
use drystone_report::inspection::{ColourBy, Request};
use drystone_viewer::Viewer;
use drystone_viewer::keys::{self, Action, BINDINGS, CameraKey, Chord, TakeScreenshot};
use drystone_viewer::model::{BodyLook, BodyStyle, Command, Selected, State, View};

/// No step of these scenes takes so long, s.
const PATIENCE: f64 = 120.0;

/// An application that hears keys, at step 3 of 5, bodies apart, a body picked and another hidden.
fn application() -> App {
    let request = Request { method: methods::growth_distance(), ..Request::new("cliff-edges".parse().unwrap()) };
    let mut state = State::new(request, View::default(), State::DEFAULT_BUDGET);
    for command in [
        Command::GoTo(5),
        Command::GoTo(3),
        Command::Explode(0.5),
        Command::Look(BodyId::new(0), BodyLook::Hidden),
        Command::Select(Selected::Body(BodyId::new(1))),
    ] {
        state.apply(command);
        assert!(state.wait(PATIENCE), "{:?}", state.failure());
    }
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).add_plugins(keys::plugin);
    app.insert_resource(ButtonInput::<K>::default()).insert_resource(Viewer(state));
    app
}

fn press(app: &mut App, held: &[K], key: K) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<K>>();
    held.iter().for_each(|&key| keys.press(key));
    keys.clear();
    keys.press(key);
    app.update();
    let mut keys = app.world_mut().resource_mut::<ButtonInput<K>>();
    keys.release_all();
    keys.clear();
}

fn pressed(chord: Chord) -> App {
    let mut app = application();
    let all = [(chord.shift, K::ShiftLeft), (chord.ctrl, K::ControlRight), (chord.alt, K::AltLeft)];
    let held: Vec<K> = all.into_iter().filter(|(is_held, _)| *is_held).map(|(_, key)| key).collect();
    press(&mut app, &held, chord.key);
    app
}

fn state(app: &App) -> &State {
    &app.world().resource::<Viewer>().0
}

const NONE: [bool; 3] = [false; 3];
const SHIFT: [bool; 3] = [true, false, false];
const CTRL: [bool; 3] = [false, true, false];
const ALT: [bool; 3] = [false, false, true];

fn chord(key: K, [shift, ctrl, alt]: [bool; 3]) -> Chord {
    Chord { key, shift, ctrl, alt }
}

type Check = fn(&State) -> bool;

/// What each key must do, said once more and independently of the table.
fn expected() -> Vec<(K, [bool; 3], Check)> {
    let contact = |s: &State| matches!(s.selected, Selected::Contact { track: 0, .. });
    let apart: Check = |s| (s.view.explode.amount - 0.6).abs() < 1e-12;
    let nearer: Check = |s| (s.view.explode.amount - 0.4).abs() < 1e-12;
    vec![
        (K::Space, NONE, |s| s.playback.is_playing),
        (K::ArrowRight, NONE, |s| s.playback.step == 4),
        (K::Period, NONE, |s| s.playback.step == 4),
        (K::ArrowLeft, NONE, |s| s.playback.step == 2),
        (K::Comma, NONE, |s| s.playback.step == 2),
        (K::Home, NONE, |s| s.playback.step == 0),
        (K::End, NONE, |s| s.playback.step == 5),
        (K::KeyR, NONE, |s| s.playback.step == 0 && s.tracks()[0].history().is_empty()),
        (K::ArrowUp, NONE, apart),
        (K::Equal, NONE, apart),
        (K::Equal, SHIFT, apart),
        (K::NumpadAdd, NONE, apart),
        (K::ArrowDown, NONE, nearer),
        (K::Minus, NONE, nearer),
        (K::NumpadSubtract, NONE, nearer),
        (K::KeyZ, NONE, |s| s.view.bodies == BodyStyle::Wireframe),
        (K::KeyW, NONE, |s| s.view.bodies == BodyStyle::Wireframe),
        (K::KeyC, NONE, |s| s.view.colour == ColourBy::Method),
        (K::KeyP, NONE, |s| s.view.bodies == BodyStyle::Wireframe && s.view.colour == ColourBy::Plain),
        (K::KeyD, NONE, |s| s.view == View::default()),
        (K::KeyH, NONE, |s| s.look(BodyId::new(1)) == BodyLook::Hidden),
        (K::KeyH, ALT, |s| s.look(BodyId::new(0)) == BodyLook::Usual),
        (K::KeyH, SHIFT, |s| s.look(BodyId::new(0)) == BodyLook::Usual),
        (K::KeyG, NONE, |s| s.look(BodyId::new(1)) == BodyLook::Ghost),
        (K::Tab, NONE, contact),
        (K::Tab, SHIFT, contact),
        (K::Escape, NONE, |s| s.selected == Selected::Nothing),
        (K::KeyN, NONE, |s| !s.view.panel),
        (K::F1, NONE, |s| s.view.help),
        (K::Slash, SHIFT, |s| s.view.help),
    ]
}

#[test]
fn every_key_does_what_it_says() {
    let before = application();
    for (key, held, check) in expected() {
        let chord = chord(key, held);
        assert!(!check(state(&before)), "{}: true without it", chord.name());
        let app = pressed(chord);
        assert!(check(state(&app)), "{}", chord.name());
    }
}

#[test]
fn the_camera_and_the_screenshot_are_asked_for() {
    let asked = [
        (K::Numpad1, K::Digit1, NONE, CameraKey::Front),
        (K::Numpad1, K::Digit1, CTRL, CameraKey::Back),
        (K::Numpad3, K::Digit3, NONE, CameraKey::Right),
        (K::Numpad3, K::Digit3, CTRL, CameraKey::Left),
        (K::Numpad7, K::Digit7, NONE, CameraKey::Top),
        (K::Numpad7, K::Digit7, CTRL, CameraKey::Bottom),
        (K::Numpad5, K::Digit5, NONE, CameraKey::Projection),
        (K::NumpadDecimal, K::KeyA, NONE, CameraKey::Frame),
    ];
    let mut count = 0;
    for (numpad, other, held, camera) in asked {
        for key in [numpad, other] {
            let app = pressed(chord(key, held));
            let messages = app.world().resource::<Messages<CameraKey>>();
            assert_eq!(messages.iter_current_update_messages().collect::<Vec<_>>(), [&camera], "{key:?}");
            count += 1;
        }
    }
    let app = pressed(Chord::key(K::F12));
    assert_eq!(app.world().resource::<Messages<TakeScreenshot>>().len(), 1);
    // These, those above and the key of the pair are all that there are.
    let all: usize = BINDINGS.iter().map(|binding| binding.chords.len()).sum();
    assert_eq!(expected().len() + count + 2, all);
}

#[test]
fn the_pair_of_the_picked_contact_is_focused_on_and_left() {
    let mut app = application();
    press(&mut app, &[], K::Tab);
    press(&mut app, &[], K::KeyF);
    assert!(state(&app).focus.is_some());
    press(&mut app, &[], K::Escape);
    assert!(state(&app).focus.is_none() && state(&app).selected != Selected::Nothing);
    press(&mut app, &[], K::KeyQ);
    assert!(state(&app).selected != Selected::Nothing, "a key that is not in the table does nothing");
}

#[test]
fn tab_goes_on_and_back() {
    let mut app = application();
    let mut picked = Vec::new();
    for held in [&[][..], &[], &[K::ShiftRight]] {
        press(&mut app, held, K::Tab);
        assert!(app.world_mut().resource_mut::<Viewer>().wait(PATIENCE));
        picked.push(state(&app).shown(0).unwrap().selected[0]);
    }
    assert_eq!(picked, [0, 1, 0]);
}

#[test]
fn nothing_happens_while_one_types_into_the_panel() {
    let mut app = application();
    app.init_resource::<EguiWantsInput>().add_systems(PreUpdate, write_egui_wants_input_system);
    let context = EguiContext::default();
    let field = app.world_mut().spawn((context, bevy_egui::PrimaryEguiContext)).id();
    let focus = |app: &mut App, is_typing: bool| {
        let mut context = app.world_mut().get_mut::<EguiContext>(field).unwrap();
        let id = egui::Id::new("field");
        context
            .get_mut()
            .memory_mut(|memory| if is_typing { memory.request_focus(id) } else { memory.surrender_focus(id) });
    };
    focus(&mut app, true);
    press(&mut app, &[], K::KeyN);
    assert!(state(&app).view.panel, "an n is typed");
    focus(&mut app, false);
    press(&mut app, &[], K::KeyN);
    assert!(!state(&app).view.panel, "nobody types any more");
    press(&mut app, &[K::ControlLeft], K::KeyN);
    assert!(!state(&app).view.panel, "with control it is another key");
}

#[test]
fn no_two_entries_have_the_same_key_and_each_is_found() {
    let mut seen: Vec<Chord> = Vec::new();
    for binding in &BINDINGS {
        assert!(!binding.says.is_empty());
        for &chord in binding.chords {
            assert!(!seen.contains(&chord), "{} twice", chord.name());
            seen.push(chord);
            assert_eq!(keys::action(chord).as_ref(), Some(&binding.action));
            let command = keys::command(chord.key, chord.shift, chord.ctrl);
            if let (Action::Command(expected), false) = (&binding.action, chord.alt) {
                assert_eq!(command.as_ref(), Some(expected));
            }
        }
    }
    assert_eq!(chord(K::KeyH, ALT).name(), "Alt+H");
    assert_eq!(chord(K::Numpad1, CTRL).name(), "Ctrl+Num 1");
}

#[test]
fn the_guide_lists_every_key() {
    let rows = BINDINGS.iter().map(|binding| format!("| {} | {} |\n", binding.keys_text(), binding.says));
    let table: String = ["| key | what it does |\n|---|---|\n".to_owned()].into_iter().chain(rows).collect();
    let guide = include_str!("../../docs/viewer.md");
    assert!(guide.contains(&table), "docs/viewer.md should have:\n{table}");
}
