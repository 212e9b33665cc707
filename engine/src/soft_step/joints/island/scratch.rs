//! Memory that substeps use again and again, so that a step asks for none.

use crate::body::Pose;
use crate::joint::AXES;
use crate::joint::coordinates::Placed;
use crate::solver::global::block_cholesky::Column;
use glam::DVec3;

/// What parts of a substep work with; nothing is kept in it.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub named: Vec<u32>,
    pub entries: Vec<(usize, usize)>,
    pub pairs: Vec<[usize; 2]>,
    /// Coordinates where they were, and where they are.
    pub near: Vec<[f64; AXES]>,
    pub there: Vec<[f64; AXES]>,
    pub placed: Vec<Placed>,
    /// Velocities and impulses before a substep is solved, before the law is settled, and before positions are held.
    pub begun: Kept,
    pub settled: Kept,
    pub held: Kept,
    pub right: Vec<Column>,
    pub impulses: Vec<Column>,
    pub solution: Vec<Column>,
    pub stiffness: Vec<[f64; 2]>,
    pub changes: Vec<[DVec3; 2]>,
    pub is_jointed: Vec<bool>,
}

/// Velocities of bodies and impulses of nodes.
#[derive(Debug, Default)]
pub(super) struct Kept {
    velocities: Vec<[DVec3; 2]>,
    impulses: Vec<Column>,
}

impl Kept {
    /// Keeps those of now.
    pub fn keep(&mut self, velocities: impl Iterator<Item = [DVec3; 2]>, impulses: impl Iterator<Item = Column>) {
        self.velocities.clear();
        self.velocities.extend(velocities);
        self.impulses.clear();
        self.impulses.extend(impulses);
    }

    pub fn velocities(&self) -> &[[DVec3; 2]] {
        &self.velocities
    }

    pub fn impulses(&self) -> &[Column] {
        &self.impulses
    }
}

/// Where bodies are at the end of a motion, with their angular velocities.
pub(super) type Moved = Vec<(Pose, DVec3)>;
