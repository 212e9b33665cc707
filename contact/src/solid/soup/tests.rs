//! Soups against solids of boxes, whose surface they are, and against single triangles.

use glam::{DMat3, DQuat};

use super::*;
use crate::shape::{Surface, sample};
use crate::solid::laws::{check_samples, log_uniform, turned_box, vector};
use crate::split_mix::SplitMix;

const SCALES: [f64; 3] = [1e-6, 1.0, 1e6];

/// The triangles of a surface, each with corners of its own.
fn apart(surface: &Surface, place: impl Fn(DVec3) -> DVec3) -> Soup {
    let triangles = 0..surface.triangles().len() as u32;
    let vertices: Vec<DVec3> = triangles.clone().flat_map(|t| surface.corners(t)).map(place).collect();
    Soup::new(vertices, triangles.map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap()
}

/// Whether a point is in the U of [`sample::u_prism`]; `None` close to planes of faces.
fn in_u(p: DVec3) -> Option<bool> {
    if (p - p.round()).abs().min_element() < 1e-9 {
        return None;
    }
    let is_in = |low: DVec3, high: DVec3| low.cmplt(p).all() && p.cmplt(high).all();
    let is_in_notch = is_in(DVec3::new(1.0, 1.0, 0.0), DVec3::new(2.0, 2.0, 1.0));
    Some(is_in(DVec3::ZERO, DVec3::new(3.0, 2.0, 1.0)) && !is_in_notch)
}

/// The soup has no inside, but its triangles separate points in the U from others: no box outside of the soup has both, and
/// the sides along a segment change at crossings only.
#[test]
fn triangles_separate_what_they_are_between() {
    for (seed, scale) in (1..).zip(SCALES) {
        let mut random = SplitMix::new(seed);
        let (turn, shift) = (random.next_rotation(), vector(&mut random));
        let place = |p: DVec3| scale * (turn * p + shift);
        let inside = |p: DVec3| in_u(turn.inverse() * (p / scale - shift));
        let soup = apart(&sample::u_prism(), place);
        let centre = place(DVec3::new(1.5, 1.0, 0.5));
        let mut seen = [0; 3];
        for case in 0..400 {
            let turned = turned_box(&mut random, centre, scale);
            let relation = soup.relation(&turned);
            seen[relation as usize] += 1;
            if relation == Relation::Outside {
                let corners = turned.corners().into_iter();
                let points =
                    corners.chain((0..100).map(|_| turned.centre + turned.axes * (turned.half * vector(&mut random))));
                let sides: Vec<bool> = points.filter_map(inside).collect();
                assert!(sides.windows(2).all(|pair| pair[0] == pair[1]), "case {case}: {turned:?}");
            }
        }
        assert!(seen[0] > 30 && seen[1] == 0 && seen[2] > 30, "{seen:?}");
        for case in 0..400 {
            let [from, to] = [0, 1].map(|_| centre + 1.5 * scale * vector(&mut random));
            let mut found = Vec::new();
            soup.crossings(from, to, &mut found);
            assert!(found.is_sorted_by(|a, b| a.share <= b.share), "case {case}: {found:?}");
            let mut before: Option<(f64, bool)> = None;
            for k in 0..=200 {
                let share = f64::from(k) / 200.0;
                let Some(side) = inside(from.lerp(to, share)) else { continue };
                if let Some((start, last)) = before {
                    let between = found.iter().filter(|c| c.share >= start && c.share <= share);
                    assert_eq!(between.count() % 2 == 1, side != last, "case {case} at {share}: {found:?}");
                }
                before = Some((share, side));
            }
            let mut back = Vec::new();
            soup.crossings(to, from, &mut back);
            assert_eq!(back.len(), found.len());
            for (here, there) in found.iter().zip(back.iter().rev()) {
                assert!(here.is_entry && there.is_entry);
                assert!(here.normal.unwrap().dot(to - from) < 0.0, "case {case}: {here:?}");
                assert_eq!(here.normal, there.normal.map(|n| -n), "case {case}");
            }
            assert!(!soup.contains(from));
        }
    }
}

/// A side of one triangle with the corner of two others on it: a gap as wide as rounding.
#[test]
fn nothing_passes_between_triangles_that_were_drawn_to_fit() {
    let mut random = SplitMix::new(11);
    for (case, scale) in (0..3000).zip(SCALES.into_iter().cycle()) {
        let (turn, shift) = (random.next_rotation(), vector(&mut random));
        let place = |x: f64, y: f64, z: f64| scale * (turn * DVec3::new(x, y, z) + shift);
        let (split, rise) = (random.next_between(0.2, 0.8), random.next_between(-0.5, 0.5));
        let vertices = vec![
            place(0.0, 0.0, 0.0),
            place(1.0, 0.0, 0.0),
            place(0.4, -1.0, rise),
            place(split, 0.0, 0.0),
            place(0.5, 1.0, 0.0),
        ];
        let soup = Soup::new(vertices, vec![[1, 0, 2], [0, 3, 4], [3, 1, 4]]).unwrap();
        let through = place(random.next_between(0.01, 0.99), 0.0, 0.0);
        let through = if case % 5 == 0 { place(split, 0.0, 0.0) } else { through };
        let [tilt, roll] = [0, 1].map(|_| random.next_between(-1.0, 1.0));
        let way = turn * DVec3::new(tilt, 0.3 * roll, 1.0) * scale;
        let (before, after) = (log_uniform(&mut random, 1e-3, 1.0), log_uniform(&mut random, 1e-3, 1.0));
        let mut found = Vec::new();
        soup.crossings(through - before * way, through + after * way, &mut found);
        assert!(!found.is_empty(), "case {case}");
        for crossing in &found {
            assert!((crossing.share - before / (before + after)).abs() < 1e-9, "case {case}: {found:?}");
        }
        // Beside the soup there is nothing to cross.
        found.clear();
        let beside = place(-0.01, 0.0, 0.0);
        soup.crossings(beside - turn * DVec3::Z * scale, beside + turn * DVec3::Z * scale, &mut found);
        assert!(found.is_empty(), "case {case}: {found:?}");
    }
}

#[test]
fn slim_boxes_are_told_apart_from_a_triangle_down_to_rounding() {
    let mut random = SplitMix::new(21);
    for (case, scale) in (0..1500).zip(SCALES.into_iter().cycle()) {
        let (turn, shift) = (random.next_rotation(), vector(&mut random));
        let place = |p: DVec3| scale * (turn * p + shift);
        let soup = Soup::new([DVec3::ZERO, DVec3::X, DVec3::Z].map(place).to_vec(), vec![[0, 1, 2]]).unwrap();
        let gap = 2.0 * soup.slack(scale);
        let half = DVec3::from_array(std::array::from_fn(|_| log_uniform(&mut random, 1e-9, 0.05) * scale));
        // Over the face, beside the side x = 0, and before the corner at X.
        let slanted = DQuat::from_axis_angle(DVec3::X, random.next_between(0.1, 1.4));
        let contacts = [
            (DMat3::from_quat(random.next_rotation()), DVec3::new(0.3, 0.0, 0.3), turn * DVec3::Y),
            (DMat3::from_quat(random.next_rotation()), DVec3::new(0.3, 0.0, 0.3), turn * DVec3::NEG_Y),
            (DMat3::from_quat(turn * slanted), DVec3::new(0.0, 0.0, 0.5), turn * DVec3::NEG_X),
            (DMat3::from_quat(turn * slanted), DVec3::X, turn * DVec3::X),
        ];
        for (axes, point, up) in contacts {
            let turned = OrientedBox { centre: place(point), axes, half };
            let above = OrientedBox { centre: turned.centre + up * (turned.reach(up) + gap), ..turned };
            assert_eq!(soup.relation(&above), Relation::Outside, "case {case}: {above:?}");
            let into = OrientedBox { centre: above.centre - 2.0 * gap * up, ..above };
            assert_eq!(soup.relation(&into), Relation::Undecided, "case {case}: {into:?}");
        }
    }
}

#[test]
fn normals_of_closest_points_point_to_the_side_of_the_point() {
    for (seed, scale) in (31..).zip(SCALES) {
        let mut random = SplitMix::new(seed);
        let soup = apart(&sample::u_prism(), |p| p * scale);
        let mut samples = Vec::new();
        soup.samples(0.1 * scale, &mut samples);
        let mut on_edges = 0;
        for case in 0..400 {
            let p = scale * (DVec3::new(1.5, 1.0, 0.5) + 2.0 * vector(&mut random));
            let found = soup.nearest(p).unwrap();
            let sampled = samples.iter().map(|s| s.distance(p)).fold(f64::INFINITY, f64::min);
            assert!((sampled - 0.1 * scale..=sampled * (1.0 + 1e-12)).contains(&found.distance), "case {case}");
            let away = (p - found.position) / found.distance;
            assert!(away.distance(found.normal) < 1e-9, "case {case}: {found:?}");
            on_edges += u32::from(found.normal.abs().max_element() < 0.99);
        }
        assert!(on_edges > 50, "{on_edges}");
        let on = soup.nearest(DVec3::new(1.5, 0.0, 0.5) * scale).unwrap();
        assert!(on.distance < 1e-15 * scale && on.normal.abs() == DVec3::Y);
        assert!(soup.nearest(DVec3::NAN).is_err());
    }
}

#[test]
fn samples_begin_with_the_vertices_of_triangles() {
    let mut random = SplitMix::new(41);
    let mut vertices: Vec<DVec3> = (0..12).map(|_| vector(&mut random)).collect();
    vertices.insert(5, DVec3::splat(9.0));
    let triangles = vec![[0, 1, 2], [3, 2, 4], [6, 7, 8], [1, 0, 9], [0, 1, 10], [11, 12, 2]];
    let soup = Soup::new(vertices.clone(), triangles.clone()).unwrap();
    assert_eq!(soup.vertices().len(), 12);
    assert!(soup.bounds().high.max_element() <= 1.0);
    let mut samples = Vec::new();
    soup.samples(0.2, &mut samples);
    assert_eq!(samples[..12], *soup.vertices());
    let points: Vec<DVec3> = (0..2000)
        .map(|case| {
            let [a, b, c] = triangles[case % 6].map(|v| vertices[v as usize]);
            let [s, t] = [0, 1].map(|_| random.next_fraction());
            let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
            a + s * (b - a) + t * (c - a)
        })
        .collect();
    check_samples(&soup, 0.2, points.into_iter());
}

#[test]
fn polygons_are_cut() {
    let l = [[2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0], [0.0, 0.0]];
    let mut vertices: Vec<DVec3> = l.iter().map(|p| DVec3::new(p[0], p[1], 0.0)).collect();
    vertices.push(DVec3::Z);
    let soup = Soup::from_polygons(vertices.clone(), &[vec![0, 1, 2, 3, 4, 5], vec![5, 0, 6]]).unwrap();
    let Triangles { vertices: positions, triangles } = Solid::triangles(&soup);
    assert_eq!((triangles.len(), positions.len()), (5, 7));
    let mut area = 0.0;
    for t in &triangles[..4] {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        area += (b - a).cross(c - a).z / 2.0;
    }
    assert_eq!(area, 3.0);
    // The height of the triangle over the side of length 2 is 1; those in the L are not lower than 1 by √5.
    assert!(soup.thickness() >= 0.4 && soup.thickness() <= 1.0);
    for (point, count) in [(DVec3::new(1.4, 0.3, 0.0), 1), (DVec3::new(1.5, 1.5, 0.0), 0)] {
        let mut found = Vec::new();
        soup.crossings(point + DVec3::new(0.0, 0.01, 1.0), point - DVec3::new(0.0, 0.01, 1.0), &mut found);
        assert_eq!(found.len(), count, "{point}");
        assert!(found.iter().all(|c| c.normal == Some(DVec3::Z)));
    }
    let bow = vec![DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0), DVec3::X, DVec3::Y];
    let error = Soup::from_polygons(bow, &[vec![0, 1, 2, 3]]).unwrap_err();
    assert_eq!(error, SoupError::Uncuttable { polygon: 0, corners: vec![0, 1, 2, 3] });
    let error = |polygons: &[Vec<u32>]| Soup::from_polygons(vertices.clone(), polygons).unwrap_err();
    assert_eq!(error(&[]), SoupError::NoTriangles);
    assert_eq!(error(&[vec![0, 1, 2], vec![3, 4]]), SoupError::TooFewCorners { polygon: 1, corners: 2 });
    let outside = SoupError::IndexOutOfRange { polygon: 1, vertex: 7, vertices: 7 };
    assert_eq!(error(&[vec![0, 1, 2], vec![3, 4, 5, 7]]), outside);
    let flat = SoupError::DegenerateTriangle { triangle: 1, corners: [3, 4, 4] };
    assert_eq!(error(&[vec![0, 1, 2, 3, 4, 5], vec![3, 4, 4]]), flat);
}

#[test]
fn what_is_wrong_with_a_soup_is_said() {
    let unit = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let error =
        |vertices: &[DVec3], triangles: &[[u32; 3]]| Soup::new(vertices.to_vec(), triangles.to_vec()).unwrap_err();
    assert_eq!(error(&unit, &[]), SoupError::NoTriangles);
    assert_eq!(error(&[], &[[0, 1, 2]]), SoupError::IndexOutOfRange { polygon: 0, vertex: 0, vertices: 0 });
    let found = error(&unit, &[[0, 1, 2], [0, 3, 1]]);
    assert_eq!(found, SoupError::IndexOutOfRange { polygon: 1, vertex: 3, vertices: 3 });
    assert!(found.to_string().contains("polygon 1 refers to vertex 3"));
    for bad in [f64::NAN, f64::INFINITY, 1e61] {
        let found = error(&[DVec3::ZERO, DVec3::X, DVec3::new(0.0, bad, 0.0)], &[[0, 1, 2]]);
        assert!(matches!(found, SoupError::UnusableCoordinate { vertex: 2, .. }), "{found}");
    }
    let line = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X, DVec3::Y];
    let found = error(&line, &[[0, 1, 3], [0, 1, 2]]);
    assert_eq!(found, SoupError::DegenerateTriangle { triangle: 1, corners: [0, 1, 2] });
    assert_eq!(error(&unit, &[[0, 1, 1]]), SoupError::DegenerateTriangle { triangle: 0, corners: [0, 1, 1] });

    // Twice the same triangle, once turned, and one through it: a soup may.
    let vertices =
        vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.2, 0.2, -1.0), DVec3::new(0.2, 0.2, 1.0), DVec3::ONE];
    let soup = Soup::new(vertices, vec![[0, 1, 2], [0, 2, 1], [3, 4, 5]]).unwrap();
    assert_eq!((soup.kind(), soup.is_closed()), ("polygon soup", false));
    let mut found = Vec::new();
    soup.crossings(DVec3::new(0.1, 0.2, 1.0), DVec3::new(0.1, 0.2, -1.0), &mut found);
    assert_eq!(found.len(), 2);
    let crossing = Crossing { share: 0.5, normal: Some(DVec3::Z), is_entry: true };
    assert_eq!(found, [crossing; 2]);
    assert_eq!(soup.mass_properties(1.0), Err(MassPropertiesError::MassOrVolume { mass: 0.0, volume: 0.0 }));
    assert!(matches!(soup.mass_properties(f64::NAN), Err(MassPropertiesError::Density { .. })));
}
