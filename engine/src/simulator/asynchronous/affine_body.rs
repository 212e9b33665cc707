//! Affine bodies: solids that are nearly rigid, whose points run straight between kicks.
//!
//! A point X of the body is at x = A X + p. Both the linear map A and the translation p change with constant velocity between kicks, so every
//! vertex runs straight, and all that is certified of vertices holds. With X along the principal axes from the centre of
//! mass, the mass matrix is diagonal: the mass m of p, and Sⱼ = ∫ρXⱼ² of column j of A.
//!
//! What keeps A nearly a rotation is the energy V = κ v ‖AᵀA − 1‖², v being the volume, and a dashpot of the same form. Both leave
//! momenta as they are: V does not change when the body is turned.
//!
//! A body whose A is not singular does not pass through itself. At each tick ‖AᵀA − 1‖ must be at most one half, so that no singular
//! value is below √½; until the next tick A moves by one half at most, as velocities that are faster end the simulation.
//!
//! Source: Lan, Kaufman, Li, Jiang, Yang, "Affine body dynamics" (2022), the energy and the coordinates.

use drystone_contact::Pose;
use drystone_contact::shape::{MassProperties, Surface};
use glam::{DAffine3, DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::clock::Ticks;
use super::error::AsynchronousError;
use super::surface::check_positive;

/// A step is this share of the limit of stability.
const SHARE: f64 = 0.25;

/// ‖AᵀA − 1‖ and the way of A from tick to tick are at most this.
const MOST_STRAIN: f64 = 0.5;

/// What an affine body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AffineMaterial {
    /// kg/m³.
    pub density: f64,
    /// κ, Pa.
    pub stiffness: f64,
    /// Of the dashpot against change of shape, Pa s.
    pub damping: f64,
}

/// A body: an affine one, or an obstacle, which no force moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffineBody {
    /// The number of its first vertex.
    first: u32,
    /// Where its vertices are in it, m.
    coordinates: Vec<DVec3>,
    /// The largest distance of a vertex from its origin, m.
    radius: f64,
    /// 1/m, 1/kg; zero of an obstacle.
    inverse_mass: f64,
    /// 1/Sⱼ, 1/(kg m²); zero of an obstacle.
    inverse_moments: DVec3,
    /// 4 κ v, J; zero of an obstacle.
    stiffness: f64,
    /// Four times the damping and v, J s.
    damping: f64,
    /// Where A and p are at its time.
    at: DAffine3,
    /// Of A and p.
    velocity: DAffine3,
    /// When it was kicked last.
    time: Ticks,
    /// The largest norm of the velocity of A, 1/s.
    fastest: f64,
    /// As long as the velocity of no vertex differs by more than `margin` from that by this, all are in their balls.
    reference: DAffine3,
    /// m/s; below zero if nothing is known.
    margin: f64,
}

impl AffineBody {
    /// A body within a closed surface, at a pose, with a velocity of its centre of mass (m/s) and an angular velocity (rad/s).
    ///
    /// # Errors
    /// [`AsynchronousError::Parameter`], [`AsynchronousError::Mass`].
    pub fn new(
        surface: &Surface,
        material: &AffineMaterial,
        pose: &Pose,
        [velocity, angular_velocity]: [DVec3; 2],
    ) -> Result<Self, AsynchronousError> {
        let AffineMaterial { density, stiffness, damping } = *material;
        check_positive("stiffness of an affine body", stiffness)?;
        let in_range = damping.is_finite() && damping >= 0.0;
        for (what, value, is_good, must) in [
            ("damping of an affine body", damping, in_range, "finite and not below zero"),
            ("velocity of an affine body", velocity.length(), velocity.is_finite(), "finite"),
            ("angular velocity of an affine body", angular_velocity.length(), angular_velocity.is_finite(), "finite"),
        ] {
            if !is_good {
                return Err(AsynchronousError::Parameter { what, value, must });
            }
        }
        let properties = MassProperties::of_surface(surface, density)
            .map_err(|error| AsynchronousError::Mass { problem: error.to_string() })?;
        // Moments of inertia are sums of two of these.
        let moments = properties.principal_moments;
        let moments = DVec3::splat(0.5 * moments.element_sum()) - moments;
        let axes = properties.principal_axes;
        let coordinates =
            surface.vertices().iter().map(|&point| axes.transpose() * (point - properties.centre)).collect();
        let mut body = Self::still(coordinates, pose)?;
        body.at = DAffine3 {
            matrix3: DMat3::from_quat(pose.rotation) * axes,
            translation: pose.rotation * properties.centre + pose.translation,
        };
        let turned = |column: DVec3| angular_velocity.cross(column);
        let [a, b, c] = [body.at.matrix3.x_axis, body.at.matrix3.y_axis, body.at.matrix3.z_axis].map(turned);
        body.velocity = DAffine3 { matrix3: DMat3::from_cols(a, b, c), translation: velocity };
        body.inverse_mass = 1.0 / properties.mass;
        body.inverse_moments = moments.recip();
        body.stiffness = 4.0 * stiffness * properties.volume;
        body.damping = 4.0 * damping * properties.volume;
        Ok(body)
    }

    /// Whether its vertices are among so many, and it is not ahead of a time.
    pub(super) fn is_consistent(&self, count: usize, now: Ticks) -> bool {
        self.first as usize + self.coordinates.len() <= count && self.time <= now
    }

    /// An obstacle with a surface, at a pose of the surface's frame, at rest.
    ///
    /// # Errors
    /// [`AsynchronousError::NotFinite`].
    pub fn obstacle(surface: &Surface, pose: &Pose) -> Result<Self, AsynchronousError> {
        Self::still(surface.vertices().to_vec(), pose)
    }

    fn still(coordinates: Vec<DVec3>, pose: &Pose) -> Result<Self, AsynchronousError> {
        let at = DAffine3 { matrix3: DMat3::from_quat(pose.rotation), translation: pose.translation };
        if let Some(vertex) = coordinates.iter().position(|&point| !at.transform_point3(point).is_finite()) {
            let position = at.transform_point3(coordinates[vertex]).to_string();
            return Err(AsynchronousError::NotFinite { vertex, position });
        }
        Ok(Self {
            first: 0,
            radius: coordinates.iter().fold(0.0, |most, point| point.length().max(most)),
            coordinates,
            inverse_mass: 0.0,
            inverse_moments: DVec3::ZERO,
            stiffness: 0.0,
            damping: 0.0,
            at,
            velocity: NONE,
            time: Ticks::default(),
            fastest: f64::INFINITY,
            reference: NONE,
            margin: -1.0,
        })
    }

    /// The same body with its vertices numbered on from another first one.
    pub(super) fn numbered_from(&self, first: u32) -> Self {
        Self { first, ..self.clone() }
    }

    /// The numbers of its vertices.
    pub fn vertices(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.coordinates.len() as u32
    }

    /// Whether forces move it.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// The largest distance of a vertex from its origin, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// A and p at a time no earlier than its last kick.
    pub fn placement(&self, now: Ticks) -> DAffine3 {
        sum(&self.at, &self.velocity, now.since(self.time))
    }

    /// Of A and p.
    pub fn velocity(&self) -> DAffine3 {
        self.velocity
    }

    /// kg; infinite of an obstacle.
    pub fn mass(&self) -> f64 {
        1.0 / self.inverse_mass
    }

    fn coordinates(&self, vertex: u32) -> DVec3 {
        self.coordinates[(vertex - self.first) as usize]
    }

    /// Where a vertex is at a time no earlier than the last kick, m.
    pub fn position_of(&self, vertex: u32, now: Ticks) -> DVec3 {
        let point = self.coordinates(vertex);
        self.at.transform_point3(point) + self.velocity.transform_point3(point) * now.since(self.time)
    }

    /// Where a vertex is at a placement, m.
    pub fn placed(&self, vertex: u32, at: &DAffine3) -> DVec3 {
        at.transform_point3(self.coordinates(vertex))
    }

    /// m/s.
    pub fn velocity_of(&self, vertex: u32) -> DVec3 {
        self.velocity.transform_point3(self.coordinates(vertex))
    }

    /// The velocity that a vertex gets by a unit impulse at another, along it, 1/kg.
    pub fn mobility(&self, vertex: u32, other: u32) -> f64 {
        let products = self.coordinates(vertex) * self.coordinates(other) * self.inverse_moments;
        self.inverse_mass + products.element_sum()
    }

    /// An impulse at a vertex, N s. None changes nothing.
    pub(super) fn kick(&mut self, vertex: u32, impulse: DVec3, now: Ticks) {
        if impulse != DVec3::ZERO {
            let arm = self.coordinates(vertex) * self.inverse_moments;
            let columns = DMat3::from_cols(impulse * arm.x, impulse * arm.y, impulse * arm.z);
            self.change_velocity(&DAffine3 { matrix3: columns, translation: impulse * self.inverse_mass }, now);
        }
    }

    pub(super) fn change_velocity(&mut self, change: &DAffine3, now: Ticks) {
        self.set_velocity(sum(&self.velocity, change, 1.0), now);
    }

    /// Where it is and how it moves, from a time on.
    pub(super) fn motion(&self) -> (DAffine3, DAffine3, Ticks) {
        (self.at, self.velocity, self.time)
    }

    pub(super) fn set_motion(&mut self, (at, velocity, time): (DAffine3, DAffine3, Ticks)) {
        (self.at, self.velocity, self.time) = (at, velocity, time);
    }

    /// When it was kicked last.
    pub(super) fn time(&self) -> Ticks {
        self.time
    }

    /// Gives it other velocities from now on.
    pub(super) fn set_velocity(&mut self, velocity: DAffine3, now: Ticks) {
        if self.time != now {
            self.at = self.placement(now);
            self.time = now;
        }
        self.velocity = velocity;
    }

    /// Whether the velocities of all vertices are sure to be in their balls.
    pub(super) fn is_in_balls(&self) -> bool {
        self.deviation() <= self.margin
    }

    /// How much the velocity of a vertex differs at most from that by the reference, m/s.
    fn deviation(&self) -> f64 {
        let change = sum(&self.velocity, &self.reference, -1.0);
        change.translation.length() + self.radius * norm(&change.matrix3)
    }

    /// Takes the velocity of now as the reference; `margin` is how far each velocity is from leaving its ball at least, m/s.
    pub(super) fn set_reference(&mut self, margin: f64) {
        self.reference = self.velocity;
        self.margin = margin;
    }

    /// A ball has been put around the velocity of a vertex, with a radius in m/s.
    pub(super) fn set_ball(&mut self, radius: f64) {
        self.margin = self.margin.min(radius - self.deviation());
    }

    /// The longest step that is stable, s; infinite of an obstacle: 1/4 · 2/ω with ω² = 8 κ v / min Sⱼ, and half of what damping alone
    /// allows.
    pub fn longest_step(&self) -> f64 {
        let mobility = 2.0 * self.inverse_moments.max_element();
        let elastic = SHARE * 2.0 / (self.stiffness * mobility).sqrt();
        elastic.min(if self.damping > 0.0 { 0.5 / (self.damping * mobility) } else { f64::INFINITY })
    }

    /// Says how long the steps are with which it keeps its shape, s.
    pub(super) fn set_step(&mut self, step: f64) {
        self.fastest = MOST_STRAIN / step;
    }

    /// Acts against the strain for a step, s.
    pub(super) fn keep_shape(&mut self, step: f64, now: Ticks) {
        let (a, rate) = (self.placement(now).matrix3, self.velocity.matrix3);
        let half = rate.transpose() * a;
        let stress = strain(&a) * self.stiffness + (half + half.transpose()) * self.damping;
        let force = a * stress * -step;
        let change = DMat3::from_cols(
            force.x_axis * self.inverse_moments.x,
            force.y_axis * self.inverse_moments.y,
            force.z_axis * self.inverse_moments.z,
        );
        self.change_velocity(&DAffine3 { matrix3: change, translation: DVec3::ZERO }, now);
    }

    /// Whether it is certain that A does not become singular before the next tick.
    pub(super) fn is_regular(&self, now: Ticks) -> bool {
        norm(&strain(&self.placement(now).matrix3)) <= MOST_STRAIN
    }

    /// Whether A turns or stretches too fast for that.
    pub(super) fn is_too_fast(&self) -> bool {
        // A velocity that is not a number is none of these, and is found otherwise.
        norm(&self.velocity.matrix3) > self.fastest
    }

    /// The largest of |AᵀA − 1|, twice the strain.
    pub fn strain(&self, now: Ticks) -> f64 {
        strain(&self.placement(now).matrix3).to_cols_array().iter().fold(0.0, |most, entry| most.max(entry.abs()))
    }

    /// The energies of motion and of shape, J; none of an obstacle.
    pub fn energies(&self, now: Ticks) -> [f64; 2] {
        if !self.is_movable() {
            return [0.0; 2];
        }
        let moments = self.inverse_moments.recip();
        let columns = columns(&self.velocity.matrix3);
        let turning: f64 = (0..3).map(|j| moments[j] * columns[j].length_squared()).sum();
        let kinetic = 0.5 * (self.velocity.translation.length_squared() / self.inverse_mass + turning);
        [kinetic, 0.25 * self.stiffness * norm_squared(&strain(&self.placement(now).matrix3))]
    }

    /// The momentum, kg m/s, and the angular momentum about the origin, kg m²/s; none of an obstacle.
    pub fn momenta(&self, now: Ticks) -> [DVec3; 2] {
        if !self.is_movable() {
            return [DVec3::ZERO; 2];
        }
        let (at, moments) = (self.placement(now), self.inverse_moments.recip());
        let momentum = self.velocity.translation / self.inverse_mass;
        let (places, rates) = (columns(&at.matrix3), columns(&self.velocity.matrix3));
        let spin: DVec3 = (0..3).map(|j| places[j].cross(rates[j]) * moments[j]).sum();
        [momentum, at.translation.cross(momentum) + spin]
    }
}

const NONE: DAffine3 = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };

fn sum(a: &DAffine3, b: &DAffine3, share: f64) -> DAffine3 {
    DAffine3 { matrix3: a.matrix3 + b.matrix3 * share, translation: a.translation + b.translation * share }
}

fn columns(matrix: &DMat3) -> [DVec3; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}

/// AᵀA − 1.
fn strain(a: &DMat3) -> DMat3 {
    a.transpose() * *a - DMat3::IDENTITY
}

fn norm_squared(matrix: &DMat3) -> f64 {
    columns(matrix).iter().map(|column| column.length_squared()).sum()
}

fn norm(matrix: &DMat3) -> f64 {
    norm_squared(matrix).sqrt()
}
