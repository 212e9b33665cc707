//! Convex bodies of a wanted number of facets, in pairs that touch at one facet each.

use std::error::Error;
use std::f64::consts::{FRAC_PI_3, PI};

use drystone_contact::Pose;
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use glam::{DQuat, DVec3};
use parry3d_f64::shape::{ConvexPolyhedron, SharedShape};
use parry3d_f64::transformation::try_convex_hull;

/// Which bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A dome on a hexagonal plinth, of which all but seven facets are far from the other body.
    DomeOnPlinth,
    /// A dome that springs from the hexagon itself: the more facets, the more of them near the other body.
    Dome,
    /// A ball of triangles, each the smaller the more there are.
    Ball,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DomeOnPlinth, Self::Dome, Self::Ball];

    /// What the pair is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::DomeOnPlinth => "Domes on plinths, base on base",
            Self::Dome => "Domes, base on base",
            Self::Ball => "Balls, facet on facet",
        }
    }
}

/// Two copies of a body, the upper one with its touching facet downwards on that of the lower one.
pub struct Pair {
    /// The body.
    pub shape: Shape,
    /// The same body in parry.
    pub polyhedron: SharedShape,
    /// Where the lower copy is; its touching facet looks along +y at the origin.
    pub lower: Pose,
    /// Where the upper copy is.
    pub upper: Pose,
}

/// Between the two facets, m.
const GAP: f64 = 1e-4;
/// How far the upper facet is turned about the common normal, rad.
const TURN: f64 = 0.4;

impl Pair {
    /// A pair of a family whose bodies have about so many facets.
    ///
    /// # Errors
    /// A hull that cannot be made.
    pub fn new(family: Family, facets: usize) -> Result<Self, Box<dyn Error>> {
        let (points, looks_along) = match family {
            Family::DomeOnPlinth => ([ring(0.0), ring(0.3), dome(facets, 0.3)].concat(), Some(DVec3::NEG_Y)),
            Family::Dome => ([ring(0.0), dome(facets, 0.0)].concat(), Some(DVec3::NEG_Y)),
            Family::Ball => (sphere(facets / 2 + 2, -1.0), None),
        };
        let (vertices, triangles) = try_convex_hull(&points)?;
        let polyhedron =
            ConvexPolyhedron::from_convex_mesh(vertices.clone(), &triangles).ok_or("parry takes no such hull")?;
        let surface = Surface::new(vertices, triangles)?;
        let shape = Shape::from_surface(&surface, &TetrahedralizationSettings::default())?;
        let all = shape.features().unwrap().facets();
        let wanted = looks_along.unwrap_or(DVec3::X);
        let touching = all
            .iter()
            .max_by(|f, g| f.normal.dot(wanted).total_cmp(&g.normal.dot(wanted)))
            .ok_or("a body without facets")?;
        let looking = |direction: DVec3| DQuat::from_rotation_arc(touching.normal, direction);
        let placed = |rotation: DQuat, at: DVec3| Pose::from_parts(at - rotation * touching.centre, rotation);
        let lower = placed(looking(DVec3::Y), DVec3::ZERO);
        let upper = placed(DQuat::from_rotation_y(TURN) * looking(DVec3::NEG_Y), DVec3::Y * GAP);
        Ok(Self { shape, polyhedron: SharedShape::new(polyhedron), lower, upper })
    }
}

/// The corners of a hexagon of one metre across y at a height.
fn ring(y: f64) -> Vec<DVec3> {
    (0..6).map(|k| DQuat::from_rotation_y(f64::from(k) * FRAC_PI_3) * DVec3::X + DVec3::Y * y).collect()
}

/// Half a ball that fits a hexagon of one metre at a height: as many points as it is to have facets, for half of them are
/// inside the hull of the others and the hexagon.
fn dome(facets: usize, y: f64) -> Vec<DVec3> {
    sphere(facets.saturating_sub(6).max(1), 0.1).iter().map(|p| 0.8 * *p + DVec3::Y * y).collect()
}

/// Points spread evenly over the unit sphere above a height, along a spiral by the golden angle.
fn sphere(points: usize, lowest: f64) -> Vec<DVec3> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let at = |i: usize| {
        let y = lowest + (1.0 - lowest) * (i as f64 + 0.5) / points as f64;
        let (sin, cos) = libm::sincos(golden * i as f64);
        let radius = (1.0 - y * y).sqrt();
        DVec3::new(radius * cos, y, radius * sin)
    };
    (0..points).map(at).collect()
}
