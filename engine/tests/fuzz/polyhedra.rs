//! Hulls of any points, surfaces of damaged triangles, and V-Clip.

use drystone_engine::contact::shape::{
    FeatureId, Shape, Surface, TetrahedralMesh, TetrahedralizationSettings, Tetrahedralizer,
};
use drystone_engine::contact::vclip::hull::convex_hull;
use drystone_engine::contact::vclip::{ConvexPolyhedron, Outcome, Pair, RelativePose, certified};
use glam::DVec3;

use crate::random::Random;

/// Points in general position, of a lattice, on a ball, nearly in one plane; of any scale.
fn points(random: &mut Random) -> Vec<DVec3> {
    let kind = random.below(4);
    let flat = random.power(-16.0, 0.0);
    let scale = if random.is(0.7) { 1.0 } else { random.power(-160.0, 160.0) };
    let mut points: Vec<DVec3> = (0..4 + random.below(40))
        .map(|_| {
            let point = match kind {
                0 => random.lattice(2),
                1 => random.vector(1.0),
                2 => random.vector(1.0).normalize_or(DVec3::X),
                _ => random.vector(1.0) * DVec3::new(1.0, flat, 1.0),
            };
            scale * point
        })
        .collect();
    if random.is(0.05) {
        let place = random.below(points.len());
        points[place] = random.hostile_vector();
    }
    points
}

#[test]
fn surfaces_of_any_triangles_are_refused_or_sound() {
    crate::run("surfaces", 1500, |seed| {
        let random = &mut Random::new(seed);
        let points = points(random);
        let any = |random: &mut Random| random.below(points.len() + 1) as u32;
        let soup: Vec<[u32; 3]> = (0..random.below(30)).map(|_| [(); 3].map(|()| any(random))).collect();
        let _ = Surface::new(points.clone(), soup);
        let mesh: Vec<[u32; 4]> = (0..random.below(10)).map(|_| [(); 4].map(|()| any(random))).collect();
        if let Ok(mesh) = TetrahedralMesh::new(points.clone(), mesh) {
            shape(&Shape::from_mesh(mesh))?;
        }
        let Ok((points, faces)) = convex_hull(&points) else { return Ok(()) };
        let fan = |face: &Vec<u32>| (1..face.len() - 1).map(|k| [face[0], face[k], face[k + 1]]).collect::<Vec<_>>();
        let mut triangles: Vec<[u32; 3]> = faces.iter().flat_map(fan).collect();
        for _ in 0..if random.is(0.3) { 1 + random.below(3) } else { 0 } {
            let k = random.below(triangles.len());
            match random.below(4) {
                0 => drop(triangles.remove(k)),
                1 => triangles.push(triangles[k]),
                2 => triangles[k].swap(0, 1),
                _ => triangles[k][random.below(3)] = random.below(points.len() + 2) as u32,
            }
        }
        let Ok(surface) = Surface::new(points, triangles) else { return Ok(()) };
        for tetrahedralizer in [Tetrahedralizer::Automatic, Tetrahedralizer::Cone, Tetrahedralizer::Fan] {
            let settings = TetrahedralizationSettings { tetrahedralizer, ..TetrahedralizationSettings::default() };
            if let Ok(filled) = Shape::from_surface(&surface, &settings) {
                shape(&filled)?;
            }
        }
        Ok(())
    });
}

fn shape(shape: &Shape) -> Result<(), String> {
    if let Ok(properties) = shape.mass_properties(1000.0)
        && !(properties.mass.is_finite() && properties.mass > 0.0)
    {
        return Err(format!("a mass of {} kg", properties.mass));
    }
    let all = [shape.radius(), shape.thickness()];
    if all.iter().any(|x| x.is_nan() || *x < 0.0) {
        return Err(format!("radius and thickness {all:?} m"));
    }
    let _ = shape.triangles();
    Ok(())
}

#[test]
fn v_clip_certifies_any_polyhedra() {
    crate::run("v-clip", 4000, certify);
}

/// A flake whose rim rounding had decided, with a distance that no bound agreed with.
#[test]
fn polyhedra_that_are_too_thin_are_refused() {
    assert_eq!(certify(5_007_981), Ok(()));
}

/// Products of their lengths had lost their digits, or were infinite.
#[test]
fn polyhedra_of_extreme_sizes_are_refused() {
    for seed in [110_105_288, 110_398_150, 111_364_476, 140_102_310, 150_074_321] {
        assert_eq!(certify(seed), Ok(()), "seed {seed}");
    }
}

/// The smaller one had no digits left where it lies in the larger one, and V-Clip a witness that is no number.
#[test]
fn a_speck_in_a_polyhedron_has_a_witness() {
    for seed in [730_045_113, 760_135_873, 760_332_809, 800_078_807, 800_285_332, 820_355_720, 830_129_618] {
        assert_eq!(certify(seed), Ok(()), "seed {seed}");
    }
}

/// Whether V-Clip proves its answers for two random polyhedra.
fn certify(seed: u64) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let polyhedron = |random: &mut Random| {
        let (points, faces) = convex_hull(&points(random)).ok()?;
        ConvexPolyhedron::new(&points, &faces).ok()
    };
    let (Some(a), Some(b)) = (polyhedron(random), polyhedron(random)) else { return Ok(()) };
    let size = a.radius().max(b.radius());
    let [of_a, of_b] = [&a, &b].map(|solid| (solid.radius(), thickness(solid)));
    let bodies = || format!("radius and thickness of A {of_a:?} m, of B {of_b:?} m");
    let mut pair = Pair::FIRST;
    if random.is(0.3) {
        let numbers = [0, 3, 1000, u32::MAX];
        pair = Pair { a: FeatureId::Edge(random.one_of(&numbers)), b: FeatureId::Vertex(random.one_of(&numbers)) };
    }
    for _ in 0..5 {
        let relative = RelativePose::new(&random.pose(size), &random.pose(size));
        match certified(&a, &b, &relative, &mut pair) {
            Outcome::Apart { closest, certificate, .. } => {
                if !(closest.distance.is_finite() && closest.points.iter().all(|p| p.is_finite())) {
                    return Err(format!("not finite: {closest:?}; {}", bodies()));
                }
                if !certificate.is_tight() {
                    return Err(format!("not certified: {certificate:?}; {}", bodies()));
                }
            }
            Outcome::Overlapping { witness, outside, .. } => {
                if !(witness.is_finite() && outside.is_finite()) {
                    return Err(format!("a witness that is not finite: {witness} {outside}; {}", bodies()));
                }
            }
        }
    }
    Ok(())
}

/// How far the points of a solid are apart along the normal of the face along which they are least, m.
fn thickness(solid: &ConvexPolyhedron) -> f64 {
    let heights = |normal: DVec3| {
        let all = solid.vertices().iter().map(move |v| normal.dot(*v));
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let widths = (0..solid.face_count()).map(|f| heights(solid.plane(f as u32).normal)).map(|(low, high)| high - low);
    widths.fold(f64::INFINITY, f64::min)
}
