//! Everything that is known of the contacts of a frame.

use drystone_contact::Twist;
use drystone_contact::generator::Placed;
use drystone_contact::generator::cone_filter::{ConeFilter, Verdict};
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::semi_local::patch::Patch;
use drystone_engine::solver::contact_problem::tangents;
use drystone_engine::{BodyId, ContactBetween};
use drystone_scenes::filtering::verdicts;
use drystone_scenes::measure::qualities;
use glam::DVec3;

use super::frame::Frame;
use super::subject::Subject;

/// A contact and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExaminedContact {
    /// Where it is, between which bodies, from which features.
    pub between: ContactBetween,
    /// Q: the largest |n·e| over the expected normals e of its pair, 0 where there should be no contact; `None` where
    /// nothing is known.
    pub quality: Option<f64>,
    /// What the normal-cone filter says of it: whether its normal is one that a plane between the bodies can have.
    pub verdict: Verdict,
    /// The mean force on B over the step, N; `None` where nothing was solved.
    pub force: Option<DVec3>,
}

/// A contact polygon of the semi-local generator.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPolygon {
    /// The first body.
    pub a: BodyId,
    /// The second body.
    pub b: BodyId,
    /// Where, in which direction, how large; world frame.
    pub patch: Patch,
}

/// A frame and everything that is known of its contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examined {
    /// In the order of [`Frame::contacts`]; contacts are merged into others by their place in this list.
    pub contacts: Vec<ExaminedContact>,
    /// The polygons in which facets touch; only for the semi-local generator.
    pub polygons: Vec<ContactPolygon>,
}

/// Examines the contacts of a frame.
pub fn examine(subject: &Subject, frame: &Frame) -> Examined {
    let qualities = subject.truth.as_ref().map(|truth| qualities(&frame.contacts, &truth.at(&frame.poses)));
    let of = |id| placed(subject, frame, id);
    let verdicts = verdicts(&**subject.method.generator(), of, &frame.contacts, &ConeFilter::default());
    let force = |k: usize, between: &ContactBetween| {
        let impulse = frame.impulses.as_ref()?.get(k)?;
        let normal = between.contact.normal;
        let [s, t] = tangents(normal);
        Some((normal * impulse[0] + s * impulse[1] + t * impulse[2]) / subject.time_step)
    };
    let contacts = frame.contacts.iter().enumerate().map(|(k, between)| ExaminedContact {
        between: *between,
        quality: qualities.as_ref().map(|list| list[k]),
        verdict: verdicts[k],
        force: force(k, between),
    });
    Examined { contacts: contacts.collect(), polygons: polygons(subject, frame) }
}

fn placed<'s>(subject: &'s Subject, frame: &Frame, id: BodyId) -> Placed<'s> {
    let shape = &*subject.bodies[id.index()].shape;
    Placed { shape, pose: frame.poses[id.index()], twist: Twist::default() }
}

/// Of the pairs that have contacts: a polygon has one at each of its corners.
fn polygons(subject: &Subject, frame: &Frame) -> Vec<ContactPolygon> {
    if subject.method.name() != "semi-local" {
        return Vec::new();
    }
    let (generator, mut polygons) = (SemiLocal::default(), Vec::new());
    for pair in frame.contacts.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
        let (a, b) = (pair[0].a, pair[0].b);
        let patches = generator.patches(&placed(subject, frame, a), &placed(subject, frame, b));
        polygons.extend(patches.into_iter().map(|patch| ContactPolygon { a, b, patch }));
    }
    polygons
}
