//! Families of queries: relative_poses and starts that a search may stumble over.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use drystone_contact::Pose;
use drystone_contact::shape::FeatureId;
use drystone_contact::vclip::{ConvexPolyhedron, Pair, RelativePose};
use glam::{DMat3, DQuat, DVec3};

use super::check::{Query, Start};
use super::random::Random;
use super::shapes::{Shape, Variant};
use super::touching::opposite;

/// A family of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Any poses in the world, any start.
    Random,
    /// The curves of the V-Clip report's Algorithm 9, tracked.
    Coherent,
    /// A random walk with steps of a thousandth to a tenth, tracked.
    Walk,
    /// Parallel axes; a tracked walk, and any start.
    Parallel,
    /// Steps of 1 and 1/2 at multiples of 45° and 90°, from all starts but two faces.
    Lattice,
    /// Copies in one place but for a hair.
    Coincident,
    /// Known distances of 0 to a micrometre, or as deep.
    Touching,
    /// Faces given as triangles with points on edges.
    Triangulated,
    /// Grazing to concentric.
    Penetrating,
    /// Edges at small angles, at a known distance.
    NearParallel,
    /// A kilometre and a thousand kilometres away, in the world and in their own frames.
    Far,
    /// Millimetres against metres against kilometres.
    Scales,
    /// Ten thousand times as long as wide.
    Slender,
}

/// Turns of the report's Algorithm 9 per call go up to this, degrees.
const TURNS: usize = 26;

/// Calls on one curve.
const CURVE: usize = 1000;

/// Shapes with no more starts than this are tried from all.
const ALL_STARTS: usize = 4000;

/// Generates queries.
struct Stream<'s, 'f> {
    shape: &'s Shape,
    partner: &'s Shape,
    random: Random,
    left: usize,
    each: &'f mut dyn FnMut(Query<'s>),
}

impl Family {
    pub const ALL: [Self; 13] = [
        Self::Random,
        Self::Coherent,
        Self::Walk,
        Self::Parallel,
        Self::Lattice,
        Self::Coincident,
        Self::Touching,
        Self::Triangulated,
        Self::Penetrating,
        Self::NearParallel,
        Self::Far,
        Self::Scales,
        Self::Slender,
    ];

    /// Whether the family has queries with a shape.
    pub fn takes(self, shape: &Shape) -> bool {
        let needs_variants = matches!(self, Self::Triangulated | Self::Far | Self::Scales | Self::Slender);
        !needs_variants || !shape.variants.is_empty()
    }

    /// Hands a number of queries to `each`, in an order that the seed decides. The partner is another shape, with
    /// variants.
    pub fn queries<'s>(
        self,
        [shape, partner]: [&'s Shape; 2],
        seed: [u64; 3],
        count: usize,
        each: &mut dyn FnMut(Query<'s>),
    ) {
        let mut stream = Stream { shape, partner, random: Random::new(seed), left: count, each };
        while stream.left > 0 {
            match self {
                Self::Random => stream.random(),
                Self::Coherent => stream.coherent(),
                Self::Walk => {
                    let first = stream.random.rotation();
                    stream.walk([&shape.solid, &partner.solid], first, true);
                }
                Self::Parallel => stream.parallel(),
                Self::Lattice => stream.lattice([&shape.solid, &shape.solid]),
                Self::Coincident => stream.coincident(),
                Self::Touching => stream.touching([&shape.solid, &partner.solid]),
                Self::Triangulated => stream.triangulated(),
                Self::Penetrating => stream.penetrating(),
                Self::NearParallel => stream.near_parallel(),
                Self::Far => stream.far(),
                Self::Scales => stream.scales(),
                Self::Slender => stream.slender(),
            }
        }
    }
}

impl<'s> Stream<'s, '_> {
    fn emit(
        &mut self,
        solids: [&'s ConvexPolyhedron; 2],
        relative_pose: RelativePose,
        start: Start,
        distance: Option<f64>,
    ) {
        if self.left > 0 {
            self.left -= 1;
            (self.each)(Query { solids, relative_pose, start, distance });
        }
    }

    fn start(&mut self, [a, b]: [&ConvexPolyhedron; 2]) -> Start {
        match self.random.below(4) {
            0 => Start::Cold,
            1 => Start::At(Pair::FIRST),
            _ => Start::At(self.random.pair(a, b)),
        }
    }

    fn reach([a, b]: [&ConvexPolyhedron; 2]) -> f64 {
        a.radius() + b.radius()
    }

    fn random(&mut self) {
        let solids = [&self.shape.solid, &self.partner.solid];
        let a = self.random.direction() * self.random.between(0.0, 3.0);
        let b = a + self.random.direction() * self.random.between(0.0, 2.0) * Self::reach(solids);
        let [a, b] = [a, b].map(|at| Pose::from_parts(at, self.random.rotation()));
        let start = self.start(solids);
        self.emit(solids, RelativePose::new(&a, &b), start, None);
    }

    fn coherent(&mut self) {
        let solids = [&self.shape.solid, &self.shape.solid];
        let step = (self.random.below(TURNS) as f64).to_radians();
        let axis = self.random.direction();
        let phases = DVec3::from_array([0; 3].map(|_| self.random.between(0.0, TAU)));
        let size = self.random.of(&[0.7, 1.1, 5.0]) * Self::reach(solids);
        let first = self.random.pair(solids[0], solids[1]);
        self.emit(solids, RelativePose::from_parts(DMat3::IDENTITY, size * DVec3::ONE), Start::At(first), None);
        for i in 1..=CURVE {
            let angle = step * i as f64;
            let at = (phases + angle).to_array().map(libm::cos);
            let rotation = DMat3::from_quat(DQuat::from_axis_angle(axis, angle));
            self.emit(solids, RelativePose::from_parts(rotation, size * DVec3::from_array(at)), Start::Tracked, None);
        }
    }

    /// A tracked walk about the place where the two begin to touch.
    fn walk(&mut self, solids: [&'s ConvexPolyhedron; 2], mut rotation: DQuat, turns: bool) {
        let reach = Self::reach(solids);
        let step = self.random.decade(-3.0, -1.0);
        let mut at = self.random.direction() * reach * self.random.between(0.5, 1.2);
        let mut start = self.start(solids);
        for _ in 0..CURVE {
            self.emit(solids, RelativePose::from_parts(DMat3::from_quat(rotation), at), start, None);
            start = Start::Tracked;
            let next = at + self.random.direction() * step * reach;
            at = if next.length() > 1.3 * reach { at * (1.0 - step) } else { next };
            if turns {
                rotation = (self.random.turn(step) * rotation).normalize();
            }
        }
    }

    fn parallel(&mut self) {
        let solids = [&self.shape.solid, &self.shape.solid];
        if self.random.below(2) == 0 {
            return self.walk(solids, DQuat::IDENTITY, false);
        }
        for _ in 0..CURVE {
            let at = self.random.direction() * self.random.between(0.3, 1.2) * Self::reach(solids);
            let start = Start::At(self.random.pair(solids[0], solids[1]));
            self.emit(solids, RelativePose::from_parts(DMat3::IDENTITY, at), start, None);
        }
    }

    fn lattice(&mut self, solids: [&'s ConvexPolyhedron; 2]) {
        let step = self.random.of(&[1.0, 0.5]);
        let cells = 3.0 / step;
        let at = DVec3::from_array([0; 3].map(|_| step * (self.random.below(2 * cells as usize + 1) as f64 - cells)));
        let axis = self.random.of(&DMat3::IDENTITY.to_cols_array_2d().map(DVec3::from_array));
        let (sine, cosine) = match self.random.below(4) {
            0 => (0.0, 1.0),
            1 => (1.0, 0.0),
            2 => (0.0, -1.0),
            _ => (libm::sin(FRAC_PI_4), libm::cos(FRAC_PI_4)),
        };
        let side = axis.any_orthonormal_vector();
        let across = axis.cross(side);
        let frame = DMat3::from_cols(axis, side, across);
        let turned = DMat3::from_cols(axis, cosine * side + sine * across, cosine * across - sine * side);
        let relative_pose = RelativePose::from_parts(turned * frame.transpose(), at);
        for start in self.starts(solids) {
            self.emit(solids, relative_pose, Start::At(start), None);
        }
    }

    /// All starts but two faces, or some.
    fn starts(&mut self, [a, b]: [&ConvexPolyhedron; 2]) -> Vec<Pair> {
        let count = |solid: &ConvexPolyhedron| solid.vertices().len() + solid.edge_count() + solid.face_count();
        match count(a) * count(b) <= ALL_STARTS {
            true => starts(a, b),
            false => (0..CURVE / 10).map(|_| self.random.pair(a, b)).collect(),
        }
    }

    fn coincident(&mut self) {
        let solids = [&self.shape.solid, &self.shape.solid];
        let shift = self.random.of(&[0.0, 1e-15, 1e-9]) * self.random.direction();
        let angle = self.random.between(-1.0, 20.0);
        let rotation = if angle < 0.0 { DQuat::IDENTITY } else { self.random.turn(libm::exp(-angle)) };
        let relative_pose = RelativePose::from_parts(DMat3::from_quat(rotation), shift);
        for _ in 0..10 {
            let start = self.start(solids);
            self.emit(solids, relative_pose, start, None);
        }
    }

    fn at_distance(&mut self, solids: [&'s ConvexPolyhedron; 2], features: [FeatureId; 2], distance: f64, angle: f64) {
        let relative_pose = opposite(solids, features, distance, angle, &mut self.random);
        let start = self.start(solids);
        self.emit(solids, relative_pose, start, (distance >= 0.0).then_some(distance));
    }

    fn touching(&mut self, solids: [&'s ConvexPolyhedron; 2]) {
        let distance = self.random.of(&[0.0, 0.0, 1e-12, 1e-9, 1e-6, -1e-12, -1e-9, -1e-6]);
        let features = solids.map(|solid| self.random.feature(solid));
        // Sides parallel, across, anyhow.
        let angle = match self.random.below(3) {
            0 => 0.0,
            1 => FRAC_PI_2,
            _ => self.random.between(0.0, TAU),
        };
        self.at_distance(solids, features, distance, angle);
    }

    fn triangulated(&mut self) {
        let solids = [self.shape.variant(Variant::Triangulated), self.partner.variant(Variant::Triangulated)];
        match self.random.below(3) {
            0 => self.lattice([solids[0]; 2]),
            1 => self.walk(solids, DQuat::IDENTITY, false),
            _ => self.touching(solids),
        }
    }

    fn penetrating(&mut self) {
        let solids = [&self.shape.solid, &self.partner.solid];
        match self.random.below(8) {
            0..4 => {
                let features = solids.map(|solid| self.random.feature(solid));
                let depth = self.random.decade(-15.0, -0.5);
                let angle = self.random.between(0.0, TAU);
                self.at_distance(solids, features, -depth, angle);
            }
            k => {
                let shift = if k == 4 { 0.0 } else { self.random.decade(-16.0, 0.0) };
                let at = 0.5 * shift * Self::reach(solids) * self.random.direction();
                let start = self.start(solids);
                let rotation = DMat3::from_quat(self.random.rotation());
                self.emit(solids, RelativePose::from_parts(rotation, at), start, None);
            }
        }
    }

    fn near_parallel(&mut self) {
        let solids = [&self.shape.solid, &self.partner.solid];
        let edges = solids.map(|solid| FeatureId::Edge(self.random.below(solid.edge_count()) as u32));
        let angle = self.random.of(&[-1.0, 1.0]) * libm::exp(-self.random.between(0.0, 40.0));
        let distance = self.random.decade(-12.0, 0.0);
        self.at_distance(solids, edges, distance, angle);
    }

    fn far(&mut self) {
        let variant = self.random.of(&[Variant::Off, Variant::FarOff]);
        let [shape, partner] = [self.shape, self.partner];
        if self.random.below(2) == 0 {
            // Away from each other.
            let at = variant.offset().length() * self.random.direction();
            let rotation = DMat3::from_quat(self.random.rotation());
            let solids = [&shape.solid, &partner.solid];
            let start = self.start(solids);
            return self.emit(solids, RelativePose::from_parts(rotation, at), start, None);
        }
        let solids = match self.random.below(2) {
            0 => [shape.variant(variant), &partner.solid],
            _ => [shape.variant(variant), partner.variant(variant)],
        };
        let features = solids.map(|solid| self.random.feature(solid));
        let distance = self.random.of(&[0.0, 1e-9, 1e-6, 1e-3, 1.0]);
        let relative_pose = opposite(solids, features, distance, 0.0, &mut self.random);
        let start = self.start(solids);
        // Normals have errors of the coordinates' rounding, so that the distance is not known to the last place.
        self.emit(solids, relative_pose, start, None);
    }

    fn scales(&mut self) {
        let sizes = |shape: &'s Shape| [shape.variant(Variant::Small), &shape.solid, shape.variant(Variant::Large)];
        let solids = [self.random.of(&sizes(self.shape)), self.random.of(&sizes(self.partner))];
        if self.random.below(3) == 0 {
            let first = self.random.rotation();
            return self.walk(solids, first, true);
        }
        let features = solids.map(|solid| self.random.feature(solid));
        let distance = self.random.decade(-9.0, 1.0) * solids[0].radius().min(solids[1].radius());
        let angle = self.random.between(0.0, TAU);
        self.at_distance(solids, features, distance, angle);
    }

    fn slender(&mut self) {
        let of = |shape: &'s Shape| [shape.variant(Variant::Needle), shape.variant(Variant::Plate), &shape.solid];
        let mut solids = [self.random.of(&of(self.shape)[..2]), self.random.of(&of(self.partner))];
        if self.random.below(2) == 0 {
            solids.reverse();
        }
        match self.random.below(4) {
            0 => {
                let first = self.random.rotation();
                self.walk(solids, first, true);
            }
            1 => self.walk([solids[0]; 2], DQuat::IDENTITY, false),
            _ => self.touching(solids),
        }
    }
}

/// All starts but two faces.
pub fn starts(a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> Vec<Pair> {
    let features = |solid: &ConvexPolyhedron| -> Vec<FeatureId> {
        let vertices = (0..solid.vertices().len() as u32).map(FeatureId::Vertex);
        let edges = (0..solid.edge_count() as u32).map(FeatureId::Edge);
        vertices.chain(edges).chain((0..solid.face_count() as u32).map(FeatureId::Facet)).collect()
    };
    let (of_a, of_b) = (features(a), features(b));
    let is_state = |pair: &Pair| !matches!((pair.a, pair.b), (FeatureId::Facet(_), FeatureId::Facet(_)));
    of_a.iter().flat_map(|&a| of_b.iter().map(move |&b| Pair { a, b })).filter(is_state).collect()
}
