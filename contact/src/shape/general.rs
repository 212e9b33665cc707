//! General solids as shapes: a solid with the points by which it is followed.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::ccd::time_of_contact::PointTree;
use crate::solid::{Solid, StraightEdge};

/// Points of the surface are no farther apart than this share of the thickness.
const SPACING: f64 = 0.25;

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

    /// Points of the surface; none of a solid without an end.
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

    /// Points of the surface four times as dense, to measure by; none of a solid without an end.
    pub fn fine_points(&self) -> &[DVec3] {
        self.0.fine_points.get_or_init(|| {
            let mut samples = Vec::new();
            if self.spacing().is_finite() {
                self.0.solid.samples(0.25 * self.spacing(), &mut samples);
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
