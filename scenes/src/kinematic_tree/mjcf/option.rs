//! The section `option`: gravity, time step, and what is turned off.

use glam::DVec3;

use super::super::element::Element;
use super::super::error::{TreeError, TreeProblem};
use super::super::note::Notes;

/// What is read of it.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// m/s².
    pub gravity: DVec3,
    /// s.
    pub time_step: f64,
    /// Whether anything collides.
    pub has_contacts: bool,
    /// Whether bodies do not collide with their parents.
    pub parents_pass: bool,
}

/// How MuJoCo solves, and what only sensors feel.
const PASSED: [&str; 24] = [
    "impratio",
    "tolerance",
    "ls_tolerance",
    "noslip_tolerance",
    "ccd_tolerance",
    "sleep_tolerance",
    "integrator",
    "cone",
    "jacobian",
    "solver",
    "iterations",
    "ls_iterations",
    "noslip_iterations",
    "ccd_iterations",
    "sdf_iterations",
    "sdf_initpoints",
    "actuatorgroupdisable",
    "magnetic",
    "o_margin",
    "o_solref",
    "o_solimp",
    "o_friction",
    "apirate",
    "mpr_iterations",
];

/// Flags of which none changes the motion of bodies that nothing drives.
const FLAGS_PASSED: [&str; 18] = [
    "clampctrl",
    "warmstart",
    "refsafe",
    "sensor",
    "actuation",
    "midphase",
    "nativeccd",
    "eulerdamp",
    "autoreset",
    "energy",
    "fwdinv",
    "invdiscrete",
    "multiccd",
    "island",
    "sleep",
    "diagexact",
    "energy",
    "spatial",
];

/// Flags that turn something off that this program has.
const FLAGS_REFUSED: [&str; 8] =
    ["constraint", "equality", "frictionloss", "limit", "passive", "spring", "damper", "override"];

impl Options {
    /// Of all sections of a model; later ones win.
    pub fn new(root: &Element, notes: &mut Notes) -> Result<Self, TreeError> {
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        let mut options = Self { gravity, time_step: 0.002, has_contacts: true, parents_pass: true };
        root.all("option").try_for_each(|section| options.read(section, notes))?;
        Ok(options)
    }

    fn read(&mut self, section: &Element, notes: &mut Notes) -> Result<(), TreeError> {
        section.only(&[&["gravity", "timestep", "density", "viscosity", "wind"], &PASSED])?;
        section.only_children(&[&["flag"]])?;
        self.gravity = section.vector("gravity")?.unwrap_or(self.gravity);
        self.time_step = section.positive("timestep")?.unwrap_or(self.time_step);
        for key in ["density", "viscosity"] {
            if section.number(key)?.is_some_and(|value| value != 0.0) {
                return Err(section.error(key, TreeProblem::unsupported("a fluid", "set it to zero")));
            }
        }
        if section.text("integrator").is_some() || section.text("solver").is_some() || section.text("cone").is_some() {
            notes.add(section, "", "of the solver was left out: solver and integrator are those of this program");
        }
        for flag in section.all("flag") {
            flag.only(&[&["gravity", "contact", "filterparent"], &FLAGS_PASSED, &FLAGS_REFUSED])?;
            let words = [("enable", true), ("disable", false)];
            let is_on = |key: &str| flag.word(key, &words, "enable or disable");
            if is_on("gravity")? == Some(false) {
                self.gravity = DVec3::ZERO;
            }
            self.has_contacts = is_on("contact")?.unwrap_or(self.has_contacts);
            self.parents_pass = is_on("filterparent")?.unwrap_or(self.parents_pass);
            for key in FLAGS_REFUSED {
                let usual = key != "override";
                if is_on(key)?.is_some_and(|is_on| is_on != usual) {
                    let cure = "remove the flag, and the elements that it turns off";
                    return Err(
                        flag.error(key, TreeProblem::unsupported("a flag that turns off a part of the model", cure))
                    );
                }
            }
        }
        Ok(())
    }
}
