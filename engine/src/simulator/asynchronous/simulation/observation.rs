//! What can be seen of an asynchronous simulation at any time.

use super::super::affine_body::AffineBody;
use super::super::clock::Ticks;
use super::super::contact_report::ContactReport;
use super::super::contacts::Contacts;
use super::super::intersection::first_intersection;
use super::super::parts::parts;
use super::super::profile::EventProfile;
use super::super::speculative::Windows;
use super::super::surface::DeformableSurface;
use super::super::vertex_steps::VertexSteps;
use super::AsynchronousSimulation;
use crate::simulator::DeformableMesh;
use glam::DVec3;

impl AsynchronousSimulation {
    /// Two triangles that pass through each other where they are, the first pair in ascending order; decided exactly, by nothing that contact
    /// relies on. Those that are prescribed do not see each other.
    pub fn first_intersection(&self) -> Option<[u32; 2]> {
        let triangles = self.surface.triangles();
        let moves = |t: u32| triangles[t as usize].iter().any(|&v| self.vertices.inverse_mass(v) > 0.0);
        first_intersection(&self.positions(), triangles, moves)
    }

    /// What has been seen of contacts, if there is contact.
    pub fn contact_report(&self) -> Option<&ContactReport> {
        self.contacts.as_ref().map(Contacts::report).or(self.windows.as_ref().map(Windows::report))
    }

    /// How many pairs of features are looked at, and how many of them repel each other.
    pub fn pairs(&self) -> [usize; 2] {
        let by_windows = self.windows.as_ref().map(Windows::count);
        self.contacts.as_ref().map(Contacts::count).or(by_windows).unwrap_or_default()
    }

    /// The surface at rest.
    pub fn surface(&self) -> &DeformableSurface {
        &self.surface
    }

    /// s.
    pub fn time(&self) -> f64 {
        self.now.seconds()
    }

    /// How many events there were: ticks of each force, and certificates that failed.
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

    /// The connected parts of the surface, where they are now.
    pub fn meshes(&self) -> Vec<DeformableMesh> {
        let (positions, velocities) = (self.positions(), self.velocities());
        parts(&self.surface, &self.vertices).iter().map(|part| part.mesh(&positions, &velocities)).collect()
    }

    /// m/s².
    pub fn gravity(&self) -> DVec3 {
        self.gravity
    }

    /// The time steps of all vertices that forces move, now.
    pub fn vertex_steps(&self) -> VertexSteps {
        let gravity = (self.gravity != DVec3::ZERO).then_some(self.gravity_clock);
        VertexSteps::new(&self.vertices, gravity, &self.levels, self.contacts.as_ref(), self.windows.as_ref())
    }

    /// Events by kind since this was called before.
    pub fn take_profile(&mut self) -> EventProfile {
        std::mem::take(&mut self.profile)
    }

    /// When the next event is, s.
    pub fn next_time(&self) -> Option<f64> {
        self.queue.first().map(|(time, _)| time.seconds())
    }

    /// The queue in words, earliest events first, each with its time, s.
    pub fn queued(&self) -> Vec<(f64, String)> {
        let describe = |event: u32| match event.checked_sub(1 + self.levels.len() as u32) {
            None if event == 0 => "gravity and prescribed forces".to_owned(),
            None => {
                let level = &self.levels[event as usize - 1];
                format!("{} elastic forces with steps of {:.1e} s", level.count(), level.clock.step())
            }
            Some(0) => "prescribed velocities".to_owned(),
            Some(1) => "the next piece of the path of an obstacle".to_owned(),
            Some(_) => self.contacts.as_ref().map_or_else(String::new, |contacts| contacts.describe(event)),
        };
        self.queue.in_order().into_iter().map(|(time, event)| (time.seconds(), describe(event))).collect()
    }

    /// Affine bodies and obstacles; [`AffineBody::placement`] at [`AsynchronousSimulation::now`] says where they are.
    pub fn bodies(&self) -> &[AffineBody] {
        self.vertices.bodies()
    }

    /// The time in ticks.
    pub fn now(&self) -> Ticks {
        self.now
    }
}
