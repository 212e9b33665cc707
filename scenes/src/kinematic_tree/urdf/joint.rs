//! Joints between links.

use drystone_engine::Pose;
use glam::DVec3;

use super::super::element::{Element, quoted, wrong};
use super::super::error::{Place, TreeError, TreeProblem};
use super::super::model::{Freedom, Joint};
use super::super::note::Notes;
use super::origin;

/// A joint with the links that it ties, by their places among the elements.
pub struct Edge {
    pub place: Place,
    pub parent: usize,
    pub child: usize,
    /// Frame of the child → frame of the parent, where the coordinate is zero.
    pub pose: Pose,
    /// None of a fixed one.
    pub joint: Option<Joint>,
}

impl Edge {
    /// Of an element; `names` are those of the links.
    pub fn new(element: &Element, names: &[&str], notes: &mut Notes) -> Result<Self, TreeError> {
        element.only(&[&["name", "type"]])?;
        element.only_children(&[
            &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"],
            &["calibration", "safety_controller"],
        ])?;
        if let Some(mimic) = element.one("mimic")? {
            let cure = "remove it, or write a scene file with a gear";
            return Err(mimic.error("", TreeProblem::unsupported("a joint that follows another one", cure)));
        }
        let end = |key: &str| -> Result<usize, TreeError> {
            let missing = || element.error("", TreeProblem::Wrong(format!("it has no <{key} link=\"…\"/>; give one")));
            let end = element.one(key)?.ok_or_else(missing)?;
            end.only(&[&["link"]])?;
            let name = end.required("link")?;
            names.iter().position(|known| *known == name).ok_or_else(|| {
                let known = "name a <link> of the robot".to_owned();
                end.error("link", TreeProblem::Unknown { what: "link", name: quoted(name), known })
            })
        };
        let words = [
            ("fixed", None),
            ("revolute", Some(Freedom::Hinge)),
            ("continuous", Some(Freedom::Hinge)),
            ("prismatic", Some(Freedom::Slide)),
            ("floating", Some(Freedom::Free)),
        ];
        let kind = element.required("type")?;
        if kind == "planar" {
            let cure = "use two prismatic joints and a revolute one with links between them";
            return Err(element.error("type", TreeProblem::unsupported("a planar joint", cure)));
        }
        let freedom = element.word("type", &words, "fixed, revolute, continuous, prismatic or floating")?.flatten();
        let joint = freedom.map(|freedom| joint(element, freedom, notes)).transpose()?;
        Ok(Self {
            place: element.place(""),
            parent: end("parent")?,
            child: end("child")?,
            pose: origin(element)?,
            joint,
        })
    }
}

fn joint(element: &Element, freedom: Freedom, notes: &mut Notes) -> Result<Joint, TreeError> {
    let axis = match element.one("axis")? {
        Some(axis) => {
            axis.only(&[&["xyz"]])?;
            axis.direction("xyz")?
        }
        None => None,
    };
    let (mut damping, mut friction) = (0.0, 0.0);
    if let Some(dynamics) = element.one("dynamics")? {
        dynamics.only(&[&["damping", "friction"]])?;
        (damping, friction) =
            (dynamics.not_negative("damping")?.unwrap_or(0.0), dynamics.not_negative("friction")?.unwrap_or(0.0));
        if freedom == Freedom::Free && (damping != 0.0 || friction != 0.0) {
            notes.add(dynamics, "", "was left out: floating joints have none here");
        }
    }
    Ok(Joint {
        name: element.text("name").unwrap_or_default().to_owned(),
        place: element.place(""),
        freedom,
        anchor: DVec3::ZERO,
        axis: axis.unwrap_or(DVec3::X),
        limits: limits(element, notes)?,
        stiffness: 0.0,
        rest: 0.0,
        damping,
        friction,
    })
}

/// The limits of the coordinate, which revolute and prismatic joints must have.
fn limits(element: &Element, notes: &mut Notes) -> Result<Option<[f64; 2]>, TreeError> {
    let limit = element.one("limit")?;
    if let Some(limit) = limit {
        limit.only(&[&["lower", "upper", "effort", "velocity"]])?;
        if limit.text("velocity").is_some() {
            notes.add(
                limit,
                "",
                "of effort and velocity was left out: it is about motors, and nothing drives joints here",
            );
        }
    }
    if !matches!(element.text("type"), Some("revolute" | "prismatic")) {
        return Ok(None);
    }
    let Some(limit) = limit else {
        let text = "it has no <limit>; give one with lower and upper, or make a revolute joint a continuous one";
        return Err(element.error("", TreeProblem::Wrong(text.into())));
    };
    let (lower, upper) = (limit.number("lower")?.unwrap_or(0.0), limit.number("upper")?.unwrap_or(0.0));
    if lower > upper {
        return Err(limit.error("lower", wrong("at most the upper limit", &lower.to_string())));
    }
    Ok(Some([lower, upper]))
}
