//! A pile of boxes between four walls: layers of cubes, each cube turned a little about the vertical, a little above the
//! layer below, so that they fall together within a second. And the same of jacks, three bars across each other.

use std::sync::Arc;

use anyhow::Result;
use drystone_contact::shape::{Compound, CompoundPart, Shape, TetrahedralizationSettings};
use drystone_engine::{Body, ExternalForces, Friction, Interaction, MaterialId, MaterialTable, Pose};
use drystone_scenes::cells::jack;
use drystone_scenes::scene::{Placement, Scene, SceneBody};
use drystone_scenes::solids::cuboid;
use drystone_scenes::truth::Truth;
use glam::{DQuat, DVec3};

use super::solids::Form;

/// Distance between the centres of cubes of one metre in a layer, m.
const PITCH: f64 = 1.25;
/// Between two layers, m.
const GAP: f64 = 0.05;
/// What jacks are called.
const JACK: &str = "jack";
/// The width of their bars, m.
const WIDTH: f64 = 0.2;
/// kg/m³.
const DENSITY: f64 = 2000.0;

/// A pile of this many cubes of one metre.
///
/// # Errors
/// None that a number of boxes above zero leads to.
pub fn pile(boxes: u32) -> Result<Scene> {
    let cube =
        Shape::from_surface(&cuboid(DVec3::splat(-0.5), DVec3::splat(0.5))?, &TetrahedralizationSettings::default())?;
    heap(boxes, "cube", &cube)
}

/// A heap of this many jacks of one metre; their bars are a fifth as wide.
///
/// # Errors
/// None that a number above zero leads to.
pub fn jacks(count: u32) -> Result<Scene> {
    heap(count, JACK, &jack(1.0, WIDTH)?)
}

/// The same heap with each jack as a compound of its three bars; `None` of a scene without jacks.
///
/// # Errors
/// None that a scene with jacks leads to.
pub fn as_compounds(scene: &Scene) -> Result<Option<Scene>> {
    let bar = |&(centre, half): &(DVec3, DVec3)| -> Result<CompoundPart> {
        let shape = Shape::from_surface(&cuboid(-half, half)?, &TetrahedralizationSettings::default())?;
        Ok(CompoundPart { shape: Arc::new(shape), pose: Pose::from_translation(centre) })
    };
    let Some(Form::Boxes(boxes)) = scene.bodies.iter().find_map(bars) else { return Ok(None) };
    let compound = Compound::new(boxes.iter().map(bar).collect::<Result<Vec<_>>>()?)?;
    let (mut scene, compound) = (scene.clone(), Arc::new(Shape::from(compound)));
    for body in scene.bodies.iter_mut().filter(|body| bars(body).is_some()) {
        body.shape = Arc::clone(&compound);
    }
    Ok(Some(scene))
}

/// The boxes that a jack of a heap is made of; none of other bodies.
pub fn bars(body: &SceneBody) -> Option<Form> {
    let bar = |axis: usize| {
        let mut half = DVec3::splat(WIDTH / 2.0);
        half[axis] = 0.5;
        (DVec3::ZERO, half)
    };
    body.name.starts_with(JACK).then(|| Form::Boxes((0..3).map(bar).collect()))
}

fn heap(boxes: u32, name: &str, shape: &Shape) -> Result<Scene> {
    let mut materials = MaterialTable::new();
    let stone = materials.add("stone")?;
    materials.set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    let side = (1..).find(|&n: &u32| u64::from(n).pow(3) >= u64::from(boxes)).unwrap_or(1);
    let half = PITCH * f64::from(side) / 2.0;
    let height = 2.0 * half;
    let slab = |name: &str, size: DVec3, centre: DVec3| solid(name, size, centre, true, stone);
    let mut bodies = vec![slab("floor", DVec3::new(2.0 * half + 2.0, 1.0, 2.0 * half + 2.0), DVec3::NEG_Y * 0.5)?];
    for (name, direction) in
        [("wall −x", DVec3::NEG_X), ("wall +x", DVec3::X), ("wall −z", DVec3::NEG_Z), ("wall +z", DVec3::Z)]
    {
        let size = DVec3::new(2.0 * half + 2.0, height, 2.0 * half + 2.0);
        let size = DVec3::select(direction.abs().cmpgt(DVec3::ZERO), DVec3::ONE, size);
        bodies.push(slab(name, size, direction * (half + 0.5) + DVec3::Y * height / 2.0)?);
    }
    let first = SceneBody::from_shape(name, shape, &placement(DVec3::ZERO, false, stone))?;
    for k in 0..boxes {
        let (column, row, layer) = (k % side, k / side % side, k / (side * side));
        // Golden-ratio steps spread the angles evenly without repeating a layer.
        let turn = (f64::from(k) * 0.618_033_988_749_894_9).fract() - 0.5;
        let shift = 0.1 * f64::from(layer % 3) - 0.1;
        let centre = DVec3::new(
            PITCH * (f64::from(column) + 0.5) - half + shift * 0.5,
            0.5 + GAP + (1.0 + GAP) * f64::from(layer),
            PITCH * (f64::from(row) + 0.5) - half - shift * 0.5,
        );
        let angle = 0.3 * turn;
        let orientation = DQuat::from_xyzw(0.0, libm::sin(angle / 2.0), 0.0, libm::cos(angle / 2.0));
        let body = Body::dynamic(first.body.mass(), first.body.inertia(), stone)?.at(centre, orientation)?;
        bodies.push(SceneBody { name: format!("{name} {}", k + 1), body, ..first.clone() });
    }
    Ok(Scene {
        name: "pile".into(),
        title: format!("{name}s that fall into a heap"),
        bodies,
        joints: Vec::new(),
        excluded: Vec::new(),
        materials,
        forces: ExternalForces::default(),
        friction: drystone_engine::solver::FrictionModel::Ball,
        solver: drystone_engine::solver::ContactSolver::default(),
        time_step: 0.01,
        scored_step: 1,
        truth: Truth::default(),
        published_truth: None,
        is_as_published: false,
    })
}

fn solid(name: &str, size: DVec3, centre: DVec3, is_fixed: bool, material: MaterialId) -> Result<SceneBody> {
    let shape = Shape::from_surface(&cuboid(-size / 2.0, size / 2.0)?, &TetrahedralizationSettings::default())?;
    Ok(SceneBody::from_shape(name, &shape, &placement(centre, is_fixed, material))?)
}

fn placement(centre: DVec3, is_fixed: bool, material: MaterialId) -> Placement {
    Placement {
        pose: Pose::from_translation(centre),
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        density: DENSITY,
        is_fixed,
        material,
    }
}
