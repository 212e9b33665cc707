//! A box along the axes of a frame, and what of a triangle is in it.

use glam::DVec3;

/// A box along the axes of a frame.
#[derive(Clone, Copy)]
pub struct Cell {
    pub low: DVec3,
    pub high: DVec3,
}

impl Cell {
    /// The smallest cell around no point: it grows with each that is [added](Self::add).
    pub const NOWHERE: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    pub fn add(&mut self, point: DVec3) {
        (self.low, self.high) = (self.low.min(point), self.high.max(point));
    }

    pub fn grown(self, margin: f64) -> Self {
        Self { low: self.low - DVec3::splat(margin), high: self.high + DVec3::splat(margin) }
    }

    pub fn halves(self, axis: usize) -> [Self; 2] {
        let middle = 0.5 * (self.low[axis] + self.high[axis]);
        let mut halves = [self; 2];
        halves[0].high[axis] = middle;
        halves[1].low[axis] = middle;
        halves
    }

    /// Whether a triangle passes through the cell, or nearly so: they are told apart along the axes, the normal of the triangle, and the
    /// directions at right angles to an axis and an edge.
    pub fn is_met_by(&self, corners: [DVec3; 3], rounding: f64) -> bool {
        let (centre, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low));
        let corners = corners.map(|p| p - centre);
        let [a, b, c] = corners;
        let near = half + DVec3::splat(rounding);
        if a.min(b).min(c).cmpgt(near).any() || a.max(b).max(c).cmplt(-near).any() {
            return false;
        }
        let far = corners.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
        let off = rounding * far;
        let normal = (b - a).cross(c - b);
        if normal.dot(a).abs() > half.dot(normal.abs()) + 4.0 * off * far {
            return false;
        }
        // Along a direction at right angles to an edge all of the edge is as high as one of its ends.
        let is_apart_at = |end: DVec3, edge: DVec3, opposite: DVec3| {
            let size = edge.abs();
            let reach = DVec3::new(
                half.y * size.z + half.z * size.y,
                half.z * size.x + half.x * size.z,
                half.x * size.y + half.y * size.x,
            ) + DVec3::splat(off);
            let (p, q) = (edge.cross(end), edge.cross(opposite));
            p.min(q).cmpgt(reach).any() || p.max(q).cmplt(-reach).any()
        };
        !(is_apart_at(a, b - a, c) || is_apart_at(b, c - b, a) || is_apart_at(c, a - c, b))
    }

    /// Cuts off what of a convex polygon is not in the cell (Sutherland and Hodgman, "Reentrant polygon clipping", 1974); `cut` is room to
    /// work in.
    pub fn clip(&self, polygon: &mut Vec<DVec3>, cut: &mut Vec<DVec3>) {
        for axis in 0..3 {
            for (sign, bound) in [(1.0, self.high[axis]), (-1.0, -self.low[axis])] {
                cut.clear();
                let mut before = polygon.last().map(|&p| (p, sign * p[axis] - bound));
                for &p in polygon.iter() {
                    let height = sign * p[axis] - bound;
                    if let Some((q, other)) = before
                        && ((height < 0.0 && other > 0.0) || (height > 0.0 && other < 0.0))
                    {
                        cut.push(q + (p - q) * (other / (other - height)));
                    }
                    if height <= 0.0 {
                        cut.push(p);
                    }
                    before = Some((p, height));
                }
                std::mem::swap(polygon, cut);
            }
        }
    }
}
