//! Contacts of two shapes, without a world: a box of half a metre stands on a larger one, a millimetre deep.
//!
//! ```text
//! cargo run --release -p drystone-contact --example two_boxes
//! ```

use std::error::Error;

use drystone_contact::generator::{Placed, methods};
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::{Pose, Twist};
use glam::DVec3;

/// A box centred on the origin, from its half sides.
fn cuboid(half: DVec3) -> Result<Shape, Box<dyn Error>> {
    let corner = |i: usize| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        DVec3::new(sign(1), sign(2), sign(4)) * half
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new((0..8).map(corner).collect(), triangles)?;
    Ok(Shape::from_surface(&surface, &TetrahedralizationSettings::default())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (lower, upper) = (cuboid(DVec3::new(1.0, 0.5, 1.0))?, cuboid(DVec3::splat(0.25))?);
    let above = Pose::from_translation(DVec3::new(0.1, 0.5 + 0.25 - 0.001, 0.0));
    for method in methods::all() {
        let placed = |shape, pose| Placed { shape, pose, twist: Twist::default() };
        let contacts = method.generator().contacts(&placed(&lower, Pose::IDENTITY), &placed(&upper, above))?;
        println!("{method}: {} contacts", contacts.len());
        for c in contacts.iter().take(2) {
            println!(
                "  at {:.3}, normal {:.3}, gap {:.4}, {:?} on {:?}",
                c.position, c.normal, c.gap, c.feature_b, c.feature_a
            );
        }
    }
    Ok(())
}
