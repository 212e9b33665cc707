//! Shapes at places where rounding leaves little or nothing of them: contacts are sound, or an error says what is too far away.

use drystone_contact::generator::{Generator, GeneratorError, Placed, methods};
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::{Pose, Twist};
use glam::{DQuat, DVec3};

use crate::semi_local::random::Random;

fn cuboid(half: DVec3) -> Shape {
    let corner = |i: u32| half * (2.0 * DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - 1.0);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new((0..8).map(corner).collect(), triangles).unwrap();
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap()
}

#[test]
fn contacts_far_away_are_sound_or_refused() {
    let shapes = [cuboid(DVec3::splat(0.5)), cuboid(DVec3::new(0.4, 0.05, 0.5)), cuboid(DVec3::new(3e-3, 2e-3, 1e-3))];
    let random = &mut Random::new(7);
    let mut contacts_at = [0; 2];
    for method in methods::all() {
        let (name, generator) = (method.name(), method.generator());
        let is_local = methods::local().iter().any(|local| local.name() == name);
        for far in [0.0, 1e3, 1e6, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e18, 1e100, 1e300] {
            let served = || shapes.iter().filter(|shape| generator.prepare(shape).is_ok());
            for (a, b) in served().flat_map(|a| served().map(move |b| (a, b))) {
                let place = DVec3::new(0.6, 0.3, 0.7) * far;
                let near = random.direction() * (0.8 * (a.thickness() + b.thickness()) * random.share());
                let at = |shape, pose| Placed { shape, pose, twist: Twist::default() };
                let turned = Pose::from_parts(place + near, random.rotation());
                match generator.contacts(&at(a, Pose::from_parts(place, DQuat::IDENTITY)), &at(b, turned)) {
                    Ok(contacts) => {
                        for c in &contacts {
                            assert!(c.position.is_finite() && c.gap.is_finite(), "{name} at {far:e} m: {c:?}");
                            assert!((c.normal.length() - 1.0).abs() < 1e-6, "{name} at {far:e} m: {c:?}");
                        }
                        contacts_at[usize::from(far >= 1e9)] += contacts.len();
                        assert!(far < 1e14 || !is_local, "{name} at {far:e} m is answered: {contacts:?}");
                    }
                    Err(GeneratorError::TooFar { distance, limit, .. }) => {
                        assert!(distance > limit && far >= 1e9, "{name} at {far:e} m: {distance:e} and {limit:e}");
                    }
                    Err(other) => panic!("{name} at {far:e} m: {other}"),
                }
            }
        }
    }
    assert!(contacts_at.iter().all(|&count| count > 1000), "{contacts_at:?}");
}
