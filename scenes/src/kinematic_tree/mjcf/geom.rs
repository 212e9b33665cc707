//! Geoms: what collides, and what is heavy.

use drystone_engine::Pose;
use glam::DVec3;

use super::super::element::{Element, wrong};
use super::super::error::{TreeError, TreeProblem};
use super::super::model::{Form, Geom, Touch, Weight};
use super::Reader;
use super::compiler::{ORIENTATION, from_z};

/// Density of a geom that states neither density nor mass, kg/m³.
const USUAL_DENSITY: f64 = 1000.0;

/// Sliding (dimensionless), drilling (m) and rolling (m) of a geom that states none.
pub const USUAL_FRICTION: [f64; 3] = [1.0, 0.005, 0.0001];

const READ: [&str; 19] = [
    "name",
    "class",
    "type",
    "contype",
    "conaffinity",
    "condim",
    "group",
    "priority",
    "size",
    "friction",
    "mass",
    "density",
    "shellinertia",
    "fromto",
    "pos",
    "mesh",
    "surfacevel",
    "hfield",
    "adhesion",
];

/// What is seen, and what fluids do, which are refused.
const PASSED: [&str; 5] = ["material", "rgba", "user", "fluidshape", "fluidcoef"];

/// How MuJoCo softens contacts.
const SOFT: [&str; 5] = ["solmix", "solref", "solimp", "margin", "gap"];

/// A geom of an element with its defaults, in a frame of the link.
pub fn geom(element: &Element, frame: &Pose, reader: &mut Reader) -> Result<Geom, TreeError> {
    element.only(&[&READ, &PASSED, &SOFT, &ORIENTATION])?;
    if let Some(plugin) = element.all("plugin").next() {
        return Err(plugin.error("", TreeProblem::unsupported("a geom of a plugin", "use another type of geom")));
    }
    element.only_children(&[])?;
    let touch = touch(element)?;
    for key in SOFT.into_iter().filter(|key| element.text(key).is_some()) {
        if touch.kind | touch.with != 0 {
            reader.notes.add(element, key, "was left out: contacts here are rigid, and begin where surfaces touch");
        }
    }
    if element.flag("shellinertia")? == Some(true) {
        return Err(element
            .error("shellinertia", TreeProblem::unsupported("the mass of a shell", "give an <inertial> to the body")));
    }
    for key in ["surfacevel", "adhesion"] {
        if element.numbers(key)?.is_some_and(|numbers| numbers.iter().any(|&x| x != 0.0)) {
            return Err(element.error(key, TreeProblem::unsupported(key, "remove it")));
        }
    }
    let group = element.number("group")?.unwrap_or(0.0);
    let [least, most] = reader.compiler.inertia_groups;
    let weight = match (element.not_negative("mass")?, element.not_negative("density")?) {
        // As in MuJoCo.
        _ if !(least..=most).contains(&group) => Weight::Mass(0.0),
        (Some(mass), _) => Weight::Mass(mass),
        (None, density) => Weight::Density(density.unwrap_or(USUAL_DENSITY)),
    };
    let own = own_pose(element, reader)?;
    let name = element.text("name").unwrap_or_default().to_owned();
    Ok(Geom { name, place: element.place(""), form: form(element, reader)?, pose: *frame * own, weight, touch })
}

/// Where it is: by `pos` and an orientation, or by the ends `fromto`.
fn own_pose(element: &Element, reader: &Reader) -> Result<Pose, TreeError> {
    match ends(element)? {
        None => reader.compiler.pose(element),
        // The axis points from the second end to the first one.
        Some([a, b]) => Ok(Pose::from_parts(a.midpoint(b), from_z((a - b).normalize_or(DVec3::Z)))),
    }
}

fn ends(element: &Element) -> Result<Option<[DVec3; 2]>, TreeError> {
    let Some(numbers) = element.array("fromto", "six numbers: two points")? else { return Ok(None) };
    let [a, b, c, d, e, f]: [f64; 6] = numbers;
    let ends = [DVec3::new(a, b, c), DVec3::new(d, e, f)];
    if ends[0] == ends[1] {
        let problem = wrong("two different points", element.text("fromto").unwrap_or_default());
        return Err(element.error("fromto", problem));
    }
    Ok(Some(ends))
}

fn form(element: &Element, reader: &Reader) -> Result<Form, TreeError> {
    let kind = element.text("type").unwrap_or("sphere");
    let half_length = ends(element)?.map(|[a, b]| 0.5 * a.distance(b));
    if half_length.is_some() && !matches!(kind, "capsule" | "cylinder" | "ellipsoid" | "box") {
        let text = format!("a {kind} has no two ends; give pos and size, or another type");
        return Err(element.error("fromto", TreeProblem::Wrong(text)));
    }
    if kind != "mesh" && element.text("mesh").is_some() {
        let problem = TreeProblem::unsupported("the fit of a primitive to a mesh", "give its size, and remove mesh");
        return Err(element.error("mesh", problem));
    }
    let sizes = element.numbers("size")?.unwrap_or_default();
    let size = |number: usize| match sizes.get(number) {
        Some(&value) if value > 0.0 => Ok(value),
        _ => {
            let must = "lengths above zero: the radius of a sphere; radius and half length of a capsule or cylinder (the radius alone with \
                        fromto); three half sides or semi-axes of a box or ellipsoid";
            Err(element.error("size", wrong(must, element.text("size").unwrap_or("nothing"))))
        }
    };
    let long = || half_length.map_or_else(|| size(1), Ok);
    let three = || match half_length {
        Some(half) => Ok::<_, TreeError>(DVec3::new(size(0)?, size(0)?, half)),
        None => Ok(DVec3::new(size(0)?, size(1)?, size(2)?)),
    };
    Ok(match kind {
        "plane" => Form::Plane,
        "sphere" => Form::Sphere(size(0)?),
        "capsule" => Form::Capsule(size(0)?, long()?),
        "cylinder" => Form::Cylinder(size(0)?, long()?),
        "box" => Form::Box(three()?),
        "ellipsoid" => Form::Ellipsoid(three()?),
        "mesh" => Form::Mesh(reader.meshes.named(element)?),
        "hfield" | "sdf" => {
            let what = format!("a geom of type {kind}");
            let cure = "use plane, sphere, capsule, cylinder, box, ellipsoid or mesh";
            return Err(element.error("type", TreeProblem::unsupported(what, cure)));
        }
        other => {
            let must = "plane, sphere, capsule, cylinder, box, ellipsoid or mesh";
            return Err(element.error("type", wrong(must, other)));
        }
    })
}

fn touch(element: &Element) -> Result<Touch, TreeError> {
    let mut friction = USUAL_FRICTION;
    for (own, given) in friction.iter_mut().zip(element.numbers("friction")?.unwrap_or_default()) {
        if given < 0.0 {
            return Err(element.error("friction", wrong("zero or above", &given.to_string())));
        }
        *own = given;
    }
    let dimensions = element.integer("condim")?.unwrap_or(3);
    if !matches!(dimensions, 1 | 3 | 4 | 6) {
        return Err(element.error("condim", wrong("1, 3, 4 or 6", &dimensions.to_string())));
    }
    let priority = element.number("priority")?.unwrap_or(0.0);
    Ok(Touch {
        kind: element.integer("contype")?.unwrap_or(1),
        with: element.integer("conaffinity")?.unwrap_or(1),
        priority: priority as i32,
        dimensions,
        friction,
    })
}
