//! What is shown of a track now: a frame, examined, coloured and moved apart.

use std::sync::Arc;

use drystone_engine::BodyOverlap;
use drystone_report::inspection::colour::{Colouring, Rgb, colouring};
use drystone_report::inspection::{Examined, Frame, Subject, examine};
use glam::DVec3;

use super::pair::BodyPair;
use super::selection::Selected;
use super::view::{ContactsWith, Show, View};

/// A contact that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownContact {
    /// Its place in [`Frame::contacts`].
    pub index: usize,
    /// Where it is drawn, m: once or twice, of these the first with A.
    pub places: [Option<DVec3>; 2],
    /// From A to B, unit.
    pub normal: DVec3,
    /// sRGB.
    pub colour: Rgb,
    /// Whether it is picked.
    pub is_selected: bool,
}

/// What is shown of a track.
#[derive(Clone)]
pub struct Shown {
    /// What it is about.
    pub subject: Arc<Subject>,
    /// The frame.
    pub frame: Arc<Frame>,
    /// What is known of its contacts.
    pub examined: Arc<Examined>,
    /// Their colours, one each, and what they mean.
    pub colouring: Colouring,
    /// How far each body is moved, m.
    pub shifts: Vec<DVec3>,
    /// The contacts that are drawn.
    pub contacts: Vec<ShownContact>,
    /// The deepest overlap of two bodies as the surfaces have it, if it is asked for; why it cannot be measured.
    pub overlap: Option<Result<Option<BodyOverlap>, String>>,
    /// The places of the picked ones in [`Frame::contacts`], whether they are drawn or not.
    pub selected: Vec<usize>,
}

impl Shown {
    /// A frame as `view` wants it. What was examined before is taken over if the frame is the same.
    pub fn new(
        (track, subject, frame): (usize, &Arc<Subject>, &Arc<Frame>),
        view: &View,
        (selected, focus): (&Selected, Option<BodyPair>),
        before: Option<&Shown>,
    ) -> Self {
        let known = before.filter(|shown| Arc::ptr_eq(&shown.frame, frame));
        let examined = known.map_or_else(|| Arc::new(examine(subject, frame)), |shown| Arc::clone(&shown.examined));
        let measured = known.and_then(|shown| shown.overlap.clone());
        let overlap = view.overlap.then(|| measured.unwrap_or_else(|| deepest_overlap(subject, frame)));
        let colouring = colouring(view.colour, &examined, &subject.method);
        let shifts = view.explode.shifts(&frame.poses);
        let selected = picked(track, selected, frame, &examined);
        let mut shown = Self {
            subject: Arc::clone(subject),
            frame: Arc::clone(frame),
            examined,
            colouring,
            shifts,
            contacts: Vec::new(),
            overlap,
            selected,
        };
        shown.contacts =
            (0..shown.frame.contacts.len()).filter_map(|index| shown.contact(index, view, focus)).collect();
        shown
    }

    fn contact(&self, index: usize, view: &View, focus: Option<BodyPair>) -> Option<ShownContact> {
        let between = &self.frame.contacts[index];
        let examined = &self.examined.contacts[index];
        let is_kept = examined.verdict.is_kept();
        let is_right = examined.quality.is_none_or(|quality| quality > RIGHT);
        let is_shown = match view.show {
            Show::All => true,
            Show::Kept => is_kept,
            Show::Doubtful => !(is_kept && is_right),
        };
        if !is_shown || focus.is_some_and(|pair| pair != BodyPair::of(between)) {
            return None;
        }
        let (a, b) = (self.shifts[between.a.index()], self.shifts[between.b.index()]);
        let at = |shift: DVec3| Some(between.contact.position + shift);
        let places = match view.contacts_with {
            ContactsWith::Both if a == b => [at(a), None],
            ContactsWith::Both => [at(a), at(b)],
            ContactsWith::A => [at(a), None],
            ContactsWith::B => [at(b), None],
            ContactsWith::Between => [at(0.5 * (a + b)), None],
        };
        let is_selected = self.selected.contains(&index);
        Some(ShownContact {
            index,
            places,
            normal: between.contact.normal,
            colour: self.colouring.colours[index],
            is_selected,
        })
    }
}

fn deepest_overlap(subject: &Subject, frame: &Frame) -> Result<Option<BodyOverlap>, String> {
    let overlaps = subject.overlap_audit.at(&frame.poses).map_err(|error| error.to_string())?;
    Ok(overlaps.into_iter().max_by(|x, y| x.depth.total_cmp(&y.depth)))
}

/// Above this a normal counts as right: |n·e| of 0.999 is 2.6 degrees.
pub const RIGHT: f64 = 0.999;

fn picked(track: usize, selected: &Selected, frame: &Frame, examined: &Examined) -> Vec<usize> {
    match *selected {
        Selected::Contact { track: of, key } if of == track => key.find(&frame.contacts).into_iter().collect(),
        Selected::Qualities { track: of, low, high } if of == track => {
            let is_in = |quality: f64| Selected::has_quality(quality, low, high);
            let contacts = examined.contacts.iter().enumerate();
            contacts.filter(|(_, c)| c.quality.is_some_and(is_in)).map(|(index, _)| index).collect()
        }
        _ => Vec::new(),
    }
}
