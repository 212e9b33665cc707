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

pub mod bindings;
pub mod chord;
pub mod held;

pub use bindings::{BINDINGS, Binding, GESTURES, Group, action, command};
pub use chord::Chord;
pub use held::Held;

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

/// To whom keys speak.
#[derive(SystemParam)]
pub struct Asked<'w> {
    camera: MessageWriter<'w, CameraKey>,
    screenshot: MessageWriter<'w, TakeScreenshot>,
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
    fn only_what_goes_step_by_step_is_repeated() {
        let repeated: Vec<&str> = BINDINGS.iter().filter(|b| is_repeated(&b.action)).map(|b| b.says).collect();
        assert_eq!(
            repeated,
            ["one step on", "one step back", "bodies farther apart", "bodies nearer", "next contact", "contact before"]
        );
    }
}
