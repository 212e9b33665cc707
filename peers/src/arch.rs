//! An arch of wedges: half a ring of 10 m that stands on the ground.

use anyhow::Result;
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::{ExternalForces, Friction, Interaction, MaterialTable, Pose};
use drystone_scenes::scene::{Placement, Scene, SceneBody};
use drystone_scenes::solids::cuboid;
use drystone_scenes::truth::Truth;
use glam::{DQuat, DVec3};

use super::solids::Form;

/// Radii of the ring and half its depth, m.
const INNER: f64 = 9.0;
const OUTER: f64 = 11.0;
const DEPTH: f64 = 2.0;
/// kg/m³.
const DENSITY: f64 = 2000.0;

/// An arch of this many stones.
///
/// # Errors
/// None that a number above one leads to.
pub fn arch(stones: u32) -> Result<Scene> {
    let mut materials = MaterialTable::new();
    let stone = materials.add("stone")?;
    materials.set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    let angle = std::f64::consts::PI / f64::from(stones);
    let settings = TetrahedralizationSettings::default();
    let placement = |pose: Pose, is_fixed: bool| Placement {
        pose,
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        density: DENSITY,
        is_fixed,
        material: stone,
    };
    let ground = cuboid(DVec3::new(-20.0, -2.0, -10.0), DVec3::new(20.0, 0.0, 10.0))?;
    let ground = Shape::from_surface(&ground, &settings)?;
    let mut bodies = vec![SceneBody::from_shape("ground", &ground, &placement(Pose::IDENTITY, true))?];
    let quads = [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let wedge = Shape::from_surface(&Surface::new(corners(angle), triangles)?, &settings)?;
    for k in 0..stones {
        let turn = DQuat::from_rotation_z((f64::from(k) + 0.5) * angle);
        let place = placement(Pose::from_parts(DVec3::ZERO, turn), false);
        bodies.push(SceneBody::from_shape(format!("stone {}", k + 1), &wedge, &place)?);
    }
    Ok(Scene {
        name: "arch".into(),
        title: "an arch of wedges".into(),
        bodies,
        joints: Vec::new(),
        excluded: Vec::new(),
        materials,
        forces: ExternalForces { linear_damping: 0.0, angular_damping: 0.0, ..ExternalForces::default() },
        friction: drystone_engine::solver::FrictionModel::Ball,
        solver: drystone_engine::solver::ContactSolver::default(),
        time_step: 0.01,
        scored_step: 1,
        truth: Truth::default(),
        published_truth: None,
        is_as_published: false,
    })
}

/// The corners of a stone as a solid of its own; none of the ground.
pub fn wedges(body: &SceneBody) -> Option<Form> {
    let surface = body.shape.surface().filter(|_| body.name.starts_with("stone"))?;
    Some(Form::Hull(surface.vertices().to_vec()))
}

/// Of a stone around the x axis: the lower side in y, then the upper one.
fn corners(angle: f64) -> Vec<DVec3> {
    let corner = |radius: f64, side: f64, z: f64| {
        DVec3::new(radius * libm::cos(0.5 * angle), side * radius * libm::sin(0.5 * angle), z)
    };
    let side = |side: f64| {
        [(INNER, -DEPTH), (OUTER, -DEPTH), (OUTER, DEPTH), (INNER, DEPTH)].map(|(radius, z)| corner(radius, side, z))
    };
    [side(-1.0), side(1.0)].concat()
}
