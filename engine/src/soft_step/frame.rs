//! Eight contacts in the frames of their manifolds: s and t along the tangents, n along the normal, right-handed.
//!
//! In such a frame the arm of a contact, the spins of its bodies and their inertias have three or six components, and many entries of a
//! row are zero: the moment of an impulse along one axis has no component along it.

use super::lanes::{Lanes, Register, dot};

/// The axes of a frame, by their places.
pub const S: usize = 0;
pub const T: usize = 1;
pub const N: usize = 2;

/// The other two axes behind one, in cyclic order.
#[inline(always)]
const fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// Where an entry of a symmetric matrix is.
const ENTRY: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

/// The component along an axis of the velocity, at the end of an arm, of what turns.
#[inline(always)]
pub fn swept<R: Register>(axis: usize, arm: [R; 3], spin: [R; 3]) -> R {
    let (e, f) = others(axis);
    arm[f] * spin[e] - arm[e] * spin[f]
}

/// The components of a vector along these axes.
#[inline(always)]
pub fn along<R: Register>(axes: &[[R; 3]; 3], v: [R; 3]) -> [R; 3] {
    [dot(axes[S], v), dot(axes[T], v), dot(axes[N], v)]
}

/// The vector with these components.
#[inline(always)]
pub fn composed<R: Register>(axes: &[[R; 3]; 3], [s, t, n]: [R; 3]) -> [R; 3] {
    let [[sx, sy, sz], [tx, ty, tz], [nx, ny, nz]] = *axes;
    [dot([sx, tx, nx], [s, t, n]), dot([sy, ty, ny], [s, t, n]), dot([sz, tz, nz], [s, t, n])]
}

/// The inverse of the inertia of a body: the upper half of the matrix, row by row.
#[derive(Clone, Copy)]
pub struct Inertia<R>(pub [R; 6]);

impl<R: Register> Inertia<R> {
    /// From memory.
    #[inline(always)]
    pub fn load(token: R::Token, [a, b, c, d, e, f]: &[Lanes; 6]) -> Self {
        Self([
            R::load(token, a),
            R::load(token, b),
            R::load(token, c),
            R::load(token, d),
            R::load(token, e),
            R::load(token, f),
        ])
    }

    /// To memory.
    #[inline(always)]
    pub fn stored(self) -> [Lanes; 6] {
        let [a, b, c, d, e, f] = self.0;
        [a.store(), b.store(), c.store(), d.store(), e.store(), f.store()]
    }

    /// In the frame of these axes, if it is given in the world.
    #[inline(always)]
    pub fn within(self, axes: &[[R; 3]; 3]) -> Self {
        let [s, t, n] = [self.of(axes[S]), self.of(axes[T]), self.of(axes[N])];
        let ([ss, st, sn], [tt, tn]) = (along(axes, s), [dot(axes[T], t), dot(axes[N], t)]);
        Self([ss, st, sn, tt, tn, dot(axes[N], n)])
    }

    /// The spin that a moment makes.
    #[inline(always)]
    pub fn of(&self, moment: [R; 3]) -> [R; 3] {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        [dot([xx, xy, xz], moment), dot([xy, yy, yz], moment), dot([xz, yz, zz], moment)]
    }

    /// The spin that a moment about one axis makes.
    #[inline(always)]
    pub fn about(&self, axis: usize) -> [R; 3] {
        let [x, y, z] = ENTRY[axis];
        [self.0[x], self.0[y], self.0[z]]
    }

    /// The spin that an impulse along an axis at the end of an arm makes.
    #[inline(always)]
    pub fn pushed(&self, axis: usize, arm: [R; 3]) -> [R; 3] {
        let (e, f) = others(axis);
        let (about_e, about_f) = (self.about(e), self.about(f));
        [
            about_e[0] * arm[f] - about_f[0] * arm[e],
            about_e[1] * arm[f] - about_f[1] * arm[e],
            about_e[2] * arm[f] - about_f[2] * arm[e],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{LANES, Pair};
    use super::super::quad::Quad;
    use super::*;
    use drystone_contact::split_mix::SplitMix;
    use glam::{DMat3, DVec3};

    fn wide(v: DVec3) -> [Pair<Quad>; 3] {
        v.to_array().map(|x| Pair::load((), &Lanes::new([x; LANES])))
    }

    fn vector(v: [Pair<Quad>; 3]) -> DVec3 {
        DVec3::from_array(v.map(|x| x.store()[5]))
    }

    /// Against vectors and matrices in the world.
    #[test]
    fn what_is_found_in_a_frame_is_what_is_in_the_world() {
        let mut random = SplitMix::new(8);
        for _ in 0..200 {
            let mut next = || DVec3::from_array([0; 3].map(|_| random.next_between(-1.0, 1.0)));
            let (normal, arm, spin, moment) = (next().normalize(), next(), next(), next());
            let [s, t] = crate::solver::contact_problem::tangents(normal);
            assert!((s.cross(t) - normal).length() < 1e-15);
            let frame = [s, t, normal];
            let factor = DMat3::from_cols(next(), next(), next());
            let world = factor * factor.transpose();
            let DMat3 { x_axis: x, y_axis: y, z_axis: z } = world;
            let upper = [x.x, x.y, x.z, y.y, y.z, z.z].map(|x| Pair::<Quad>::load((), &Lanes::new([x; LANES])));
            let axes = frame.map(wide);
            let inertia = Inertia(upper).within(&axes);
            let near =
                |found: DVec3, expected: DVec3| assert!((found - expected).length() < 1e-13, "{found} {expected}");
            let [arm_within, spin_within, moment_within] = [arm, spin, moment].map(|v| along(&axes, wide(v)));
            near(vector(composed(&axes, arm_within)), arm);
            near(vector(composed(&axes, inertia.of(moment_within))), world * moment);
            for (axis, direction) in frame.into_iter().enumerate() {
                let found = swept(axis, arm_within, spin_within).store()[0];
                assert!((found - direction.dot(spin.cross(arm))).abs() < 1e-14);
                near(vector(composed(&axes, inertia.pushed(axis, arm_within))), world * arm.cross(direction));
                near(vector(composed(&axes, inertia.about(axis))), world * direction);
            }
        }
    }
}
