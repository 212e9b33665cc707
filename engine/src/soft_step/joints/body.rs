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
    pub inverse_mass: f64,
    inertia: DVec3,
    /// What is added to the mass and to all moments; see [`Moving::stiffen`].
    added: [f64; 2],
    own_inverse_mass: f64,
    start: Pose,
    pub pose: Pose,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub inverse_inertia: DMat3,
    /// What contacts have changed in the state in this substep, with what they did in the last one.
    contacts: [f64; 6],
    before: [f64; 6],
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
            added: [0.0; 2],
            start: own.pose,
            pose: own.pose,
            velocity: own.motion[0],
            spin: own.motion[1],
            inverse_inertia: DMat3::ZERO,
            contacts: [0.0; 6],
            before: [0.0; 6],
        };
        body.turn_inertia();
        body
    }

    pub fn yields(&self) -> bool {
        self.place.is_some()
    }

    /// The inertia where the body is now.
    pub fn turn_inertia(&mut self) {
        if self.yields() {
            self.inverse_inertia = turned(self.moments().recip(), self.pose.rotation);
        }
    }

    /// The moments with what is added to them, kg m².
    fn moments(&self) -> DVec3 {
        self.inertia + DVec3::splat(self.added[1])
    }

    /// A force turns with the body on whose arm it acts, as if by a spring: of a stiffness that is the force times the arm, and for a
    /// rod the force over its length. Where a spring (given as stiffness times the squared substep, kg and kg m²) is too stiff for the
    /// substep (light links that bear heavy loads), the body gets as much inertia as makes it slow enough (selective mass scaling; S.
    /// Andrews, M. Teichmann, P. Kry, "Geometric stiffness for real-time constrained multibody dynamics", 2017, add it to dampers).
    /// It goes with the square of the substep, and is zero where the substep is short enough.
    pub fn stiffen(&mut self, [along, about]: [f64; 2]) -> bool {
        if !self.yields() {
            return false;
        }
        let added = [(along - 1.0 / self.own_inverse_mass).max(0.0), (about - self.inertia.min_element()).max(0.0)];
        let has_changed = added != self.added;
        if has_changed {
            self.added = added;
            self.inverse_mass = 1.0 / (1.0 / self.own_inverse_mass + added[0]);
            self.turn_inertia();
        }
        has_changed
    }

    /// Forces act, and what contacts did in the last substep is done again.
    pub fn accelerate(&mut self, states: &mut States, mover: &Mover) {
        let Some(place) = self.place else { return };
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
            let (way, turn) = velocities_between(&self.start, &self.pose, 1.0);
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
            for k in 0..6 {
                self.contacts[k] += after[k] - self.before[k];
            }
        }
    }

    /// Where the velocities lead in a time (s), and the angular velocity there: the angular momentum stays.
    pub fn moved(&self, duration: f64) -> (Pose, DVec3) {
        let (spin, inertia) = (self.spin, self.moments());
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
