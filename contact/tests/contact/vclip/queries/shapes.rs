//! The polyhedra of the queries, and what is made from them.

use drystone_contact::vclip::ConvexPolyhedron;
use drystone_contact::vclip::hull::PointsAndFaces;
use drystone_contact::vclip::solids;
use glam::DVec3;

/// Only shapes up to this number of vertices are scaled, stretched, moved in their frame and triangulated.
const VARIED: usize = 700;

/// A polyhedron of about one metre, and variants of it.
pub struct Shape {
    pub name: &'static str,
    pub solid: ConvexPolyhedron,
    /// Empty for large shapes.
    pub variants: Vec<ConvexPolyhedron>,
}

/// Which variant of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// From faces with points on their edges and inside.
    Triangulated,
    /// A thousandth of the size.
    Small,
    /// A thousand times the size.
    Large,
    /// Ten thousand times as long as wide.
    Needle,
    /// Ten thousand times as wide as thick.
    Plate,
    /// A kilometre from the origin of its frame.
    Off,
    /// A thousand kilometres from the origin of its frame.
    FarOff,
}

impl Variant {
    const ALL: [Self; 7] =
        [Self::Triangulated, Self::Small, Self::Large, Self::Needle, Self::Plate, Self::Off, Self::FarOff];

    fn of(self, (points, faces): &PointsAndFaces) -> PointsAndFaces {
        let map = |f: &dyn Fn(DVec3) -> DVec3| (points.iter().map(|&p| f(p)).collect(), faces.clone());
        match self {
            Self::Triangulated => triangulated(points, faces),
            Self::Small => map(&|p| p * 1e-3),
            Self::Large => map(&|p| p * 1e3),
            Self::Needle => map(&|p| p * DVec3::new(1e-2, 1e-2, 1e2)),
            Self::Plate => map(&|p| p * DVec3::new(1e2, 1e2, 1e-2)),
            Self::Off => map(&|p| p + self.offset()),
            Self::FarOff => map(&|p| p + self.offset()),
        }
    }

    /// How far the centre is from the origin of the frame, m.
    pub fn offset(self) -> DVec3 {
        match self {
            Self::Off => DVec3::new(0.6e3, -0.64e3, 0.48e3),
            Self::FarOff => DVec3::new(-0.48e6, 0.6e6, 0.64e6),
            _ => DVec3::ZERO,
        }
    }
}

impl Shape {
    fn new(name: &'static str, parts: PointsAndFaces) -> Self {
        let solid = polyhedron(name, &parts);
        let variants = match parts.0.len() <= VARIED {
            true => Variant::ALL.iter().map(|variant| polyhedron(name, &variant.of(&parts))).collect(),
            false => Vec::new(),
        };
        Self { name, solid, variants }
    }

    pub fn variant(&self, variant: Variant) -> &ConvexPolyhedron {
        &self.variants[variant as usize]
    }
}

fn polyhedron(name: &str, (points, faces): &PointsAndFaces) -> ConvexPolyhedron {
    ConvexPolyhedron::new(points, faces).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All shapes up to a number of vertices.
pub fn shapes(largest: usize) -> Vec<Shape> {
    let sphere = |frequency: u32| move || solids::geodesic_sphere(frequency);
    let hull = |count, seed| move || solids::random_hull(count, seed).expect("points in general position");
    let all: [(&'static str, usize, &dyn Fn() -> PointsAndFaces); 13] = [
        ("cube", 8, &solids::cube),
        ("icosahedron", 12, &solids::icosahedron),
        ("prism 3", 6, &|| solids::prism(3, 1.0, 1.5)),
        ("prism 7", 14, &|| solids::prism(7, 1.0, 0.5)),
        ("disk", 120, &solids::disk),
        ("hull 8", 8, &hull(8, 1)),
        ("hull 40", 40, &hull(40, 2)),
        ("hull 400", 400, &hull(400, 3)),
        ("sphere 162", 162, &sphere(4)),
        ("sphere 642", 642, &sphere(8)),
        ("sphere 1002", 1002, &sphere(10)),
        ("sphere 2562", 2562, &sphere(16)),
        ("sphere 10242", 10242, &sphere(32)),
    ];
    all.iter().filter(|(_, size, _)| *size <= largest).map(|(name, _, parts)| Shape::new(name, parts())).collect()
}

/// Each face as a fan of triangles about a point inside, with a point in the middle of each edge.
pub fn triangulated(points: &[DVec3], faces: &[Vec<u32>]) -> PointsAndFaces {
    let mut points = points.to_vec();
    let mut middles = std::collections::BTreeMap::new();
    let mut triangles = Vec::new();
    for face in faces {
        let inside = points.len() as u32;
        let sum: DVec3 = face.iter().map(|&v| points[v as usize]).sum();
        points.push(sum / face.len() as f64);
        for k in 0..face.len() {
            let (from, to) = (face[k], face[(k + 1) % face.len()]);
            let middle = *middles.entry((from.min(to), from.max(to))).or_insert_with(|| {
                points.push(points[from as usize].midpoint(points[to as usize]));
                points.len() as u32 - 1
            });
            triangles.push(vec![inside, from, middle]);
            triangles.push(vec![inside, middle, to]);
        }
    }
    (points, triangles)
}
