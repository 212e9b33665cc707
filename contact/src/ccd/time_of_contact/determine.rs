//! DETERMINE-TOC (Algorithm 1) with the corrected bound and box, and its printed variants.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::chord_box::chord_box;
use super::outcome::{Contact, Counts, Outcome, StopReason, TimeOfContact};
use super::path::PointMotion;
use super::printed_box::printed_box;
use super::settings::{Boxes, TocSettings};
use super::{Bound, TocError};
use crate::solid::{Crossing, OrientedBox, Relation, Solid};

/// Intervals that wait, at most: one for each time that an interval was halved.
const WAITING: usize = 192;

/// Where the path is no farther from the chord than this share of the precision, points of the chord take the place of its points.
const FLAT: f64 = 0.125;

/// A contact is one when the point is surely no farther from the solid than so many times the precision.
const WITHIN: f64 = 4.0;

/// Boxes that the solid cannot decide are halved down to this share of the precision.
const FINEST: f64 = 1.0 / 1024.0;

/// Coordinates are known to a rounding error; the precision is no less than this multiple of it.
const ABOVE_ROUNDING: f64 = 8.0;

/// A piece of the path.
#[derive(Clone, Copy, Debug)]
struct Interval {
    times: [f64; 2],
    ends: [DVec3; 2],
    /// If points of the chord stand for those of the path.
    flat: Option<FlatChord>,
}

/// A chord that stands for the path.
#[derive(Clone, Copy, Debug)]
struct FlatChord {
    /// The axes of the box around it.
    axes: DMat3,
    /// The path is no farther from it, m.
    margin: f64,
}

/// When a point first touches a solid between two times (s): guaranteed to be **never missed and never late** with
/// [`Boxes::Chord`], and no farther from the solid than [`Contact::within`] at the time reported. Apart from that the outcome is
/// "apart", certified, or "stopped", with the time until which there is surely no contact. Nothing is allocated, but by
/// [`Boxes::Printed`] and [`Boxes::Without`].
///
/// # Errors
/// [`TocError`] for settings, times and numbers out of range, and for the printed variants before a turning solid.
pub fn determine_toc(
    solid: &dyn Solid,
    motion: &PointMotion<'_>,
    interval: [f64; 2],
    settings: &TocSettings,
) -> Result<TimeOfContact, TocError> {
    check(motion, interval, settings)?;
    let mut search = Search::new(solid, motion, settings, Counts::default());
    let outcome = search.run(interval);
    Ok(TimeOfContact { outcome, counts: search.counts })
}

/// Whether a query makes sense.
pub(super) fn check(motion: &PointMotion<'_>, interval: [f64; 2], settings: &TocSettings) -> Result<(), TocError> {
    settings.check()?;
    let [start, end] = interval;
    if !(start.is_finite() && end.is_finite() && start <= end) {
        return Err(TocError::Interval { start, end });
    }
    if !motion.point.is_finite() {
        return Err(TocError::NotFinite { what: "point", of: "body", value: motion.point.to_string() });
    }
    let speed = motion.path().solid_speed();
    if speed > 0.0 && (settings.bound != Bound::Exact || settings.boxes == Boxes::Printed) {
        return Err(TocError::TurningSolid { speed });
    }
    Ok(())
}

/// A query under way.
pub(super) struct Search<'a, 'p> {
    pub solid: &'a dyn Solid,
    pub motion: &'a PointMotion<'p>,
    pub settings: &'a TocSettings,
    pub counts: Counts,
    crossings: Vec<Crossing>,
    /// m.
    rounding: f64,
    /// [`TocSettings::precision`], or what rounding leaves of it, m.
    precision: f64,
}

/// What a look at one interval says.
enum Look {
    /// No contact in it.
    Apart,
    /// It has to be halved; the chord stands for the path, if there is one.
    Halve(Option<FlatChord>),
    /// The search ends.
    Ends(Outcome),
}

impl<'a, 'p> Search<'a, 'p> {
    /// A query that goes on counting.
    pub fn new(solid: &'a dyn Solid, motion: &'a PointMotion<'p>, settings: &'a TocSettings, counts: Counts) -> Self {
        Self { solid, motion, settings, counts, crossings: Vec::new(), rounding: 0.0, precision: settings.precision }
    }

    /// What is known of the interval.
    pub fn run(&mut self, interval: [f64; 2]) -> Outcome {
        self.rounding = self.motion.rounding(interval);
        self.precision = self.settings.precision.max(ABOVE_ROUNDING * self.rounding);
        let mut waiting = ArrayVec::<Interval, WAITING>::new();
        waiting.push(Interval { times: interval, ends: interval.map(|t| self.motion.position(t)), flat: None });
        // Alg. 1: while Q is not empty; the earliest interval first.
        while let Some(piece) = waiting.pop() {
            let [start, end] = piece.times;
            if self.counts.tests >= self.settings.max_boxes || waiting.remaining_capacity() < 2 {
                return Outcome::Stopped { time: start, reason: StopReason::Boxes };
            }
            self.counts.tests += 1;
            let middle = start.midpoint(end);
            let is_last = middle <= start || middle >= end;
            match self.look(&piece, is_last) {
                Look::Apart => {}
                Look::Ends(outcome) => return outcome,
                Look::Halve(flat) => {
                    // A box around the path needs ends on the path, not on a chord that stood for it.
                    let returns = piece.flat.is_some() && flat.is_none();
                    let ends = if returns { piece.times.map(|t| self.motion.position(t)) } else { piece.ends };
                    let at = if flat.is_some() { ends[0].midpoint(ends[1]) } else { self.motion.position(middle) };
                    waiting.push(Interval { times: [middle, end], ends: [at, ends[1]], flat });
                    waiting.push(Interval { times: [start, middle], ends: [ends[0], at], flat });
                }
            }
        }
        Outcome::Apart
    }

    /// Looks at an interval, which cannot be halved any more if it is the last.
    fn look(&mut self, piece: &Interval, is_last: bool) -> Look {
        if let Some(flat) = piece.flat {
            return self.look_at_chord(piece, flat, is_last);
        }
        let deviation = self.motion.deviation(piece.times, self.settings.bound);
        let is_curved = deviation.any > self.precision;
        self.counts.curved += u32::from(is_curved);
        let turned = match self.settings.boxes {
            Boxes::Chord => {
                let turned = chord_box(piece.ends[0], piece.ends[1], &deviation, self.rounding);
                let is_flat = deviation.any <= FLAT * self.precision;
                let flat = FlatChord { axes: turned.axes, margin: deviation.any + self.rounding };
                return self.look_at_box(piece, &turned, is_flat.then_some(flat), is_last);
            }
            Boxes::Printed => Some(self.printed(piece, deviation.any)),
            Boxes::Without => None,
        };
        // The published variants end with the crossing of a chord.
        if turned.is_some_and(|turned| self.solid.relation(&turned) == Relation::Outside) {
            Look::Apart
        } else if is_curved && !is_last {
            Look::Halve(None)
        } else {
            self.crossing(piece, deviation.any).map_or(Look::Apart, |contact| Look::Ends(Outcome::Contact(contact)))
        }
    }

    /// Looks at a piece of a chord that stands for the path.
    fn look_at_chord(&mut self, piece: &Interval, flat: FlatChord, is_last: bool) -> Look {
        let FlatChord { axes, margin } = flat;
        let [start, end] = piece.ends;
        let length = start.distance(end);
        let half = DVec3::new(0.5 * length + margin, margin, margin);
        let turned = OrientedBox { centre: start.midpoint(end), axes, half };
        // Once the chord is shorter than what it leaves out, the path itself is looked at again.
        self.look_at_box(piece, &turned, (length > margin).then_some(flat), is_last)
    }

    /// Looks at a box that holds the path of an interval.
    fn look_at_box(&mut self, piece: &Interval, turned: &OrientedBox, flat: Option<FlatChord>, is_last: bool) -> Look {
        let relation = self.solid.relation(turned);
        if relation == Relation::Outside {
            return Look::Apart;
        }
        self.last(piece, turned, relation, is_last).map_or(Look::Halve(flat), Look::Ends)
    }

    /// What is known if the box, which may meet the solid, is small enough.
    fn last(&mut self, piece: &Interval, turned: &OrientedBox, relation: Relation, is_last: bool) -> Option<Outcome> {
        let precision = self.precision;
        let radius = turned.radius();
        if radius > precision && !is_last {
            return None;
        }
        // The path itself, where a chord stood for it.
        let time = piece.times[0];
        let position = self.motion.position(time);
        let mut within = if relation == Relation::Inside { 0.0 } else { 2.0 * radius + self.solid.slack(radius) };
        let nearest = self.solid.nearest(position);
        // It is no farther than any point of the solid: the nearest, or, where that is not known, one of the path itself.
        let at_most = |within: f64, witness: DVec3| {
            if self.solid.contains(witness) { within.min(position.distance(witness)) } else { within }
        };
        if let Ok(found) = &nearest {
            within = at_most(within, found.position);
        }
        for end in piece.times {
            if within > WITHIN * precision {
                within = at_most(within, self.motion.position(end));
            }
        }
        if within <= WITHIN * precision {
            return Some(Outcome::Contact(Contact {
                time,
                position,
                within,
                normal: nearest.map(|found| found.normal),
            }));
        }
        let is_finest = is_last || radius <= FINEST * precision;
        is_finest.then_some(Outcome::Stopped { time, reason: StopReason::Undecided })
    }

    /// The printed box of a piece, in the frame of the solid.
    fn printed(&self, piece: &Interval, deviation: f64) -> OrientedBox {
        let [start, end] = piece.times;
        let (arm, velocity) = self.motion.arm_and_velocity(start);
        printed_box(piece.ends[0], arm, velocity, end - start, deviation)
    }

    /// Where the chord of a piece gets in: the published variants.
    fn crossing(&mut self, piece: &Interval, deviation: f64) -> Option<Contact> {
        let ([start, end], [from, to]) = (piece.times, piece.ends);
        if self.solid.contains(from) {
            let normal = self.solid.nearest(from).map(|found| found.normal);
            return Some(Contact { time: start, position: from, within: 0.0, normal });
        }
        self.crossings.clear();
        self.solid.crossings(from, to, &mut self.crossings);
        let first = self.crossings.iter().find(|crossing| crossing.is_entry)?;
        let position = from.lerp(to, first.share);
        let none = || crate::solid::NoNormal { kind: self.solid.kind(), point: position, why: "of the crossing" };
        let normal = first.normal.ok_or_else(none);
        Some(Contact { time: start + (end - start) * first.share, position, within: deviation, normal })
    }
}
