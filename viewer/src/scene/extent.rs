//! How large a scene is, where its middle is, and which of its bodies are ground.

use drystone::engine::{BodyKind, Pose};
use drystone_report::inspection::{Subject, SubjectBody};
use glam::DVec3;

/// A fixed body counts as ground if it is so many times broader than all others together.
const GROUND: f64 = 2.3;

/// How large a scene is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extent {
    /// The middle of all bodies but ground, world frame, m. Everything is drawn relative to it, so that scenes far from the
    /// origin are drawn as exactly as others.
    pub middle: DVec3,
    /// The size of a usual body: the median of the diagonals of all but ground, m.
    pub scale: f64,
    /// Which bodies are ground: fixed, and so large that they would dwarf all others.
    pub is_ground: Vec<bool>,
}

impl Extent {
    /// Of bodies at their poses.
    pub fn of(subject: &Subject, poses: &[Pose]) -> Self {
        let boxes: Vec<Bounds> =
            subject.bodies.iter().zip(poses).map(|(body, pose)| Bounds::around(corners(body, *pose))).collect();
        let is_ground: Vec<bool> = (0..boxes.len())
            .map(|k| {
                let others = (0..boxes.len()).filter(|&j| j != k).map(|j| boxes[j]).reduce(Bounds::with);
                let is_fixed = subject.bodies[k].kind == BodyKind::Fixed;
                is_fixed && others.is_some_and(|o| boxes[k].breadth() > GROUND * o.breadth())
            })
            .collect();
        let counted = || boxes.iter().zip(&is_ground).filter(|(_, ground)| !**ground).map(|(bounds, _)| *bounds);
        let all = counted().reduce(Bounds::with).unwrap_or(Bounds { low: DVec3::ZERO, high: DVec3::ZERO });
        let mut diagonals: Vec<f64> =
            counted().map(|bounds| (bounds.high - bounds.low).length()).filter(|d| d.is_finite() && *d > 0.0).collect();
        diagonals.sort_by(f64::total_cmp);
        let scale = diagonals.get(diagonals.len() / 2).copied().unwrap_or(1.0);
        let middle = 0.5 * (all.low + all.high);
        Self { middle: if middle.is_finite() { middle } else { DVec3::ZERO }, scale, is_ground }
    }

    /// Where there are deformable surfaces, the middle and the usual size are theirs: of those that forces move, if there are any.
    pub fn take_surfaces(&mut self, subject: &Subject, surfaces: &[Vec<DVec3>]) {
        let boxes: Vec<Bounds> =
            seen(subject, surfaces).map(|vertices| Bounds::around(vertices.iter().copied())).collect();
        let Some(all) = boxes.iter().copied().reduce(Bounds::with) else { return };
        let mut diagonals: Vec<f64> = boxes.iter().map(|b| (b.high - b.low).length()).filter(|d| *d > 0.0).collect();
        diagonals.sort_by(f64::total_cmp);
        self.scale = diagonals.get(diagonals.len() / 2).copied().unwrap_or(1.0);
        self.middle = 0.5 * (all.low + all.high);
    }

    /// Whether a body is ground.
    pub fn is_ground(&self, body: usize) -> bool {
        self.is_ground.get(body).copied().unwrap_or(false)
    }
}

/// The vertices of the deformable surfaces that a view is to hold: of those that forces move, or of all if there are none.
pub fn seen<'a>(subject: &'a Subject, surfaces: &'a [Vec<DVec3>]) -> impl Iterator<Item = &'a Vec<DVec3>> {
    let is_any_free = subject.surfaces.iter().any(|surface| !surface.is_prescribed);
    let of = subject.surfaces.iter().zip(surfaces);
    of.filter(move |(surface, _)| !(is_any_free && surface.is_prescribed)).map(|(_, vertices)| vertices)
}

/// The corners of a body's surface, world frame, m; each several times.
pub fn corners(body: &SubjectBody, pose: Pose) -> impl Iterator<Item = DVec3> {
    body.outline.triangles.iter().flatten().map(move |&corner| pose.transform_point(corner))
}

/// An axis-aligned box, m.
#[derive(Clone, Copy)]
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn around(points: impl Iterator<Item = DVec3>) -> Self {
        let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        points.fold(none, |b, p| Bounds { low: b.low.min(p), high: b.high.max(p) })
    }

    fn with(self, other: Bounds) -> Self {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Its diagonal as seen from above.
    fn breadth(self) -> f64 {
        (self.high.x - self.low.x).hypot(self.high.z - self.low.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_report::inspection::{Request, What, open};
    use std::ops::ControlFlow;

    fn extent(scene: &str) -> (Extent, usize) {
        let opened = open(&Request::new(scene.parse::<What>().unwrap())).unwrap();
        let mut extent = Extent::default();
        opened.source.run(&mut |frame| {
            extent = Extent::of(&opened.subject, &frame.unwrap().poses);
            ControlFlow::Break(())
        });
        let bodies = opened.subject.bodies.len();
        (extent, bodies)
    }

    #[test]
    fn only_wide_ground_is_ground() {
        for (scene, grounds) in [("sliding-spike", 1), ("internal-edges", 0), ("spike-in-hole", 0)] {
            let (extent, bodies) = extent(scene);
            assert_eq!(extent.is_ground.len(), bodies);
            assert_eq!(extent.is_ground.iter().filter(|ground| **ground).count(), grounds, "{scene}");
            assert!(extent.scale > 0.0 && extent.middle.is_finite());
        }
    }

    #[test]
    fn the_middle_goes_with_the_bodies() {
        let opened = open(&Request::new("box-stack".parse::<What>().unwrap())).unwrap();
        opened.source.run(&mut |frame| {
            let mut poses = frame.unwrap().poses;
            let near = Extent::of(&opened.subject, &poses);
            let far = DVec3::new(1e6, -2e6, 3e6);
            poses.iter_mut().for_each(|pose| pose.translation += far);
            let moved = Extent::of(&opened.subject, &poses);
            assert!((moved.middle - near.middle - far).length() < 1e-6 && (moved.scale - near.scale).abs() < 1e-6);
            ControlFlow::Break(())
        });
    }
}
