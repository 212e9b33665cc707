//! What the experiments stand on.

use drystone_contact::shape::{HeightField, MeshSides, Shape, TriangleMesh};
use drystone_engine::{BodyHandle, Friction, Interaction, MaterialId, NewBody, Pose, World};
use glam::DVec3;

/// A world of one material without damping.
pub fn world(friction: f64, time_step: f64) -> (World, MaterialId) {
    let mut world = World::default();
    world.settings_mut().step.time_step = time_step;
    world.settings_mut().step.forces.linear_damping = 0.0;
    world.settings_mut().step.forces.angular_damping = 0.0;
    let stuff = world.materials_mut().add("stuff").unwrap();
    let interaction = Interaction { friction: Friction::sliding(friction), restitution: 0.0 };
    world.materials_mut().set(stuff, stuff, interaction).unwrap();
    (world, stuff)
}

/// A height field.
pub fn field(rows: usize, columns: usize, spacing: f64, height: impl Fn(f64, f64) -> f64) -> HeightField {
    HeightField::from_fn(rows, columns, [spacing; 2], height).unwrap()
}

/// The same surface as triangles.
pub fn mesh(field: &HeightField, sides: MeshSides) -> TriangleMesh {
    let drawn = Shape::from(field.clone()).triangles();
    TriangleMesh::new(&drawn.vertices, &drawn.triangles, sides).unwrap()
}

/// The two kinds of one surface.
pub fn both(field: &HeightField) -> [Shape; 3] {
    let [front, both] = [MeshSides::Front, MeshSides::Both].map(|sides| mesh(field, sides).into());
    [field.clone().into(), front, both]
}

pub fn add_fixed(world: &mut World, shape: Shape, stuff: MaterialId) -> BodyHandle {
    world.add(NewBody::fixed(shape, stuff, Pose::IDENTITY).unwrap()).unwrap()
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// The points of a body that are looked at: its vertices, or points of its surface.
pub fn points(world: &World, body: BodyHandle) -> Vec<DVec3> {
    let pose = world.body(body).unwrap().pose();
    world.shape(body).unwrap().triangles().vertices.iter().map(|&v| pose.transform_point(v)).collect()
}

/// How deep the deepest point of a body is below a field, m; none for a body beside it.
pub fn depth_below(world: &World, body: BodyHandle, field: &HeightField) -> f64 {
    let below = |p: DVec3| field.height(p.x, p.z).map_or(0.0, |height| height - p.y);
    points(world, body).into_iter().map(below).fold(0.0, f64::max)
}
