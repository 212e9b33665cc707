//! Springs, membranes, hinges and what keeps the shape of affine bodies, by the steps of their clocks: all with one step tick at the same times.

use std::collections::BTreeMap;

use super::blocks::{BlockMotion, Blocks, Forces, partition};
use super::clock::{Clock, Ticks};
use super::error::AsynchronousError;
use super::surface::DeformableSurface;
use super::vertices::Vertices;

/// The step of a hinge is at most so many times the shortest of the springs beside it: longer ones resonate with them.
const HINGE_OVER_SPRING: f64 = 4.0;

/// Forces that tick together.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// When.
    pub clock: Clock,
    /// How many there are beside bodies.
    count: usize,
    blocks: Blocks,
    /// Affine bodies that keep their shape.
    bodies: Vec<u32>,
}

impl Level {
    /// How many forces there are.
    pub fn count(&self) -> usize {
        self.count + self.bodies.len()
    }

    /// Calls `each` with the vertices of each force, of some more than once.
    pub(super) fn stencils(&self, vertices: &Vertices, mut each: impl FnMut(&[u32])) {
        self.blocks.stencils(&mut each);
        let bodies = self.bodies.iter().map(|&body| &vertices.bodies()[body as usize]);
        bodies.for_each(|body| each(&body.vertices().collect::<Vec<u32>>()));
    }

    /// All act for the step of their clock: in a window on several threads.
    pub fn tick(&self, vertices: &mut Vertices, now: Ticks, memory: &mut Vec<BlockMotion>) {
        let step = self.clock.step();
        self.blocks.act(step, vertices, now, memory, vertices.is_logging());
        vertices.take_over(&self.blocks, memory, now);
        self.bodies.iter().for_each(|&body| vertices.keep_shape(body, step, now));
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
    let mut levels: BTreeMap<Clock, (Forces, Vec<u32>)> = BTreeMap::new();
    for spring in surface.springs() {
        let step = spring.longest_step(spring.ends.map(|end| vertices.inverse_mass(end)));
        steps.push(Clock::with_step(step).map_or(step, Clock::step));
        if step.is_finite() {
            let clock = clock("spring", &spring.ends, step)?;
            levels.entry(clock).or_default().0.springs.push(*spring);
        }
    }
    let mut of_membranes = BTreeMap::new();
    for membrane in surface.membranes() {
        let step = membrane.longest_step(membrane.vertices.map(|v| vertices.inverse_mass(v)));
        of_membranes.insert(sorted(membrane.vertices), Clock::with_step(step).map_or(step, Clock::step));
        if step.is_finite() {
            let clock = clock("membrane", &membrane.vertices, step)?;
            levels.entry(clock).or_default().0.membranes.push(*membrane);
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
            levels.entry(clock).or_default().0.hinges.push(*hinge);
        }
    }
    for (number, body) in (0..).zip(surface.bodies()).filter(|(_, body)| body.is_movable()) {
        let stencil: Vec<u32> = body.vertices().take(4).collect();
        let clock = clock("shape of the affine body", &stencil, body.longest_step())?;
        vertices.set_step(number, clock.step());
        levels.entry(clock).or_default().1.push(number);
    }
    let has_damping = surface.springs().iter().any(|spring| spring.damping > 0.0);
    let block_of = if has_damping { vec![0; vertices.len()] } else { partition(surface.positions()) };
    let level = |(clock, (forces, bodies)): (Clock, (Forces, Vec<u32>))| Level {
        clock,
        count: forces.springs.len() + forces.membranes.len() + forces.hinges.len(),
        blocks: Blocks::new(&forces, &block_of, vertices),
        bodies,
    };
    Ok(levels.into_iter().map(level).collect())
}

fn sorted(mut vertices: [u32; 3]) -> [u32; 3] {
    vertices.sort_unstable();
    vertices
}
