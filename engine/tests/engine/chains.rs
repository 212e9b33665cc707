//! Chains of links, the first one fixed, the last one thrown: no link leaves another at any speed. Links touch at saddles,
//! where a rod crosses another, and each goes through the hole of its neighbours.

use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::{Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Half the width and half the length of a link, and the side of its square rod, m.
const LINK: (f64, f64, f64) = (0.06, 0.1, 0.03);

/// The distance of the middles of neighbours when the chain is taut, m.
const TAUT: f64 = 2.0 * (LINK.1 - LINK.2);

/// A rectangular link in the xy-plane, its long side along y.
fn link() -> Solid {
    let (width, length, side) = LINK;
    let ring = |inset: f64, z: f64| {
        [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
            .map(|(x, y)| DVec3::new(x * (width - inset), y * (length - inset), z))
    };
    let vertices = [ring(0.0, 0.5 * side), ring(0.0, -0.5 * side), ring(side, 0.5 * side), ring(side, -0.5 * side)];
    let quads = (0..4u32).flat_map(|k| {
        let next = (k + 1) % 4;
        let ([o, p, i, q], [on, pn, in_, qn]) = ([k, 4 + k, 8 + k, 12 + k], [next, 4 + next, 8 + next, 12 + next]);
        [[o, on, in_, i], [p, q, qn, pn], [o, p, pn, on], [i, in_, qn, q]]
    });
    let triangles = quads.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new(vertices.concat(), triangles).unwrap();
    Solid::new(&Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap(), 7800.0).unwrap()
}

/// A chain of `links` whose last one is thrown with this velocity, m/s.
fn chain(links: usize, thrown: DVec3) -> World {
    let mut world = World::default();
    world.settings_mut().step.time_step = 1.0 / 60.0;
    let steel = world.materials_mut().add("steel").unwrap();
    world.materials_mut().set(steel, steel, Interaction::dry(Friction::sliding(0.3))).unwrap();
    let link = link();
    for k in 0..links {
        let turned = DQuat::from_rotation_y(if k.is_multiple_of(2) { 0.0 } else { FRAC_PI_2 });
        let pose = Pose::from_parts(DVec3::NEG_Y * (0.12 * k as f64), turned);
        let new = if k == 0 { link.fixed(steel, pose) } else { link.dynamic(steel, pose) };
        let handle = world.add(new.unwrap()).unwrap();
        if k + 1 == links {
            world.body_mut(handle).unwrap().velocity = thrown;
        }
    }
    world
}

#[test]
fn no_link_leaves_a_chain() {
    let side = DVec3::new(0.6, -0.8, 0.0);
    for links in [2, 4] {
        for thrown in [0.0, 2.0, 10.0, 30.0].map(|speed| side * speed) {
            let mut world = chain(links, thrown);
            let mut deepest: f64 = 0.0;
            for _ in 0..120 {
                world.step().unwrap();
                deepest = world.overlaps().unwrap().iter().map(|overlap| overlap.depth).fold(deepest, f64::max);
            }
            let apart = world.bodies().windows(2).map(|pair| pair[0].position.distance(pair[1].position));
            let farthest = apart.fold(0.0, f64::max);
            // A link turned about x or z reaches a little farther, by its diagonal.
            assert!(farthest < 1.1 * TAUT, "{links} links, {thrown} m/s: {farthest} m of {TAUT} m apart");
            assert!(deepest < 0.1 * LINK.2, "{links} links, {thrown} m/s: {deepest} m deep");
        }
    }
}
