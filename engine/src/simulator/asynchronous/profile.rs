//! How many events of each kind there were, and how long they took.
//!
//! Source: Harmon and others (see [`super`]), section 6.4.

use std::sync::OnceLock;
use std::time::Duration;

use crate::lap::Lap;

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// Gravity on all vertices.
    Gravity,
    /// A spring or a hinge.
    Elastic,
    /// Vertices get a prescribed velocity.
    Prescribed,
    /// The penalty layers of a pair.
    Penalty,
    /// A separation slab fails: the next layer of a pair or another slab.
    Slab,
    /// Broad phase: a vertex leaves its cube, and its pairs are found anew.
    BroadPhase,
    /// A velocity leaves its ball: the certificates of the vertex are scheduled anew.
    Rescheduling,
    /// All pairs of a speculative window are certified.
    Window,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Gravity,
        Self::Elastic,
        Self::Prescribed,
        Self::Penalty,
        Self::Slab,
        Self::BroadPhase,
        Self::Rescheduling,
        Self::Window,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gravity => "gravity",
            Self::Elastic => "elastic",
            Self::Prescribed => "prescribed",
            Self::Penalty => "penalty",
            Self::Slab => "slab",
            Self::BroadPhase => "broad-phase",
            Self::Rescheduling => "rescheduling",
            Self::Window => "window",
        }
    }

    /// Of the kinds with many short events, one in so many is timed: a clock takes about as long as they do. Forces tick in
    /// powers of two, with which this number has no divisor in common.
    fn stride(self) -> u64 {
        match self {
            Self::Gravity | Self::Elastic | Self::Prescribed | Self::BroadPhase | Self::Window => 1,
            Self::Penalty | Self::Slab | Self::Rescheduling => 31,
        }
    }
}

/// What is known of the events of one kind. Two of them are equal if there were as many events: time is no part of what
/// they did.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    events: u64,
    /// Times the queue came to one; forces that tick together are one.
    ticks: u64,
    timed: u64,
    time: Duration,
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.events == other.events
    }
}

/// Events by kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventProfile([Kind; EventKind::ALL.len()]);

impl EventProfile {
    /// An event begins. What is returned goes to [`EventProfile::end`].
    pub(super) fn begin(&mut self, kind: EventKind) -> Option<Lap> {
        let of = &mut self.0[kind as usize];
        of.ticks += 1;
        of.ticks.is_multiple_of(kind.stride()).then(Lap::start)
    }

    /// It has ended; it counts as so many.
    pub(super) fn end(&mut self, kind: EventKind, events: u64, begun: Option<Lap>) {
        let of = &mut self.0[kind as usize];
        of.events += events;
        if let Some(mut begun) = begun {
            of.timed += 1;
            of.time += begun.next().saturating_sub(reading());
        }
    }

    /// How many events of a kind there were.
    pub fn events(&self, kind: EventKind) -> u64 {
        self.0[kind as usize].events
    }

    /// How many there were of all kinds. Rescheduling and windows are no events of the queue; those of a window that is run again count
    /// again.
    pub fn all_events(&self) -> u64 {
        let queued =
            EventKind::ALL.into_iter().filter(|kind| !matches!(kind, EventKind::Rescheduling | EventKind::Window));
        queued.map(|kind| self.events(kind)).sum()
    }

    /// How long they took, s; estimated from those that were timed. Zero without the feature `timings`.
    pub fn seconds(&self, kind: EventKind) -> f64 {
        let Kind { ticks, timed, time, .. } = self.0[kind as usize];
        if timed == 0 { 0.0 } else { time.as_secs_f64() * (ticks as f64 / timed as f64) }
    }

    /// Adds those of another time.
    pub fn add(&mut self, other: &Self) {
        for (of, more) in self.0.iter_mut().zip(&other.0) {
            of.events += more.events;
            of.ticks += more.ticks;
            of.timed += more.timed;
            of.time += more.time;
        }
    }
}

/// How long it takes to read the clock: it is measured with every event.
fn reading() -> Duration {
    static READING: OnceLock<Duration> = OnceLock::new();
    *READING.get_or_init(|| {
        const READINGS: u32 = 1000;
        (0..READINGS).map(|_| Lap::start().next()).sum::<Duration>() / READINGS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_counted_and_profiles_add_up() {
        let mut profile = EventProfile::default();
        for _ in 0..100 {
            let begun = profile.begin(EventKind::Slab);
            profile.end(EventKind::Slab, 1, begun);
        }
        let begun = profile.begin(EventKind::Elastic);
        assert!(begun.is_some(), "each of them is timed");
        profile.end(EventKind::Elastic, 40, begun);
        let mut twice = profile.clone();
        assert_eq!(twice, profile);
        twice.add(&profile);
        assert_eq!(EventKind::ALL.map(|kind| twice.events(kind)), [0, 80, 0, 0, 200, 0, 0, 0]);
        let begun = twice.begin(EventKind::Rescheduling);
        twice.end(EventKind::Rescheduling, 1, begun);
        assert_eq!((twice.all_events(), twice.events(EventKind::Rescheduling)), (280, 1));
        assert_eq!(profile.0[EventKind::Slab as usize].timed, 3);
        assert_eq!(profile.seconds(EventKind::Gravity), 0.0);
    }
}
