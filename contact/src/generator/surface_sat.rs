//! Surface-SAT: as volume-SAT, but only features on the surface give normals (assessment paper, section 6).
//!
//! Every edge on the surface of the mesh is taken, also one that the tetrahedron reaches only from inside; see
//! [`AxisFeatures`].

use super::separating_axis::AxisFeatures;
use super::volume_sat::Sat;

impl Sat {
    /// Surface-SAT.
    pub fn surface() -> Self {
        let mut sat = Sat::volume();
        sat.axes.features = AxisFeatures::SurfaceOfMesh;
        sat
    }
}

#[cfg(test)]
mod tests {
    use super::super::contact_plane::{ContactPlane, Earlier, PlanePosition};
    use super::super::fundamental::{
        DEPTH, all_have, apex_in_face, contacts, corner, ridge_above, ridge_below, tetrahedron,
    };
    use super::super::intersection_points::Touching;
    use super::super::separating_axis::{AxisRule, AxisSense};
    use super::super::tetrahedron::{EDGE_FACES, NormalLength};
    use super::super::volume_sat::SatGap;
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> Sat {
        let mut sat = Sat {
            touching: Touching::EXACT,
            plane: ContactPlane { position: PlanePosition::MidRange, merge: None, compare: Earlier::Points },
            gap: SatGap::Extent,
            ..Sat::surface()
        };
        sat.axes = AxisRule {
            features: AxisFeatures::SurfaceOfElement,
            face_preference: 0.0,
            tolerance: 0.0,
            sense: AxisSense::EarlierStart,
        };
        sat
    }

    fn both() -> [Sat; 2] {
        [Sat::surface(), otherwise()]
    }

    #[test]
    fn a_surface_face_gives_its_normal_and_an_interior_one_does_not() {
        let mut a = corner();
        let mut b = apex_in_face();
        for method in both() {
            assert!(all_have(&contacts(&method, &a, &b), DVec3::Y, -DEPTH));
        }
        let top = a.planes(NormalLength::Unit).iter().position(|p| p.normal == DVec3::Y).unwrap();
        (a.surface_faces[top], a.surface_edges, b.surface_edges) = (false, [false; 6], [false; 6]);
        b.surface_faces = [false; 4];
        for method in both() {
            let found = contacts(&method, &a, &b);
            assert!(found.iter().all(|c| c.normal.y < 0.9), "{found:?}");
        }
    }

    #[test]
    fn the_surface_of_an_element_misses_an_edge_that_only_others_have_faces_at() {
        let (mut a, b) = (ridge_below(DEPTH), ridge_above(0.0));
        for method in both() {
            assert!(all_have(&contacts(&method, &a, &b), DVec3::Y, -DEPTH));
        }
        // The edge opposite to the ridge is slanted, so that it gives no product along y. The ridge is on the surface
        // by faces of other tetrahedra alone.
        a.points[2].y -= 0.5;
        EDGE_FACES[0].iter().for_each(|&k| a.surface_faces[k] = false);
        assert!(all_have(&contacts(&Sat::surface(), &a, &b), DVec3::Y, -DEPTH));
        let found = contacts(&otherwise(), &a, &b);
        assert!(found.iter().all(|c| c.normal.y < 0.99), "{found:?}");
    }

    #[test]
    fn the_gap_is_the_overlap_or_otherwise_the_extent_of_the_common_volume() {
        // The lower edge of B rises from 0.3 m below the top of A, beyond its side, to 0.2 m below it where it enters
        // A.
        let (mut a, mut b) =
            (corner(), tetrahedron([[-1.0, -0.3, 2.0], [3.0, 0.1, 2.0], [1.0, 2.0, 3.0], [1.0, 2.0, 1.0]]));
        let top = a.planes(NormalLength::Unit).iter().position(|p| p.normal == DVec3::Y).unwrap();
        a.surface_faces = [0, 1, 2, 3].map(|k| k == top);
        (b.surface_faces, b.surface_edges) = ([false; 4], [false; 6]);
        assert!(all_have(&contacts(&Sat::surface(), &a, &b), DVec3::Y, -0.3));
        let extent = Sat { gap: otherwise().gap, ..Sat::surface() };
        assert!(all_have(&contacts(&extent, &a, &b), DVec3::Y, -0.2));
    }
}
