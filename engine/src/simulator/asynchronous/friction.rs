//! Coulomb friction of a pair, as an impulse against its sliding that comes with the impulse of its layers.
//!
//! The closest points lie apart by the distance, so opposite impulses along the surfaces would turn the pair, and a pair that turns as if it were
//! rigid would be taken to slide. Both are mended by one linear map: sliding is the relative velocity without what the rigid
//! rotation of the four vertices gives, and an impulse against it comes with a rotation that keeps their angular momentum.

use glam::{DMat3, DVec3};

use super::clock::Ticks;
use super::separation::Separation;
use super::vertices::Vertices;

/// The impulse on each vertex by a unit impulse along a direction: linear in it.
struct Map {
    weights: [f64; 4],
    masses: [f64; 4],
    /// From the centre of mass, m.
    arms: [DVec3; 4],
    /// The inverse of the inertia tensor of the four vertices; zero if it has none, or if one of them does not move.
    inverse_inertia: DMat3,
    /// From the second point to the first, m.
    way: DVec3,
}

impl Map {
    fn impulses(&self, direction: DVec3) -> [DVec3; 4] {
        let turn = self.inverse_inertia * -self.way.cross(direction);
        std::array::from_fn(|k| direction * self.weights[k] + turn.cross(self.arms[k]) * self.masses[k])
    }
}

/// Kicks the vertices of a pair against its sliding, by no more than the coefficient of friction times an impulse (N s), and no more than what stops
/// it.
pub fn rub(separation: &Separation, of: [u32; 4], coefficient: f64, impulse: f64, vertices: &mut Vertices, now: Ticks) {
    let inverse_masses = of.map(|v| vertices.inverse_mass(v));
    let map = map(separation, of, inverse_masses, vertices, now);
    // The adjoint of the map gives the sliding.
    let normal = separation.normal;
    let (first, second) = normal.any_orthonormal_pair();
    let along = |direction: DVec3| {
        let impulses = map.impulses(direction);
        (0..4).map(|k| impulses[k].dot(vertices.velocity(of[k]))).sum::<f64>()
    };
    let sliding = first * along(first) + second * along(second);
    let speed = sliding.length();
    if speed == 0.0 {
        return;
    }
    let impulses = map.impulses(sliding / -speed);
    let between = |i: usize, j: usize| impulses[i].dot(impulses[j]) * vertices.mobility(of[i], of[j]);
    let mobility: f64 = (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).map(|(i, j)| between(i, j)).sum();
    let size = (coefficient * impulse).min(speed / mobility);
    for (vertex, part) in of.into_iter().zip(impulses) {
        vertices.kick(vertex, part * size, now);
    }
}

fn map(separation: &Separation, of: [u32; 4], inverse_masses: [f64; 4], vertices: &Vertices, now: Ticks) -> Map {
    let way = separation.normal * separation.distance;
    let rigid = Map {
        weights: separation.weights,
        masses: [0.0; 4],
        arms: [DVec3::ZERO; 4],
        inverse_inertia: DMat3::ZERO,
        way,
    };
    if inverse_masses.contains(&0.0) {
        return rigid;
    }
    let masses = inverse_masses.map(f64::recip);
    let points = of.map(|v| vertices.position(v, now));
    let total: f64 = masses.iter().sum();
    let centre = (0..4).map(|k| points[k] * masses[k]).sum::<DVec3>() / total;
    let arms = points.map(|point| point - centre);
    let outer = |a: DVec3| DMat3::from_cols(a * a.x, a * a.y, a * a.z);
    let inertia = (0..4)
        .fold(DMat3::ZERO, |sum, k| sum + masses[k] * (DMat3::IDENTITY * arms[k].length_squared() - outer(arms[k])));
    let inverse = inertia.inverse();
    if !inverse.is_finite() {
        return rigid;
    }
    Map { masses, arms, inverse_inertia: inverse, ..rigid }
}
