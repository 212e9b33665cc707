//! Surface-SAT: as volume-SAT, but only features on the surface give normals (assessment paper, section 6).
//!
//! `corrected` takes every edge on the surface of the mesh; `published` only edges that a surface face of the same
//! tetrahedron has, so that an edge on the surface which this tetrahedron reaches only from inside gives no normal.

use super::Variant;
use super::separating_axis::AxisFeatures;
use super::volume_sat::Sat;

impl Sat {
    /// Surface-SAT.
    pub fn surface(variant: Variant) -> Self {
        let mut sat = Sat::volume(variant);
        sat.axes.features = match variant {
            Variant::Corrected => AxisFeatures::SurfaceOfMesh,
            Variant::Published | Variant::Earlier => AxisFeatures::SurfaceOfElement,
        };
        sat
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{
        DEPTH, all_have, apex_in_face, contacts, corner, ridge_above, ridge_below, tetrahedron,
    };
    use super::super::tetrahedron::{EDGE_FACES, NormalLength};
    use super::*;
    use glam::DVec3;

    const BOTH: [Variant; 2] = [Variant::Corrected, Variant::Published];

    #[test]
    fn a_surface_face_gives_its_normal_and_an_interior_one_does_not() {
        let mut a = corner();
        let mut b = apex_in_face();
        for variant in BOTH {
            assert!(all_have(&contacts(&Sat::surface(variant), &a, &b), DVec3::Y, -DEPTH));
        }
        let top = a.planes(NormalLength::Unit).iter().position(|p| p.normal == DVec3::Y).unwrap();
        (a.surface_faces[top], a.surface_edges, b.surface_edges) = (false, [false; 6], [false; 6]);
        b.surface_faces = [false; 4];
        for variant in BOTH {
            let found = contacts(&Sat::surface(variant), &a, &b);
            assert!(found.iter().all(|c| c.normal.y < 0.9), "{found:?}");
        }
    }

    #[test]
    fn the_published_variant_misses_an_edge_that_only_others_have_faces_at() {
        let (mut a, b) = (ridge_below(DEPTH), ridge_above(0.0));
        for variant in BOTH {
            assert!(all_have(&contacts(&Sat::surface(variant), &a, &b), DVec3::Y, -DEPTH));
        }
        // The edge opposite to the ridge is slanted, so that it gives no product along y. The ridge is on the surface
        // by faces of other tetrahedra alone.
        a.points[2].y -= 0.5;
        EDGE_FACES[0].iter().for_each(|&k| a.surface_faces[k] = false);
        assert!(all_have(&contacts(&Sat::surface(Variant::Corrected), &a, &b), DVec3::Y, -DEPTH));
        let published = contacts(&Sat::surface(Variant::Published), &a, &b);
        assert!(published.iter().all(|c| c.normal.y < 0.99), "{published:?}");
    }

    #[test]
    fn the_gap_is_the_overlap_or_in_the_published_variant_the_extent_of_the_common_volume() {
        // The lower edge of B rises from 0.3 m below the top of A, beyond its side, to 0.2 m below it where it enters
        // A.
        let (mut a, mut b) =
            (corner(), tetrahedron([[-1.0, -0.3, 2.0], [3.0, 0.1, 2.0], [1.0, 2.0, 3.0], [1.0, 2.0, 1.0]]));
        let top = a.planes(NormalLength::Unit).iter().position(|p| p.normal == DVec3::Y).unwrap();
        a.surface_faces = [0, 1, 2, 3].map(|k| k == top);
        (b.surface_faces, b.surface_edges) = ([false; 4], [false; 6]);
        assert!(all_have(&contacts(&Sat::surface(Variant::Corrected), &a, &b), DVec3::Y, -0.3));
        let extent = Sat { gap: Sat::surface(Variant::Published).gap, ..Sat::surface(Variant::Corrected) };
        assert!(all_have(&contacts(&extent, &a, &b), DVec3::Y, -0.2));
    }
}
