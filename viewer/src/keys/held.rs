//! A key that is held.

use super::Chord;

/// A key that is held does its work again and again, as long as nothing else is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    pub(super) chord: Option<Chord>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::keyboard::KeyCode;

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
}
