//! A belt: a fixed body whose surface moves. A box on it speeds up with μ g until it goes as fast as the belt.

use super::workbench::{G, Workbench, at, undamped};
use glam::DVec3;

#[test]
fn a_belt_takes_a_box_along() {
    for belt in [DVec3::new(1.5, 0.0, 0.0), DVec3::new(0.9, 0.0, -1.2)] {
        let mu = 0.4;
        let mut bench = Workbench::new(undamped(), mu, 0.0);
        let ground = bench.ground();
        // Flat, so that it does not tip.
        let body = bench.cuboid(DVec3::new(0.8, 0.2, 0.8), at(0.1, 0.1, 0.2));
        bench.run(100);
        bench.world.body_mut(ground).unwrap().velocity = belt;
        let begin = bench.world.time();
        let (direction, top) = (belt.normalize(), belt.length());
        let mut worst = 0.0f64;
        for _ in 0..80 {
            bench.run(1);
            let expected = direction * (mu * G * (bench.world.time() - begin)).min(top);
            worst = worst.max((bench.velocity(body) - expected).reject_from(DVec3::Y).length());
        }
        let at_last = (bench.velocity(body) - belt).length();
        println!("belt {belt}: velocity off by {worst:.1e} m/s on the way, {at_last:.1e} m/s at last");
        // The velocity tolerance of the solver is 1e-5 m/s a sweep.
        assert!(worst < 1e-4 && at_last < 2e-5, "{belt}: {worst} {at_last}");
        assert_eq!(bench.position(ground), DVec3::NEG_Y * 0.5);
    }
}
