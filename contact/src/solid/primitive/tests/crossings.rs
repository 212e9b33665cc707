//! Segments against closed forms.

use super::*;

/// However near to the surface the ends are, and however short the segment.
#[test]
fn the_number_of_crossings_agrees_with_the_ends() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale) {
            let mut random = SplitMix::new(9);
            let mut changes = 0;
            for case in 0..3000 {
                let on = instance.surface_point(&mut random);
                let reach = laws::log_uniform(&mut random, 1e-16, 10.0) * instance.size;
                let noise = [0.0, 1e-15, 1e-13, 1e-11][case % 4] * instance.size;
                let from = on + laws::vector(&mut random) * noise;
                let to = from + laws::vector(&mut random) * reach;
                let sides = [from, to].map(|p| instance.solid.contains(p));
                let crossings = instance.crossings(from, to);
                assert!(crossings.iter().all(|c| (0.0..=1.0).contains(&c.share)));
                let mut is_inside = sides[0];
                for crossing in &crossings {
                    assert_ne!(crossing.is_entry, is_inside, "{crossings:?} {from} {to} {:?}", instance.solid);
                    is_inside = crossing.is_entry;
                }
                assert_eq!(is_inside, sides[1], "{crossings:?} {from} {to} {:?}", instance.solid);
                changes += usize::from(sides[0] != sides[1]);
            }
            assert!(changes > 100, "{:?}", instance.solid);
        }
    }
}

#[test]
fn crossings_are_on_the_surface_with_its_normal() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale) {
            let mut random = SplitMix::new(10);
            let size = instance.size;
            let mut found = 0;
            for _ in 0..500 {
                let [from, to] = [0, 1].map(|_| laws::vector(&mut random) * 1.5 * size);
                for crossing in instance.crossings(from, to) {
                    let at = from.lerp(to, crossing.share);
                    let normal = crossing.normal.unwrap();
                    let away = 1e-7 * size;
                    assert!(instance.excess(at).abs() < 1e-10, "{at} {:?}", instance.solid);
                    assert!(instance.excess(at + normal * away) > 0.0 && instance.excess(at - normal * away) < 0.0);
                    // Tangents have no sense of direction.
                    let towards = (to - from).normalize().dot(normal);
                    assert!(towards.abs() < 1e-6 || (towards < 0.0) == crossing.is_entry);
                    found += 1;
                }
            }
            assert!(found > 30, "{:?}", instance.solid);
        }
    }
}

#[test]
fn a_line_through_a_torus_crosses_it_four_times_and_a_tangent_twice_or_never() {
    for scale in [1e-6, 1.0, 1e6] {
        for minor in [0.5, 0.1, 1e-3, 1e-6] {
            let torus = Torus::new(scale, minor * scale).unwrap();
            let crossings = |from: DVec3, to: DVec3| {
                let mut crossings = Vec::new();
                torus.crossings(from * scale, to * scale, &mut crossings);
                crossings
            };
            let through = crossings(DVec3::new(-2.0, 0.0, 0.0), DVec3::new(2.0, 0.0, 0.0));
            let expected = [1.0 - minor, 3.0 - minor, 1.0 + minor, 3.0 + minor].map(|x| 0.25 * x);
            let mut expected = expected.to_vec();
            expected.sort_by(f64::total_cmp);
            assert_eq!(through.len(), 4);
            for (crossing, share) in through.iter().zip(expected) {
                assert!((crossing.share - share).abs() < 3e-14, "{crossing:?} {share}");
            }
            // Along the circle on which it rests: a line touches that nearly four times over.
            for (height, count) in [(1.0 + 1e-6, 0), (1.0 - 1e-6, 2)] {
                let at = |z: f64| DVec3::new(1.0, height * minor, z);
                assert_eq!(crossings(at(-2.0), at(2.0)).len(), count, "{minor} {height}");
            }
            // Through the tube at any place, from near and far.
            let mut random = SplitMix::new(11);
            let is_outside = |p: DVec3| torus.nearest(p * scale).unwrap().distance > 0.0;
            for _ in 0..500 {
                let (sine, cosine) = libm::sincos(random.next_between(-3.2, 3.2));
                let core = DVec3::new(sine, 0.0, cosine);
                let way = laws::vector(&mut random) * laws::log_uniform(&mut random, 2.0 * minor, 100.0);
                let [first, second] = [0, 1].map(|i| crossings([core, core - way][i], [core + way, core][i]));
                assert_eq!(first.len() % 2, usize::from(is_outside(core + way)));
                assert_eq!(second.len() % 2, usize::from(is_outside(core - way)));
            }
        }
    }
}
