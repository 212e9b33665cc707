//! The corners of a contact region by brute force: the minimal number of contacts that a pose needs.
//!
//! Independent of all generators. For an expected normal n, the features of A that are extreme along n (faces across n,
//! else edges, else vertices whose neighbours all lie lower) meet those of B that are extreme along −n, if their planes
//! are within an envelope of each other. Bodies that have sunk into each other are first moved apart along the expected
//! normals: in a crack what has sunk into one wall would else have passed by the border of the other. The region is the
//! union of the intersections of such features, projected along n, each level for itself; its corners are where its border
//! turns, and the ends of what is only a line or a point. Primitives have the point, line or face that is farthest along n.

mod outline;
mod primitive;

use std::collections::BTreeSet;

use drystone_contact::shape::{Primitive, Shape, Surface, SurfaceEdge};
use drystone_contact::sorting::CompactSort;
use drystone_contact::{Contact, Feature};
use drystone_engine::{BodyId, ContactBetween, Pose};
use glam::{DVec2, DVec3};

use self::outline::{border_corners, contains, distance_to_segment, intersection, outline_of};
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
    let placed = |id: BodyId| Placed::new(&scene.bodies[id.index()].shape, poses[id.index()]);
    let of_pair = |pair: &PairTruth| {
        let (Some(a), Some(mut b)) = (placed(pair.a), placed(pair.b)) else { return Vec::new() };
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

/// A shape in the world.
enum Placed<'a> {
    Polyhedron(PlacedSurface<'a>),
    Primitive(&'a dyn Primitive, Pose),
}

/// A surface with world vertices.
struct PlacedSurface<'a> {
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

impl<'a> Placed<'a> {
    /// `None` of shapes whose features are not known here.
    fn new(shape: &'a Shape, pose: Pose) -> Option<Self> {
        let Some(surface) = shape.surface() else {
            return shape.as_primitive().map(|primitive| Placed::Primitive(primitive, pose));
        };
        let vertices = surface.vertices().iter().map(|&v| pose.transform_point(v)).collect();
        Some(Placed::Polyhedron(PlacedSurface { surface, vertices }))
    }

    fn shift(&mut self, by: DVec3) {
        match self {
            Placed::Polyhedron(placed) => placed.vertices.iter_mut().for_each(|v| *v += by),
            Placed::Primitive(_, pose) => pose.translation += by,
        }
    }

    /// The features that are extreme along n.
    fn extreme(&self, n: DVec3, settings: &RegionSettings) -> Vec<Extreme> {
        let (primitive, pose) = match self {
            Placed::Polyhedron(placed) => return placed.extreme(n, settings),
            Placed::Primitive(primitive, pose) => (primitive, pose),
        };
        let points = primitive::farthest(*primitive, pose, n, settings.angle);
        if points.is_empty() {
            return Vec::new();
        }
        let (s, t) = n.any_orthonormal_pair();
        let outline = points.iter().map(|p| DVec2::new(p.dot(s), p.dot(t))).collect();
        let height = points.iter().map(|p| p.dot(n)).sum::<f64>() / points.len() as f64;
        vec![Extreme { height, outline: outline_of(outline, settings.length), reflex: Vec::new() }]
    }
}

impl PlacedSurface<'_> {
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
            // Straight away from the edge: long narrow triangles are as steep as wide ones.
            let offset = |v: u32| (at(v) - at(i)).reject_from_normalized(direction);
            let is_above = |v: &u32| *v != i && *v != j && is_higher(offset(*v), n, settings);
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
            b.shift(shift);
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
    let mut found = pieces_across(a, b, n, settings);
    found.compact_sort_by(|p, q| p.height.total_cmp(&q.height));
    // Pieces that are farther apart along n than the envelope belong to regions of their own, as the treads of a stair do.
    let levels = found.chunk_by(|lower, upper| upper.height - lower.height <= settings.envelope);
    let mut corners = Vec::new();
    for level in levels {
        let pieces: Vec<Vec<DVec2>> = level.iter().map(|piece| piece.outline.clone()).collect();
        let height = |x: DVec2| {
            let place = pieces.iter().position(|piece| contains(piece, x, settings.length));
            place.map_or(0.0, |k| level[k].height)
        };
        corners.extend(border_corners(&pieces, settings).into_iter().map(|x| s * x.x + t * x.y + n * height(x)));
    }
    corners
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
}
