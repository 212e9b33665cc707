//! From joints of a tree to joints of a scene: one where the joints of a link make one, else a chain of them.

use std::f64::consts::FRAC_PI_2;

use drystone_engine::joint::{AXES, Axis, Motion, Motor, frame_across, frame_along};
use drystone_engine::{JointKind, Pose};
use glam::DVec3;

use super::model::{Freedom, Joint};

/// Axes whose cosine is this small are at right angles, and those whose cosine is this close to one along each other.
const SAME_DIRECTION: f64 = 1e-9;

/// Axes that pass each other at this distance meet, m.
const SAME_PLACE: f64 = 1e-9;

/// The second of three angles is within a quarter turn, with this share of it to spare.
const LARGEST_SECOND_ANGLE: f64 = 0.95 * FRAC_PI_2;

/// The kind of a joint, its frame in that of the link, and what its coordinates do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    pub kind: JointKind,
    pub frame: Pose,
    pub axes: [Axis; AXES],
}

/// A joint of its own; none of one that leaves all free.
pub fn alone(joint: &Joint) -> Option<Placed> {
    let (kind, frame, place) = match joint.freedom {
        Freedom::Free => return None,
        Freedom::Ball => (JointKind::Ball, Pose::from_translation(joint.anchor), None),
        Freedom::Hinge => (JointKind::Hinge, frame_along(joint.anchor, joint.axis), Some(3)),
        Freedom::Slide => (JointKind::Slider, frame_along(joint.anchor, joint.axis), Some(0)),
    };
    let mut axes = kind.axes();
    if let Some(place) = place {
        axes[place] = axis(joint, 1.0);
    }
    Some(Placed { kind, frame, axes })
}

/// Joints of one link as one of six coordinates: first slides along axes at right angles, then at most three hinges whose axes meet at
/// right angles. None if they are not such.
pub fn as_one(joints: &[Joint]) -> Option<Placed> {
    let first_hinge = joints.iter().position(|joint| joint.freedom == Freedom::Hinge).unwrap_or(joints.len());
    let (slides, hinges) = joints.split_at(first_hinge);
    let are_of = |list: &[Joint], freedom| list.iter().all(|joint| joint.freedom == freedom);
    if !are_of(slides, Freedom::Slide) || !are_of(hinges, Freedom::Hinge) || slides.len() > 3 || hinges.len() > 3 {
        return None;
    }
    let frame = frame(slides, hinges)?;
    // Two hinges turn about x and z: the second angle, which has a range, stays zero.
    let angles: &[usize] = if hinges.len() == 3 { &[0, 1, 2] } else { &[0, 2] };
    let mut axes = [Axis::LOCKED; AXES];
    for slide in slides {
        let (place, sign) = along(&frame, slide.axis)?;
        if axes[place] != Axis::LOCKED {
            return None;
        }
        axes[place] = axis(slide, sign);
    }
    for (hinge, &angle) in hinges.iter().zip(angles) {
        let (place, sign) = along(&frame, hinge.axis)?;
        if place != angle {
            return None;
        }
        axes[3 + place] = axis(hinge, sign);
    }
    let is_within = |axis: &Axis| match axis.motion {
        Motion::Free => false,
        Motion::Locked => true,
        Motion::Limited { lower, upper } => lower >= -LARGEST_SECOND_ANGLE && upper <= LARGEST_SECOND_ANGLE,
    };
    is_within(&axes[4]).then_some(Placed { kind: JointKind::SixDof, frame, axes })
}

/// The frame, in that of the link, whose axes are those of the joints.
fn frame(slides: &[Joint], hinges: &[Joint]) -> Option<Pose> {
    let is_across = |a: DVec3, b: DVec3| a.dot(b).abs() <= SAME_DIRECTION;
    match hinges {
        [] => match slides {
            [only] => Some(frame_along(only.anchor, only.axis)),
            [first, second, ..] => Some(frame_across(first.anchor, [first.axis, second.axis])),
            [] => None,
        },
        [hinge] => {
            let across = slides.iter().find(|slide| is_across(slide.axis, hinge.axis));
            Some(match across {
                Some(slide) => frame_across(hinge.anchor, [hinge.axis, slide.axis]),
                None => frame_along(hinge.anchor, hinge.axis),
            })
        }
        [first, second, ..] => {
            let apart = second.anchor - first.anchor;
            let normal = first.axis.cross(second.axis);
            if !is_across(first.axis, second.axis) || apart.dot(normal).abs() > SAME_PLACE {
                return None;
            }
            let point = first.anchor + first.axis * apart.dot(first.axis);
            for third in hinges.iter().skip(2) {
                let way = third.anchor - point;
                if (way - third.axis * way.dot(third.axis)).length() > SAME_PLACE {
                    return None;
                }
            }
            let z = if hinges.len() == 2 { second.axis } else { normal };
            Some(frame_across(point, [first.axis, z]))
        }
    }
}

/// The axis of a frame that a direction lies along, and its sense.
fn along(frame: &Pose, direction: DVec3) -> Option<(usize, f64)> {
    let own = frame.rotation.conjugate() * direction;
    let place = (0..3).find(|&k| (own[k].abs() - 1.0).abs() <= SAME_DIRECTION)?;
    Some((place, own[place].signum()))
}

/// The coordinate of a joint, counted in this sense.
fn axis(joint: &Joint, sign: f64) -> Axis {
    let motion = match joint.limits {
        None => Motion::Free,
        Some([lower, upper]) if sign > 0.0 => Motion::Limited { lower, upper },
        Some([lower, upper]) => Motion::Limited { lower: -upper, upper: -lower },
    };
    let has_spring = joint.stiffness != 0.0 || joint.damping != 0.0;
    let motor = Motor::Spring { rest: sign * joint.rest, stiffness: joint.stiffness, damping: joint.damping };
    Axis { motion, motor: has_spring.then_some(motor), friction: joint.friction }
}
