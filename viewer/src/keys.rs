//! Keys and what they do: one table for the keyboard and for the help.
//!
//! The keys are those that users of Blender and of game engines know, wherever these have such a key. Keys are told by their
//! place on the keyboard, with the names of the US layout.

use bevy::ecs::message::{Message, MessageWriter};
use bevy::ecs::system::SystemParam;
use bevy::input::ButtonInput;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::{App, Local, Res, ResMut, Time, Update};
use bevy_egui::input::EguiWantsInput;

use crate::Viewer;
use crate::model::Command;

/// What a key asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A change of the state.
    Command(Command),
    /// Another look from outside.
    Camera(CameraKey),
    /// A picture in a file.
    Screenshot,
}

/// What a key asks of the camera.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CameraKey {
    /// Along −z.
    Front,
    /// Along +z.
    Back,
    /// Along −x.
    Right,
    /// Along +x.
    Left,
    /// Straight down.
    Top,
    /// Straight up.
    Bottom,
    /// With perspective or without.
    Projection,
    /// So near that what is picked fills the picture; everything, if nothing is picked.
    Frame,
}

/// A picture in a file is asked for.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakeScreenshot;

/// A key, and what is held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// The key.
    pub key: KeyCode,
    /// Shift is held.
    pub shift: bool,
    /// Control is held.
    pub ctrl: bool,
    /// Alt is held.
    pub alt: bool,
}

impl Chord {
    /// A key alone.
    pub const fn key(key: KeyCode) -> Self {
        Self { key, shift: false, ctrl: false, alt: false }
    }

    const fn shift(key: KeyCode) -> Self {
        Self { shift: true, ..Self::key(key) }
    }

    const fn ctrl(key: KeyCode) -> Self {
        Self { ctrl: true, ..Self::key(key) }
    }

    const fn alt(key: KeyCode) -> Self {
        Self { alt: true, ..Self::key(key) }
    }

    /// As people write it: `Shift+Tab`.
    pub fn name(self) -> String {
        match self {
            Self { key: KeyCode::Equal, shift: true, .. } => return "+".into(),
            Self { key: KeyCode::Slash, shift: true, .. } => return "?".into(),
            _ => {}
        }
        let held = [(self.ctrl, "Ctrl+"), (self.alt, "Alt+"), (self.shift, "Shift+")];
        let held: String = held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name).collect();
        held + &key_name(self.key)
    }
}

fn key_name(key: KeyCode) -> String {
    match key {
        KeyCode::ArrowRight => "Right".into(),
        KeyCode::ArrowLeft => "Left".into(),
        KeyCode::ArrowUp => "Up".into(),
        KeyCode::ArrowDown => "Down".into(),
        KeyCode::Period => ".".into(),
        KeyCode::Comma => ",".into(),
        KeyCode::Equal => "=".into(),
        KeyCode::Minus => "-".into(),
        KeyCode::Slash => "/".into(),
        KeyCode::NumpadAdd => "Num +".into(),
        KeyCode::NumpadSubtract => "Num -".into(),
        KeyCode::NumpadDecimal => "Num .".into(),
        other => {
            let name = format!("{other:?}");
            let letter = name.strip_prefix("Key").or(name.strip_prefix("Digit"));
            match name.strip_prefix("Numpad") {
                Some(number) => format!("Num {number}"),
                None => letter.unwrap_or(&name).to_owned(),
            }
        }
    }
}

/// What belongs together in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Steps and playback.
    Time,
    /// What is drawn.
    View,
    /// What is picked.
    Pick,
    /// From where one looks.
    Camera,
    /// The rest.
    Program,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Time, Self::View, Self::Pick, Self::Camera, Self::Program];

    /// For people.
    pub fn name(self) -> &'static str {
        ["Time", "View", "Picking", "Camera", "Program"][self as usize]
    }
}

/// Keys that do something.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// Any of these.
    pub chords: &'static [Chord],
    /// What they do.
    pub action: Action,
    /// For the help.
    pub group: Group,
    /// The same for people.
    pub says: &'static str,
}

impl Binding {
    /// The keys as people write them.
    pub fn keys_text(&self) -> String {
        self.chords.iter().map(|chord| chord.name()).collect::<Vec<_>>().join(", ")
    }
}

const fn bound(chords: &'static [Chord], group: Group, command: Command, says: &'static str) -> Binding {
    Binding { chords, action: Action::Command(command), group, says }
}

const fn camera(chords: &'static [Chord], key: CameraKey, says: &'static str) -> Binding {
    Binding { chords, action: Action::Camera(key), group: Group::Camera, says }
}

/// How far apart a key moves bodies at once.
const APART: f64 = 0.1;

/// All keys.
pub static BINDINGS: [Binding; 30] = {
    use Group::{Pick, Program, Time, View};
    use KeyCode as K;
    [
        bound(&[Chord::key(K::Space)], Time, Command::PlayPause, "play, pause"),
        bound(&[Chord::key(K::ArrowRight), Chord::key(K::Period)], Time, Command::Step, "one step on"),
        bound(&[Chord::key(K::ArrowLeft), Chord::key(K::Comma)], Time, Command::StepBack, "one step back"),
        bound(&[Chord::key(K::Home)], Time, Command::First, "to the start"),
        bound(&[Chord::key(K::End)], Time, Command::Last, "to the last step that was made"),
        bound(&[Chord::key(K::KeyR)], Time, Command::Restart, "the run once more from its start"),
        bound(
            &[Chord::key(K::ArrowUp), Chord::key(K::Equal), Chord::shift(K::Equal), Chord::key(K::NumpadAdd)],
            View,
            Command::Explode(APART),
            "bodies farther apart",
        ),
        bound(
            &[Chord::key(K::ArrowDown), Chord::key(K::Minus), Chord::key(K::NumpadSubtract)],
            View,
            Command::Explode(-APART),
            "bodies nearer",
        ),
        bound(&[Chord::key(K::KeyZ), Chord::key(K::KeyW)], View, Command::NextBodies, "next way to draw bodies"),
        bound(&[Chord::key(K::KeyC)], View, Command::NextColour, "next colouring of contacts"),
        bound(&[Chord::key(K::KeyP)], View, Command::Paper, "as in the paper"),
        bound(&[Chord::key(K::KeyD)], View, Command::Default, "bodies and contacts as at the first start"),
        bound(&[Chord::key(K::KeyH)], View, Command::HideSelected, "hide the picked body, or show it again"),
        bound(&[Chord::alt(K::KeyH), Chord::shift(K::KeyH)], View, Command::ShowAll, "show all bodies as usual"),
        bound(&[Chord::key(K::KeyG)], View, Command::GhostSelected, "picked body faint, or as usual again"),
        bound(&[Chord::key(K::Tab)], Pick, Command::NextContact { back: false }, "next contact"),
        bound(&[Chord::shift(K::Tab)], Pick, Command::NextContact { back: true }, "contact before"),
        bound(&[Chord::key(K::KeyF)], Pick, Command::FocusSelected, "only the pair of the picked contact"),
        bound(&[Chord::key(K::Escape)], Pick, Command::Escape, "all pairs again; then pick nothing"),
        camera(&[Chord::key(K::Numpad1), Chord::key(K::Digit1)], CameraKey::Front, "from the front"),
        camera(&[Chord::ctrl(K::Numpad1), Chord::ctrl(K::Digit1)], CameraKey::Back, "from the back"),
        camera(&[Chord::key(K::Numpad3), Chord::key(K::Digit3)], CameraKey::Right, "from the right"),
        camera(&[Chord::ctrl(K::Numpad3), Chord::ctrl(K::Digit3)], CameraKey::Left, "from the left"),
        camera(&[Chord::key(K::Numpad7), Chord::key(K::Digit7)], CameraKey::Top, "from above"),
        camera(&[Chord::ctrl(K::Numpad7), Chord::ctrl(K::Digit7)], CameraKey::Bottom, "from below"),
        camera(&[Chord::key(K::Numpad5), Chord::key(K::Digit5)], CameraKey::Projection, "with perspective, or without"),
        camera(
            &[Chord::key(K::NumpadDecimal), Chord::key(K::KeyA)],
            CameraKey::Frame,
            "look at what is picked, or at all",
        ),
        bound(&[Chord::key(K::KeyN)], Program, Command::Panel, "panel"),
        bound(&[Chord::key(K::F1), Chord::shift(K::Slash)], Program, Command::Help, "this help"),
        Binding {
            chords: &[Chord::key(K::F12)],
            action: Action::Screenshot,
            group: Program,
            says: "picture in a file",
        },
    ]
};

/// What the mouse does.
pub const GESTURES: [(&str, &str); 6] = [
    ("left drag", "turn"),
    ("right drag", "move"),
    ("wheel", "nearer, farther"),
    ("click", "pick a contact or a body"),
    ("click on nothing", "pick nothing"),
    ("drag in a plot", "go through the steps"),
];

/// What a key asks for with what is held.
pub fn action(chord: Chord) -> Option<Action> {
    let binding = BINDINGS.iter().find(|binding| binding.chords.contains(&chord));
    binding.map(|binding| binding.action.clone())
}

/// The change of the state that a key asks for, if it asks for one.
pub fn command(key: KeyCode, shift: bool, ctrl: bool) -> Option<Command> {
    match action(Chord { key, shift, ctrl, alt: false })? {
        Action::Command(command) => Some(command),
        Action::Camera(_) | Action::Screenshot => None,
    }
}

/// To whom keys speak.
#[derive(SystemParam)]
pub struct Asked<'w> {
    camera: MessageWriter<'w, CameraKey>,
    screenshot: MessageWriter<'w, TakeScreenshot>,
}

/// A key that is held does its work again and again, as long as nothing else is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    chord: Option<Chord>,
    /// Until it does its work again, s.
    rest: f64,
}

impl Held {
    /// How long a key is held before it does its work again, s.
    const DELAY: f64 = 0.4;
    /// From then on every so many seconds.
    const EVERY: f64 = 0.05;

    /// A key was pressed.
    pub fn press(&mut self, chord: Chord) {
        *self = Self { chord: Some(chord), rest: Self::DELAY };
    }

    /// `seconds` went by with `chord` held: whether it does its work again, at most once a picture.
    pub fn is_due(&mut self, chord: Chord, seconds: f64) -> bool {
        if self.chord != Some(chord) {
            self.chord = None;
            return false;
        }
        self.rest -= seconds;
        let is_due = self.rest <= 0.0;
        if is_due {
            self.rest = Self::EVERY;
        }
        is_due
    }
}

/// Whether a key that is held does it again.
fn is_repeated(action: &Action) -> bool {
    matches!(
        action,
        Action::Command(Command::Step | Command::StepBack | Command::Explode(_) | Command::NextContact { .. })
    )
}

/// Does what was typed, unless one types into the panel.
pub fn read_keys(
    keys: Res<'_, ButtonInput<KeyCode>>,
    egui: Option<Res<'_, EguiWantsInput>>,
    time: Res<'_, Time>,
    mut held: Local<'_, Held>,
    mut viewer: ResMut<'_, Viewer>,
    mut asked: Asked<'_>,
) {
    if egui.is_some_and(|egui| egui.wants_any_keyboard_input()) {
        *held = Held::default();
        return;
    }
    let any = |pair: [KeyCode; 2]| keys.any_pressed(pair);
    let shift = any([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let ctrl = any([KeyCode::ControlLeft, KeyCode::ControlRight]);
    let alt = any([KeyCode::AltLeft, KeyCode::AltRight]);
    let with = |key: KeyCode| Chord { key, shift, ctrl, alt };
    let mut wanted: Vec<Action> = Vec::new();
    for chord in keys.get_just_pressed().map(|&key| with(key)) {
        let Some(action) = action(chord) else { continue };
        if is_repeated(&action) {
            held.press(chord);
        }
        wanted.push(action);
    }
    let still = held.chord.filter(|chord| wanted.is_empty() && keys.pressed(chord.key)).map(|chord| with(chord.key));
    match still {
        Some(chord) if held.is_due(chord, time.delta_secs_f64()) => wanted.extend(action(chord)),
        Some(_) => {}
        None if wanted.is_empty() => *held = Held::default(),
        None => {}
    }
    for action in wanted {
        match action {
            Action::Command(command) => viewer.apply(command),
            Action::Camera(key) => {
                asked.camera.write(key);
            }
            Action::Screenshot => {
                asked.screenshot.write(TakeScreenshot);
            }
        }
    }
}

/// Lets an application hear keys.
pub fn plugin(app: &mut App) {
    app.add_message::<CameraKey>().add_message::<TakeScreenshot>().add_systems(Update, read_keys);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_key_waits_and_then_goes_on() {
        let (right, left) = (Chord::key(KeyCode::ArrowRight), Chord::key(KeyCode::ArrowLeft));
        let mut held = Held::default();
        assert!(!held.is_due(right, 9.0), "nothing was pressed");
        held.press(right);
        assert!(!held.is_due(right, 0.3));
        assert!(held.is_due(right, 0.2));
        assert!(!held.is_due(right, 0.03) && held.is_due(right, 0.03));
        assert!(!held.is_due(left, 9.0) && !held.is_due(right, 9.0), "another key ends it");
    }

    #[test]
    fn only_what_goes_step_by_step_is_repeated() {
        let repeated: Vec<&str> = BINDINGS.iter().filter(|b| is_repeated(&b.action)).map(|b| b.says).collect();
        assert_eq!(
            repeated,
            ["one step on", "one step back", "bodies farther apart", "bodies nearer", "next contact", "contact before"]
        );
    }
}
