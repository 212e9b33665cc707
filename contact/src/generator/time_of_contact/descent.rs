//! From a point of a curved surface near a solid to the point that is nearest to it.
//!
//! The point of a surface nearest to x − α n is where a plane across n touches the surface, the better the larger α is. With n the
//! normal of the solid next to x, and repeated, x goes down to where the two surfaces face each other. It goes little
//! farther than the points of the surface are apart: beyond that another point has begun. Newton's method does the rest ([`super::newton`]).

use glam::DVec3;

use super::meeting::Limits;
use super::newton::{Search, refine};
use crate::Pose;
use crate::shape::{GeneralShape, SurfacePoint};
use crate::solid::Solid;

/// α at first, in thicknesses of the surface, and when the descent ends.
const STRIDES: [f64; 2] = [64.0, 1e-3];

/// α for the points of a flat surface, and how far its inside is looked for, in thicknesses.
const FACING: f64 = 0.01;

/// α grows by this after a step that went down, and shrinks by its square after one that did not.
const GROWTH: f64 = 2.0;

/// A descent goes no farther than this, in spacings of the points.
const REACH: f64 = 1.5;

/// A descent whose steps are no shorter than this share of the one before goes nowhere.
const SHRINKING: f64 = 0.5;

/// Steps at most.
const STEPS: usize = 80;

/// The descent ends when a step is no longer than this share of the thickness.
const STILL: f64 = 1e-12;

/// Where a descent ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Descent {
    /// Points of both surfaces, each in the frame of its solid, the normal of the solid in its frame, and the gap along it.
    Meets {
        /// m.
        own: DVec3,
        /// m.
        other: DVec3,
        /// Outward, unit.
        normal: DVec3,
        /// m.
        gap: f64,
    },
    /// There is no place of contact near but those known, or no normal.
    Leaves,
}

/// Descends from a point of a surface; `relative` leads from its frame to that of the solid. It need not go to places of the
/// surface that are `known` (m).
pub fn descend(
    mover: &GeneralShape,
    solid: &dyn Solid,
    relative: &Pose,
    start: DVec3,
    known: &[DVec3],
    limits: &Limits,
) -> Descent {
    if mover.solid().is_flat() {
        let Some(below) = next_to(mover, solid, relative, start) else { return Descent::Leaves };
        // A point of a flat surface is a place of contact if no other is nearer in front of the solid.
        let stride = FACING * mover.solid().thickness();
        let before = start - relative.rotation.inverse() * below.normal * stride;
        let faces =
            mover.solid().nearest(before).is_ok_and(|on| on.position.distance(start) <= limits.parallel * stride);
        return if faces { meets(start, &below) } else { Descent::Leaves };
    }
    let reach = REACH * mover.spacing();
    let look = |from: DVec3| refine(mover, solid, relative, from, known, reach, limits);
    match look(start) {
        Search::Found(own, below) => return meets(own, &below),
        Search::Known => return Descent::Leaves,
        Search::Lost => {}
    }
    let found = go_down(mover, solid, relative, start, limits);
    let Descent::Meets { own, .. } = found else { return found };
    match look(own) {
        Search::Found(own, below) => meets(own, &below),
        Search::Known => Descent::Leaves,
        Search::Lost => found,
    }
}

/// The point of the solid next to a point of the surface of `mover` (m), which touches a surface without an inside from the side
/// on which it lies.
pub fn next_to(mover: &GeneralShape, solid: &dyn Solid, relative: &Pose, point: DVec3) -> Option<SurfacePoint> {
    let found = solid.nearest(relative.transform_point(point)).ok()?;
    if solid.is_closed() || !mover.solid().is_closed() {
        return Some(found);
    }
    let way = relative.rotation.inverse() * found.normal * (FACING * mover.solid().thickness());
    let [before, behind] = [way, -way].map(|way| mover.solid().contains(point + way));
    let is_turned = behind && !before;
    Some(if is_turned { SurfacePoint { normal: -found.normal, distance: -found.distance, ..found } } else { found })
}

fn meets(own: DVec3, below: &SurfacePoint) -> Descent {
    Descent::Meets { own, other: below.position, normal: below.normal, gap: below.distance }
}

/// By steps down alone.
fn go_down(mover: &GeneralShape, solid: &dyn Solid, relative: &Pose, start: DVec3, limits: &Limits) -> Descent {
    let look = |point: DVec3| next_to(mover, solid, relative, point);
    let Some(mut below) = look(start) else { return Descent::Leaves };
    let thickness = mover.solid().thickness();
    let (first, mut at) = (below, start);
    let (mut stride, mut is_at_border) = (STRIDES[0] * thickness, false);
    // The point before the last step, what is below it, and the length of that step, m.
    let mut before: Option<(DVec3, SurfacePoint, f64)> = None;
    for _ in 0..STEPS {
        let down = relative.rotation.inverse() * -below.normal;
        let Ok(next) = mover.solid().nearest(at + down * stride) else { break };
        if next.position.distance(at) <= STILL * thickness {
            is_at_border = false;
            break;
        }
        let is_far = next.position.distance(start) > REACH * mover.spacing();
        let lower = look(next.position).filter(|lower| !is_far && lower.distance < below.distance);
        if let Some(lower) = lower {
            let step = next.position.distance(at);
            // Towards a place of contact steps get shorter; where they do not, the surface slides down beside a level one.
            if let Some((point, under, last)) = before
                && step >= SHRINKING * last
                && under.distance - lower.distance <= limits.parallel * (last + step)
            {
                return meets(point, &under);
            }
            before = Some((at, below, step));
            (at, below) = (next.position, lower);
            stride *= GROWTH;
        } else {
            is_at_border = is_far;
            stride /= GROWTH * GROWTH;
            if stride < STRIDES[1] * thickness {
                break;
            }
        }
    }
    if !is_at_border {
        return meets(at, &below);
    }
    // The way down goes on: no place of contact, unless it is as good as level, as on a face that is hardly tilted.
    let is_level = first.distance - below.distance <= limits.parallel * at.distance(start);
    if is_level { meets(start, &first) } else { Descent::Leaves }
}
