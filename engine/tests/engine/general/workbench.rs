//! What the experiments stand on: solids of any representation in a world of one material.

use std::sync::Arc;

use drystone_contact::generator::{Method, methods};
use drystone_contact::shape::{HalfSpace, Shape};
use drystone_contact::solid::{Description, Part};
use drystone_engine::{
    Body, BodyHandle, Energy, Friction, Interaction, MaterialId, NewBody, Pose, Solid, World, WorldSettings,
};
use glam::{DQuat, DVec3};

/// Acceleration of free fall, m/s².
pub const G: f64 = 9.82;

/// Both methods that know general solids.
pub fn both() -> [Method; 2] {
    [methods::semi_local(), methods::time_of_contact()]
}

/// A world and its material.
pub struct Bench {
    pub world: World,
    stone: MaterialId,
}

/// One velocity solve a step, for its middle, with a time step (s).
pub fn at_once(time_step: f64) -> WorldSettings {
    let mut settings = WorldSettings::gauss_seidel();
    settings.step.time_step = time_step;
    settings.velocity_tolerance = 1e-12;
    settings
}

impl Bench {
    /// An empty world.
    pub fn new(method: &Method, settings: WorldSettings, friction: f64, restitution: f64) -> Self {
        let mut world = World::new(settings, method.clone());
        let stone = world.materials_mut().add("stone").unwrap();
        let friction = Friction::sliding(friction);
        world.materials_mut().set(stone, stone, Interaction { friction, restitution }).unwrap();
        Self { world, stone }
    }

    /// A body that stays.
    pub fn fixed(&mut self, shape: Shape, rotation: DQuat) -> BodyHandle {
        let body = Body::fixed(self.stone).at(DVec3::ZERO, rotation).unwrap();
        self.world.add(NewBody::new(body, Arc::new(shape))).unwrap()
    }

    /// A half-space below a plane through the origin, its normal turned by a rotation from +y.
    pub fn plane(&mut self, rotation: DQuat) -> BodyHandle {
        self.fixed(HalfSpace.into(), rotation)
    }

    /// A body of 1000 kg/m³ that moves: its pose, velocity (m/s) and angular velocity (rad/s).
    pub fn moving(&mut self, shape: &Shape, pose: Pose, [velocity, spin]: [DVec3; 2]) -> BodyHandle {
        let mut new = Solid::new(shape, 1000.0).unwrap().dynamic(self.stone, pose).unwrap();
        (new.body.velocity, new.body.angular_velocity) = (velocity, spin);
        self.world.add(new).unwrap()
    }

    pub fn body(&self, body: BodyHandle) -> &Body {
        self.world.body(body).unwrap()
    }

    /// Of all bodies, J.
    pub fn energy(&self) -> f64 {
        Energy::of(self.world.bodies(), &self.world.settings().step.forces).total()
    }
}

/// A solid as a shape that is no primitive, so that all its contacts are those of general solids.
pub fn general(solid: &Description) -> Shape {
    solid.build().unwrap().into()
}

/// A closed form.
pub fn primitive(kind: &str, dimensions: &[f64]) -> Description {
    Description::Primitive { kind: kind.into(), dimensions: dimensions.to_vec() }
}

/// A part at a place (m), turned by an angle (rad) about a unit axis.
pub fn part(solid: Description, position: [f64; 3], axis: DVec3, angle: f64) -> Part {
    Part { solid, position, rotation: turned(axis, angle).to_array() }
}

/// A part at a place (m).
pub fn at(solid: Description, position: [f64; 3]) -> Part {
    part(solid, position, DVec3::X, 0.0)
}

/// The rotation by an angle (rad) about a unit axis, the same bits on every machine.
pub fn turned(axis: DVec3, angle: f64) -> DQuat {
    let [x, y, z] = (axis * libm::sin(0.5 * angle)).to_array();
    DQuat::from_xyzw(x, y, z, libm::cos(0.5 * angle))
}
