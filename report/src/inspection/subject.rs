//! What a run is about: what stays the same from its first frame to its last.

use std::sync::Arc;

use drystone_contact::generator::Method;
use drystone_contact::shape::Shape;
use drystone_engine::simulator::{DeformableMesh, Simulator, SimulatorKind};
use drystone_engine::{BodyId, BodyKind, OverlapAudit};
use drystone_scenes::truth::Truth;

use super::outline::Outline;

/// A body of a run.
#[derive(Clone, Debug)]
pub struct SubjectBody {
    /// As the scene calls it.
    pub name: String,
    /// kg; infinite for bodies that forces do not move.
    pub mass: f64,
    /// What moves it.
    pub kind: BodyKind,
    /// Its shape, body frame.
    pub shape: Arc<Shape>,
    /// How it is drawn; bodies of one shape share it.
    pub outline: Arc<Outline>,
}

/// A deformable surface of a run: a connected part, or a particle, which has no triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectSurface {
    /// By its number, from 1.
    pub name: String,
    /// By its vertices, of which frames have the positions.
    pub triangles: Arc<[[u32; 3]]>,
    /// Each edge once.
    pub edges: Arc<[[u32; 2]]>,
    /// Whether no force moves any of it.
    pub is_prescribed: bool,
}

impl SubjectSurface {
    fn new(number: usize, mesh: &DeformableMesh) -> Self {
        let edges = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let name = if mesh.triangles.is_empty() { "particle" } else { "surface" };
        Self {
            name: format!("{name} {number}"),
            triangles: Arc::clone(&mesh.triangles),
            edges: edges.into(),
            is_prescribed: mesh.is_prescribed,
        }
    }
}

/// What a run is about.
#[derive(Clone)]
pub struct Subject {
    /// The name of the scene.
    pub scene: String,
    /// What moves the bodies.
    pub simulator: SimulatorKind,
    /// The bodies; a [`BodyId`] counts them.
    pub bodies: Vec<SubjectBody>,
    /// The deformable surfaces.
    pub surfaces: Vec<SubjectSurface>,
    /// What finds the contacts.
    pub method: Method,
    /// What is known of the contacts that there should be.
    pub truth: Option<Truth>,
    /// s.
    pub time_step: f64,
    /// What measures how far the bodies are in each other.
    pub overlap_audit: OverlapAudit,
}

impl Subject {
    /// Of a simulator. Bodies without a name are called by their numbers, from 0.
    pub fn new(scene: &str, simulator: &dyn Simulator, names: &[String], truth: Option<Truth>) -> Self {
        let mut outlines: Vec<(Arc<Shape>, Arc<Outline>)> = Vec::new();
        let mut outline = |shape: &Arc<Shape>| match outlines.iter().find(|(known, _)| Arc::ptr_eq(known, shape)) {
            Some((_, outline)) => Arc::clone(outline),
            None => {
                let outline = Arc::new(Outline::of(shape));
                outlines.push((Arc::clone(shape), Arc::clone(&outline)));
                outline
            }
        };
        let shapes = simulator.shapes();
        let bodies = simulator.bodies().iter().zip(shapes).enumerate().map(|(i, (body, shape))| SubjectBody {
            name: names.get(i).cloned().unwrap_or_else(|| format!("body {i}")),
            mass: body.mass(),
            kind: body.kind(),
            outline: outline(shape),
            shape: Arc::clone(shape),
        });
        Self {
            scene: scene.into(),
            simulator: simulator.kind(),
            bodies: bodies.collect(),
            surfaces: (1..).zip(&simulator.deformable_meshes()).map(|(n, mesh)| SubjectSurface::new(n, mesh)).collect(),
            method: simulator.method().clone(),
            truth: truth.filter(|truth| !truth.pairs.is_empty()),
            time_step: simulator.time_step(),
            overlap_audit: simulator.overlap_audit(),
        }
    }

    /// The body of that number.
    pub fn body(&self, id: BodyId) -> Option<&SubjectBody> {
        self.bodies.get(id.index())
    }

    /// The shape that the contacts of a body lie on: its own, or the eroded copy that the method looks at.
    pub fn contact_shape(&self, id: BodyId) -> &Shape {
        self.method.generator().contact_shape(&self.bodies[id.index()].shape)
    }

    /// What makes the contacts and moves the bodies: the method of the time-stepping simulator, the name of any other.
    pub fn way_name(&self) -> &str {
        match self.simulator {
            SimulatorKind::TimeStepping => self.method.name(),
            other => other.name(),
        }
    }
}
