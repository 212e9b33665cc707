//! From a joint of a scene file to a joint of a scene.

use drystone_engine::body::UNIT_QUATERNION_TOLERANCE;
use drystone_engine::joint::{AXES, Axis, Motion, Motor, frame_across, frame_along};
use drystone_engine::{BodyId, JointKind, Pose};
use glam::{DQuat, DVec3};

use super::document::Tuple;
use super::error::{SceneFileError, SceneFileProblem};
use super::joint_entry::{CoordinateEntry, JointEntry, MotorEntry, coordinate_keys};
use super::{name, number};
use crate::joint::{JointEnds, SceneJoint};
use crate::scene::SceneBody;

/// The problem of a key of a joint.
fn at(joint: &str, key: &str, problem: impl Into<SceneFileProblem>) -> SceneFileError {
    SceneFileError::at(format!("joint \"{joint}\", {key}"), problem)
}

/// Makes the joints; `body` finds bodies by name.
pub fn joints(
    entries: Vec<JointEntry>,
    bodies: &[SceneBody],
    body: &impl Fn(&str) -> Result<BodyId, SceneFileProblem>,
) -> Result<Vec<SceneJoint>, SceneFileError> {
    let mut joints: Vec<SceneJoint> = Vec::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        name::visible(&entry.name).map_err(|problem| SceneFileError::at(format!("joint {place}, name"), problem))?;
        if joints.iter().any(|known| known.name == entry.name) {
            return Err(at(&entry.name, "name", SceneFileProblem::Repeated { of: "joint name" }));
        }
        let joint = joint(entry, &joints, bodies, body)?;
        joints.push(joint);
    }
    Ok(joints)
}

fn joint(
    entry: &JointEntry,
    before: &[SceneJoint],
    bodies: &[SceneBody],
    body: &impl Fn(&str) -> Result<BodyId, SceneFileProblem>,
) -> Result<SceneJoint, SceneFileError> {
    let wrong = |key: &str, problem| at(&entry.name, key, problem);
    let keys = |key: &str, cure| Err(wrong(key, SceneFileProblem::Keys(cure)));
    if entry.kind == JointKind::LockedAxes {
        return keys("kind", "axes are locked by `locked_translation` and `locked_rotation` of the body");
    }
    let is_coupling = matches!(entry.kind, JointKind::Gear | JointKind::Rack);
    let ends = if is_coupling {
        if entry.a.is_some() || entry.b.is_some() {
            return keys("a, b", "a gear or rack couples `joints`, not bodies; remove `a` and `b`");
        }
        if let Some(key) = entry.place_keys().next() {
            return keys(key, "a gear or rack is where its joints are; remove it");
        }
        coupling(entry, before)?
    } else {
        if entry.joints.is_some() || entry.ratio.is_some() {
            return keys("joints, ratio", "only a gear or rack couples joints; remove them, or change `kind`");
        }
        let Some(b) = &entry.b else {
            return keys("b", "give the name of a body; `a` is left out for the world");
        };
        let b = body(b).map_err(|problem| wrong("b", problem))?;
        let a = entry.a.as_deref().map(body).transpose().map_err(|problem| wrong("a", problem))?;
        if a == Some(b) {
            return keys("b", "a joint is between two bodies; name another one, or leave out `a` for the world");
        }
        let is_dynamic = |id: &BodyId| bodies[id.index()].body.is_dynamic();
        if ![a, Some(b)].iter().flatten().any(is_dynamic) {
            return keys("b", "a joint moves nothing that is fixed or kinematic; one of its bodies must be dynamic");
        }
        JointEnds::Bodies { a, b, frames: frames(entry, a, b, bodies)? }
    };
    let limit = |key: &str, value: Option<f64>| {
        let must = "a number above zero";
        let is_good = |value: f64| value > 0.0;
        let refusal = |value: f64| wrong(key, SceneFileProblem::Value { must, found: value.to_string() });
        value.map(|value| if is_good(value) { Ok(value) } else { Err(refusal(value)) }).transpose()
    };
    Ok(SceneJoint {
        name: entry.name.clone(),
        kind: entry.kind,
        ends,
        axes: axes(entry)?,
        breaking: [limit("breaking_force", entry.breaking_force)?, limit("breaking_torque", entry.breaking_torque)?],
        collides: entry.collides.unwrap_or(matches!(
            entry.kind,
            JointKind::Distance | JointKind::Rope | JointKind::Spring | JointKind::Gear | JointKind::Rack
        )),
    })
}

/// The joints of a gear or rack.
fn coupling(entry: &JointEntry, before: &[SceneJoint]) -> Result<JointEnds, SceneFileError> {
    let wrong = |key: &str, problem| at(&entry.name, key, problem);
    let Some(Tuple(names)) = &entry.joints else {
        return Err(wrong("joints", SceneFileProblem::Keys("give the names of the two joints that it couples")));
    };
    let kinds = match entry.kind {
        JointKind::Rack => [JointKind::Hinge, JointKind::Slider],
        _ => [JointKind::Hinge; 2],
    };
    let mut joints = [0; 2];
    for ((name, kind), joint) in names.iter().zip(kinds).zip(&mut joints) {
        let Some(place) = before.iter().position(|known| known.name == *name) else {
            let known = before.iter().map(|known| format!("\"{}\"", known.name)).collect::<Vec<_>>().join(", ");
            return Err(wrong("joints", SceneFileProblem::UnknownJoint { name: name.clone(), known }));
        };
        if before[place].kind != kind {
            let cure = "a gear takes two hinges, a rack a hinge and a slider, in this order";
            return Err(wrong("joints", SceneFileProblem::Keys(cure)));
        }
        *joint = place;
    }
    if joints[0] == joints[1] {
        return Err(wrong("joints", SceneFileProblem::Keys("a joint is not coupled with itself; name two joints")));
    }
    let Some(ratio) = entry.ratio else {
        let cure = "say how far the second joint moves by the first one: rad by rad, or m by rad";
        return Err(wrong("ratio", SceneFileProblem::Keys(cure)));
    };
    if !ratio.is_finite() || ratio == 0.0 {
        let must = "a finite number other than zero";
        return Err(wrong("ratio", SceneFileProblem::Value { must, found: ratio.to_string() }));
    }
    Ok(JointEnds::Joints { joints, ratio })
}

/// The frames on the bodies: as given, or from where the joint is in the world.
fn frames(entry: &JointEntry, a: Option<BodyId>, b: BodyId, bodies: &[SceneBody]) -> Result<[Pose; 2], SceneFileError> {
    let wrong = |key: &str, problem| at(&entry.name, key, problem);
    if let Some(Tuple(rows)) = &entry.frames {
        if let Some(key) = entry.place_keys().find(|&key| key != "frames") {
            return Err(wrong(key, SceneFileProblem::Keys("`frames` say where the joint is; remove it, or them")));
        }
        let frame = |&Tuple([x, y, z, i, j, k, w]): &Tuple<f64, 7>| {
            let point = number::bounded(&Tuple([x, y, z]))?;
            Ok(Pose::from_parts(point, number::rotation(&Tuple([i, j, k, w]), UNIT_QUATERNION_TOLERANCE)?))
        };
        let [on_a, on_b] = rows;
        return Ok([
            frame(on_a).map_err(|problem| wrong("frames[0]", problem))?,
            frame(on_b).map_err(|problem| wrong("frames[1]", problem))?,
        ]);
    }
    check_place_keys(entry)?;
    let pose = |id: Option<BodyId>| id.map_or(Pose::IDENTITY, |id| bodies[id.index()].body.pose());
    let poses = [pose(a), pose(Some(b))];
    if matches!(entry.kind, JointKind::Distance | JointKind::Rope | JointKind::Spring) {
        let Some(Tuple([on_a, on_b])) = &entry.points else {
            let cure = "give a point of A and one of B, in the world at the start, m";
            return Err(wrong("points", SceneFileProblem::Keys(cure)));
        };
        let point = |key: &str, value| number::bounded(value).map_err(|problem| wrong(key, problem));
        let points = [point("points[0]", on_a)?, point("points[1]", on_b)?];
        return Ok([0, 1].map(|k: usize| Pose::from_translation(poses[k].inverse().transform_point(points[k]))));
    }
    let frame = frame_in_world(entry, poses[1].translation)?;
    Ok(poses.map(|pose| pose.inverse() * frame))
}

/// # Errors
/// A key that the kind of joint does not have.
fn check_place_keys(entry: &JointEntry) -> Result<(), SceneFileError> {
    let taken: &[&str] = match entry.kind {
        JointKind::Fixed => &[],
        JointKind::Slider => &["axis"],
        JointKind::Ball => &["point"],
        JointKind::Hinge | JointKind::ConeTwist => &["point", "axis"],
        JointKind::Universal => &["point", "axes"],
        JointKind::SixDof => &["point", "orientation_xyzw", "rotation"],
        _ => &["points"],
    };
    let Some(key) = entry.place_keys().find(|key| !taken.contains(key)) else { return Ok(()) };
    let what = format!("a {} joint has no `{key}`", entry.kind.name());
    let takes = taken.iter().map(|key| format!("`{key}`")).chain(["`frames`".into()]).collect::<Vec<_>>();
    Err(at(&entry.name, key, SceneFileProblem::NotOfJoint { what, takes: takes.join(", ") }))
}

/// The frame of both bodies in the world; `here` is the centre of mass of B.
fn frame_in_world(entry: &JointEntry, here: DVec3) -> Result<Pose, SceneFileError> {
    let wrong = |key: &str, problem| at(&entry.name, key, problem);
    let missing = |key: &str, cure| wrong(key, SceneFileProblem::Keys(cure));
    let point = || match &entry.point {
        Some(value) => number::bounded(value).map_err(|problem| wrong("point", problem)),
        None => Err(missing("point", "say where the joint is in the world at the start, m")),
    };
    let direction = |key: &str, value: &Tuple<f64, 3>| {
        let vector = number::finite(value).map_err(|problem| wrong(key, problem))?;
        let must = "a direction, of any length above zero";
        let problem = || SceneFileProblem::Value { must, found: vector.to_string() };
        vector.try_normalize().ok_or_else(|| wrong(key, problem()))
    };
    let axis = || match &entry.axis {
        Some(axis) => direction("axis", axis),
        None => Err(missing("axis", "say along or about which axis of the world the joint moves at the start")),
    };
    Ok(match entry.kind {
        JointKind::Slider => frame_along(here, axis()?),
        JointKind::Ball => Pose::from_translation(point()?),
        JointKind::Universal => {
            let Some(Tuple([x, z])) = &entry.axes else {
                return Err(missing("axes", "give the axis of A and that of B, at right angles, as at the start"));
            };
            let [x, z] = [direction("axes[0]", x)?, direction("axes[1]", z)?];
            if number::are_parallel(x, z) {
                return Err(missing("axes", "the axes of A and B are parallel; give two at right angles"));
            }
            frame_across(point()?, [x, z])
        }
        JointKind::SixDof => Pose::from_parts(point()?, rotation(entry)?),
        JointKind::Hinge | JointKind::ConeTwist => frame_along(point()?, axis()?),
        _ => Pose::from_translation(here),
    })
}

/// How the frame of a joint of six coordinates is turned.
fn rotation(entry: &JointEntry) -> Result<DQuat, SceneFileError> {
    let (quaternion, turn) = (entry.orientation_xyzw.as_ref(), entry.rotation.as_ref());
    let wrong = |key: &str, problem| at(&entry.name, key, problem);
    Ok(number::orientation(quaternion, turn, number::UNIT_LENGTH_TOLERANCE, wrong)?.normalize())
}

/// What the coordinates do.
fn axes(entry: &JointEntry) -> Result<[Axis; AXES], SceneFileError> {
    let wrong = |key: &str, problem| at(&entry.name, key, problem);
    let known = coordinate_keys(entry.kind);
    let mut axes = match entry.kind {
        JointKind::SixDof => [Axis::LOCKED; AXES],
        kind => kind.axes(),
    };
    for (key, coordinate) in entry.coordinates() {
        let Some(&(_, place)) = known.iter().find(|(name, _)| *name == key) else {
            let what = format!("a {} joint has no coordinate `{key}`", entry.kind.name());
            let takes = known.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let takes = if takes.is_empty() { "none".into() } else { takes };
            return Err(wrong(key, SceneFileProblem::NotOfJoint { what, takes }));
        };
        axes[place] = axis(coordinate, &|of, problem| wrong(&format!("{key}.{of}"), problem))?;
    }
    let needed = match entry.kind {
        JointKind::Distance | JointKind::Rope if axes[0].motion == Motion::Free => {
            "say how far the points may be apart: `distance.limits = [shortest, longest]`, m; twice the same for a rod"
        }
        JointKind::Spring if axes[0].motor.is_none() => {
            "a spring needs `distance.motor = { rest, stiffness, damping }`, in m, N/m and N s/m"
        }
        _ => return Ok(axes),
    };
    Err(wrong("distance", SceneFileProblem::Keys(needed)))
}

/// A coordinate; `at` makes an error of a key and what is wrong with it.
fn axis(
    entry: &CoordinateEntry,
    at: &impl Fn(&str, SceneFileProblem) -> SceneFileError,
) -> Result<Axis, SceneFileError> {
    let motion = match entry.limits {
        None => Motion::Free,
        Some(Tuple([lower, upper])) => {
            if !(lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY) {
                let must = "two numbers, the lower limit first; `-inf` and `inf` for none";
                return Err(at("limits", SceneFileProblem::Value { must, found: format!("[{lower}, {upper}]") }));
            }
            Motion::Limited { lower, upper }
        }
    };
    let friction = number::not_negative(entry.friction.unwrap_or(0.0)).map_err(|problem| at("friction", problem))?;
    let motor = entry.motor.as_ref().map(|entry| motor(entry, at)).transpose()?;
    Ok(Axis { motion, motor, friction })
}

fn motor(entry: &MotorEntry, at: &impl Fn(&str, SceneFileProblem) -> SceneFileError) -> Result<Motor, SceneFileError> {
    let finite = |key, value: f64| {
        let problem = SceneFileProblem::Value { must: "a finite number", found: value.to_string() };
        if value.is_finite() { Ok(value) } else { Err(at(key, problem)) }
    };
    let max_force = entry.max_force.unwrap_or(f64::INFINITY);
    if max_force.is_nan() || max_force < 0.0 {
        let must = "a number, zero or above, or `inf`";
        return Err(at("motor.max_force", SceneFileProblem::Value { must, found: max_force.to_string() }));
    }
    let elastic = || {
        let Some(stiffness) = entry.stiffness else {
            return Err(at("motor.stiffness", SceneFileProblem::Keys("give it in N/m or N m/rad; zero for none")));
        };
        let stiffness = number::not_negative(stiffness).map_err(|problem| at("motor.stiffness", problem))?;
        let damping =
            number::not_negative(entry.damping.unwrap_or(0.0)).map_err(|problem| at("motor.damping", problem))?;
        Ok((stiffness, damping))
    };
    match (entry.velocity, entry.position, entry.rest) {
        (Some(target), None, None) => {
            if entry.stiffness.is_some() || entry.damping.is_some() {
                let cure = "a motor of a velocity has a `max_force` alone; remove `stiffness` and `damping`";
                return Err(at("motor.velocity", SceneFileProblem::Keys(cure)));
            }
            Ok(Motor::Velocity { target: finite("motor.velocity", target)?, max_force })
        }
        (None, Some(target), None) => {
            let (stiffness, damping) = elastic()?;
            Ok(Motor::Position { target: finite("motor.position", target)?, stiffness, damping, max_force })
        }
        (None, None, Some(rest)) => {
            if entry.max_force.is_some() {
                let cure = "a spring has no largest force; remove it, or give `position` in place of `rest`";
                return Err(at("motor.max_force", SceneFileProblem::Keys(cure)));
            }
            let (stiffness, damping) = elastic()?;
            Ok(Motor::Spring { rest: finite("motor.rest", rest)?, stiffness, damping })
        }
        _ => {
            let cure = "give one of `velocity`, `position` and `rest`: a speed to keep, a place to drive to, or the rest \
                        position of a spring";
            Err(at("motor", SceneFileProblem::Keys(cure)))
        }
    }
}
