//! What is picked, and what became of a contact over time.

use drystone::contact::Feature;
use drystone::engine::{BodyId, ContactBetween};
use drystone_report::inspection::History;
use glam::DVec3;

/// What makes a contact the same one in another step: the features that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContactKey {
    /// The first body.
    pub a: BodyId,
    /// The second body.
    pub b: BodyId,
    /// The feature of the first.
    pub feature_a: Feature,
    /// The feature of the second.
    pub feature_b: Feature,
    /// Its place among the contacts of these features, from 0: two facets have one at each corner of their polygon.
    pub place: usize,
}

impl ContactKey {
    /// Of a contact in a list.
    pub fn of(contacts: &[ContactBetween], index: usize) -> Option<Self> {
        let c = contacts.get(index)?;
        let (feature_a, feature_b) = (c.contact.feature_a, c.contact.feature_b);
        let mut key = Self { a: c.a, b: c.b, feature_a, feature_b, place: 0 };
        key.place = contacts[..index].iter().filter(|c| key.is_of_features(c)).count();
        Some(key)
    }

    fn is_of_features(&self, c: &ContactBetween) -> bool {
        (c.a, c.b) == (self.a, self.b) && (c.contact.feature_a, c.contact.feature_b) == (self.feature_a, self.feature_b)
    }

    /// Where it is in a list of contacts.
    pub fn find(&self, contacts: &[ContactBetween]) -> Option<usize> {
        let of_features = contacts.iter().enumerate().filter(|(_, c)| self.is_of_features(c));
        of_features.map(|(index, _)| index).nth(self.place)
    }
}

/// What is picked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Selected {
    /// Nothing.
    #[default]
    Nothing,
    /// A contact; it stays picked in other steps, for as long as it is there.
    Contact {
        /// Of which track, from 0.
        track: usize,
        /// Which one.
        key: ContactKey,
    },
    /// All contacts with a quality between two values.
    Qualities {
        /// Of which track, from 0.
        track: usize,
        /// From here.
        low: f64,
        /// To here; below it, but for 1.
        high: f64,
    },
    /// A body.
    Body(BodyId),
}

impl Selected {
    /// Whether a quality is one of those between `low` and `high`.
    pub fn has_quality(quality: f64, low: f64, high: f64) -> bool {
        quality >= low && (quality < high || high >= 1.0)
    }
}

/// A contact in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSample {
    /// The step.
    pub step: u64,
    /// m.
    pub gap: f64,
    /// Unit, from A to B.
    pub normal: DVec3,
    /// The impulse along the normal, N s; `None` where nothing was solved.
    pub impulse: Option<f64>,
}

/// What became of a contact in all kept steps in which it is there.
pub fn contact_history(history: &History, key: &ContactKey) -> Vec<ContactSample> {
    let sample = |frame: &std::sync::Arc<drystone_report::inspection::Frame>| {
        let index = key.find(&frame.contacts)?;
        let contact = &frame.contacts[index].contact;
        let impulse = frame.impulses.as_ref().and_then(|list| list.get(index)).map(|impulse| impulse[0]);
        Some(ContactSample { step: frame.step, gap: contact.gap, normal: contact.normal, impulse })
    };
    history.frames().filter_map(sample).collect()
}
