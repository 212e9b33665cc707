//! A deformable surface: triangles with masses at their vertices, springs along edges and hinges across them; and bodies beside it.

use drystone_contact::Pose;
use drystone_contact::shape::Surface;
use drystone_contact::sorting::CompactSort;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::affine_body::{AffineBody, AffineMaterial};
use super::clock::Ticks;
use super::error::AsynchronousError;
use super::hinge::Hinge;
use super::membrane::{Membrane, MembraneMaterial};
use super::obstacle::Obstacle;
use super::spring::Spring;
use crate::prescribed_motion::PrescribedMotion;

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMaterial {
    /// kg/m².
    pub area_density: f64,
    /// The force in a spring per strain, N.
    pub stretching: f64,
    /// k of the hinges, J.
    pub bending: f64,
    /// The force in a spring per rate of strain, N s.
    pub damping: f64,
}

/// Surfaces at rest, and bodies: all that a simulation moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeformableSurface {
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Zero of vertices of bodies.
    masses: Vec<f64>,
    /// The lower vertex first; those of each part in ascending order.
    edges: Vec<[u32; 2]>,
    springs: Vec<Spring>,
    /// In place of springs.
    membranes: Vec<Membrane>,
    hinges: Vec<Hinge>,
    /// For each hinge the springs along the sides of its triangles; [`NO_SPRING`] where membranes are in place of them.
    sides: Vec<[u32; 5]>,
    bodies: Vec<AffineBody>,
    obstacles: Vec<Obstacle>,
}

/// Not a spring.
const NO_SPRING: u32 = u32::MAX;

/// A triangle at an edge: its number, whether it runs from the lower to the higher vertex, and the vertex opposite.
type Side = (usize, bool, u32);

/// An edge, from its lower to its higher vertex, and its triangles.
type Edge = ([u32; 2], Vec<Side>);

impl DeformableSurface {
    /// A surface of triangles that all turn the same way, at rest as it lies (m). It may be open, and in several parts.
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn new(
        positions: Vec<DVec3>,
        triangles: &[[u32; 3]],
        material: &SurfaceMaterial,
    ) -> Result<Self, AsynchronousError> {
        check_material(material)?;
        let masses = masses(&positions, triangles, material.area_density)?;
        let edges = edges(triangles)?;
        let springs = edges.iter().map(|(ends, _)| Spring {
            ends: *ends,
            rest_length: positions[ends[0] as usize].distance(positions[ends[1] as usize]),
            stiffness: material.stretching,
            damping: material.damping,
        });
        let springs: Vec<Spring> = springs.collect();
        let (mut hinges, mut sides) = (Vec::new(), Vec::new());
        let number = |a: u32, b: u32| {
            edges.binary_search_by_key(&[a.min(b), a.max(b)], |(ends, _)| *ends).unwrap_or_default() as u32
        };
        for (ends, triangles) in edges.iter().filter(|_| material.bending > 0.0) {
            let &[(_, first_forwards, first), (_, _, second)] = &triangles[..] else { continue };
            let [a, b] = if first_forwards { *ends } else { [ends[1], ends[0]] };
            let vertices = [a, b, first, second];
            hinges.push(Hinge::at_rest(vertices, vertices.map(|v| positions[v as usize]), material.bending));
            sides.push([[a, b], [a, first], [b, first], [a, second], [b, second]].map(|[p, q]| number(p, q)));
        }
        let edges = springs.iter().map(|spring| spring.ends).collect();
        let triangles = triangles.to_vec();
        Ok(Self { positions, triangles, masses, edges, springs, hinges, sides, ..Self::default() })
    }

    /// A single vertex at a position (m) with a mass in kg.
    ///
    /// # Errors
    /// [`AsynchronousError::NotFinite`], [`AsynchronousError::Parameter`].
    pub fn particle(position: DVec3, mass: f64) -> Result<Self, AsynchronousError> {
        if !position.is_finite() {
            return Err(AsynchronousError::NotFinite { vertex: 0, position: position.to_string() });
        }
        check_positive("mass", mass)?;
        let (positions, masses) = (vec![position], vec![mass]);
        Ok(Self { positions, masses, ..Self::default() })
    }

    /// Takes in another surface beside this one, whose vertices are numbered on: the number of its first is what is returned.
    pub fn append(&mut self, other: &Self) -> u32 {
        let [first, first_spring] = [self.positions.len() as u32, self.springs.len() as u32];
        self.positions.extend(&other.positions);
        self.masses.extend(&other.masses);
        self.edges.extend(other.edges.iter().map(|ends| ends.map(|v| v + first)));
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|v| v + first)));
        self.springs
            .extend(other.springs.iter().map(|spring| Spring { ends: spring.ends.map(|v| v + first), ..*spring }));
        self.hinges
            .extend(other.hinges.iter().map(|hinge| Hinge { vertices: hinge.vertices.map(|v| v + first), ..*hinge }));
        let shifted = |side: u32| if side == NO_SPRING { side } else { side + first_spring };
        self.sides.extend(other.sides.iter().map(|sides| sides.map(shifted)));
        self.membranes
            .extend(other.membranes.iter().map(|m| Membrane { vertices: m.vertices.map(|v| v + first), ..*m }));
        let first_body = self.bodies.len() as u32;
        self.bodies.extend(other.bodies.iter().map(|body| body.numbered_from(body.vertices().start + first)));
        self.obstacles.extend(other.obstacles.iter().map(|o| o.of_body(o.body + first_body)));
        first
    }

    /// Adds an affine body within a closed surface, at a pose of the surface's frame, with a velocity of its centre of mass (m/s) and an angular
    /// velocity (rad/s); its number is what is returned.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`], [`AsynchronousError::Mass`].
    pub fn add_body(
        &mut self,
        surface: &Surface,
        material: &AffineMaterial,
        pose: &Pose,
        velocities: [DVec3; 2],
    ) -> Result<u32, AsynchronousError> {
        Ok(self.add(surface, &AffineBody::new(surface, material, pose, velocities)?))
    }

    /// Adds an obstacle that moves from a pose of the surface's frame as a motion says, about the origin of that frame. Its vertices go along chords and are
    /// off their paths by no more than `chord_error`, m; the number of its body is what is returned.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`], [`AsynchronousError::NotFinite`].
    pub fn add_obstacle(
        &mut self,
        surface: &Surface,
        pose: &Pose,
        motion: &PrescribedMotion,
        chord_error: f64,
    ) -> Result<u32, AsynchronousError> {
        let body = AffineBody::obstacle(surface, pose)?;
        let obstacle = Obstacle::new(self.bodies.len() as u32, body.radius(), pose, motion, chord_error)?;
        self.obstacles.push(obstacle);
        Ok(self.add(surface, &body))
    }

    fn add(&mut self, surface: &Surface, body: &AffineBody) -> u32 {
        let first = self.positions.len() as u32;
        let body = body.numbered_from(first);
        self.positions.extend(body.vertices().map(|v| body.position_of(v, Ticks::default())));
        self.masses.resize(self.positions.len(), 0.0);
        self.triangles.extend(surface.triangles().iter().map(|corners| corners.map(|v| v + first)));
        let ends = surface.edges().iter().map(|edge| edge.vertices.map(|v| v + first));
        let mut edges: Vec<[u32; 2]> = ends.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        self.edges.extend(edges);
        self.bodies.push(body);
        self.bodies.len() as u32 - 1
    }

    /// The same surface with triangles of constant strain in place of springs, at rest as it lies. The springs' damping goes with them.
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`].
    pub fn with_membranes(mut self, material: &MembraneMaterial) -> Result<Self, AsynchronousError> {
        let lame = material.lame()?;
        let is_deformable = |corners: &&[u32; 3]| self.masses[corners[0] as usize] > 0.0;
        let membrane =
            |corners: &[u32; 3]| Membrane::at_rest(*corners, corners.map(|v| self.positions[v as usize]), lame);
        self.membranes = self.triangles.iter().filter(is_deformable).map(membrane).collect();
        self.springs.clear();
        self.sides.fill([NO_SPRING; 5]);
        Ok(self)
    }

    /// Whether all lists fit together: not so of one that was not written by this program.
    pub(super) fn is_consistent(&self) -> bool {
        let [count, springs] = [self.positions.len(), self.springs.len()].map(|count| count as u32);
        let is_there = |vertices: &[u32]| vertices.iter().all(|&v| v < count);
        self.masses.len() == self.positions.len()
            && self.sides.len() == self.hinges.len()
            && self.triangles.iter().all(|corners| is_there(corners))
            && self.edges.iter().all(|ends| is_there(ends))
            && self.springs.iter().all(|spring| is_there(&spring.ends))
            && self.membranes.iter().all(|membrane| is_there(&membrane.vertices))
            && self.hinges.iter().all(|hinge| is_there(&hinge.vertices))
            && self.sides.iter().flatten().all(|&side| side < springs || side == NO_SPRING)
            && self.bodies.iter().all(|body| body.vertices().all(|v| v < count))
            && self.obstacles.iter().all(|obstacle| (obstacle.body as usize) < self.bodies.len())
    }

    /// The vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// m.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Of each vertex, a third of that of its triangles, kg; zero of those of bodies.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The vertices of each edge, the lower first.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Affine bodies and obstacles as they are at the start.
    pub fn bodies(&self) -> &[AffineBody] {
        &self.bodies
    }

    /// How those of the bodies move that no force moves.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// One along each edge, in ascending order of their ends; none of bodies.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }

    /// One of each triangle, where they are in place of springs.
    pub fn membranes(&self) -> &[Membrane] {
        &self.membranes
    }

    /// One across each edge between two triangles; none without bending stiffness.
    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }

    /// For each hinge the numbers of the springs along the sides of its triangles.
    pub fn sides(&self) -> &[[u32; 5]] {
        &self.sides
    }
}

fn check_material(material: &SurfaceMaterial) -> Result<(), AsynchronousError> {
    let SurfaceMaterial { area_density, stretching, bending, damping } = *material;
    check_positive("area density", area_density)?;
    check_positive("stretching stiffness", stretching)?;
    for (what, value) in [("bending stiffness", bending), ("damping", damping)] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(AsynchronousError::Parameter { what, value, must: "finite and not below zero" });
        }
    }
    Ok(())
}

/// Refuses what is not finite and above zero.
pub(super) fn check_positive(what: &'static str, value: f64) -> Result<(), AsynchronousError> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(AsynchronousError::Parameter { what, value, must: "finite and above zero" })
    }
}

/// The masses of the vertices, kg.
fn masses(positions: &[DVec3], triangles: &[[u32; 3]], density: f64) -> Result<Vec<f64>, AsynchronousError> {
    if triangles.is_empty() {
        return Err(AsynchronousError::Empty);
    }
    if let Some(vertex) = positions.iter().position(|position| !position.is_finite()) {
        return Err(AsynchronousError::NotFinite { vertex, position: positions[vertex].to_string() });
    }
    let mut masses = vec![0.0; positions.len()];
    for (triangle, &corners) in triangles.iter().enumerate() {
        let [a, b, c] = corners;
        if a == b || b == c || c == a || corners.iter().any(|&corner| corner as usize >= positions.len()) {
            return Err(AsynchronousError::Corners { triangle, corners, count: positions.len() });
        }
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        if area.is_nan() || area <= 0.0 {
            return Err(AsynchronousError::NoArea { triangle, corners });
        }
        if !(density * area).is_finite() {
            return Err(AsynchronousError::TooLarge { triangle, corners });
        }
        corners.iter().for_each(|&corner| masses[corner as usize] += density * area / 3.0);
    }
    match masses.iter().position(|&mass| mass == 0.0) {
        Some(vertex) => Err(AsynchronousError::Unused { vertex }),
        None => Ok(masses),
    }
}

/// The edges in ascending order, each with its one or two triangles, which run along it in opposite ways.
fn edges(triangles: &[[u32; 3]]) -> Result<Vec<Edge>, AsynchronousError> {
    let mut sides: Vec<([u32; 2], Side)> = Vec::with_capacity(3 * triangles.len());
    for (number, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let [a, b, opposite] = [0, 1, 2].map(|step| corners[(k + step) % 3]);
            sides.push(([a.min(b), a.max(b)], (number, a < b, opposite)));
        }
    }
    sides.compact_sort();
    let mut edges = Vec::new();
    for group in sides.chunk_by(|a, b| a.0 == b.0) {
        let edge = group[0].0;
        match group {
            [_] => {}
            [first, second] if first.1.1 != second.1.1 => {}
            [first, second] => return Err(AsynchronousError::Orientation { triangles: [first.1.0, second.1.0] }),
            _ => return Err(AsynchronousError::Crowded { edge, count: group.len() }),
        }
        edges.push((edge, group.iter().map(|side| side.1).collect()));
    }
    Ok(edges)
}
