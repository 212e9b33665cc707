//! Contacts by times of contact: for solids of any representation, what comes into contact within a step.
//!
//! Points of each surface are followed on their way against the other solid ([`crate::ccd::time_of_contact`]); those that touch
//! already, or will within [`TimeOfContact::duration`], are contacts. Between points of a curved surface the true place of
//! contact is looked for by descent ([`descent`]); a ball is followed by its centre. Contacts in one plane are thinned out to the
//! corners of the area that they cover ([`selection`]).
//!
//! Straight edges are followed against each other as well ([`edges`]). Features of contacts: `Surface(0)` is the whole, `Surface(2 n + 1)` the
//! sample point n and `Surface(2 n + 2)` the straight edge n.
//!
//! Source: Shell and Drumwright, "Time of contact for rigid body simulation".

mod ball;
mod crowd;
mod descent;
mod edges;
mod meeting;
mod newton;
mod points;
mod selection;

use std::sync::Arc;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use self::edges::EdgePair;
use self::meeting::{Meeting, Side};
use super::{Generator, GeneratorError, Placed, Workspace};
use crate::ccd::time_of_contact::{PointContact, Workspace as PointWorkspace};
use crate::contact::{Contact, Feature};
use crate::shape::{GeneralShape, Shape, ShapeError};
use crate::sorting::CompactSort;

/// The generator's settings. Lengths are shares of the thickness of the thinner shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeOfContact {
    /// How far ahead contacts are looked for, s: a time step.
    pub duration: f64,
    /// Up to this gap points touch whether or not they approach, so that contacts at rest stay.
    pub envelope: f64,
    /// The precision of times of contact, as a length.
    pub precision: f64,
    /// Normals and planes that differ by less are the same, rad.
    pub parallel: f64,
}

impl Default for TimeOfContact {
    fn default() -> Self {
        Self { duration: 1.0 / 60.0, envelope: 0.02, precision: 1e-6, parallel: 0.02 }
    }
}

/// Scratch space.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    points: PointWorkspace,
    touched: Vec<PointContact>,
    near: Vec<u32>,
    /// Points of A and of B.
    starts: [Vec<Start>; 2],
    /// Places that are known on the surfaces of A and of B, m.
    known: [Vec<DVec3>; 2],
    /// Edges of A with edges of B.
    pairs: Vec<EdgePair>,
    meetings: Vec<Meeting>,
    group: Vec<u32>,
    kept: Vec<u32>,
}

/// A point from which a place of contact is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Start {
    /// Its number.
    point: u32,
    /// When it touches, s from now.
    time: f64,
    /// Whether it touches within the duration; else it is near now.
    approaches: bool,
}

/// So many points are looked at along a motion, each time all of both surfaces: some seconds where all of them touch.
const POINTS_ON_THE_WAY: u64 = 1 << 18;

/// A motion is looked at so often in any case.
const LEAST_LOOKS: u64 = 8;

/// The name of the method.
const NAME: &str = "time-of-contact";

impl TimeOfContact {
    /// A placed shape as a solid in motion.
    fn side<'s>(&self, placed: &Placed<'s>) -> Result<Side<'s>, GeneratorError> {
        Ok(Side { general: general(placed.shape)?, motion: meeting::motion(placed, self.duration) })
    }
}

fn failed(source: impl std::error::Error + Send + Sync + 'static) -> GeneratorError {
    GeneratorError::Failed { generator: NAME.into(), source: Arc::new(source) }
}

/// A shape as a general solid.
fn general(shape: &Shape) -> Result<&GeneralShape, GeneratorError> {
    let needs = "a solid that times of contact can be found for";
    let fault = |source| GeneratorError::needs(NAME, shape.kind(), needs, source);
    let general = shape.general().map_err(fault)?;
    let points = general.point_count();
    if points > GeneralShape::MOST_POINTS { Err(fault(ShapeError::Thin { points })) } else { Ok(general) }
}

impl Generator for TimeOfContact {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        general(shape)?.points();
        Ok(())
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = Vec::new();
        self.contacts_into(a, b, &[], &mut Workspace::default(), &mut contacts)?;
        Ok(contacts)
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        _: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let thickness = a.shape.thickness().min(b.shape.thickness());
        if !thickness.is_finite() {
            return Ok(());
        }
        let sides = [self.side(a)?, self.side(b)?];
        let buffers = &mut workspace.time_of_contact;
        buffers.meetings.clear();
        let limits = meeting::Limits {
            duration: self.duration,
            envelope: self.envelope * thickness,
            precision: self.precision * thickness,
            parallel: self.parallel,
        };
        let radii = [0, 1].map(|k| sides[k].general.solid().ball_radius());
        // What touches first changes the motion: later times are not looked at.
        let (mut first, mut arrivals) = (f64::INFINITY, [None; 2]);
        for k in 0..2 {
            let (mover, solid) = (&sides[k], &sides[1 - k]);
            buffers.starts[k].clear();
            if let Some(radius) = radii[k] {
                arrivals[k] = ball::arrival(radius, mover, solid, &limits);
                first = first.min(arrivals[k].unwrap_or(f64::INFINITY));
            }
            // A ball may touch several faces of a flat solid, which has no points opposite to each place.
            if radii[k].is_none() || solid.general.solid().is_flat() {
                let Buffers { points, touched, near, starts, .. } = buffers;
                points::starts(mover, solid, &limits, points, touched, near, &mut starts[k]).map_err(failed)?;
                let touching = starts[k].iter().filter(|start| start.approaches);
                first = touching.map(|start| start.time).fold(first, f64::min);
            }
        }
        let both = [&sides[0], &sides[1]];
        buffers.pairs.clear();
        edges::pairs(both, thickness, &limits, &mut buffers.pairs).map_err(failed)?;
        let touching = buffers.pairs.iter().filter(|pair| pair.approaches);
        first = touching.map(|pair| pair.time).fold(first, f64::min);
        let Buffers { starts, meetings, known, .. } = &mut *buffers;
        known.iter_mut().for_each(Vec::clear);
        let met = |k: usize, mut meeting: Meeting| {
            if k == 1 {
                meeting.exchange();
            }
            meeting
        };
        for k in 0..2 {
            let Some(radius) = radii[k] else { continue };
            let time = if first.is_finite() { first } else { 0.0 };
            let ball = ball::meet(radius, &sides[k], &sides[1 - k], time, arrivals[k].is_some(), &limits);
            let Some((meeting, [own, other])) = ball else { continue };
            meetings.push(met(k, meeting));
            known[k].push(own);
            known[1 - k].push(other);
        }
        for k in 0..2 {
            let (mover, solid, of_ball) = (&sides[k], &sides[1 - k], known[k].len());
            starts[k].compact_sort_by(|a, b| a.time.min(first).total_cmp(&b.time.min(first)));
            for group in starts[k].chunk_by(|a, b| a.time.min(first) == b.time.min(first)) {
                known[k].truncate(of_ball);
                let low = crowd::lowest(mover, solid, group[0].time.min(first), group, &limits);
                let found = low.as_deref().unwrap_or(group).iter().filter_map(|start| {
                    let early = Start { time: start.time.min(first), ..*start };
                    let meeting = points::meet(mover, solid, &early, &limits, &mut known[k]);
                    // A point of a flat surface that does not face the solid yet may do so when it arrives.
                    let is_later = start.time > first && mover.general.solid().is_flat();
                    meeting.or_else(|| is_later.then(|| points::meet(mover, solid, start, &limits, &mut Vec::new()))?)
                });
                meetings.extend(found.map(|meeting| met(k, meeting)));
            }
        }
        let met = buffers.pairs.iter().filter_map(|pair| {
            let early = edges::meet(both, pair, pair.time.min(first), &limits);
            early.or_else(|| (pair.time > first).then(|| edges::meet(both, pair, pair.time, &limits))?)
        });
        buffers.meetings.extend(met);
        selection::select(&limits, buffers);
        contacts.extend(buffers.kept.iter().map(|&k| buffers.meetings[k as usize].contact()));
        Ok(())
    }

    fn margin(&self, shape: &Shape) -> f64 {
        let thickness = shape.thickness();
        if thickness.is_finite() { self.envelope * thickness } else { 0.0 }
    }

    /// Contacts over a small gap are reported as well.
    fn slop(&self) -> f64 {
        0.0
    }

    /// What comes from beyond the margin within a step has to be looked for.
    fn is_asked_at_impact(&self) -> bool {
        true
    }

    /// So often that no more than [`POINTS_ON_THE_WAY`] points are looked at in all.
    fn most_looks_on_the_way(&self, a: &Shape, b: &Shape) -> usize {
        let points = [a, b].map(|shape| general(shape).map_or(0, GeneralShape::point_count));
        (POINTS_ON_THE_WAY / points.iter().sum::<u64>().max(1)).max(LEAST_LOOKS) as usize
    }

    /// What touches there: the way is followed by those who ask.
    fn contacts_on_the_way(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        _: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        Self { duration: 0.0, ..*self }.contacts_into(a, b, &[], workspace, contacts)
    }
}

#[cfg(test)]
mod tests;
