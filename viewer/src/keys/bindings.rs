//! All keys and what they do; the keyboard and the help read this table.

use bevy::input::keyboard::KeyCode;

use super::{Action, CameraKey, Chord};
use crate::model::Command;

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
pub const GESTURES: [(&str, &str); 7] = [
    ("left or middle drag", "turn"),
    ("right drag, Shift and drag", "move"),
    ("wheel", "nearer, farther"),
    ("click", "pick a contact or a body"),
    ("double click", "pick it and come near"),
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
