//! Many points of one body at once: a tree of balls around them, so that boxes rule out whole groups.
//!
//! A group is no farther from its middle point than its radius, however the body turns; so the box around the chord of the
//! middle point, grown by the radius, holds all of them. The group far from the centre of the body comes first: its
//! points move fastest, and once one has touched, only earlier times are of interest to the rest (the paper's "further speedups").

use glam::{DMat3, DVec3};

use super::chord_box::chord_box;
use super::determine::{Search, check};
use super::outcome::{Contact, Counts, Outcome, StopReason};
use super::path::RigidPath;
use super::settings::{Boxes, TocSettings};
use super::{Bound, TocError};
use crate::pose::Pose;
use crate::solid::{OrientedBox, Relation, Solid};
use crate::sorting::CompactSort;

/// A group whose box is longer than so many of its radii is followed over shorter times before it is taken apart.
const LONG: f64 = 8.0;

/// But not over less than this share of the whole time.
const PIECES: f64 = 64.0;

/// Points of a body in a tree of balls.
#[derive(Clone, Debug, PartialEq)]
pub struct PointTree {
    /// In the order of the leaves.
    points: Vec<DVec3>,
    /// The number of each point in the list that it was made from.
    numbers: Vec<u32>,
    /// The root first; the children of a node stand behind it.
    nodes: Vec<Node>,
}

/// A ball around points `first` to `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    centre: DVec3,
    radius: f64,
    first: u32,
    end: u32,
    /// The child with the point farthest from the centre of the body, and the other one.
    children: Option<[u32; 2]>,
}

/// The first contact of one of the points.
#[derive(Clone, Debug, PartialEq)]
pub struct PointContact {
    /// The number of the point in the list that the tree was made from.
    pub point: u32,
    /// Its first contact.
    pub contact: Contact,
}

/// Scratch space, for a caller to keep from query to query.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    waiting: Vec<(u32, [f64; 2])>,
    /// The points that have touched.
    touched: Vec<bool>,
    /// The points whose search was stopped, and when.
    stopped: Vec<(u32, f64)>,
}

impl Workspace {
    /// The points whose search was stopped in the last query, in ascending order, each with the time until which it is
    /// certainly outside, s.
    pub fn stopped(&self) -> &[(u32, f64)] {
        &self.stopped
    }
}

impl PointTree {
    /// A tree of points in the frame of the body, m, which must be finite.
    pub fn new(points: &[DVec3]) -> Self {
        let mut order: Vec<(DVec3, u32)> = points.iter().copied().zip(0..).collect();
        let mut nodes = Vec::with_capacity(2 * points.len());
        if !order.is_empty() {
            build(&mut order, 0, &mut nodes);
        }
        let (points, numbers) = order.into_iter().unzip();
        Self { points, numbers, nodes }
    }

    /// The points in the order of the tree, m.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The first contact of any of the points between two times (s), with the same guarantees as
    /// [`super::determine_toc`]; of points that touch at the same time the first in the tree. The second value is what is
    /// known of all of them: nothing touches before, and nothing at all if there is no contact and the search was not stopped.
    ///
    /// # Errors
    /// [`TocError`].
    pub fn first_contact(
        &self,
        solid: &dyn Solid,
        path: &RigidPath,
        interval: [f64; 2],
        settings: &TocSettings,
        workspace: &mut Workspace,
    ) -> Result<(Option<PointContact>, Outcome, Counts), TocError> {
        let mut first: Option<PointContact> = None;
        let (stopped, counts) = self.search(solid, path, interval, settings, workspace, true, |contact| {
            if first.as_ref().is_none_or(|known| contact.contact.time < known.contact.time) {
                first = Some(contact);
            }
        })?;
        let outcome = match (stopped, &first) {
            (Some((time, reason)), known) if known.as_ref().is_none_or(|known| time < known.contact.time) => {
                Outcome::Stopped { time, reason }
            }
            (_, Some(known)) => Outcome::Contact(known.contact.clone()),
            (_, None) => Outcome::Apart,
        };
        Ok((first, outcome, counts))
    }

    /// Appends the first contact of each point that touches between two times (s), in the order of the list that the tree was
    /// made from. The value is the time until which nothing was missed (infinite unless the search was stopped), and what it
    /// took. Points whose search was stopped are in [`Workspace::stopped`].
    ///
    /// # Errors
    /// [`TocError`].
    pub fn contacts(
        &self,
        solid: &dyn Solid,
        path: &RigidPath,
        interval: [f64; 2],
        settings: &TocSettings,
        workspace: &mut Workspace,
        contacts: &mut Vec<PointContact>,
    ) -> Result<(f64, Counts), TocError> {
        let known = contacts.len();
        let (stopped, counts) =
            self.search(solid, path, interval, settings, workspace, false, |contact| contacts.push(contact))?;
        contacts[known..].sort_unstable_by_key(|contact| contact.point);
        Ok((stopped.map_or(f64::INFINITY, |(time, _)| time), counts))
    }

    /// Appends the numbers of all points that may be nearer to a solid than a distance (m), in ascending order; `relative`
    /// leads from the frame of the points to that of the solid. Points that are farther than [`Solid::slack`] allows are not among them.
    pub fn near(
        &self,
        solid: &dyn Solid,
        relative: &Pose,
        distance: f64,
        workspace: &mut Workspace,
        points: &mut Vec<u32>,
    ) {
        let known = points.len();
        let waiting = &mut workspace.waiting;
        waiting.clear();
        if !self.nodes.is_empty() {
            waiting.push((0, [0.0; 2]));
        }
        while let Some((index, _)) = waiting.pop() {
            let node = self.nodes[index as usize];
            let centre = relative.transform_point(node.centre);
            let half = DVec3::splat(node.radius + distance);
            let around = OrientedBox { centre, axes: DMat3::IDENTITY, half };
            if solid.relation(&around) == Relation::Outside {
                continue;
            }
            match node.children {
                Some(children) => waiting.extend(children.map(|child| (child, [0.0; 2]))),
                None => points.push(self.numbers[node.first as usize]),
            }
        }
        points[known..].sort_unstable();
    }

    /// Hands every contact that is found to `found`; if only the first is asked for, none that is later than one found before.
    #[allow(clippy::too_many_arguments)]
    fn search(
        &self,
        solid: &dyn Solid,
        path: &RigidPath,
        interval: [f64; 2],
        settings: &TocSettings,
        workspace: &mut Workspace,
        is_first_alone: bool,
        mut found: impl FnMut(PointContact),
    ) -> Result<(Option<(f64, StopReason)>, Counts), TocError> {
        let usual = TocSettings { bound: Bound::Exact, boxes: Boxes::Chord, ..*settings };
        check(&path.point(DVec3::ZERO), interval, &usual)?;
        let mut counts = Counts::default();
        let mut earliest: Option<(f64, StopReason)> = None;
        let mut is_stopped = |time: f64, reason| {
            if earliest.is_none_or(|(known, _)| time < known) {
                earliest = Some((time, reason));
            }
        };
        let Workspace { waiting, touched, stopped } = workspace;
        stopped.clear();
        touched.clear();
        touched.resize(self.points.len(), false);
        waiting.clear();
        if !self.nodes.is_empty() {
            waiting.push((0, interval));
        }
        let mut latest = interval[1];
        while let Some((index, [start, end])) = waiting.pop() {
            let node = self.nodes[index as usize];
            let end = end.min(latest);
            if start > end || (node.children.is_none() && touched[node.first as usize]) {
                continue;
            }
            if node.children.is_none() {
                let motion = path.point(self.points[node.first as usize]);
                let mut search = Search::new(solid, &motion, &usual, counts);
                let outcome = search.run([start, end]);
                counts = search.counts;
                match outcome {
                    Outcome::Contact(contact) => {
                        touched[node.first as usize] = true;
                        if is_first_alone {
                            latest = contact.time;
                        }
                        found(PointContact { point: self.numbers[node.first as usize], contact });
                    }
                    Outcome::Stopped { time, reason } => {
                        is_stopped(time, reason);
                        stopped.push((self.numbers[node.first as usize], time));
                    }
                    Outcome::Apart => {}
                }
                continue;
            }
            if counts.tests >= usual.max_boxes {
                is_stopped(start, StopReason::Boxes);
                stopped
                    .extend(self.numbers[node.first as usize..node.end as usize].iter().map(|&point| (point, start)));
                continue;
            }
            counts.tests += 1;
            let times = [start, end];
            let motion = path.cluster(node.centre, node.radius);
            let ends = times.map(|time| motion.position(time));
            let deviation = motion.deviation(times, Bound::Exact);
            let turned = chord_box(ends[0], ends[1], &deviation, node.radius + motion.rounding(times));
            if solid.relation(&turned) == Relation::Outside {
                continue;
            }
            let middle = start.midpoint(end);
            // Not without end: points may be in one place.
            let is_whole = (end - start) * PIECES > interval[1] - interval[0];
            let is_long = is_whole && turned.half.max_element() > LONG * node.radius;
            if is_long {
                waiting.extend([(index, [middle, end]), (index, [start, middle])]);
            } else if let Some([far, near]) = node.children {
                waiting.extend([(near, times), (far, times)]);
            }
        }
        stopped.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        stopped.dedup_by_key(|(point, _)| *point);
        Ok((earliest, counts))
    }
}

/// Appends the subtree over points that begin at `first` and returns its root.
fn build(points: &mut [(DVec3, u32)], first: u32, nodes: &mut Vec<Node>) -> u32 {
    let root = nodes.len() as u32;
    let end = first + points.len() as u32;
    let bounds =
        points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p.0), high.max(p.0)));
    let centre = if points.len() == 1 { points[0].0 } else { bounds.0.midpoint(bounds.1) };
    let radius = points.iter().map(|p| p.0.distance(centre)).fold(0.0, f64::max) * (1.0 + f64::EPSILON * 8.0);
    nodes.push(Node { centre, radius, first, end, children: None });
    if points.len() == 1 {
        return root;
    }
    let axis = (bounds.1 - bounds.0).max_position();
    points.compact_sort_by(|a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let half = points.len() / 2;
    let far = |points: &[(DVec3, u32)]| points.iter().map(|p| p.0.length()).fold(0.0, f64::max);
    let (lower, upper) = points.split_at_mut(half);
    let is_lower_far = far(lower) >= far(upper);
    let lower = build(lower, first, nodes);
    let upper = build(upper, first + half as u32, nodes);
    nodes[root as usize].children = Some(if is_lower_far { [lower, upper] } else { [upper, lower] });
    root
}
