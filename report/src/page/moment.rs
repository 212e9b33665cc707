//! A moment of a run as it is written into the page.

use drystone_contact::Feature;
use serde::Serialize;

use super::packed;
use crate::inspection::colour::{Colouring, Legend, Rgb, colouring};
use crate::inspection::{ColourBy, Examined, Frame, Subject, examine};

/// A moment, packed, but for what moments share.
#[derive(Clone, Debug)]
pub struct Moment {
    /// What stands in the page as it is.
    pub packed: Packed,
    /// The features of each contact.
    pub features: Vec<[Feature; 2]>,
    /// One for each of [`ColourBy::ALL`].
    pub legends: Vec<Legend>,
}

/// The part of a moment that is its own.
#[derive(Clone, Debug, Serialize)]
pub struct Packed {
    /// From 1; 0 is the pose before any motion.
    pub step: u64,
    /// After the step, s.
    time: f64,
    numbers: Numbers,
    /// Position (m) and quaternion x, y, z, w of each body.
    poses: String,
    /// The positions of the vertices of each deformable surface, m.
    surfaces: Vec<String>,
    contacts: Contacts,
}

#[derive(Clone, Debug, Serialize)]
struct Numbers {
    pairs: usize,
    kinetic: f64,
    potential: f64,
    deepest: f64,
    sweeps: Option<usize>,
    residual: Option<f64>,
    coverage: Option<f64>,
    quality: Option<f64>,
    surfaces: Option<SurfaceFigures>,
}

#[derive(Clone, Debug, Serialize)]
struct SurfaceFigures {
    events: u64,
    active_pairs: usize,
    deepest_layer: u32,
    closest: Option<f64>,
    elastic: f64,
    contact: f64,
}

/// Lists with an entry for each contact, but for `pairs`.
#[derive(Clone, Debug, Serialize)]
struct Contacts {
    count: usize,
    /// Body A, body B and how many of the contacts that follow are theirs.
    pairs: String,
    positions: String,
    normals: String,
    gaps: String,
    /// None where nothing is known; of single contacts of which nothing is known, no number.
    qualities: Option<String>,
    /// On B, N; likewise.
    forces: Option<String>,
    /// The entry of the legend by feature pair.
    kinds: String,
    /// The entry of the legend by verdict.
    verdicts: String,
}

/// What a moment takes beside its lists: names of fields, numbers, places of legends.
const FRAME_BYTES: usize = 700;
/// Of a contact, the place of its features.
const FEATURE_BYTES: usize = 6;

impl Moment {
    /// Examines a frame and packs it.
    pub fn new(subject: &Subject, frame: &Frame) -> Self {
        let examined = examine(subject, frame);
        let colourings = ColourBy::ALL.map(|by| colouring(by, &examined, &subject.method));
        let pose = |p: &drystone_engine::Pose| {
            let (at, turn) = (p.translation, p.rotation);
            [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w]
        };
        let n = &frame.numbers;
        let numbers = Numbers {
            pairs: n.pairs,
            kinetic: n.energy.kinetic,
            potential: n.energy.potential,
            deepest: n.deepest,
            sweeps: n.sweeps,
            residual: n.residual,
            coverage: n.coverage,
            quality: n.quality,
            surfaces: n.surfaces.map(|s| SurfaceFigures {
                events: s.events,
                active_pairs: s.active_pairs,
                deepest_layer: s.deepest_layer,
                closest: s.closest,
                elastic: s.elastic,
                contact: s.contact,
            }),
        };
        let packed = Packed {
            step: frame.step,
            time: frame.time,
            numbers,
            poses: packed::singles(frame.poses.iter().flat_map(pose)),
            surfaces: frame.surfaces.iter().map(|vertices| packed::vectors(vertices.iter().copied())).collect(),
            contacts: Contacts::new(&examined, &colourings),
        };
        let features = examined.contacts.iter().map(|c| [c.between.contact.feature_a, c.between.contact.feature_b]);
        Self { packed, features: features.collect(), legends: colourings.map(|c| c.legend).into() }
    }

    /// How much it takes of the page, bytes, about.
    pub fn bytes(&self) -> usize {
        let contacts = &self.packed.contacts;
        let lists = [
            &self.packed.poses,
            &contacts.pairs,
            &contacts.positions,
            &contacts.normals,
            &contacts.gaps,
            &contacts.kinds,
            &contacts.verdicts,
        ];
        let optional = [&contacts.qualities, &contacts.forces].into_iter().flatten();
        let lists: usize = lists.into_iter().chain(optional).map(String::len).sum();
        let surfaces: usize = self.packed.surfaces.iter().map(|vertices| vertices.len() + 3).sum();
        FRAME_BYTES + surfaces + lists + FEATURE_BYTES * contacts.count
    }
}

impl Contacts {
    fn new(examined: &Examined, colourings: &[Colouring; ColourBy::ALL.len()]) -> Self {
        let contacts = &examined.contacts[..];
        let of = |by: ColourBy| &colourings[by as usize];
        let pairs = contacts.chunk_by(|p, q| (p.between.a, p.between.b) == (q.between.a, q.between.b));
        let pair = |list: &[crate::inspection::ExaminedContact]| {
            let between = &list[0].between;
            [between.a.index() as u32, between.b.index() as u32, list.len() as u32]
        };
        let is_judged = contacts.iter().any(|c| c.quality.is_some());
        let is_solved = contacts.iter().any(|c| c.force.is_some());
        let nothing = glam::DVec3::NAN;
        Self {
            count: contacts.len(),
            pairs: packed::counts(pairs.flat_map(pair)),
            positions: packed::vectors(contacts.iter().map(|c| c.between.contact.position)),
            normals: packed::vectors(contacts.iter().map(|c| c.between.contact.normal)),
            gaps: packed::singles(contacts.iter().map(|c| c.between.contact.gap)),
            qualities: is_judged.then(|| packed::singles(contacts.iter().map(|c| c.quality.unwrap_or(f64::NAN)))),
            forces: is_solved.then(|| packed::vectors(contacts.iter().map(|c| c.force.unwrap_or(nothing)))),
            kinds: packed::small(entries(of(ColourBy::FeaturePair))),
            verdicts: packed::small(entries(of(ColourBy::Verdict))),
        }
    }
}

/// For each contact, its entry in a legend of names. The colours of such a legend differ.
fn entries(colouring: &Colouring) -> impl Iterator<Item = u8> + '_ {
    let colours: Vec<Rgb> = match &colouring.legend {
        Legend::Names { entries, .. } => entries.iter().map(|(colour, ..)| *colour).collect(),
        Legend::Ramp { .. } => Vec::new(),
    };
    let place = move |colour: &Rgb| colours.iter().position(|c| c == colour).unwrap_or(0) as u8;
    colouring.colours.iter().map(place)
}
