//! Solids in closed form against implicit functions, support functions and sums over their insides.

use glam::{DMat3, DVec2};

use super::*;
use crate::shape::{Surface, Triangles};
use crate::solid::{Crossing, laws};
use crate::split_mix::SplitMix;

const INSTANCES: [(&str, &[f64]); 15] = [
    ("ball", &[0.7]),
    ("capsule", &[0.4, 0.9]),
    ("capsule", &[0.1, 1.0]),
    ("cone", &[0.8, 1.5]),
    ("cone", &[1.0, 0.25]),
    ("box", &[0.3, 1.0, 0.6]),
    ("box", &[1.0, 0.1, 0.8]),
    ("cylinder", &[0.6, 0.5]),
    ("cylinder", &[1.0, 0.1]),
    ("ellipsoid", &[0.5, 1.0, 0.7]),
    ("ellipsoid", &[1.0, 0.2, 0.4]),
    ("half-space", &[]),
    ("torus", &[1.0, 0.3]),
    ("torus", &[0.6, 0.55]),
    ("torus", &[1.0, 0.1]),
];

/// An instance at a scale.
struct Instance {
    name: &'static str,
    dimensions: Vec<f64>,
    scale: f64,
    size: f64,
    solid: Arc<dyn Solid>,
}

fn instances(scale: f64) -> impl Iterator<Item = Instance> {
    INSTANCES.iter().map(move |&(name, dimensions)| {
        let dimensions: Vec<f64> = dimensions.iter().map(|d| d * scale).collect();
        let solid = primitive_solid(name, &dimensions).unwrap();
        let size = if name == "half-space" { scale } else { solid.bounds().largest_coordinate() };
        Instance { name, dimensions, scale, size, solid }
    })
}

impl Instance {
    fn is_convex(&self) -> bool {
        self.name != "torus"
    }

    /// Above zero outside, below inside, without a dimension, and steep at the surface.
    fn excess(&self, p: DVec3) -> f64 {
        let d = &self.dimensions;
        let flat = p.x * p.x + p.z * p.z;
        match self.name {
            "ball" => p.dot(p) / (d[0] * d[0]) - 1.0,
            "capsule" => (flat + (p.y.abs() - d[1]).max(0.0).powi(2)) / (d[0] * d[0]) - 1.0,
            "cone" => (flat.sqrt() / d[0] - 0.75 + p.y / d[1]).max(-0.25 - p.y / d[1]),
            "box" => (p.x.abs() / d[0]).max(p.y.abs() / d[1]).max(p.z.abs() / d[2]) - 1.0,
            "cylinder" => (flat / (d[0] * d[0])).max(p.y.abs() / d[1]) - 1.0,
            "ellipsoid" => (p.x / d[0]).powi(2) + (p.y / d[1]).powi(2) + (p.z / d[2]).powi(2) - 1.0,
            "half-space" => p.y / self.scale,
            _ => {
                let (major, minor) = (d[0] * d[0], d[1] * d[1]);
                ((p.dot(p) + major - minor).powi(2) - 4.0 * major * flat) / (major * minor)
            }
        }
    }

    /// The point of a convex solid that is farthest along a direction.
    fn farthest(&self, n: DVec3) -> DVec3 {
        let d = &self.dimensions;
        let radial = DVec3::new(n.x, 0.0, n.z).normalize_or_zero();
        match self.name {
            "ball" => n * d[0],
            "capsule" => n * d[0] + DVec3::Y * d[1] * n.y.signum(),
            "cone" => {
                let (tip, rim) = (DVec3::Y * 0.75 * d[1], radial * d[0] - DVec3::Y * 0.25 * d[1]);
                if tip.dot(n) > rim.dot(n) { tip } else { rim }
            }
            "box" => DVec3::from_slice(d) * n.signum(),
            "cylinder" => radial * d[0] + DVec3::Y * d[1] * n.y.signum(),
            "ellipsoid" => {
                let axes = DVec3::from_slice(d);
                axes * (axes * n).normalize()
            }
            _ => DVec3::ZERO,
        }
    }

    /// A point of the surface, by bisection between a point inside and one outside.
    fn surface_point(&self, random: &mut SplitMix) -> DVec3 {
        let mut anywhere = |is_inside: bool| {
            loop {
                let p = laws::vector(random) * 1.2 * self.size;
                if (self.excess(p) < 0.0) == is_inside {
                    return p;
                }
            }
        };
        let (mut inside, mut outside) = (anywhere(true), anywhere(false));
        for _ in 0..60 {
            let middle = inside.midpoint(outside);
            *(if self.excess(middle) < 0.0 { &mut inside } else { &mut outside }) = middle;
        }
        inside
    }

    fn crossings(&self, from: DVec3, to: DVec3) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        self.solid.crossings(from, to, &mut crossings);
        crossings
    }
}

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

#[test]
fn boxes_and_segments_agree_with_the_implicit_function() {
    for scale in [1e-6, 1.0, 1e6] {
        for (case, instance) in instances(scale).enumerate() {
            for seed in [1, 2] {
                let inside = |p| Some(instance.excess(p)).filter(|x| x.abs() > 1e-9).map(|x| x < 0.0);
                laws::check(&*instance.solid, DVec3::ZERO, instance.size, 1200, seed + 10 * case as u64, inside);
            }
        }
    }
}

#[test]
fn samples_are_dense_and_on_the_surface() {
    for (scale, share) in [(1e-6, 0.3), (1.0, 0.11), (1e6, 0.5)] {
        for instance in instances(scale) {
            let mut samples = Vec::new();
            instance.solid.samples(share * instance.size, &mut samples);
            if instance.name == "half-space" {
                assert!(samples.is_empty());
                continue;
            }
            assert!(samples.iter().all(|&p| instance.excess(p).abs() < 1e-12), "{:?}", instance.solid);
            let mut random = SplitMix::new(3);
            let surface = (0..300).map(|_| instance.surface_point(&mut random));
            laws::check_samples(&*instance.solid, share * instance.size, surface);
            let count = samples.len();
            for bad in [0.0, -1.0, f64::NAN] {
                instance.solid.samples(bad, &mut samples);
            }
            assert_eq!(samples.len(), count);
        }
    }
}

#[test]
fn the_nearest_point_is_on_the_surface_and_none_is_nearer() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale) {
            let size = instance.size;
            let mut random = SplitMix::new(4);
            let surface: Vec<DVec3> = (0..300).map(|_| instance.surface_point(&mut random)).collect();
            for case in 0..400 {
                let point = laws::vector(&mut random) * if case % 2 == 0 { 1.5 } else { 0.5 } * size;
                let on = instance.solid.nearest(point).unwrap();
                let what = format!("{point} {on:?} {:?}", instance.solid);
                assert!(instance.excess(on.position).abs() < 1e-9, "{what}");
                assert!((on.normal.length() - 1.0).abs() < 1e-12, "{what}");
                let way = point - on.position;
                assert!((way.length() - on.distance.abs()).abs() < 1e-12 * size, "{what}");
                assert!(on.distance.abs() < 1e-9 * size || (on.distance > 0.0) == (instance.excess(point) > 0.0));
                assert!(way.distance(on.normal * on.distance) < 1e-6 * size, "{what}");
                assert!(instance.excess(on.position + on.normal * 1e-6 * size) > 0.0, "{what}");
                assert!(surface.iter().all(|s| s.distance(point) > on.distance.abs() - 1e-9 * size), "{what}");
            }
        }
    }
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

#[test]
fn edges_and_tips_have_no_normal() {
    let cone = primitive_solid("cone", &[1.0, 4.0]).unwrap();
    assert!(cone.nearest(DVec3::Y * 3.0).unwrap_err().why.contains("tip"));
    assert!(cone.nearest(DVec3::new(1.0, -1.0, 0.0)).unwrap_err().why.contains("rim"));
    assert_eq!(cone.nearest(DVec3::Y * 3.5).unwrap().normal, DVec3::Y);
    let mut crossings = Vec::new();
    cone.crossings(DVec3::Y * 5.0, DVec3::ZERO, &mut crossings);
    assert_eq!(crossings, [Crossing { share: 0.4, normal: None, is_entry: true }]);
    let cylinder = primitive_solid("cylinder", &[1.0, 2.0]).unwrap();
    let error = cylinder.nearest(DVec3::new(0.0, -2.0, 1.0)).unwrap_err();
    assert_eq!(error.to_string(), "the surface of the cylinder has no normal at [0, -2, 1]: the point is on an edge");
    let cuboid = primitive_solid("box", &[1.0, 2.0, 3.0]).unwrap();
    assert!(cuboid.nearest(DVec3::new(1.0, 2.0, 0.5)).is_err());
    assert_eq!(cuboid.nearest(DVec3::new(1.0, 1.5, 0.5)).unwrap().normal, DVec3::X);
    for instance in instances(1.0) {
        assert!(instance.solid.nearest(DVec3::new(0.0, f64::NAN, 0.0)).is_err());
        assert!(instance.solid.nearest(DVec3::ZERO).is_ok(), "{:?}", instance.solid);
    }
}

#[test]
fn what_is_not_a_number_is_undecided_and_nowhere() {
    for instance in instances(1.0) {
        let good = OrientedBox { centre: DVec3::Y * 9.0, axes: DMat3::IDENTITY, half: DVec3::ONE };
        assert_eq!(instance.solid.relation(&good), Relation::Outside);
        for bad in [
            OrientedBox { centre: DVec3::NAN, ..good },
            OrientedBox { axes: DMat3::NAN, ..good },
            OrientedBox { half: DVec3::NAN, ..good },
        ] {
            assert_eq!(instance.solid.relation(&bad), Relation::Undecided, "{bad:?} {:?}", instance.solid);
        }
        assert!(!instance.solid.contains(DVec3::NAN));
        assert!(instance.crossings(DVec3::NAN, DVec3::NAN).is_empty());
        assert!(instance.crossings(DVec3::Y, DVec3::Y).is_empty());
    }
}

/// Against sums over a lattice, and over what is drawn.
#[test]
fn masses_are_those_of_sums() {
    for scale in [1e-6, 1.0, 1e6] {
        for instance in instances(scale) {
            let Ok(mass) = instance.solid.mass_properties(3.0) else {
                assert_eq!(instance.name, "half-space");
                continue;
            };
            assert_eq!((mass.volume_error, mass.centre_error, mass.inertia_error), (0.0, 0.0, 0.0));
            let exact = mass.properties;
            let (bounds, count) = (instance.solid.bounds(), 48);
            let cell = (bounds.high - bounds.low) / f64::from(count);
            let (mut volume, mut centre, mut second) = (0.0, DVec3::ZERO, DVec3::ZERO);
            for (i, j, k) in (0..count).flat_map(|i| (0..count).flat_map(move |j| (0..count).map(move |k| (i, j, k)))) {
                let p = bounds.low + cell * (DVec3::from([i, j, k].map(f64::from)) + 0.5);
                if instance.excess(p) < 0.0 {
                    volume += cell.element_product();
                    centre += p * cell.element_product();
                    second += p * p * cell.element_product();
                }
            }
            let inertia = 3.0 * DVec3::new(second.y + second.z, second.z + second.x, second.x + second.y);
            let what = format!("{:?} {volume} {inertia} {exact:?}", instance.solid);
            assert!(
                (exact.volume / volume - 1.0).abs() < 0.02 && (exact.mass / (3.0 * volume) - 1.0).abs() < 0.02,
                "{what}"
            );
            assert!((centre / volume - exact.centre).length() < 0.01 * instance.size, "{what}");
            assert!((exact.inertia.diagonal() / inertia - 1.0).abs().max_element() < 0.03, "{what}");
            assert!(exact.inertia.x_axis.y == 0.0 && exact.inertia.y_axis.z == 0.0 && exact.inertia.z_axis.x == 0.0);
            if scale == 1.0 {
                let Triangles { vertices, triangles } = instance.solid.triangles();
                let surface = Surface::new(vertices, triangles).unwrap();
                let drawn = MassProperties::of_surface(&surface, 3.0).unwrap();
                assert!((drawn.mass / exact.mass - 1.0).abs() < 0.025, "{what} {drawn:?}");
                assert!((drawn.inertia.diagonal() / exact.inertia.diagonal() - 1.0).abs().max_element() < 0.05);
                // Three volumes by the area.
                let area: f64 = surface
                    .triangles()
                    .iter()
                    .map(|t| {
                        let [a, b, c] = t.map(|i| surface.vertices()[i as usize]);
                        0.5 * (b - a).cross(c - a).length()
                    })
                    .sum();
                let share = instance.solid.thickness() * area / (3.0 * drawn.volume);
                assert!((share - 1.0).abs() < 0.03 || instance.name == "ellipsoid", "{share} {what}");
            }
        }
    }
}

#[test]
fn nothing_is_allocated() {
    for instance in instances(1.0) {
        let mut random = SplitMix::new(12);
        let mut crossings = Vec::with_capacity(64);
        let counts = allocation_counter::measure(|| {
            for _ in 0..200 {
                crossings.clear();
                let turned = laws::turned_box(&mut random, DVec3::ZERO, instance.size);
                instance.solid.relation(&turned);
                instance.solid.crossings(turned.centre, -turned.centre, &mut crossings);
                instance.solid.contains(turned.centre);
                let _ = instance.solid.nearest(turned.centre);
            }
        });
        assert_eq!(counts.count_total, 0, "{:?}", instance.solid);
    }
}

#[test]
fn dimensions_are_checked_and_read_back() {
    let solids: [(Box<dyn PrimitiveSolid>, &[f64]); 8] = [
        (Box::new(Ball::new(2.0).unwrap()), &[2.0]),
        (Box::new(Capsule::new(2.0, 3.0).unwrap()), &[2.0, 3.0]),
        (Box::new(Cone::new(2.0, 3.0).unwrap()), &[2.0, 3.0]),
        (Box::new(Cuboid::new(DVec3::new(2.0, 3.0, 4.0)).unwrap()), &[2.0, 3.0, 4.0]),
        (Box::new(Cylinder::new(2.0, 3.0).unwrap()), &[2.0, 3.0]),
        (Box::new(Ellipsoid::new(DVec3::new(2.0, 3.0, 4.0)).unwrap()), &[2.0, 3.0, 4.0]),
        (Box::new(HalfSpace), &[]),
        (Box::new(Torus::new(3.0, 2.0).unwrap()), &[3.0, 2.0]),
    ];
    for ((solid, dimensions), kind) in solids.iter().zip(KINDS) {
        assert_eq!((solid.kind(), solid.dimensions()), (kind.name, dimensions.to_vec()));
        let again = primitive_solid(solid.kind(), dimensions).unwrap();
        assert_eq!(format!("{again:?}"), format!("{solid:?}"));
        assert!(again.is_closed());
        for place in 0..dimensions.len() {
            for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                let mut dimensions = dimensions.to_vec();
                dimensions[place] = bad;
                let error = primitive_solid(kind.name, &dimensions).unwrap_err().to_string();
                assert!(error.contains(kind.name) && error.contains("it must be finite and above zero"), "{error}");
            }
        }
    }
    let error = |name: &str, dimensions: &[f64]| primitive_solid(name, dimensions).unwrap_err().to_string();
    assert_eq!(
        error("prism", &[]),
        "no primitive is called \"prism\"; known are: ball, capsule, cone, box, cylinder, ellipsoid, half-space, torus"
    );
    assert_eq!(error("capsule", &[1.0]), "a capsule has 2 dimensions (radius, half length along y), not 1");
    assert!(error("torus", &[1.0, 1.5]).starts_with("the major radius less the minor of a torus is -0.5"));
    assert!(error("torus", &[1.0, 1.0]).starts_with("the major radius less the minor of a torus is 0"));
}
