//! The bodies of joints in a soft step: their poses substep by substep.

use crate::body::Pose;
use crate::matrix::turned;
use crate::motion::{advance, velocities_between};
use crate::soft_step::bodies::Mover;
use crate::soft_step::states::{State, States};
use glam::{DMat3, DVec3};

/// Iterations of the mid-point rule at most.
const MIDPOINT_LIMIT: usize = 12;

/// It has come to rest when the angular velocity changes by no more than this share.
const MIDPOINT_TOLERANCE: f64 = 1e-16;

/// Bodies get more damping within a substep if they need so many times as much as they have, and then so many times what they need.
const ENOUGH: f64 = 2.0;
const GENEROUS: f64 = 1.5;

/// What joints have to know of a body.
#[derive(Clone, Copy, Debug)]
pub struct JointBody {
    /// Its place in the list.
    pub body: u32,
    pub pose: Pose,
    /// Principal moments, kg m²; of no account if it does not yield.
    pub inertia: DVec3,
    /// The velocities (m/s, rad/s) of a body that does not yield: zero unless it is kinematic.
    pub motion: [DVec3; 2],
}

/// A body while a step goes on.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    /// Its place in the batch; none of a body that does not yield.
    pub place: Option<usize>,
    /// Its place in the list.
    pub body: u32,
    /// With what damping adds to the mass and to all moments.
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
    own_inverse_mass: f64,
    inertia: DVec3,
    /// See [`Moving::damp`], kg and kg m².
    damping: [f64; 2],
    start: Pose,
    pub pose: Pose,
    pub velocity: DVec3,
    pub spin: DVec3,
    /// What contacts have changed in the state in this substep, with what they did in the last one.
    contacts: [f64; 6],
    before: [f64; 6],
    /// Whether it has no joint, but a contact that is solved with them.
    pub is_visitor: bool,
}

impl Moving {
    /// The world.
    pub fn world() -> Self {
        let pose = Pose::IDENTITY;
        Self::new(&JointBody { body: u32::MAX, pose, inertia: DVec3::ONE, motion: [DVec3::ZERO; 2] }, None, 0.0)
    }

    pub fn new(own: &JointBody, place: Option<usize>, inverse_mass: f64) -> Self {
        let mut body = Self {
            place,
            body: own.body,
            inverse_mass,
            own_inverse_mass: inverse_mass,
            inertia: own.inertia,
            damping: [0.0; 2],
            start: own.pose,
            pose: own.pose,
            velocity: own.motion[0],
            spin: own.motion[1],
            inverse_inertia: DMat3::ZERO,
            contacts: [0.0; 6],
            before: [0.0; 6],
            is_visitor: false,
        };
        body.turn_inertia();
        body
    }

    /// A body without joints.
    pub fn visitor(body: u32, place: usize, mover: &Mover) -> Self {
        let pose = Pose::from_translation(mover.position);
        let own = JointBody { body, pose, inertia: DVec3::ONE, motion: [DVec3::ZERO; 2] };
        let inverse_inertia = mover.inverse_inertia();
        Self { is_visitor: true, inverse_inertia, ..Self::new(&own, Some(place), mover.inverse_mass) }
    }

    pub fn yields(&self) -> bool {
        self.place.is_some()
    }

    /// The inertia where the body is now.
    pub fn turn_inertia(&mut self) {
        if self.yields() && !self.is_visitor {
            let [along, about] = self.damping;
            let moments = self.inertia + DVec3::splat(about);
            self.inverse_inertia = turned(moments.recip(), self.pose.rotation);
            self.inverse_mass =
                if along > 0.0 { 1.0 / (1.0 / self.own_inverse_mass + along) } else { self.own_inverse_mass };
        }
    }

    /// A force turns with the body on whose arm it acts, as if by a spring: of a stiffness that is the force times the arm, and for a
    /// rod the force over its length. Where a spring (given as stiffness times the squared substep, kg and kg m²) is too stiff for the
    /// substep (light links that bear heavy loads), it acts implicitly: (M + D) v⁺ = M v + Jᵀ λ with as much D as that needs (S. Andrews,
    /// M. Teichmann, P. Kry, "Geometric stiffness for real-time constrained multibody dynamics", 2017). That is a proximal step in the
    /// metric M in which contacts act too, so that it adds no energy, whatever the impulses are. Returns whether D has changed; where it
    /// `grows`, by so much that a few times suffice.
    pub fn damp(&mut self, [along, about]: [f64; 2], grows: bool) -> bool {
        if !self.yields() || self.is_visitor {
            return false;
        }
        let mut damping =
            [(along - 1.0 / self.own_inverse_mass).max(0.0), (about - self.inertia.min_element()).max(0.0)];
        if grows {
            let more = |own: f64, wanted: f64| if wanted > ENOUGH * own { GENEROUS * wanted } else { own };
            damping = [more(self.damping[0], damping[0]), more(self.damping[1], damping[1])];
        }
        let has_changed = damping != self.damping;
        if has_changed {
            self.damping = damping;
            self.turn_inertia();
        }
        has_changed
    }

    /// The velocities (M + D)⁻¹ M v.
    pub fn slow_down(&mut self) {
        let [along, about] = self.damping;
        if along > 0.0 {
            self.velocity *= self.inverse_mass / self.own_inverse_mass;
        }
        if about > 0.0 {
            self.spin = self.inverse_inertia * (turned(self.inertia, self.pose.rotation) * self.spin);
        }
    }

    /// What an impulse (N s) and a moment (N m s) change without damping.
    pub fn response(&self, [impulse, moment]: [DVec3; 2]) -> [DVec3; 2] {
        let inverse_inertia = match self.damping[1] > 0.0 {
            true => turned(self.inertia.recip(), self.pose.rotation),
            false => self.inverse_inertia,
        };
        [impulse * self.own_inverse_mass, inverse_inertia * moment]
    }

    /// Forces act, and what contacts did in the last substep is done again.
    pub fn accelerate(&mut self, states: &mut States, mover: &Mover) {
        let Some(place) = self.place.filter(|_| !self.is_visitor) else { return };
        let mut state = states.get(place);
        mover.kick(&mut state);
        for (k, change) in self.contacts.iter().enumerate() {
            state.set(k, state.get(k) + change);
        }
        states.put(place, &state);
    }

    /// Takes the velocities over.
    pub fn load(&mut self, states: &mut States, mover: &Mover) {
        if let Some(place) = self.place {
            let [x, y, z, p, q, r] = mover.twist(&states.get(place));
            (self.velocity, self.spin) = (DVec3::new(x, y, z), DVec3::new(p, q, r));
        }
    }

    /// Writes velocities and displacement down.
    pub fn store(&self, states: &mut States, mover: &Mover) {
        if let Some(place) = self.place {
            let mut state = states.get(place);
            let [way, turn] = match self.is_visitor {
                true => mover.displacement(&state),
                false => velocities_between(&self.start, &self.pose, 1.0).into(),
            };
            mover.put(&mut state, [self.velocity, self.spin], [way, turn]);
            states.put(place, &state);
        }
    }

    /// Before contacts act.
    pub fn before_contacts(&mut self, states: &mut States) {
        if let Some(place) = self.place {
            self.before = velocities(&states.get(place));
        }
    }

    /// And after that.
    pub fn after_contacts(&mut self, states: &mut States) {
        if let Some(place) = self.place {
            let after = velocities(&states.get(place));
            for ((sum, after), before) in self.contacts.iter_mut().zip(after).zip(self.before) {
                *sum += after - before;
            }
        }
    }

    /// Takes note of a change of the velocities that contacts have made.
    pub fn add_contact(&mut self, mover: &Mover, [velocity, spin]: [DVec3; 2]) {
        let mut change = State::default();
        mover.put(&mut change, [velocity, spin], [DVec3::ZERO; 2]);
        self.contacts.iter_mut().zip(velocities(&change)).for_each(|(x, y)| *x += y);
    }

    /// Where the velocities lead in a time (s), and the angular velocity there: the angular momentum stays.
    pub fn moved(&self, duration: f64) -> (Pose, DVec3) {
        let (spin, inertia) = (self.spin, self.inertia);
        let is_even = inertia.x == inertia.y && inertia.y == inertia.z;
        if is_even || !self.yields() || spin == DVec3::ZERO {
            return (advance(self.pose, self.velocity, spin, duration), spin);
        }
        let momentum = turned(inertia, self.pose.rotation) * spin;
        let inverse = inertia.recip();
        let mut middle = spin;
        for _ in 0..MIDPOINT_LIMIT {
            let half = advance(self.pose, DVec3::ZERO, middle, 0.5 * duration);
            let next = turned(inverse, half.rotation) * momentum;
            let change = (next - middle).length_squared();
            middle = next;
            if change <= MIDPOINT_TOLERANCE * MIDPOINT_TOLERANCE * next.length_squared() {
                break;
            }
        }
        let pose = advance(self.pose, self.velocity, middle, duration);
        (pose, turned(inverse, pose.rotation) * momentum)
    }
}

fn velocities(state: &State) -> [f64; 6] {
    std::array::from_fn(|k| state.get(k))
}
