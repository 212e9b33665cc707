//! Where in time one looks, and whether time goes on.

use std::ops::RangeInclusive;

/// Where in time one looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// The step that is asked for; 0 is the start.
    pub step: u64,
    /// Whether time goes on.
    pub is_playing: bool,
    /// How fast, by real time.
    pub speed: f64,
    /// Whether it begins again at the end of a recording.
    pub is_looped: bool,
    /// The part of a step that has gone by.
    carry: f64,
}

impl Default for Playback {
    fn default() -> Self {
        Self { step: 0, is_playing: false, speed: 0.1, is_looped: false, carry: 0.0 }
    }
}

impl Playback {
    /// The slowest and the fastest, by real time.
    pub const SPEEDS: RangeInclusive<f64> = 0.01..=10.0;

    /// Lets time go on. `seconds` went by; a step takes `time_step` s; the steps `made` are there, and
    /// `last` is the last one there will be, if there is one.
    pub fn advance(&mut self, seconds: f64, time_step: f64, made: RangeInclusive<u64>, last: Option<u64>) {
        if !self.is_playing {
            self.carry = 0.0;
            return;
        }
        if last.is_some_and(|last| self.step >= last) {
            if self.is_looped {
                self.step = *made.start();
            } else {
                self.is_playing = false;
            }
            self.carry = 0.0;
            return;
        }
        self.carry += seconds * self.speed / time_step;
        let steps = self.carry.floor();
        self.carry -= steps;
        let wanted = self.step.saturating_add(steps as u64);
        if wanted > *made.end() {
            // What is not there yet is waited for; it is not caught up with in a leap.
            self.carry = 0.0;
        }
        self.step = wanted.min(*made.end()).max(self.step);
    }

    /// Looks at a step.
    pub fn go_to(&mut self, step: u64) {
        self.step = step;
        self.carry = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_at_its_speed_and_waits_for_what_is_not_there() {
        let mut playback = Playback { is_playing: true, speed: 0.5, ..Playback::default() };
        (0..10).for_each(|_| playback.advance(0.01, 0.01, 0..=100, None));
        assert_eq!(playback.step, 5);
        playback.advance(1.0, 0.01, 0..=20, None);
        assert_eq!(playback.step, 20);
        playback.advance(0.02, 0.01, 0..=100, None);
        assert_eq!(playback.step, 21, "no leap");
        playback.is_playing = false;
        playback.advance(1.0, 0.01, 0..=100, None);
        assert_eq!(playback.step, 21);
    }

    #[test]
    fn it_ends_or_begins_again() {
        let mut playback = Playback { is_playing: true, step: 7, ..Playback::default() };
        playback.advance(1.0, 0.01, 0..=7, Some(7));
        assert_eq!((playback.step, playback.is_playing), (7, false));
        (playback.is_playing, playback.is_looped) = (true, true);
        playback.advance(1.0, 0.01, 0..=7, Some(7));
        assert_eq!((playback.step, playback.is_playing), (0, true));
    }
}
