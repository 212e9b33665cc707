//! A key, and what is held with it.

use bevy::input::keyboard::KeyCode;

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

    pub(super) const fn shift(key: KeyCode) -> Self {
        Self { shift: true, ..Self::key(key) }
    }

    pub(super) const fn ctrl(key: KeyCode) -> Self {
        Self { ctrl: true, ..Self::key(key) }
    }

    pub(super) const fn alt(key: KeyCode) -> Self {
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
