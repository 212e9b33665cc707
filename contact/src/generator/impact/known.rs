//! What is known of two shapes before they move: the normals of their contacts, as axes along which they may stay apart.

use glam::DVec3;

use super::deepest;
use super::heights::Heights;
use super::kept_apart::Samples;
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::shape::Shape;
use crate::shape::features::{Axes, Axis};

/// Contacts between bodies that rest on each other lie in few planes.
const MOST_NORMALS: usize = 4;

/// Edges whose directions have a smaller product than this are nearly parallel: their normal turns much faster than they do.
const LEAST_PRODUCT: f64 = 0.1;

/// What is known of two shapes where their motion begins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// One for each normal, no more than a few.
    normals: [Normal; MOST_NORMALS],
    count: usize,
}

/// A normal from A to B where the motion begins.
#[derive(Clone, Copy, Debug, Default)]
struct Normal {
    /// World frame, unit.
    world: DVec3,
    /// The same in the frames of A and of B.
    local: [DVec3; 2],
    /// The directions of the edges that meet, in the frames of A and of B, if there are such: the normal is along their product.
    edges: Option<[DVec3; 2]>,
    /// So much deeper than is allowed the shapes may be along it, m: as deep as its contacts are.
    depth: f64,
}

/// A normal as it turns, seen at the beginning, in the middle and at the end of a time: one that does not turn, one that turns with A, one that
/// turns with B, and one that stays at right angles to an edge of each. World frame, unit; the last as long as the heights along it say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turned {
    pub still: DVec3,
    pub with: [[DVec3; 3]; 2],
    pub across: Option<Axis>,
    /// So much deeper than is allowed the shapes may be along it, m.
    pub depth: f64,
}

/// The same of all normals.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownAxes {
    list: [Turned; MOST_NORMALS],
    count: usize,
}

impl Known {
    /// The first normals of contacts between two shapes, along which they may be `more` deep than is allowed at most, m.
    pub fn of(contacts: &[Contact], placed: &[Placed<'_>; 2], more: f64) -> Self {
        let mut known = Self::default();
        for plane in contacts.chunk_by(|contact, next| contact.normal == next.normal) {
            let (contact, depth) = (&plane[0], deepest(plane, more));
            match known.normals[..known.count].iter_mut().find(|normal| normal.world == contact.normal) {
                Some(normal) => normal.depth = normal.depth.max(depth),
                None if known.count < MOST_NORMALS => {
                    let local = placed.map(|placed| placed.pose.rotation.inverse() * contact.normal);
                    let edges = edges(contact, placed);
                    known.normals[known.count] = Normal { world: contact.normal, local, edges, depth };
                    known.count += 1;
                }
                None => {}
            }
        }
        known
    }

    /// How the normals turn while the shapes move through three poses.
    pub fn turned(&self, poses: &Samples, heights: &Heights) -> KnownAxes {
        let mut list = [Turned::default(); MOST_NORMALS];
        for (turned, normal) in list.iter_mut().zip(&self.normals[..self.count]) {
            (turned.still, turned.depth) = (normal.world, normal.depth);
            turned.with = [0, 1].map(|k| poses.map(|at| at[k].rotation * normal.local[k]));
            turned.across = normal.edges.and_then(|[a, b]| {
                let products = poses.map(|at| (at[0].rotation * a).cross(at[1].rotation * b));
                let length = products[0].length();
                let directions = products.map(|product| product / length);
                (length > LEAST_PRODUCT).then(|| Axis { directions, least: heights.across(length, normal.depth) })
            });
        }
        KnownAxes { list, count: self.count }
    }
}

/// The directions of the two edges of a contact in the frames of A and of B; their product points from A to B.
fn edges(contact: &Contact, placed: &[Placed<'_>; 2]) -> Option<[DVec3; 2]> {
    let [a, b] = [contact.feature_a, contact.feature_b];
    let (own, other) = (edge(placed[0].shape, a)?, edge(placed[1].shape, b)?);
    let product = (placed[0].pose.rotation * own).cross(placed[1].pose.rotation * other);
    Some([own, if product.dot(contact.normal) < 0.0 { -other } else { other }])
}

/// The direction of an edge of a polyhedron, or of a part of a compound.
fn edge(shape: &Shape, feature: Feature) -> Option<DVec3> {
    if let Some(compound) = shape.as_compound() {
        return (0..).zip(compound.parts()).find_map(|(number, part)| {
            let of_part = compound.feature_of_part(number, feature)?;
            Some(part.pose.rotation * edge(&part.shape, of_part)?)
        });
    }
    let (Some(features), Feature::FacetEdge(number)) = (shape.features(), feature) else { return None };
    Some(features.edges().get(number as usize)?.direction)
}

impl KnownAxes {
    /// The normals.
    pub fn normals(&self) -> &[Turned] {
        &self.list[..self.count]
    }

    /// As A's frame sees them, those that do not turn and those that turn with A or with the edges.
    pub fn in_frame(&self, poses: &Samples, heights: &Heights) -> Axes<{ 2 * MOST_NORMALS }> {
        let turns = poses.map(|[a, _]| a.rotation.inverse());
        let own = |directions: [DVec3; 3]| [0, 1, 2].map(|k| turns[k] * directions[k]);
        let mut list = [Axis::default(); 2 * MOST_NORMALS];
        for (axes, turned) in list.chunks_exact_mut(2).zip(self.normals()) {
            axes[0] = turned.across.map_or_else(
                || Axis { directions: [turns[0] * turned.with[0][0]; 3], least: heights.of_points.own - turned.depth },
                |across| Axis { directions: own(across.directions), ..across },
            );
            axes[1] = Axis { directions: own([turned.still; 3]), least: heights.still - turned.depth };
        }
        Axes { list, count: 2 * self.count }
    }
}
