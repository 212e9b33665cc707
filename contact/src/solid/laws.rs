//! What holds of every solid, checked against an oracle that tells inside from outside.

use glam::{DMat3, DVec3};

use super::{OrientedBox, Relation, Solid};
use crate::split_mix::SplitMix;

/// Points tried in a box, and along a segment.
const POINTS: u32 = 200;

/// A vector with coordinates between −1 and 1.
pub fn vector(random: &mut SplitMix) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)))
}

/// A number between `low` and `high`, the logarithm of which is evenly distributed.
pub fn log_uniform(random: &mut SplitMix, low: f64, high: f64) -> f64 {
    low * (high / low).powf(random.next_fraction())
}

/// A box anywhere about a solid of this size (m), slim or not.
pub fn turned_box(random: &mut SplitMix, centre: DVec3, size: f64) -> OrientedBox {
    let axes = DMat3::from_quat(random.next_rotation());
    let half = DVec3::from_array(std::array::from_fn(|_| log_uniform(random, 1e-5, 1.0) * size));
    OrientedBox { centre: centre + vector(random) * 1.5 * size, axes, half }
}

/// Checks boxes and segments about `centre` (m) against `inside`, which says where a point is, or `None` where it cannot
/// tell; `size` is that of the solid, m.
pub fn check(
    solid: &dyn Solid,
    centre: DVec3,
    size: f64,
    cases: u32,
    seed: u64,
    inside: impl Fn(DVec3) -> Option<bool>,
) {
    let (mut random, mut directions) = (SplitMix::new(seed), SplitMix::new(!seed));
    let mut seen = [0; 3];
    for case in 0..cases {
        let turned = turned_box(&mut random, centre, size);
        let relation = solid.relation(&turned);
        seen[relation as usize] += 1;
        for k in 0..POINTS {
            // Corners and faces as often as the inside.
            let mut local = vector(&mut random);
            if k % 2 == 0 {
                let axis = (k / 2 % 3) as usize;
                local[axis] = local[axis].signum();
            }
            if k % 8 == 0 {
                local = local.signum();
            }
            let point = turned.centre + turned.axes * (local * turned.half);
            if k % 16 == 0 && inside(point) == Some(true) {
                let direction = directions.next_rotation() * DVec3::X;
                let (extent, height) = (solid.extent(direction), point.dot(direction));
                let rounding = 1e-12 * (size + centre.length());
                assert!(height <= extent + rounding, "case {case}: {point} beyond {extent} along {direction}");
            }
            match (relation, inside(point)) {
                (Relation::Outside, Some(true)) => panic!("case {case}: {point} in {turned:?} is inside {solid:?}"),
                (Relation::Inside, Some(false)) => panic!("case {case}: {point} in {turned:?} is outside {solid:?}"),
                _ => {}
            }
        }
    }
    assert!(seen[0] > 0 && seen[2] > 0, "boxes of one relation alone: {seen:?}");
    let mut found = 0;
    for case in 0..cases {
        let from = centre + vector(&mut random) * 1.5 * size;
        let to = if case % 4 == 0 {
            from + vector(&mut random) * log_uniform(&mut random, 1e-4, 1.0) * size
        } else {
            centre + vector(&mut random) * 1.5 * size
        };
        let mut crossings = Vec::new();
        solid.crossings(from, to, &mut crossings);
        found += crossings.len();
        assert!(crossings.is_sorted_by(|a, b| a.share <= b.share), "case {case}: {crossings:?}");
        assert!(crossings.iter().all(|c| (0.0..=1.0).contains(&c.share)), "case {case}: {crossings:?}");
        let mut before: Option<(f64, bool)> = None;
        for k in 0..=POINTS {
            let share = f64::from(k) / f64::from(POINTS);
            let Some(is_inside) = inside(from.lerp(to, share)) else { continue };
            if let Some((start, was_inside)) = before {
                // An entry more than there are exits between, or one fewer, or as many.
                let between = crossings.iter().filter(|c| c.share >= start && c.share <= share);
                let level = between.fold(i32::from(was_inside), |sum, c| sum + if c.is_entry { 1 } else { -1 });
                assert_eq!(
                    level,
                    i32::from(is_inside),
                    "case {case}: from {from} to {to} between {start} and {share}: {crossings:?}"
                );
            }
            before = Some((share, is_inside));
            assert_eq!(solid.contains(from.lerp(to, share)), is_inside, "case {case}: {}", from.lerp(to, share));
        }
    }
    assert!(found > 0, "no segment crosses the surface");
}

/// Checks that points of the surface are dense: each of `surface` has a sample within `spacing`, m.
pub fn check_samples(solid: &dyn Solid, spacing: f64, surface: impl Iterator<Item = DVec3>) {
    let mut samples = Vec::new();
    solid.samples(spacing, &mut samples);
    for point in surface {
        let nearest = samples.iter().map(|s| s.distance(point)).fold(f64::INFINITY, f64::min);
        assert!(nearest <= spacing, "{point} is {nearest} from {} samples", samples.len());
    }
}
