//! Flat open surfaces, which rigid-ipc uses as grounds and walls: bodies without thickness that stop others on both sides.
//! Here every body is a solid, so such a sheet becomes the face of a slab behind it, on the side where no body is.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};

use super::error::Feature;
use super::mesh::Mesh;

/// How far a vertex of a flat sheet may lie from its plane, as a share of its largest extent: mesh files of six digits are
/// no flatter.
const FLATNESS: f64 = 1e-6;

/// Thickness of a slab as a share of the largest extent of its sheet: so deep that no body soon comes out behind.
pub const THICKNESS: f64 = 0.25;

/// A flat surface and its plane, in the frame of its mesh.
#[derive(Debug)]
pub struct Sheet {
    mesh: Mesh,
    /// Unit length, as the triangles have it.
    normal: DVec3,
    point: DVec3,
    /// Largest extent, m.
    extent: f64,
}

impl Sheet {
    /// The mesh as a sheet, or what it would take to have it as a body.
    pub fn new(mesh: Mesh) -> Result<Self, Feature> {
        let corners = |&[a, b, c]: &[u32; 3]| [a, b, c].map(|vertex| mesh.vertices[vertex as usize]);
        let area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
        let normal = mesh.triangles.iter().map(corners).map(area).sum::<DVec3>();
        let extent = mesh.extents().max_element();
        let (Some(normal), Some(&point)) = (normal.try_normalize(), mesh.vertices.first()) else {
            return Err(Feature::CurvedSheet);
        };
        let is_flat = mesh.vertices.iter().all(|v| (*v - point).dot(normal).abs() <= FLATNESS * extent);
        if is_flat { Ok(Self { mesh, normal, point, extent }) } else { Err(Feature::CurvedSheet) }
    }

    /// Whether the slab lies on the side that the normal points to: where the points (world frame, m) are on the other one.
    /// Without points it lies behind.
    pub fn lies_in_front(&self, rotation: DQuat, position: DVec3, points: &[DVec3]) -> Result<bool, Feature> {
        let (origin, normal) = (position + rotation * self.point, rotation * self.normal);
        let heights = || points.iter().map(|&p| (p - origin).dot(normal)).filter(|h| h.abs() > FLATNESS * self.extent);
        match (heights().any(|h| h > 0.0), heights().any(|h| h < 0.0)) {
            (true, true) => Err(Feature::SheetBetweenBodies),
            (is_above, is_below) => Ok(is_below && !is_above),
        }
    }

    /// m.
    pub fn thickness(&self) -> f64 {
        THICKNESS * self.extent
    }

    /// The closed surface of the slab with the sheet as one of its faces.
    pub fn slab(self, lies_in_front: bool) -> Mesh {
        let thickness = self.thickness();
        let Mesh { stem, mut vertices, mut triangles } = self.mesh;
        let away = if lies_in_front { self.normal } else { -self.normal };
        if lies_in_front {
            // The sheet's triangles must look away from the slab.
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        let count = vertices.len() as u32;
        let far: Vec<DVec3> = vertices.iter().map(|&v| v + away * thickness).collect();
        vertices.extend(far);
        let directed = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        let known: BTreeSet<[u32; 2]> = triangles.iter().flat_map(directed).collect();
        let backs: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]).collect();
        let rims = triangles.iter().flat_map(directed).filter(|&[a, b]| !known.contains(&[b, a]));
        let sides: Vec<[u32; 3]> = rims.flat_map(|[a, b]| [[b, a, a + count], [b, a + count, b + count]]).collect();
        triangles.extend(backs);
        triangles.extend(sides);
        Mesh { stem, vertices, triangles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::shape::Surface;

    /// A square of 2 m in y = 0 that looks up, with one corner raised.
    fn square(raised: f64) -> Mesh {
        let corner = |x, y, z| DVec3::new(x, y, z);
        let vertices =
            vec![corner(-1.0, 0.0, 1.0), corner(1.0, 0.0, 1.0), corner(1.0, raised, -1.0), corner(-1.0, 0.0, -1.0)];
        Mesh { stem: "square".into(), vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
    }

    #[test]
    fn a_slab_is_a_solid_behind_its_sheet() {
        for (in_front, lowest) in [(false, -0.5), (true, 0.0)] {
            let slab = Sheet::new(square(0.0)).unwrap().slab(in_front);
            let surface = Surface::new(slab.vertices, slab.triangles).unwrap();
            assert!((surface.volume() - 2.0).abs() < 1e-12);
            assert_eq!(surface.bounds().0.y, lowest);
        }
    }

    #[test]
    fn it_lies_where_no_body_is() {
        let sheet = Sheet::new(square(0.0)).unwrap();
        let side = |points: &[DVec3]| sheet.lies_in_front(DQuat::IDENTITY, DVec3::Y, points);
        assert_eq!(side(&[]), Ok(false));
        assert_eq!(side(&[DVec3::Y * 2.0, DVec3::Y]), Ok(false));
        assert_eq!(side(&[DVec3::ZERO, DVec3::Y]), Ok(true));
        assert_eq!(side(&[DVec3::ZERO, DVec3::Y * 3.0]), Err(Feature::SheetBetweenBodies));
        let turned = sheet.lies_in_front(DQuat::from_rotation_z(1.6), DVec3::ZERO, &[DVec3::X * 5.0]);
        assert_eq!(turned, Ok(true), "turned by more than a right angle, its normal points to −x");
    }

    #[test]
    fn what_is_not_flat_is_no_sheet() {
        assert_eq!(Sheet::new(square(1e-3)).unwrap_err(), Feature::CurvedSheet);
        assert_eq!(Sheet::new(square(0.0).scaled(DVec3::ZERO).unwrap()).unwrap_err(), Feature::CurvedSheet);
    }
}
