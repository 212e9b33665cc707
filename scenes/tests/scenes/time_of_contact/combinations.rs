//! Combinations that are no primitive, within each other and turned.

use drystone_contact::Pose;
use drystone_contact::solid::{Description, Part};
use drystone_contact::split_mix::SplitMix;
use drystone_scenes::toc::region::Region;
use glam::{DQuat, DVec3};

use super::otherwise::primitive;
use super::window::{AT_EDGES, Subject, check};
use crate::cases;

/// Queries of each combination in the whole tier.
const QUERIES: u32 = 400;

/// A solid by inequalities as data.
fn described(region: &Region) -> Description {
    let part = |(region, pose): &(Region, Pose)| Part {
        solid: described(region),
        position: pose.translation.to_array(),
        rotation: pose.rotation.to_array(),
    };
    let parts = |list: &[(Region, Pose)]| list.iter().map(part).collect();
    match region {
        Region::HalfSpace => primitive("half-space", &[]),
        Region::Ball { radius } => primitive("ball", &[*radius]),
        Region::Cuboid { half } => primitive("box", &half.to_array()),
        Region::Cylinder { radius, half_height } => primitive("cylinder", &[*radius, *half_height]),
        Region::Cone { radius, height } => primitive("cone", &[*radius, *height]),
        Region::Torus { major, minor } => primitive("torus", &[*major, *minor]),
        Region::Intersection(list) => Description::Intersection(parts(list)),
        Region::Union(list) => Description::Union(parts(list)),
        Region::Difference(both) => Description::Difference(parts(&**both)),
    }
}

fn here(region: Region) -> (Region, Pose) {
    (region, Pose::IDENTITY)
}

fn at(region: Region, x: f64, y: f64, z: f64) -> (Region, Pose) {
    (region, Pose::from_translation(DVec3::new(x, y, z)))
}

fn turned(region: Region, at: DVec3, random: &mut SplitMix) -> (Region, Pose) {
    (region, Pose::from_parts(at, random.next_rotation()))
}

fn difference(first: (Region, Pose), second: (Region, Pose)) -> Region {
    Region::Difference(Box::new([first, second]))
}

/// The combinations, about a metre large.
fn combinations() -> Vec<(&'static str, Region)> {
    let random = &mut SplitMix::new(6);
    let cuboid = || Region::Cuboid { half: DVec3::new(1.0, 0.5, 0.75) };
    let ball = |radius: f64| Region::Ball { radius };
    let cylinder = || Region::Cylinder { radius: 0.25, half_height: 1.0 };
    let slab = |up: DVec3| {
        let rotation = DQuat::from_rotation_arc(DVec3::Y, up.normalize());
        (Region::HalfSpace, Pose::from_parts(DVec3::new(0.0, 0.25, 0.0), rotation))
    };
    vec![
        ("box without a ball in its side", difference(here(cuboid()), at(ball(0.5), 0.25, 0.5, 0.0))),
        ("box without a ball at its corner", difference(here(cuboid()), at(ball(0.6), 1.0, 0.5, 0.75))),
        (
            "cylinder and ball",
            Region::Union(vec![turned(cylinder(), DVec3::ZERO, random), at(ball(0.5), 0.5, 0.25, 0.0)]),
        ),
        ("part of a ball", Region::Intersection(vec![here(ball(1.0)), slab(DVec3::new(0.2, 1.0, -0.4))])),
        (
            "three planes of a ball",
            Region::Intersection(vec![
                here(ball(1.0)),
                slab(DVec3::Y),
                slab(DVec3::new(1.0, 0.1, 0.3)),
                slab(DVec3::NEG_Z),
            ]),
        ),
        (
            "box with a hole, and a ring",
            Region::Union(vec![
                turned(
                    difference(here(cuboid()), turned(cylinder(), DVec3::ZERO, random)),
                    DVec3::new(0.1, 0.0, -0.2),
                    random,
                ),
                turned(Region::Torus { major: 0.75, minor: 0.125 }, DVec3::new(-0.3, 0.2, 0.3), random),
            ]),
        ),
        (
            "cone in a tilted box",
            Region::Intersection(vec![
                here(Region::Cone { radius: 0.9, height: 1.6 }),
                turned(cuboid(), DVec3::ZERO, random),
            ]),
        ),
        (
            "ring without a box",
            difference(
                here(Region::Torus { major: 0.75, minor: 0.25 }),
                turned(cuboid(), DVec3::new(1.0, 0.0, 0.0), random),
            ),
        ),
    ]
}

#[test]
fn combinations_are_touched_as_certified() {
    for (seed, (name, region)) in (41..).zip(combinations()) {
        let solid = described(&region).build().unwrap_or_else(|error| panic!("{name}: {error}"));
        let ways = vec![("a combination", solid)];
        check(&Subject { name: name.into(), region, size: 1.0, ways }, cases(QUERIES), seed, AT_EDGES);
    }
}
