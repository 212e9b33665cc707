//! Solids of these scenes: boxes of a lattice, rings and cores turned about y, prisms over a polygon.

use std::f64::consts::PI;

use drystone_contact::shape::{Shape, Surface, SurfaceError, TetrahedralMeshError, TetrahedralizationSettings};
use glam::DVec3;

use crate::extended::hexahedra::{Cell, solid};
use crate::scene::BodyProblem;

/// The solid of those boxes of a lattice, numbered along x, y and z, that are kept. Coordinates in m.
pub fn lattice([x, y, z]: [&[f64]; 3], is_kept: impl Fn([usize; 3]) -> bool) -> Result<Shape, TetrahedralMeshError> {
    let mut cells = Vec::new();
    for (i, x) in x.windows(2).enumerate() {
        for (j, y) in y.windows(2).enumerate() {
            for (_, z) in z.windows(2).enumerate().filter(|&(k, _)| is_kept([i, j, k])) {
                let face =
                    |z: f64| [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])].map(|(x, y)| DVec3::new(x, y, z));
                let ([a, b, c, d], [e, f, g, h]) = (face(z[0]), face(z[1]));
                cells.push([a, b, c, d, e, f, g, h]);
            }
        }
    }
    solid(&cells)
}

/// A prism along z, from −`half_depth` to `half_depth` (m), over a polygon in x and y, counter-clockwise, that is seen
/// whole from `eye`.
pub fn extruded(section: &[(f64, f64)], eye: (f64, f64), half_depth: f64) -> Result<Shape, BodyProblem> {
    let n = section.len() as u32;
    let around = section.iter().chain([&eye]);
    let vertices =
        [half_depth, -half_depth].into_iter().flat_map(|z| around.clone().map(move |&(x, y)| DVec3::new(x, y, z)));
    let vertices: Vec<DVec3> = vertices.collect();
    let (front_eye, back, back_eye) = (n, n + 1, 2 * n + 1);
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[front_eye, k, next], [back_eye, back + next, back + k]]);
        triangles.extend([[k, back + k, back + next], [k, back + next, next]]);
    }
    of_surface(Surface::new(vertices, triangles))
}

/// A polyhedron that one of its points sees whole.
pub fn of_surface(surface: Result<Surface, SurfaceError>) -> Result<Shape, BodyProblem> {
    Ok(Shape::from_surface(&surface?, &TetrahedralizationSettings::default())?)
}

/// A place in the half plane through y: the distance of a wall from the axis and the height, m.
pub type Place = (f64, f64);

/// A polygon about y with so many sides, the first across x, and what is turned along it.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    /// The number of sides; even where there are cores.
    pub sides: u32,
}

impl Turned {
    /// The direction that a side looks in, from the axis.
    pub fn outward(self, side: u32) -> DVec3 {
        horizontal(2.0 * PI * f64::from(side) / f64::from(self.sides))
    }

    /// The directions that all sides look in.
    pub fn all_outward(self) -> impl Iterator<Item = DVec3> {
        (0..self.sides).map(move |side| self.outward(side))
    }

    /// The direction along the polygon in the corner before a side.
    pub fn along(self, side: u32) -> DVec3 {
        self.corner(side).cross(DVec3::Y)
    }

    /// The direction of the corner before a side.
    fn corner(self, side: u32) -> DVec3 {
        horizontal(2.0 * PI * (f64::from(side) - 0.5) / f64::from(self.sides))
    }

    fn place(self, side: u32, (apothem, height): Place) -> DVec3 {
        let radius = apothem / libm::cos(PI / f64::from(self.sides));
        self.corner(side % self.sides) * radius + DVec3::Y * height
    }

    /// The part of a ring behind one side, over a quadrilateral that is counter-clockwise in distance and height.
    pub fn sector(self, side: u32, section: [Place; 4]) -> Cell {
        let at = |side: u32| section.map(|place| self.place(side, place));
        let ([a, b, c, d], [e, f, g, h]) = (at(side), at(side + 1));
        [a, b, c, d, e, f, g, h]
    }

    /// The rings over quadrilaterals.
    pub fn rings(self, sections: &[[Place; 4]]) -> Vec<Cell> {
        sections.iter().flat_map(|&section| (0..self.sides).map(move |side| self.sector(side, section))).collect()
    }

    /// The frusta between polygons, from the lower to the upper one.
    pub fn cores(self, levels: &[[Place; 2]]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &level in levels {
            // A fan of quadrilaterals, each counter-clockwise seen from above.
            for last in (3..self.sides).step_by(2) {
                let [[a, b, c, d], [e, f, g, h]] =
                    level.map(|place| [0, last, last - 1, last - 2].map(|corner| self.place(corner, place)));
                cells.push([a, b, c, d, e, f, g, h]);
            }
        }
        cells
    }
}

fn horizontal(angle: f64) -> DVec3 {
    DVec3::new(libm::cos(angle), 0.0, libm::sin(angle))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(shape: &Shape) -> f64 {
        shape.surface().unwrap().volume()
    }

    #[test]
    fn volumes_are_those_of_the_solids() {
        let is = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} instead of {b}");
        let cuts: &[f64] = &[0.0, 1.0, 2.0, 3.0];
        is(volume(&lattice([cuts; 3], |cell| cell != [1, 1, 1]).unwrap()), 26.0);
        is(
            volume(
                &extruded(&[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)], (0.5, 0.5), 0.5)
                    .unwrap(),
            ),
            3.0,
        );
        let hexagon = Turned { sides: 6 };
        let area = |apothem: f64| 2.0 * 3f64.sqrt() * apothem * apothem;
        let ring = [(0.5, 0.0), (1.0, 0.0), (1.0, 2.0), (0.5, 2.0)];
        is(volume(&solid(&hexagon.rings(&[ring])).unwrap()), 2.0 * (area(1.0) - area(0.5)));
        let mut cells = hexagon.rings(&[ring]);
        cells.extend(hexagon.cores(&[[(0.5, 0.0), (0.5, 2.0)]]));
        let whole = solid(&cells).unwrap();
        is(volume(&whole), 2.0 * area(1.0));
        assert!(whole.surface().unwrap().is_convex());
    }

    #[test]
    fn sides_look_outward() {
        for sides in [5, 6, 8] {
            let turned = Turned { sides };
            for side in 0..sides {
                let cell = turned.sector(side, [(0.5, 0.0), (1.0, 0.0), (1.0, 2.0), (0.5, 2.0)]);
                for corner in [1, 2, 5, 6] {
                    assert!((cell[corner].dot(turned.outward(side)) - 1.0).abs() < 1e-14);
                }
                assert!(turned.along(side).dot(turned.outward(side)) > 0.0);
                assert!(turned.along(side).dot(cell[0]).abs() < 1e-14);
            }
        }
    }
}
