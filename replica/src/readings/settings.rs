//! The settings of the local methods behind the published tables.
//!
//! Touching is exact in all of them. Where a method changed before the table of the ten cases was made, `is_earlier` asks
//! for its form before that.

use drystone_contact::generator::closest_points::{ClosestPoints, EdgeNormal, FaceNormal, UsedFlags};
use drystone_contact::generator::consistent_vertex::ConsistentVertex;
use drystone_contact::generator::contact_plane::{ContactPlane, Earlier, PlanePosition};
use drystone_contact::generator::gauss_map::FaceSearch;
use drystone_contact::generator::growth_distance::{Growth, GrowthDistance, Tie};
use drystone_contact::generator::intersection::{Intersection, OnSeparation, ReportedNormal, TrianglePairs};
use drystone_contact::generator::intersection_points::Touching;
use drystone_contact::generator::most_opposing::{MostOpposing, OpposingNormal, Sandwich};
use drystone_contact::generator::separating_axis::{AxisFeatures, AxisRule, AxisSense};
use drystone_contact::generator::vertex_only::{FaceChoice, VertexOnly};
use drystone_contact::generator::volume_sat::{Sat, SatGap};

/// Closest points: the normal of an edge–edge contact is the product of one edge with a line to the other edge's end, the
/// flags that say which features already have a contact are read at the wrong numbers, and an edge of B (but not of A)
/// takes part in one edge–edge contact only; so were the last two columns of the tables made. Earlier: the same flags,
/// but all normals of features that are apart run along their separation, which in 32 bits is not quite the normal of the
/// face, nor of quite unit length.
pub fn closest_points(is_earlier: bool) -> ClosestPoints {
    let (face_normal, edge_normal) = if is_earlier {
        (FaceNormal::Separation, EdgeNormal::Separation)
    } else {
        (FaceNormal::Plane, EdgeNormal::LineToOtherEnd)
    };
    ClosestPoints { face_normal, edge_normal, used: UsedFlags::Foreign, ..ClosestPoints::default() }
}

/// Intersection: the normal of a vertex–face contact has the length of twice the area of the face, and its gap is scaled
/// alike; a vertex may be behind the face by any depth; the sense of an edge–edge normal is arbitrary where the interval
/// of one tetrahedron holds that of the other; and a product of edges that separates, or on which they touch, ends the
/// search of the pair half-way. Earlier: all pairs of surface triangles are looked at, not only those that intersect or
/// touch.
pub fn intersection(is_earlier: bool) -> Intersection {
    Intersection {
        touching: Touching::EXACT,
        triangles: if is_earlier { TrianglePairs::All } else { TrianglePairs::Intersecting },
        reported: ReportedNormal::AsInTests,
        sense: AxisSense::EarlierStart,
        on_separation: OnSeparation::EndPair,
        deepest: f64::MAX,
    }
}

/// Vertex only: among signed distances, all negative or zero inside, the smallest was taken, so the normal is that of the
/// farthest surface face.
pub fn vertex_only() -> VertexOnly {
    VertexOnly { face: FaceChoice::Farthest, touching: Touching::EXACT }
}

/// Consistent vertex: a vertex exactly on a face leaves through no plane.
pub fn consistent_vertex() -> ConsistentVertex {
    ConsistentVertex { touching: Touching::EXACT, crosses_when_touching: false }
}

/// Volume-SAT: an exact tie alone gives a face precedence over edges, the contact plane stands midway between the extreme
/// points instead of in their mean, the gap is the extent of the points along the normal instead of the overlap, and
/// where one interval holds the other the sense of an axis is arbitrary.
pub fn volume_sat() -> Sat {
    Sat {
        axes: AxisRule {
            features: AxisFeatures::Volume,
            face_preference: 0.0,
            tolerance: 0.0,
            sense: AxisSense::EarlierStart,
        },
        touching: Touching::EXACT,
        plane: ContactPlane { position: PlanePosition::MidRange, merge: None, compare: Earlier::Points },
        gap: SatGap::Extent,
    }
}

/// Surface-SAT: as volume-SAT, of edges that a surface face of the same tetrahedron has; an edge on the surface which this
/// tetrahedron reaches only from inside gives no normal.
pub fn surface_sat() -> Sat {
    let mut sat = volume_sat();
    sat.axes.features = AxisFeatures::SurfaceOfElement;
    sat
}

/// Growth distance: the scale itself is advanced by the share of the gap along the line of centres, from one notch too
/// small, at most 20 times; of several faces within the cone the first is taken; A wins ties; contacts are not projected.
pub fn growth_distance() -> GrowthDistance {
    GrowthDistance {
        growth: Growth::GapShare,
        steps: 20,
        faces: FaceSearch::First,
        tie: Tie::A,
        touching: Touching::EXACT,
        plane: ContactPlane { position: PlanePosition::None, merge: None, compare: Earlier::Contacts },
        ..GrowthDistance::default()
    }
}

/// Most opposing: the normal of A's face alone instead of the mean direction, and a pair of faces is refused only if both
/// opposite vertices are behind the other's face. Earlier: it is refused if either is, as in algorithm 1.
pub fn most_opposing(is_earlier: bool) -> MostOpposing {
    MostOpposing {
        normal: OpposingNormal::FaceOfA,
        least_opposition: 0.0,
        sandwich: if is_earlier { Sandwich::Either } else { Sandwich::Both },
        touching: Touching::EXACT,
        plane: ContactPlane { position: PlanePosition::MidRange, merge: None, compare: Earlier::Points },
    }
}
