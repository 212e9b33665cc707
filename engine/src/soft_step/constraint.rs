//! Manifolds of eight pairs of bodies side by side: their contacts as they are solved.
//!
//! They are kept in the frames of the manifolds ([`super::frame`]). Rows follow from the arms of the contacts and the inertias: to work them
//! out again takes less time than to fetch them from memory. Effective masses are kept, as a division takes longer.
//! The rows of friction are multiplied by their coefficients: what slides along them stays within a circle (with torsion a
//! ball) whose radius is the normal impulse.

use super::SoftContact;
use super::bodies::Mover;
use super::effective_masses::{EffectiveMasses, Masses, inverse};
use super::frame::{Inertia, along};
use super::lanes::{LANES, Lanes, Register, Vector, cross, minus, plus, stored};
use super::quad::Quad;
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;
use smallvec::SmallVec;

/// Rows of one kind, one for each contact of a manifold. Most have no more than four, which are kept in place.
pub type Rows<T> = SmallVec<[T; 4]>;

/// A contact that a manifold does not have is so far away, m.
const FAR: f64 = 1e100;

/// The normal rows of contacts of eight manifolds.
#[derive(Clone, Copy, Debug, Default)]
pub struct NormalRow {
    /// From A's centre of mass to the contacts, in the frames of the manifolds, m.
    pub arm: Vector,
    /// The gap when the step began, m; its rest depth is zero.
    pub gap: Lanes,
    /// What is no deeper is not taken apart, m.
    pub slack: Lanes,
    /// Of the substep, N s.
    pub impulse: Lanes,
    /// The [effective mass](EffectiveMasses), kg.
    pub mass: Lanes,
}

/// Their rows of friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrictionRows {
    /// Of the substep along s and t, over the friction there, N s.
    pub impulse: [Lanes; 2],
    /// The [effective masses](EffectiveMasses): along s, mixed, along t.
    pub masses: [Lanes; 3],
    /// The least one, that of torsion included.
    pub least_mass: Lanes,
    /// Normal, and two of friction, of the whole step.
    pub total: [Lanes; 3],
}

/// Their rows of torsion.
#[derive(Clone, Debug, Default)]
pub struct Torsion {
    /// The friction, m.
    pub friction: Lanes,
    /// The effective mass: one over [`Masses::twist`].
    pub mass: Lanes,
    /// Of the substep and of the whole step, for each contact, over the friction, N s.
    pub impulses: Rows<[Lanes; 2]>,
}

/// Manifolds of eight pairs.
#[derive(Clone, Debug, Default)]
pub struct Constraint {
    /// A and B of each, by their places in the batch.
    pub bodies: [[u32; LANES]; 2],
    /// Whether impulses change their velocities.
    pub yields: [[bool; LANES]; 2],
    pub has_torsion: bool,
    pub has_bounce: bool,
    /// 1/kg.
    pub inverse_masses: [Lanes; 2],
    pub normal: Vector,
    /// The second tangent; the first one is at right angles to both.
    pub tangent: Vector,
    /// Along s and t.
    pub friction: [Lanes; 2],
    /// See [`super::settings::SoftSettings::softness`].
    pub softness: [Lanes; 3],
    /// From B's centre of mass to A's, in the frames, m.
    pub offset: Vector,
    /// The inverse inertias of A and B, in the frames, 1/(kg m²).
    pub inertias: [[Lanes; 6]; 2],
    /// Of as many contacts as the largest of the manifolds has, as all rows are.
    pub normals: Rows<NormalRow>,
    pub frictions: Rows<FrictionRows>,
    pub torsion: Torsion,
    /// What bounces leaves with this speed, m/s.
    pub bounces: Rows<Lanes>,
    /// How far the impulses of the last substep are from the law: the largest entry of the natural map (N s), and
    /// the same as a velocity at its contact (m/s).
    pub missing: [Lanes; 2],
}

/// A contact where a manifold has none.
static NO_CONTACT: SoftContact = SoftContact { gap: FAR, ..SoftContact::NONE };

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
        (self.has_torsion, self.has_bounce) = (false, false);
        let mut count = 0;
        // Where there is no manifold, the first body, which no contact changes.
        (self.bodies, self.yields) = Default::default();
        let mut ends = [[&NO_BODY; LANES]; 2];
        let mut rows = [[Quad::ZERO; LANES]; 4];
        for lane in 0..LANES {
            let Some(first) = manifolds[lane].first() else { continue };
            count = count.max(manifolds[lane].len());
            for (side, body) in [first.a, first.b].into_iter().enumerate() {
                let mover = &movers[body as usize];
                ends[side][lane] = mover;
                self.bodies[side][lane] = sides[lane][side];
                self.yields[side][lane] = mover.yields();
            }
            let [_, t] = tangents(first.normal);
            let [x, y, z] = first.friction;
            let is_against_wall = !(ends[0][lane].yields() && ends[1][lane].yields());
            let [rate, of_mass, of_impulse] = softness[usize::from(is_against_wall)];
            rows[0][lane] = Quad([first.normal.x, first.normal.y, first.normal.z, z]);
            rows[1][lane] = Quad([t.x, t.y, t.z, rate]);
            rows[2][lane] = Quad([x, y, of_mass, of_impulse]);
            let scale = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
            rows[3][lane] = Quad([scale(x), scale(y), scale(z), 0.0]);
            self.has_torsion |= z > 0.0;
        }
        let [nx, ny, nz, torsion] = R::columns(token, rows[0].each_ref());
        let [tx, ty, tz, rate] = R::columns(token, rows[1].each_ref());
        let [friction_s, friction_t, of_mass, of_impulse] = R::columns(token, rows[2].each_ref());
        let [scale_s, scale_t, scale_torsion, _] = R::columns(token, rows[3].each_ref());
        self.softness = stored([rate, of_mass, of_impulse]);
        self.friction = [friction_s.store(), friction_t.store()];
        self.torsion.friction = torsion.store();
        (self.normal, self.tangent) = (stored([nx, ny, nz]), stored([tx, ty, tz]));
        let axes = frame([nx, ny, nz], [tx, ty, tz]);
        let ends: [End<R>; 2] = [End::load(token, &ends[0]), End::load(token, &ends[1])];
        self.inverse_masses = [ends[0].inverse_mass.store(), ends[1].inverse_mass.store()];
        let masses = Masses {
            inverse_mass: ends[0].inverse_mass + ends[1].inverse_mass,
            inertias: [ends[0].inertia.within(&axes), ends[1].inertia.within(&axes)],
        };
        self.inertias = masses.inertias.map(Inertia::stored);
        let twist = masses.twist(torsion);
        self.torsion.mass = inverse(token, twist).store();
        let offset = along(&axes, minus(ends[0].position, ends[1].position));
        self.offset = stored(offset);
        self.normals.resize(count, NormalRow::default());
        self.frictions.resize(count, FrictionRows::default());
        if self.has_torsion {
            self.torsion.impulses.resize(count, [Lanes::ZERO; 2]);
        }
        for k in 0..count {
            let (mut places, mut impulses) = ([Quad::ZERO; LANES], [Quad::ZERO; LANES]);
            let (mut slacks, mut bounces) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                let contact = manifolds[lane].get(k).unwrap_or(&NO_CONTACT);
                (places[lane], impulses[lane]) = (contact.place(), Quad(contact.impulse));
                (slacks[lane], bounces[lane]) = (contact.slack, contact.bounce);
            }
            let [x, y, z, gap] = R::columns(token, places.each_ref());
            let [impulse_n, impulse_s, impulse_t, impulse_torsion] = R::columns(token, impulses.each_ref());
            let arm = along(&axes, minus([x, y, z], ends[0].position));
            let (arms, friction) = ([arm, plus(arm, offset)], [friction_s, friction_t]);
            let effective = EffectiveMasses::new(token, &masses, &arms, friction, twist);
            self.normals[k] = NormalRow {
                arm: stored(arm),
                gap: gap.store(),
                slack: Lanes::new(slacks),
                impulse: impulse_n.store(),
                mass: effective.normal.store(),
            };
            self.frictions[k] = FrictionRows {
                impulse: [(impulse_s * scale_s).store(), (impulse_t * scale_t).store()],
                masses: stored(effective.friction),
                least_mass: effective.least.store(),
                total: [Lanes::ZERO; 3],
            };
            if self.has_torsion {
                self.torsion.impulses[k] = [(impulse_torsion * scale_torsion).store(), Lanes::ZERO];
            }
            if bounces != [0.0; LANES] {
                if !self.has_bounce {
                    self.bounces.clear();
                    self.bounces.resize(count, Lanes::ZERO);
                }
                self.has_bounce = true;
                self.bounces[k] = Lanes::new(bounces);
            }
        }
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

    /// The impulses of the last substep and of the whole step (N s, N m s), for the contacts of a manifold.
    pub fn finish(&self, lane: usize, impulses: &mut [[Impulse; 2]]) {
        let [s, t, torsion] = [&self.friction[0], &self.friction[1], &self.torsion.friction].map(|lanes| lanes[lane]);
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

/// The axes of frames by their normals and second tangents.
#[inline(always)]
pub fn frame<R: Register>(normal: [R; 3], tangent: [R; 3]) -> [[R; 3]; 3] {
    [cross(tangent, normal), tangent, normal]
}

/// A body of each of eight manifolds.
#[derive(Clone, Copy)]
struct End<R> {
    position: [R; 3],
    inverse_mass: R,
    /// In the world.
    inertia: Inertia<R>,
}

impl<R: Register> End<R> {
    #[inline(always)]
    fn load(token: R::Token, movers: &[&Mover; LANES]) -> Self {
        let mut rows = [[Quad::ZERO; LANES]; 3];
        for (lane, mover) in movers.iter().enumerate() {
            [rows[0][lane], rows[1][lane], rows[2][lane]] = mover.rows();
        }
        let [x, y, z, inverse_mass] = R::columns(token, rows[0].each_ref());
        let [xx, xy, xz, yy] = R::columns(token, rows[1].each_ref());
        let [yz, zz, _, _] = R::columns(token, rows[2].each_ref());
        Self { position: [x, y, z], inverse_mass, inertia: Inertia([xx, xy, xz, yy, yz, zz]) }
    }
}
