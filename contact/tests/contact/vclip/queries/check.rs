//! Checks of an answer by what it says alone, over all vertices and all faces.

use drystone_contact::shape::FeatureId;
use drystone_contact::vclip::{self, Certificate, Closest, ConvexPolyhedron, Outcome, Pair, RelativePose};
use glam::DVec3;

use super::tally::Tally;

/// Bounds may differ by this share of the coordinates' magnitude at most.
const LOOSEST: f64 = 1e-12;

/// A share of the coordinates' magnitude: roundings of the check itself.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Where a search starts.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// Where the search before it ended.
    Tracked,
    /// At the vertices that are farthest along the line of the centres.
    Cold,
    At(Pair),
}

/// Two polyhedra and where they are.
#[derive(Clone, Copy, Debug)]
pub struct Query<'s> {
    pub solids: [&'s ConvexPolyhedron; 2],
    pub relative_pose: RelativePose,
    pub start: Start,
    /// The distance (m), if it is known by how they were placed.
    pub distance: Option<f64>,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wrong {
    /// Bounds differ by more than rounding, or by more than they say: by this, m.
    Loose(f64),
    /// A point is not on its feature, or the points are not as far apart as it is said.
    Points,
    /// No point in common.
    FalsePenetration,
    /// The distance is another.
    Distance(f64),
    /// The polyhedra overlap where their distance is above zero.
    NotApart(f64),
    /// Not the same answer the other way round or another time.
    Differs,
}

impl Query<'_> {
    /// The sum of the lengths that coordinates come from, m.
    pub fn magnitude(&self) -> f64 {
        let reach = |solid: &ConvexPolyhedron| solid.radius() + solid.centre().length();
        reach(self.solids[0]) + reach(self.solids[1]) + self.relative_pose.parts().1.length()
    }

    fn exchanged(&self) -> Self {
        Self { solids: [self.solids[1], self.solids[0]], relative_pose: self.relative_pose.exchanged(), ..*self }
    }

    fn answer(&self, pair: &mut Pair) -> Outcome {
        let [a, b] = self.solids;
        vclip::certified(a, b, &self.relative_pose, pair)
    }

    /// Answers the query from a pair, which is replaced, and counts what comes of it.
    pub fn run(&self, pair: &mut Pair, tally: &mut Tally) {
        let [a, b] = self.solids;
        let start = match self.start {
            Start::Tracked => *pair,
            Start::Cold => Pair::cold(a, b, &self.relative_pose),
            Start::At(pair) => pair,
        };
        *pair = start;
        let outcome = self.answer(pair);
        let wrong = self.check(outcome, *pair, tally).or_else(|| self.compare(outcome, start));
        let Some(wrong) = wrong else { return };
        match wrong {
            Wrong::FalsePenetration | Wrong::NotApart(_) => tally.false_penetrations += 1,
            _ => tally.misses += 1,
        }
        let counts = self.solids.map(|s| s.vertices().len());
        tally.note(|| {
            format!("{wrong:?}: {counts:?} vertices, {:?}, from {start:?}: {outcome:?}", self.relative_pose.parts())
        });
    }

    /// The answer by itself.
    fn check(&self, outcome: Outcome, pair: Pair, tally: &mut Tally) -> Option<Wrong> {
        tally.queries += 1;
        match outcome {
            Outcome::Apart { closest, certificate, found_by } => {
                tally.apart += 1;
                tally.found(found_by);
                let gap = certificate.upper - self.lower_bound(&closest, &certificate);
                tally.gap = tally.gap.max(gap / self.magnitude());
                (closest.pair != pair)
                    .then_some(Wrong::Differs)
                    .or_else(|| self.check_apart(&closest, &certificate, gap))
            }
            Outcome::Overlapping { pair: end, witness, outside, found_by } => {
                tally.overlapping += 1;
                tally.found(found_by);
                let slack = ROUNDING * self.magnitude();
                let height = self.highest_plane(witness);
                if end != pair {
                    return Some(Wrong::Differs);
                }
                if !(height <= outside + slack && outside <= 4.0 * slack) {
                    return Some(Wrong::FalsePenetration);
                }
                self.distance.filter(|&d| d > 4.0 * slack).map(Wrong::NotApart)
            }
        }
    }

    fn check_apart(&self, closest: &Closest, certificate: &Certificate, gap: f64) -> Option<Wrong> {
        let slack = ROUNDING * self.magnitude();
        let is_unit = (certificate.direction.length() - 1.0).abs() < 4.0 * ROUNDING;
        let is_tight = certificate.is_tight() && gap <= certificate.rounding + slack;
        if !(is_unit && is_tight && certificate.rounding <= LOOSEST * self.magnitude()) {
            return Some(Wrong::Loose(gap));
        }
        let [own, other] = closest.points;
        let apart = (self.relative_pose.point_of_b(other) - own).length();
        let is_distance = (apart - closest.distance).abs() <= slack && (apart - certificate.upper).abs() <= slack;
        let off =
            off_feature(self.solids[0], closest.pair.a, own).max(off_feature(self.solids[1], closest.pair.b, other));
        if !(is_distance && closest.distance > 0.0 && off <= slack) {
            return Some(Wrong::Points);
        }
        self.distance.filter(|d| (d - closest.distance).abs() > 4.0 * slack).map(Wrong::Distance)
    }

    /// The lower bound that a direction gives, m, from all vertices.
    fn lower_bound(&self, closest: &Closest, certificate: &Certificate) -> f64 {
        let n = certificate.direction;
        let [a, b] = self.solids;
        let other = self.relative_pose.point_of_b(closest.points[1]);
        let there = self.relative_pose.direction_to_b(n);
        let high = a.vertices().iter().map(|v| n.dot(*v - closest.points[0])).fold(f64::NEG_INFINITY, f64::max);
        let low = b.vertices().iter().map(|v| there.dot(*v - closest.points[1])).fold(f64::INFINITY, f64::min);
        n.dot(other - closest.points[0]) + low - high
    }

    /// The largest height of a point (frame of A) over a face of either, m.
    fn highest_plane(&self, point: DVec3) -> f64 {
        let height = |solid: &ConvexPolyhedron, x: DVec3| {
            (0..solid.face_count() as u32).map(|f| solid.plane(f).height(x)).fold(f64::NEG_INFINITY, f64::max)
        };
        height(self.solids[0], point).max(height(self.solids[1], self.relative_pose.point_of_a(point)))
    }

    /// The answer against that of another time and that of the exchanged pair.
    fn compare(&self, outcome: Outcome, start: Pair) -> Option<Wrong> {
        let mut again = start;
        if self.answer(&mut again) != outcome {
            return Some(Wrong::Differs);
        }
        let mut exchanged = start.exchanged();
        let there = distance(self.exchanged().answer(&mut exchanged));
        let is_same = (there - distance(outcome)).abs() <= 4.0 * ROUNDING * self.magnitude();
        (!is_same).then_some(Wrong::Differs)
    }
}

/// The distance, m; zero if they overlap.
pub fn distance(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Apart { closest, .. } => closest.distance,
        Outcome::Overlapping { .. } => 0.0,
    }
}

/// How far a point is from a feature, m.
fn off_feature(solid: &ConvexPolyhedron, feature: FeatureId, point: DVec3) -> f64 {
    let at = |v: u32| solid.vertices()[v as usize];
    match feature {
        FeatureId::Vertex(v) => point.distance(at(v)),
        FeatureId::Edge(e) => {
            let [tail, head] = solid.edge(e).map(at);
            let along = head - tail;
            let share = ((point - tail).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            point.distance(tail + share * along)
        }
        FeatureId::Facet(f) => {
            let plane = solid.plane(f);
            let corners: Vec<DVec3> = solid.corners(f).map(|(v, _)| at(v)).collect();
            let beyond = (0..corners.len()).map(|k| {
                let side = (corners[(k + 1) % corners.len()] - corners[k]).normalize();
                plane.normal.dot((point - corners[k]).cross(side))
            });
            beyond.fold(plane.height(point).abs(), f64::max)
        }
    }
}
