//! Open surfaces, which rigid-ipc uses as grounds, walls, funnels and cards: bodies without thickness that stop others on both sides.
//! Here every body is a solid. A surface that stays, with all bodies on one of its sides, becomes the face of a thick solid on the other
//! side; any other becomes the middle of a thin one.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat3, DQuat, DVec3};

use super::error::Feature;
use super::mesh::Mesh;
use drystone_contact::sorting::inserted;

/// Points no farther from the surface than this share of its largest extent are on no side: mesh files have six digits.
const ROUNDING: f64 = 1e-6;

/// Thickness of a solid behind a surface as a share of the surface's largest extent: so deep that no body soon comes out behind.
const THICK: f64 = 0.25;

/// Thickness of a solid around a surface as a share of the surface's largest extent.
const THIN: f64 = 0.01;

/// Faces at a vertex whose normals are within about this angle of a plane leave the direction across it free, rad.
const FLAT: f64 = 1e-4;

/// An open surface, in the frame of its mesh.
#[derive(Debug)]
pub struct Shell {
    mesh: Mesh,
    /// Of the triangles, unit, as their corners run.
    normals: Vec<DVec3>,
    /// Largest extent, m.
    extent: f64,
}

/// Which side of a surface, by its normals, a solid fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Behind,
    InFront,
    Both,
}

impl Shell {
    /// The mesh as an open surface, or what it would take to have it as a body.
    pub fn new(mesh: Mesh) -> Result<Self, Feature> {
        let mut known = BTreeSet::new();
        let is_oriented = mesh.triangles.iter().flat_map(directed).all(|edge| known.insert(edge));
        let normal = |triangle: &[u32; 3]| {
            let [a, b, c] = corners(&mesh, triangle);
            (b - a).cross(c - a).try_normalize()
        };
        let normals: Option<Vec<DVec3>> = mesh.triangles.iter().map(normal).collect();
        let extent = mesh.extents().max_element();
        match normals {
            Some(normals) if is_oriented => Ok(Self { mesh, normals, extent }),
            _ => Err(Feature::UnorientedSurface),
        }
    }

    /// The side on which none of these points (world frame, m) is: behind, if there are none at all, and both if there are some on either.
    pub fn free_side(&self, rotation: DQuat, position: DVec3, points: &[DVec3]) -> Side {
        let heights = || {
            let local = points.iter().map(|&point| rotation.inverse() * (point - position));
            local.map(|point| self.height(point)).filter(|height| height.abs() > ROUNDING * self.extent)
        };
        match (heights().any(|h| h > 0.0), heights().any(|h| h < 0.0)) {
            (true, true) => Side::Both,
            (false, true) => Side::InFront,
            (_, false) => Side::Behind,
        }
    }

    /// How far a point is above the plane of the triangle that is nearest to it, m: of several, of the one above whose plane it is farthest.
    fn height(&self, point: DVec3) -> f64 {
        let of = |(triangle, normal): (&[u32; 3], &DVec3)| {
            let corners = corners(&self.mesh, triangle);
            (distance(point, corners, *normal), (point - corners[0]).dot(*normal))
        };
        let all: Vec<(f64, f64)> = self.mesh.triangles.iter().zip(&self.normals).map(of).collect();
        let least = all.iter().map(|(distance, _)| *distance).fold(f64::INFINITY, f64::min);
        let near =
            all.iter().filter(|(distance, _)| *distance <= least + ROUNDING * self.extent).map(|(_, height)| *height);
        near.fold(0.0, |most: f64, height| if height.abs() > most.abs() { height } else { most })
    }

    /// How thick the solid on a side is, m.
    pub fn thickness(&self, side: Side) -> f64 {
        self.extent * if side == Side::Both { THIN } else { THICK }
    }

    /// The closed surface of the solid on a side.
    pub fn solid(self, side: Side) -> Mesh {
        let thickness = self.thickness(side);
        let [below, above] = match side {
            Side::Behind => [thickness, 0.0],
            Side::InFront => [0.0, thickness],
            Side::Both => [0.5 * thickness; 2],
        };
        let ways = self.ways();
        let Mesh { stem, vertices, mut triangles } = self.mesh;
        let count = vertices.len() as u32;
        let moved = |by: f64| vertices.iter().zip(&ways).map(move |(&vertex, &way)| vertex + way * by);
        let vertices = moved(above).chain(moved(-below)).collect();
        let known: BTreeSet<[u32; 2]> = inserted(triangles.iter().flat_map(directed));
        let backs: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]).collect();
        let rims = known.iter().filter(|&&[a, b]| !known.contains(&[b, a]));
        let sides: Vec<[u32; 3]> = rims.flat_map(|&[a, b]| [[b, a, a + count], [b, a + count, b + count]]).collect();
        triangles.extend(backs);
        triangles.extend(sides);
        Mesh { stem, vertices, triangles }
    }

    /// Where each vertex goes, for each metre by which all faces move along their normals: n·w = 1 for the normals around it, as well as
    /// possible, and no farther.
    fn ways(&self) -> Vec<DVec3> {
        let mut around: BTreeMap<u32, (DMat3, DVec3)> = BTreeMap::new();
        for (triangle, &normal) in self.mesh.triangles.iter().zip(&self.normals) {
            let [a, b, c] = corners(&self.mesh, triangle);
            for (k, vertex) in triangle.iter().enumerate() {
                // By its angle there a face counts as much however it is cut into triangles.
                let [p, q, r] = [[a, b, c], [b, c, a], [c, a, b]][k];
                let weight = (q - p).angle_between(r - p);
                let (squares, sum) = around.entry(*vertex).or_insert((DMat3::ZERO, DVec3::ZERO));
                *squares += DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z) * weight;
                *sum += normal * weight;
            }
        }
        let way = |vertex: u32| {
            let Some(&(squares, sum)) = around.get(&vertex) else { return DVec3::ZERO };
            // The trace is the sum of the weights.
            let trace = squares.x_axis.x + squares.y_axis.y + squares.z_axis.z;
            let way = (squares + DMat3::IDENTITY * (trace * FLAT * FLAT)).inverse() * sum;
            // One metre on average, whatever the term for flat places has taken away.
            way * (trace / sum.dot(way))
        };
        (0..self.mesh.vertices.len() as u32).map(way).collect()
    }
}

fn corners(mesh: &Mesh, triangle: &[u32; 3]) -> [DVec3; 3] {
    triangle.map(|vertex| mesh.vertices[vertex as usize])
}

fn directed(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// How far a point is from a triangle with a unit normal, m.
fn distance(point: DVec3, [a, b, c]: [DVec3; 3], normal: DVec3) -> f64 {
    let sides = [(a, b), (b, c), (c, a)];
    if sides.iter().all(|&(p, q)| normal.dot((q - p).cross(point - p)) >= 0.0) {
        return (point - a).dot(normal).abs();
    }
    let of_side = |&(p, q): &(DVec3, DVec3)| {
        let share = ((point - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
        point.distance(p.lerp(q, share))
    };
    sides.iter().map(of_side).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::shape::Surface;

    fn mesh(vertices: &[[f64; 3]], triangles: Vec<[u32; 3]>) -> Mesh {
        Mesh { stem: "mesh".into(), vertices: vertices.iter().map(|&v| DVec3::from(v)).collect(), triangles }
    }

    /// A square of 2 m in y = 0 that looks up.
    fn square() -> Mesh {
        mesh(&[[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 0.0, -1.0]], vec![[0, 1, 2], [0, 2, 3]])
    }

    /// A funnel of four sides at 45° that looks up, 2 m wide and 1 m deep.
    fn funnel() -> Mesh {
        mesh(
            &[[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, -1.0], [0.0; 3]],
            vec![[4, 0, 1], [4, 1, 2], [4, 2, 3], [4, 3, 0]],
        )
    }

    fn surface(mesh: Mesh) -> Surface {
        Surface::new(mesh.vertices, mesh.triangles).unwrap()
    }

    #[test]
    fn a_flat_surface_becomes_a_slab() {
        for (side, lowest, highest) in [(Side::Behind, -0.5, 0.0), (Side::InFront, 0.0, 0.5), (Side::Both, -0.01, 0.01)]
        {
            let slab = surface(Shell::new(square()).unwrap().solid(side));
            let (low, high) = slab.bounds();
            assert!((slab.volume() - 4.0 * (highest - lowest)).abs() < 1e-7, "{side:?}: {} m³", slab.volume());
            assert!((low.y - lowest).abs() < 1e-7 && (high.y - highest).abs() < 1e-7, "{side:?}: {low} to {high}");
            assert!((high.x - 1.0).abs() < 1e-7 && (low.z + 1.0).abs() < 1e-7, "{side:?}: {low} to {high}");
        }
    }

    #[test]
    fn a_curved_surface_becomes_a_solid_as_thick_everywhere() {
        for (side, below, above) in [(Side::Behind, 0.5, 0.0), (Side::Both, 0.01, 0.01)] {
            let solid = Shell::new(funnel()).unwrap().solid(side);
            // The apex lies where the moved sides meet; the sides are at 45°.
            let apex = |by: f64| DVec3::Y * by * f64::sqrt(2.0);
            assert!(solid.vertices[4].distance(apex(above)) < 1e-6, "{side:?}: {}", solid.vertices[4]);
            assert!(solid.vertices[9].distance(apex(-below)) < 1e-6, "{side:?}: {}", solid.vertices[9]);
            assert!(surface(solid).volume() > 0.0);
        }
    }

    #[test]
    fn the_free_side_is_where_no_point_is() {
        let side = |mesh: Mesh, turn: f64, points: &[DVec3]| {
            Shell::new(mesh).unwrap().free_side(DQuat::from_rotation_z(turn), DVec3::Y, points)
        };
        assert_eq!(side(square(), 0.0, &[]), Side::Behind);
        assert_eq!(side(square(), 0.0, &[DVec3::Y * 2.0, DVec3::Y]), Side::Behind);
        assert_eq!(side(square(), 0.0, &[DVec3::ZERO, DVec3::Y]), Side::InFront);
        assert_eq!(side(square(), 0.0, &[DVec3::ZERO, DVec3::Y * 3.0]), Side::Both);
        assert_eq!(side(square(), 1.6, &[DVec3::X * 5.0]), Side::InFront, "its normal points to −x");
        // Beside the rim, but in front of the side that is nearest; under the apex, nearest to four sides.
        assert_eq!(side(funnel(), 0.0, &[DVec3::new(0.9, 9.0, 0.0), DVec3::new(0.0, 1.1, 0.0)]), Side::Behind);
        assert_eq!(side(funnel(), 0.0, &[DVec3::new(0.1, 0.9, 0.0)]), Side::InFront);
    }

    #[test]
    fn sides_must_be_told_apart() {
        let mut mixed = square();
        mixed.triangles[1].swap(0, 1);
        assert_eq!(Shell::new(mixed).unwrap_err(), Feature::UnorientedSurface);
        assert_eq!(Shell::new(square().scaled(DVec3::ZERO).unwrap()).unwrap_err(), Feature::UnorientedSurface);
    }
}
