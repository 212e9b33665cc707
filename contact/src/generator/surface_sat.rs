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
            Variant::Published => AxisFeatures::SurfaceOfElement,
        };
        sat
    }
}
