//! Where a segment crosses a rational Bézier patch.
//!
//! The patch is clipped ([`super::clip`]) against the segment, a box without a width, and cut in halves where that does not
//! narrow it. Seen along the segment, a part is a map of the parameters to a plane; where no derivative along u is parallel to one
//! along v, which the differences of the control points tell, it is one to one, and Newton's iteration finds the only crossing.
//! Parts that are seen edge on, up to rounding, are reported without a sense.
//!
//! Source: T. Nishita, T. Sederberg, M. Kakimoto, "Ray tracing trimmed rational surface patches", SIGGRAPH 1990; the test for one
//! crossing: that the cones of the two hodographs are apart, as T. Sederberg and R. Meyers, "Loop detection in surface patch
//! intersections", 1988.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec2, DVec3};

use super::clip::clip;
use super::net::{Net, Part};
use super::patch::BezierPatch;
use crate::solid::OrientedBox;

/// Parts that wait at most: every cut in halves leaves one more, and there are no more than 2 × 53 cuts.
const WAITING: usize = 128;

/// Parts of one patch that are looked at; the rest, all along a curve that the segment touches, is reported without a sense.
const PARTS: usize = 4096;

/// Steps of Newton's iteration at most.
const STEPS: usize = 12;

/// A part narrower than this has no parameters between (dimensionless).
const NARROWEST: f64 = 4.0 * f64::EPSILON;

/// A segment, and how much rounding takes.
#[derive(Clone, Copy, Debug)]
pub(in crate::solid) struct Line {
    pub from: DVec3,
    /// Unit.
    pub direction: DVec3,
    /// m.
    pub length: f64,
    /// Points nearer to the segment than this may be on it, m.
    pub tolerance: f64,
    /// The segment as a box, grown by the tolerance; its first axis is the direction.
    pub turned: OrientedBox,
}

/// Whether a segment gets in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solid) enum Sense {
    Entry,
    Exit,
    /// The surface is seen edge on, up to rounding.
    Unclear,
}

/// A crossing with one patch.
#[derive(Clone, Copy, Debug)]
pub(in crate::solid) struct Found {
    /// Of the patch.
    pub parameters: [f64; 2],
    /// Along the segment, m, from zero to its length.
    pub along: f64,
    /// How far off that may be, m.
    pub slack: f64,
    pub sense: Sense,
}

impl Line {
    /// `None` of a segment without a length. `tolerance` by the box around the segment.
    pub fn new(from: DVec3, to: DVec3, tolerance: impl FnOnce(&OrientedBox) -> f64) -> Option<Self> {
        let length = from.distance(to);
        let direction = ((to - from) / length).try_normalize()?;
        let across = direction.any_orthonormal_vector();
        let axes = DMat3::from_cols(direction, across, direction.cross(across));
        let line = OrientedBox { centre: from.midpoint(to), axes, half: DVec3::new(0.5 * length, 0.0, 0.0) };
        let tolerance = tolerance(&line);
        Some(Self { from, direction, length, tolerance, turned: line.grown(tolerance) })
    }

    /// A point in the plane across the segment, m.
    fn across(&self, offset: DVec3) -> DVec2 {
        DVec2::new(self.turned.axes.y_axis.dot(offset), self.turned.axes.z_axis.dot(offset))
    }
}

/// Reports every crossing of a patch with a segment, in no order, at least once.
pub(in crate::solid) fn find(patch: &BezierPatch, line: &Line, mut report: impl FnMut(Found)) {
    let mut waiting = ArrayVec::<Part, WAITING>::new();
    waiting.push(Part::WHOLE);
    let mut looked = 0;
    while let Some(mut part) = waiting.pop() {
        looked += 1;
        let mut net = Net::of_part(patch, &part);
        let Some(local) = clip(&net, &line.turned) else { continue };
        let width = local.width();
        let is_narrower = width[0].min(width[1]) < 1.0;
        if is_narrower {
            part = part.part(&local);
            net = Net::of_part(patch, &part);
        }
        let view = View::new(&net, line);
        let root = view.sense().zip(newton(patch, line, &part));
        if let Some((sense, root)) = root {
            let parameters = [0, 1].map(|k| root[k].clamp(part.low[k], part.high[k]));
            let at = patch.derivatives(parameters[0], parameters[1]);
            let offset = at.s - line.from;
            if line.across(offset).length() <= 2.0 * line.tolerance {
                let along = offset.dot(line.direction);
                if along >= -2.0 * line.tolerance && along <= line.length + 2.0 * line.tolerance {
                    let normal = at.u.cross(at.v);
                    let share = normal.dot(line.direction).abs() / normal.length();
                    let slack = if share > 0.0 { 4.0 * line.tolerance / share } else { 4.0 * line.tolerance };
                    report(Found { parameters, along: along.clamp(0.0, line.length), slack, sense });
                }
                continue;
            }
            // A root elsewhere on the patch: the only one of both places together?
            if root.iter().all(|t| (0.0..=1.0).contains(t)) {
                let both = Part {
                    low: [0, 1].map(|k| part.low[k].min(root[k])),
                    high: [0, 1].map(|k| part.high[k].max(root[k])),
                };
                if View::new(&Net::of_part(patch, &both), line).sense().is_some() {
                    continue;
                }
            }
        }
        let smallest = part.width();
        let is_point = smallest[0].max(smallest[1]) <= NARROWEST;
        if is_point || looked > PARTS || waiting.is_full() || view.is_edge_on(line.tolerance) {
            let [low, high] = net.projected().iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
                let along = (*p - line.from).dot(line.direction);
                [low.min(along), high.max(along)]
            });
            let (low, high) = (low.clamp(0.0, line.length), high.clamp(0.0, line.length));
            let is_point = is_point || (high - low).max(view.longest.length()) <= 16.0 * line.tolerance;
            let sense = view.sense().filter(|_| is_point).unwrap_or(Sense::Unclear);
            let slack = 0.5 * (high - low) + 4.0 * line.tolerance;
            report(Found { parameters: part.middle(), along: 0.5 * (low + high), slack, sense });
            continue;
        }
        if is_narrower && width[0] * width[1] < 0.5 {
            waiting.push(part);
            continue;
        }
        let cut = net.shape(&net.projected()).cut(&part);
        let cut = if part.width()[cut] <= NARROWEST { 1 - cut } else { cut };
        let [first, second] = part.halves(cut);
        waiting.push(first);
        // There is room: one was taken out, and the list was not full.
        let _ = waiting.try_push(second);
    }
}

/// The parameters of a crossing by an iteration that begins in a part; `None` where it leads to none. They may be beyond the part,
/// and a little beyond the patch.
fn newton(patch: &BezierPatch, line: &Line, part: &Part) -> Option<[f64; 2]> {
    let [mut u, mut v] = part.middle();
    for _ in 0..STEPS {
        let at = patch.derivatives(u, v);
        let (value, along_u, along_v) = (line.across(at.s - line.from), line.across(at.u), line.across(at.v));
        let determinant = along_u.perp_dot(along_v);
        let step = DVec2::new(value.perp_dot(along_v), along_u.perp_dot(value)) / determinant;
        if !step.is_finite() {
            break;
        }
        // Not far beyond the patch, where its weight may vanish.
        let (next_u, next_v) = ((u - step.x).clamp(-0.1, 1.1), (v - step.y).clamp(-0.1, 1.1));
        let has_settled = (next_u - u).abs() + (next_v - v).abs() <= f64::EPSILON;
        (u, v) = (next_u, next_v);
        if has_settled {
            break;
        }
    }
    (line.across(patch.point(u, v) - line.from).length() <= line.tolerance).then_some([u, v])
}

/// A part as it is seen along a segment, which is the origin: homogeneous control points across it, and their differences.
struct View<'a> {
    net: &'a Net,
    line: &'a Line,
    /// The directions of derivatives along u and v, where all of them are on one side.
    cones: [Option<Cone>; 2],
    /// The longest difference, times its weight.
    longest: DVec2,
}

/// All directions between two.
#[derive(Clone, Copy)]
struct Cone {
    clockwise: DVec2,
    counter_clockwise: DVec2,
}

impl<'a> View<'a> {
    fn new(net: &'a Net, line: &'a Line) -> Self {
        let mut view = Self { net, line, cones: [None, None], longest: DVec2::ZERO };
        for direction in 0..2 {
            view.cones[direction] = view.cone(direction);
        }
        view
    }

    /// A control point times its weight, and the weight.
    fn seen(&self, index: usize) -> (DVec2, f64) {
        let p = self.net.points[index];
        (self.line.across(p.truncate() - p.w * self.line.from), p.w)
    }

    fn cone(&mut self, direction: usize) -> Option<Cone> {
        let [m, n] = self.net.degrees;
        let step = if direction == 0 { n + 1 } else { 1 };
        let mut sum = DVec2::ZERO;
        let mut differences = ArrayVec::<DVec2, { super::net::MAXIMUM_POINTS }>::new();
        for i in 0..=m - usize::from(direction == 0) {
            for j in 0..=n - usize::from(direction == 1) {
                let from = i * (n + 1) + j;
                let ((start, weight), (end, _)) = (self.seen(from), self.seen(from + step));
                let difference = end - start;
                if difference.length_squared() > self.longest.length_squared() {
                    self.longest = difference;
                }
                // At a collapsed border differences are nothing but rounding.
                if difference.length() > 0.03 * self.line.tolerance * weight {
                    differences.push(difference);
                    sum += difference;
                }
            }
        }
        let first = *differences.first()?;
        let mut cone = Cone { clockwise: first, counter_clockwise: first };
        for &difference in &differences {
            if difference.dot(sum) <= 0.0 {
                return None;
            }
            if cone.clockwise.perp_dot(difference) < 0.0 {
                cone.clockwise = difference;
            }
            if cone.counter_clockwise.perp_dot(difference) > 0.0 {
                cone.counter_clockwise = difference;
            }
        }
        Some(cone)
    }

    /// In which sense a segment crosses the part, where that is the same in all of it; then it crosses once at most.
    fn sense(&self) -> Option<Sense> {
        let [Some(along_u), Some(along_v)] = self.cones else { return None };
        let ends = |cone: Cone| [cone.clockwise, cone.counter_clockwise];
        let turns = ends(along_u).map(|a| ends(along_v).map(|b| a.perp_dot(b)));
        let all = |test: fn(f64) -> bool| turns.iter().flatten().all(|&turn| test(turn));
        if all(|turn| turn > 0.0) {
            Some(Sense::Exit)
        } else if all(|turn| turn < 0.0) {
            Some(Sense::Entry)
        } else {
            None
        }
    }

    /// Whether the part looks like a line through the segment, or a point, up to rounding.
    fn is_edge_on(&self, tolerance: f64) -> bool {
        let across = self.longest.perp().normalize_or_zero();
        (0..self.net.points.len()).all(|k| {
            let (point, weight) = self.seen(k);
            across.dot(point).abs() <= 4.0 * tolerance * weight
        })
    }
}
