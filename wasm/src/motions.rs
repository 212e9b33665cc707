//! Motions by each solver and the digests of all their bits, which are the same on every machine, with threads and without.

use std::error::Error;

use drystone_engine::contact::query::{Fill, Ray};
use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::query::QueryFilter;
use drystone_engine::simulator::asynchronous::{
    AsynchronousSimulation, ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey,
};
use drystone_engine::solver::{ContactSolver, GlobalSettings};
use drystone_engine::{CcdSettings, Friction, Interaction, Pose, Solid, World, WorldSettings};

use crate::digest::Digest;

/// Side of a cube, m.
const SIDE: f64 = 0.5;

/// A motion by its name, and what makes it.
pub type Motion = (&'static str, fn() -> Result<u64, Box<dyn Error>>);

/// Every motion. What it makes is a digest of all bodies after some steps, and of answers to queries; of a cloth that falls as well.
pub const MOTIONS: [Motion; 6] = [
    ("soft", || piled(600, 40, WorldSettings::fast())),
    ("accurate", || piled(120, 20, WorldSettings::accurate())),
    ("gauss-seidel", || piled(60, 12, WorldSettings::gauss_seidel())),
    ("global", || {
        let mut settings = WorldSettings::gauss_seidel();
        settings.step.contact_solver = ContactSolver::Global(GlobalSettings::default());
        piled(30, 8, settings)
    }),
    ("ccd", || piled(30, 8, WorldSettings { ccd: Some(CcdSettings::default()), ..WorldSettings::gauss_seidel() })),
    ("cloth", cloth),
];

/// Layers of cubes that fall onto the ground and each other; every other one is pushed.
fn piled(cubes: usize, steps: usize, settings: WorldSettings) -> Result<u64, Box<dyn Error>> {
    let mut world = World::default();
    *world.settings_mut() = settings;
    let stone = world.materials_mut().add("stone")?;
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    let ground = Solid::cuboid(DVec3::new(40.0, 1.0, 40.0), 2000.0)?;
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    let cube = Solid::cuboid(DVec3::splat(SIDE), 2000.0)?;
    let side = (1..).find(|side| side * side * side >= cubes).unwrap_or(1);
    for i in 0..cubes {
        let [x, layer, z] = [i % side, i / (side * side), i / side % side].map(|k| k as f64);
        let position =
            DVec3::new(0.53 * x + 0.07 * (layer % 3.0), 0.26 + 0.52 * layer, 0.53 * z + 0.05 * (layer % 2.0));
        let turn = DQuat::from_scaled_axis(DVec3::new(0.02 * (x % 2.0), 0.1 * layer, 0.01));
        let body = world.add(cube.dynamic(stone, Pose::from_parts(position, turn))?)?;
        world.body_mut(body)?.velocity = DVec3::new(0.5 * (x % 2.0), -1.0, 0.0);
    }
    let mut digest = Digest::default();
    let mut contacts = 0;
    for _ in 0..steps {
        contacts += world.step()?.contacts.len();
    }
    digest.feed(contacts as f64);
    digest.bodies(&world);
    let from = |k: usize| DVec3::new(0.017 * (k % 199) as f64, 9.0, 0.023 * (k % 157) as f64);
    let rays: Vec<Ray> = (0..400).map(|k| Ray::new(from(k), DVec3::new(0.1, -1.0, 0.2))).collect::<Result<_, _>>()?;
    for hit in world.cast_rays(&rays, f64::INFINITY, Fill::Solid, &QueryFilter::default())? {
        digest.feed(hit.map_or(-1.0, |hit| hit.hit.distance));
    }
    Ok(digest.value())
}

/// A sheet that falls onto a larger one, by windows.
fn cloth() -> Result<u64, Box<dyn Error>> {
    let material = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-3, damping: 0.0 };
    let mut surface = sheet(16, 1.0, 0.0, &material)?;
    let first = surface.append(&sheet(12, 0.7, 0.015, &material)?);
    let vertices = (first..surface.positions().len() as u32).collect();
    let key = VelocityKey { time: 0.0, vertices, velocity: DVec3::NEG_Y };
    let law =
        ContactLaw { thickness: 0.01, stiffness: 2e3, speed: 4.0, restitution: 0.7, friction: 0.3, most_layers: 256 };
    let simulation = AsynchronousSimulation::new(surface, &[], DVec3::NEG_Y * 9.82)?.with_velocities(vec![key])?;
    let mut simulation = simulation.with_contact_by_windows(&law)?;
    simulation.run_until(0.012)?;
    let mut digest = Digest::default();
    simulation.positions().into_iter().chain(simulation.velocities()).for_each(|v| digest.vector(v));
    Ok(digest.value())
}

/// A square sheet with some cells along each side, m.
fn sheet(cells: u32, width: f64, height: f64, material: &SurfaceMaterial) -> Result<DeformableSurface, Box<dyn Error>> {
    let place = |k: u32| width * (f64::from(k) / f64::from(cells) - 0.5);
    let row = cells + 1;
    let points = (0..row * row).map(|k| DVec3::new(place(k / row), height, place(k % row))).collect();
    let cell = |k: u32| {
        let [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[p, q]| (k / cells + p) * row + k % cells + q);
        [[a, c, b], [a, d, c]]
    };
    let triangles: Vec<[u32; 3]> = (0..cells * cells).flat_map(cell).collect();
    Ok(DeformableSurface::new(points, &triangles, material)?)
}
