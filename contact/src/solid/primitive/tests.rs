//! Solids in closed form against implicit functions, support functions and sums over their insides.

use glam::{DMat3, DVec2};

use super::*;
use crate::shape::{Surface, Triangles};
use crate::solid::{Crossing, laws};
use crate::split_mix::SplitMix;

mod boxes;
mod crossings;

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
