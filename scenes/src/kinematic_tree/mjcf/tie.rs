//! What ties or parts bodies besides the tree: `equality`, `contact` and `tendon`.

use drystone_engine::Pose;
use glam::DQuat;

use super::super::element::{Element, quoted};
use super::super::error::{TreeError, TreeProblem};
use super::super::model::{Link, Tie};
use super::Reader;

/// The constraints of the sections `equality`. They hold where the model begins.
pub fn ties(root: &Element, links: &[Link], reader: &mut Reader) -> Result<Vec<Tie>, TreeError> {
    let poses = world_poses(links);
    let mut ties = Vec::new();
    for element in root.all("equality").flat_map(|section| &section.children) {
        let is_point = match element.name.as_str() {
            "connect" => true,
            "weld" => false,
            name => {
                let what = format!("the constraint <{}>", quoted(name));
                return Err(element.error("", TreeProblem::unsupported(what, "use connect or weld, or remove it")));
            }
        };
        let element = reader.defaults.applied(element, "equality", None)?;
        element.only(&[
            &["name", "class", "active", "body1", "body2", "anchor", "relpose", "site1", "site2"],
            &["solref", "solimp", "torquescale"],
        ])?;
        if element.flag("active")? == Some(false) {
            reader.notes.add(&element, "active", "is false: the constraint was left out");
            continue;
        }
        if element.text("site1").is_some() {
            return Err(element
                .error("site1", TreeProblem::unsupported("a constraint of sites", "give body1, body2 and anchor")));
        }
        reader.notes.add(&element, "", "is rigid here, and soft in MuJoCo");
        let first = link(&element, "body1", links)?;
        let second = if element.text("body2").is_some() { link(&element, "body2", links)? } else { 0 };
        let anchor = element.vector("anchor")?;
        let relative: Option<[f64; 7]> = element.array("relpose", "seven numbers: a position and a quaternion")?;
        let between = poses[second].inverse() * poses[first];
        let frames = match (is_point, relative) {
            (true, _) => {
                let missing = TreeProblem::Wrong("give the point that both bodies share, in the frame of body1".into());
                let at = Pose::from_translation(anchor.ok_or_else(|| element.error("anchor", missing))?);
                [at, between * at]
            }
            (false, Some([x, y, z, w, i, j, k])) if [w, i, j, k] != [0.0; 4] => {
                let turn = DQuat::from_xyzw(i, j, k, w).normalize();
                [Pose::from_parts(glam::DVec3::new(x, y, z), turn), Pose::IDENTITY]
            }
            // A weld has its anchor in the frame of body2, where it makes no difference to what is held.
            (false, _) => [Pose::IDENTITY, between],
        };
        let name = element.text("name").unwrap_or_default().to_owned();
        ties.push(Tie { name, place: element.place(""), links: [first, second], frames, is_point });
    }
    Ok(ties)
}

/// The pairs of bodies of the sections `contact` that do not collide.
pub fn excluded(root: &Element, links: &[Link]) -> Result<Vec<[usize; 2]>, TreeError> {
    let mut pairs = Vec::new();
    for element in root.all("contact").flat_map(|section| &section.children) {
        match element.name.as_str() {
            "exclude" => {
                element.only(&[&["name", "body1", "body2"]])?;
                pairs.push([link(element, "body1", links)?, link(element, "body2", links)?]);
            }
            "pair" => {
                let cure = "give contype, conaffinity and friction to the geoms instead";
                return Err(
                    element.error("", TreeProblem::unsupported("a pair of geoms with contacts of its own", cure))
                );
            }
            name => return Err(element.error("", TreeProblem::UnknownElement(quoted(name)))),
        }
    }
    Ok(pairs)
}

/// Refuses tendons that pull; those that only measure or carry actuators are passed over.
pub fn check_tendons(root: &Element, reader: &mut Reader) -> Result<(), TreeError> {
    for element in root.all("tendon").flat_map(|section| &section.children) {
        let element = reader.defaults.applied(element, "tendon", None)?;
        for key in ["stiffness", "damping", "frictionloss", "armature"] {
            if element.numbers(key)?.is_some_and(|numbers| numbers.iter().any(|&value| value != 0.0)) {
                return Err(element.error(key, TreeProblem::unsupported("a tendon that pulls", "remove it")));
            }
        }
        let is_limited = match element.text("limited") {
            Some("true") => true,
            Some("false") => false,
            _ => element.text("range").is_some() && reader.compiler.autolimits,
        };
        if is_limited {
            return Err(element.error("range", TreeProblem::unsupported("the limit of a tendon", "remove it")));
        }
        reader.notes.add(&element, "", "was left out: it has neither a spring nor a limit, and nothing drives it");
    }
    Ok(())
}

/// The link that an attribute names.
fn link(element: &Element, key: &str, links: &[Link]) -> Result<usize, TreeError> {
    let name = element.required(key)?;
    let found = links.iter().position(|link| link.name == name);
    found.ok_or_else(|| {
        let known = "name a body of <worldbody>, or world".to_owned();
        element.error(key, TreeProblem::Unknown { what: "body", name: quoted(name), known })
    })
}

/// The poses of the links in the world.
fn world_poses(links: &[Link]) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(links.len());
    for (number, link) in links.iter().enumerate() {
        poses.push(if number == 0 { Pose::IDENTITY } else { poses[link.parent] * link.pose });
    }
    poses
}
