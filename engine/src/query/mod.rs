//! Queries of a world: ray casts, shape casts, points, closest points, overlap.
//!
//! Queries see the bodies where they are now: after a step where it has left them, after a write where they were put. A tree of boxes
//! around the bodies is made when the first query after a change asks for it; the next change renews the boxes that it concerns.
//! Answers do not depend on the tree nor on the number of threads: of bodies at the same distance the one that was added first comes
//! first. What a query asks of one shape is [`drystone_contact::query`].
//!
//! ```
//! use drystone_engine::query::{Fill, QueryFilter, Ray};
//! use drystone_engine::{Pose, Solid, World};
//! use glam::DVec3;
//!
//! let mut world = World::default();
//! let stone = world.materials_mut().add("stone")?;
//! let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
//! let near = world.add(cube.fixed(stone, Pose::from_translation(DVec3::X * 3.0))?)?;
//! let far = world.add(cube.fixed(stone, Pose::from_translation(DVec3::X * 6.0))?)?;
//! let ray = Ray::new(DVec3::ZERO, DVec3::X)?;
//! let first = world.cast_ray(&ray, 100.0, Fill::Solid, &QueryFilter::default())?.expect("a cube is on the way");
//! assert_eq!((first.body, first.hit.distance), (near, 2.5));
//! let others = QueryFilter { exclude: &[near], ..QueryFilter::default() };
//! assert_eq!(world.cast_ray(&ray, 100.0, Fill::Solid, &others)?.map(|hit| hit.body), Some(far));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod body_tree;
mod closest_points;
mod first;
mod overlap;
mod point;
mod ray;
mod shape_cast;

pub use drystone_contact::query::{
    ClosestPoints, Fill, PointProjection, Proximity, QueryError, Ray, RayHit, ShapeHit, ShapeMotion,
};
pub use point::BodyProjection;
pub use ray::BodyRayHit;
pub use shape_cast::BodyShapeHit;

use crate::body::Body;
use crate::handle::BodyHandle;
use crate::new_body::Groups;
use drystone_contact::Bounds;
use glam::DVec3;

/// Says whether a query sees a body.
pub type BodyPredicate<'a> = dyn Fn(BodyHandle, &Body) -> bool + Sync + 'a;

/// Which bodies a query sees: those that pass all of these.
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    /// The groups of the query itself: it sees the bodies that a body of these groups would touch.
    pub groups: Groups,
    /// Bodies that it does not see; handles that are stale say nothing.
    pub exclude: &'a [BodyHandle],
    /// Whether it sees sensors.
    pub sensors: bool,
    /// Sees a body only if this says so. It may be called from several threads at once, in any order.
    pub predicate: Option<&'a BodyPredicate<'a>>,
}

impl Default for QueryFilter<'_> {
    /// All bodies but sensors.
    fn default() -> Self {
        Self { groups: Groups::ALL, exclude: &[], sensors: false, predicate: None }
    }
}

impl std::fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("QueryFilter");
        debug.field("groups", &self.groups).field("exclude", &self.exclude).field("sensors", &self.sensors);
        debug.field("predicate", &self.predicate.map(|_| "Fn(BodyHandle, &Body) -> bool")).finish()
    }
}

/// A measure of boxes for the way of a box along a segment, by the share of it before they meet (slab test); infinity if they do not.
fn entry_of(from: DVec3, way: DVec3, half: DVec3) -> impl Fn(&Bounds) -> f64 {
    // Small components instead of none: quotients stay finite.
    let component = |x: f64| if x.abs() < 1e-150 { 1e-150_f64.copysign(x) } else { x };
    let inverse = way.map(component).recip();
    move |bounds: &Bounds| {
        let (one, other) = ((bounds.low - half - from) * inverse, (bounds.high + half - from) * inverse);
        let (begin, end) = (one.min(other).max_element().max(0.0), one.max(other).min_element());
        if begin <= end { begin } else { f64::INFINITY }
    }
}

/// A measure of boxes by how far they are from another one, m.
fn gap_to(other: Bounds) -> impl Fn(&Bounds) -> f64 {
    move |bounds: &Bounds| (other.low - bounds.high).max(bounds.low - other.high).max(DVec3::ZERO).length()
}
