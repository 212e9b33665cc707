//! Springs, membranes, hinges and what keeps the shape of affine bodies, by the steps of their clocks: all with one step tick at the same times.

use std::collections::BTreeMap;

use glam::DVec3;

use super::clock::{Clock, Ticks};
use super::error::AsynchronousError;
use super::hinge::Hinge;
use super::membrane::Membrane;
use super::parallel_tick::{Incidence, impulses};
use super::spring::Spring;
use super::surface::DeformableSurface;
use super::vertices::Vertices;

/// The step of a hinge is at most so many times the shortest of the springs beside it: longer ones resonate with them.
const HINGE_OVER_SPRING: f64 = 4.0;

/// Forces that tick together.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// When.
    pub clock: Clock,
    springs: Vec<Spring>,
    membranes: Vec<Membrane>,
    hinges: Vec<Hinge>,
    /// Affine bodies that keep their shape.
    bodies: Vec<u32>,
    incidence: Incidence,
}

impl Level {
    /// How many forces there are.
    pub fn count(&self) -> usize {
        self.springs.len() + self.membranes.len() + self.hinges.len() + self.bodies.len()
    }

    /// All act for the step of their clock in a window: on several threads, if there are enough of them.
    pub fn tick_in_window(&self, vertices: &mut Vertices, now: Ticks, memory: &mut Vec<DVec3>) {
        if self.incidence.is_empty() {
            return self.tick(vertices, now);
        }
        impulses((&self.springs, &self.membranes, &self.hinges), self.clock.step(), vertices, now, memory);
        vertices.kick_all(&self.incidence, memory, now);
        self.bodies.iter().for_each(|&body| vertices.keep_shape(body, self.clock.step(), now));
    }

    /// Calls `each` with the vertices of each force.
    pub(super) fn stencils(&self, vertices: &Vertices, mut each: impl FnMut(&[u32])) {
        self.springs.iter().for_each(|spring| each(&spring.ends));
        self.membranes.iter().for_each(|membrane| each(&membrane.vertices));
        self.hinges.iter().for_each(|hinge| each(&hinge.vertices));
        let bodies = self.bodies.iter().map(|&body| &vertices.bodies()[body as usize]);
        bodies.for_each(|body| each(&body.vertices().collect::<Vec<u32>>()));
    }

    /// All act for the step of their clock.
    pub fn tick(&self, vertices: &mut Vertices, now: Ticks) {
        let step = self.clock.step();
        for spring in &self.springs {
            let positions = spring.ends.map(|end| vertices.position(end, now));
            let velocities = spring.ends.map(|end| vertices.velocity(end));
            let impulse = spring.force(positions, velocities) * step;
            vertices.kick(spring.ends[0], impulse, now);
            vertices.kick(spring.ends[1], -impulse, now);
        }
        for membrane in &self.membranes {
            let forces = membrane.forces(membrane.vertices.map(|vertex| vertices.position(vertex, now)));
            for (vertex, force) in membrane.vertices.into_iter().zip(forces) {
                vertices.kick(vertex, force * step, now);
            }
        }
        for hinge in &self.hinges {
            let forces = hinge.forces(hinge.vertices.map(|vertex| vertices.position(vertex, now)));
            for (vertex, force) in hinge.vertices.into_iter().zip(forces) {
                vertices.kick(vertex, force * step, now);
            }
        }
        for &body in &self.bodies {
            vertices.keep_shape(body, step, now);
        }
    }
}

/// The forces of a surface and of the bodies beside it, which get their steps; shortest steps first. Those between vertices that no force moves are
/// left out.
///
/// # Errors
/// [`AsynchronousError::TooStiff`].
pub fn levels(surface: &DeformableSurface, vertices: &mut Vertices) -> Result<Vec<Level>, AsynchronousError> {
    let clock = |what: &'static str, stencil: &[u32], step: f64| {
        let too_stiff = || AsynchronousError::TooStiff { what, vertices: stencil.to_vec(), step };
        Clock::with_step(step).ok_or_else(too_stiff)
    };
    let mut steps = Vec::with_capacity(surface.springs().len());
    let mut levels: BTreeMap<Clock, Level> = BTreeMap::new();
    let none = |clock: Clock| Level {
        clock,
        springs: Vec::new(),
        membranes: Vec::new(),
        hinges: Vec::new(),
        bodies: Vec::new(),
        incidence: Incidence::default(),
    };
    for spring in surface.springs() {
        let step = spring.longest_step(spring.ends.map(|end| vertices.inverse_mass(end)));
        steps.push(Clock::with_step(step).map_or(step, Clock::step));
        if step.is_finite() {
            let clock = clock("spring", &spring.ends, step)?;
            levels.entry(clock).or_insert_with(|| none(clock)).springs.push(*spring);
        }
    }
    let mut of_membranes = BTreeMap::new();
    for membrane in surface.membranes() {
        let step = membrane.longest_step(membrane.vertices.map(|v| vertices.inverse_mass(v)));
        of_membranes.insert(sorted(membrane.vertices), Clock::with_step(step).map_or(step, Clock::step));
        if step.is_finite() {
            let clock = clock("membrane", &membrane.vertices, step)?;
            levels.entry(clock).or_insert_with(|| none(clock)).membranes.push(*membrane);
        }
    }
    for (hinge, sides) in surface.hinges().iter().zip(surface.sides()) {
        let positions = hinge.vertices.map(|vertex| surface.positions()[vertex as usize]);
        let own = hinge.longest_step(positions, hinge.vertices.map(|vertex| vertices.inverse_mass(vertex)));
        let [a, b, c, d] = hinge.vertices;
        let of_springs = sides.iter().filter_map(|&side| steps.get(side as usize));
        let of_triangles = [[a, b, c], [a, b, d]].map(|three| of_membranes.get(&sorted(three)));
        let beside = of_springs.chain(of_triangles.into_iter().flatten()).copied().fold(f64::INFINITY, f64::min);
        if own.is_finite() {
            let clock = clock("hinge", &hinge.vertices, own.min(HINGE_OVER_SPRING * beside))?;
            levels.entry(clock).or_insert_with(|| none(clock)).hinges.push(*hinge);
        }
    }
    for (number, body) in (0..).zip(surface.bodies()).filter(|(_, body)| body.is_movable()) {
        let stencil: Vec<u32> = body.vertices().take(4).collect();
        let clock = clock("shape of the affine body", &stencil, body.longest_step())?;
        vertices.set_step(number, clock.step());
        levels.entry(clock).or_insert_with(|| none(clock)).bodies.push(number);
    }
    for level in levels.values_mut() {
        level.incidence = Incidence::new(&level.springs, &level.membranes, &level.hinges, vertices.len());
    }
    Ok(levels.into_values().collect())
}

fn sorted(mut vertices: [u32; 3]) -> [u32; 3] {
    vertices.sort_unstable();
    vertices
}
