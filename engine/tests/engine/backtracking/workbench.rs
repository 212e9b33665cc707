//! Scenes, and what is checked at every accepted state.

use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::vclip::{Outcome, Pair, RelativePose, certified};
use drystone_engine::backtracking::{BacktrackingReport, BacktrackingSettings, BacktrackingSimulator, EventKind};
use drystone_engine::{Body, BodyHandle, Friction, Interaction, MaterialId, MaterialTable, Pose, Solid};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Bodies of one material.
pub struct Bench {
    pub simulation: BacktrackingSimulator,
    pub stuff: MaterialId,
    shapes: Vec<Arc<Shape>>,
}

/// What a run was like.
pub struct Run {
    pub reports: Vec<BacktrackingReport>,
    /// Total energy at every accepted state, J, and its time, s.
    pub energies: Vec<(f64, f64)>,
    /// The least distance at any accepted state by V-Clip's certificate, m.
    pub least_gap: f64,
    /// How deep any vertex was inside of a piece, m; negative if none was.
    pub depth: f64,
}

impl Bench {
    pub fn new(friction: f64, restitution: f64) -> Self {
        Self::with(friction, restitution, BacktrackingSettings::default())
    }

    pub fn with(friction: f64, restitution: f64, settings: BacktrackingSettings) -> Self {
        let mut materials = MaterialTable::new();
        let stuff = materials.add("stuff").unwrap();
        materials.set(stuff, stuff, Interaction { friction: Friction::sliding(friction), restitution }).unwrap();
        Self { simulation: BacktrackingSimulator::new(settings, materials).unwrap(), stuff, shapes: Vec::new() }
    }

    pub fn fixed(&mut self, solid: &Solid, pose: Pose) -> BodyHandle {
        self.shapes.push(Arc::clone(&solid.shape));
        self.simulation.add(solid.fixed(self.stuff, pose).unwrap()).unwrap()
    }

    pub fn dynamic(&mut self, solid: &Solid, pose: Pose) -> BodyHandle {
        self.shapes.push(Arc::clone(&solid.shape));
        self.simulation.add(solid.dynamic(self.stuff, pose).unwrap()).unwrap()
    }

    /// A plane: the top of a large box at height zero.
    pub fn plane(&mut self) -> BodyHandle {
        self.fixed(&block(DVec3::new(20.0, 1.0, 20.0)), Pose::from_translation(DVec3::NEG_Y * 0.5))
    }

    pub fn energy(&self) -> f64 {
        let energy = self.simulation.energy();
        energy.kinetic + energy.potential
    }

    /// Steps of a tenth of a second, all accepted states checked.
    pub fn run(&mut self, seconds: f64) -> Run {
        let mut run =
            Run { reports: Vec::new(), energies: Vec::new(), least_gap: f64::INFINITY, depth: f64::NEG_INFINITY };
        let forces = self.simulation.settings().forces;
        for _ in 0..(seconds * 10.0).round() as usize {
            let Self { simulation, shapes, .. } = self;
            let report = simulation.advance_watched(0.1, |time, bodies| {
                let energy = bodies.iter().map(|body| body.kinetic_energy() + forces.potential_energy(body)).sum();
                run.energies.push((time, energy));
                let (gap, depth) = clearance(bodies, shapes);
                run.least_gap = run.least_gap.min(gap);
                run.depth = run.depth.max(depth);
            });
            let report = report.unwrap();
            assert_eq!(
                report.unfinished,
                0.0,
                "too many events: {:?}",
                &report.events[report.events.len().saturating_sub(6)..]
            );
            run.reports.push(report);
        }
        run
    }
}

impl Run {
    /// How many contacts there are at the end, at different places.
    pub fn contacts(&self) -> usize {
        let contacts = self.reports.last().map_or(&[][..], |report| &report.contacts);
        let is_first = |k: &usize| contacts[..*k].iter().all(|c| c.position.distance(contacts[*k].position) > 1e-3);
        (0..contacts.len()).filter(is_first).count()
    }

    /// The largest rise of energy between two accepted states after a time, by the energy scale given (J).
    pub fn rise_after(&self, time: f64, scale: f64) -> f64 {
        let mut least = f64::INFINITY;
        let mut rise: f64 = 0.0;
        for &(at, energy) in &self.energies {
            if at >= time {
                rise = rise.max((energy - least) / scale);
                least = least.min(energy);
            }
        }
        rise
    }

    pub fn count(&self, kind: EventKind) -> usize {
        self.reports.iter().flat_map(|report| &report.events).filter(|event| event.kind == kind).count()
    }
}

pub fn block(sides: DVec3) -> Solid {
    Solid::cuboid(sides, 1000.0).unwrap()
}

pub fn at(x: f64, y: f64, z: f64, rotation: DQuat) -> Pose {
    Pose::from_parts(DVec3::new(x, y, z), rotation)
}

/// An L of three cubes' size, one metre thick, about its corner cube.
pub fn angle_iron() -> Solid {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let points = outline.iter().flat_map(|&(x, y)| [DVec3::new(x, y, 0.0), DVec3::new(x, y, 1.0)]);
    let vertices: Vec<DVec3> = points.map(|p| 0.4 * p).collect();
    let mut triangles = Vec::new();
    for k in 0..6 {
        let (a, b) = (2 * k, 2 * ((k + 1) % 6));
        triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
    }
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.push([2 * a + 1, 2 * b + 1, 2 * c + 1]);
        triangles.push([2 * c, 2 * b, 2 * a]);
    }
    let triangles = triangles.into_iter().map(|t: [usize; 3]| t.map(|v| v as u32)).collect();
    let surface = Surface::new(vertices, triangles).unwrap();
    Solid::new(&Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap(), 1000.0).unwrap()
}

/// The least distance between pieces of bodies (negative if V-Clip says that they overlap), and how deep a vertex of
/// one is below all faces of a piece of another: brute force over vertices and faces.
fn clearance(bodies: &[Body], shapes: &[Arc<Shape>]) -> (f64, f64) {
    let (mut gap, mut depth) = (f64::INFINITY, f64::NEG_INFINITY);
    for j in 0..bodies.len() {
        for i in 0..j {
            if bodies[i].is_fixed() && bodies[j].is_fixed() {
                continue;
            }
            let [a, b] = [i, j].map(|k| shapes[k].as_polyhedron().unwrap().pieces().unwrap());
            let relative_pose = RelativePose::new(&bodies[i].pose(), &bodies[j].pose());
            for p in 0..a.pieces().pieces().len() as u32 {
                for q in 0..b.pieces().pieces().len() as u32 {
                    let (one, other) = (a.polyhedron(p), b.polyhedron(q));
                    match certified(one, other, &relative_pose, &mut Pair::cold(one, other, &relative_pose)) {
                        Outcome::Apart { certificate, .. } => gap = gap.min(certificate.lower),
                        Outcome::Overlapping { .. } => gap = gap.min(-1.0),
                    }
                    let below = |solid: &drystone_contact::vclip::ConvexPolyhedron, x: DVec3| {
                        -(0..solid.face_count() as u32)
                            .map(|f| solid.plane(f).height(x))
                            .fold(f64::NEG_INFINITY, f64::max)
                    };
                    for &v in other.vertices() {
                        depth = depth.max(below(one, relative_pose.point_of_b(v)));
                    }
                    for &v in one.vertices() {
                        depth = depth.max(below(other, relative_pose.point_of_a(v)));
                    }
                }
            }
        }
    }
    (gap, depth)
}
