//! The linear system of the joints of a batch, and which of the bounds of its rows are reached.

use super::super::contact::{Parting, contact_row};
use super::super::node::{Node, Part, Phase};
use super::JointIsland;
use super::scratch::{Kept, Scratch};
use crate::joint::AXES;
use crate::solver::global::block_cholesky::{Block, BlockCholesky, Column, PairPlace, dot};

/// What is added to the diagonal, as a share of it: rows of closed loops may depend on each other.
const REGULARISATION: f64 = 1e-11;

/// Where that is not enough in floating point, it is so many times as much, so often.
const MORE: (f64, usize) = (1e3, 3);

/// Rounds of the active set at most, and how many of them change all rows at once.
const ROUNDS: (usize, usize) = (64, 12);

/// The blocks of two nodes that share a body.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    nodes: [usize; 2],
    place: PairPlace,
    block: Block,
}

/// How many nodes there are, and the pairs of them that share a body.
pub(super) type Pattern = (usize, Vec<[usize; 2]>);

impl JointIsland {
    /// The matrix for the pairs of nodes that share a body that yields.
    pub(super) fn make_matrix(&mut self) {
        let Self { nodes, bodies, matrix, scratch: Scratch { entries, pairs, .. }, .. } = self;
        entries.clear();
        for (k, node) in nodes.iter().enumerate() {
            entries.extend(node.bodies.iter().filter(|&&body| bodies[body].yields()).map(|&body| (body, k)));
        }
        entries.sort_unstable();
        pairs.clear();
        for (k, &(body, first)) in entries.iter().enumerate() {
            let others = entries[k + 1..].iter().take_while(|(other, _)| *other == body);
            pairs.extend(others.map(|&(_, second)| [first, second]));
        }
        pairs.sort_unstable();
        pairs.dedup();
        if matrix.as_ref().is_none_or(|((count, known), _)| *count != nodes.len() || known != pairs) {
            *matrix = Some(((nodes.len(), pairs.clone()), BlockCholesky::new(nodes.len(), pairs)));
        }
        let Some(((_, pairs), cholesky)) = &self.matrix else { return };
        self.shared.clear();
        self.shared.extend(pairs.iter().map(|&nodes| Shared {
            nodes,
            place: cholesky.place(nodes),
            block: [[0.0; 6]; 6],
        }));
        self.diagonal.clear();
        self.diagonal.resize(self.nodes.len(), [[0.0; 6]; 6]);
    }

    /// The rows of a phase and their blocks.
    pub(super) fn assemble(&mut self, phase: Phase) {
        if self.assembled == Some(phase) {
            return;
        }
        let has_only_locks = self.assembled.is_some()
            && self.nodes.iter().all(|n| n.part == Part::Hard && n.rows.iter().all(|r| r.is_lock()));
        let mut is_same = has_only_locks;
        for node in &mut self.nodes {
            if node.part == Part::Contact {
                let count = if phase == Phase::Correct { 0 } else { self.manifolds[node.joint].contacts.len() };
                node.rows = (0..count).map(|k| contact_row(k, 1.0, 0.0, 0.0, (1.0, Parting::default()))).collect();
                is_same = false;
                continue;
            }
            let before = std::mem::take(&mut node.rows);
            let joint = &self.joints[node.joint];
            node.set_rows(joint, &joint.coordinates, phase, self.substep);
            let are_locks = || before.iter().zip(&node.rows).all(|(a, b)| b.is_lock() && a.axis == b.axis);
            is_same &= before.len() == node.rows.len() && are_locks();
        }
        self.assembled = Some(phase);
        if is_same {
            return;
        }
        self.is_factorized = false;
        for node in &mut self.nodes {
            if node.part == Part::Contact {
                node.set_contact_gradients(&self.manifolds[node.joint], &self.bodies);
                continue;
            }
            node.set_gradients(&self.joints, &self.placed, &self.bodies, &self.sides);
        }
        let product = |a: &Node, b: &Node, block: &mut Block| {
            *block = [[0.0; 6]; 6];
            for (i, body) in a.bodies.iter().enumerate().filter(|(_, body)| self.bodies[**body].yields()) {
                let Some(j) = b.bodies.iter().position(|own| own == body) else { continue };
                for (row, gradient) in block.iter_mut().zip(&a.gradients[i]).take(a.rows.len()) {
                    for (x, response) in row.iter_mut().zip(&b.responses[j]).take(b.rows.len()) {
                        *x += dot(gradient, response);
                    }
                }
            }
        };
        for (node, block) in self.nodes.iter().zip(&mut self.diagonal) {
            product(node, node, block);
        }
        for shared in &mut self.shared {
            product(&self.nodes[shared.nodes[0]], &self.nodes[shared.nodes[1]], &mut shared.block);
        }
    }

    /// Factorizes the matrix of the rows that are active. Returns whether it could be.
    pub(super) fn factorize(&mut self) -> bool {
        let mask = |node: &Node| {
            (0..).zip(&node.rows).filter(|(_, row)| row.is_active()).fold(0, |mask, (k, _)| mask | 1 << k)
        };
        let is_known = self.masks.iter().copied().eq(self.nodes.iter().map(mask));
        if self.is_factorized && is_known {
            return true;
        }
        self.masks.clear();
        self.masks.extend(self.nodes.iter().map(mask));
        let masks = &self.masks;
        let Some((_, cholesky)) = &mut self.matrix else { return false };
        let mut share = REGULARISATION;
        for _ in 0..MORE.1 {
            cholesky.clear();
            for (k, (node, block)) in self.nodes.iter().zip(&self.diagonal).enumerate() {
                let mut own = masked(block, masks[k], masks[k]);
                for (i, row) in own.iter_mut().enumerate() {
                    row[i] = if row[i] > 0.0 { row[i] * (1.0 + share) } else { 1.0 };
                    if let Some(of) = node.rows.get(i).filter(|of| of.is_active()) {
                        row[i] += of.compliance;
                    }
                }
                cholesky.add_to_body(k, &own);
            }
            for Shared { nodes: [a, b], place, block } in &self.shared {
                cholesky.add_to_pair(*place, &masked(block, masks[*a], masks[*b]));
            }
            if cholesky.factorize() {
                self.is_factorized = true;
                return true;
            }
            share *= MORE.0;
        }
        self.is_factorized = false;
        false
    }

    /// Solves for impulses that change the velocities of the active rows by these.
    pub(super) fn solve(&mut self, right: &[Column], impulses: &mut Vec<Column>) {
        match &self.matrix {
            Some((_, cholesky)) => cholesky.solve_into(right, &mut self.scratch.solution, impulses),
            None => impulses.clear(),
        }
    }

    /// Adds impulses, and what they change.
    pub(super) fn push(&mut self, impulses: &[Column]) {
        for (node, change) in self.nodes.iter_mut().zip(impulses) {
            node.impulses.iter_mut().zip(change).for_each(|(x, y)| *x += y);
            node.push(change, &mut self.bodies);
        }
    }

    /// Velocities of all rows where they should be, with the impulses within their bounds: the linear law of a phase.
    pub(super) fn settle(&mut self) {
        self.take_back();
        let mut start = std::mem::take(&mut self.scratch.settled);
        start.keep(
            self.bodies.iter().map(|body| [body.velocity, body.spin]),
            self.nodes.iter().map(|node| node.impulses),
        );
        let mut right = std::mem::take(&mut self.scratch.right);
        let mut impulses = std::mem::take(&mut self.scratch.impulses);
        self.settle_from(&start, &mut right, &mut impulses);
        (self.scratch.settled, self.scratch.right, self.scratch.impulses) = (start, right, impulses);
    }

    fn settle_from(&mut self, start: &Kept, right: &mut Vec<Column>, impulses: &mut Vec<Column>) {
        for round in 0..ROUNDS.0 {
            if round > 0 {
                // From the beginning, as impulses of rows that contradict each other leave nothing but rounding.
                self.go_back_to(start);
            }
            // Rows between steps have given impulses.
            let given = |node: &Node, k: usize| match node.rows.get(k) {
                Some(row) if !row.is_active() => row.impulse() - node.impulses[k],
                _ => 0.0,
            };
            right.clear();
            right.extend(self.nodes.iter().map(|node| -> Column { std::array::from_fn(|k| given(node, k)) }));
            self.push(right);
            if !self.factorize() {
                return;
            }
            // The second time for what regularisation has left.
            for _ in 0..2 {
                self.missing(right);
                self.solve(right, impulses);
                self.push(impulses);
            }
            let mut has_changed = false;
            for node in &mut self.nodes {
                for k in 0..node.rows.len() {
                    if node.rows[k].is_lock() || (has_changed && round >= ROUNDS.1) {
                        continue;
                    }
                    let impulse = node.impulses[k];
                    let velocity = node.velocity(k, &self.bodies) + node.rows[k].compliance * impulse;
                    has_changed |= node.rows[k].follow(velocity, impulse);
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Velocities and impulses as they were.
    pub(super) fn go_back_to(&mut self, kept: &Kept) {
        for (body, [velocity, spin]) in self.bodies.iter_mut().zip(kept.velocities()) {
            (body.velocity, body.spin) = (*velocity, *spin);
        }
        for (node, impulses) in self.nodes.iter_mut().zip(kept.impulses()) {
            node.impulses = *impulses;
        }
    }

    /// Takes the impulses of joints back. Those that they begin with serve contacts; kept, the parts of them that cancel each other in
    /// closed loops would add up.
    fn take_back(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact && node.impulses != [0.0; AXES]) {
            let impulses = std::mem::take(&mut node.impulses);
            node.push(&impulses.map(|x| -x), &mut self.bodies);
        }
    }

    /// What active rows lack in velocity.
    pub(super) fn missing(&self, missing: &mut Vec<Column>) {
        let of = |node: &Node, k: usize| match node.rows.get(k) {
            Some(row) if row.is_active() => {
                row.target() - node.velocity(k, &self.bodies) - row.compliance * node.impulses[k]
            }
            _ => 0.0,
        };
        missing.clear();
        missing.extend(self.nodes.iter().map(|node| -> Column { std::array::from_fn(|k| of(node, k)) }));
    }
}

/// A block with zeros in the rows and columns that are not solved for.
fn masked(block: &Block, rows: u8, columns: u8) -> Block {
    let is_in = |mask: u8, k: usize| mask & (1 << k) != 0;
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if is_in(rows, i) && is_in(columns, j) { block[i][j] } else { 0.0 })
    })
}
