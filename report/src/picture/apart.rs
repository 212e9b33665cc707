//! Bodies moved apart, so that one sees between them.

use drystone_scenes::scene::Scene;
use glam::DVec3;

/// An axis-aligned box, m.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Smallest coordinates.
    pub low: DVec3,
    /// Largest coordinates.
    pub high: DVec3,
}

impl Bounds {
    /// Around points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        points.into_iter().fold(none, |b, p| Bounds { low: b.low.min(p), high: b.high.max(p) })
    }

    /// The corners of its lower side.
    pub fn feet(self) -> [DVec3; 4] {
        let corner = |x: f64, z: f64| DVec3::new(x, self.low.y, z);
        let (l, h) = (self.low, self.high);
        [corner(l.x, l.z), corner(h.x, l.z), corner(l.x, h.z), corner(h.x, h.z)]
    }

    fn with(self, other: Bounds) -> Self {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn centre(self) -> DVec3 {
        0.5 * (self.low + self.high)
    }

    fn size(self) -> DVec3 {
        self.high - self.low
    }

    /// Its diagonal as seen from above, m.
    fn breadth(self) -> f64 {
        DVec3::new(self.size().x, 0.0, self.size().z).length()
    }
}

/// How a scene is laid out.
pub struct Layout {
    /// How far each body is moved, m.
    pub shifts: Vec<DVec3>,
    /// Whether a body is ground: fixed and so much larger than the rest that it is drawn only in part.
    pub is_ground: Vec<bool>,
    /// Whether the bodies stand on each other in one column.
    pub is_tower: bool,
}

/// Moves bodies apart: a column along y, by equal gaps; two bodies along y; others away from their middle.
pub fn layout(scene: &Scene, bounds: &[Bounds]) -> Layout {
    let is_fixed: Vec<bool> = scene.bodies.iter().map(|b| b.body.is_fixed()).collect();
    let is_ground: Vec<bool> = (0..bounds.len())
        .map(|k| {
            let others = (0..bounds.len()).filter(|&j| j != k).map(|j| bounds[j]).reduce(Bounds::with);
            is_fixed[k] && others.is_some_and(|o| bounds[k].breadth() > 2.3 * o.breadth())
        })
        .collect();
    let rest = (0..bounds.len()).filter(|&k| !is_ground[k]).map(|k| bounds[k]).reduce(Bounds::with);
    let Some(rest) = rest.filter(|_| bounds.len() > 1) else {
        return Layout { shifts: vec![DVec3::ZERO; bounds.len()], is_ground, is_tower: false };
    };
    let middles: Vec<DVec3> = (0..bounds.len()).filter(|&k| !is_ground[k]).map(|k| bounds[k].centre()).collect();
    let spread = middles.iter().map(|c| (c.x - rest.centre().x).hypot(c.z - rest.centre().z)).fold(0.0, f64::max);
    let is_column = spread < 0.25 * rest.breadth() && rest.size().y > rest.breadth();
    let is_tower = is_column && bounds.len() > 2;
    let shifts = if is_tower || bounds.len() == 2 {
        let gap = if is_tower { 0.55 * rest.breadth() } else { 0.75 * (bounds[0].size().y.min(bounds[1].size().y)) };
        let mut order: Vec<usize> = (0..bounds.len()).collect();
        order.sort_by(|&a, &b| bounds[a].centre().y.total_cmp(&bounds[b].centre().y));
        let place = |k: usize| order.iter().position(|&o| o == k).unwrap_or(0);
        (0..bounds.len()).map(|k| place(k) as f64 * gap * DVec3::Y).collect()
    } else {
        let middle = rest.centre();
        let shift = |k: usize| 0.35 * (bounds[k].centre() - middle);
        let lowest = (0..bounds.len()).filter(|&k| !is_ground[k]).map(|k| shift(k).y).fold(0.0, f64::min);
        // The ground goes down far enough to show its top below the lowest of the others.
        let below = lowest - 0.6 * bounds.iter().map(|b| b.size().y).fold(f64::INFINITY, f64::min);
        (0..bounds.len()).map(|k| if is_ground[k] { below * DVec3::Y } else { shift(k) }).collect()
    };
    Layout { shifts, is_ground, is_tower }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_scenes::cases::{Case, Model};

    fn laid_out(case: Case) -> Layout {
        let scene = case.scene(Model::Procedural, None).unwrap();
        let points = |k: usize| {
            let (body, pose) = (&scene.bodies[k], scene.bodies[k].body.pose());
            body.shape.triangles().vertices.into_iter().map(move |v| pose.transform_point(v)).collect::<Vec<_>>()
        };
        let bounds: Vec<Bounds> = (0..scene.bodies.len()).map(|k| Bounds::around(points(k))).collect();
        layout(&scene, &bounds)
    }

    #[test]
    fn the_upper_body_is_lifted_and_only_wide_ground_is_cut() {
        for (case, has_ground) in [(Case::SlidingSpike, true), (Case::InternalEdges, false), (Case::SpikeInHole, false)]
        {
            let layout = laid_out(case);
            assert_eq!(layout.is_ground.iter().any(|g| *g), has_ground, "{case}");
            assert!(!layout.is_tower);
            let lifted: Vec<bool> = layout.shifts.iter().map(|s| s.y > 0.0).collect();
            assert_eq!(lifted.iter().filter(|l| **l).count(), 1);
        }
    }
}
