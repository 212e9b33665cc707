//! The closest point of the surface.
//!
//! Parts are looked at near ones first, and left out where the hull of their control points is farther away than the closest
//! point so far, or where the squared distance is a convex function of the parameters from that point to all of the part; others are
//! cut in halves. Newton's iteration on (S − p) · S_u = (S − p) · S_v = 0, kept within the part's patch, puts the last digits to it.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::tree::Leaf;
use super::{NARROWEST, Parametric, WAITING};
use crate::shape::SurfacePoint;
use crate::solid::bezier::convexity::Convexity;
use crate::solid::bezier::gap::gap;
use crate::solid::bezier::net::{Net, Part};
use crate::solid::bezier::patch::BezierPatch;
use crate::solid::{NoNormal, OrientedBox, Solid};

/// By this share of the extent another point of the surface may be nearer than the one found.
const NEARER: f64 = 1e-13;

/// After so many parts the search takes points for equally near that are not quite; and more so after as many again.
const PATIENCE: u32 = 512;
const IMPATIENCE: u32 = 64;

/// Steps of Newton's iteration at most.
const STEPS: usize = 30;

/// Parameters nearer to a border than this are on it.
const AT_BORDER: f64 = 1e-9;

/// Normals of patches that meet are one where they differ by no more than this.
const SAME_NORMAL: f64 = 1e-6;

/// A point of a patch.
#[derive(Clone, Copy, Debug)]
struct Foot {
    patch: usize,
    parameters: [f64; 2],
    position: DVec3,
    distance: f64,
}

impl Parametric {
    /// As [`Solid::nearest`].
    pub(super) fn find_nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let no_normal = |position: DVec3, why| NoNormal { kind: Self::KIND, point: position, why };
        let Some(foot) = self.foot(point) else { return Err(no_normal(point, "the point is not finite")) };
        let [u, v] = foot.parameters;
        let Some(normal) = self.patches[foot.patch].normal(u, v) else {
            return Err(no_normal(foot.position, "S_u × S_v vanishes, and has no one limit"));
        };
        let is_border = |t: f64| t <= AT_BORDER || t >= 1.0 - AT_BORDER;
        if (is_border(u) || is_border(v)) && !self.is_smooth(&foot, normal) {
            return Err(no_normal(foot.position, "patches meet at an angle"));
        }
        let side = normal.dot(point - foot.position);
        let (normal, distance) = match (self.is_closed(), side < 0.0) {
            (true, true) => (normal, -foot.distance),
            (false, true) => (-normal, foot.distance),
            (_, false) => (normal, foot.distance),
        };
        Ok(SurfacePoint { position: foot.position, normal, distance })
    }

    fn foot(&self, point: DVec3) -> Option<Foot> {
        if !point.is_finite() {
            return None;
        }
        let mut best: Option<Foot> = None;
        let mut looked = 0;
        self.tree.visit_near(point, f64::INFINITY, |leaf| self.look(leaf, point, &mut best, &mut looked));
        best
    }

    /// Looks for a nearer point in a leaf; returns how far away others need to be looked at, m.
    fn look(&self, leaf: &Leaf, point: DVec3, best: &mut Option<Foot>, looked: &mut u32) -> f64 {
        let there = OrientedBox { centre: point, axes: DMat3::IDENTITY, half: DVec3::ZERO };
        let within = |best: &Option<Foot>, looked: u32| {
            let doublings = looked.saturating_sub(PATIENCE) / IMPATIENCE;
            let share = NEARER * f64::from(1 << doublings.min(30));
            best.map_or(f64::INFINITY, |best| best.distance - share * self.extent)
        };
        // The nearest point of the patch that is known, which another one may beat.
        let mut of_patch: Option<Foot> = None;
        let mut waiting = ArrayVec::<Part, WAITING>::new();
        waiting.push(Part::WHOLE);
        while let Some(part) = waiting.pop() {
            *looked += 1;
            let limit = within(best, *looked);
            let net = Net::of_part(&leaf.surface, &part);
            let points = net.projected();
            let [a, b, c, d] = net.corners().map(|k| points[k]);
            if gap(&points, &there, (d - a).cross(b - c), limit, 0.0).lower > limit {
                continue;
            }
            let middle = part.middle();
            let away = leaf.surface.point(middle[0], middle[1]).distance(point);
            if best.is_none_or(|best| away < best.distance) || part == Part::WHOLE {
                let patch = &self.patches[leaf.patch];
                let foot = descend(patch, leaf.patch, leaf.part.at(middle), point);
                for known in [&mut of_patch, best] {
                    if known.is_none_or(|known| foot.distance < known.distance) {
                        *known = Some(foot);
                    }
                }
            }
            if let (Some(foot), Some(convexity)) = (&of_patch, Convexity::of(&net, point))
                && self.is_least_around(foot, &leaf.part.part(&part), convexity, point)
            {
                continue;
            }
            let shape = net.shape(&points);
            let width = part.width();
            if width[0].max(width[1]) > NARROWEST && waiting.remaining_capacity() >= 2 {
                let [first, second] = part.halves(shape.cut(&part));
                let away = |part: &Part| {
                    let [u, v] = part.middle();
                    leaf.surface.point(u, v).distance_squared(point)
                };
                let is_first_nearer = away(&first) < away(&second);
                waiting.extend(if is_first_nearer { [second, first] } else { [first, second] });
            }
        }
        within(best, *looked)
    }

    /// Whether no point of a part of the foot's patch is nearer than the foot, as far as can be told from the convexity of the part, or of one
    /// that holds the foot as well.
    fn is_least_around(&self, foot: &Foot, part: &Part, of_part: Convexity, point: DVec3) -> bool {
        let patch = &self.patches[foot.patch];
        let around = part.with(foot.parameters);
        let convexity =
            if around == *part { Some(of_part) } else { Convexity::of(&Net::of_part(patch, &around), point) };
        let Some(convexity) = convexity else { return false };
        let [u, v] = foot.parameters;
        let at = patch.derivatives(u, v);
        let slope = [(u, at.u), (v, at.v)].map(|(t, tangent)| {
            let slope = (at.s - point).dot(tangent);
            if is_held(t, slope) { 0.0 } else { slope }
        });
        let width = around.width();
        let nearer = NEARER * self.extent;
        convexity.fall([0, 1].map(|k| slope[k] * width[k])) <= nearer * foot.distance.max(nearer)
    }

    /// Whether all patches that meet at a foot have the same normal there.
    fn is_smooth(&self, foot: &Foot, normal: DVec3) -> bool {
        let near = 1e-9 * self.extent + self.seam;
        let there = OrientedBox { centre: foot.position, axes: DMat3::IDENTITY, half: DVec3::splat(near) };
        !self.tree.visit(&there, |leaf| {
            let patch = &self.patches[leaf.patch];
            // The foot itself is the only near point of its own part; other parts of the patch may come back to it.
            let mut best = None;
            self.look(leaf, foot.position, &mut best, &mut 0);
            let Some(other) = best.filter(|other| other.distance <= near) else { return false };
            let [u, v] = other.parameters;
            patch.normal(u, v).is_none_or(|n| {
                let n = if !self.is_closed() && n.dot(normal) < 0.0 { -n } else { n };
                n.distance(normal) > SAME_NORMAL
            })
        })
    }
}

/// Whether a parameter stays at its border: the way down goes beyond.
fn is_held(t: f64, slope: f64) -> bool {
    (t <= 0.0 && slope >= 0.0) || (t >= 1.0 && slope <= 0.0)
}

/// Goes down from parameters to a point of the patch where the distance is least around.
fn descend(patch: &BezierPatch, index: usize, start: [f64; 2], point: DVec3) -> Foot {
    let [mut u, mut v] = start;
    let mut at = patch.derivatives(u, v);
    let rounding = 8.0 * f64::EPSILON * (at.s.abs().max_element() + patch.extent());
    for _ in 0..STEPS {
        let offset = at.s - point;
        let slope = [offset.dot(at.u), offset.dot(at.v)];
        let gauss = [at.u.length_squared(), at.u.dot(at.v), at.v.length_squared()];
        let full = [gauss[0] + offset.dot(at.uu), gauss[1] + offset.dot(at.uv), gauss[2] + offset.dot(at.vv)];
        let held = [is_held(u, slope[0]), is_held(v, slope[1])];
        // Second derivatives where the distance is convex, else those of a plane.
        let is_convex = full[0] > 0.0 && full[2] > 0.0 && full[0] * full[2] > full[1] * full[1];
        let h = if is_convex { full } else { gauss };
        let (step_u, step_v) = match held {
            [true, true] => break,
            [true, false] => (0.0, -slope[1] / h[2]),
            [false, true] => (-slope[0] / h[0], 0.0),
            [false, false] => {
                let determinant = h[0] * h[2] - h[1] * h[1];
                if determinant > 1e-14 * h[0] * h[2] {
                    let step_u = (h[1] * slope[1] - h[2] * slope[0]) / determinant;
                    (step_u, (h[1] * slope[0] - h[0] * slope[1]) / determinant)
                } else {
                    (-slope[0] / h[0].max(f64::MIN_POSITIVE), -slope[1] / h[2].max(f64::MIN_POSITIVE))
                }
            }
        };
        if !(step_u.is_finite() && step_v.is_finite()) {
            break;
        }
        // Shorter steps until the point is not farther.
        let mut share = 1.0;
        let mut next = None;
        for _ in 0..8 {
            let (next_u, next_v) = ((u + share * step_u).clamp(0.0, 1.0), (v + share * step_v).clamp(0.0, 1.0));
            let there = patch.derivatives(next_u, next_v);
            if there.s.distance(point) <= offset.length() + rounding {
                next = Some((next_u, next_v, there));
                break;
            }
            share *= 0.25;
        }
        let Some((next_u, next_v, there)) = next else { break };
        let moved = (next_u - u).abs() + (next_v - v).abs();
        (u, v, at) = (next_u, next_v, there);
        if moved <= 2.0 * f64::EPSILON {
            break;
        }
    }
    Foot { patch: index, parameters: [u, v], position: at.s, distance: at.s.distance(point) }
}
