//! Boxes against closed forms.

use super::*;

/// A box of a size (m) whose sides are longer than 1e-4 of it, turned anyhow.
fn slim(random: &mut SplitMix, size: f64) -> OrientedBox {
    let half = DVec3::from_array(std::array::from_fn(|_| laws::log_uniform(random, 1e-4, 1.0) * size));
    OrientedBox { centre: DVec3::ZERO, axes: DMat3::from_quat(random.next_rotation()), half }
}

/// A long box about a point, tangential to a surface with this normal there.
fn tangential(random: &mut SplitMix, centre: DVec3, normal: DVec3, [long, thin]: [f64; 2]) -> OrientedBox {
    let along = normal.cross(laws::vector(random)).normalize();
    let axes = DMat3::from_cols(along, normal, along.cross(normal));
    OrientedBox { centre, axes, half: DVec3::new(long, thin, thin) }
}

/// A box whose lowest corner along a normal is on the point of the solid that is highest along it touches the solid;
/// lifted by more than the slack it is outside, and lowered it is not.
#[test]
fn boxes_that_touch_a_convex_solid_are_told_from_those_that_do_not() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale).filter(Instance::is_convex) {
            let mut random = SplitMix::new(5);
            for case in 0..3000 {
                let normal = match instance.name {
                    "half-space" => DVec3::Y,
                    // Edges and faces of a cuboid, the ends and the side of a cylinder.
                    _ if case % 4 == 0 => (laws::vector(&mut random)
                        * DVec3::AXES[random.next_below(3)].lerp(DVec3::ONE, 1e-9))
                    .normalize(),
                    _ => laws::vector(&mut random).normalize(),
                };
                let long = laws::log_uniform(&mut random, 1e-9, 1.0) * instance.size;
                let mut turned = if case % 2 == 0 {
                    slim(&mut random, long)
                } else {
                    let thin = 1e-4 * long;
                    tangential(&mut random, DVec3::ZERO, normal, [long, thin])
                };
                let lowest =
                    turned.corners().into_iter().min_by(|a, b| a.dot(normal).total_cmp(&b.dot(normal))).unwrap();
                let touch = instance.farthest(normal) - lowest;
                let rounding = 1e-12 * instance.size;
                let gap = 1.01 * instance.solid.slack(turned.radius()) + rounding;
                turned.centre = touch + normal * gap;
                assert_eq!(
                    instance.solid.relation(&turned),
                    Relation::Outside,
                    "{gap} {turned:?} {:?}",
                    instance.solid
                );
                // Towards the middle: beside a tip the normal may lead past the solid.
                let outwards = instance.farthest(normal).try_normalize().unwrap_or(normal);
                turned.centre = touch - outwards * rounding;
                assert_ne!(instance.solid.relation(&turned), Relation::Outside, "{turned:?} {:?}", instance.solid);
            }
        }
    }
}

/// A box in a convex solid, blown up until a corner is on the surface.
#[test]
fn boxes_that_fill_a_convex_solid_are_inside_until_a_corner_is_not() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale).filter(Instance::is_convex) {
            let mut random = SplitMix::new(6);
            for _ in 0..300 {
                let mut turned = slim(&mut random, instance.size);
                turned.centre = loop {
                    let p = laws::vector(&mut random) * instance.size;
                    if instance.excess(p) < -0.01 {
                        break p;
                    }
                };
                let blown = |factor: f64| OrientedBox { half: turned.half * factor, ..turned };
                let is_in = |factor| blown(factor).corners().into_iter().all(|p| instance.excess(p) < 0.0);
                let (mut low, mut high) = (0.0, 1e6);
                for _ in 0..200 {
                    let middle = 0.5 * (low + high);
                    *(if is_in(middle) { &mut low } else { &mut high }) = middle;
                }
                let (inside, beyond) = (blown(low * (1.0 - 1e-6)), blown(high * (1.0 + 1e-9)));
                assert_eq!(instance.solid.relation(&inside), Relation::Inside, "{inside:?} {:?}", instance.solid);
                assert_eq!(instance.solid.relation(&beyond), Relation::Undecided, "{beyond:?} {:?}", instance.solid);
            }
        }
    }
}

/// The least distance of a slim box from the surface of a torus, by points along it.
#[test]
fn undecided_boxes_are_near_the_torus() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale).filter(|i| i.name == "torus") {
            let mut random = SplitMix::new(7);
            let hole = instance.dimensions[0] - instance.dimensions[1];
            let tube = instance.dimensions[1].min(hole);
            let mut undecided = 0;
            for _ in 0..1500 {
                let on = instance.solid.nearest(laws::vector(&mut random) * instance.size).unwrap();
                let long = laws::log_uniform(&mut random, 1e-3, 0.2) * tube;
                let offset = random.next_between(-1.2, 1.2) * long * laws::log_uniform(&mut random, 1e-3, 1.0);
                let mut turned =
                    tangential(&mut random, on.position + on.normal * offset, on.normal, [long, 1e-3 * long]);
                if random.next_below(2) == 0 {
                    turned.axes = DMat3::from_quat(random.next_rotation());
                }
                let relation = instance.solid.relation(&turned);
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                for k in -200..=200 {
                    let p = turned.centre + turned.axes.x_axis * turned.half.x * f64::from(k) / 200.0;
                    let distance = DVec2::new(p.x, p.z).length() - instance.dimensions[0];
                    let distance = libm::hypot(distance, p.y) - instance.dimensions[1];
                    (least, most) = (least.min(distance), most.max(distance));
                }
                // Points are half a two-hundredth apart, and the box is a thousandth thick.
                let blur = (0.5 / 200.0 + 2e-3) * long;
                match relation {
                    Relation::Outside => assert!(least > 0.0),
                    Relation::Inside => assert!(most < 0.0),
                    Relation::Undecided => {
                        undecided += 1;
                        let distance = if least > 0.0 { least } else { (-most).max(0.0) };
                        assert!(distance < instance.solid.slack(turned.radius()) + blur, "{distance} {turned:?}");
                    }
                }
            }
            assert!(undecided > 300);
        }
    }
}

/// The slack vanishes with the square of the length, and boxes lifted by it are outside, sunk by it inside.
#[test]
fn long_tangential_boxes_are_told_from_the_torus() {
    for instance in instances(1.0).filter(|i| i.name == "torus") {
        let mut random = SplitMix::new(8);
        let solid = &instance.solid;
        for _ in 0..2000 {
            let on = solid.nearest(laws::vector(&mut random) * 1.5).unwrap();
            let tube = instance.dimensions[1].min(instance.dimensions[0] - instance.dimensions[1]);
            let long = 0.01 * laws::log_uniform(&mut random, 1e-4, 1.0) * tube;
            let thin = 1e-4 * long;
            let slack = solid.slack(long * (1.0 + 1e-4));
            assert!(slack < 0.05 * long);
            let at = |height: f64, random: &mut SplitMix| {
                tangential(random, on.position + on.normal * height, on.normal, [long, thin])
            };
            assert_eq!(solid.relation(&at(1.01 * slack + thin, &mut random)), Relation::Outside);
            assert_eq!(solid.relation(&at(-1.01 * slack - thin, &mut random)), Relation::Inside);
            assert_eq!(solid.relation(&at(0.9 * thin, &mut random)), Relation::Undecided);
        }
    }
    for (instance, long) in instances(1.0).zip([0.01, 1e-3, 1e-6].into_iter().cycle()) {
        assert!(instance.solid.slack(1e-2 * long) < 0.5e-2 * long, "{:?}", instance.solid);
    }
}
