//! What a simulation keeps: energies, momentum and angular momentum.

use glam::DVec3;

use super::simulation::AsynchronousSimulation;

/// Energies, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Of springs, membranes, hinges and strained bodies.
    pub elastic: f64,
    /// Of penalty layers.
    pub contact: f64,
    /// In the gravity field, zero at the origin.
    pub potential: f64,
}

impl Energies {
    /// Of all.
    pub fn total(&self) -> f64 {
        self.kinetic + self.elastic + self.contact + self.potential
    }
}

impl AsynchronousSimulation {
    /// The energies now.
    pub fn energies(&self) -> Energies {
        let (positions, masses) = (self.positions(), self.surface.masses());
        let at = |vertex: u32| positions[vertex as usize];
        let springs = self.surface.springs().iter().map(|spring| spring.energy(spring.ends.map(at)));
        let membranes = self.surface.membranes().iter().map(|membrane| membrane.energy(membrane.vertices.map(at)));
        let hinges = self.surface.hinges().iter().map(|hinge| hinge.energy(hinge.vertices.map(at)));
        let moving = (0..self.vertices.len() as u32).zip(masses);
        let kinetic = moving.map(|(vertex, mass)| 0.5 * mass * self.vertices.velocity(vertex).length_squared());
        let potential = positions.iter().zip(masses).map(|(position, mass)| -mass * self.gravity.dot(*position));
        let contact = self.contacts.as_ref().map_or(0.0, |contacts| contacts.energy(&self.vertices, self.now));
        let contact = self.windows.as_ref().map_or(contact, |windows| windows.energy(&self.vertices, self.now));
        let mut energies = Energies {
            kinetic: kinetic.sum(),
            elastic: springs.chain(membranes).chain(hinges).sum(),
            contact,
            potential: potential.sum(),
        };
        for body in self.vertices.bodies().iter().filter(|body| body.is_movable()) {
            let [motion, shape] = body.energies(self.now);
            energies.kinetic += motion;
            energies.elastic += shape;
            energies.potential -= body.mass() * self.gravity.dot(body.placement(self.now).translation);
        }
        energies
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
        for body in self.vertices.bodies() {
            let [momentum, angular] = body.momenta(self.now);
            sums[0] += momentum;
            sums[1] += angular;
        }
        sums
    }
}
