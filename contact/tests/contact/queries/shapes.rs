//! Shapes, poses and points by chance.

use drystone_contact::Pose;
use drystone_contact::pose::advance;
use drystone_contact::shape::convex_core::RoundedCore;
use drystone_contact::shape::{MassProperties, MassPropertiesError};
use drystone_contact::shape::{
    Polyhedron, Primitive, Shape, Surface, SurfacePoint, TetrahedralizationSettings, Triangles,
};
use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

pub fn vector(random: &mut SplitMix, size: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)))
}

pub fn pose(random: &mut SplitMix, size: f64) -> Pose {
    Pose::from_parts(vector(random, size), random.next_rotation())
}

/// A pose after a share of a motion with a rotation vector.
pub fn moved(pose: &Pose, translation: DVec3, rotation: DVec3, share: f64) -> Pose {
    advance(*pose, translation, rotation, share)
}

pub fn polyhedron(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Shape {
    let surface = Surface::new(vertices, triangles).unwrap();
    Polyhedron::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap().into()
}

pub fn cuboid(sides: DVec3) -> Shape {
    let corner = |i: usize| {
        let sign = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
        DVec3::new(sign(1), sign(2), sign(4)) * sides
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    polyhedron((0..8).map(corner).collect(), triangles)
}

/// An octahedron with its triangles cut in four, `levels` times, and its vertices moved along the rays from the centre to random
/// distances: not convex, seen whole from the centre.
pub fn star(random: &mut SplitMix, levels: usize, least: f64) -> Shape {
    let mut vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..levels {
        let mut middles = std::collections::BTreeMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let [d, e, f] = [(a, b), (b, c), (c, a)].map(|(p, q)| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    vertices.push((vertices[p as usize] + vertices[q as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            });
            finer.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]);
        }
        triangles = finer;
    }
    let vertices = vertices.into_iter().map(|v| v * random.next_between(least, 1.0)).collect();
    polyhedron(vertices, triangles)
}

/// Two cubes on an L, which is not convex and has edges that lie in planes of faces.
pub fn corner() -> Shape {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let mut vertices = Vec::new();
    for z in [-0.5, 0.5] {
        vertices.extend(outline.map(|[x, y]| DVec3::new(x - 0.8, y - 0.8, z)));
    }
    let cap = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for [a, b, c] in cap {
        triangles.extend([[c, b, a], [a + 6, b + 6, c + 6]]);
    }
    for k in 0..6 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
    }
    polyhedron(vertices, triangles)
}

/// A capsule along y that knows its closest points alone: a kind that queries have no closed form for.
#[derive(Debug)]
pub struct Pill {
    pub half: f64,
    pub radius: f64,
}

impl Primitive for Pill {
    fn kind(&self) -> &'static str {
        "pill"
    }

    fn dimensions(&self) -> Vec<f64> {
        vec![self.half, self.radius]
    }

    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        let reach = (pose.rotation * DVec3::Y * self.half).abs() + self.radius;
        (pose.translation - reach, pose.translation + reach)
    }

    fn mass_properties(&self, _: f64) -> Result<MassProperties, MassPropertiesError> {
        Err(MassPropertiesError::MassOrVolume { mass: 0.0, volume: 0.0 })
    }

    fn thickness(&self) -> f64 {
        self.radius
    }

    fn support(&self, _: DVec3) -> Option<DVec3> {
        None
    }

    fn core(&self) -> Option<RoundedCore<'_>> {
        None
    }

    fn closest(&self, point: DVec3) -> SurfacePoint {
        let on_axis = DVec3::Y * point.y.clamp(-self.half, self.half);
        let normal = (point - on_axis).try_normalize().unwrap_or(DVec3::X);
        SurfacePoint {
            position: on_axis + normal * self.radius,
            normal,
            distance: point.distance(on_axis) - self.radius,
        }
    }

    fn triangles(&self) -> Triangles {
        Triangles::default()
    }
}
