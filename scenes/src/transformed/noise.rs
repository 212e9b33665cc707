//! A scene whose shapes are a little wrong.

use drystone_contact::shape::ShapeError;
use glam::DVec3;

use super::with_meshes;
use crate::scene::Scene;
use drystone_contact::split_mix::SplitMix;

/// The scene with every vertex of every shape moved by up to `size` (m) along each axis of its body frame, uniformly, by a
/// sequence that follows from the seed alone. Masses, states and truth stay: the noise is meant to be too small to matter.
///
/// # Errors
/// Noise that turns over a tetrahedron or makes a surface cut itself.
pub fn with_noise(scene: &Scene, size: f64, seed: u64) -> Result<Scene, ShapeError> {
    let mut sequence = SplitMix::new(seed);
    let mut offset = || size * (2.0 * sequence.next_fraction() - 1.0);
    with_meshes(scene, |mesh| {
        let moved = mesh.vertices().iter().map(|&v| v + DVec3::new(offset(), offset(), offset()));
        mesh.with_vertices(moved.collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Case;
    use crate::transformed::sample::case;

    #[test]
    fn noise_is_bounded_and_follows_from_the_seed() {
        let scene = case(Case::SpikeInHole);
        let vertices = |scene: &Scene| {
            scene
                .bodies
                .iter()
                .flat_map(|b| b.shape.as_polyhedron().unwrap().mesh().unwrap().vertices().to_vec())
                .collect()
        };
        let noisy = |seed| -> Vec<DVec3> { vertices(&with_noise(&scene, 1e-6, seed).unwrap()) };
        assert_eq!(noisy(3), noisy(3));
        assert_ne!(noisy(3), noisy(4));
        let before: Vec<DVec3> = vertices(&scene);
        let offsets: Vec<f64> = before.iter().zip(noisy(3)).map(|(b, a)| (a - *b).abs().max_element()).collect();
        assert!(offsets.iter().all(|&o| o <= 1e-6 + 1e-15));
        assert!(offsets.iter().filter(|&&o| o > 5e-7).count() > offsets.len() / 2);
    }

    #[test]
    fn noise_as_large_as_the_solids_is_refused() {
        assert!(with_noise(&case(Case::SpikeInHole), 2.0, 1).is_err());
        assert!(with_noise(&case(Case::SpikeInHole), f64::NAN, 1).is_err());
    }
}
