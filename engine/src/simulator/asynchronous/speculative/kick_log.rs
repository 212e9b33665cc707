//! Where vertices and bodies are when they are kicked in a window: between these times they run straight.

use glam::{DAffine3, DVec3};

use crate::simulator::asynchronous::clock::Ticks;

/// Times and places of kicks, from the beginning of the window to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KickLog {
    /// Of each free vertex.
    vertices: Vec<Vec<(Ticks, DVec3)>>,
    /// Of each body.
    bodies: Vec<Vec<(Ticks, DAffine3)>>,
}

impl KickLog {
    /// An empty log.
    pub(in super::super) fn clear(&mut self, vertices: usize, bodies: usize) {
        self.vertices.resize_with(vertices, Vec::new);
        self.bodies.resize_with(bodies, Vec::new);
        self.vertices.iter_mut().for_each(Vec::clear);
        self.bodies.iter_mut().for_each(Vec::clear);
    }

    /// Where a free vertex is at a time no earlier than the last.
    pub(in super::super) fn push_vertex(&mut self, vertex: u32, now: Ticks, at: DVec3) {
        push(&mut self.vertices[vertex as usize], now, at);
    }

    /// Where a body is at a time no earlier than the last.
    pub(in super::super) fn push_body(&mut self, body: u32, now: Ticks, at: DAffine3) {
        push(&mut self.bodies[body as usize], now, at);
    }

    /// Of all free vertices.
    pub(in super::super) fn vertices_mut(&mut self) -> &mut [Vec<(Ticks, DVec3)>] {
        &mut self.vertices
    }

    /// Of a free vertex.
    pub fn of_vertex(&self, vertex: u32) -> &[(Ticks, DVec3)] {
        &self.vertices[vertex as usize]
    }

    /// Of a body.
    pub fn of_body(&self, body: u32) -> &[(Ticks, DAffine3)] {
        &self.bodies[body as usize]
    }
}

fn push<T>(list: &mut Vec<(Ticks, T)>, now: Ticks, at: T) {
    if list.last().is_none_or(|(time, _)| *time < now) {
        list.push((now, at));
    }
}
