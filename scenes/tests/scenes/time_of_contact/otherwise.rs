//! Primitives said in other ways: as expressions, patches, triangles and combinations.

use std::sync::Arc;

use drystone_contact::solid::{Description, Parametric, Part, Patch, Solid};
use drystone_scenes::toc::region::Region;
use glam::DVec3;

use super::window::{AT_EDGES, Subject, check};
use crate::cases;

/// Queries of each subject at each scale in the whole tier.
const QUERIES: u32 = 400;

/// m.
const SCALES: [f64; 3] = [1e-6, 1.0, 1e6];

/// The rotation that takes z to y, x to z and y to x.
const Z_TO_Y: [f64; 4] = [-0.5, -0.5, -0.5, 0.5];

/// A primitive as data.
pub fn primitive(kind: &str, dimensions: &[f64]) -> Description {
    Description::Primitive { kind: kind.into(), dimensions: dimensions.to_vec() }
}

/// A solid where it is drawn.
fn here(solid: Description) -> Part {
    Part { solid, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] }
}

fn built(description: &Description) -> Arc<dyn Solid> {
    description.build().unwrap_or_else(|error| panic!("{description:?}: {error}"))
}

/// An expression in a cube about the origin, half of whose side is `reach`, m.
fn implicit(f: String, reach: f64) -> Arc<dyn Solid> {
    built(&Description::Implicit { f, low: [-reach; 3], high: [reach; 3] })
}

/// The half-space below a plane at this distance from the origin (m), which faces along an axis.
fn below(axis: usize, sign: f64, distance: f64) -> Part {
    // The rotations that take y there, exactly.
    let rotation = match (axis, sign > 0.0) {
        (0, true) => [0.5, 0.5, -0.5, 0.5],
        (0, false) => [0.5, -0.5, 0.5, 0.5],
        (1, true) => [0.0, 0.0, 0.0, 1.0],
        (1, false) => [1.0, 0.0, 0.0, 0.0],
        (_, true) => [0.5, 0.5, 0.5, 0.5],
        (_, false) => [-0.5, 0.5, -0.5, 0.5],
    };
    let mut position = [0.0; 3];
    position[axis] = sign * distance;
    Part { solid: primitive("half-space", &[]), position, rotation }
}

/// The sides of a box by its corners, counter-clockwise seen from outside; bit k of a corner is set where it is on the
/// upper side along axis k.
const SIDES: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn corner(half: DVec3, corner: u32) -> [f64; 3] {
    std::array::from_fn(|k| if corner >> k & 1 == 1 { half[k] } else { -half[k] })
}

#[test]
fn balls() {
    for (seed, s) in (1..).zip(SCALES) {
        let smaller = Part { position: [0.3 * s, 0.0, -0.1 * s], ..here(primitive("ball", &[0.5 * s])) };
        let far = Part { position: [0.0, 4.0 * s, 0.0], ..here(primitive("ball", &[2.0 * s])) };
        let ball = || here(primitive("ball", &[s]));
        let block = here(primitive("box", &[1.5 * s, 1.25 * s, 2.0 * s]));
        let ways = vec![
            ("a primitive", built(&primitive("ball", &[s]))),
            ("a quadric", implicit(format!("x^2 + y^2 + z^2 - {s:e}^2"), 1.25 * s)),
            ("a distance", implicit(format!("sqrt(x^2 + y^2 + z^2) - {s:e}"), 1.25 * s)),
            ("patches", Arc::new(Parametric::ball(s).unwrap()) as Arc<dyn Solid>),
            ("a union with a part of it", built(&Description::Union(vec![ball(), smaller]))),
            ("what is in a box around it", built(&Description::Intersection(vec![ball(), block]))),
            ("what is outside of another", built(&Description::Difference(vec![ball(), far]))),
        ];
        let subject = Subject { name: format!("ball of {s:e} m"), region: Region::Ball { radius: s }, size: s, ways };
        check(&subject, cases(QUERIES), seed, 0);
    }
}

#[test]
fn tori() {
    for (seed, s) in (11..).zip(SCALES) {
        let (major, minor) = (0.75 * s, 0.25 * s);
        let square = "(x^2 + y^2 + z^2";
        let patches = Parametric::torus(major, minor).unwrap();
        let patches = Part { rotation: Z_TO_Y, ..here(patches.description().unwrap()) };
        let ways = vec![
            ("a primitive", built(&primitive("torus", &[major, minor]))),
            (
                "a quartic",
                implicit(format!("{square} + {major:e}^2 - {minor:e}^2)^2 - 4 * {major:e}^2 * (x^2 + z^2)"), 1.125 * s),
            ),
            ("a distance", implicit(format!("sqrt((sqrt(x^2 + z^2) - {major:e})^2 + y^2) - {minor:e}"), 1.125 * s)),
            ("patches", built(&Description::Placed(Box::new(patches)))),
        ];
        let region = Region::Torus { major, minor };
        check(&Subject { name: format!("torus of {s:e} m"), region, size: s, ways }, cases(QUERIES), seed, 0);
    }
}

#[test]
fn boxes() {
    for (seed, s) in (21..).zip(SCALES) {
        let half = DVec3::new(1.0, 0.625, 0.375) * s;
        let signs = [1.0, -1.0];
        let planes = (0..3).flat_map(|axis| signs.map(|sign| below(axis, sign, half[axis]))).collect();
        let vertices: Vec<[f64; 3]> = (0..8).map(|k| corner(half, k)).collect();
        let triangles = SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let patch = |&[a, b, c, d]: &[u32; 4]| Patch {
            degrees: [1, 1],
            points: [a, d, b, c].map(|k| corner(half, k).to_vec()).to_vec(),
        };
        let patches = Description::Parametric { patches: SIDES.iter().map(patch).collect(), closed: true };
        let [a, b, c] = half.to_array();
        let ways = vec![
            ("a primitive", built(&primitive("box", &half.to_array()))),
            ("half-spaces", built(&Description::Intersection(planes))),
            ("triangles", built(&Description::Polyhedron { vertices, triangles })),
            ("patches", built(&patches)),
            ("an expression", implicit(format!("max(abs(x) - {a:e}, abs(y) - {b:e}, abs(z) - {c:e})"), 1.25 * s)),
        ];
        let region = Region::Cuboid { half };
        check(&Subject { name: format!("box of {s:e} m"), region, size: s, ways }, cases(QUERIES), seed, AT_EDGES);
    }
}

#[test]
fn cylinders_and_cones() {
    for (seed, s) in (31..).zip(SCALES) {
        let (radius, half_height) = (0.5 * s, s);
        let long = here(primitive("cylinder", &[radius, 2.0 * s]));
        let planes = [below(1, 1.0, half_height), below(1, -1.0, half_height)];
        let ways = vec![
            ("a primitive", built(&primitive("cylinder", &[radius, half_height]))),
            ("a part of a longer one", built(&Description::Intersection([vec![long], planes.to_vec()].concat()))),
            (
                "an expression",
                implicit(format!("max(sqrt(x^2 + z^2) - {radius:e}, abs(y) - {half_height:e})"), 1.25 * s),
            ),
        ];
        let region = Region::Cylinder { radius, half_height };
        let subject = Subject { name: format!("cylinder of {s:e} m"), region, size: s, ways };
        check(&subject, cases(QUERIES), seed, AT_EDGES);

        let height = s;
        let (low, high) = (0.25 * height, 0.75 * height);
        // The height times the distance from the axis against the radius times the height below the tip.
        let side = format!("{height:e} * sqrt(x^2 + z^2) + {radius:e} * (y - {high:e})");
        let ways = vec![
            ("a primitive", built(&primitive("cone", &[radius, height]))),
            ("an expression", implicit(format!("max({side}, {height:e} * (-y - {low:e}))"), s)),
        ];
        let region = Region::Cone { radius, height };
        let subject = Subject { name: format!("cone of {s:e} m"), region, size: s, ways };
        check(&subject, cases(QUERIES), seed + 5, AT_EDGES);
    }
}
