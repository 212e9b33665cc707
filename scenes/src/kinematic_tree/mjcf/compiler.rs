//! The section `compiler`: how numbers and names of the file are meant.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::super::element::{Element, wrong};
use super::super::error::{TreeError, TreeProblem};
use drystone_engine::Pose;

/// The ways to give an orientation.
pub const ORIENTATION: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// Which links have the mass of their geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InertiaFromGeom {
    /// Those that state none.
    Auto,
    /// All.
    Always,
    /// None.
    Never,
}

/// The settings.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The unit of angles, rad.
    pub angle: f64,
    euler: [u8; 3],
    /// Whether a range makes a limit.
    pub autolimits: bool,
    pub mesh_folder: String,
    /// Whether folders of names of files are passed over.
    pub strips_paths: bool,
    pub inertia_from_geom: InertiaFromGeom,
    /// Groups of the geoms that have mass.
    pub inertia_groups: [f64; 2],
    balances_inertia: bool,
}

impl Compiler {
    /// Of all sections `compiler` of a model; later ones win.
    pub fn new(root: &Element) -> Result<Self, TreeError> {
        let mut compiler = Self {
            angle: PI / 180.0,
            euler: *b"xyz",
            autolimits: true,
            mesh_folder: String::new(),
            strips_paths: false,
            inertia_from_geom: InertiaFromGeom::Auto,
            inertia_groups: [0.0, 5.0],
            balances_inertia: false,
        };
        root.all("compiler").try_for_each(|section| compiler.read(section))?;
        Ok(compiler)
    }

    fn read(&mut self, section: &Element) -> Result<(), TreeError> {
        const READ: [&str; 15] = [
            "angle",
            "eulerseq",
            "autolimits",
            "meshdir",
            "assetdir",
            "strippath",
            "inertiafromgeom",
            "inertiagrouprange",
            "balanceinertia",
            "coordinate",
            "boundmass",
            "boundinertia",
            "settotalmass",
            "exactmeshinertia",
            "conflict",
        ];
        // What is seen, how the file is checked, and what makes no difference to the motion.
        const PASSED: [&str; 7] =
            ["texturedir", "discardvisual", "usethread", "fusestatic", "saveinertial", "alignfree", "fitaabb"];
        section.only(&[&READ, &PASSED])?;
        section.only_children(&[&["lengthrange"]])?;
        let words = [("degree", PI / 180.0), ("radian", 1.0)];
        self.angle = section.word("angle", &words, "degree or radian")?.unwrap_or(self.angle);
        if let Some(text) = section.text("eulerseq") {
            let must = "three of the letters x, y, z (turning axes) and X, Y, Z (fixed axes)";
            let letters: Option<[u8; 3]> = text.as_bytes().try_into().ok();
            let good = letters.filter(|letters| letters.iter().all(|letter| b"xyzXYZ".contains(letter)));
            self.euler = good.ok_or_else(|| section.error("eulerseq", wrong(must, text)))?;
        }
        self.autolimits = section.flag("autolimits")?.unwrap_or(self.autolimits);
        self.strips_paths = section.flag("strippath")?.unwrap_or(self.strips_paths);
        self.balances_inertia = section.flag("balanceinertia")?.unwrap_or(self.balances_inertia);
        for key in ["assetdir", "meshdir"] {
            if let Some(text) = section.text(key) {
                text.clone_into(&mut self.mesh_folder);
            }
        }
        let words =
            [("auto", InertiaFromGeom::Auto), ("true", InertiaFromGeom::Always), ("false", InertiaFromGeom::Never)];
        self.inertia_from_geom =
            section.word("inertiafromgeom", &words, "auto, true or false")?.unwrap_or(self.inertia_from_geom);
        self.inertia_groups = section.array("inertiagrouprange", "two numbers")?.unwrap_or(self.inertia_groups);
        if section.text("coordinate").is_some_and(|text| text != "local") {
            let problem = TreeProblem::unsupported(
                "coordinates of the world",
                "give coordinates of the parent (local), or leave it out",
            );
            return Err(section.error("coordinate", problem));
        }
        for key in ["boundmass", "boundinertia", "settotalmass"] {
            if section.number(key)?.is_some_and(|value| value > 0.0) {
                let problem =
                    TreeProblem::unsupported("a change of all masses", "write the masses into the file, and remove it");
                return Err(section.error(key, problem));
            }
        }
        Ok(())
    }

    /// The pose that an element gives by `pos` and an orientation.
    pub fn pose(&self, element: &Element) -> Result<Pose, TreeError> {
        let position = element.vector("pos")?.unwrap_or_default();
        Ok(Pose::from_parts(position, self.orientation(element)?))
    }

    /// The orientation of an element.
    pub fn orientation(&self, element: &Element) -> Result<DQuat, TreeError> {
        let mut given = ORIENTATION.into_iter().filter(|key| element.text(key).is_some());
        let Some(key) = given.next() else { return Ok(DQuat::IDENTITY) };
        if let Some(other) = given.next() {
            let text = format!("{key} and {other} both give the orientation; keep one of them");
            return Err(element.error(other, TreeProblem::Wrong(text)));
        }
        let unit = |vector: DVec3| {
            let problem = || wrong("a direction that is not zero", &vector.to_string());
            vector.try_normalize().ok_or_else(|| element.error(key, problem()))
        };
        let triple = |numbers: &[f64]| DVec3::new(numbers[0], numbers[1], numbers[2]);
        Ok(match key {
            "quat" => quaternion(element, key)?.unwrap_or(DQuat::IDENTITY),
            "axisangle" => {
                let [x, y, z, angle] = element.array(key, "four numbers: an axis and an angle")?.unwrap_or_default();
                DQuat::from_axis_angle(unit(DVec3::new(x, y, z))?, angle * self.angle)
            }
            "xyaxes" => {
                let axes: [f64; 6] = element.array(key, "six numbers: the axes x and y")?.unwrap_or_default();
                let x = unit(triple(&axes[..3]))?;
                let y = triple(&axes[3..]);
                let y = unit(y - x * x.dot(y))?;
                DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
            }
            "zaxis" => from_z(unit(element.vector(key)?.unwrap_or_default())?),
            _ => {
                let angles: [f64; 3] = element.array(key, "three angles")?.unwrap_or_default();
                let turned = self.euler.iter().zip(angles).fold(DQuat::IDENTITY, |turned, (letter, angle)| {
                    let axis = match letter.to_ascii_lowercase() {
                        b'x' => DVec3::X,
                        b'y' => DVec3::Y,
                        _ => DVec3::Z,
                    };
                    let turn = DQuat::from_axis_angle(axis, angle * self.angle);
                    if letter.is_ascii_lowercase() { turned * turn } else { turn * turned }
                });
                turned.normalize()
            }
        })
    }

    /// Principal moments that no solid has, made those of one where the file asks for it.
    pub fn balanced(&self, moments: DVec3) -> DVec3 {
        let largest = moments.max_element();
        let is_solid = moments.element_sum() >= 2.0 * largest;
        if self.balances_inertia && !is_solid { DVec3::splat(moments.element_sum() / 3.0) } else { moments }
    }
}

/// A quaternion (w, x, y, z) of any length above zero.
pub fn quaternion(element: &Element, key: &str) -> Result<Option<DQuat>, TreeError> {
    let Some([w, x, y, z]) = element.array(key, "four numbers: a quaternion, its real part first")? else {
        return Ok(None);
    };
    let quaternion = DQuat::from_xyzw(x, y, z, w);
    let length = quaternion.length();
    if length <= f64::MIN_POSITIVE {
        return Err(element.error(key, wrong("a quaternion that is not zero", &quaternion.to_string())));
    }
    Ok(Some((quaternion / length).normalize()))
}

/// The shortest turn that takes z to a direction of length one; half a turn about x where they are opposite.
pub fn from_z(direction: DVec3) -> DQuat {
    let cross = DVec3::Z.cross(direction);
    let axis = cross.normalize_or(DVec3::X);
    DQuat::from_axis_angle(axis, libm::atan2(cross.length(), direction.z))
}
