//! A shooting range: thin walls, and bodies to throw at them.

use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::material::{Friction, Interaction, MaterialId};
use drystone_engine::{BodyHandle, CcdSettings, ExternalForces, Pose, Solid, World, WorldReport, WorldSettings};
use glam::{DQuat, DVec3};

/// How thick walls are, m.
pub const THICKNESS: f64 = 1e-3;

/// What is thrown.
#[derive(Clone, Copy, Debug)]
pub enum Missile {
    /// A cube of 0.2 m.
    Cube,
    /// A rod of 1 m by 2 cm by 2 cm.
    Rod,
    /// An icosahedron of radius 0.1 m.
    Ball,
}

impl Missile {
    pub const ALL: [Self; 3] = [Self::Cube, Self::Rod, Self::Ball];

    pub fn solid(self) -> Solid {
        match self {
            Self::Cube => Solid::cuboid(DVec3::splat(0.2), 1000.0).unwrap(),
            Self::Rod => Solid::cuboid(DVec3::new(0.02, 1.0, 0.02), 1000.0).unwrap(),
            Self::Ball => icosahedron(0.1),
        }
    }
}

fn icosahedron(radius: f64) -> Solid {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut vertices = Vec::new();
    for (y, z) in [(1.0, g), (1.0, -g), (-1.0, g), (-1.0, -g)] {
        vertices.extend([DVec3::new(0.0, y, z), DVec3::new(y, z, 0.0), DVec3::new(z, 0.0, y)]);
    }
    let near = |i: usize, j: usize| (vertices[i].distance(vertices[j]) - 2.0).abs() < 1e-9;
    let mut triangles = Vec::new();
    for (i, j, k) in (0..12).flat_map(|i| (0..12).flat_map(move |j| (0..12).map(move |k| (i, j, k)))) {
        let outward = (vertices[j] - vertices[i]).cross(vertices[k] - vertices[i]).dot(vertices[i]) > 0.0;
        if i < j && i < k && near(i, j) && near(j, k) && near(k, i) && outward {
            triangles.push([i as u32, j as u32, k as u32]);
        }
    }
    let scale = radius / vertices[0].length();
    let surface = Surface::new(vertices.into_iter().map(|v| v * scale).collect(), triangles).unwrap();
    Solid::new(&Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap(), 1000.0).unwrap()
}

/// A world without forces.
pub struct Range {
    pub world: World,
    pub stone: MaterialId,
}

impl Range {
    pub fn new(ccd: Option<CcdSettings>, restitution: f64) -> Self {
        let mut settings = WorldSettings { ccd, ..WorldSettings::default() };
        settings.step.forces = ExternalForces::NONE;
        let mut world = World::default();
        *world.settings_mut() = settings;
        let stone = world.materials_mut().add("stone").unwrap();
        let interaction = Interaction { friction: Friction::isotropic(0.4), restitution };
        world.materials_mut().set(stone, stone, interaction).unwrap();
        Self { world, stone }
    }

    /// A fixed wall of 4 m by 4 m across the x-axis.
    pub fn wall(&mut self, x: f64) -> BodyHandle {
        self.wall_of(x, 4.0)
    }

    /// The same with sides of another length, m.
    pub fn wall_of(&mut self, x: f64, side: f64) -> BodyHandle {
        let wall = Solid::cuboid(DVec3::new(THICKNESS, side, side), 1000.0).unwrap();
        self.world.add(wall.fixed(self.stone, Pose::from_translation(DVec3::X * x)).unwrap()).unwrap()
    }

    /// A body on its way.
    pub fn throw(&mut self, solid: &Solid, place: DVec3, turn: DQuat, velocity: DVec3, spin: DVec3) -> BodyHandle {
        let handle = self.world.add(solid.dynamic(self.stone, Pose::from_parts(place, turn)).unwrap()).unwrap();
        let body = self.world.body_mut(handle).unwrap();
        (body.velocity, body.angular_velocity) = (velocity, spin);
        handle
    }

    pub fn step(&mut self) -> WorldReport {
        self.world.step().unwrap()
    }

    /// The least and the largest x of a body's vertices, m.
    pub fn extent(&self, handle: BodyHandle) -> (f64, f64) {
        let body = self.world.body(handle).unwrap();
        let vertices = self.world.shape(handle).unwrap().surface().unwrap().vertices();
        let across = vertices.iter().map(|&v| body.pose().transform_point(v).x);
        across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }
}

/// As many steps as a body of this speed (m/s) needs for 3 m and some more, at most `most`.
pub fn steps_for(speed: f64, most: usize) -> usize {
    ((3.0 / (speed * 0.01)).ceil() as usize + 5).min(most)
}
