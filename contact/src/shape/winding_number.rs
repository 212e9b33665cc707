//! How often a surface winds around a point: what tells inside from outside.

use glam::DVec3;

use super::surface::Surface;

impl Surface {
    /// How often the surface winds around a point that is not on it: 1 inside the solid, 0 outside.
    ///
    /// The sum of the triangles' signed solid angles (van Oosterom and Strackee 1983) over 4π, rounded. Half of each is the argument of a
    /// complex number; of their product, the whole turns are counted.
    pub fn winding_number(&self, point: DVec3) -> i32 {
        let (mut turns, mut product) = (0, [1.0, 0.0]);
        for t in 0..self.triangles().len() as u32 {
            let [a, b, c] = self.corners(t).map(|p| p - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let real = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            let imaginary = a.dot(b.cross(c));
            let [x, y] = product;
            let next = [x * real - y * imaginary, x * imaginary + y * real];
            // Two arguments between −π and π add up to less than −π or more than π only if they have the same sign and the sum has another.
            if imaginary > 0.0 && y >= 0.0 && next[1] < 0.0 {
                turns += 1;
            } else if imaginary < 0.0 && y < 0.0 && next[1] >= 0.0 {
                turns -= 1;
            }
            let size = next[0].abs() + next[1].abs();
            // At a corner of a triangle there is no angle.
            if size > 0.0 {
                product = next.map(|x| x / size);
            }
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;

    /// How often a ray leaves a surface more often than it comes in.
    fn crossings(surface: &Surface, from: DVec3, along: DVec3) -> i32 {
        let side = |p: DVec3, q: DVec3| along.dot((p - from).cross(q - from));
        let crossing = |t: u32| {
            let [a, b, c] = surface.corners(t);
            let sides = [side(a, b), side(b, c), side(c, a)];
            let normal = (b - a).cross(c - a);
            let is_ahead = normal.dot(a - from) / normal.dot(along) > 0.0;
            let is_hit = sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0);
            if is_hit && is_ahead { normal.dot(along).signum() as i32 } else { 0 }
        };
        (0..surface.triangles().len() as u32).map(crossing).sum()
    }

    #[test]
    fn the_winding_number_is_what_rays_count() {
        for surface in [sample::u_prism(), sample::l_prism(), sample::hollow_box(), sample::corner_tetrahedron()] {
            let (low, high) = surface
                .vertices()
                .iter()
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
            let mut seen = [0; 2];
            for k in 1..2000 {
                // Points that fill the box around it evenly, and directions that meet no edge.
                let share = |base: f64| (f64::from(k) * base).fract() * 1.2 - 0.1;
                let point = low + (high - low) * DVec3::new(share(0.819_173), share(0.671_044), share(0.549_700));
                let along = DVec3::new(0.347 + 1e-4 * share(0.618), 0.811, 0.473).normalize();
                let winding = surface.winding_number(point);
                assert_eq!(winding, crossings(&surface, point, along), "{point}");
                seen[winding as usize] += 1;
            }
            assert!(seen.iter().all(|&times| times > 100), "{seen:?}");
        }
    }

    #[test]
    fn the_winding_number_tells_solid_from_empty() {
        let surface = sample::hollow_box();
        assert_eq!(surface.winding_number(DVec3::splat(0.75)), 1);
        assert_eq!(surface.winding_number(DVec3::splat(0.1)), 0);
        assert_eq!(surface.winding_number(DVec3::splat(1.1)), 0);
    }
}
