//! Polyhedra and soups answer about boxes, points and segments without allocation, those through vertices and edges too.

use std::hint::black_box;

use allocation_counter::measure;
use drystone_contact::shape::Surface;
use drystone_contact::solid::{OrientedBox, PolyhedralSolid, Solid, Soup};
use drystone_contact::split_mix::SplitMix;
use glam::{DMat3, DVec3};

#[test]
fn questions_about_triangles_are_answered_without_allocation() {
    let signs = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(DVec3::from_array);
    let vertices: Vec<DVec3> = signs.into_iter().chain(signs.map(|v| -v)).collect();
    let triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    let soup = Soup::new(vertices.clone(), triangles.clone()).expect("sound");
    let polyhedron = PolyhedralSolid::new(&Surface::new(vertices, triangles).expect("closed"));
    for solid in [&soup as &dyn Solid, &polyhedron] {
        let mut random = SplitMix::new(1);
        let mut crossings = Vec::with_capacity(64);
        let mut found = 0;
        let allocated = measure(|| {
            for case in 0..3000 {
                let mut number = || 0.25 * (random.next_below(13) as f64 - 6.0);
                let [from, to] = [0, 1].map(|_| DVec3::new(number(), number(), number()));
                crossings.clear();
                solid.crossings(from, to, &mut crossings);
                found += crossings.len();
                black_box((solid.contains(from), solid.nearest(from).is_ok()));
                let axes = if case % 2 == 0 { DMat3::IDENTITY } else { DMat3::from_quat(random.next_rotation()) };
                black_box(solid.relation(&OrientedBox { centre: from, axes, half: DVec3::new(0.5, 1e-4, 1e-4) }));
            }
        });
        assert_eq!((allocated.count_total, allocated.bytes_total), (0, 0), "{}", solid.kind());
        assert!(found > 1000, "{found}");
    }
}
