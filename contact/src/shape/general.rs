//! General solids as shapes: a solid with the points by which it is followed.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::ccd::time_of_contact::PointTree;
use crate::solid::{Solid, StraightEdge};

/// Points of the surface are no farther apart than this share of the thickness.
const SPACING: f64 = 0.25;

/// Points to measure by are so many times as dense.
const FINER: f64 = 4.0;

/// A solid with what contact determination derives from it, once. Cheap to clone; clones share what is derived.
#[derive(Clone, Debug)]
pub struct GeneralShape(Arc<Content>);

#[derive(Debug)]
struct Content {
    solid: Arc<dyn Solid>,
    points: OnceLock<Points>,
    fine_points: OnceLock<Vec<DVec3>>,
    edges: OnceLock<Vec<StraightEdge>>,
}

#[derive(Debug)]
struct Points {
    samples: Vec<DVec3>,
    tree: PointTree,
    radius: f64,
}

impl GeneralShape {
    /// So many points may stand for a surface at most: about a hundred megabytes.
    pub const MOST_POINTS: u64 = 1_000_000;

    /// A shape of a solid.
    pub fn new(solid: Arc<dyn Solid>) -> Self {
        Self(Arc::new(Content { solid, points: OnceLock::new(), fine_points: OnceLock::new(), edges: OnceLock::new() }))
    }

    /// The solid.
    pub fn solid(&self) -> &dyn Solid {
        &*self.0.solid
    }

    /// The solid, to share it.
    pub fn shared(&self) -> &Arc<dyn Solid> {
        &self.0.solid
    }

    /// No point of the surface is farther from all points of [`GeneralShape::points`] than this, m.
    pub fn spacing(&self) -> f64 {
        SPACING * self.0.solid.thickness()
    }

    /// About how many points stand for the surface, by the sides of the box around it; 0 for a solid without an end.
    pub fn point_count(&self) -> u64 {
        let bounds = self.solid().bounds();
        let sides = (bounds.high - bounds.low) / self.spacing();
        let count = 2.0 * (sides.x * sides.y + sides.y * sides.z + sides.z * sides.x);
        // Of what has no end no points are asked for; NaN is 0.
        if self.spacing().is_finite() { count as u64 } else { 0 }
    }

    /// About how many of the points to measure by there are.
    pub fn fine_point_count(&self) -> u64 {
        self.point_count().saturating_mul((FINER * FINER) as u64)
    }

    /// Points of the surface; none of a solid without an end. There must be no more than [`GeneralShape::MOST_POINTS`] of them.
    pub fn points(&self) -> &PointTree {
        &self.derived().tree
    }

    /// A point by its number, m.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn point(&self, number: u32) -> DVec3 {
        self.derived().samples[number as usize]
    }

    /// No point is farther from the origin, m.
    pub fn reach(&self) -> f64 {
        self.derived().radius
    }

    /// Points of the surface four times as dense, to measure by; none of a solid without an end. There must be no more than [`GeneralShape::MOST_POINTS`].
    pub fn fine_points(&self) -> &[DVec3] {
        self.0.fine_points.get_or_init(|| {
            let mut samples = Vec::new();
            if self.spacing().is_finite() {
                self.0.solid.samples(self.spacing() / FINER, &mut samples);
            }
            samples
        })
    }

    /// The straight edges that are convex or borders, of solids with a flat surface.
    pub fn edges(&self) -> &[StraightEdge] {
        self.0.edges.get_or_init(|| {
            let mut edges = Vec::new();
            self.0.solid.edges(&mut edges);
            edges
        })
    }

    fn derived(&self) -> &Points {
        self.0.points.get_or_init(|| {
            let mut samples = Vec::new();
            if self.spacing().is_finite() {
                self.0.solid.samples(self.spacing(), &mut samples);
            }
            let tree = PointTree::new(&samples);
            let radius = samples.iter().map(|p| p.length()).fold(0.0, f64::max);
            Points { samples, tree, radius }
        })
    }
}
