//! A cone rolls on a block by contact sets: every rim vertex comes in after its neighbour, deeper than it or not.

use std::f64::consts::PI;

use drystone_contact::generator::methods;
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::{Friction, Interaction, Pose, Solid, World, WorldSettings};
use glam::{DQuat, DVec3};

/// A cone (a pyramid over a regular polygon), its tip in the origin and its axis along +x, m.
fn cone(corners: u32, radius: f64, height: f64) -> Solid {
    let angle = |k: u32| 2.0 * PI * f64::from(k) / f64::from(corners);
    let rim = (0..corners).map(|k| DVec3::new(height, radius * libm::cos(angle(k)), radius * libm::sin(angle(k))));
    let vertices = std::iter::once(DVec3::ZERO).chain(rim).collect();
    let side = (1..=corners).map(|k| [0, k % corners + 1, k]);
    let base = (2..corners).map(|k| [1, k, k + 1]);
    let surface = Surface::new(vertices, side.chain(base).collect()).unwrap();
    Solid::new(&Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap(), 1000.0).unwrap()
}

/// A cone that lies on its side rolls about its tip. Its lowest vertex, whatever the contacts say, stays within 1 % of
/// its width of the block's top; the position correction leaves half a millimetre of this alone.
#[test]
fn a_rolling_cone_stays_on_the_ground() {
    const TOP: f64 = 0.025;
    let (radius, height) = (0.05, 0.1);
    for (corners, spin) in [(256, 10.0), (256, 20.0), (200, 20.0), (128, 30.0)] {
        let mut world = World::new(WorldSettings::gauss_seidel(), methods::vclip());
        let stone = world.materials_mut().add("stone").unwrap();
        let interaction = Interaction { friction: Friction::sliding(0.5), restitution: 0.0 };
        world.materials_mut().set(stone, stone, interaction).unwrap();
        let ground = Solid::cuboid(DVec3::new(0.8, 2.0 * TOP, 0.8), 1000.0).unwrap();
        world.add(ground.fixed(stone, Pose::IDENTITY).unwrap()).unwrap();
        let slope = DQuat::from_rotation_z(libm::atan2(radius, height));
        let pose = Pose { rotation: slope, translation: DVec3::Y * (TOP + 1e-4) };
        let mut new = cone(corners, radius, height).dynamic(stone, pose).unwrap();
        // About the line on which it lies, so that the tip stays.
        new.body.angular_velocity = DVec3::X * spin;
        new.body.velocity = new.body.angular_velocity.cross(new.body.position - DVec3::Y * TOP);
        let vertices = new.shape.surface().unwrap().vertices().to_vec();
        let cone = world.add(new).unwrap();
        for step in 1..=500 {
            world.step().unwrap();
            let body = world.body(cone).unwrap();
            let heights = vertices.iter().map(|&v| (body.position + body.orientation * v).y - TOP);
            let lowest = heights.fold(f64::INFINITY, f64::min);
            assert!(lowest > -0.01 * 2.0 * radius, "{corners} corners at {spin} rad/s, step {step}: {lowest}");
        }
    }
}
