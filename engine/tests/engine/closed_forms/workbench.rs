//! What the experiments stand on: a world of one material, slabs and boxes.

use drystone_contact::generator::{Method, methods};
use drystone_engine::{BodyHandle, Friction, Interaction, MaterialId, Pose, Solid, World, WorldSettings};
use glam::{DQuat, DVec3};

/// Acceleration of free fall, m/s².
pub const G: f64 = 9.82;

/// A world and its material.
pub struct Workbench {
    pub world: World,
    pub stone: MaterialId,
}

/// A pose without rotation.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

impl Workbench {
    /// An empty world whose material has the given friction with itself, the same in all directions of sliding and none
    /// against drilling.
    pub fn new(settings: WorldSettings, friction: f64, restitution: f64) -> Self {
        Self::with_friction(settings, Friction::sliding(friction), restitution)
    }

    pub fn with_friction(settings: WorldSettings, friction: Friction, restitution: f64) -> Self {
        Self::by(methods::semi_local(), settings, friction, restitution)
    }

    pub fn by(method: Method, settings: WorldSettings, friction: Friction, restitution: f64) -> Self {
        let mut world = World::new(settings, method);
        let stone = world.materials_mut().add("stone").unwrap();
        world.materials_mut().set(stone, stone, Interaction { friction, restitution }).unwrap();
        Self { world, stone }
    }

    /// Another material, with the given friction against the first.
    pub fn material(&mut self, name: &str, friction: f64) -> MaterialId {
        let new = self.world.materials_mut().add(name).unwrap();
        let friction = Friction::sliding(friction);
        self.world.materials_mut().set(new, self.stone, Interaction::dry(friction)).unwrap();
        new
    }

    /// A fixed slab whose upper face has its middle at the origin and is turned by `turn` from the horizontal.
    pub fn slab(&mut self, sides: DVec3, turn: DQuat) -> BodyHandle {
        let solid = Solid::cuboid(sides, 1000.0).unwrap();
        let pose = Pose::from_parts(turn * (DVec3::NEG_Y * 0.5 * sides.y), turn);
        self.world.add(solid.fixed(self.stone, pose).unwrap()).unwrap()
    }

    /// Level ground of 20 m × 20 m, its top at y = 0.
    pub fn ground(&mut self) -> BodyHandle {
        self.slab(DVec3::new(20.0, 1.0, 20.0), DQuat::IDENTITY)
    }

    /// A box of stone of 1000 kg/m³ that moves.
    pub fn cuboid(&mut self, sides: DVec3, pose: Pose) -> BodyHandle {
        self.cuboid_of(sides, pose, self.stone)
    }

    pub fn cuboid_of(&mut self, sides: DVec3, pose: Pose, material: MaterialId) -> BodyHandle {
        let solid = Solid::cuboid(sides, 1000.0).unwrap();
        self.world.add(solid.dynamic(material, pose).unwrap()).unwrap()
    }

    pub fn position(&self, body: BodyHandle) -> DVec3 {
        self.world.body(body).unwrap().position
    }

    pub fn velocity(&self, body: BodyHandle) -> DVec3 {
        self.world.body(body).unwrap().velocity
    }

    pub fn spin(&self, body: BodyHandle) -> DVec3 {
        self.world.body(body).unwrap().angular_velocity
    }

    /// Makes steps.
    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.world.step().unwrap();
        }
    }
}

/// What a box weighs, N.
pub fn weight(sides: DVec3) -> f64 {
    1000.0 * sides.element_product() * G
}
