//! The corners of a contact region by brute force: the minimal number of contacts that a pose needs.
//!
//! Independent of all generators. For an expected normal n, the features of A that are extreme along n (faces across n,
//! else edges, else vertices whose neighbours all lie lower) meet those of B that are extreme along −n, if their planes
//! are within an envelope of each other. Bodies that have sunk into each other are first moved apart along the expected
//! normals: in a crack what has sunk into one wall would else have passed by the border of the other. The region is the
//! union of the intersections of such features, projected along n; its corners are where its border turns, and the ends
//! of what is only a line or a point.

use std::collections::BTreeSet;

use drystone_contact::segment::share;
use drystone_contact::shape::{Surface, SurfaceEdge};
use drystone_contact::{Contact, Feature};
use drystone_engine::{BodyId, ContactBetween, Pose};
use glam::{DVec2, DVec3};

use crate::scene::Scene;
use crate::truth::{PairTruth, Truth};

/// Tolerances of the brute force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionSettings {
    /// Features whose planes are at most this far apart, in either sense, are in contact, m: the width of the collision
    /// envelope.
    pub envelope: f64,
    /// Directions that differ by less are parallel, rad.
    pub angle: f64,
    /// Positions that differ by less are one, m.
    pub length: f64,
}

impl Default for RegionSettings {
    fn default() -> Self {
        RegionSettings { envelope: 0.02, angle: 1e-2, length: 1e-6 }
    }
}

/// A corner of a contact region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionCorner {
    /// One body of the pair.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// The expected normal in the sense from A to B, world frame.
    pub normal: DVec3,
    /// Where it is, world frame, m: half way between the two features.
    pub position: DVec3,
}

impl RegionCorner {
    /// The corner as a contact without a gap.
    pub fn contact(&self) -> ContactBetween {
        let feature = Feature::Tetrahedron(0);
        let (position, normal) = (self.position, self.normal);
        let contact = Contact { position, normal, gap: 0.0, feature_a: feature, feature_b: feature };
        ContactBetween { a: self.a, b: self.b, contact }
    }
}

/// The number of corners of all contact regions of the truth's pairs at the given poses.
pub fn corners(scene: &Scene, truth: &Truth, poses: &[Pose], settings: &RegionSettings) -> usize {
    region_corners(scene, truth, poses, settings).len()
}

/// The corners of all contact regions of the truth's pairs at the given poses, in the order of pairs and normals, which
/// are taken as they are: [`Truth::at`] turns them.
pub fn region_corners(scene: &Scene, truth: &Truth, poses: &[Pose], settings: &RegionSettings) -> Vec<RegionCorner> {
    let surface = |i: usize| {
        let surface = scene.bodies[i].shape.surface()?;
        let vertices: Vec<DVec3> = surface.vertices().iter().map(|&v| poses[i].transform_point(v)).collect();
        Some(Placed { surface, vertices })
    };
    let of_pair = |pair: &PairTruth| {
        // The regions of curved surfaces have no corners.
        let (Some(a), Some(mut b)) = (surface(pair.a.index()), surface(pair.b.index())) else { return Vec::new() };
        // The sense of an expected normal is free.
        let normals: Vec<DVec3> = pair.directions().flat_map(|n| [n, -n]).collect();
        let way = move_apart(&a, &mut b, &normals, settings);
        let mut found = Vec::new();
        for normal in normals {
            let positions = corners_across(&a, &b, normal, settings).into_iter().map(|p| p - 0.5 * way);
            found.extend(positions.map(|position| RegionCorner { a: pair.a, b: pair.b, normal, position }));
        }
        found
    };
    truth.pairs.iter().flat_map(of_pair).collect()
}

/// A surface with world vertices.
struct Placed<'a> {
    surface: &'a Surface,
    vertices: Vec<DVec3>,
}

/// A feature across n: its height along n and its corners in the plane.
struct Extreme {
    height: f64,
    outline: Vec<DVec2>,
    /// The sides of the outline beyond which another face rises.
    reflex: Vec<[DVec2; 2]>,
}

impl Placed<'_> {
    /// The features that are extreme along n, those of higher dimension in place of their borders.
    fn extreme(&self, n: DVec3, settings: &RegionSettings) -> Vec<Extreme> {
        let (s, t) = n.any_orthonormal_pair();
        let at = |v: u32| self.vertices[v as usize];
        let place = |v: u32| DVec2::new(at(v).dot(s), at(v).dot(t));
        let feature = |corners: &[u32]| Extreme {
            height: corners.iter().map(|&v| at(v).dot(n)).sum::<f64>() / corners.len() as f64,
            outline: corners.iter().map(|&v| place(v)).collect(),
            reflex: Vec::new(),
        };
        let is_reflex = |edge: &SurfaceEdge, triangle: [u32; 3]| {
            let others = edge.triangles.map(|t| self.surface.triangles()[t as usize]).concat();
            others.iter().any(|&v| is_higher(at(v) - at(triangle[0]), n, settings))
        };
        let mut found = Vec::new();
        let mut taken = BTreeSet::new();
        let normal = |[a, b, c]: [u32; 3]| (at(b) - at(a)).cross(at(c) - at(a)).normalize();
        for (&triangle, edges) in self.surface.triangles().iter().zip(self.surface.triangle_edges()) {
            let normal = normal(triangle);
            if normal.cross(n).length() < settings.angle && normal.dot(n) > 0.0 {
                let edges = edges.iter().map(|&e| &self.surface.edges()[e as usize]);
                let reflex = edges.filter(|e| is_reflex(e, triangle)).map(|e| e.vertices.map(place)).collect();
                found.push(Extreme { reflex, ..feature(&triangle) });
                taken.extend(triangle);
            }
        }
        for edge in self.surface.edges() {
            let [i, j] = edge.vertices;
            let direction = (at(j) - at(i)).normalize();
            let triangles = edge.triangles.map(|t| self.surface.triangles()[t as usize]);
            let faces_n = triangles.map(normal).iter().sum::<DVec3>().dot(n) > settings.angle;
            let opposite = triangles.concat();
            let is_above = |v: &u32| *v != i && *v != j && is_higher(at(*v) - at(i), n, settings);
            let is_across = direction.dot(n).abs() < settings.angle;
            if faces_n && is_across && !(taken.contains(&i) && taken.contains(&j)) && !opposite.iter().any(is_above) {
                found.push(feature(&[i, j]));
                taken.extend([i, j]);
            }
        }
        let mut triangles_at = vec![Vec::new(); self.vertices.len()];
        for &triangle in self.surface.triangles() {
            triangle.iter().for_each(|&v| triangles_at[v as usize].push(triangle));
        }
        for v in (0..self.vertices.len() as u32).filter(|v| !taken.contains(v)) {
            let around = &triangles_at[v as usize];
            let faces_n = around.iter().any(|&t| normal(t).dot(n) > settings.angle);
            if faces_n && around.iter().flatten().all(|&u| u == v || !is_higher(at(u) - at(v), n, settings)) {
                found.push(feature(&[v]));
            }
        }
        found
    }
}

/// Whether a point seen along `offset` lies above the plane across n, by more than the angle of the settings.
fn is_higher(offset: DVec3, n: DVec3, settings: &RegionSettings) -> bool {
    offset.dot(n) > settings.angle * offset.length()
}

/// Moves B until it penetrates A along none of the normals, and returns the way, m.
fn move_apart(a: &Placed<'_>, b: &mut Placed<'_>, normals: &[DVec3], settings: &RegionSettings) -> DVec3 {
    const ROUNDS: usize = 20;
    let mut way = DVec3::ZERO;
    for _ in 0..ROUNDS {
        let before = way;
        for &n in normals {
            let gaps = pieces_across(a, b, n, settings).into_iter().map(|piece| piece.gap);
            let shift = n * -gaps.fold(0.0, f64::min);
            b.vertices.iter_mut().for_each(|v| *v += shift);
            way += shift;
        }
        if way.distance(before) <= settings.length {
            break;
        }
    }
    way
}

/// What a feature of A and one of B that face each other have in common, across a normal.
struct Piece {
    outline: Vec<DVec2>,
    /// Half way between the two features, along the normal, m.
    height: f64,
    gap: f64,
}

/// The pieces of the region where A is extreme along n and B along −n.
fn pieces_across(a: &Placed<'_>, b: &Placed<'_>, n: DVec3, settings: &RegionSettings) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let of_b = b.extreme(-n, settings);
    // The plane of B's features is spanned by the same pair of directions, seen from the other side.
    let (s, t) = n.any_orthonormal_pair();
    let (minus_s, minus_t) = (-n).any_orthonormal_pair();
    let turned = |p: &DVec2| {
        let q = minus_s * p.x + minus_t * p.y;
        DVec2::new(q.dot(s), q.dot(t))
    };
    for f in a.extreme(n, settings) {
        for g in &of_b {
            if (-g.height - f.height).abs() <= settings.envelope {
                let outline: Vec<DVec2> = g.outline.iter().map(turned).collect();
                let mut piece = intersection(&f.outline, &outline, settings.length);
                if piece.is_empty() {
                    let reflex = g.reflex.iter().map(|side| [turned(&side[0]), turned(&side[1])]);
                    piece.extend(beyond_reflex(&f.outline, reflex, settings));
                    piece.extend(beyond_reflex(&outline, f.reflex.iter().copied(), settings));
                }
                if !piece.is_empty() {
                    let (height, gap) = (0.5 * (f.height - g.height), -g.height - f.height);
                    pieces.push(Piece { outline: piece, height, gap });
                }
            }
        }
    }
    pieces
}

/// A vertex that lies beside a face, no farther beyond a reflex side of it than the envelope: in a pit it touches all
/// walls, though it can be right above two only.
fn beyond_reflex(
    outline: &[DVec2],
    mut reflex: impl Iterator<Item = [DVec2; 2]>,
    settings: &RegionSettings,
) -> Option<DVec2> {
    let &[x] = outline else { return None };
    let is_beside = |[a, b]: [DVec2; 2]| {
        let along = (x - a).dot(b - a) / (b - a).length_squared();
        (0.0..=1.0).contains(&along) && distance_to_segment(x, [a, b]) <= settings.envelope
    };
    reflex.any(is_beside).then_some(x)
}

/// Corners of the region where A is extreme along n and B along −n.
fn corners_across(a: &Placed<'_>, b: &Placed<'_>, n: DVec3, settings: &RegionSettings) -> Vec<DVec3> {
    let (s, t) = n.any_orthonormal_pair();
    let found = pieces_across(a, b, n, settings);
    let heights: Vec<f64> = found.iter().map(|piece| piece.height).collect();
    let pieces: Vec<Vec<DVec2>> = found.into_iter().map(|piece| piece.outline).collect();
    let height = |x: DVec2| {
        let place = pieces.iter().position(|piece| contains(piece, x, settings.length));
        place.map_or(0.0, |k| heights[k])
    };
    let corners = border_corners(&pieces, settings);
    corners.into_iter().map(|x| s * x.x + t * x.y + n * height(x)).collect()
}

/// The convex hull of the intersection of two convex outlines (polygon, segment or point), without repetitions:
/// vertices of one in the other, and crossings of their sides.
fn intersection(p: &[DVec2], q: &[DVec2], tolerance: f64) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = Vec::new();
    let mut add = |x: DVec2| {
        if points.iter().all(|y| y.distance(x) > tolerance) {
            points.push(x);
        }
    };
    p.iter().filter(|x| contains(q, **x, tolerance)).for_each(|x| add(*x));
    q.iter().filter(|x| contains(p, **x, tolerance)).for_each(|x| add(*x));
    for [a, b] in sides(p) {
        for [c, d] in sides(q) {
            let (u, v) = (b - a, d - c);
            let area = u.perp_dot(v);
            if area.abs() > tolerance * u.length().max(v.length()) {
                let (s, t) = ((c - a).perp_dot(v) / area, (c - a).perp_dot(u) / area);
                if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                    add(a + u * s);
                }
            }
        }
    }
    outline_of(points, tolerance)
}

/// The sides of an outline: none of a point, one of a segment.
fn sides(outline: &[DVec2]) -> Vec<[DVec2; 2]> {
    match outline.len() {
        0 | 1 => Vec::new(),
        2 => vec![[outline[0], outline[1]]],
        n => (0..n).map(|i| [outline[i], outline[(i + 1) % n]]).collect(),
    }
}

/// Whether a convex outline, in either sense of rotation, contains the point or comes within the tolerance of it.
fn contains(outline: &[DVec2], x: DVec2, tolerance: f64) -> bool {
    if outline.len() == 1 {
        return outline[0].distance(x) <= tolerance;
    }
    if sides(outline).iter().any(|&side| distance_to_segment(x, side) <= tolerance) {
        return true;
    }
    let turns: Vec<f64> = sides(outline).iter().map(|[a, b]| (*b - *a).perp_dot(x - *a)).collect();
    outline.len() > 2 && (turns.iter().all(|&t| t > 0.0) || turns.iter().all(|&t| t < 0.0))
}

fn distance_to_segment(x: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let t = share((x - a).dot(b - a), (b - a).length_squared());
    x.distance(a + (b - a) * t)
}

/// The corners of a convex polygon counter-clockwise; of points on a line, the two ends.
fn outline_of(mut points: Vec<DVec2>, tolerance: f64) -> Vec<DVec2> {
    let Some(&first) = points.first() else {
        return points;
    };
    let farthest =
        |from: DVec2| points.iter().copied().fold(from, |f, p| if p.distance(from) > f.distance(from) { p } else { f });
    let start = farthest(first);
    let end = farthest(start);
    if points.iter().all(|&p| start == end || distance_to_segment(p, [start, end]) <= tolerance) {
        return if start == end { vec![start] } else { vec![start, end] };
    }
    let centre = points.iter().sum::<DVec2>() / points.len() as f64;
    points.sort_by(|p, q| (*p - centre).to_angle().total_cmp(&(*q - centre).to_angle()));
    points
}

/// Where the border of the union of the pieces turns. Polygons do not overlap, as they come from the triangles of two
/// surfaces; so the angles that they fill at a point add up: 2π inside, π on a straight side.
fn border_corners(pieces: &[Vec<DVec2>], settings: &RegionSettings) -> Vec<DVec2> {
    let mut candidates: Vec<DVec2> = Vec::new();
    for &x in pieces.iter().flatten() {
        if candidates.iter().all(|y| y.distance(x) > settings.length) {
            candidates.push(x);
        }
    }
    let is_corner = |x: &&DVec2| {
        let filled: f64 = pieces.iter().map(|piece| filled_angle(piece, **x, settings)).sum();
        let straight = std::f64::consts::PI;
        if filled > settings.angle {
            return (filled - straight).abs() > settings.angle && (filled - 2.0 * straight).abs() > settings.angle;
        }
        // On lines only: a corner unless lines go on in opposite directions. A point alone is a corner.
        let ways: Vec<DVec2> =
            pieces.iter().filter(|p| p.len() == 2).flat_map(|p| ways_from(p, **x, settings)).collect();
        let opposite = |u: &DVec2| ways.iter().any(|v| u.dot(*v) < -1.0 + settings.angle);
        ways.is_empty() || !ways.iter().all(opposite)
    };
    candidates.iter().filter(is_corner).copied().collect()
}

/// The angle that a polygon fills at x: 2π inside, π on a side, the inner angle in a corner; 0 outside and for lines.
fn filled_angle(piece: &[DVec2], x: DVec2, settings: &RegionSettings) -> f64 {
    let n = piece.len();
    if n < 3 || !contains(piece, x, settings.length) {
        return 0.0;
    }
    if let Some(i) = piece.iter().position(|p| p.distance(x) <= settings.length) {
        let (before, after) = (piece[(i + n - 1) % n] - x, piece[(i + 1) % n] - x);
        return before.angle_to(after).abs();
    }
    let on_side = sides(piece).iter().any(|&side| distance_to_segment(x, side) <= settings.length);
    if on_side { std::f64::consts::PI } else { 2.0 * std::f64::consts::PI }
}

/// The unit directions in which a segment goes on from x.
fn ways_from(segment: &[DVec2], x: DVec2, settings: &RegionSettings) -> Vec<DVec2> {
    if !contains(segment, x, settings.length) {
        return Vec::new();
    }
    let far = segment.iter().filter(|p| p.distance(x) > settings.length);
    far.map(|p| (*p - x).normalize()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Case, Model};
    use crate::truth::TruthKind;

    fn at_start(case: Case, kind: TruthKind) -> usize {
        let scene = case.scene(Model::Procedural, None).unwrap();
        let poses: Vec<Pose> = scene.states().iter().map(drystone_engine::Body::pose).collect();
        corners(&scene, &scene.truth(kind), &poses, &RegionSettings::default())
    }

    #[test]
    fn the_touching_poses_need_the_published_minimum() {
        for case in Case::ALL {
            for kind in [TruthKind::Corrected, TruthKind::Published] {
                let minimum = case.scene(Model::Procedural, None).unwrap().truth(kind).minimum();
                assert_eq!(at_start(case, kind), minimum, "{case}, {kind}");
            }
        }
    }

    #[test]
    fn corners_are_where_the_faces_end() {
        let scene = Case::CliffEdges.scene(Model::Procedural, None).unwrap();
        let poses: Vec<Pose> = scene.states().iter().map(drystone_engine::Body::pose).collect();
        let mut found = region_corners(&scene, &scene.truth, &poses, &RegionSettings::default());
        found.sort_by_key(|c| (c.position.x > 0.0, c.position.z > 0.0));
        assert!(found.iter().all(|c| c.normal == DVec3::Y && (c.a.index(), c.b.index()) == (0, 1)));
        let expected = [(-1.6, -1.6), (-1.6, 1.6), (1.6, -1.6), (1.6, 1.6)].map(|(x, z)| DVec3::new(x, 3.2, z));
        assert!(found.iter().zip(expected).all(|(c, e)| c.position.distance(e) < 1e-12));
    }

    #[test]
    fn overlapping_sides_of_two_spikes_make_a_rhombus() {
        let scene = Case::Spikes.scene(Model::Procedural, None).unwrap();
        let mut poses: Vec<Pose> = scene.states().iter().map(drystone_engine::Body::pose).collect();
        poses[0].translation += scene.bodies[0].body.velocity * 0.005;
        let count = |kind| corners(&scene, &scene.truth(kind), &poses, &RegionSettings::default());
        assert_eq!(count(TruthKind::Corrected), 4);
    }

    #[test]
    fn the_corners_of_an_l_and_of_a_broken_line() {
        let square = |x: f64, y: f64| {
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| DVec2::new(x + u, y + v)).to_vec()
        };
        let settings = RegionSettings::default();
        let pieces = [square(0.0, 0.0), square(1.0, 0.0), square(0.0, 1.0)];
        assert_eq!(border_corners(&pieces, &settings).len(), 6);
        let line = |a: f64, b: f64| vec![DVec2::new(a, 0.0), DVec2::new(b, 0.0)];
        assert_eq!(border_corners(&[line(0.0, 1.0), line(1.0, 2.0)], &settings).len(), 2);
        assert_eq!(border_corners(&[vec![DVec2::ZERO]], &settings).len(), 1);
        assert_eq!(border_corners(&[], &settings).len(), 0);
    }
}
