use super::*;
use crate::shape::sample;
use crate::shape::{Shape, TetrahedralizationSettings};

#[test]
fn counts() {
    for (name, surface) in [
        ("cube", sample::cuboid(DVec3::ZERO, DVec3::ONE)),
        ("l", sample::l_prism()),
        ("sphere", {
            let (v, t) = sample::sphere(true, 3);
            crate::shape::Surface::new(v, t).unwrap()
        }),
        ("split", sample::split_box(5, 0.0)),
    ] {
        let shape = Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap();
        let a = ConvexPieces::of_mesh(shape.mesh(), &PieceSettings::default());
        let b = ConvexPieces::of_mesh(shape.refined(1).unwrap().mesh(), &PieceSettings::default());
        println!("{name} {} {} {}", shape.mesh().tetrahedra().len(), a.pieces().len(), b.pieces().len());
    }
}
