//! Manifolds of eight pairs of bodies side by side: their contacts as they are solved.
//!
//! The angular parts of rows follow from the arms of the contacts: to work them out again takes less time than to fetch them from memory.
//! The rows of friction are multiplied by their coefficients: what slides along them stays within a circle (with torsion a
//! ball) whose radius is the normal impulse.

use super::SoftContact;
use super::bodies::Mover;
use super::lanes::{LANES, Lanes, Vector, Wide, cross, dot, minus, stored};
use super::quad::{Quad, Register};
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;

/// Contacts of a manifold at most; those with more are several.
pub const MAX_POINTS: usize = 4;

/// The normal rows of contacts of eight manifolds.
#[derive(Clone, Copy, Debug, Default)]
pub struct NormalRow {
    /// From A's centre of mass to the contacts, m.
    pub arm: Vector,
    /// The gap when the step began, m; its rest depth is zero.
    pub gap: Lanes,
    /// What is no deeper is not taken apart, m.
    pub slack: Lanes,
    /// One over the compliance; zero where there is no contact.
    pub mass: Lanes,
    /// Of the substep, N s.
    pub impulse: Lanes,
}

/// Their rows of friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrictionRows {
    /// The inverse of their block: first, mixed, second.
    pub block: [Lanes; 3],
    /// One over the largest eigenvalue, that of torsion included.
    pub step: Lanes,
    /// Of the substep, N s.
    pub impulse: [Lanes; 2],
    /// Normal, and two of friction, of the whole step.
    pub total: [Lanes; 3],
}

/// Their rows of torsion: the same for all contacts of a manifold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Torsion {
    /// The angular parts for A and B.
    pub angular: [Vector; 2],
    /// One over the compliance.
    pub mass: Lanes,
    /// Of the substep and of the whole step, for each contact, N m s.
    pub impulses: [[Lanes; 2]; MAX_POINTS],
}

/// Manifolds of eight pairs.
#[derive(Clone, Debug, Default)]
pub struct Constraint {
    /// A and B of each, by their places in the batch.
    pub bodies: [[u32; LANES]; 2],
    /// Whether impulses change their velocities.
    pub yields: [[bool; LANES]; 2],
    /// Contacts at most.
    pub count: usize,
    pub has_torsion: bool,
    pub has_bounce: bool,
    /// 1/kg.
    pub inverse_masses: [Lanes; 2],
    /// One for bodies that yield, zero for others.
    pub turns: [Lanes; 2],
    pub normal: Vector,
    /// The tangents, times friction.
    pub tangents: [Vector; 2],
    /// What an impulse along the normal, s, and t changes in the same relative velocity of the centres of mass.
    pub linear: [Lanes; 3],
    /// See [`super::settings::SoftSettings::softness`].
    pub softness: [Lanes; 3],
    /// From B's centre of mass to A's, m.
    pub offset: Vector,
    /// L of A and B by its columns, without what is above the diagonal; see [`Mover`].
    pub roots: [Root; 2],
    pub normals: [NormalRow; MAX_POINTS],
    pub frictions: [FrictionRows; MAX_POINTS],
    pub torsion: Torsion,
    /// What bounces leaves with this speed, m/s.
    pub bounces: [Lanes; MAX_POINTS],
    /// How far the impulses of the last substep are from the law: the largest entry of the natural map (N s), and
    /// the same as a velocity at its contact (m/s).
    pub missing: [Lanes; 2],
}

/// L of bodies of eight manifolds by its columns, without what is above the diagonal.
pub type Root = [Lanes; 6];

/// A contact where a manifold has none.
static NO_CONTACT: SoftContact = SoftContact::NONE;

/// A body where there is no manifold.
static NO_BODY: Mover = Mover::NONE;

impl Constraint {
    /// Takes over manifolds, each given by its contacts and the places of its bodies; no manifold for an empty list.
    #[inline(always)]
    pub fn prepare<R: Register>(
        &mut self,
        token: R::Token,
        (manifolds, sides): ([&[SoftContact]; LANES], [[u32; 2]; LANES]),
        movers: &[Mover],
        softness: [[f64; 3]; 2],
    ) {
        (self.count, self.has_torsion, self.has_bounce) = (0, false, false);
        // Where there is no manifold, the first body, which no contact changes.
        (self.bodies, self.yields) = Default::default();
        let mut ends = [[&NO_BODY; LANES]; 2];
        // Normal, tangents times friction, friction: by lane.
        let mut frames = [[Quad::ZERO; LANES]; 4];
        for lane in 0..LANES {
            let Some(first) = manifolds[lane].first() else { continue };
            self.count = self.count.max(manifolds[lane].len());
            for (side, body) in [first.a, first.b].into_iter().enumerate() {
                let mover = &movers[body as usize];
                ends[side][lane] = mover;
                self.bodies[side][lane] = sides[lane][side];
                self.yields[side][lane] = mover.yields();
            }
            let [s, t] = tangents(first.normal);
            let [x, y, z] = first.friction;
            let [s, t] = [s * x, t * y];
            let is_against_wall = !(ends[0][lane].yields() && ends[1][lane].yields());
            let [rate, of_mass, of_impulse] = softness[usize::from(is_against_wall)];
            frames[0][lane] = Quad([first.normal.x, first.normal.y, first.normal.z, z]);
            frames[1][lane] = Quad([s.x, s.y, s.z, rate]);
            frames[2][lane] = Quad([t.x, t.y, t.z, of_mass]);
            let scale = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
            frames[3][lane] = Quad([scale(x), scale(y), scale(z), of_impulse]);
            self.has_torsion |= z > 0.0;
        }
        let [nx, ny, nz, torsion] = Wide::<R>::columns(token, frames[0].each_ref());
        let [sx, sy, sz, rate] = Wide::<R>::columns(token, frames[1].each_ref());
        let [tx, ty, tz, of_mass] = Wide::<R>::columns(token, frames[2].each_ref());
        let [scale_s, scale_t, scale_torsion, of_impulse] = Wide::<R>::columns(token, frames[3].each_ref());
        self.softness = stored([rate, of_mass, of_impulse]);
        let directions = [[nx, ny, nz], [sx, sy, sz], [tx, ty, tz]];
        self.normal = stored(directions[0]);
        self.tangents = [stored(directions[1]), stored(directions[2])];
        let ends: [End<R>; 2] = [End::load(token, &ends[0]), End::load(token, &ends[1])];
        let (zero, one) = (Wide::<R>::splat(token, 0.0), Wide::<R>::splat(token, 1.0));
        self.inverse_masses = [ends[0].inverse_mass.store(), ends[1].inverse_mass.store()];
        self.turns = [ends[0].turns.store(), ends[1].turns.store()];
        self.roots = [ends[0].turning.stored(), ends[1].turning.stored()];
        let offset = minus(ends[0].position, ends[1].position);
        self.offset = stored(offset);
        let mass = ends[0].inverse_mass + ends[1].inverse_mass;
        let [n, s, t] = directions;
        let linear = [mass * dot(n, n), mass * dot(s, s), mass * dot(t, t)];
        self.linear = stored(linear);
        let mut compliance = zero;
        if self.has_torsion {
            let axis = [nx * torsion, ny * torsion, nz * torsion];
            let rows = [ends[0].turning.of(axis), ends[1].turning.of(axis)];
            compliance = product(&ends, rows, rows);
            self.torsion.angular = [stored(rows[0]), stored(rows[1])];
            self.torsion.mass = inverse(token, one, compliance).store();
        }
        for k in 0..self.count {
            let (mut places, mut impulses) = ([Quad::ZERO; LANES], [Quad::ZERO; LANES]);
            let (mut slacks, mut bounces, mut are_there) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                let contact = manifolds[lane].get(k).unwrap_or(&NO_CONTACT);
                (places[lane], impulses[lane]) = (contact.place(), Quad(contact.impulse));
                (slacks[lane], bounces[lane], are_there[lane]) = (contact.slack, contact.bounce, contact.is_there());
            }
            let [x, y, z, gap] = Wide::<R>::columns(token, places.each_ref());
            let [impulse_n, impulse_s, impulse_t, impulse_torsion] = Wide::<R>::columns(token, impulses.each_ref());
            let row = &mut self.normals[k];
            row.gap = gap.store();
            row.slack = Lanes::new(slacks);
            row.impulse = impulse_n.store();
            let row = &mut self.frictions[k];
            row.impulse = [(impulse_s * scale_s).store(), (impulse_t * scale_t).store()];
            row.total = [Lanes::ZERO; 3];
            if self.has_torsion {
                self.torsion.impulses[k] = [(impulse_torsion * scale_torsion).store(), Lanes::ZERO];
            }
            if bounces != [0.0; LANES] {
                if !self.has_bounce {
                    self.bounces = Default::default();
                }
                self.has_bounce = true;
                self.bounces[k] = Lanes::new(bounces);
            }
            let is_there = Wide::<R>::load(token, &Lanes::new(are_there));
            let arm = minus([x, y, z], ends[0].position);
            self.set_rows(token, k, &ends, directions, (arm, offset), (linear, compliance, is_there));
        }
    }

    /// The rows of the contacts at one place of each manifold.
    #[inline(always)]
    fn set_rows<R: Register>(
        &mut self,
        token: R::Token,
        k: usize,
        ends: &[End<R>; 2],
        [n, s, t]: [[Wide<R>; 3]; 3],
        (arm, offset): ([Wide<R>; 3], [Wide<R>; 3]),
        (linear, torsion, is_there): ([Wide<R>; 3], Wide<R>, Wide<R>),
    ) {
        let (half, quarter) = (Wide::<R>::splat(token, 0.5), Wide::<R>::splat(token, 0.25));
        let arms = Arms::of(arm, offset);
        let turnings = &[ends[0].turning, ends[1].turning];
        let (of_n, of_s, of_t) = (arms.angular(turnings, n), arms.angular(turnings, s), arms.angular(turnings, t));
        let row = &mut self.normals[k];
        row.arm = stored(arm);
        row.mass = inverse(token, is_there, linear[0] + product(ends, of_n, of_n)).store();
        let (uu, vv) = (linear[1] + product(ends, of_s, of_s), linear[2] + product(ends, of_t, of_t));
        let uv = product(ends, of_s, of_t);
        let largest = half * (uu + vv) + (quarter * (uu - vv) * (uu - vv) + uv * uv).sqrt();
        let determinant = uu * vv - uv * uv;
        let of_block = inverse(token, is_there, determinant);
        let row = &mut self.frictions[k];
        // Without a determinant friction acts in one direction, or in none.
        row.block = [
            determinant.if_positive(vv * of_block, inverse(token, is_there, uu)).store(),
            (-(uv * of_block)).store(),
            determinant.if_positive(uu * of_block, inverse(token, is_there, vv)).store(),
        ];
        row.step = inverse(token, is_there, largest.max(torsion)).store();
    }

    /// Adds to the normal impulse of a contact, and if wanted to that of the whole step, N s.
    pub fn add_impulse(&mut self, lane: usize, point: usize, change: f64, in_total: bool) {
        let add = |lanes: &mut Lanes| {
            *lanes = Lanes::new(std::array::from_fn(|k| if k == lane { lanes[k] + change } else { lanes[k] }));
        };
        add(&mut self.normals[point].impulse);
        if in_total {
            add(&mut self.frictions[point].total[0]);
        }
    }

    /// The impulses of the last substep and of the whole step (N s, N m s), for the contacts of a manifold with this friction.
    pub fn finish(&self, lane: usize, &[s, t, torsion]: &[f64; 3], impulses: &mut [[Impulse; 2]]) {
        for (k, impulses) in impulses.iter_mut().enumerate() {
            let (normal, friction) = (&self.normals[k], &self.frictions[k]);
            let [n, u, v] = [&normal.impulse, &friction.impulse[0], &friction.impulse[1]].map(|lanes| lanes[lane]);
            let [total_n, total_u, total_v] = [0, 1, 2].map(|i| friction.total[i][lane]);
            *impulses = [[n, u * s, v * t, 0.0], [total_n, total_u * s, total_v * t, 0.0]];
            if self.has_torsion {
                let [w, total_w] = self.torsion.impulses[k];
                (impulses[0][3], impulses[1][3]) = (w[lane] * torsion, total_w[lane] * torsion);
            }
        }
    }
}

/// A body of each of eight manifolds.
#[derive(Clone, Copy)]
struct End<R> {
    position: [Wide<R>; 3],
    inverse_mass: Wide<R>,
    turning: Turning<R>,
    turns: Wide<R>,
}

/// How a body of each of eight manifolds is turned: L by its columns, without what is above the diagonal.
#[derive(Clone, Copy)]
pub struct Turning<R>([Wide<R>; 6]);

impl<R: Register> Turning<R> {
    /// From memory.
    #[inline(always)]
    pub fn load(token: R::Token, [a, b, c, d, e, f]: &Root) -> Self {
        Self([
            Wide::<R>::load(token, a),
            Wide::<R>::load(token, b),
            Wide::<R>::load(token, c),
            Wide::<R>::load(token, d),
            Wide::<R>::load(token, e),
            Wide::<R>::load(token, f),
        ])
    }

    #[inline(always)]
    fn stored(self) -> Root {
        let [a, b, c, d, e, f] = self.0;
        [a.store(), b.store(), c.store(), d.store(), e.store(), f.store()]
    }

    /// Lᵀ times a vector: what a moment does to a scaled angular velocity.
    #[inline(always)]
    pub fn of(&self, v: [Wide<R>; 3]) -> [Wide<R>; 3] {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        [dot([xx, xy, xz], v), yy * v[1] + yz * v[2], zz * v[2]]
    }
}

/// From the centres of mass of A and of B to contacts of eight manifolds.
#[derive(Clone, Copy)]
pub struct Arms<R>([[Wide<R>; 3]; 2]);

impl<R: Register> Arms<R> {
    /// With the arm for A, and the way from B's centre of mass to A's.
    #[inline(always)]
    pub fn of(arm: [Wide<R>; 3], offset: [Wide<R>; 3]) -> Self {
        Self([arm, [arm[0] + offset[0], arm[1] + offset[1], arm[2] + offset[2]]])
    }

    /// The moments of a force for A and B.
    #[inline(always)]
    pub fn moments(&self, force: [Wide<R>; 3]) -> [[Wide<R>; 3]; 2] {
        [cross(self.0[0], force), cross(self.0[1], force)]
    }

    /// The angular parts for A and B of the row of a direction.
    #[inline(always)]
    pub fn angular(&self, turnings: &[Turning<R>; 2], direction: [Wide<R>; 3]) -> [[Wide<R>; 3]; 2] {
        let [a, b] = self.moments(direction);
        [turnings[0].of(a), turnings[1].of(b)]
    }
}

impl<R: Register> End<R> {
    #[inline(always)]
    fn load(token: R::Token, movers: &[&Mover; LANES]) -> Self {
        let mut rows = [[Quad::ZERO; LANES]; 3];
        for (lane, mover) in movers.iter().enumerate() {
            [rows[0][lane], rows[1][lane], rows[2][lane]] = mover.rows();
        }
        let [x, y, z, inverse_mass] = Wide::<R>::columns(token, rows[0].each_ref());
        let [xx, xy, xz, yy] = Wide::<R>::columns(token, rows[1].each_ref());
        let [yz, zz, turns, _] = Wide::<R>::columns(token, rows[2].each_ref());
        Self { position: [x, y, z], inverse_mass, turning: Turning([xx, xy, xz, yy, yz, zz]), turns }
    }
}

/// What an impulse along one row changes in the velocity along another one by turning the bodies that yield.
#[inline(always)]
fn product<R: Register>(ends: &[End<R>; 2], x: [[Wide<R>; 3]; 2], y: [[Wide<R>; 3]; 2]) -> Wide<R> {
    ends[0].turns * dot(x[0], y[0]) + ends[1].turns * dot(x[1], y[1])
}

/// The quotient, or zero where the divisor is not positive.
#[inline(always)]
fn inverse<R: Register>(token: R::Token, x: Wide<R>, divisor: Wide<R>) -> Wide<R> {
    divisor.if_positive(x.over(divisor), Wide::<R>::splat(token, 0.0))
}
