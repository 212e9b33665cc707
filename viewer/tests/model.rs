//! The state of the viewer: runs in the background, time, picking, comparison, memory, recordings.

use std::path::{Path, PathBuf};

use drystone::contact::generator::{Method, methods};
use drystone::engine::BodyId;
use drystone::engine::recording::{Recorder, RecordingSettings};
use drystone::scenes::builtin::BuiltIn;
use drystone::scenes::cases::Model;
use drystone::scenes::simulation::{self, WorldPreset};
use drystone_report::inspection::{ColourBy, Request, What};
use drystone_viewer::model::selection::contact_history;
use drystone_viewer::model::{
    BodyLook, BodyPair, BodyStyle, Command, ContactKey, ContactsWith, Selected, Show, State, Status, View,
};

/// No step of these scenes takes so long, s.
const PATIENCE: f64 = 120.0;

fn request(scene: &str, method: Method) -> Request {
    Request { method, ..Request::new(scene.parse().unwrap()) }
}

fn state(request: Request) -> State {
    let mut state = State::new(request, View::default(), State::DEFAULT_BUDGET);
    assert!(state.wait(PATIENCE), "{:?}", state.failure());
    state
}

fn cliff() -> State {
    state(request("cliff-edges", methods::growth_distance()))
}

fn go(state: &mut State, command: Command) -> u64 {
    state.apply(command);
    assert!(state.wait(PATIENCE), "{:?}", state.failure());
    state.shown(0).unwrap().frame.step
}

#[test]
fn steps_are_made_when_they_are_asked_for() {
    let mut state = cliff();
    assert_eq!((state.shown(0).unwrap().frame.step, state.steps()), (0, 0..=0));
    assert!(state.shown(0).unwrap().frame.impulses.is_none());
    assert_eq!(go(&mut state, Command::Step), 1);
    assert!(state.shown(0).unwrap().frame.impulses.is_some());
    assert_eq!(go(&mut state, Command::GoTo(9)), 9);
    assert_eq!(state.steps(), 0..=9);
    assert!(state.tracks()[0].history().numbers().map(|(step, _)| step).eq(0..=9));
    assert_eq!(go(&mut state, Command::StepBack), 8);
    assert_eq!(go(&mut state, Command::First), 0);
    assert_eq!(go(&mut state, Command::StepBack), 0, "nothing is before the start");
    assert_eq!(go(&mut state, Command::Last), 9);
    assert_eq!(state.last_step(), None, "it goes on for as long as one wants");
    assert!(!state.is_waiting());
    go(&mut state, Command::GoTo(4));
    assert_eq!(go(&mut state, Command::Restart), 0);
    assert_eq!(state.steps(), 0..=0);
}

#[test]
fn time_goes_on_only_while_it_plays() {
    let mut state = cliff();
    let step = state.tracks()[0].subject().unwrap().time_step;
    state.playback.speed = 1.0;
    state.update(10.0 * step);
    assert_eq!(state.playback.step, 0);
    state.apply(Command::PlayPause);
    // What is not made yet is waited for, so time stands still until steps are there.
    while state.playback.step < 5 {
        state.update(step);
        state.wait(PATIENCE);
    }
    state.apply(Command::PlayPause);
    let now = state.playback.step;
    state.update(10.0 * step);
    assert_eq!((state.playback.step, state.playback.is_playing), (now, false));
}

#[test]
fn the_same_step_shows_the_same_contacts_whenever_one_looks() {
    let mut state = cliff();
    go(&mut state, Command::GoTo(6));
    let first = state.shown(0).unwrap().frame.clone();
    go(&mut state, Command::GoTo(2));
    go(&mut state, Command::GoTo(6));
    assert_eq!(state.shown(0).unwrap().frame, first);
    let mut other = cliff();
    go(&mut other, Command::GoTo(6));
    assert_eq!(other.shown(0).unwrap().frame, first, "and in another run");
}

#[test]
fn two_methods_are_shown_at_the_same_step() {
    let mut state = cliff();
    go(&mut state, Command::GoTo(3));
    go(&mut state, Command::Compare(Some(methods::semi_local())));
    assert_eq!((state.tracks().len(), state.compared()), (2, Some(methods::semi_local())));
    let steps: Vec<u64> = (0..2).map(|track| state.shown(track).unwrap().frame.step).collect();
    assert_eq!(steps, [3, 3]);
    let methods: Vec<&str> = (0..2).map(|track| state.shown(track).unwrap().subject.method.name()).collect();
    assert_eq!(methods, ["growth-distance", "semi-local"]);
    let each: Vec<usize> = state.tracks().iter().map(|track| track.history().budget()).collect();
    assert_eq!(each, [State::DEFAULT_BUDGET / 2; 2]);
    // Another scene keeps what it is compared with.
    go(&mut state, Command::Open(Box::new(request("wedges", methods::vertex_only()))));
    assert_eq!(state.compared(), Some(methods::semi_local()));
    assert_eq!(state.shown(1).unwrap().subject.scene, "wedges");
    go(&mut state, Command::Compare(None));
    assert!(state.tracks().len() == 1 && state.shown(1).is_none());
    assert_eq!(state.tracks()[0].history().budget(), State::DEFAULT_BUDGET);
}

#[test]
fn bodies_are_hidden_and_come_back() {
    let mut state = cliff();
    let body = BodyId::new(1);
    state.apply(Command::HideSelected);
    assert_eq!(state.look(body), BodyLook::Usual, "nothing is picked");
    state.apply(Command::Select(Selected::Body(body)));
    state.apply(Command::HideSelected);
    assert_eq!(state.look(body), BodyLook::Hidden);
    state.apply(Command::GhostSelected);
    assert_eq!(state.look(body), BodyLook::Ghost);
    state.apply(Command::GhostSelected);
    assert_eq!(state.look(body), BodyLook::Usual);
    state.apply(Command::Look(BodyId::new(0), BodyLook::Ghost));
    state.apply(Command::Look(body, BodyLook::Hidden));
    state.apply(Command::ShowAll);
    assert_eq!([state.look(BodyId::new(0)), state.look(body)], [BodyLook::Usual; 2]);
}

#[test]
fn contacts_are_picked_one_after_the_other() {
    let mut state = cliff();
    let count = state.shown(0).unwrap().contacts.len();
    assert!(count > 2, "{count} contacts");
    let mut seen = Vec::new();
    for _ in 0..count {
        go(&mut state, Command::NextContact { back: false });
        seen.push(state.shown(0).unwrap().selected[0]);
    }
    assert_eq!(seen, (0..count).collect::<Vec<_>>());
    go(&mut state, Command::NextContact { back: false });
    assert_eq!(state.shown(0).unwrap().selected, [0], "and from the start again");
    go(&mut state, Command::NextContact { back: true });
    assert_eq!(state.shown(0).unwrap().selected, [count - 1]);
    assert_eq!(state.shown(0).unwrap().contacts.iter().filter(|c| c.is_selected).count(), 1);
}

#[test]
fn a_contact_stays_picked_in_other_steps_and_has_a_history() {
    let mut state = state(request("pillar", methods::semi_local()));
    go(&mut state, Command::GoTo(5));
    go(&mut state, Command::NextContact { back: false });
    let Selected::Contact { key, .. } = state.selected else { panic!("a contact is picked") };
    go(&mut state, Command::GoTo(2));
    let shown = state.shown(0).unwrap();
    assert_eq!(ContactKey::of(&shown.frame.contacts, shown.selected[0]), Some(key));
    let history = contact_history(state.tracks()[0].history(), &key);
    assert_eq!(history.iter().map(|sample| sample.step).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(history[0].impulse, None, "nothing is solved at the start");
    assert!(history[1..].iter().all(|sample| sample.impulse.is_some()));
    let frame = &state.shown(0).unwrap().frame;
    assert_eq!(history[2].gap, frame.contacts[key.find(&frame.contacts).unwrap()].contact.gap);
}

#[test]
fn focus_leaves_only_the_contacts_of_a_pair() {
    let mut state = state(request("pillar", methods::semi_local()));
    state.apply(Command::FocusSelected);
    assert_eq!(state.focus, None, "nothing is picked");
    go(&mut state, Command::NextContact { back: true });
    go(&mut state, Command::FocusSelected);
    let pair = state.focus.unwrap();
    let shown = state.shown(0).unwrap();
    let of_pair = shown.frame.contacts.iter().filter(|c| BodyPair::of(c) == pair).count();
    assert!(of_pair > 0 && of_pair < shown.frame.contacts.len());
    assert_eq!(shown.contacts.len(), of_pair);
    go(&mut state, Command::Escape);
    assert!(state.focus.is_none() && state.selected != Selected::Nothing, "what is focused on comes first");
    go(&mut state, Command::Escape);
    assert_eq!(state.selected, Selected::Nothing);
}

#[test]
fn a_range_of_qualities_picks_its_contacts() {
    let mut state = cliff();
    let wrong = Selected::Qualities { track: 0, low: 0.0, high: 0.95 };
    go(&mut state, Command::Select(wrong));
    let shown = state.shown(0).unwrap();
    let qualities: Vec<f64> = shown.examined.contacts.iter().map(|c| c.quality.unwrap()).collect();
    let expected: Vec<usize> = (0..qualities.len()).filter(|&k| qualities[k] < 0.95).collect();
    assert!(!expected.is_empty(), "this method has wrong normals here: {qualities:?}");
    assert_eq!(shown.selected, expected);
    state.view.show = Show::Kept;
    state.update(0.0);
    let kept = state.shown(0).unwrap().examined.contacts.iter().filter(|c| c.verdict.is_kept()).count();
    assert_eq!(state.shown(0).unwrap().contacts.len(), kept);
    state.view.show = Show::Doubtful;
    state.update(0.0);
    let doubtful = state.shown(0).unwrap();
    let is_doubtful = |k: &usize| !doubtful.examined.contacts[*k].verdict.is_kept() || qualities[*k] <= 0.999;
    assert!(doubtful.contacts.iter().map(|c| c.index).eq((0..qualities.len()).filter(is_doubtful)));
}

#[test]
fn bodies_apart_take_their_contacts_along() {
    let mut state = cliff();
    go(&mut state, Command::Explode(0.5));
    let shown = state.shown(0).unwrap();
    for contact in &shown.contacts {
        let between = &shown.frame.contacts[contact.index];
        let with = |body: BodyId| Some(between.contact.position + shown.shifts[body.index()]);
        assert_eq!(contact.places, [with(between.a), with(between.b)], "once with each, A first");
    }
    for (with, share_of_b) in [(ContactsWith::A, 0.0), (ContactsWith::B, 1.0), (ContactsWith::Between, 0.5)] {
        state.view.contacts_with = with;
        state.update(0.0);
        let shown = state.shown(0).unwrap();
        for contact in &shown.contacts {
            let between = &shown.frame.contacts[contact.index];
            let shift = shown.shifts[between.a.index()].lerp(shown.shifts[between.b.index()], share_of_b);
            let place = contact.places[0].unwrap();
            assert!((place - between.contact.position - shift).length() < 1e-12 && contact.places[1].is_none());
        }
    }
    for _ in 0..5 {
        state.apply(Command::Explode(-0.1));
    }
    assert_eq!(state.view.explode.amount, 0.0);
    state.apply(Command::Explode(99.0));
    assert_eq!(state.view.explode.amount, State::MOST_EXPLODED);
}

#[test]
fn presets_and_the_next_of_each() {
    let mut state = cliff();
    state.view.panel = false;
    state.apply(Command::Paper);
    assert_eq!((state.view.bodies, state.view.colour), (BodyStyle::Wireframe, ColourBy::Plain));
    state.apply(Command::Default);
    assert_eq!(state.view, View { panel: false, ..View::default() }, "the panel stays hidden");
    for style in [BodyStyle::Wireframe, BodyStyle::Hidden, BodyStyle::Solid, BodyStyle::SolidEdges] {
        state.apply(Command::NextBodies);
        assert_eq!(state.view.bodies, style);
    }
    let mut seen: Vec<ColourBy> = ColourBy::ALL
        .iter()
        .map(|_| {
            state.apply(Command::NextColour);
            state.view.colour
        })
        .collect();
    seen.dedup();
    assert_eq!((seen.len(), state.view.colour), (ColourBy::ALL.len(), ColourBy::Quality));
    state.apply(Command::Help);
    state.apply(Command::Panel);
    assert!(state.view.help && state.view.panel);
}

#[test]
fn little_memory_keeps_the_first_step_the_last_and_some_between() {
    let mut state = cliff();
    let frame = state.shown(0).unwrap().frame.bytes();
    state.set_budget(8 * frame);
    go(&mut state, Command::GoTo(40));
    let history = state.tracks()[0].history();
    assert!(history.every() > 1 && history.bytes() <= history.budget(), "{} of {}", history.bytes(), history.budget());
    assert_eq!((history.first_step(), history.last_step(), history.numbers().count()), (Some(0), Some(40), 41));
    let kept: Vec<u64> = history.frames().map(|frame| frame.step).collect();
    assert_eq!(go(&mut state, Command::GoTo(kept[1] + 1)), kept[1], "the kept one before");
    go(&mut state, Command::GoTo(kept[2]));
    assert_eq!(go(&mut state, Command::StepBack), kept[1]);
}

#[test]
fn what_cannot_be_opened_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let damaged = [
        file("scene.toml", b"bodies = 3"),
        file("scene.json", b"{"),
        file("run.drystone", b"drystone.recording/1\n and then nothing that makes sense"),
        file("empty.toml", b""),
    ];
    for path in damaged {
        let what: What = path.to_str().unwrap().parse().unwrap();
        let mut state = State::new(Request::new(what), View::default(), State::DEFAULT_BUDGET);
        state.wait(PATIENCE);
        let Status::Failed(why) = state.tracks()[0].status() else { panic!("{} was opened", path.display()) };
        assert!(!why.is_empty() && state.failure() == Some(why) && state.shown(0).is_none());
        for command in
            [Command::PlayPause, Command::Step, Command::Last, Command::NextContact { back: false }, Command::Restart]
        {
            state.apply(command);
            state.wait(PATIENCE);
        }
        assert_eq!((state.playback.step, state.recent.len()), (0, 1));
        // Another run goes on from here.
        go(&mut state, Command::Open(Box::new(request("cliff-edges", methods::semi_local()))));
        assert_eq!(state.failure(), None);
    }
    let wrong = Request { size: Some(-1.0), ..request("spikes", methods::semi_local()) };
    let mut state = State::new(wrong, View::default(), State::DEFAULT_BUDGET);
    state.wait(PATIENCE);
    assert!(state.failure().unwrap().contains("size"), "{:?}", state.failure());
}

/// A recording of a built-in scene.
fn record(folder: &Path, scene: BuiltIn, method: Method, steps: u64) -> PathBuf {
    let made = scene.scene(Model::Procedural, None).unwrap();
    let mut world = simulation::world(&made, &method, WorldPreset::Suite).unwrap();
    let names = made.bodies.iter().map(|body| body.name.clone()).collect();
    let settings = RecordingSettings { scene: scene.name().into(), bodies: names, ..RecordingSettings::default() };
    let path = folder.join("run.drystone");
    let mut recorder = Recorder::create(&path, &world, &settings).unwrap();
    for _ in 0..steps {
        recorder.step(&mut world).unwrap();
    }
    recorder.finish().unwrap();
    path
}

#[test]
fn any_step_of_a_recording_is_there_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), "cliff-edges".parse().unwrap(), methods::growth_distance(), 30);
    let mut live = cliff();
    go(&mut live, Command::GoTo(30));

    let what: What = path.to_str().unwrap().parse().unwrap();
    assert_eq!(what, What::Recording(path.clone()));
    let mut state = State::new(Request::new(what), View::default(), State::DEFAULT_BUDGET);
    while state.tracks()[0].subject().is_none() {
        assert!(state.wait(PATIENCE), "{:?}", state.failure());
    }
    assert_eq!((state.last_step(), state.steps()), (Some(30), 0..=30));
    state.apply(Command::GoTo(99));
    assert_eq!(state.playback.step, 30, "not beyond its end");
    // Seen in the file, or made again if the replay is there already: the same either way, but for the forces.
    state.apply(Command::GoTo(17));
    state.update(0.0);
    let seen = state.shown(0).unwrap().frame.clone();
    let expected = live.tracks()[0].history().at(17).unwrap();
    assert_eq!((seen.step, &seen.poses, &seen.contacts), (17, &expected.poses, &expected.contacts));
    assert_eq!(seen.velocities, expected.velocities);

    state.apply(Command::GoTo(30));
    assert!(state.wait(PATIENCE));
    state.apply(Command::GoTo(17));
    state.update(0.0);
    let made = &state.shown(0).unwrap().frame;
    assert_eq!(**made, **expected, "with its forces");
    assert!(made.impulses.is_some());
    assert_eq!(state.recent, [path]);
    // It has its own method, and nothing beside it.
    state.apply(Command::Compare(Some(methods::semi_local())));
    assert_eq!(state.compared(), None);
}

#[test]
fn a_recording_is_looked_into_before_it_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), "cliff-edges".parse().unwrap(), methods::growth_distance(), 30);
    let what: What = path.to_str().unwrap().parse().unwrap();
    let mut state = State::new(Request::new(what), View::default(), State::DEFAULT_BUDGET);
    // The thread waits at the start until it is told to go on, and only an update does that.
    assert!(state.tracks()[0].history().is_empty());
    while state.tracks()[0].subject().is_none() {
        assert!(state.wait(PATIENCE), "{:?}", state.failure());
    }
    // With memory for two frames only, most steps can but be looked at in the file.
    state.set_budget(1);
    state.apply(Command::GoTo(30));
    assert!(state.wait(PATIENCE));
    let mut seen = Vec::new();
    for step in [11, 3, 29] {
        state.apply(Command::GoTo(step));
        state.update(0.0);
        let frame = &state.shown(0).unwrap().frame;
        seen.push((frame.step, frame.impulses.is_some()));
    }
    assert_eq!(seen, [(11, false), (3, false), (29, false)]);
}

#[test]
fn a_recording_plays_to_its_end_and_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), "cliff-edges".parse().unwrap(), methods::semi_local(), 3);
    let mut state = state(Request::new(path.to_str().unwrap().parse().unwrap()));
    go(&mut state, Command::Last);
    assert_eq!(state.playback.step, 3);
    state.apply(Command::PlayPause);
    assert_eq!((state.playback.step, state.playback.is_playing), (0, true), "from the start, as it was at its end");
    state.playback.speed = 10.0;
    for _ in 0..10 {
        state.update(1.0);
    }
    assert_eq!((state.playback.step, state.playback.is_playing), (3, false));
    state.playback.is_looped = true;
    state.playback.is_playing = true;
    state.update(1.0);
    assert_eq!((state.playback.step, state.playback.is_playing), (0, true));
}

#[test]
fn a_recording_that_goes_on_from_another_begins_at_its_own_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let made = BuiltIn::BoxStack.scene(Model::Procedural, None).unwrap();
    let mut world = simulation::world(&made, &methods::closest_points(), WorldPreset::Suite).unwrap();
    (0..6).for_each(|_| drop(world.step().unwrap()));
    let path = folder.path().join("late.drystone");
    let mut recorder = Recorder::create(&path, &world, &RecordingSettings::default()).unwrap();
    (0..4).for_each(|_| drop(recorder.step(&mut world).unwrap()));
    recorder.finish().unwrap();

    let mut state = state(Request::new(What::Recording(path)));
    assert!(state.wait(PATIENCE), "{:?}", state.failure());
    while state.is_waiting() {
        assert!(state.wait(PATIENCE), "{:?}", state.failure());
    }
    assert_eq!((state.steps(), state.playback.step), (6..=10, 6));
    assert_eq!(state.shown(0).unwrap().frame.step, 6);
    assert_eq!(go(&mut state, Command::GoTo(2)), 6);
    assert_eq!(go(&mut state, Command::Last), 10);
    (state.playback.is_looped, state.playback.is_playing) = (true, true);
    state.update(0.0);
    assert_eq!(state.playback.step, 6, "it begins again at its start");
}
