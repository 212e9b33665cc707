//! The kinetic broad phase of the paper: a hierarchy of k-DOPs over triangles and particles, and a list of pairs of its nodes that are certified to be
//! apart, which together hold all pairs of items that are not near each other.
//!
//! How far a node reaches along a direction changes with constant speed, as that of the vertex that reaches farthest. It is fitted again when
//! another of its vertices overtakes that one. A pair of nodes is apart along one direction, the witness; when they meet there, another witness is looked
//! for, and without any the pair gives way to those of its children. Items that meet are looked at by slabs from then on.
//!
//! It differs from the paper's in that speeds are those of velocity balls, so that a kick that stays in one changes nothing, and in that the list gets shorter
//! only when it is made anew, which is when it has grown by a tenth.
//!
//! Source: Harmon and others (see [`super`]), section 4.2; Weller, Zachmann, "Kinetic separation lists for continuous collision detection of
//! deformable objects" (2006).

use std::collections::BTreeSet;
use std::f64::consts::SQRT_2;

use drystone_contact::Bounds;
use drystone_contact::sorting::inserted;
use glam::DVec3;

use super::box_tree::BoxTree;
use super::clock::Ticks;
use super::features::Features;
use super::queue::EventQueue;
use super::vertices::Vertices;

/// Half of the directions; the others are their opposites.
const AXES: usize = 13;

/// Along the axes, between two of them, and between all three; and how long they are.
const DIRECTIONS: [(DVec3, f64); AXES] = [
    (DVec3::new(1.0, 0.0, 0.0), 1.0),
    (DVec3::new(0.0, 1.0, 0.0), 1.0),
    (DVec3::new(0.0, 0.0, 1.0), 1.0),
    (DVec3::new(1.0, 1.0, 0.0), SQRT_2),
    (DVec3::new(1.0, -1.0, 0.0), SQRT_2),
    (DVec3::new(1.0, 0.0, 1.0), SQRT_2),
    (DVec3::new(1.0, 0.0, -1.0), SQRT_2),
    (DVec3::new(0.0, 1.0, 1.0), SQRT_2),
    (DVec3::new(0.0, 1.0, -1.0), SQRT_2),
    (DVec3::new(1.0, 1.0, 1.0), ROOT_OF_THREE),
    (DVec3::new(1.0, 1.0, -1.0), ROOT_OF_THREE),
    (DVec3::new(1.0, -1.0, 1.0), ROOT_OF_THREE),
    (DVec3::new(1.0, -1.0, -1.0), ROOT_OF_THREE),
];

const ROOT_OF_THREE: f64 = 1.732_050_807_568_877_3;

/// Pairs are certified only if they are apart by more than this share of the thickness: certificates hold for some time.
const LEAST: f64 = 0.25;

/// What vertices may do within their balls, or beside each other, widens a node by no more than so many times the thickness before it is fitted again.
const WIDENED: f64 = 2.0;

/// Vertices that reach equally far up to this share of the thickness are not told apart.
const LEVEL: f64 = 0.05;

/// The list of pairs is made anew when it has got longer by this factor.
const GROWTH: f64 = 1.1;

/// Coordinates and their sums are off by less than this share of them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How far something reaches: offset + speed · time, m.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reach {
    /// m.
    offset: f64,
    /// m/s.
    speed: f64,
}

/// No vertex.
const NONE: Reach = Reach { offset: f64::NEG_INFINITY, speed: 0.0 };

impl Reach {
    fn at(self, seconds: f64) -> f64 {
        self.offset + self.speed * seconds
    }

    /// The farther of two, and for how many seconds that is good. Two that are nearly level (m) are taken for one, as far as the one and as fast as the
    /// other, until that is too far: else they would overtake each other again and again.
    fn farther(self, other: Self, seconds: f64, thickness: f64) -> (Self, f64) {
        let [a, b] = [self, other].map(|reach| reach.at(seconds));
        let (first, second, lead) = if a >= b { (self, other, a - b) } else { (other, self, b - a) };
        let closing = second.speed - first.speed;
        if closing <= 0.0 {
            return (first, f64::INFINITY);
        }
        if lead > LEVEL * thickness {
            return (first, lead / closing);
        }
        let both = Self { offset: a.max(b) - second.speed * seconds, speed: second.speed };
        (both, WIDENED * thickness / closing)
    }
}

/// A polytope by how far it reaches along the directions and their opposites.
type Dop = [Reach; 2 * AXES];

/// A pair of nodes that are apart along a direction: the first is behind the second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Apart {
    nodes: [u32; 2],
    witness: u32,
    /// Where it is in the lists of its nodes.
    entries: [u32; 2],
}

/// What has been done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HierarchyReport {
    /// Nodes that were fitted.
    pub fitted: u64,
    /// Pairs of nodes that met along their witness.
    pub failed: u64,
    /// Pairs whose failure was computed again.
    pub rescheduled: u64,
    /// Times the list was made anew.
    pub rebuilt: u64,
}

/// The hierarchy, and the pairs of its nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct KineticHierarchy {
    /// What is below what; its boxes are those of the start.
    tree: BoxTree,
    /// Of each node.
    dops: Vec<Dop>,
    pairs: Vec<Apart>,
    free: Vec<u32>,
    of_node: Vec<Vec<u32>>,
    /// Items that met, the lower first.
    met: BTreeSet<[u32; 2]>,
    /// Vertices, then nodes, then pairs.
    queue: EventQueue,
    vertices: u32,
    particle_items: Vec<u32>,
    /// m.
    thickness: f64,
    /// How many pairs there were when the list was made.
    made: usize,
    report: HierarchyReport,
}

impl KineticHierarchy {
    /// Of features where they are now. Items are near if they are closer than a thickness, m.
    pub fn new(features: &Features, vertices: &Vertices, thickness: f64, now: Ticks) -> Self {
        let at = |&v: &u32| vertices.position(v, now);
        let empty = Bounds { low: DVec3::ZERO, high: DVec3::ZERO };
        let around = |of: &[u32]| Bounds::around(of.iter().map(at)).unwrap_or(empty);
        let triangles = features.corners.iter().map(|corners| around(corners));
        let boxes: Vec<Bounds> = triangles.chain(features.particles.iter().map(|&v| around(&[v]))).collect();
        let tree = BoxTree::new(&boxes);
        let mut particle_items = vec![u32::MAX; vertices.len()];
        (features.corners.len() as u32..).zip(&features.particles).for_each(|(k, &v)| particle_items[v as usize] = k);
        let nodes = tree.nodes();
        let mut hierarchy = Self {
            tree,
            dops: vec![[NONE; 2 * AXES]; nodes],
            pairs: Vec::new(),
            free: Vec::new(),
            of_node: vec![Vec::new(); nodes],
            met: BTreeSet::new(),
            queue: EventQueue::default(),
            vertices: vertices.len() as u32,
            particle_items,
            thickness,
            made: 0,
            report: HierarchyReport::default(),
        };
        for v in 0..vertices.len() as u32 {
            hierarchy.rebase(v, features, vertices, now);
        }
        hierarchy
    }

    /// What has been done.
    pub fn report(&self) -> HierarchyReport {
        self.report
    }

    /// When something has to be done.
    pub fn next(&self) -> Option<Ticks> {
        self.queue.first().map(|(time, _)| time)
    }

    /// The velocity ball of a vertex has changed, or it is long since its items were fitted.
    pub fn rebase(&mut self, vertex: u32, features: &Features, vertices: &Vertices, now: Ticks) {
        for &triangle in &features.triangles_of[vertex as usize] {
            self.fit(self.tree.leaf(triangle), features, vertices, now);
        }
        if self.particle_items[vertex as usize] != u32::MAX {
            self.fit(self.tree.leaf(self.particle_items[vertex as usize]), features, vertices, now);
        }
        let radius = vertices.ball(vertex).radius;
        if radius > 0.0 {
            self.queue.schedule(vertex, now.plus(WIDENED * self.thickness / radius).max(Ticks(now.0 + 1)));
        } else {
            self.queue.cancel(vertex);
        }
    }

    /// Does all that is due; the items that met are what is returned.
    pub fn run(&mut self, features: &Features, vertices: &Vertices, now: Ticks) -> Vec<[u32; 2]> {
        let mut met = Vec::new();
        while let Some((_, event)) = self.queue.first().filter(|(time, _)| *time <= now) {
            let nodes = self.dops.len() as u32;
            match event.checked_sub(self.vertices) {
                None => self.rebase(event, features, vertices, now),
                Some(node) if node < nodes => self.fit(node, features, vertices, now),
                Some(pair) => {
                    self.report.failed += 1;
                    let of = self.pairs[(pair - nodes) as usize].nodes;
                    self.remove(pair - nodes);
                    self.part(of, features, vertices, now, &mut met);
                }
            }
        }
        met
    }

    /// Whether the list should be made anew, or for the first time.
    pub fn has_grown(&self) -> bool {
        self.report.rebuilt == 0
            || (self.pairs.len() - self.free.len() + self.met.len()) as f64 > GROWTH * self.made as f64
    }

    /// Makes the list anew. Items that have met and are apart by more than twice the thickness are given to `forget`, and are no longer met if it says
    /// so. The items that met are what is returned.
    pub fn rebuild(
        &mut self,
        features: &Features,
        vertices: &Vertices,
        now: Ticks,
        mut forget: impl FnMut([u32; 2]) -> bool,
    ) -> Vec<[u32; 2]> {
        self.report.rebuilt += 1;
        for number in 0..self.pairs.len() as u32 {
            self.queue.cancel(self.pair_event(number));
        }
        self.pairs.clear();
        self.free.clear();
        self.of_node.iter_mut().for_each(Vec::clear);
        let known = std::mem::take(&mut self.met);
        let is_left = |pair: &[u32; 2]| {
            let nodes = pair.map(|item| self.tree.leaf(item));
            !((0..2 * AXES as u32).any(|k| self.margin(nodes, k, 2.0 * self.thickness, now).0 > 0.0) && forget(*pair))
        };
        self.met = inserted(known.into_iter().filter(is_left));
        let mut met = Vec::new();
        if self.tree.nodes() > 2 {
            self.part([1, 1], features, vertices, now, &mut met);
        }
        self.made = self.pairs.len() + self.met.len();
        met
    }

    fn node_event(&self, node: u32) -> u32 {
        self.vertices + node
    }

    fn pair_event(&self, pair: u32) -> u32 {
        self.vertices + self.dops.len() as u32 + pair
    }

    /// Fits a node, and those above it as long as that changes anything.
    fn fit(&mut self, node: u32, features: &Features, vertices: &Vertices, now: Ticks) {
        let (mut node, seconds, thickness) = (node, now.seconds(), self.thickness);
        while node > 0 {
            self.report.fitted += 1;
            let (mut dop, mut first) = ([NONE; 2 * AXES], f64::INFINITY);
            let mut take = |k: usize, reach: Reach| {
                let (farther, left) = dop[k].farther(reach, seconds, thickness);
                dop[k] = farther;
                first = first.min(left);
            };
            match self.tree.item(node) {
                None => {
                    for child in [2 * node, 2 * node + 1] {
                        self.dops[child as usize].iter().enumerate().for_each(|(k, reach)| take(k, *reach));
                    }
                }
                Some(item) => {
                    let particle = |index: usize| &features.particles[index..=index];
                    let corners = features.corners.get(item as usize).map(|corners| &corners[..]);
                    for &v in corners.unwrap_or_else(|| particle(item as usize - features.corners.len())) {
                        let (at, ball) = (vertices.position(v, now), vertices.ball(v));
                        for (k, &(direction, size)) in DIRECTIONS.iter().enumerate() {
                            let (place, speed) = (at.dot(direction), ball.centre.dot(direction));
                            for (k, place, speed) in [(k, place, speed), (k + AXES, -place, -speed)] {
                                let speed = speed + ball.radius * size;
                                take(k, Reach { offset: place - speed * seconds, speed });
                            }
                        }
                    }
                }
            }
            if first.is_finite() {
                self.queue.schedule(self.node_event(node), now.plus(first).max(Ticks(now.0 + 1)));
            } else {
                self.queue.cancel(self.node_event(node));
            }
            let before = std::mem::replace(&mut self.dops[node as usize], dop);
            if before == dop {
                break;
            }
            for index in 0..self.of_node[node as usize].len() {
                let number = self.of_node[node as usize][index];
                let Apart { nodes, witness, .. } = self.pairs[number as usize];
                let own = if nodes[0] == node { witness as usize } else { (witness as usize + AXES) % (2 * AXES) };
                if before[own] != dop[own] {
                    self.report.rescheduled += 1;
                    self.schedule(number, now);
                }
            }
            node /= 2;
        }
    }

    /// How much farther than a gap (m) a pair is apart along a direction, and in how many seconds it is not.
    fn margin(&self, [a, b]: [u32; 2], k: u32, gap: f64, now: Ticks) -> (f64, f64) {
        let k = k as usize;
        let both = [self.dops[a as usize][k], self.dops[b as usize][(k + AXES) % (2 * AXES)]];
        let seconds = now.seconds();
        let largest: f64 = both.iter().map(|reach| reach.offset.abs() + (reach.speed * seconds).abs()).sum();
        let margin = -(both[0].at(seconds) + both[1].at(seconds)) - gap * DIRECTIONS[k % AXES].1 - ROUNDING * largest;
        let closing = both[0].speed + both[1].speed;
        (margin, if closing > 0.0 { margin / closing } else { f64::INFINITY })
    }

    fn schedule(&mut self, number: u32, now: Ticks) {
        let Apart { nodes, witness, .. } = self.pairs[number as usize];
        let (margin, left) = self.margin(nodes, witness, self.thickness, now);
        if margin.is_nan() || margin <= 0.0 {
            self.queue.schedule(self.pair_event(number), now);
        } else if left.is_finite() {
            self.queue.schedule(self.pair_event(number), now.plus(left));
        } else {
            self.queue.cancel(self.pair_event(number));
        }
    }

    /// Certifies that a pair of nodes, or the pairs of those below them, are apart, as far as they are.
    fn part(&mut self, nodes: [u32; 2], features: &Features, vertices: &Vertices, now: Ticks, met: &mut Vec<[u32; 2]>) {
        let mut waiting = vec![nodes];
        while let Some([a, b]) = waiting.pop() {
            if a != b && self.certify([a, b], now) {
                continue;
            }
            match [a, b].map(|node| self.tree.item(node)) {
                [Some(_), Some(_)] if a == b => {}
                [Some(first), Some(second)] => {
                    // Closely fitted they may be apart.
                    [a, b].into_iter().for_each(|leaf| self.fit(leaf, features, vertices, now));
                    let pair = [first.min(second), first.max(second)];
                    if !self.met.contains(&pair) && !self.certify([a, b], now) {
                        self.met.insert(pair);
                        met.push(pair);
                    }
                }
                [None, _] if a == b => waiting.extend([[2 * a, 2 * a], [2 * a + 1, 2 * a + 1], [2 * a, 2 * a + 1]]),
                [None, None] => {
                    let children = [2 * a, 2 * a + 1].map(|x| [[x, 2 * b], [x, 2 * b + 1]]);
                    waiting.extend(children.concat());
                }
                [None, Some(_)] => waiting.extend([[2 * a, b], [2 * a + 1, b]]),
                [Some(_), None] => waiting.extend([[a, 2 * b], [a, 2 * b + 1]]),
            }
        }
    }

    /// Whether a pair is apart for some time along a direction; it is in the list then.
    fn certify(&mut self, nodes: [u32; 2], now: Ticks) -> bool {
        let (mut longest, mut witness) = (Ticks::DURATION, None);
        for k in 0..2 * AXES as u32 {
            let (margin, left) = self.margin(nodes, k, self.thickness, now);
            if margin > LEAST * self.thickness && left > longest {
                (longest, witness) = (left, Some(k));
            }
        }
        let Some(witness) = witness else { return false };
        let number = self.free.pop().unwrap_or(self.pairs.len() as u32);
        let entries = nodes.map(|node| {
            let list = &mut self.of_node[node as usize];
            list.push(number);
            list.len() as u32 - 1
        });
        let pair = Apart { nodes, witness, entries };
        if (number as usize) < self.pairs.len() {
            self.pairs[number as usize] = pair;
        } else {
            self.pairs.push(pair);
        }
        self.schedule(number, now);
        true
    }

    fn remove(&mut self, number: u32) {
        self.queue.cancel(self.pair_event(number));
        let Apart { nodes, entries, .. } = self.pairs[number as usize];
        for (node, entry) in nodes.into_iter().zip(entries) {
            let list = &mut self.of_node[node as usize];
            list.swap_remove(entry as usize);
            // The last one has taken its place.
            if let Some(&moved) = list.get(entry as usize) {
                let Apart { nodes, entries, .. } = &mut self.pairs[moved as usize];
                (0..2).filter(|&k| nodes[k] == node).for_each(|k| entries[k] = entry);
            }
        }
        self.free.push(number);
    }
}
