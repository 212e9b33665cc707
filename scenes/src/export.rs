//! A scene as plain data for other programs: bodies in their own frames, where they are at some moments, and the contacts that are
//! expected there.
//!
//! [`SceneData`] serializes as `docs/scene-export.schema.json` says. SI units; y is up in built-in scenes.

use drystone_contact::shape::{Polyhedron, Shape};
use drystone_engine::solver::FrictionModel;
use drystone_engine::{BodyKind, Interaction, MaterialError};
use serde::Serialize;

use crate::contact_region::{RegionSettings, region_corners};
use crate::detection::SceneState;
use crate::scene::{FREE_AXES, Scene, SceneBody};
use crate::truth::{Truth, TruthKind};

/// The name of the JSON format.
pub const SCHEMA: &str = "drystone.scene-export/1";

/// A scene as plain data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneData {
    schema: &'static str,
    program: &'static str,
    name: String,
    title: String,
    time_step: f64,
    scored_step: usize,
    gravity: [f64; 3],
    linear_damping: f64,
    angular_damping: f64,
    friction_model: &'static str,
    joints: usize,
    bodies: Vec<BodyData>,
    interactions: Vec<InteractionData>,
    moments: Vec<MomentData>,
}

/// A body in its body frame: the origin in its centre of mass, the axes along its principal axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct BodyData {
    name: String,
    kind: &'static str,
    material: String,
    /// kg; none unless the body is dynamic.
    mass: Option<f64>,
    /// Principal moments, kg m², about the axes of the body frame.
    principal_moments: Option<[f64; 3]>,
    shape: &'static str,
    /// The file of its surface.
    surface: String,
    /// Whether that is the surface, and no stand-in for a curved one.
    surface_is_exact: bool,
    tetrahedra: Option<Tetrahedra>,
    pieces: Option<Vec<Piece>>,
    locked_translations: [bool; 3],
    locked_rotations: [bool; 3],
    /// Through the centre of mass, N, and about it, N m, world axes, in every step.
    force: [f64; 3],
    torque: [f64; 3],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Tetrahedra {
    vertices: Vec<[f64; 3]>,
    tetrahedra: Vec<[u32; 4]>,
}

/// A convex piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Piece {
    vertices: Vec<[f64; 3]>,
    /// Counter-clockwise seen from outside.
    faces: Vec<Vec<u32>>,
}

/// What happens between two materials.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct InteractionData {
    materials: [String; 2],
    /// Along s and t, and drilling.
    friction: [f64; 3],
    restitution: f64,
}

/// The bodies at a moment, and what is expected of their contacts.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct MomentData {
    /// From 1; 0: the pose at t = 0.
    step: usize,
    bodies: Vec<StateData>,
    corrected: Expected,
    published: Expected,
}

/// Where a body is when contacts are looked for, and its velocities until they act.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct StateData {
    position: [f64; 3],
    orientation_xyzw: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Expected {
    pairs: Vec<PairData>,
    contacts: Vec<ContactData>,
}

/// What is expected of a pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct PairData {
    a: usize,
    b: usize,
    /// Unit; either sense counts.
    normals: Vec<[f64; 3]>,
    minimum: usize,
    area: Option<f64>,
}

/// A corner of a contact region.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct ContactData {
    a: usize,
    b: usize,
    position: [f64; 3],
    /// Unit, from A to B.
    normal: [f64; 3],
}

/// The data of a scene at moments (each a step from 1, or 0 for the start, and the state there). `surface` is the file of each
/// body's surface, in the order of ids.
///
/// # Errors
/// A material that is not in the table.
pub fn data(scene: &Scene, surfaces: &[String], moments: &[(usize, SceneState)]) -> Result<SceneData, MaterialError> {
    let body = |(body, surface): (&SceneBody, &String)| -> Result<BodyData, MaterialError> {
        let name = scene.materials.name(body.body.material)?;
        Ok(body_data(body, name, surface))
    };
    let moment = |(step, state): &(usize, SceneState)| MomentData {
        step: *step,
        bodies: states(state),
        corrected: expected(scene, TruthKind::Corrected, state),
        published: expected(scene, TruthKind::Published, state),
    };
    Ok(SceneData {
        schema: SCHEMA,
        program: concat!("drystone ", env!("CARGO_PKG_VERSION")),
        name: scene.name.clone(),
        title: scene.title.clone(),
        time_step: scene.time_step,
        scored_step: scene.scored_step,
        gravity: scene.forces.gravity.to_array(),
        linear_damping: scene.forces.linear_damping,
        angular_damping: scene.forces.angular_damping,
        friction_model: match scene.friction {
            FrictionModel::Ball => "ball",
            FrictionModel::Ellipsoid => "ellipsoid",
            FrictionModel::Box => "box",
        },
        joints: scene.joints.len(),
        bodies: scene.bodies.iter().zip(surfaces).map(body).collect::<Result<_, _>>()?,
        interactions: interactions(scene)?,
        moments: moments.iter().map(moment).collect(),
    })
}

fn body_data(body: &SceneBody, material: &str, surface: &str) -> BodyData {
    let SceneBody { name, shape, body: state, locked_axes, .. } = body;
    let [locked_translations, locked_rotations] = if state.is_dynamic() { *locked_axes } else { FREE_AXES };
    let [force, torque] = state.constant_force().map(|vector| vector.to_array());
    BodyData {
        name: name.clone(),
        kind: match state.kind() {
            BodyKind::Dynamic => "dynamic",
            BodyKind::Fixed => "fixed",
            BodyKind::Kinematic => "kinematic",
        },
        material: material.into(),
        mass: state.is_dynamic().then(|| state.mass()),
        principal_moments: state.is_dynamic().then(|| state.inertia().to_array()),
        shape: shape.kind(),
        surface: surface.into(),
        surface_is_exact: matches!(**shape, Shape::Polyhedron(_)),
        tetrahedra: shape.as_polyhedron().and_then(tetrahedra),
        pieces: shape.as_polyhedron().and_then(pieces),
        locked_translations,
        locked_rotations,
        force,
        torque,
    }
}

fn tetrahedra(polyhedron: &Polyhedron) -> Option<Tetrahedra> {
    let mesh = polyhedron.mesh().ok()?;
    let vertices = mesh.vertices().iter().map(|v| v.to_array()).collect();
    Some(Tetrahedra { vertices, tetrahedra: mesh.tetrahedra().to_vec() })
}

fn pieces(polyhedron: &Polyhedron) -> Option<Vec<Piece>> {
    let hierarchy = polyhedron.pieces().ok()?;
    let piece = |piece: u32| {
        let polyhedron = hierarchy.polyhedron(piece);
        let face = |face: u32| polyhedron.corners(face).map(|(corner, _)| corner).collect();
        Piece {
            vertices: polyhedron.vertices().iter().map(|v| v.to_array()).collect(),
            faces: (0..polyhedron.face_count() as u32).map(face).collect(),
        }
    };
    Some((0..hierarchy.pieces().pieces().len() as u32).map(piece).collect())
}

/// Of the materials of the bodies, in the order of their ids.
fn interactions(scene: &Scene) -> Result<Vec<InteractionData>, MaterialError> {
    let mut materials: Vec<_> = scene.bodies.iter().map(|body| body.body.material).collect();
    materials.sort_unstable();
    materials.dedup();
    let mut found = Vec::new();
    for (k, &a) in materials.iter().enumerate() {
        for &b in &materials[k..] {
            let Interaction { friction, restitution } = scene.materials.between(a, b)?;
            let materials = [scene.materials.name(a)?.to_owned(), scene.materials.name(b)?.to_owned()];
            found.push(InteractionData { materials, friction: friction.to_array(), restitution });
        }
    }
    Ok(found)
}

fn states(state: &SceneState) -> Vec<StateData> {
    let of = |(pose, body): (&drystone_engine::Pose, &drystone_engine::Body)| StateData {
        position: pose.translation.to_array(),
        orientation_xyzw: pose.rotation.to_array(),
        velocity: body.velocity.to_array(),
        angular_velocity: body.angular_velocity.to_array(),
    };
    state.poses.iter().zip(&state.bodies).map(of).collect()
}

fn expected(scene: &Scene, kind: TruthKind, state: &SceneState) -> Expected {
    let truth: Truth = scene.truth(kind).at(&state.poses);
    let pairs = truth.pairs.iter().map(|pair| PairData {
        a: pair.a.index(),
        b: pair.b.index(),
        normals: pair.directions().map(|n| n.to_array()).collect(),
        minimum: pair.minimum,
        area: pair.area,
    });
    let corners = region_corners(scene, &truth, &state.poses, &RegionSettings::default());
    let contacts = corners.iter().map(|corner| ContactData {
        a: corner.a.index(),
        b: corner.b.index(),
        position: corner.position.to_array(),
        normal: corner.normal.to_array(),
    });
    Expected { pairs: pairs.collect(), contacts: contacts.collect() }
}
