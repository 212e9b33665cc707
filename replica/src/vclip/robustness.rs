//! The robustness test (TR97-05, Algorithm 10): between two poses of B the moment is searched, by halves, at which the
//! closest features change, where they are as degenerate as numbers allow; and the search is watched at each step.
//!
//! The report does not say what the mean of two rotations is; here it is the quaternion between them, normalized. Every
//! answer is checked by brute force: the points are points of the polyhedra, and over all vertices of both the distance
//! along the line through the points is the distance that was found.

use std::ops::AddAssign;

use glam::{DMat3, DQuat, DVec3};

use super::random::Random;
use drystone_contact::Pose;
use drystone_contact::shape::features::FeatureId;
use drystone_contact::vclip::{Closest, ConvexPolyhedron, Found, Outcome, Pair, RelativePose, certified, closest};

/// B is this high over A, m, and up to this far from its axis on either side.
const HEIGHT: f64 = 4.0;

/// Turns are e^−k rad, with k from 0 up to this.
const SMALLEST_TURN: f64 = 20.0;

/// Units in the last place of the coordinates by which the found distance may differ from that over all vertices.
const UNITS: f64 = 32.0;

/// How B is turned against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turns {
    /// By e^−k rad about any axis, k spread evenly from 0 to 20: more often than not hardly.
    Slight,
    /// Not at all: what is parallel is exactly so.
    None,
    /// A and B are turned alike by any angle: what is parallel is so but for rounding.
    Alike,
}

impl Turns {
    /// That of the report first.
    pub const ALL: [Self; 3] = [Self::Slight, Self::None, Self::Alike];

    /// In lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slight => "slight",
            Self::None => "none",
            Self::Alike => "alike",
        }
    }
}

/// What came out of some trials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many trials there were.
    pub trials: u64,
    /// Calls of the search.
    pub calls: u64,
    /// Searches that went round in a circle.
    pub circles: u64,
    /// Searches that found a common point, where there is none.
    pub intersecting: u64,
    /// Searches whose distance is not that over all vertices.
    pub wrong: u64,
    /// Answers of [`certified`] that are wrong, or without a tight certificate, among those where the search alone
    /// failed.
    pub uncertified: u64,
    /// The largest difference between a distance that the search found and that over all vertices, m.
    pub error: f64,
    /// The pairs at the end of the trials: two vertices, vertex and edge, two edges, vertex and face.
    pub pairs: [u64; 4],
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.trials += other.trials;
        self.calls += other.calls;
        self.circles += other.circles;
        self.intersecting += other.intersecting;
        self.wrong += other.wrong;
        self.uncertified += other.uncertified;
        self.error = self.error.max(other.error);
        self.pairs = [0, 1, 2, 3].map(|k| self.pairs[k] + other.pairs[k]);
    }
}

/// One trial between two equal solids centred on their origins; its number and the seed decide its poses.
pub fn trial(solid: &ConvexPolyhedron, turns: Turns, seed: u64, number: u64) -> Tally {
    let mut random = Random::of_run(seed, number);
    let frame = match turns {
        Turns::Alike => turned(random.direction(), random.between(0.0, std::f64::consts::TAU)),
        Turns::Slight | Turns::None => DQuat::IDENTITY,
    };
    let mut end = || {
        let position = DVec3::new(random.between(-HEIGHT, HEIGHT), random.between(-HEIGHT, HEIGHT), HEIGHT);
        let turn = match turns {
            Turns::Slight => turned(random.direction(), libm::exp(-random.between(0.0, SMALLEST_TURN))),
            Turns::None | Turns::Alike => DQuat::IDENTITY,
        };
        (turn, position)
    };
    let ends = [end(), end()];
    let relative_pose = |share: f64| match turns {
        Turns::Alike => {
            let position = ends[0].1.lerp(ends[1].1, share);
            RelativePose::new(&Pose::from_parts(DVec3::ZERO, frame), &Pose::from_parts(frame * position, frame))
        }
        Turns::Slight | Turns::None => {
            let turn = ends[0].0.lerp(ends[1].0, share);
            RelativePose::from_parts(DMat3::from_quat(turn), ends[0].1.lerp(ends[1].1, share))
        }
    };
    let mut tally = Tally { trials: 1, ..Tally::default() };
    let mut pair = Pair::FIRST;
    tally.call(solid, &relative_pose(0.0), &mut pair);
    let kept = pair;
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        tally.call(solid, &relative_pose(middle), &mut pair);
        if pair == kept { low = middle } else { high = middle }
    }
    tally.pairs[kind(pair)] += 1;
    tally
}

/// The quaternion of a turn about a unit axis by an angle, rad.
fn turned(axis: DVec3, angle: f64) -> DQuat {
    let v = libm::sin(0.5 * angle) * axis;
    DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(0.5 * angle))
}

/// The place of a pair in [`Tally::pairs`].
fn kind(pair: Pair) -> usize {
    use FeatureId::{Edge, Facet, Vertex};
    match (pair.a, pair.b) {
        (Vertex(_), Vertex(_)) => 0,
        (Vertex(_), Edge(_)) | (Edge(_), Vertex(_)) => 1,
        (Edge(_), Edge(_)) => 2,
        (Facet(_), _) | (_, Facet(_)) => 3,
    }
}

impl Tally {
    /// One call of the search, from a pair which is replaced, and its check.
    fn call(&mut self, solid: &ConvexPolyhedron, relative_pose: &RelativePose, pair: &mut Pair) {
        let start = *pair;
        let allowed = UNITS * f64::EPSILON * (2.0 * solid.radius() + relative_pose.parts().1.length());
        self.calls += 1;
        let is_right = match closest(solid, solid, relative_pose, pair) {
            Found::Apart(closest) => {
                let [own, other] = closest.points;
                let error =
                    error(solid, relative_pose, &closest, (relative_pose.point_of_b(other) - own).normalize_or_zero());
                self.error = self.error.max(error);
                self.wrong += u64::from(error > allowed);
                error <= allowed
            }
            Found::Intersecting(_) => {
                self.intersecting += 1;
                false
            }
            Found::Circle => {
                self.circles += 1;
                false
            }
        };
        if !is_right {
            *pair = start;
            let is_certain = match certified(solid, solid, relative_pose, pair) {
                Outcome::Apart { closest, certificate, .. } => {
                    certificate.is_tight() && error(solid, relative_pose, &closest, certificate.direction) <= allowed
                }
                Outcome::Overlapping { .. } => false,
            };
            self.uncertified += u64::from(!is_certain);
        }
    }
}

/// How far an answer may be from the distance, m, by brute force over all vertices and faces: the difference of its
/// bounds, the lower one along a direction from A to B.
fn error(solid: &ConvexPolyhedron, relative_pose: &RelativePose, closest: &Closest, direction: DVec3) -> f64 {
    let [own, other] = closest.points;
    let outside = solid.outermost_plane(own).1.max(solid.outermost_plane(other).1);
    let offset = relative_pose.point_of_b(other) - own;
    let there = relative_pose.direction_to_b(direction);
    let above = solid.vertices().iter().map(|&v| direction.dot(v - own)).fold(f64::NEG_INFINITY, f64::max);
    let below = solid.vertices().iter().map(|&v| there.dot(v - other)).fold(f64::INFINITY, f64::min);
    let gap = offset.length() - (direction.dot(offset) + below - above);
    gap.abs().max(outside).max((offset.length() - closest.distance).abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vclip::coherence::Solid;

    fn tally(solid: Solid, turns: Turns, trials: u64) -> Tally {
        let solid = solid.polyhedron().unwrap();
        let mut tally = Tally::default();
        (0..trials).for_each(|number| tally += trial(&solid, turns, 1, number));
        tally
    }

    #[test]
    fn cubes_are_never_wrong() {
        let tally = tally(Solid::Cube, Turns::Slight, 200);
        assert_eq!([tally.circles, tally.intersecting, tally.wrong, tally.uncertified], [0; 4]);
        assert_eq!((tally.trials, tally.pairs.iter().sum::<u64>()), (200, 200));
        // 53 halves where the change is between a half and one, one more for each power of two before.
        assert!((50..70).contains(&(tally.calls / tally.trials)), "{tally:?}");
    }

    #[test]
    fn what_the_search_cannot_do_is_repaired() {
        for (solid, turns) in
            [(Solid::Icosahedron, Turns::None), (Solid::Icosahedron, Turns::Alike), (Solid::Disk, Turns::Alike)]
        {
            let tally = tally(solid, turns, 100);
            assert_eq!([tally.intersecting, tally.uncertified], [0; 2], "{solid:?} {turns:?}");
        }
    }

    #[test]
    fn a_wrong_answer_is_seen() {
        let solid = Solid::Cube.polyhedron().unwrap();
        let relative_pose = RelativePose::from_parts(DMat3::IDENTITY, DVec3::new(0.0, 0.0, 4.0));
        let points = |x: f64| [DVec3::new(x, 0.0, 1.0), DVec3::new(0.0, 0.0, -1.0)];
        let closest = |points: [DVec3; 2], distance| Closest { pair: Pair::FIRST, points, distance };
        let error = |closest: &Closest, direction| error(&solid, &relative_pose, closest, direction);
        let up = DVec3::Z;
        assert_eq!(error(&closest(points(0.0), 2.0), up), 0.0);
        assert!(error(&closest(points(0.0), 2.0), DVec3::new(0.1, 0.0, 1.0).normalize()) > 0.1, "turned");
        assert!(error(&closest(points(0.1), 2.0025), up) > 1e-3, "aslant");
        assert!(error(&closest(points(0.0), 2.5), up) > 0.1, "not their distance");
        let outside = [DVec3::new(0.0, 0.0, 1.5), DVec3::new(0.0, 0.0, -1.0)];
        assert!(error(&closest(outside, 1.5), up) > 0.1, "no point of A");
    }
}
