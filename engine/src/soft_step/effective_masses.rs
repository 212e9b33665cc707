//! Effective masses: the impulses at a contact that change the relative velocity there by one. They follow from arms and inertias, which
//! stay for the whole step.

use super::frame::{Inertia, N, S, T, swept};
use super::lanes::Register;

/// From the centres of mass of A and of B to contacts.
pub type Arms<R> = [[R; 3]; 2];

/// The spins of A and of B that an impulse at a contact makes.
pub type Spins<R> = [[R; 3]; 2];

/// The bodies of eight manifolds.
#[derive(Clone, Copy)]
pub struct Masses<R> {
    /// The sum of the inverse masses.
    pub inverse_mass: R,
    /// The inverse inertias of A and of B in the frames.
    pub inertias: [Inertia<R>; 2],
}

impl<R: Register> Masses<R> {
    /// What an impulse along an axis does.
    #[inline(always)]
    pub fn pushed(&self, axis: usize, arms: &Arms<R>) -> Spins<R> {
        [self.inertias[0].pushed(axis, arms[0]), self.inertias[1].pushed(axis, arms[1])]
    }

    /// What an impulse of torsion over the friction (m) changes in the relative spin times the friction.
    #[inline(always)]
    pub fn twist(&self, torsion: R) -> R {
        let twisted = self.twisted();
        torsion * torsion * (twisted[0][N] + twisted[1][N])
    }

    /// What a moment about the normal does.
    #[inline(always)]
    pub fn twisted(&self) -> Spins<R> {
        [self.inertias[0].about(N), self.inertias[1].about(N)]
    }
}

/// What spins change in the relative velocity along an axis.
#[inline(always)]
fn turning<R: Register>(axis: usize, arms: &Arms<R>, spins: &Spins<R>) -> R {
    swept(axis, arms[0], spins[0]) + swept(axis, arms[1], spins[1])
}

/// The inverse, or zero of what is not positive.
#[inline(always)]
pub fn inverse<R: Register>(token: R::Token, x: R) -> R {
    x.if_positive(R::splat(token, 1.0).over(x), R::splat(token, 0.0))
}

/// Of a contact of each of eight manifolds.
pub struct EffectiveMasses<R> {
    /// Along the normal, kg.
    pub normal: R,
    /// Of impulses along s and t over the friction there, on velocities times the friction there: along s, mixed, along t.
    pub friction: [R; 3],
    /// Of the direction of friction, or torsion, that yields most.
    pub least: R,
}

impl<R: Register> EffectiveMasses<R> {
    /// At the end of these arms, with friction along s and t; `twist` is [`Masses::twist`].
    #[inline(always)]
    pub fn new(token: R::Token, masses: &Masses<R>, arms: &Arms<R>, [s, t]: [R; 2], twist: R) -> Self {
        let spins = [masses.pushed(S, arms), masses.pushed(T, arms), masses.pushed(N, arms)];
        let normal = inverse(token, masses.inverse_mass + turning(N, arms, &spins[N]));
        let along_s = masses.inverse_mass + turning(S, arms, &spins[S]);
        let along_t = masses.inverse_mass + turning(T, arms, &spins[T]);
        let block = [s * s * along_s, s * t * turning(T, arms, &spins[S]), t * t * along_t];
        let least = inverse(token, largest_eigenvalue(token, block).max(twist));
        Self { normal, friction: inverse_block(token, block), least }
    }
}

/// The inverse of a block. Without a determinant friction acts in one direction, or in none.
#[inline(always)]
fn inverse_block<R: Register>(token: R::Token, [uu, uv, vv]: [R; 3]) -> [R; 3] {
    let determinant = uu * vv - uv * uv;
    let of_block = inverse(token, determinant);
    [
        determinant.if_positive(vv * of_block, inverse(token, uu)),
        -(uv * of_block),
        determinant.if_positive(uu * of_block, inverse(token, vv)),
    ]
}

#[inline(always)]
fn largest_eigenvalue<R: Register>(token: R::Token, [uu, uv, vv]: [R; 3]) -> R {
    let (half, quarter) = (R::splat(token, 0.5), R::splat(token, 0.25));
    half * (uu + vv) + (quarter * (uu - vv) * (uu - vv) + uv * uv).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{LANES, Lanes, Pair};
    use super::super::quad::Quad;
    use super::*;
    use drystone_contact::split_mix::SplitMix;
    use glam::{DMat2, DMat3, DVec2, DVec3};

    type Numbers = Pair<Quad>;

    fn wide(x: f64) -> Numbers {
        Register::load((), &Lanes::new([x; LANES]))
    }

    fn number(x: Numbers) -> f64 {
        x.store()[3]
    }

    /// Against matrices: an impulse p at a contact changes the relative velocity there by K p, K = (1/m₁ + 1/m₂) − Σ [r]× I⁻¹ [r]×.
    #[test]
    fn an_impulse_changes_the_velocity_as_matrices_say() {
        let mut random = SplitMix::new(3);
        for round in 0..200 {
            let mut next = || DVec3::from_array([0; 3].map(|_| random.next_between(-1.0, 1.0)));
            let arms = [next(), next()];
            let inertias = [0; 2].map(|_| {
                let factor = DMat3::from_cols(next(), next(), next());
                factor * factor.transpose()
            });
            let inverse_mass = 1.0 + next().x;
            let friction = if round % 4 == 0 { DVec3::new(0.5, 0.0, 0.0) } else { next().abs() };
            let skew = |r: DVec3| DMat3::from_cols(DVec3::X.cross(-r), DVec3::Y.cross(-r), DVec3::Z.cross(-r));
            let turning = |k: usize| skew(arms[k]) * inertias[k] * skew(arms[k]);
            let change = DMat3::IDENTITY * inverse_mass - turning(0) - turning(1);
            let upper = |m: DMat3| [m.x_axis.x, m.x_axis.y, m.x_axis.z, m.y_axis.y, m.y_axis.z, m.z_axis.z];
            let masses =
                Masses { inverse_mass: wide(inverse_mass), inertias: inertias.map(|m| Inertia(upper(m).map(wide))) };
            let [along_s, along_t, torsion] = friction.to_array().map(wide);
            let arms = arms.map(|arm| arm.to_array().map(wide));
            let found = EffectiveMasses::new((), &masses, &arms, [along_s, along_t], masses.twist(torsion));
            let near = |found: Numbers, expected: f64| {
                let found = number(found);
                assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{round}: {found} {expected}");
            };
            near(found.normal, 1.0 / change.z_axis.z);
            let twist = friction.z * friction.z * (inertias[0] + inertias[1]).z_axis.z;
            near(masses.twist(torsion), twist);
            let (s, t) = (friction.x, friction.y);
            let block = DMat2::from_cols(
                DVec2::new(s * s * change.x_axis.x, s * t * change.x_axis.y),
                DVec2::new(s * t * change.y_axis.x, t * t * change.y_axis.y),
            );
            let [uu, uv, vv] = found.friction;
            if t == 0.0 {
                near(uu, 1.0 / block.x_axis.x);
                assert_eq!([number(uv), number(vv)], [0.0; 2]);
            } else {
                let inverse = block.inverse();
                near(uu, inverse.x_axis.x);
                near(uv, inverse.x_axis.y);
                near(vv, inverse.y_axis.y);
            }
            // No direction yields more than the one of the least mass, and one yields as much.
            let directions = (0..360).map(|k| DVec2::from_angle(f64::from(k).to_radians()));
            let most = directions.map(|u| u.dot(block * u)).fold(twist, f64::max);
            let least = number(found.least);
            assert!(most <= (1.0 + 1e-12) / least && most * least > 0.999, "{most} {least}");
        }
    }
}
