//! Bodies, with the frames between them, as links of the tree.

use std::collections::BTreeSet;

use drystone_engine::Pose;
use glam::{DMat3, DVec3};

use super::super::element::{Element, MAXIMUM_ELEMENTS, quoted, wrong};
use super::super::error::{TreeError, TreeProblem};
use super::super::model::{Inertial, Link, Weight};
use super::Reader;
use super::compiler::{InertiaFromGeom, ORIENTATION};
use super::geom::geom;
use super::joint::{free_joint, joint};
use drystone_contact::sorting::inserted;

const READ: [&str; 6] = ["name", "pos", "childclass", "mocap", "gravcomp", "class"];

/// What is only seen or measured.
const PASSED: [&str; 3] = ["site", "camera", "light"];

/// What makes bodies of its own.
const REFUSED: [&str; 4] = ["composite", "flexcomp", "attach", "plugin"];

/// The links of the sections `worldbody` of a model, with the world.
pub fn links(root: &Element, reader: &mut Reader) -> Result<Vec<Link>, TreeError> {
    let world = Link::world("world", root.place(""));
    let names = inserted([world.name.clone()]);
    let mut tree = Tree { reader, links: vec![world], names, suffix: String::new(), read: 0 };
    for section in root.all("worldbody") {
        section.only(&[])?;
        if let Some(child) =
            section.children.iter().find(|c| matches!(c.name.as_str(), "joint" | "freejoint" | "inertial"))
        {
            let text = "the world does not move; put it into a <body>";
            return Err(child.error("", TreeProblem::Wrong(text.into())));
        }
        tree.children(section, 0, &Pose::IDENTITY, None)?;
    }
    Ok(tree.links)
}

struct Tree<'a> {
    reader: &'a mut Reader,
    links: Vec<Link>,
    names: BTreeSet<String>,
    /// Behind the names of bodies in replicas.
    suffix: String,
    /// How many elements were read, those of replicas each time.
    read: usize,
}

impl Tree<'_> {
    /// Reads what is in a body, or in a frame of it that is at `frame`.
    fn children(&mut self, element: &Element, link: usize, frame: &Pose, class: Option<&str>) -> Result<(), TreeError> {
        for child in &element.children {
            self.count(child)?;
            match child.name.as_str() {
                "geom" => {
                    let whole = self.reader.defaults.applied(child, "geom", class)?;
                    let geom = geom(&whole, frame, self.reader)?;
                    self.links[link].geoms.push(geom);
                }
                "joint" => {
                    let whole = self.reader.defaults.applied(child, "joint", class)?;
                    let joint = joint(&whole, frame, self.reader)?;
                    self.links[link].joints.push(joint);
                }
                "freejoint" => self.links[link].joints.push(free_joint(child)?),
                "inertial" if element.name != "body" => {
                    let text = "only bodies have it; put it into the body";
                    return Err(child.error("", TreeProblem::Wrong(text.into())));
                }
                "inertial" => {
                    element.one("inertial")?;
                    let inertial = self.inertial(child)?;
                    self.links[link].inertial = Some(inertial);
                }
                "body" => self.body(child, link, frame, class)?,
                "frame" => {
                    child.only(&[&["name", "pos", "childclass"], &ORIENTATION])?;
                    let own = self.reader.compiler.pose(child)?;
                    self.children(child, link, &(*frame * own), child.text("childclass").or(class))?;
                }
                "replicate" => self.replicas(child, link, frame, class)?,
                name if PASSED.contains(&name) => {}
                name if REFUSED.contains(&name) => {
                    let cure = "write out the bodies that it stands for, or remove it";
                    return Err(child.error("", TreeProblem::unsupported(format!("<{name}>"), cure)));
                }
                name => return Err(child.error("", TreeProblem::UnknownElement(quoted(name)))),
            }
        }
        Ok(())
    }

    fn body(&mut self, element: &Element, parent: usize, frame: &Pose, class: Option<&str>) -> Result<(), TreeError> {
        element.only(&[&READ, &ORIENTATION, &["user", "sleep"]])?;
        let name = element.text("name").map_or_else(String::new, |name| format!("{name}{}", self.suffix));
        if !name.is_empty() && !self.names.insert(name.clone()) {
            return Err(element.error("name", TreeProblem::Repeated { what: "body", name: quoted(&name) }));
        }
        let own = self.reader.compiler.pose(element)?;
        let number = self.links.len();
        self.links.push(Link {
            name,
            place: element.place(""),
            parent,
            pose: *frame * own,
            joints: Vec::new(),
            inertial: None,
            geoms: Vec::new(),
            gravity_scale: 1.0 - element.number("gravcomp")?.unwrap_or(0.0),
        });
        if element.flag("mocap")? == Some(true) {
            self.reader.notes.add(element, "mocap", "was left out: nothing moves the body, so it stays where it is");
        }
        self.children(element, number, &Pose::IDENTITY, element.text("childclass").or(class))?;
        self.settle_mass(number);
        Ok(())
    }

    /// Counts an element that is read.
    fn count(&mut self, element: &Element) -> Result<(), TreeError> {
        self.read += 1;
        if self.read > MAXIMUM_ELEMENTS { Err(element.error("", TreeProblem::TooMany)) } else { Ok(()) }
    }

    /// Reads what is in `replicate` so many times, each time moved and turned on against the time before.
    fn replicas(&mut self, element: &Element, link: usize, frame: &Pose, class: Option<&str>) -> Result<(), TreeError> {
        element.only(&[&["count", "offset", "euler", "sep", "childclass"]])?;
        element.required("count")?;
        let count = element.integer("count")?.unwrap_or_default();
        let turn = self.reader.compiler.orientation(element)?;
        let step = Pose::from_parts(element.vector("offset")?.unwrap_or_default(), turn);
        let separator = element.text("sep").unwrap_or_default();
        let outer = self.suffix.clone();
        let mut own = *frame;
        for number in 0..count {
            self.count(element)?;
            self.suffix = format!("{separator}{number}{outer}");
            self.children(element, link, &own, element.text("childclass").or(class))?;
            own *= step;
            own.rotation = own.rotation.normalize();
        }
        self.suffix = outer;
        Ok(())
    }

    /// Decides between the mass that a link states and that of its geometry.
    fn settle_mass(&mut self, number: usize) {
        let link = &mut self.links[number];
        match self.reader.compiler.inertia_from_geom {
            InertiaFromGeom::Auto => {}
            InertiaFromGeom::Always => link.inertial = None,
            InertiaFromGeom::Never => link.geoms.iter_mut().for_each(|geom| geom.weight = Weight::Mass(0.0)),
        }
    }

    fn inertial(&self, element: &Element) -> Result<Inertial, TreeError> {
        element.only(&[&["pos", "mass", "diaginertia", "fullinertia"], &ORIENTATION])?;
        element.required("mass")?;
        let pose = self.reader.compiler.pose(element)?;
        let full: Option<[f64; 6]> = element.array("fullinertia", "six numbers: Ixx Iyy Izz Ixy Ixz Iyz")?;
        let own = match (element.vector("diaginertia")?, full) {
            (Some(_), Some(_)) => {
                let text = "diaginertia and fullinertia both give the inertia; keep one of them";
                return Err(element.error("", TreeProblem::Wrong(text.into())));
            }
            (Some(moments), None) => {
                if moments.min_element() < 0.0 {
                    return Err(
                        element.error("diaginertia", wrong("three numbers, zero or above", &moments.to_string()))
                    );
                }
                DMat3::from_diagonal(self.reader.compiler.balanced(moments))
            }
            (None, Some([xx, yy, zz, xy, xz, yz])) => {
                DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
            }
            (None, None) => DMat3::ZERO,
        };
        let turn = DMat3::from_quat(pose.rotation);
        let mass = element.not_negative("mass")?.unwrap_or_default();
        Ok(Inertial { mass, centre: pose.translation, inertia: turn * own * turn.transpose() })
    }
}
