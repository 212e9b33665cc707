//! A world with half a ring of wedges that stand on the ground.

use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::solver::ContactSolver;
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3};

type Failure = Box<dyn std::error::Error>;

/// Density of the stones, kg/m³.
const DENSITY: f64 = 2000.0;

/// `count` equal wedges between radius 9 m and 11 m, 4 m deep, over half a circle, `gap` (m) apart in the middle; and the stones of it.
pub fn arch(count: usize, gap: f64, solver: ContactSolver) -> Result<(World, Vec<BodyHandle>), Failure> {
    let mut world = World::default();
    world.settings_mut().step.contact_solver = solver;
    let stone = world.materials_mut().add("stone")?;
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    world
        .add(Solid::cuboid(DVec3::new(40.0, 2.0, 20.0), 1000.0)?.fixed(stone, Pose::from_translation(DVec3::NEG_Y))?)?;
    let angle = std::f64::consts::PI / count as f64;
    let shape = wedge(angle - gap / 10.0)?;
    let wedge = Solid::new(&shape, DENSITY)?;
    let turned = |k: usize| Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_z((k as f64 + 0.5) * angle));
    let handles =
        (0..count).map(|k| Ok(world.add(wedge.dynamic(stone, turned(k))?)?)).collect::<Result<_, Failure>>()?;
    Ok((world, handles))
}

/// A stone around the x axis, as wide as an angle.
fn wedge(angle: f64) -> Result<Shape, Failure> {
    let corner = |radius: f64, side: f64, z: f64| {
        DVec3::new(radius * libm::cos(0.5 * angle), side * radius * libm::sin(0.5 * angle), z)
    };
    // The lower side in y, then the upper one; each counter-clockwise seen from outside of it.
    let lower = [corner(9.0, -1.0, -2.0), corner(11.0, -1.0, -2.0), corner(11.0, -1.0, 2.0), corner(9.0, -1.0, 2.0)];
    let upper = lower.map(|p| DVec3::new(p.x, -p.y, p.z));
    let quads = [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new([lower, upper].concat(), triangles)?;
    Ok(Shape::from_surface(&surface, &TetrahedralizationSettings::default())?)
}
