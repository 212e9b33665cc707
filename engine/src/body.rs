//! A rigid body: where it is, how it moves, how heavy it is.
//!
//! The body frame has its origin at the centre of mass and its axes along the principal axes of inertia.

use crate::material::MaterialId;
use crate::matrix::turned;
use glam::{DMat3, DQuat, DVec3};

/// A rigid placement: `rotation` and `translation` take body coordinates to world coordinates.
pub use glamx::DPose3 as Pose;

/// How far the length of a given orientation may be from one (dimensionless); within it, the orientation is
/// normalised, beyond it, refused. Wide enough for quaternions written in single precision.
pub const UNIT_QUATERNION_TOLERANCE: f64 = 1e-4;

/// A body by its index in the list of bodies that is handed to the stepper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(u32);

impl BodyId {
    /// The body at `index` of the list.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The index in the list, from zero.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for BodyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "body {}", self.0)
    }
}

/// Whether forces and impulses move a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Moves under forces and impulses.
    Dynamic,
    /// Stays where it is, as if it were infinitely heavy. Its velocity is the velocity of its surface, which
    /// contacts feel (a conveyor belt); it is zero unless it is set.
    Fixed,
    /// Moves with the velocities that it is given, as if it were infinitely heavy: no force or impulse changes them.
    Kinematic,
}

/// What is wrong with the data of a body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// The mass cannot belong to a body that moves.
    #[error("the mass is {0} kg; give a finite mass above zero, or make the body fixed")]
    Mass(f64),
    /// A principal moment cannot belong to a body that moves.
    #[error("principal moment {axis} is {value} kg m²; give finite moments above zero, or make the body fixed")]
    Inertia {
        /// 0, 1 or 2.
        axis: usize,
        /// The moment that was given, kg m².
        value: f64,
    },
    /// A vector holds a number that is not finite.
    #[error("the {quantity} is {value}; all components must be finite")]
    NotFinite {
        /// "position", "velocity" or "angular velocity".
        quantity: &'static str,
        /// The vector that was given.
        value: DVec3,
    },
    /// A rate of damping or a scale of gravity that is none.
    #[error("the {quantity} is {value}; {allowed}")]
    Scale {
        /// "linear damping", "angular damping" or "gravity scale".
        quantity: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The orientation is not a rotation.
    #[error("the orientation has length {length}; give a unit quaternion")]
    Orientation {
        /// The length of the quaternion that was given.
        length: f64,
    },
}

/// A rigid body.
///
/// The state is public: a program may set it between steps, and the stepper refuses a state that is not finite.
///
/// | what | how it is set | what it does |
/// |---|---|---|
/// | position, orientation, velocities | fields | the state; a step goes on from it |
/// | material | field | friction and bounce, see [`crate::MaterialTable`] |
/// | mass, moments | [`Body::dynamic`] | inertia of a dynamic body; [`crate::World::set_mass`] in a world |
/// | kind | constructor | what moves it; [`crate::World::set_kind`] in a world |
/// | damping | [`Body::set_damping`] | the share of the velocities that is lost per second, besides that of the settings |
/// | gravity scale | [`Body::set_gravity_scale`] | a factor of the gravity of the settings; 0 for none, negative for lift |
/// | constant force and torque | [`Body::set_constant_force`] | act in every step, unlike those of [`crate::World::apply_force`] |
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Centre of mass, world frame, m.
    pub position: DVec3,
    /// Takes body coordinates to world coordinates; unit length.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, world frame, m/s.
    pub velocity: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular_velocity: DVec3,
    /// What the surface is made of.
    pub material: MaterialId,
    mass: f64,
    inertia: DVec3,
    kind: BodyKind,
    /// Linear and angular, 1/s.
    damping: [f64; 2],
    gravity_scale: f64,
    /// Through the centre of mass, N, and about it, N m, world frame.
    constant_force: [DVec3; 2],
}

impl Body {
    /// A body that moves, at rest at the origin. `mass` in kg; `inertia` holds the principal moments about the
    /// centre of mass in kg m², in the order of the body's axes.
    ///
    /// # Errors
    /// [`BodyError::Mass`] and [`BodyError::Inertia`] unless all are finite and above zero.
    pub fn dynamic(mass: f64, inertia: DVec3, material: MaterialId) -> Result<Self, BodyError> {
        if !(mass.is_finite() && mass > 0.0) {
            return Err(BodyError::Mass(mass));
        }
        for (axis, value) in inertia.to_array().into_iter().enumerate() {
            if !(value.is_finite() && value > 0.0) {
                return Err(BodyError::Inertia { axis, value });
            }
        }
        Ok(Self { mass, inertia, kind: BodyKind::Dynamic, ..Self::fixed(material) })
    }

    /// A body that stays where it is, at the origin. Its mass and moments are infinite.
    pub fn fixed(material: MaterialId) -> Self {
        Self {
            position: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            material,
            mass: f64::INFINITY,
            inertia: DVec3::INFINITY,
            kind: BodyKind::Fixed,
            damping: [0.0; 2],
            gravity_scale: 1.0,
            constant_force: [DVec3::ZERO; 2],
        }
    }

    /// A body that moves with the velocities that it is given, whatever touches it; at rest at the origin. Its mass and
    /// moments are infinite.
    pub fn kinematic(material: MaterialId) -> Self {
        Self { kind: BodyKind::Kinematic, ..Self::fixed(material) }
    }

    /// The same body elsewhere: `position` of the centre of mass in m, `orientation` from body to world.
    ///
    /// # Errors
    /// [`BodyError::NotFinite`] for the position; [`BodyError::Orientation`] if the quaternion is not of unit
    /// length within [`UNIT_QUATERNION_TOLERANCE`] (within it, the quaternion is normalised).
    pub fn at(self, position: DVec3, orientation: DQuat) -> Result<Self, BodyError> {
        let length = orientation.length();
        if !position.is_finite() {
            return Err(BodyError::NotFinite { quantity: "position", value: position });
        }
        if !length.is_finite() || (length - 1.0).abs() > UNIT_QUATERNION_TOLERANCE {
            return Err(BodyError::Orientation { length });
        }
        Ok(Self { position, orientation: orientation.normalize(), ..self })
    }

    /// The same body in motion: `velocity` of the centre of mass in m/s and `angular_velocity` in rad/s, world frame.
    ///
    /// # Errors
    /// [`BodyError::NotFinite`].
    pub fn moving(self, velocity: DVec3, angular_velocity: DVec3) -> Result<Self, BodyError> {
        if !velocity.is_finite() {
            return Err(BodyError::NotFinite { quantity: "velocity", value: velocity });
        }
        if !angular_velocity.is_finite() {
            return Err(BodyError::NotFinite { quantity: "angular velocity", value: angular_velocity });
        }
        Ok(Self { velocity, angular_velocity, ..self })
    }

    /// Sets how fast velocities decay by themselves, 1/s: linear and angular; v̇ = −c v, besides the damping of the settings
    /// ([`crate::ExternalForces`]), which is a force for a speed. A step takes it by backward Euler, so that none is too large.
    ///
    /// # Errors
    /// [`BodyError::Scale`] unless both are finite and not negative.
    pub fn set_damping(&mut self, linear: f64, angular: f64) -> Result<(), BodyError> {
        for (quantity, value) in [("linear damping", linear), ("angular damping", angular)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(BodyError::Scale { quantity, value, allowed: "it must be finite and not negative" });
            }
        }
        self.damping = [linear, angular];
        Ok(())
    }

    /// Linear and angular damping, 1/s.
    pub fn damping(&self) -> [f64; 2] {
        self.damping
    }

    /// Sets the factor of gravity for this body, dimensionless.
    ///
    /// # Errors
    /// [`BodyError::Scale`] unless it is finite.
    pub fn set_gravity_scale(&mut self, scale: f64) -> Result<(), BodyError> {
        if !scale.is_finite() {
            return Err(BodyError::Scale { quantity: "gravity scale", value: scale, allowed: "it must be finite" });
        }
        self.gravity_scale = scale;
        Ok(())
    }

    /// The factor of gravity.
    pub fn gravity_scale(&self) -> f64 {
        self.gravity_scale
    }

    /// Sets a force through the centre of mass (N) and a torque about it (N m), world frame, that act in every step while the body is
    /// dynamic. They do not turn with it.
    ///
    /// # Errors
    /// [`BodyError::NotFinite`].
    pub fn set_constant_force(&mut self, force: DVec3, torque: DVec3) -> Result<(), BodyError> {
        for (quantity, value) in [("constant force", force), ("constant torque", torque)] {
            if !value.is_finite() {
                return Err(BodyError::NotFinite { quantity, value });
            }
        }
        self.constant_force = [force, torque];
        Ok(())
    }

    /// The force (N) and the torque (N m) that act in every step, world frame.
    pub fn constant_force(&self) -> [DVec3; 2] {
        self.constant_force
    }

    /// The same body with another kind. A dynamic one has this mass (kg) and these moments (kg m²); one that is fixed has no velocity.
    ///
    /// # Errors
    /// [`BodyError::Mass`] and [`BodyError::Inertia`] of a dynamic one.
    pub(crate) fn with_kind(&self, kind: BodyKind, mass: f64, inertia: DVec3) -> Result<Self, BodyError> {
        let own = match kind {
            BodyKind::Dynamic => Self::dynamic(mass, inertia, self.material)?,
            BodyKind::Fixed => Self::fixed(self.material),
            BodyKind::Kinematic => Self::kinematic(self.material),
        };
        let moves = kind != BodyKind::Fixed;
        let still = |velocity: DVec3| if moves { velocity } else { DVec3::ZERO };
        Ok(Self {
            mass: own.mass,
            inertia: own.inertia,
            kind,
            velocity: still(self.velocity),
            angular_velocity: still(self.angular_velocity),
            ..self.clone()
        })
    }

    /// Mass, kg; infinite unless the body is dynamic.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Principal moments of inertia about the centre of mass, kg m²; infinite unless the body is dynamic.
    pub fn inertia(&self) -> DVec3 {
        self.inertia
    }

    /// Whether the body moves.
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Whether the body stays where it is.
    pub fn is_fixed(&self) -> bool {
        self.kind == BodyKind::Fixed
    }

    /// Whether forces and impulses move the body.
    pub fn is_dynamic(&self) -> bool {
        self.kind == BodyKind::Dynamic
    }

    /// The body frame in the world.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position, self.orientation)
    }

    /// One over the mass, 1/kg; zero unless the body is dynamic.
    pub fn inverse_mass(&self) -> f64 {
        self.mass.recip()
    }

    /// The inertia tensor in world axes for the given orientation, kg m²; infinite unless the body is dynamic.
    pub fn inertia_at(&self, orientation: DQuat) -> DMat3 {
        turned(self.inertia, orientation)
    }

    /// The inverse inertia tensor in world axes for the given orientation, 1/(kg m²); zero unless the body is dynamic.
    pub fn inverse_inertia_at(&self, orientation: DQuat) -> DMat3 {
        turned(self.inertia.recip(), orientation)
    }

    /// The angular momentum about the centre of mass, world frame, that `angular_velocity` means at the given
    /// orientation, kg m²/s. Zero unless the body is dynamic.
    pub fn angular_momentum_at(&self, orientation: DQuat, angular_velocity: DVec3) -> DVec3 {
        if !self.is_dynamic() {
            return DVec3::ZERO;
        }
        turned(self.inertia, orientation) * angular_velocity
    }

    /// The angular velocity (rad/s, world axes) with which the body has the same angular momentum when it has turned from one orientation to the
    /// other.
    pub(crate) fn spin_after_turn(&self, angular_velocity: DVec3, [before, after]: [DQuat; 2]) -> DVec3 {
        let moments = self.inertia;
        if moments.x == moments.y && moments.y == moments.z {
            return angular_velocity;
        }
        let momentum = before * (moments * (before.inverse() * angular_velocity));
        after * ((after.inverse() * momentum) / moments)
    }

    /// Kinetic energy of the present state, J. Zero unless the body is dynamic.
    pub fn kinetic_energy(&self) -> f64 {
        if !self.is_dynamic() {
            return 0.0;
        }
        let spin = self.angular_velocity.dot(self.angular_momentum_at(self.orientation, self.angular_velocity));
        0.5 * (self.mass * self.velocity.length_squared() + spin)
    }

    /// Whether the position and the lengths of the velocities are finite numbers and the orientation a rotation, of unit length
    /// within [`UNIT_QUATERNION_TOLERANCE`].
    pub fn state_is_finite(&self) -> bool {
        self.position.is_finite()
            && (self.orientation.length() - 1.0).abs() <= UNIT_QUATERNION_TOLERANCE
            && self.velocity.length().is_finite()
            && self.angular_velocity.length().is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUFF: MaterialId = MaterialId::new(0);

    #[test]
    fn bad_numbers_are_refused() {
        for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Body::dynamic(mass, DVec3::ONE, STUFF), Err(BodyError::Mass(_))));
        }
        let moments = DVec3::new(1.0, 2.0, -3.0);
        assert_eq!(Body::dynamic(1.0, moments, STUFF), Err(BodyError::Inertia { axis: 2, value: -3.0 }));
        let body = Body::dynamic(1.0, DVec3::ONE, STUFF).unwrap();
        assert!(body.clone().at(DVec3::NAN, DQuat::IDENTITY).is_err());
        assert!(body.clone().at(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.9)).is_err());
        assert!(body.clone().at(DVec3::ZERO, DQuat::from_xyzw(0.0, f64::NAN, 0.0, 1.0)).is_err());
        assert!(body.clone().moving(DVec3::INFINITY, DVec3::ZERO).is_err());
        assert!(body.moving(DVec3::ZERO, DVec3::NAN).is_err());
    }

    #[test]
    fn a_single_precision_quaternion_is_normalised() {
        let q = DQuat::from_xyzw(0.0, -0.707106829, 0.707106709, 0.0) * 1.00001;
        let body = Body::dynamic(1.0, DVec3::ONE, STUFF).unwrap().at(DVec3::ZERO, q).unwrap();
        assert!((body.orientation.length() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_fixed_body_does_not_yield() {
        let body = Body::fixed(STUFF);
        assert_eq!(body.inverse_mass(), 0.0);
        assert_eq!(body.inverse_inertia_at(DQuat::from_rotation_x(0.3)), DMat3::ZERO);
        assert_eq!(body.kinetic_energy(), 0.0);
    }

    #[test]
    fn moments_turn_with_the_body() {
        let body = Body::dynamic(1.0, DVec3::new(2.0, 3.0, 4.0), STUFF).unwrap();
        let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        // After a quarter turn about z the body's x axis lies along the world's y axis.
        let inverse = body.inverse_inertia_at(quarter);
        assert!((inverse.x_axis.x - 1.0 / 3.0).abs() < 1e-15);
        assert!((inverse.y_axis.y - 0.5).abs() < 1e-15);
        let momentum = body.angular_momentum_at(quarter, DVec3::Y);
        assert!((momentum - DVec3::Y * 2.0).length() < 1e-15);
    }
}
