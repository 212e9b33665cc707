//! The truth as a generator: it finds the contacts of a scene whose expected normals it knows. It shows that what is asked
//! of the method can be had, and that checks which fail with it are wrong themselves.

use drystone_contact::generator::{Generator, GeneratorError, Placed};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Feature};
use drystone_engine::BodyId;
use drystone_scenes::contact_region::{RegionSettings, region_corners};
use drystone_scenes::scene::Scene;
use drystone_scenes::truth::{ExpectedNormal, PairTruth, Truth};
use glam::DVec3;
use std::sync::Arc;

use super::verdict::turned;

/// A scene, and how its contact regions are looked for. Gaps are zero: worlds of the suite do not look at them.
pub struct BruteForce {
    scene: Scene,
    settings: RegionSettings,
}

impl BruteForce {
    /// The generator of a scene, and the scene with a shape of its own for each body, by which they are told apart.
    pub fn new(scene: &Scene, settings: RegionSettings) -> (Self, Scene) {
        let mut scene = scene.clone();
        for body in &mut scene.bodies {
            body.shape = Arc::new((*body.shape).clone());
        }
        (BruteForce { scene: scene.clone(), settings }, scene)
    }

    fn number(&self, placed: &Placed<'_>) -> Option<usize> {
        self.scene.bodies.iter().position(|body| std::ptr::eq(&*body.shape, placed.shape))
    }
}

impl Generator for BruteForce {
    fn name(&self) -> &str {
        "brute-force"
    }

    fn prepare(&self, _: &Shape) -> Result<(), GeneratorError> {
        Ok(())
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let (Some(i), Some(j)) = (self.number(a), self.number(b)) else { return Ok(Vec::new()) };
        let Some(pair) = self.scene.truth.of(BodyId::new(i as u32), BodyId::new(j as u32)) else {
            return Ok(Vec::new());
        };
        let sense = if pair.a.index() == i { 1.0 } else { -1.0 };
        let mut poses: Vec<_> = self.scene.bodies.iter().map(|body| body.body.pose()).collect();
        (poses[i], poses[j]) = (a.pose, b.pose);
        // All directions at once, as the bodies are moved apart along all of them; of those that an expected normal has turned
        // to the one with the most corners.
        let turned: Vec<Vec<DVec3>> = pair.directions().map(|n| turned(&self.scene, &poses, pair, n)).collect();
        let normals = turned.iter().flatten().copied().map(ExpectedNormal::from).collect();
        let truth = Truth { pairs: vec![PairTruth { normals, ..pair.clone() }] };
        let corners = region_corners(&self.scene, &truth, &poses, &self.settings);
        let along = |directions: &Vec<DVec3>| {
            let of =
                |d: &DVec3| corners.iter().filter(|c| c.normal == *d || c.normal == -*d).copied().collect::<Vec<_>>();
            directions.iter().map(of).max_by_key(Vec::len).unwrap_or_default()
        };
        let contact = |corner: drystone_scenes::contact_region::RegionCorner| Contact {
            position: corner.position,
            normal: corner.normal * sense,
            gap: 0.0,
            feature_a: Feature::Tetrahedron(0),
            feature_b: Feature::Tetrahedron(0),
        };
        Ok(turned.iter().flat_map(along).map(contact).collect())
    }

    fn margin(&self, _: &Shape) -> f64 {
        self.settings.envelope
    }
}
