//! Joints between a body and its parent.

use drystone_engine::Pose;
use glam::DVec3;

use super::super::element::{Element, wrong};
use super::super::error::{TreeError, TreeProblem};
use super::super::model::{Freedom, Joint};
use super::Reader;

const READ: [&str; 14] = [
    "name",
    "class",
    "type",
    "pos",
    "axis",
    "springdamper",
    "limited",
    "range",
    "ref",
    "springref",
    "armature",
    "damping",
    "stiffness",
    "frictionloss",
];

/// What only actuators feel, and what is seen.
const PASSED: [&str; 5] = ["group", "user", "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp"];

/// How MuJoCo softens limits and friction.
const SOFT: [&str; 5] = ["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"];

/// A joint of an element with its defaults, in a frame of the link.
pub fn joint(element: &Element, frame: &Pose, reader: &mut Reader) -> Result<Joint, TreeError> {
    element.only(&[&READ, &PASSED, &SOFT])?;
    let words =
        [("free", Freedom::Free), ("ball", Freedom::Ball), ("slide", Freedom::Slide), ("hinge", Freedom::Hinge)];
    let freedom = element.word("type", &words, "free, ball, slide or hinge")?.unwrap_or(Freedom::Hinge);
    for key in SOFT.into_iter().filter(|key| element.text(key).is_some()) {
        reader.notes.add(element, key, "was left out: limits and friction of joints are rigid here");
    }
    if element.numbers("springdamper")?.is_some_and(|numbers| numbers.iter().any(|&x| x > 0.0)) {
        let problem = TreeProblem::unsupported("a spring by its time constant", "give stiffness and damping");
        return Err(element.error("springdamper", problem));
    }
    let mut value = |key: &str| -> Result<f64, TreeError> {
        let value = element.not_negative(key)?.unwrap_or(0.0);
        let has_none = matches!(freedom, Freedom::Free | Freedom::Ball) || key == "armature";
        if has_none && value != 0.0 {
            let why = match key {
                "armature" => "was left out: joints here have no inertia of their own",
                _ => "was left out: free joints and ball joints here have none",
            };
            reader.notes.add(element, key, why);
            return Ok(0.0);
        }
        Ok(value)
    };
    value("armature")?;
    let (stiffness, damping, friction) = (value("stiffness")?, value("damping")?, value("frictionloss")?);
    let unit = if freedom == Freedom::Slide { 1.0 } else { reader.compiler.angle };
    let reference = element.number("ref")?.unwrap_or(0.0);
    let rest = element.number("springref")?.unwrap_or(0.0);
    let limits = limits(element, freedom, reader.compiler.autolimits)?;
    let anchor = element.vector("pos")?.unwrap_or_default();
    let axis = element.direction("axis")?.unwrap_or(DVec3::Z);
    Ok(Joint {
        name: element.text("name").unwrap_or_default().to_owned(),
        place: element.place(""),
        freedom,
        anchor: frame.transform_point(anchor),
        axis: frame.rotation * axis,
        limits: limits.map(|limits| limits.map(|limit| (limit - reference) * unit)),
        stiffness,
        rest: (rest - reference) * unit,
        damping,
        friction,
    })
}

/// A joint that leaves all free.
pub fn free_joint(element: &Element) -> Result<Joint, TreeError> {
    element.only(&[&["name", "group", "align"]])?;
    Ok(Joint {
        name: element.text("name").unwrap_or_default().to_owned(),
        place: element.place(""),
        freedom: Freedom::Free,
        anchor: DVec3::ZERO,
        axis: DVec3::Z,
        limits: None,
        stiffness: 0.0,
        rest: 0.0,
        damping: 0.0,
        friction: 0.0,
    })
}

/// The range, in the units of the file, if it limits the joint.
fn limits(element: &Element, freedom: Freedom, autolimits: bool) -> Result<Option<[f64; 2]>, TreeError> {
    let range: Option<[f64; 2]> = element.array("range", "two numbers, the lower limit first")?;
    let words = [("true", Some(true)), ("false", Some(false)), ("auto", None)];
    let stated = element.word("limited", &words, "true, false or auto")?.flatten();
    if stated.is_none() && range.is_some() && !autolimits {
        let text = "says neither true nor false, and autolimits is off; say which";
        return Err(element.error("limited", TreeProblem::Wrong(text.into())));
    }
    if !stated.unwrap_or(range.is_some()) {
        return Ok(None);
    }
    let [lower, upper] = range.unwrap_or_default();
    if lower > upper || freedom != Freedom::Ball && lower == upper {
        let must = "two numbers, the lower limit first and the upper one above it";
        return Err(element.error("range", wrong(must, element.text("range").unwrap_or("nothing"))));
    }
    match freedom {
        Freedom::Free => Ok(None),
        Freedom::Ball => {
            let cure = "use three hinges in its place, or remove the range";
            Err(element.error("range", TreeProblem::unsupported("the limit of a ball joint", cure)))
        }
        Freedom::Hinge | Freedom::Slide => Ok(Some([lower, upper])),
    }
}
