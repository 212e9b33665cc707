//! Random sets of contacts on one body.

use super::workbench::Bench;
use glam::DVec3;

/// A sequence of numbers in −1…1 that follows from its seed.
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// One body that falls and turns, with contacts anywhere whose normals point more or less upwards.
pub fn random(count: usize, friction: f64, numbers: &mut Numbers) -> Bench {
    let mut bench = Bench::new();
    let inertia = DVec3::splat(1.0) + 0.5 * numbers.vector();
    let body = bench.body(1.5 + 0.5 * numbers.next(), inertia, DVec3::ZERO);
    let (push, turn) = (3.0 * numbers.vector(), 3.0 * numbers.vector());
    bench.bodies[body].free = [push.x, push.y, -9.81, turn.x, turn.y, turn.z];
    for _ in 0..count {
        let point = 1.5 * numbers.vector();
        let mut normal = numbers.vector();
        normal.z = normal.z.abs() + 0.2;
        bench.touch([0, body], point, normal.normalize(), friction);
    }
    bench
}
