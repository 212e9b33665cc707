//! What it takes for two scenes to be the same.

use drystone_contact::shape::{Polyhedron, Shape, ShapeOrigin};
use drystone_engine::{Phase, PrescribedMotion};
use drystone_scenes::scene::Scene;
use glam::DVec3;

fn vertex_bits(vertices: &[DVec3]) -> Vec<[u64; 3]> {
    vertices.iter().map(|v| v.to_array().map(f64::to_bits)).collect()
}

fn state_bits(scene: &Scene) -> Vec<Vec<u64>> {
    let bits = |b: drystone_engine::Body| {
        let vectors = [b.position, b.velocity, b.angular_velocity, b.inertia()].map(|v| v.to_array());
        let mut numbers: Vec<f64> = vectors.concat();
        numbers.extend(b.orientation.to_array());
        numbers.push(b.mass());
        numbers.into_iter().map(f64::to_bits).collect()
    };
    scene.states().into_iter().map(bits).collect()
}

fn motion_bits(prescribed_motion: Option<&PrescribedMotion>) -> Option<Vec<Vec<u64>>> {
    let bits = |p: &Phase| {
        let numbers = [&[p.duration][..], &p.velocity.to_array(), &p.angular_velocity.to_array()].concat();
        numbers.into_iter().map(f64::to_bits).collect()
    };
    prescribed_motion.map(|prescribed_motion| prescribed_motion.phases().iter().map(bits).collect())
}

fn assert_same_shape(read: &Shape, written: &Shape) {
    match (read, written) {
        (Shape::Polyhedron(read), Shape::Polyhedron(written)) => assert_same_polyhedron(read, written),
        (Shape::Primitive(read), Shape::Primitive(written)) => {
            assert_eq!(read.kind(), written.kind());
            let bits = |dimensions: Vec<f64>| dimensions.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(read.dimensions()), bits(written.dimensions()));
        }
        _ => panic!("a {} was read, a {} written", read.kind(), written.kind()),
    }
}

fn assert_same_polyhedron(read: &Polyhedron, written: &Polyhedron) {
    assert_eq!(vertex_bits(read.surface().vertices()), vertex_bits(written.surface().vertices()));
    assert_eq!(read.surface().triangles(), written.surface().triangles());
    assert_eq!(read.tetrahedralization_settings(), written.tetrahedralization_settings());
    let given = [read, written].map(Polyhedron::given_tetrahedra);
    assert_eq!(given[0].is_some(), given[1].is_some());
    if let [Some(read), Some(written)] = given {
        assert_eq!(vertex_bits(read.mesh().vertices()), vertex_bits(written.mesh().vertices()));
        assert_eq!(read.mesh().tetrahedra(), written.mesh().tetrahedra());
        assert_eq!(read.origin(), &ShapeOrigin::Given);
    }
    let eroded = [read, written].map(Polyhedron::given_eroded);
    assert_eq!(eroded[0].is_some(), eroded[1].is_some());
    if let [Some(read), Some(written)] = eroded {
        assert_same_shape(read, written);
    }
}

pub fn assert_same(read: &Scene, written: &Scene) {
    assert_eq!((&read.name, &read.title), (&written.name, &written.title));
    assert_eq!(
        (read.time_step, read.scored_step, read.forces),
        (written.time_step, written.scored_step, written.forces)
    );
    assert_eq!((read.friction, &read.materials), (written.friction, &written.materials));
    assert_eq!((&read.truth, &read.published_truth), (&written.truth, &written.published_truth));
    assert_eq!(read.states(), written.states());
    assert_eq!(state_bits(read), state_bits(written));
    for (read, written) in read.bodies.iter().zip(&written.bodies) {
        assert_eq!(read.name, written.name);
        assert_eq!(read.body.kind(), written.body.kind());
        assert_eq!(motion_bits(read.prescribed_motion.as_ref()), motion_bits(written.prescribed_motion.as_ref()));
        assert_same_shape(&read.shape, &written.shape);
    }
}
