//! Polyhedra against unions of boxes, half-spaces and solid angles; what passes through vertices and edges.

use glam::{DMat3, DQuat};

use super::*;
use crate::shape::sample;
use crate::solid::laws::{check, check_samples, log_uniform, vector};
use crate::split_mix::SplitMix;

const SCALES: [f64; 3] = [1e-6, 1.0, 1e6];

/// Turned, then shifted, then scaled (m).
#[derive(Clone, Copy)]
struct Placement {
    turn: DQuat,
    shift: DVec3,
    scale: f64,
}

impl Placement {
    fn at(scale: f64) -> Self {
        Self { turn: DQuat::IDENTITY, shift: DVec3::ZERO, scale }
    }

    fn random(random: &mut SplitMix, scale: f64) -> Self {
        Self { turn: random.next_rotation(), shift: vector(random), scale }
    }

    fn point(&self, p: DVec3) -> DVec3 {
        self.scale * (self.turn * p + self.shift)
    }

    fn back(&self, p: DVec3) -> DVec3 {
        self.turn.inverse() * (p / self.scale - self.shift)
    }

    fn solid(&self, surface: &Surface) -> PolyhedralSolid {
        let vertices = surface.vertices().iter().map(|&p| self.point(p)).collect();
        PolyhedralSolid::new(&Surface::new(vertices, surface.triangles().to_vec()).unwrap())
    }
}

/// A solid of boxes, whose faces are at multiples of a half, and a cavity.
struct Bricks {
    surface: Surface,
    boxes: Vec<[DVec3; 2]>,
    cavity: Option<[DVec3; 2]>,
}

impl Bricks {
    fn all() -> Vec<Bricks> {
        let prism = |surface: Surface, boxes: &[[f64; 4]]| Bricks {
            surface,
            boxes: boxes.iter().map(|&[x, y, u, v]| [DVec3::new(x, y, 0.0), DVec3::new(u, v, 1.0)]).collect(),
            cavity: None,
        };
        let cube = [DVec3::NEG_ONE, DVec3::ONE];
        vec![
            Bricks { surface: sample::cuboid(DVec3::ZERO, DVec3::ONE), boxes: vec![cube], cavity: None },
            Bricks { surface: sample::split_box(4, 0.0), boxes: vec![cube], cavity: None },
            prism(sample::l_prism(), &[[0.0, 0.0, 2.0, 1.0], [0.0, 0.0, 1.0, 2.0]]),
            prism(sample::u_prism(), &[[0.0, 0.0, 3.0, 1.0], [0.0, 0.0, 1.0, 2.0], [2.0, 0.0, 3.0, 2.0]]),
            prism(
                sample::ring(),
                &[[-2.0, -2.0, 2.0, -1.0], [-2.0, 1.0, 2.0, 2.0], [-2.0, -2.0, -1.0, 2.0], [1.0, -2.0, 2.0, 2.0]],
            ),
            Bricks {
                surface: sample::hollow_box(),
                boxes: vec![cube],
                cavity: Some([DVec3::splat(-0.5), DVec3::splat(0.5)]),
            },
        ]
    }

    /// `None` close to the planes of faces.
    fn inside(&self, p: DVec3) -> Option<bool> {
        if (2.0 * p - (2.0 * p).round()).abs().min_element() < 1e-9 {
            return None;
        }
        let is_in = |&[low, high]: &[DVec3; 2]| low.cmplt(p).all() && p.cmplt(high).all();
        Some(self.boxes.iter().any(is_in) && !self.cavity.iter().any(is_in))
    }

    fn centre(&self) -> DVec3 {
        let (low, high) = self.surface.bounds();
        low.midpoint(high)
    }
}

#[test]
fn solids_of_boxes_keep_the_laws() {
    let mut random = SplitMix::new(1);
    for (number, bricks) in (0..).zip(Bricks::all()) {
        for scale in SCALES {
            for placement in [Placement::at(scale), Placement::random(&mut random, scale)] {
                let solid = placement.solid(&bricks.surface);
                let centre = placement.point(bricks.centre());
                check(&solid, centre, 1.5 * scale, 60, 100 + number, |p| bricks.inside(placement.back(p)));
            }
        }
    }
}

#[test]
fn a_convex_polyhedron_keeps_the_laws() {
    let (vertices, triangles) = sample::sphere(true, 2);
    let surface = Surface::new(vertices, triangles).unwrap();
    for (seed, scale) in (7..).zip(SCALES) {
        let placement = Placement::random(&mut SplitMix::new(seed), scale);
        let solid = placement.solid(&surface);
        let planes: Vec<(DVec3, DVec3)> =
            surface.normals().iter().zip(0..).map(|(&n, t)| (n, surface.corners(t)[0])).collect();
        check(&solid, placement.point(DVec3::ZERO), scale, 100, seed, |p| {
            let p = placement.back(p);
            let height = planes.iter().map(|(n, a)| n.dot(p - a)).fold(f64::NEG_INFINITY, f64::max);
            (height.abs() > 1e-9).then_some(height < 0.0)
        });
    }
}

/// A star-shaped surface with deep dents.
fn star(seed: u64) -> Surface {
    let mut random = SplitMix::new(seed);
    let (mut vertices, triangles) = sample::sphere(true, 1);
    for vertex in &mut vertices {
        *vertex *= random.next_between(0.3, 1.0);
    }
    Surface::new(vertices, triangles).unwrap()
}

#[test]
fn a_surface_with_dents_keeps_the_laws() {
    for (seed, scale) in (17..).zip(SCALES) {
        let surface = star(seed);
        let placement = Placement::random(&mut SplitMix::new(seed), scale);
        let solid = placement.solid(&surface);
        check(&solid, placement.point(DVec3::ZERO), scale, 50, seed, |p| {
            Some(surface.winding_number(placement.back(p)) == 1)
        });
    }
}

/// Segments from lattice point to lattice point run through vertices, along edges and within faces.
#[test]
fn segments_through_edges_and_vertices_lose_no_crossing_and_double_none() {
    let mut random = SplitMix::new(31);
    for bricks in Bricks::all() {
        let solid = PolyhedralSolid::new(&bricks.surface);
        let (mut crossed, mut along) = (0, 0);
        for case in 0..4000 {
            let [from, to] = [0, 1].map(|_| {
                DVec3::from_array(std::array::from_fn(|_| 0.5 * (random.next_below(13) as f64 - 6.0))) + bricks.centre()
            });
            let mut found = Vec::new();
            solid.crossings(from, to, &mut found);
            let context = || format!("case {case}: from {from} to {to}: {found:?}");
            assert!(found.is_sorted_by(|a, b| a.share <= b.share), "{}", context());
            let mut is_inside = solid.is_inside(from);
            let mut last = 0.0;
            let ends = found.iter().map(|c| (c.share, Some(c.is_entry))).chain([(1.0, None)]);
            for (share, is_entry) in ends {
                let middle = from.lerp(to, 0.5 * (last + share));
                match bricks.inside(middle) {
                    Some(expected) if share - last > 1e-6 => assert_eq!(is_inside, expected, "{}", context()),
                    None if share - last > 1e-6 => along += 1,
                    _ => {}
                }
                if let Some(is_entry) = is_entry {
                    assert_ne!(is_entry, is_inside, "{}", context());
                    is_inside = is_entry;
                }
                last = share;
            }
            assert_eq!(is_inside, solid.is_inside(to), "{}", context());
            for crossing in &found {
                let normal = crossing.normal.unwrap();
                assert!(normal.dot(to - from) * if crossing.is_entry { -1.0 } else { 1.0 } >= 0.0, "{}", context());
            }
            let mut back = Vec::new();
            solid.crossings(to, from, &mut back);
            assert_eq!(back.len(), found.len(), "{}", context());
            for (there, here) in back.iter().rev().zip(&found) {
                assert!((1.0 - there.share - here.share).abs() < 1e-12, "{}", context());
                assert_ne!(there.is_entry, here.is_entry, "{}", context());
            }
            crossed += found.len();
        }
        assert!(crossed > 1000 && along > 100, "{crossed} {along}");
    }
}

#[test]
fn rays_through_vertices_and_edges_leave_a_convex_solid_once() {
    let (vertices, triangles) = sample::sphere(true, 2);
    let surface = Surface::new(vertices, triangles).unwrap();
    let mut random = SplitMix::new(41);
    for scale in SCALES {
        let placement = Placement::random(&mut random, scale);
        let solid = placement.solid(&surface);
        let centre = placement.point(DVec3::ZERO);
        let edges = solid.surface().edges().iter().map(|e| e.vertices.map(|v| solid.surface().vertices()[v as usize]));
        let on_edges: Vec<DVec3> = edges.map(|[p, q]| p.lerp(q, 0.37)).collect();
        for &point in solid.surface().vertices().iter().chain(&on_edges) {
            let mut found = Vec::new();
            solid.crossings(centre, centre + 2.0 * (point - centre), &mut found);
            assert_eq!(found.len(), 1, "{point}: {found:?}");
            assert!(!found[0].is_entry && (found[0].share - 0.5).abs() < 1e-9);
            solid.crossings(centre - 2.0 * (point - centre), centre + 2.0 * (point - centre), &mut found);
            assert_eq!(found.len(), 3, "{point}: {found:?}");
            // As near to the surface as can be: one of the two, and as the crossings of a segment from outside say.
            found.clear();
            solid.crossings(centre + 3.0 * (point - centre), point, &mut found);
            assert_eq!(found.len(), usize::from(solid.is_inside(point)), "{point}: {found:?}");
        }
    }
}

/// A slim or tiny box whose lowest corner along `up`, or the middle of its lowest edge or face, is `gap` above `point`.
fn box_above(random: &mut SplitMix, axes: DMat3, point: DVec3, up: DVec3, gap: f64, scale: f64) -> OrientedBox {
    let half = DVec3::from_array(std::array::from_fn(|_| log_uniform(random, 1e-9, 0.2) * scale));
    let sides = (axes.transpose() * up).to_array().map(|x| if x.abs() < 1e-9 { 0.0 } else { x.signum() });
    OrientedBox { centre: point + axes * (half * DVec3::from_array(sides)) + gap * up, axes, half }
}

/// Boxes that are nearly tangential are told apart from the surface at twice the slack: a corner over a face, an edge over an
/// edge, a face over a vertex.
#[test]
fn boxes_are_told_apart_down_to_rounding() {
    let mut random = SplitMix::new(51);
    let l_prism = Bricks::all().swap_remove(2);
    for (case, scale) in (0..1500).zip(SCALES.into_iter().cycle()) {
        let placement = Placement::random(&mut random, scale);
        let cube = placement.solid(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
        let gap = 2.0 * cube.slack(scale);
        let [u, v] = [0, 1].map(|_| random.next_between(-0.4, 0.4));
        let any = DMat3::from_quat(random.next_rotation());
        // A box with an edge across a direction, skew to the edge of the solid.
        let edge = |up: DVec3, random: &mut SplitMix| {
            let angle = random.next_between(0.1, 3.0);
            let flat = DQuat::from_axis_angle(up, angle) * up.any_orthonormal_vector();
            let other = up.cross(flat);
            DMat3::from_cols(flat, (up + other) / 2.0_f64.sqrt(), (other - up) / 2.0_f64.sqrt())
        };
        let turn = placement.turn;
        let (face_up, edge_up, tip_up) = (turn * DVec3::Y, turn * DVec3::new(1.0, 1.0, 0.0), turn * DVec3::ONE);
        let (edge_up, tip_up) = (edge_up.normalize(), tip_up.normalize());
        let side = tip_up.any_orthonormal_vector();
        let contacts = [
            (any, DVec3::new(u, 1.0, v), face_up),
            (edge(edge_up, &mut random), DVec3::new(1.0, 1.0, u), edge_up),
            (DMat3::from_cols(tip_up, side, tip_up.cross(side)), DVec3::ONE, tip_up),
        ];
        for (axes, point, up) in contacts {
            let point = placement.point(point);
            let above = box_above(&mut random, axes, point, up, gap, scale);
            assert_eq!(cube.relation(&above), Relation::Outside, "case {case}: {above:?}");
            let into = OrientedBox { centre: above.centre - 2.0 * gap * up, ..above };
            assert_eq!(cube.relation(&into), Relation::Undecided, "case {case}: {into:?}");
        }
        let point = placement.point(DVec3::new(u, 1.0, v));
        let below = box_above(&mut random, any, point, -face_up, gap, scale);
        assert_eq!(cube.relation(&below), Relation::Inside, "case {case}: {below:?}");
        // An edge of the box at the edge of a dent, inside.
        let solid = placement.solid(&l_prism.surface);
        let point = placement.point(DVec3::new(1.0, 1.0, 0.5));
        let (axes, gap) = (edge(-edge_up, &mut random), 2.0 * solid.slack(scale));
        let turned = box_above(&mut random, axes, point, -edge_up, gap, scale);
        assert_eq!(solid.relation(&turned), Relation::Inside, "case {case}: {turned:?}");
        let turned = OrientedBox { centre: turned.centre + 2.0 * gap * edge_up, ..turned };
        assert_eq!(solid.relation(&turned), Relation::Undecided, "case {case}: {turned:?}");
    }
}

/// The signed distance of a box |x|, |y|, |z| ≤ 1.
fn cube_distance(p: DVec3) -> f64 {
    let out = p.abs() - 1.0;
    out.max(DVec3::ZERO).length() + out.max_element().min(0.0)
}

#[test]
fn closest_points_and_the_sides_that_normals_point_to() {
    let mut random = SplitMix::new(61);
    for scale in SCALES {
        let placement = Placement::random(&mut random, scale);
        let solid = placement.solid(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
        for case in 0..2000 {
            let p = 2.0 * vector(&mut random);
            let found = solid.nearest(placement.point(p)).unwrap();
            assert!((found.distance / scale - cube_distance(p)).abs() < 1e-13, "case {case}: {p} {found:?}");
            assert!(cube_distance(placement.back(found.position)).abs() < 1e-14, "case {case}");
            // The pseudonormals of the cube are its diagonals.
            let on = placement.back(found.position);
            let normal = DVec3::from_array(on.to_array().map(|x| if x.abs() > 1.0 - 1e-12 { x } else { 0.0 }));
            let expected = placement.turn * normal.normalize();
            assert!(found.normal.distance(expected) < 1e-9, "case {case}: {} {expected}", found.normal);
        }
    }
    for bricks in Bricks::all() {
        let solid = PolyhedralSolid::new(&bricks.surface);
        let mut samples = Vec::new();
        solid.samples(0.1, &mut samples);
        for case in 0..300 {
            let p = bricks.centre() + 2.5 * vector(&mut random);
            let found = solid.nearest(p).unwrap();
            let sampled = samples.iter().map(|s| s.distance(p)).fold(f64::INFINITY, f64::min);
            assert!((sampled - 0.1..=sampled + 1e-12).contains(&found.distance.abs()), "case {case}: {found:?}");
            assert_eq!(Some(found.distance < 0.0), bricks.inside(p), "case {case}: {p} {found:?}");
            assert!((p - found.position).dot(found.normal) * found.distance > 0.0, "case {case}: {p} {found:?}");
        }
    }
    for seed in 0..20 {
        let surface = star(seed);
        let solid = PolyhedralSolid::new(&surface);
        for case in 0..200 {
            let p = 1.2 * vector(&mut random);
            let found = solid.nearest(p).unwrap();
            assert_eq!(found.distance < 0.0, surface.winding_number(p) == 1, "case {case}: {p} {found:?}");
            assert!((p - found.position).dot(found.normal) * found.distance > 0.0, "case {case}: {p} {found:?}");
        }
    }
}

#[test]
fn points_of_the_surface_are_in_the_solid() {
    let solid = PolyhedralSolid::from(&Polyhedron::from_surface(&sample::l_prism(), &Default::default()).unwrap());
    for p in solid.surface().vertices() {
        assert!(solid.contains(*p));
        assert_eq!(solid.nearest(*p).unwrap().distance, 0.0);
    }
    for p in
        [DVec3::new(1.5, 1.0, 0.25), DVec3::new(1.0, 1.5, 0.5), DVec3::new(0.0, 0.3, 1.0), DVec3::new(0.5, 0.5, 0.0)]
    {
        assert!(solid.contains(p), "{p}");
    }
    for p in [DVec3::new(1.5, 1.0_f64.next_up(), 0.25), DVec3::new(0.5, 0.5, -f64::MIN_POSITIVE), DVec3::splat(5.0)] {
        assert!(!solid.contains(p), "{p}");
    }
    for p in [DVec3::NAN, DVec3::INFINITY] {
        assert!(!solid.contains(p));
        assert!(solid.nearest(p).is_err());
        let mut found = Vec::new();
        solid.crossings(p, DVec3::ONE, &mut found);
        solid.crossings(p, p, &mut found);
    }
    let nowhere = OrientedBox { centre: DVec3::NAN, axes: DMat3::IDENTITY, half: DVec3::ONE };
    assert_eq!(solid.relation(&nowhere), Relation::Undecided);
}

#[test]
fn samples_are_dense_and_begin_with_the_vertices() {
    let mut random = SplitMix::new(71);
    for scale in SCALES {
        let solid = Placement::random(&mut random, scale).solid(&sample::u_prism());
        for spacing in [0.11 * scale, 0.7 * scale, 5.0 * scale] {
            let mut samples = Vec::new();
            solid.samples(spacing, &mut samples);
            assert_eq!(samples[..solid.surface().vertices().len()], *solid.surface().vertices());
            let count = solid.surface().triangles().len();
            let points = (0..1000).map(|_| {
                let [a, b, c] = solid.surface().corners(random.next_below(count) as u32);
                let [s, t] = [0, 1].map(|_| random.next_fraction());
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                a + s * (b - a) + t * (c - a)
            });
            check_samples(&solid, spacing, points.collect::<Vec<_>>().into_iter());
        }
    }
}

#[test]
fn masses_are_those_of_a_box() {
    for scale in SCALES {
        let half = DVec3::new(0.5, 1.0, 2.0) * scale;
        let centre = DVec3::new(3.0, -1.0, 0.5) * scale;
        let solid = PolyhedralSolid::new(&sample::cuboid(centre, half));
        let found = solid.mass_properties(500.0).unwrap();
        assert_eq!((found.volume_error, found.centre_error, found.inertia_error), (0.0, 0.0, 0.0));
        let mass = 500.0 * 8.0 * half.element_product();
        let close = |x: f64, y: f64| (x - y).abs() <= 1e-12 * y.abs();
        assert!(close(found.properties.mass, mass));
        assert!(found.properties.centre.distance(centre) <= 1e-12 * scale);
        let s = half * half;
        let moments = mass / 3.0 * DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y);
        assert!((0..3).all(|k| close(found.properties.inertia.col(k)[k], moments[k])));
        let area = 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x);
        assert!(close(solid.thickness(), 24.0 * half.element_product() / area));
        assert!(matches!(solid.mass_properties(-1.0), Err(MassPropertiesError::Density { .. })));
        assert_eq!((solid.kind(), solid.is_closed()), ("polyhedron", true));
        let Bounds { low, high } = solid.bounds();
        assert_eq!((low, high), (centre - half, centre + half));
        assert_eq!(Solid::triangles(&solid).triangles, solid.surface().triangles());
    }
}

/// Boxes by their lower and upper corners, as one surface.
fn together(boxes: &[[DVec3; 2]]) -> Surface {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let one = sample::cuboid(DVec3::ZERO, DVec3::ONE);
    for [low, high] in boxes {
        let first = vertices.len() as u32;
        vertices.extend(one.vertices().iter().map(|v| DVec3::select(v.cmplt(DVec3::ZERO), *low, *high)));
        triangles.extend(one.triangles().iter().map(|t| t.map(|v| first + v)));
    }
    Surface::new(vertices, triangles).unwrap()
}

#[test]
fn the_side_by_the_closest_face_is_that_of_a_ray() {
    let mut random = SplitMix::new(91);
    let slim = sample::cuboid(DVec3::ZERO, DVec3::new(1.0, 1e-3, 1e-6));
    // Two boxes with a gap of one bit, the upper one first; a plate as thick beside a box.
    let (wide, bit) = (DVec3::new(9.0, 0.0, 9.0), 1.0 + f64::EPSILON);
    let [above, below] = [[bit, 2.0], [-9.0, 1.0]].map(|[low, high]| [DVec3::Y * low - wide, DVec3::Y * high + wide]);
    let plate = together(&[[DVec3::Y - wide, DVec3::Y * bit + wide], [DVec3::Y * -9.0 - wide, DVec3::Y * -5.0 + wide]]);
    let surfaces = Bricks::all().into_iter().map(|bricks| (bricks.surface, true));
    let surfaces = surfaces.chain([(slim, true), (together(&[above, below]), false), (plate, false)]);
    let (mut counts, mut by_face) = ([0; 2], 0);
    for (surface, is_turned) in surfaces {
        for scale in SCALES {
            let solid = if is_turned {
                Placement::random(&mut random, scale).solid(&surface)
            } else {
                PolyhedralSolid::new(&surface)
            };
            for _ in 0..2000 {
                // At any height over a triangle.
                let [a, b, c] = solid.surface().corners(random.next_below(surface.triangles().len()) as u32);
                let [u, v] = [random.next_fraction(), random.next_fraction()];
                let height =
                    log_uniform(&mut random, 1e-9, 9.0) * if random.next_fraction() < 0.5 { -1.0 } else { 1.0 };
                let normal = (b - a).cross(c - a).normalize();
                let over = if is_turned { scale } else { 1.0 };
                let point = a + u * (b - a) + v * (1.0 - u) * (c - a) + over * height * normal;
                // On the surface both sides are right.
                let Some(found) = solid.nearest(point).ok().filter(|found| found.distance != 0.0) else { continue };
                let is_inside = solid.is_inside(point);
                assert_eq!(found.distance < 0.0, is_inside, "{point} {found:?}");
                counts[usize::from(is_inside)] += 1;
                let closest = solid.tree.closest(point).unwrap();
                by_face += usize::from(solid.side_of_face(point, &closest, found.normal).is_some());
            }
        }
    }
    assert!(counts[0].min(counts[1]) > 10_000 && by_face > 30_000, "{counts:?} {by_face}");
}
