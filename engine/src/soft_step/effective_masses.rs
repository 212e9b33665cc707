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
fn inverse<R: Register>(token: R::Token, x: R) -> R {
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
    /// Of torsion.
    pub torsion: R,
}

impl<R: Register> EffectiveMasses<R> {
    /// At the end of these arms, with friction along s and t, and of torsion (m).
    #[inline(always)]
    pub fn new(token: R::Token, masses: &Masses<R>, arms: &Arms<R>, [s, t, torsion]: [R; 3]) -> Self {
        let spins = [masses.pushed(S, arms), masses.pushed(T, arms), masses.pushed(N, arms)];
        let normal = inverse(token, masses.inverse_mass + turning(N, arms, &spins[N]));
        let along_s = masses.inverse_mass + turning(S, arms, &spins[S]);
        let along_t = masses.inverse_mass + turning(T, arms, &spins[T]);
        let block = [s * s * along_s, s * t * turning(T, arms, &spins[S]), t * t * along_t];
        let twisted = masses.twisted();
        let twist = torsion * torsion * (twisted[0][N] + twisted[1][N]);
        let least = inverse(token, largest_eigenvalue(token, block).max(twist));
        Self { normal, friction: inverse_block(token, block), least, torsion: inverse(token, twist) }
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
