//! The joints of a batch in the substeps of a step.

use super::body::Moving;
use super::contact::{COMPLIANCE, HeavyManifold, Parting, Slot, contact_row};
use super::node::{Node, Part, Phase, SIDES};
use super::{Coupled, SoftJoint, SoftJoints};
use crate::body::Pose;
use crate::joint::coordinates::{Coordinates, Placed};
use crate::joint::{AXES, Axis, Motion, Motor};
use crate::motion::velocities_between;
use crate::soft_step::batches::NONE;
use crate::soft_step::bodies::Mover;
use crate::soft_step::states::States;
use crate::solver::global::block_cholesky::{Block, BlockCholesky, Column, PairPlace};
use arrayvec::ArrayVec;
use glam::DVec3;

/// What is added to the diagonal, as a share of it: rows of closed loops may depend on each other.
const REGULARISATION: f64 = 1e-11;

/// Where that is not enough in floating point, it is so many times as much, so often.
const MORE: (f64, usize) = (1e3, 3);

/// Rounds of the active set at most, and how many of them change all rows at once.
const ROUNDS: (usize, usize) = (64, 12);

/// Newton steps at most that hold the coordinates of locks, and velocities.
const NEWTON_LIMIT: usize = 12;

/// A substep is solved so often at most while bodies need more inertia for their loads.
const IMPACT_ROUNDS: usize = 4;

/// Coordinates (m, rad) and velocities that are nearer than this to where they should be are there.
const NEAR: f64 = 1e-15;

/// Positions are corrected if a coordinate is farther off than this, m or rad.
const OFF: f64 = 1e-13;

/// A correction in a substep moves no coordinate by more than this, m or rad.
const LARGEST_CORRECTION: f64 = 0.05;

/// The blocks of two nodes that share a body.
#[derive(Clone, Debug)]
struct Shared {
    nodes: [usize; 2],
    place: PairPlace,
    block: Block,
}

/// How many nodes there are, and the pairs of them that share a body.
type Pattern = (usize, Vec<[usize; 2]>);

/// The joints of a batch.
#[derive(Debug, Default)]
pub struct JointIsland {
    /// Their places in the list of all.
    members: Vec<u32>,
    joints: Vec<SoftJoint>,
    /// A and B of each, by their places in `bodies`.
    sides: Vec<[usize; 2]>,
    bodies: Vec<Moving>,
    placed: Vec<Placed>,
    nodes: Vec<Node>,
    shared: Vec<Shared>,
    diagonal: Vec<Block>,
    /// The matrix, with the pairs of nodes that it was made for.
    matrix: Option<(Pattern, BlockCholesky)>,
    /// Which rows of each node are solved for in the factor.
    factorized: Option<Vec<u8>>,
    /// Whether the blocks are those of the phase and of where the bodies are.
    assembled: Option<Phase>,
    has_contacts: bool,
    substep: f64,
    /// Contacts that are solved with the joints, their impulses, and what is added to these.
    manifolds: Vec<HeavyManifold>,
    pub slots: Vec<Slot>,
    pub contact_impulses: Vec<f64>,
    pub contact_changes: Vec<f64>,
    parting: Parting,
}

impl JointIsland {
    /// Takes over the joints of a batch; `place` is that of a body that yields.
    pub fn begin(
        &mut self,
        all: &SoftJoints,
        members: &[u32],
        movers: &[Mover],
        place: impl Fn(u32) -> usize,
        (manifolds, parting): (Vec<HeavyManifold>, Parting),
        (has_contacts, substep): (bool, f64),
    ) {
        (self.manifolds, self.parting) = (manifolds, parting);
        (self.has_contacts, self.substep) = (has_contacts, substep);
        (self.factorized, self.assembled) = (None, None);
        self.members.clear();
        self.members.extend_from_slice(members);
        let mut named: Vec<u32> =
            members.iter().flat_map(|&joint| all.joints[joint as usize].bodies).filter(|&body| body != NONE).collect();
        named.sort_unstable();
        named.dedup();
        self.bodies.clear();
        self.bodies.extend(named.iter().filter_map(|&body| {
            let mover = &movers[body as usize];
            let place = mover.yields().then(|| place(body));
            all.body(body).map(|own| Moving::new(own, place, mover.inverse_mass))
        }));
        let world = self.bodies.len();
        self.bodies.push(Moving::world());
        let local = |body: u32| named.binary_search(&body).unwrap_or(world);
        let local_joint = |joint: u32| members.binary_search(&joint).unwrap_or(0) as u32;
        self.joints.clear();
        self.joints.extend(members.iter().map(|&joint| {
            let own = all.joints[joint as usize].clone();
            let coupled = own.coupled.map(|coupled| Coupled {
                joints: coupled.joints.map(|(joint, axis)| (local_joint(joint), axis)),
                ..coupled
            });
            SoftJoint { coupled, total: [DVec3::ZERO; 2], ..own }
        }));
        self.sides.clear();
        self.sides.extend(self.joints.iter().map(|joint| joint.bodies.map(local)));
        self.make_nodes();
        self.add_manifolds(movers);
        self.make_matrix();
    }

    fn make_nodes(&mut self) {
        self.nodes.clear();
        for (k, joint) in self.joints.iter().enumerate() {
            let mut bodies: ArrayVec<usize, SIDES> = ArrayVec::new();
            let sides = match &joint.coupled {
                None => vec![self.sides[k]],
                Some(coupled) => coupled.joints.iter().map(|&(joint, _)| self.sides[joint as usize]).collect(),
            };
            for side in sides.into_iter().flatten() {
                if !bodies.contains(&side) {
                    bodies.push(side);
                }
            }
            let is_soft = |motor: Option<Motor>| matches!(motor, Some(Motor::Position { .. } | Motor::Spring { .. }));
            if joint.axes.iter().any(|axis| {
                axis.motion != Motion::Free || axis.friction > 0.0 || (axis.motor.is_some() && !is_soft(axis.motor))
            }) {
                self.nodes.push(Node::new(k, Part::Hard, bodies.clone()));
            }
            if joint.axes.iter().any(|axis| is_soft(axis.motor)) {
                self.nodes.push(Node::new(k, Part::Soft, bodies));
            }
        }
    }

    /// Nodes for the contacts that are solved with the joints.
    fn add_manifolds(&mut self, movers: &[Mover]) {
        self.slots.clear();
        for (k, manifold) in self.manifolds.iter().enumerate() {
            let mut bodies = ArrayVec::new();
            for (&place, &body) in manifold.places.iter().zip(&manifold.bodies) {
                let known = self.bodies.iter().position(|own| own.place == Some(place));
                bodies.push(known.unwrap_or(self.bodies.len()));
                if known.is_none() {
                    self.bodies.push(Moving::visitor(body, place, &movers[body as usize]));
                }
            }
            self.nodes.push(Node::new(k, Part::Contact, bodies));
            self.slots.extend(manifold.contacts.iter().map(|contact| contact.slot));
        }
        self.contact_impulses.clear();
        self.contact_impulses.resize(self.slots.len(), 0.0);
        self.contact_changes.clone_from(&self.contact_impulses);
    }

    /// Whether any contacts are solved with the joints.
    pub fn has_heavy_contacts(&self) -> bool {
        !self.slots.is_empty()
    }

    /// The rows of these contacts, with the impulses and the displacements that they have now.
    fn set_contact_rows(&mut self, states: &mut States, movers: &[Mover], phase: Phase) {
        let parting = if phase == Phase::Push { self.parting } else { Parting::default() };
        let mut impulses = self.contact_impulses.iter();
        for node in self.nodes.iter_mut().filter(|node| node.part == Part::Contact) {
            let manifold = &self.manifolds[node.joint];
            let moved = [0, 1].map(|side: usize| {
                movers[manifold.bodies[side] as usize].displacement(&states.get(manifold.places[side]))
            });
            node.impulses = [0.0; AXES];
            for (k, (contact, &impulse)) in manifold.contacts.iter().zip(&mut impulses).enumerate() {
                let [a, b] = [0, 1].map(|side: usize| moved[side][0] + moved[side][1].cross(contact.arms[side]));
                let gap = contact.gap + manifold.normal.dot(b - a);
                let (velocity, change) = (node.velocity(k, &self.bodies), node.change(k));
                node.rows[k] = contact_row(k, gap, contact.slack, impulse, (self.substep, parting));
                node.rows[k].compliance = COMPLIANCE * change;
                if impulse == 0.0 {
                    node.rows[k].begin_at(velocity, change);
                }
            }
        }
    }

    /// What has been added to the impulses of these contacts.
    fn take_contact_changes(&mut self, movers: &[Mover]) {
        self.contact_changes.clear();
        for node in self.nodes.iter().filter(|node| node.part == Part::Contact) {
            self.contact_changes.extend(&node.impulses[..node.rows.len()]);
            for &body in &node.bodies {
                let own = &mut self.bodies[body];
                own.add_contact(&movers[own.body as usize], own.response(node.wrench(body)));
            }
        }
    }

    /// The matrix for the pairs of nodes that share a body that yields.
    fn make_matrix(&mut self) {
        let mut of_bodies: Vec<Vec<usize>> = vec![Vec::new(); self.bodies.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            for &body in node.bodies.iter().filter(|&&body| self.bodies[body].yields()) {
                of_bodies[body].push(k);
            }
        }
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for nodes in &of_bodies {
            for (k, &first) in nodes.iter().enumerate() {
                pairs.extend(nodes[k + 1..].iter().map(|&second| [first, second]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let pattern = (self.nodes.len(), pairs);
        if self.matrix.as_ref().is_none_or(|(known, _)| *known != pattern) {
            let cholesky = BlockCholesky::new(pattern.0, &pattern.1);
            self.matrix = Some((pattern, cholesky));
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

    /// The joints where the bodies are.
    pub fn place(&mut self) {
        let bodies: Vec<&Pose> = self.bodies.iter().map(|body| &body.pose).collect();
        self.placed.clear();
        self.placed.extend(
            self.joints
                .iter()
                .zip(&self.sides)
                .map(|(joint, sides)| Placed::new(sides.map(|side| bodies[side]), &joint.frames)),
        );
        let near: Vec<[f64; AXES]> = self.joints.iter().map(|joint| joint.coordinates).collect();
        let mut coordinates = near.clone();
        self.coordinates_at(&self.placed, &near, &mut coordinates);
        for (joint, coordinates) in self.joints.iter_mut().zip(coordinates) {
            joint.coordinates = coordinates;
        }
        self.assembled = None;
    }

    /// The coordinates of all joints; angles are counted on from where they were.
    fn coordinates_at(&self, placed: &[Placed], near: &[[f64; AXES]], coordinates: &mut [[f64; AXES]]) {
        for (k, joint) in self.joints.iter().enumerate().filter(|(_, joint)| joint.coupled.is_none()) {
            for axis in 0..AXES {
                // A rack asks for the displacement of a slider, which is free.
                if joint.axes[axis] != Axis::FREE || joint.set.is_counted(axis) || axis == 0 {
                    coordinates[k][axis] = placed[k].coordinate(joint.set, axis, near[k][axis]);
                }
            }
        }
        for (k, joint) in self.joints.iter().enumerate() {
            if let Some(Coupled { joints, ratio, offset }) = &joint.coupled {
                let [first, second] = joints.map(|(joint, axis)| coordinates[joint as usize][axis]);
                coordinates[k][0] = second - ratio * first - offset;
            }
        }
    }

    /// The rows of a phase and their blocks.
    fn assemble(&mut self, phase: Phase) {
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
        self.factorized = None;
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
                        *x += crate::solver::global::block_cholesky::dot(gradient, response);
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
    fn factorize(&mut self) -> bool {
        let mask = |node: &Node| {
            (0..).zip(&node.rows).filter(|(_, row)| row.is_active()).fold(0, |mask, (k, _)| mask | 1 << k)
        };
        let masks: Vec<u8> = self.nodes.iter().map(mask).collect();
        if self.factorized.as_ref() == Some(&masks) {
            return true;
        }
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
                self.factorized = Some(masks);
                return true;
            }
            share *= MORE.0;
        }
        self.factorized = None;
        false
    }

    /// Solves for impulses that change the velocities of the active rows by these.
    fn solve(&self, right: &[Column]) -> Vec<Column> {
        match &self.matrix {
            Some((_, cholesky)) => cholesky.solve(right),
            None => Vec::new(),
        }
    }

    /// Adds impulses, and what they change.
    fn push(&mut self, impulses: &[Column]) {
        for (node, change) in self.nodes.iter_mut().zip(impulses) {
            node.impulses.iter_mut().zip(change).for_each(|(x, y)| *x += y);
            node.push(change, &mut self.bodies);
        }
    }

    /// Velocities of all rows where they should be, with the impulses within their bounds: the linear law of a phase.
    fn settle(&mut self) {
        self.take_back();
        let start: Vec<[DVec3; 2]> = self.bodies.iter().map(|body| [body.velocity, body.spin]).collect();
        let known: Vec<Column> = self.nodes.iter().map(|node| node.impulses).collect();
        for round in 0..ROUNDS.0 {
            if round > 0 {
                // From the beginning, as impulses of rows that contradict each other leave nothing but rounding.
                for (body, [velocity, spin]) in self.bodies.iter_mut().zip(&start) {
                    (body.velocity, body.spin) = (*velocity, *spin);
                }
                for (node, known) in self.nodes.iter_mut().zip(&known) {
                    node.impulses = *known;
                }
            }
            // Rows between steps have given impulses.
            let given = |node: &Node, k: usize| match node.rows.get(k) {
                Some(row) if !row.is_active() => row.impulse() - node.impulses[k],
                _ => 0.0,
            };
            let given: Vec<Column> = self.nodes.iter().map(|node| std::array::from_fn(|k| given(node, k))).collect();
            self.push(&given);
            if !self.factorize() {
                return;
            }
            // The second time for what regularisation has left.
            for _ in 0..2 {
                let missing = self.missing();
                let impulses = self.solve(&missing);
                self.push(&impulses);
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

    /// Takes the impulses of joints back. Those that they begin with serve contacts; kept, the parts of them that cancel each other in
    /// closed loops would add up.
    fn take_back(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact && node.impulses != [0.0; AXES]) {
            let impulses = std::mem::take(&mut node.impulses);
            node.push(&impulses.map(|x| -x), &mut self.bodies);
        }
    }

    /// What active rows lack in velocity.
    fn missing(&self) -> Vec<Column> {
        let of = |node: &Node, k: usize| match node.rows.get(k) {
            Some(row) if row.is_active() => {
                row.target() - node.velocity(k, &self.bodies) - row.compliance * node.impulses[k]
            }
            _ => 0.0,
        };
        self.nodes.iter().map(|node| std::array::from_fn(|k| of(node, k))).collect()
    }

    /// The beginning of a substep: forces act, and joints and contacts do what they did in the last one.
    pub fn accelerate(&mut self, states: &mut States, movers: &[Mover], is_first: bool) {
        if is_first {
            self.place();
        }
        self.assemble(Phase::Push);
        let is_sprung = self.nodes.iter().any(|node| node.part == Part::Soft);
        if is_sprung {
            self.load(states, movers);
            for node in self.nodes.iter_mut().filter(|node| node.part == Part::Soft) {
                let velocities: [f64; AXES] = std::array::from_fn(|k| match node.rows.get(k) {
                    Some(_) => node.velocity(k, &self.bodies),
                    None => 0.0,
                });
                node.before = [0.0; AXES];
                for (row, velocity) in node.rows.iter().zip(velocities) {
                    node.before[row.axis] = velocity;
                }
                let joint = &self.joints[node.joint];
                node.set_rows(joint, &joint.coordinates, Phase::Push, self.substep);
            }
        }
        for body in &mut self.bodies {
            if body.yields() {
                body.accelerate(states, &movers[body.body as usize]);
            }
        }
        self.load(states, movers);
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            let joint = &self.joints[node.joint];
            let known = &joint.impulses[usize::from(node.part == Part::Soft)];
            for k in 0..node.rows.len() {
                let velocity = node.velocity(k, &self.bodies);
                let change = node.change(k) + node.rows[k].compliance;
                node.rows[k].begin_at(velocity, change);
            }
            node.impulses = [0.0; AXES];
            if self.has_contacts {
                // Contacts see bodies that joints hold already.
                let start: Column = std::array::from_fn(|k| node.rows.get(k).map_or(0.0, |row| known[row.axis]));
                node.impulses = start;
            }
        }
        if self.has_contacts {
            for node in self.nodes.iter().filter(|node| node.part != Part::Contact) {
                node.push(&node.impulses, &mut self.bodies);
            }
            self.store(states, movers);
        }
    }

    /// The damping that bodies need for the impulses that joints have now; where it `grows`, no less than they have. Returns whether
    /// it has changed.
    fn damp(&mut self, grows: bool) -> bool {
        let mut stiffness = vec![[0.0; 2]; self.bodies.len()];
        for ((joint, placed), sides) in self.joints.iter().zip(&self.placed).zip(&self.sides) {
            if joint.coupled.is_none() {
                let (along, about) = placed.geometric_stiffness(joint.set, &joint.impulses);
                for (side, about) in sides.iter().zip(about) {
                    stiffness[*side][0] += self.substep * along;
                    stiffness[*side][1] += self.substep * about;
                }
            }
        }
        let mut has_changed = false;
        for (body, stiffness) in self.bodies.iter_mut().zip(stiffness) {
            has_changed |= body.damp(stiffness, grows);
        }
        if has_changed {
            self.assembled = None;
        }
        has_changed
    }

    /// The rows and blocks of the push with the damping that bodies have.
    fn assemble_damped(&mut self) {
        if self.assembled == Some(Phase::Push) {
            return;
        }
        self.assemble(Phase::Push);
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            for k in 0..node.rows.len() {
                let change = node.change(k) + node.rows[k].compliance;
                let velocity = node.velocity(k, &self.bodies) - change * node.impulses[k];
                node.rows[k].begin_at(velocity, change);
            }
        }
    }

    /// Ends what damping does.
    fn release(&mut self) {
        let mut has_changed = false;
        for body in &mut self.bodies {
            has_changed |= body.damp([0.0; 2], false);
        }
        if has_changed {
            self.assembled = None;
        }
    }

    /// Takes note of the impulses of the substep.
    fn note_impulses(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            let joint = &mut self.joints[node.joint];
            let known = &mut joint.impulses[usize::from(node.part == Part::Soft)];
            *known = [0.0; AXES];
            for (row, &impulse) in node.rows.iter().zip(&node.impulses) {
                known[row.axis] = impulse;
            }
        }
    }

    /// Before contacts act.
    pub fn before_contacts(&mut self, states: &mut States) {
        self.bodies.iter_mut().for_each(|body| body.before_contacts(states));
    }

    /// And after that.
    pub fn after_contacts(&mut self, states: &mut States, movers: &[Mover]) {
        self.bodies.iter_mut().for_each(|body| body.after_contacts(states));
        self.load(states, movers);
    }

    fn load(&mut self, states: &mut States, movers: &[Mover]) {
        for body in self.bodies.iter_mut().filter(|body| body.yields()) {
            body.load(states, &movers[body.body as usize]);
        }
    }

    fn store(&self, states: &mut States, movers: &[Mover]) {
        for body in self.bodies.iter().filter(|body| body.yields()) {
            body.store(states, &movers[body.body as usize]);
        }
    }

    /// Joints act, and bodies that are in any move on for the substep.
    pub fn advance(&mut self, states: &mut States, movers: &[Mover]) {
        let start: Vec<[DVec3; 2]> = self.bodies.iter().map(|body| [body.velocity, body.spin]).collect();
        let impulses: Vec<Column> = self.nodes.iter().map(|node| node.impulses).collect();
        self.damp(false);
        for round in 1.. {
            self.bodies.iter_mut().for_each(Moving::slow_down);
            self.assemble_damped();
            if self.has_heavy_contacts() {
                self.set_contact_rows(states, movers, Phase::Push);
                self.factorized = None;
            }
            self.settle();
            self.note_impulses();
            // Loads that come all at once are to be damped in this substep.
            if round == IMPACT_ROUNDS || !self.damp(true) {
                break;
            }
            for (body, [velocity, spin]) in self.bodies.iter_mut().zip(&start) {
                (body.velocity, body.spin) = (*velocity, *spin);
            }
            for (node, impulses) in self.nodes.iter_mut().zip(&impulses) {
                node.impulses = *impulses;
            }
        }
        let moved = self.hold();
        self.take_contact_changes(movers);
        for (body, (pose, spin)) in self.bodies.iter_mut().zip(moved).filter(|(body, _)| !body.is_visitor) {
            body.pose = pose;
            if body.yields() {
                body.spin = spin;
                body.turn_inertia();
            }
        }
        self.note_impulses();
        self.add_totals();
        self.release();
        self.place();
        self.correct();
        self.store(states, movers);
    }

    /// Holds the coordinates of locks: impulses along the gradients where the substep begins. Returns where the bodies are at its end.
    fn hold(&mut self) -> Vec<(Pose, DVec3)> {
        let has_locks = self.nodes.iter().any(|node| node.rows.iter().any(|row| row.is_lock()));
        let mut moved: Vec<(Pose, DVec3)> = self.bodies.iter().map(|body| body.moved(self.substep)).collect();
        if !has_locks || self.factorized.is_none() {
            return moved;
        }
        let kept: Vec<_> = self.bodies.iter().map(|body| (body.velocity, body.spin)).collect();
        let kept_impulses: Vec<_> = self.nodes.iter().map(|node| node.impulses).collect();
        let kept_moved = moved.clone();
        let (mut first, mut last) = (f64::INFINITY, f64::INFINITY);
        for round in 0..NEWTON_LIMIT {
            let missing = self.drift(&moved);
            let worst = missing.iter().flatten().fold(0.0, |worst: f64, x| worst.max(x.abs())) * self.substep;
            if round == 0 {
                first = worst;
            }
            let converges = worst <= 0.5 * last;
            if worst <= NEAR || !converges || round + 1 == NEWTON_LIMIT {
                last = worst;
                break;
            }
            last = worst;
            let impulses = self.solve(&missing);
            self.push(&impulses);
            moved.clear();
            moved.extend(self.bodies.iter().map(|body| body.moved(self.substep)));
        }
        let is_nearer = last <= first;
        if !is_nearer {
            // Turns are too large for it: velocities obey the linear law, and positions are corrected.
            for (body, (velocity, spin)) in self.bodies.iter_mut().zip(kept) {
                (body.velocity, body.spin) = (velocity, spin);
            }
            for (node, impulses) in self.nodes.iter_mut().zip(kept_impulses) {
                node.impulses = impulses;
            }
            return kept_moved;
        }
        moved
    }

    /// What locks lack in mean velocity over the substep where bodies end like this; the other active rows, in velocity.
    fn drift(&self, moved: &[(Pose, DVec3)]) -> Vec<Column> {
        let placed: Vec<Placed> = self
            .joints
            .iter()
            .zip(&self.sides)
            .map(|(joint, sides)| Placed::new(sides.map(|side| &moved[side].0), &joint.frames))
            .collect();
        let near: Vec<[f64; AXES]> = self.joints.iter().map(|joint| joint.coordinates).collect();
        let mut there = near.clone();
        self.coordinates_at(&placed, &near, &mut there);
        let mut missing = self.missing();
        for (node, missing) in self.nodes.iter().zip(&mut missing) {
            if node.part == Part::Contact {
                continue;
            }
            let set = self.joints[node.joint].set;
            for (row, missing) in node.rows.iter().zip(missing).filter(|(row, _)| row.is_lock()) {
                let change = if set == Coordinates::World && row.axis >= 3 {
                    let body = self.sides[node.joint][1];
                    velocities_between(&self.bodies[body].pose, &moved[body].0, 1.0).1[row.axis - 3]
                } else {
                    there[node.joint][row.axis] - near[node.joint][row.axis]
                };
                *missing = -change / self.substep;
            }
        }
        missing
    }

    /// Brings coordinates back to where they should be, by displacements that are weighted with the masses; velocities stay.
    fn correct(&mut self) {
        let mut last = f64::INFINITY;
        for _ in 0..NEWTON_LIMIT {
            let off = |joint: &SoftJoint, axis: usize| {
                let coordinate = joint.coordinates[axis];
                if joint.axes[axis].motion == Motion::Free {
                    0.0
                } else {
                    Node::goal(&joint.axes[axis], coordinate) - coordinate
                }
            };
            let worst = self
                .joints
                .iter()
                .flat_map(|joint| (0..AXES).map(move |axis| off(joint, axis).abs()))
                .fold(0.0, f64::max);
            let converges = worst <= 0.5 * last;
            if worst <= OFF || !converges {
                return;
            }
            last = worst;
            self.assemble(Phase::Correct);
            if !self.factorize() {
                return;
            }
            let share = (LARGEST_CORRECTION / worst).min(1.0);
            let right: Vec<Column> = self
                .nodes
                .iter()
                .map(|node| {
                    if node.part == Part::Contact {
                        return [0.0; AXES];
                    }
                    let joint = &self.joints[node.joint];
                    std::array::from_fn(|k| node.rows.get(k).map_or(0.0, |row| share * off(joint, row.axis)))
                })
                .collect();
            let displacements = self.solve(&right);
            let mut changes = vec![[DVec3::ZERO; 2]; self.bodies.len()];
            for (node, displacement) in self.nodes.iter().zip(&displacements) {
                for (body, [way, turn]) in node.changes(displacement) {
                    changes[body][0] += way;
                    changes[body][1] += turn;
                }
            }
            for (body, [way, turn]) in
                self.bodies.iter_mut().zip(changes).filter(|(body, _)| body.yields() && !body.is_visitor)
            {
                body.pose = crate::motion::advance(body.pose, way, turn, 1.0);
                body.turn_inertia();
            }
            self.place();
            if share < 1.0 {
                return;
            }
        }
    }

    /// The velocities where the substep has ended.
    pub fn project(&mut self, states: &mut States, movers: &[Mover]) {
        self.assemble(Phase::Project);
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            node.impulses = [0.0; AXES];
            for k in 0..node.rows.len() {
                let (velocity, change) = (node.velocity(k, &self.bodies), node.change(k));
                node.rows[k].begin_at(velocity, change);
            }
        }
        if self.has_heavy_contacts() {
            self.set_contact_rows(states, movers, Phase::Project);
            self.factorized = None;
        }
        self.settle();
        self.take_contact_changes(movers);
        self.add_totals();
        self.store(states, movers);
    }

    /// Adds what the impulses of the rows do to B to the totals.
    fn add_totals(&mut self) {
        for node in self.nodes.iter().filter(|node| node.part != Part::Contact) {
            let joint = &mut self.joints[node.joint];
            let side = match &joint.coupled {
                None => self.sides[node.joint][1],
                // The body that the second of its joints moves.
                Some(coupled) => self.sides[coupled.joints[1].0 as usize][1],
            };
            let [force, moment] = node.wrench(side);
            let arm = if joint.coupled.is_some() { DVec3::ZERO } else { self.placed[node.joint].arm_of_b() };
            joint.total[0] += force;
            joint.total[1] += moment - arm.cross(force);
        }
    }

    /// The joints as they are after the step, with their places in the list of all.
    pub fn finish(&mut self) -> impl Iterator<Item = (u32, &SoftJoint)> {
        for (joint, placed) in self.joints.iter_mut().zip(&self.placed).filter(|(joint, _)| joint.coupled.is_none()) {
            for axis in 0..AXES {
                joint.coordinates[axis] = placed.coordinate(joint.set, axis, joint.coordinates[axis]);
            }
        }
        self.members.iter().copied().zip(&self.joints)
    }

    /// Whether a body (by its place in the batch) is one of those that joints move.
    pub fn mark(&self, is_jointed: &mut [bool]) {
        for place in self.bodies.iter().filter(|body| !body.is_visitor).filter_map(|body| body.place) {
            is_jointed[place] = true;
        }
    }
}

/// A block with zeros in the rows and columns that are not solved for.
fn masked(block: &Block, rows: u8, columns: u8) -> Block {
    let is_in = |mask: u8, k: usize| mask & (1 << k) != 0;
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if is_in(rows, i) && is_in(columns, j) { block[i][j] } else { 0.0 })
    })
}
