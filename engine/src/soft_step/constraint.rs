//! Manifolds of four pairs of bodies side by side: the rows of their contacts, and the sweeps over them.
//!
//! The rows of friction are multiplied by their coefficients: what slides along them stays within a circle (with torsion a
//! ball) whose radius is the normal impulse.

use super::SoftContact;
use super::bodies::{Mover, State, difference, gather, part, scatter};
use super::lanes::{LANES, Lanes, Vector, dot};
use crate::solver::contact_problem::tangents;
use glam::DVec3;

/// Contacts of a manifold at most; those with more are several.
pub const MAX_POINTS: usize = 4;

/// Contact points of four manifolds.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    /// The angular parts of the normal rows.
    normal_a: Vector,
    normal_b: Vector,
    /// The gap when the step began, m; its rest depth is zero.
    gap: Lanes,
    /// What is no deeper is not taken apart, m.
    slack: Lanes,
    /// One over the compliance of the normal row.
    normal_mass: Lanes,
    /// The angular parts of the two rows of friction.
    first_a: Vector,
    first_b: Vector,
    second_a: Vector,
    second_b: Vector,
    /// The inverse of their block: first, mixed, second; and of torsion.
    block: [Lanes; 3],
    /// One over the largest eigenvalue of both.
    step: Lanes,
    /// Normal, two of friction, torsion: of the substep.
    impulse: [Lanes; 4],
    /// The same of the whole step.
    total: [Lanes; 4],
    /// What bounces leaves with this speed, m/s.
    bounce: Lanes,
}

/// Manifolds of four pairs.
#[derive(Clone, Debug, Default)]
pub struct Constraint {
    bodies: [[u32; LANES]; 2],
    yields: [[bool; LANES]; 2],
    responses: [Response; 2],
    normal: Vector,
    /// The tangents, times friction.
    first: Vector,
    second: Vector,
    /// The angular parts of torsion, times friction, and one over the compliance of the row.
    torsion: [Vector; 2],
    torsion_mass: Lanes,
    has_torsion: bool,
    has_bounce: bool,
    /// See [`super::settings::SoftSettings::softness`].
    softness: [Lanes; 3],
    count: usize,
    points: [Points; MAX_POINTS],
}

/// What is the same for all contacts in a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// 1/s.
    pub substep_rate: f64,
    /// m/s.
    pub parting_speed: f64,
    /// Whether the impulses of this sweep are those of the substep.
    pub is_last: bool,
}

fn put(lanes: &mut Vector, lane: usize, v: DVec3) {
    for (lanes, x) in lanes.iter_mut().zip(v.to_array()) {
        lanes.0[lane] = x;
    }
}

/// How bodies take impulses: their inverse masses, and one for those that turn, zero for those that do not yield.
type Response = [Lanes; 2];

/// Adds an impulse to velocities: `row` is its linear part, `angular` the angular one.
#[inline(always)]
fn push(state: &mut [Lanes; 12], row: &Vector, [inverse_mass, turns]: Response, angular: &Vector, impulse: Lanes) {
    let (linear, turning) = (inverse_mass * impulse, turns * impulse);
    for k in 0..3 {
        state[k] += row[k] * linear;
        state[3 + k] += angular[k] * turning;
    }
}

/// The same for torsion, which has no linear part.
#[inline(always)]
fn twist(state: &mut [Lanes; 12], [_, turns]: Response, angular: &Vector, impulse: Lanes) {
    let turning = turns * impulse;
    for k in 0..3 {
        state[3 + k] += angular[k] * turning;
    }
}

impl Constraint {
    /// Takes over manifolds, each given by its contacts; no manifold for an empty list.
    pub fn prepare(&mut self, manifolds: [&[SoftContact]; LANES], movers: &[Mover], softness: [[f64; 3]; 2]) {
        let count = manifolds.iter().map(|contacts| contacts.len()).max().unwrap_or(0);
        self.points[..count].fill(Points::default());
        (self.count, self.has_torsion, self.has_bounce) = (count, false, false);
        (self.yields, self.responses) = Default::default();
        for (lane, contacts) in manifolds.into_iter().enumerate() {
            let Some(first) = contacts.first() else {
                // A body that no contact changes.
                self.bodies.iter_mut().for_each(|bodies| bodies[lane] = 0);
                continue;
            };
            let ends = [first.a, first.b].map(|body| &movers[body as usize]);
            for (side, body) in [first.a, first.b].into_iter().enumerate() {
                self.bodies[side][lane] = body;
                self.yields[side][lane] = ends[side].yields();
                self.responses[side][0].0[lane] = ends[side].inverse_mass;
                self.responses[side][1].0[lane] = if ends[side].yields() { 1.0 } else { 0.0 };
            }
            let [s, t] = tangents(first.normal);
            let [friction_s, friction_t, friction_torsion] = first.friction;
            let (u, v, axis) = (s * friction_s, t * friction_t, first.normal * friction_torsion);
            put(&mut self.normal, lane, first.normal);
            put(&mut self.first, lane, u);
            put(&mut self.second, lane, v);
            let turning = ends.map(|mover| mover.angular(axis));
            let of = |mover: &Mover, v: DVec3| if mover.yields() { v.length_squared() } else { 0.0 };
            let compliance = of(ends[0], turning[0]) + of(ends[1], turning[1]);
            put(&mut self.torsion[0], lane, turning[0]);
            put(&mut self.torsion[1], lane, turning[1]);
            self.torsion_mass.0[lane] = if compliance > 0.0 { 1.0 / compliance } else { 0.0 };
            self.has_torsion |= compliance > 0.0;
            let is_against_wall = !(ends[0].yields() && ends[1].yields());
            for (lanes, x) in self.softness.iter_mut().zip(softness[usize::from(is_against_wall)]) {
                lanes.0[lane] = x;
            }
            for (contact, point) in contacts.iter().zip(&mut self.points) {
                self.has_bounce |= contact.bounce > 0.0;
                point.put(lane, contact, ends, [first.normal, u, v], compliance);
                // In scaled rows.
                let [n, x, y, z] = contact.impulse;
                let scaled = |x: f64, friction: f64| if friction > 0.0 { x / friction } else { 0.0 };
                let impulse = [n, scaled(x, friction_s), scaled(y, friction_t), scaled(z, friction_torsion)];
                point.impulse.iter_mut().zip(impulse).for_each(|(lanes, x)| lanes.0[lane] = x);
            }
        }
    }

    /// The impulses of the last substep and of the whole step (N s, N m s), for the contacts of each manifold.
    pub fn finish(&self, lane: usize, contacts: &mut [SoftContact]) {
        for (contact, point) in contacts.iter_mut().zip(&self.points) {
            let [s, t, torsion] = contact.friction;
            let factors = [1.0, s, t, torsion];
            contact.impulse = std::array::from_fn(|k| point.impulse[k][lane] * factors[k]);
            contact.total = std::array::from_fn(|k| point.total[k][lane] * factors[k]);
        }
    }

    #[inline(always)]
    fn gather(&self, states: &[State]) -> [[Lanes; 12]; 2] {
        [gather(states, &self.bodies[0]), gather(states, &self.bodies[1])]
    }

    #[inline(always)]
    fn scatter(&self, states: &[State], [a, b]: &[[Lanes; 12]; 2]) {
        scatter(states, &self.bodies[0], &self.yields[0], a);
        scatter(states, &self.bodies[1], &self.yields[1], b);
    }

    /// Warm starting: gives the bodies the impulses of the last substep of the step before.
    #[inline(always)]
    pub fn warm_start(&self, states: &[State]) {
        let [mut a, mut b] = self.gather(states);
        let [of_a, of_b] = self.responses;
        for p in &self.points[..self.count] {
            push(&mut a, &self.normal, of_a, &p.normal_a, -p.impulse[0]);
            push(&mut b, &self.normal, of_b, &p.normal_b, p.impulse[0]);
            push(&mut a, &self.first, of_a, &p.first_a, -p.impulse[1]);
            push(&mut b, &self.first, of_b, &p.first_b, p.impulse[1]);
            push(&mut a, &self.second, of_a, &p.second_a, -p.impulse[2]);
            push(&mut b, &self.second, of_b, &p.second_b, p.impulse[2]);
            if self.has_torsion {
                twist(&mut a, of_a, &self.torsion[0], -p.impulse[3]);
                twist(&mut b, of_b, &self.torsion[1], p.impulse[3]);
            }
        }
        self.scatter(states, &[a, b]);
    }

    /// A sweep with velocities that take bodies apart.
    #[inline(always)]
    pub fn solve(&mut self, states: &[State], sweep: &Sweep) {
        let [mut a, mut b] = self.gather(states);
        let [of_a, of_b] = self.responses;
        let moved = dot(&self.normal, &difference(&b, &a, 6));
        let (turn_a, turn_b) = (part(&a, 9), part(&b, 9));
        let (one, rate, fastest) =
            (Lanes::splat(1.0), Lanes::splat(sweep.substep_rate), Lanes::splat(-sweep.parting_speed));
        let [parting, share_of_mass, share_of_impulse] = self.softness;
        for p in &mut self.points[..self.count] {
            let gap = p.gap + moved + dot(&p.normal_b, &turn_b) - dot(&p.normal_a, &turn_a);
            let speed = dot(&self.normal, &difference(&b, &a, 0)) + dot(&p.normal_b, &part(&b, 3))
                - dot(&p.normal_a, &part(&a, 3));
            let over = gap + p.slack;
            let bias = over.if_positive(Lanes::ZERO.max(gap) * rate, share_of_mass * (parting * over).max(fastest));
            let (mass, impulse) =
                (over.if_positive(one, share_of_mass), over.if_positive(Lanes::ZERO, share_of_impulse));
            let next = p.impulse[0] - p.normal_mass * (mass * speed + bias) - impulse * p.impulse[0];
            let next = Lanes::ZERO.max(next);
            let change = next - p.impulse[0];
            p.impulse[0] = next;
            push(&mut a, &self.normal, of_a, &p.normal_a, -change);
            push(&mut b, &self.normal, of_b, &p.normal_b, change);
        }
        self.scatter(states, &[a, b]);
    }

    /// A sweep without them, over normals and friction.
    #[inline(always)]
    pub fn relax(&mut self, states: &[State], sweep: &Sweep) {
        let [mut a, mut b] = self.gather(states);
        let [of_a, of_b] = self.responses;
        let moved = dot(&self.normal, &difference(&b, &a, 6));
        let (turn_a, turn_b) = (part(&a, 9), part(&b, 9));
        let rate = Lanes::splat(sweep.substep_rate);
        for p in &mut self.points[..self.count] {
            let gap = p.gap + moved + dot(&p.normal_b, &turn_b) - dot(&p.normal_a, &turn_a);
            let speed = dot(&self.normal, &difference(&b, &a, 0)) + dot(&p.normal_b, &part(&b, 3))
                - dot(&p.normal_a, &part(&a, 3));
            let next = p.impulse[0] - p.normal_mass * (speed + Lanes::ZERO.max(gap) * rate);
            let next = Lanes::ZERO.max(next);
            let change = next - p.impulse[0];
            p.impulse[0] = next;
            push(&mut a, &self.normal, of_a, &p.normal_a, -change);
            push(&mut b, &self.normal, of_b, &p.normal_b, change);
        }
        for p in &mut self.points[..self.count] {
            let slip = difference(&b, &a, 0);
            let (spin_a, spin_b) = (part(&a, 3), part(&b, 3));
            let u = dot(&self.first, &slip) + dot(&p.first_b, &spin_b) - dot(&p.first_a, &spin_a);
            let v = dot(&self.second, &slip) + dot(&p.second_b, &spin_b) - dot(&p.second_a, &spin_a);
            let w = if self.has_torsion {
                dot(&self.torsion[1], &spin_b) - dot(&self.torsion[0], &spin_a)
            } else {
                Lanes::ZERO
            };
            let [limit, old_u, old_v, old_w] = p.impulse;
            let [k_uu, k_uv, k_vv] = p.block;
            // The impulses that stop the contact, and if they are too large those a step along the velocity leads to.
            let stick = [old_u - (k_uu * u + k_uv * v), old_v - (k_uv * u + k_vv * v), old_w - self.torsion_mass * w];
            let slide = [old_u - p.step * u, old_v - p.step * v, old_w - p.step * w];
            let radius = |x: &[Lanes; 3]| x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
            let over = radius(&stick) - limit * limit;
            let length = radius(&slide).sqrt();
            let scale = (length - limit).if_positive(limit.over(length), Lanes::splat(1.0));
            let next = |k: usize| over.if_positive(slide[k] * scale, stick[k]);
            let (next_u, next_v, next_w) = (next(0), next(1), next(2));
            push(&mut a, &self.first, of_a, &p.first_a, old_u - next_u);
            push(&mut b, &self.first, of_b, &p.first_b, next_u - old_u);
            push(&mut a, &self.second, of_a, &p.second_a, old_v - next_v);
            push(&mut b, &self.second, of_b, &p.second_b, next_v - old_v);
            if self.has_torsion {
                twist(&mut a, of_a, &self.torsion[0], old_w - next_w);
                twist(&mut b, of_b, &self.torsion[1], next_w - old_w);
            }
            p.impulse = [limit, next_u, next_v, next_w];
            if sweep.is_last {
                for (total, impulse) in p.total.iter_mut().zip(p.impulse) {
                    *total += impulse;
                }
            }
        }
        self.scatter(states, &[a, b]);
    }

    /// How far the impulses of the last substep are from the law of each manifold: the largest entry of the natural map (N s), and
    /// the same as a velocity at its contact (m/s).
    #[inline(always)]
    pub fn natural_map(&self, states: &[State], substep_rate: f64) -> [Lanes; 2] {
        let [a, b] = self.gather(states);
        let moved = dot(&self.normal, &difference(&b, &a, 6));
        let (slip, spin_a, spin_b) = (difference(&b, &a, 0), part(&a, 3), part(&b, 3));
        let (turn_a, turn_b) = (part(&a, 9), part(&b, 9));
        let mut largest = [Lanes::ZERO; 2];
        let size = |x: Lanes| x.max(-x);
        for p in &self.points[..self.count] {
            let gap = p.gap + moved + dot(&p.normal_b, &turn_b) - dot(&p.normal_a, &turn_a);
            let n = dot(&self.normal, &slip) + dot(&p.normal_b, &spin_b) - dot(&p.normal_a, &spin_a)
                + Lanes::ZERO.max(gap) * Lanes::splat(substep_rate);
            let u = dot(&self.first, &slip) + dot(&p.first_b, &spin_b) - dot(&p.first_a, &spin_a);
            let v = dot(&self.second, &slip) + dot(&p.second_b, &spin_b) - dot(&p.second_a, &spin_a);
            let w = dot(&self.torsion[1], &spin_b) - dot(&self.torsion[0], &spin_a);
            let compliance = Lanes::splat(1.0).over(p.normal_mass);
            let mut missing = size(p.impulse[0] - Lanes::ZERO.max(p.impulse[0] - p.normal_mass * n));
            let free = [p.impulse[1] - p.step * u, p.impulse[2] - p.step * v, p.impulse[3] - p.step * w];
            let square = free[0] * free[0] + free[1] * free[1] + free[2] * free[2];
            let length = square.sqrt();
            let limit = p.impulse[0];
            let scale = (length - limit).if_positive(limit.over(length), Lanes::splat(1.0));
            for (impulse, free) in p.impulse[1..].iter().zip(free) {
                missing = missing.max(size(*impulse - free * scale));
            }
            largest = [largest[0].max(missing), largest[1].max(missing * compliance)];
        }
        largest
    }

    /// Gives what has hit something in this step its velocity back.
    #[inline(always)]
    pub fn bounce(&mut self, states: &[State]) {
        if !self.has_bounce {
            return;
        }
        let [mut a, mut b] = self.gather(states);
        let [of_a, of_b] = self.responses;
        for p in &mut self.points[..self.count] {
            let speed = dot(&self.normal, &difference(&b, &a, 0)) + dot(&p.normal_b, &part(&b, 3))
                - dot(&p.normal_a, &part(&a, 3));
            let change = (-(p.normal_mass * (speed - p.bounce))).max(-p.total[0]);
            let has_hit = Lanes::ZERO.max(p.total[0]);
            let change = p.bounce.if_positive(has_hit.if_positive(change, Lanes::ZERO), Lanes::ZERO);
            p.total[0] += change;
            push(&mut a, &self.normal, of_a, &p.normal_a, -change);
            push(&mut b, &self.normal, of_b, &p.normal_b, change);
        }
        self.scatter(states, &[a, b]);
    }
}

impl Points {
    /// Takes over a contact with its normal and its tangents times friction; `torsion` is the compliance of that row.
    fn put(&mut self, lane: usize, contact: &SoftContact, ends: [&Mover; 2], [n, u, v]: [DVec3; 3], torsion: f64) {
        let [a, b] = ends;
        let arms = ends.map(|mover| contact.position - mover.position);
        let rows = |direction: DVec3| [a.angular(arms[0].cross(direction)), b.angular(arms[1].cross(direction))];
        let ([na, nb], [ua, ub], [va, vb]) = (rows(n), rows(u), rows(v));
        // What does not yield has no compliance.
        let of = |x: DVec3, y: DVec3, mover: &Mover| if mover.yields() { x.dot(y) } else { 0.0 };
        let mass = a.inverse_mass + b.inverse_mass;
        let compliance = |(x, xa, xb): (DVec3, DVec3, DVec3), (y, ya, yb): (DVec3, DVec3, DVec3)| {
            mass * x.dot(y) + of(xa, ya, a) + of(xb, yb, b)
        };
        let (normal, first, second) = ((n, na, nb), (u, ua, ub), (v, va, vb));
        let [uu, uv, vv] = [compliance(first, first), compliance(first, second), compliance(second, second)];
        let largest = (0.5 * (uu + vv) + (0.25 * (uu - vv) * (uu - vv) + uv * uv).sqrt()).max(torsion);
        let determinant = uu * vv - uv * uv;
        let block = if determinant > 0.0 {
            [vv / determinant, -uv / determinant, uu / determinant]
        } else {
            // Friction in one direction, or none.
            [uu, 0.0, vv].map(|x| if x > 0.0 { 1.0 / x } else { 0.0 })
        };
        let vectors = [
            (&mut self.normal_a, na),
            (&mut self.normal_b, nb),
            (&mut self.first_a, ua),
            (&mut self.first_b, ub),
            (&mut self.second_a, va),
            (&mut self.second_b, vb),
        ];
        vectors.into_iter().for_each(|(lanes, v)| put(lanes, lane, v));
        self.gap.0[lane] = contact.gap;
        self.slack.0[lane] = contact.slack;
        self.normal_mass.0[lane] = 1.0 / compliance(normal, normal);
        self.block.iter_mut().zip(block).for_each(|(lanes, x)| lanes.0[lane] = x);
        self.step.0[lane] = if largest > 0.0 { 1.0 / largest } else { 0.0 };
        self.bounce.0[lane] = contact.bounce;
    }
}
