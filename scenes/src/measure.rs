//! The measures of the assessment (paper, sections 5 and 8.4): coverage, quality, excess; and by how much wrong
//! normals are wrong.

use drystone_engine::{BodyId, ContactBetween};
use glam::DVec3;
use serde::Serialize;

use crate::contact_area::ContactArea;
use crate::truth::{PairTruth, Truth};

/// How contacts are matched with expected normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matching {
    /// A normal n matches an expected unit normal e if | |n·e| − 1 | is below this; n is taken as it is, unit or not.
    pub tolerance: f64,
}

impl Default for Matching {
    /// The rule that reproduces the published table.
    fn default() -> Self {
        Matching { tolerance: 1e-4 }
    }
}

impl Matching {
    /// Whether a normal, unit or not, matches an expected one, unit, in either sense.
    pub fn matches(&self, normal: DVec3, expected: DVec3) -> bool {
        (normal.dot(expected).abs() - 1.0).abs() < self.tolerance
    }
}

/// The scores of a list of contacts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Number of contacts.
    pub contacts: usize,
    /// How many of them match an expected normal of their pair.
    pub matching: usize,
    /// Share of expected normals that at least one contact matches, 0…1.
    pub coverage: f64,
    /// Share of contacts that match, 0…1; 0 if there are no contacts.
    pub quality: f64,
    /// The minimal number of contacts of the touching pose.
    pub minimum: usize,
    /// Contacts by that minimum.
    pub excess: f64,
    /// Contacts that do not match.
    pub wrong: Wrong,
    /// The area that the contacts span, where the scene's areas are known.
    pub area: Option<ContactArea>,
}

/// Contacts whose normal matches none expected, and by how much they miss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wrong {
    /// How many.
    pub count: usize,
    /// The angles to the nearest expected normal, degrees, 0…90: smallest, lower quartile, median, upper quartile,
    /// largest, over the contacts of pairs with a truth. `None` without such contacts.
    pub angles: Option<[f64; 5]>,
}

/// Scores contacts against the truth at the poses where they were found ([`Truth::at`]).
pub fn score(contacts: &[ContactBetween], truth: &Truth, matching: &Matching) -> Score {
    let mut covered: Vec<Vec<bool>> = truth.pairs.iter().map(|p| vec![false; p.normals.len()]).collect();
    let mut good = 0;
    let mut angles = Vec::new();
    for c in contacts {
        let normal = c.contact.normal;
        let Some(pair) = truth.pairs.iter().position(|p| is_pair(p.a, p.b, c)) else {
            continue;
        };
        let mut is_match = false;
        for (k, expected) in truth.pairs[pair].directions().enumerate() {
            if matching.matches(normal, expected) {
                covered[pair][k] = true;
                is_match = true;
            }
        }
        if is_match {
            good += 1;
        } else {
            angles.extend(smallest_angle(normal, truth.pairs[pair].directions()));
        }
    }
    let share = |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let covered = covered.iter().flatten().filter(|&&c| c).count();
    let minimum = truth.minimum();
    Score {
        contacts: contacts.len(),
        matching: good,
        coverage: share(covered, truth.normals()),
        quality: share(good, contacts.len()),
        minimum,
        excess: share(contacts.len(), minimum),
        wrong: Wrong { count: contacts.len() - good, angles: quartiles(angles) },
        area: ContactArea::of(contacts, truth),
    }
}

/// Q of every contact, in their order: the largest |n·e| over the expected normals e of its pair (equations 2 and 7),
/// with n as it is, unit or not; 0 where the pair should have no contact.
pub fn qualities(contacts: &[ContactBetween], truth: &Truth) -> Vec<f64> {
    let quality = |c: &ContactBetween| {
        let normals = truth.of(c.a, c.b).into_iter().flat_map(PairTruth::directions);
        normals.map(|e| c.contact.normal.dot(e).abs()).fold(0.0, f64::max)
    };
    contacts.iter().map(quality).collect()
}

fn is_pair(a: BodyId, b: BodyId, c: &ContactBetween) -> bool {
    (a, b) == (c.a, c.b) || (a, b) == (c.b, c.a)
}

/// The smallest angle between the lines of `normal` and of an expected normal, degrees; 90 for a zero normal.
fn smallest_angle(normal: DVec3, expected: impl Iterator<Item = DVec3>) -> Option<f64> {
    let direction = normal.normalize_or_zero();
    let angle = |e: DVec3| libm::atan2(direction.cross(e).length(), direction.dot(e).abs());
    let angles = expected.map(|e| if direction == DVec3::ZERO { 90.0 } else { angle(e).to_degrees() });
    angles.min_by(f64::total_cmp)
}

/// Smallest, quartiles and largest, by linear interpolation between the sorted values.
fn quartiles(mut values: Vec<f64>) -> Option<[f64; 5]> {
    if values.is_empty() {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(|q| {
        let place = q * (values.len() - 1) as f64;
        let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
        below + (above - below) * place.fract()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::{Contact, Feature};

    fn contact(normal: DVec3) -> ContactBetween {
        let feature = Feature::Tetrahedron(0);
        ContactBetween {
            a: BodyId::new(0),
            b: BodyId::new(1),
            contact: Contact { position: DVec3::ZERO, normal, gap: 0.0, feature_a: feature, feature_b: feature },
        }
    }

    fn truth() -> Truth {
        let pair = PairTruth {
            a: BodyId::new(1),
            b: BodyId::new(0),
            normals: vec![DVec3::X.into(), DVec3::Y.into()],
            minimum: 2,
            area: None,
        };
        Truth { pairs: vec![pair] }
    }

    #[test]
    fn the_three_measures() {
        let tilted = DVec3::new(1.0, 1.0, 0.0).normalize();
        let contacts = [contact(DVec3::X), contact(-DVec3::X), contact(tilted)];
        let score = score(&contacts, &truth(), &Matching::default());
        assert_eq!((score.coverage, score.excess), (0.5, 1.5));
        assert!((score.quality - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(score.wrong.count, 1);
        assert!((score.wrong.angles.unwrap()[2] - 45.0).abs() < 1e-12);
    }

    #[test]
    fn the_quality_of_a_contact_is_that_of_its_nearest_expected_normal() {
        let mut stray = contact(DVec3::X);
        stray.b = BodyId::new(2);
        let qualities = qualities(&[contact(DVec3::new(0.6, -0.8, 0.0)), contact(DVec3::Z), stray], &truth());
        assert_eq!(qualities, [0.8, 0.0, 0.0]);
    }

    #[test]
    fn a_normal_of_another_length_does_not_match() {
        let score = score(&[contact(DVec3::X * 2.0)], &truth(), &Matching::default());
        assert_eq!(score.quality, 0.0);
        assert_eq!(score.wrong.angles.unwrap()[0], 0.0, "its direction is right");
    }

    #[test]
    fn contacts_of_a_pair_without_truth_are_wrong() {
        let mut stray = contact(DVec3::X);
        stray.b = BodyId::new(2);
        let score = score(&[contact(DVec3::Y), stray], &truth(), &Matching::default());
        assert_eq!((score.matching, score.wrong.count, score.wrong.angles), (1, 1, None));
    }

    #[test]
    fn no_contacts_score_nothing() {
        let score = score(&[], &truth(), &Matching::default());
        assert_eq!((score.coverage, score.quality, score.excess), (0.0, 0.0, 0.0));
    }
}
