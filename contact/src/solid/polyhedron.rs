//! The solid within a closed triangle surface, convex or not.
//!
//! Inside and crossings are decided by the same exact predicates under the same symbolic perturbation, a shift of the surface
//! by (ε, ε², ε³) (Edelsbrunner and Mücke, "Simulation of simplicity", 1990). A segment therefore never meets an edge or a
//! vertex: of the triangles around one it crosses those that the shifted surface would have in its way, entries and exits
//! alternate, and their number is even exactly where both ends are on the same side.
//!
//! Normals at edges and vertices are weighted by angles (Bærentzen and Aanæs, "Signed distance computation using the angle
//! weighted pseudonormal", 2005): they point to the side on which a point near them is.

use std::cmp::Ordering;
use std::sync::OnceLock;

use glam::DVec3;

use super::Description;
use super::edge::{StraightEdge, append_edges};
use super::triangle::{ClosestPoint, Part, closest_of_triangle};
use super::triangle_samples::append_samples;
use super::triangle_tree::{Closest, TriangleTree};
use super::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};
use crate::bounds::Bounds;
use crate::overlap::predicate::{Side, crossing};
use crate::shape::predicate::{orientation_2d, orientation_3d, project, projection_axis};
use crate::shape::{MassProperties, MassPropertiesError, Polyhedron, Surface, SurfacePoint, Triangles};
use crate::sorting::CompactSort;
use crate::vclip::ConvexPolyhedron;

/// The direction of rays that tell inside from outside: along no symmetry of a surface.
const RAY: DVec3 = DVec3::new(0.571_428_3, 0.313_726_1, 0.758_293_9);

/// Within so many times the rounding of coordinates, the closest point may be on another triangle.
const NEAR: f64 = 16.0;

/// Sums of unit normals that are shorter have no direction.
const NORMAL_LENGTH: f64 = 1e-12;

/// The solid within a [`Surface`], in the frame of that.
#[derive(Clone, Debug)]
pub struct PolyhedralSolid {
    surface: Surface,
    tree: TriangleTree,
    vertex_normals: Vec<DVec3>,
    convex: OnceLock<Option<Box<ConvexPolyhedron>>>,
}

impl PolyhedralSolid {
    /// Its name in files.
    pub const KIND: &'static str = "polyhedron";

    /// The solid within a surface.
    pub fn new(surface: &Surface) -> Self {
        Self::from(surface.clone())
    }

    /// The surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The tree over the triangles, by their numbers in the surface.
    pub(crate) fn tree(&self) -> &TriangleTree {
        &self.tree
    }

    /// The surface as a convex polyhedron, if it is exactly convex and none of its faces is too thin; made once.
    pub(crate) fn convex(&self) -> Option<&ConvexPolyhedron> {
        let make = || self.surface.is_convex().then(|| ConvexPolyhedron::hull(self.surface.vertices()).ok()).flatten();
        self.convex.get_or_init(|| make().map(Box::new)).as_deref()
    }

    /// Whether a point is inside the surface after the shift: for points on the surface it is one or the other, as crossings
    /// have it.
    pub(crate) fn is_inside(&self, point: DVec3) -> bool {
        let Bounds { low, high } = self.tree.bounds();
        if !(low.cmple(point).all() && point.cmple(high).all()) {
            return false;
        }
        let far = point + RAY * (4.0 * (high - low).element_sum());
        let mut winding = 0;
        self.tree.along_segment(point, far, |_, corners| {
            if let Some(crossing) = crossing(Side::A, [point, far], corners) {
                winding += if crossing.enters { -1 } else { 1 };
            }
        });
        winding == 1
    }

    /// Whether a point that is not on the surface is inside, by its closest point and the normal there.
    fn is_below(&self, point: DVec3, closest: &Closest, normal: DVec3) -> bool {
        self.side_of_face(point, closest, normal).unwrap_or_else(|| self.is_inside(point))
    }

    /// The same where the closest point is within a face and no other triangle is near: the way there meets none, so that the plane of the
    /// face tells the side.
    fn side_of_face(&self, point: DVec3, closest: &Closest, normal: DVec3) -> Option<bool> {
        let ClosestPoint { position, part, squared } = closest.point;
        let near = NEAR * self.tree.margin(point);
        let is_over_face = part == Part::Face && normal.dot(point - position).powi(2) > 0.9 * squared;
        if !is_over_face || squared < near * near {
            return None;
        }
        let mut is_alone = true;
        self.tree.along_segment(position - near * normal, position + near * normal, |triangle, corners| {
            is_alone = is_alone
                && (triangle == closest.triangle || closest_of_triangle(position, corners).squared > 4.0 * near * near);
        });
        let [a, b, c] = self.surface.corners(closest.triangle);
        let height = orientation_3d(a, b, c, point);
        // Zero at extreme scales.
        (is_alone && height != 0.0).then_some(height < 0.0)
    }

    /// Brings crossings in their order along the segment. Where shares are equal, or off by rounding, entries and exits have
    /// to alternate.
    fn sort(&self, from: DVec3, found: &mut [Crossing]) {
        found.compact_sort_by(|a, b| a.share.total_cmp(&b.share).then(a.is_entry.cmp(&b.is_entry)));
        let entries = found.iter().filter(|c| c.is_entry).count();
        let enters_first = match entries.cmp(&(found.len() - entries)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => found.is_empty() || !self.is_inside(from),
        };
        for at in 0..found.len() {
            let enters = (at % 2 == 0) == enters_first;
            if found[at].is_entry != enters
                && let Some(other) = (at + 1..found.len()).find(|&other| found[other].is_entry == enters)
            {
                let (early, late) = (found[at], found[other]);
                found[at] = Crossing { share: early.share, ..late };
                found[other] = Crossing { share: late.share, ..early };
            }
        }
    }

    /// The outward normal of a part of a triangle, unit; `None` where the normals around it cancel.
    pub(crate) fn normal(&self, triangle: u32, part: Part) -> Option<DVec3> {
        let normals = self.surface.normals();
        let sum = match part {
            Part::Face => return Some(normals[triangle as usize]),
            Part::Side(side) => {
                let edge = self.surface.triangle_edges()[triangle as usize][side];
                let [s, t] = self.surface.edges()[edge as usize].triangles;
                normals[s as usize] + normals[t as usize]
            }
            Part::Corner(corner) => {
                let vertex = self.surface.triangles()[triangle as usize][corner];
                self.vertex_normals[vertex as usize]
            }
        };
        (sum.length() > NORMAL_LENGTH).then(|| sum.normalize())
    }
}

impl From<Surface> for PolyhedralSolid {
    fn from(surface: Surface) -> Self {
        let corners = (0..surface.triangles().len() as u32).map(|t| surface.corners(t));
        let tree = TriangleTree::new(corners);
        let vertex_normals = surface.vertex_normals();
        Self { surface, tree, vertex_normals, convex: OnceLock::new() }
    }
}

impl From<&Polyhedron> for PolyhedralSolid {
    fn from(polyhedron: &Polyhedron) -> Self {
        Self::new(polyhedron.surface())
    }
}

impl Solid for PolyhedralSolid {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.surface.vertices().iter().map(|vertex| vertex.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A box that meets no triangle is where its centre is.
    fn relation(&self, turned: &OrientedBox) -> Relation {
        if self.tree.may_meet(turned) {
            Relation::Undecided
        } else if self.is_inside(turned.centre) {
            Relation::Inside
        } else {
            Relation::Outside
        }
    }

    /// Rounding alone: the test of boxes against triangles is exact.
    fn slack(&self, radius: f64) -> f64 {
        self.tree.slack(radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let first = crossings.len();
        self.tree.along_segment(from, to, |triangle, corners| {
            if let Some(found) = crossing(Side::A, [from, to], corners) {
                let normal = Some(self.surface.normals()[triangle as usize]);
                crossings.push(Crossing { share: found.fraction, normal, is_entry: found.enters });
            }
        });
        self.sort(from, &mut crossings[first..]);
    }

    /// Exact, and true of all points on the surface.
    fn contains(&self, point: DVec3) -> bool {
        if self.is_inside(point) {
            return true;
        }
        let mut is_on = false;
        self.tree.along_segment(point, point, |_, corners| is_on = is_on || is_on_triangle(point, corners));
        is_on
    }

    /// The closest point. The normal is that of the triangle or, on edges and vertices, the sum of those around weighted by
    /// their angles.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let none = |why| NoNormal { kind: Self::KIND, point, why };
        let closest = self.tree.closest(point).ok_or_else(|| none("the point has no finite distance from it"))?;
        let normal = self.normal(closest.triangle, closest.point.part);
        let normal = normal.ok_or_else(|| none("the normals of the triangles around the edge or vertex cancel"))?;
        let distance = closest.point.squared.sqrt();
        let is_below = distance > 0.0 && self.is_below(point, &closest, normal);
        Ok(SurfacePoint {
            position: closest.point.position,
            normal,
            distance: if is_below { -distance } else { distance },
        })
    }

    /// All vertices, then points of edges, then points of triangles; vertices alone unless the spacing is above zero.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(self.surface.vertices(), self.surface.triangles(), spacing, samples);
    }

    fn thickness(&self) -> f64 {
        3.0 * self.surface.volume() / self.surface.areas().iter().sum::<f64>()
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let properties = MassProperties::of_surface(&self.surface, density)?;
        Ok(BoundedMass { properties, volume_error: 0.0, centre_error: 0.0, inertia_error: 0.0 })
    }

    fn triangles(&self) -> Triangles {
        Triangles { vertices: self.surface.vertices().to_vec(), triangles: self.surface.triangles().to_vec() }
    }

    fn description(&self) -> Option<Description> {
        let vertices = self.surface().vertices().iter().map(|v| v.to_array()).collect();
        Some(Description::Polyhedron { vertices, triangles: self.surface().triangles().to_vec() })
    }

    fn is_flat(&self) -> bool {
        true
    }

    fn edges(&self, edges: &mut Vec<StraightEdge>) {
        append_edges(self.surface.vertices(), self.surface.triangles(), true, edges);
    }
}

/// Whether a point is on a triangle, exactly.
fn is_on_triangle(point: DVec3, corners: [DVec3; 3]) -> bool {
    let [a, b, c] = corners;
    if orientation_3d(a, b, c, point) != 0.0 {
        return false;
    }
    let Some(axis) = projection_axis(corners) else { return false };
    let ([a, b, c], p) = (corners.map(|v| project(v, axis)), project(point, axis));
    let turns = [orientation_2d(a, b, p), orientation_2d(b, c, p), orientation_2d(c, a, p)];
    turns.iter().all(|&x| x >= 0.0) || turns.iter().all(|&x| x <= 0.0)
}

#[cfg(test)]
mod tests;
