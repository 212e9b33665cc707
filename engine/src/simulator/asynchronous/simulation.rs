//! The simulation of a surface: one queue of the ticks of all forces.

use glam::DVec3;

use super::clock::{Clock, Ticks};
use super::error::AsynchronousError;
use super::queue::EventQueue;
use super::surface::DeformableSurface;
use super::vertices::Vertices;

/// The step of gravity, s. It has no stiffness, so any would be stable.
const GRAVITY_STEP: f64 = 1e-3;

/// The step of a hinge is at most so many times the shortest of the springs beside it: longer ones resonate with them.
const HINGE_OVER_SPRING: f64 = 4.0;

/// A surface that moves.
#[derive(Clone, Debug)]
pub struct AsynchronousSimulation {
    surface: DeformableSurface,
    vertices: Vertices,
    /// m/s².
    gravity: DVec3,
    /// Of each event: gravity, then springs, then hinges.
    clocks: Vec<Clock>,
    queue: EventQueue,
    now: Ticks,
    events: u64,
}

/// Energies, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Of springs and hinges.
    pub elastic: f64,
    /// In the gravity field, zero at the origin.
    pub potential: f64,
}

impl Energies {
    /// Of all.
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.potential
    }
}

impl AsynchronousSimulation {
    /// A surface at rest in a gravity field (m/s²). Vertices that are `prescribed` are moved by no force, but by
    /// [`AsynchronousSimulation::set_velocity`].
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn new(surface: DeformableSurface, prescribed: &[u32], gravity: DVec3) -> Result<Self, AsynchronousError> {
        if !gravity.is_finite() {
            let value = gravity.length();
            return Err(AsynchronousError::Parameter { what: "gravity", value, must: "finite" });
        }
        let mut inverse_masses: Vec<f64> = surface.masses().iter().map(|mass| 1.0 / mass).collect();
        for &vertex in prescribed {
            let count = inverse_masses.len();
            let weight = inverse_masses.get_mut(vertex as usize);
            *weight.ok_or(AsynchronousError::NoVertex { vertex, count })? = 0.0;
        }
        let vertices = Vertices::at_rest(surface.positions().to_vec(), inverse_masses);
        let clocks = clocks(&surface, &vertices)?;
        let mut queue = EventQueue::default();
        let is_idle = |event: usize| event == 0 && gravity == DVec3::ZERO;
        for (event, clock) in clocks.iter().enumerate().filter(|(event, _)| !is_idle(*event)) {
            queue.schedule(event as u32, clock.after(Ticks::default()));
        }
        Ok(Self { surface, vertices, gravity, clocks, queue, now: Ticks::default(), events: 0 })
    }

    /// The surface at rest.
    pub fn surface(&self) -> &DeformableSurface {
        &self.surface
    }

    /// s.
    pub fn time(&self) -> f64 {
        self.now.seconds()
    }

    /// How many events there were.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Where all vertices are now, m.
    pub fn positions(&self) -> Vec<DVec3> {
        (0..self.vertices.len() as u32).map(|vertex| self.vertices.position(vertex, self.now)).collect()
    }

    /// Of all vertices, m/s.
    pub fn velocities(&self) -> Vec<DVec3> {
        (0..self.vertices.len() as u32).map(|vertex| self.vertices.velocity(vertex)).collect()
    }

    /// Gives a vertex a velocity from now on, m/s.
    ///
    /// # Errors
    /// [`AsynchronousError::NoVertex`], [`AsynchronousError::Parameter`].
    pub fn set_velocity(&mut self, vertex: u32, velocity: DVec3) -> Result<(), AsynchronousError> {
        let count = self.vertices.len();
        if vertex as usize >= count {
            return Err(AsynchronousError::NoVertex { vertex, count });
        }
        if !velocity.is_finite() {
            let value = velocity.length();
            return Err(AsynchronousError::Parameter { what: "velocity of a vertex", value, must: "finite" });
        }
        self.vertices.set_velocity(vertex, velocity, self.now);
        Ok(())
    }

    /// Runs all events up to a time, s, that of the time included. Where a run is divided makes no difference.
    ///
    /// # Errors
    /// [`AsynchronousError::Time`] of a time before the present.
    pub fn run_until(&mut self, time: f64) -> Result<(), AsynchronousError> {
        let end = Ticks::at(time);
        if end < self.now || time.is_nan() {
            return Err(AsynchronousError::Time { now: self.time(), time });
        }
        while let Some((now, event)) = self.queue.first().filter(|(next, _)| *next <= end) {
            self.now = now;
            self.tick(event);
            self.queue.schedule(event, self.clocks[event as usize].after(now));
            self.events += 1;
        }
        self.now = end;
        Ok(())
    }

    /// One force acts for the step of its clock.
    fn tick(&mut self, event: u32) {
        let (now, step) = (self.now, self.clocks[event as usize].step());
        let springs = self.surface.springs();
        let Some(number) = (event as usize).checked_sub(1) else {
            for vertex in 0..self.vertices.len() as u32 {
                let mass = self.surface.masses()[vertex as usize];
                self.vertices.kick(vertex, self.gravity * (mass * step), now);
            }
            return;
        };
        if let Some(spring) = springs.get(number) {
            let positions = spring.ends.map(|end| self.vertices.position(end, now));
            let velocities = spring.ends.map(|end| self.vertices.velocity(end));
            let impulse = spring.force(positions, velocities) * step;
            self.vertices.kick(spring.ends[0], impulse, now);
            self.vertices.kick(spring.ends[1], -impulse, now);
        } else {
            let hinge = &self.surface.hinges()[number - springs.len()];
            let forces = hinge.forces(hinge.vertices.map(|vertex| self.vertices.position(vertex, now)));
            for (vertex, force) in hinge.vertices.into_iter().zip(forces) {
                self.vertices.kick(vertex, force * step, now);
            }
        }
    }

    /// The energies now.
    pub fn energies(&self) -> Energies {
        let (positions, masses) = (self.positions(), self.surface.masses());
        let at = |vertex: u32| positions[vertex as usize];
        let springs = self.surface.springs().iter().map(|spring| spring.energy(spring.ends.map(at)));
        let hinges = self.surface.hinges().iter().map(|hinge| hinge.energy(hinge.vertices.map(at)));
        let moving = (0..self.vertices.len() as u32).zip(masses);
        let kinetic = moving.map(|(vertex, mass)| 0.5 * mass * self.vertices.velocity(vertex).length_squared());
        let potential = positions.iter().zip(masses).map(|(position, mass)| -mass * self.gravity.dot(*position));
        Energies { kinetic: kinetic.sum(), elastic: springs.chain(hinges).sum(), potential: potential.sum() }
    }

    /// The momentum, kg m/s, and the angular momentum about the origin, kg m²/s.
    pub fn momenta(&self) -> [DVec3; 2] {
        let masses = self.surface.masses();
        let mut sums = [DVec3::ZERO; 2];
        for (vertex, mass) in (0..self.vertices.len() as u32).zip(masses) {
            let momentum = *mass * self.vertices.velocity(vertex);
            sums[0] += momentum;
            sums[1] += self.vertices.position(vertex, self.now).cross(momentum);
        }
        sums
    }
}

/// The clocks of gravity, springs and hinges.
fn clocks(surface: &DeformableSurface, vertices: &Vertices) -> Result<Vec<Clock>, AsynchronousError> {
    let clock = |what: &'static str, stencil: &[u32], step: f64| {
        let too_stiff = || AsynchronousError::TooStiff { what, vertices: stencil.to_vec(), step };
        Clock::with_step(step).ok_or_else(too_stiff)
    };
    let mut clocks = vec![clock("gravity", &[], GRAVITY_STEP)?];
    for spring in surface.springs() {
        let step = spring.longest_step(spring.ends.map(|end| vertices.inverse_mass(end)));
        clocks.push(clock("spring", &spring.ends, step)?);
    }
    for (hinge, sides) in surface.hinges().iter().zip(surface.sides()) {
        let positions = hinge.vertices.map(|vertex| surface.positions()[vertex as usize]);
        let own = hinge.longest_step(positions, hinge.vertices.map(|vertex| vertices.inverse_mass(vertex)));
        let beside = sides.iter().map(|&side| clocks[1 + side as usize].step()).fold(f64::INFINITY, f64::min);
        clocks.push(clock("hinge", &hinge.vertices, own.min(HINGE_OVER_SPRING * beside))?);
    }
    Ok(clocks)
}
