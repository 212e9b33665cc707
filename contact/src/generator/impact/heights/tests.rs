//! Heights of points between the times at which they are looked at, beside what is said of them.

use glam::{DQuat, DVec3};

use super::*;
use crate::generator::Placed;
use crate::pose::{Pose, Twist};
use crate::shape::{RoundedBox, Shape};
use crate::split_mix::SplitMix;

/// How far a height falls below the parabola, and below straight lines, through what it is at the beginning, in the middle and at the end of a
/// time, m.
fn falls(duration: f64, height: impl Fn(f64) -> f64) -> [f64; 2] {
    let [start, middle, end] = [0.0, 0.5, 1.0].map(|share| height(share * duration));
    let (mut of_parabola, mut of_lines) = (0.0_f64, 0.0_f64);
    for k in 0..=100 {
        let s = f64::from(k) / 100.0;
        // By the polynomials that are one at a sample and zero at the others.
        let parabola = start * (2.0 * s - 1.0) * (s - 1.0) + middle * 4.0 * s * (1.0 - s) + end * s * (2.0 * s - 1.0);
        let line = if s < 0.5 { start + 2.0 * s * (middle - start) } else { end + 2.0 * (1.0 - s) * (middle - end) };
        let height = height(s * duration);
        (of_parabola, of_lines) = (of_parabola.max(parabola - height), of_lines.max(line - height));
    }
    [of_parabola, of_lines]
}

/// The largest share of what is said that was seen.
#[derive(Default)]
struct Largest(f64);

impl Largest {
    fn see(&mut self, seen: f64, said: f64) {
        assert!(seen <= said + 1e-12, "{seen} of {said}");
        self.0 = self.0.max(seen / said);
    }
}

#[test]
fn points_fall_no_lower_between_samples_than_is_said() {
    let mut random = SplitMix::new(21);
    let mut unit = || {
        let vector = DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)));
        vector.normalize_or(DVec3::X)
    };
    let shape: Shape = RoundedBox::new(DVec3::new(0.5, 0.2, 0.3), 0.05).unwrap().into();
    let radius = shape.radius();
    let [mut own, mut other, mut still, mut across, mut length] = std::array::from_fn(|_| Largest::default());
    let mut of_shapes: [Largest; 3] = std::array::from_fn(|_| Largest::default());
    for case in 0..4000 {
        // One of them, or both turn fast, about axes that are parallel in every other case.
        let spin = 6.0 * unit();
        let spins = match case % 6 {
            0 | 1 => [spin, DVec3::ZERO],
            2 | 3 => [DVec3::ZERO, spin],
            4 => [spin, -0.8 * spin],
            _ => [spin, 6.0 * unit()],
        };
        let placed = std::array::from_fn(|k| {
            let pose = Pose::from_parts(1.2 * k as f64 * unit(), DQuat::from_scaled_axis(2.0 * unit()));
            Placed { shape: &shape, pose, twist: Twist { linear: 0.3 * unit(), angular: spins[k] } }
        });
        let motion = Motion { placed, duration: 0.05, allowed: 0.0 };
        let heights = motion.heights(motion.duration, false);
        let points = [0, 1].map(|_| radius * unit());
        let at = |time: f64| [0, 1].map(|k| motion.poses(time)[k].transform_point(points[k]));
        let direction = unit();
        for (k, largest) in [&mut own, &mut other].into_iter().enumerate() {
            let of_plane = |time: f64| direction.dot(motion.poses(time)[k].inverse_transform_point(at(time)[1 - k]));
            let [of_parabola, of_lines] = falls(motion.duration, of_plane);
            largest.see(of_parabola, [heights.of_points.own, heights.of_points.other][k]);
            of_shapes[k].see(of_lines, heights.of_shapes[k]);
        }
        let between = |time: f64| {
            let [on_a, on_b] = at(time);
            on_b - on_a
        };
        let [of_parabola, of_lines] = falls(motion.duration, |time| direction.dot(between(time)));
        still.see(of_parabola, heights.still);
        of_shapes[2].see(of_lines, heights.of_shapes[2]);
        // An edge of each, at any angle, or nearly parallel to each other.
        let edge = unit();
        let oblique = (edge + 0.2 * unit()).normalize();
        let edges = [edge, if case % 2 == 0 { oblique } else { unit() }];
        let now = motion.poses(0.0);
        let of_bodies = [0, 1].map(|k| now[k].rotation.inverse() * edges[k]);
        let product = |time: f64| {
            let [a, b] = motion.poses(time);
            (a.rotation * of_bodies[0]).cross(b.rotation * of_bodies[1])
        };
        let first = product(0.0).length();
        if first < 0.1 {
            continue;
        }
        let [of_parabola, _] = falls(motion.duration, |time| product(time).dot(between(time)) / first);
        across.see(of_parabola, heights.across(first, 0.0));
        // How much of the depth that is allowed more may be along a product that gets shorter.
        let left = heights.across(first, 0.0) - heights.across(first, 1.0);
        let shortest = (0..=10).map(|k| product(0.1 * f64::from(k) * motion.duration).length() / first);
        length.see(1.0 - shortest.fold(1.0, f64::min), 1.0 - left);
    }
    // The third derivative along a product has five terms, which are never as large as can be at once.
    assert!(across.0 > 0.2, "{}", across.0);
    let all = [own.0, other.0, still.0, length.0].into_iter().chain(of_shapes.map(|largest| largest.0));
    all.for_each(|share| assert!(share > 0.9, "{share}"));
}

#[test]
fn depths_that_are_allowed_are_less_along_products_that_get_shorter() {
    let shape: Shape = RoundedBox::new(DVec3::new(0.5, 0.2, 0.3), 0.05).unwrap().into();
    let twists = [0.4, -0.4].map(|spin| Twist { linear: DVec3::ZERO, angular: DVec3::Y * spin });
    let placed = twists.map(|twist| Placed { shape: &shape, pose: Pose::IDENTITY, twist });
    let heights = |allowed: f64| Motion { placed, duration: 0.1, allowed }.heights(0.1, false);
    // Together they turn by 0.08 rad.
    let fall = heights(0.0).across(0.5, 0.0);
    for (allowed, depth) in [(0.01, 0.0), (0.0, 0.01), (0.004, 0.006)] {
        let least = heights(allowed).across(0.5, depth);
        assert!((least - (fall - 0.01 * (1.0 - 0.08 / 0.5))).abs() < 1e-15, "{least}");
    }
    // One that may vanish leaves nothing.
    assert!(heights(0.01).across(0.07, 0.02) >= fall);
}
