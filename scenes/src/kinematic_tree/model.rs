//! What MJCF and URDF have in common: a tree of links with joints, geometry and mass. SI units throughout; angles in rad.

use std::path::PathBuf;

use drystone_engine::Pose;
use glam::{DMat3, DVec3};

use super::error::Place;
use super::note::Notes;

/// A kinematic tree as a file states it. The link 0 is the world.
#[derive(Debug)]
pub struct Model {
    pub name: String,
    /// The format, for people.
    pub format: &'static str,
    /// m/s².
    pub gravity: DVec3,
    /// s.
    pub time_step: f64,
    /// Every link comes after its parent.
    pub links: Vec<Link>,
    /// What closes loops.
    pub ties: Vec<Tie>,
    /// Pairs of links that do not collide.
    pub excluded: Vec<[usize; 2]>,
    /// Whether a link does not collide with the one that its joint ties it to.
    pub parents_pass: bool,
    /// Whether anything collides at all.
    pub has_contacts: bool,
    pub notes: Notes,
}

/// A link.
#[derive(Debug)]
pub struct Link {
    pub name: String,
    pub place: Place,
    /// The link that it hangs on; its own number for the world alone.
    pub parent: usize,
    /// Frame of the link → frame of the parent, where the model begins.
    pub pose: Pose,
    /// From the parent to the link; none of a link that is a part of its parent.
    pub joints: Vec<Joint>,
    /// The mass, if it is stated; else that of the geometry.
    pub inertial: Option<Inertial>,
    pub geoms: Vec<Geom>,
    /// The factor of gravity.
    pub gravity_scale: f64,
}

impl Link {
    /// The world, which does not move.
    pub fn world(name: &str, place: Place) -> Self {
        Self {
            name: name.to_owned(),
            place,
            parent: 0,
            pose: Pose::IDENTITY,
            joints: Vec::new(),
            inertial: None,
            geoms: Vec::new(),
            gravity_scale: 1.0,
        }
    }
}

/// Stated mass properties.
#[derive(Clone, Copy, Debug)]
pub struct Inertial {
    /// kg.
    pub mass: f64,
    /// Centre of mass, frame of the link, m.
    pub centre: DVec3,
    /// About the centre of mass, axes of the link, kg m².
    pub inertia: DMat3,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// In all six ways.
    Free,
    /// About a point.
    Ball,
    /// About an axis.
    Hinge,
    /// Along an axis.
    Slide,
}

/// A joint. Its coordinate is zero where the model begins.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    pub place: Place,
    pub freedom: Freedom,
    /// A point of the axis, frame of the link, m.
    pub anchor: DVec3,
    /// Of length one, frame of the link.
    pub axis: DVec3,
    /// Of the coordinate, m or rad.
    pub limits: Option<[f64; 2]>,
    /// N/m or N m/rad.
    pub stiffness: f64,
    /// The coordinate at which the spring has no force, m or rad.
    pub rest: f64,
    /// N s/m or N m s/rad.
    pub damping: f64,
    /// Dry friction, N or N m.
    pub friction: f64,
}

/// The solid of a geom in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// z ≤ 0.
    Plane,
    /// Radius, m.
    Sphere(f64),
    /// Radius, and half the length between the centres of the ends, along z, m.
    Capsule(f64, f64),
    /// Radius and half height, along z, m.
    Cylinder(f64, f64),
    /// Half sides, m.
    Box(DVec3),
    /// Semi-axes, m.
    Ellipsoid(DVec3),
    /// A mesh file; its convex hull collides.
    Mesh(Mesh),
}

/// A mesh and how its vertices become those of a geom: moved by `pose`, then scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    pub source: MeshSource,
    pub scale: DVec3,
    pub pose: Pose,
    pub inertia: MeshInertia,
}

/// Where a mesh stands.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshSource {
    /// In a file of its own.
    File(PathBuf),
    /// In the model: points, whose convex hull it is.
    Points(Vec<DVec3>),
}

/// Of which solid a mesh has its mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshInertia {
    /// Of the convex hull.
    Convex,
    /// Of what the surface bounds.
    Exact,
    /// Of all pyramids between the centre and the triangles.
    Pyramids,
}

/// How heavy a geom is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// kg/m³.
    Density(f64),
    /// kg; may be zero.
    Mass(f64),
}

/// What contacts of a geom follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Geoms touch where a bit of `kind` of one is set in `with` of the other, either way.
    pub kind: u32,
    pub with: u32,
    /// The one with the larger number decides about friction.
    pub priority: i32,
    /// 1: no friction, 3: sliding, 4: and drilling, 6: and rolling.
    pub dimensions: u32,
    /// Sliding (dimensionless), drilling (m), rolling (m).
    pub friction: [f64; 3],
}

/// A geom of a link.
#[derive(Clone, Debug)]
pub struct Geom {
    pub name: String,
    pub place: Place,
    pub form: Form,
    /// Frame of the geom → frame of the link.
    pub pose: Pose,
    pub weight: Weight,
    pub touch: Touch,
}

impl Geom {
    /// Whether anything can touch it.
    pub fn collides(&self) -> bool {
        self.touch.kind | self.touch.with != 0
    }
}

/// Two links that are held together besides the tree.
#[derive(Clone, Debug)]
pub struct Tie {
    pub name: String,
    pub place: Place,
    pub links: [usize; 2],
    /// The frame of the tie in the frame of each link.
    pub frames: [Pose; 2],
    /// Whether they are held at one point, or do not move at all.
    pub is_point: bool,
}
