//! Friction: the nearest allowed friction impulse to a given one.
//!
//! Each model names a convex set of friction impulses (s, t, torsion) that grows with the normal impulse; the solver
//! needs the Euclidean projection onto it.

/// Which friction impulses a normal impulse λ allows, with coefficients μ in the order s, t, torsion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionModel {
    /// The ball of radius μ_s λ. Torsion shares the ball with sliding without any length scale; μ_t and μ_torsion
    /// are without effect. What the assessment suite uses.
    #[default]
    Ball,
    /// The ellipsoid of semi-axes μ_s λ, μ_t λ, μ_torsion λ.
    Ellipsoid,
    /// The box of half-sides μ_s λ, μ_t λ, μ_torsion λ. With μ_torsion = 0 it is flat.
    Box,
}

/// Newton steps at most for the ellipsoid; the iteration rises monotonically and stops by itself, in practice within ten.
const ELLIPSOID_NEWTON_LIMIT: usize = 100;

impl FrictionModel {
    /// The allowed friction impulse nearest to `z`. All in the order s, t, torsion; `normal` is the normal impulse
    /// (none or a negative one allows no friction).
    #[inline]
    pub fn project(self, z: [f64; 3], friction: [f64; 3], normal: f64) -> [f64; 3] {
        if normal <= 0.0 {
            return [0.0; 3];
        }
        match self {
            Self::Ball => onto_ball(z, friction[0] * normal),
            Self::Ellipsoid => onto_ellipsoid(z, friction.map(|mu| mu * normal)),
            Self::Box => onto_box(z, friction.map(|mu| mu * normal)),
        }
    }
}

#[inline]
fn onto_ball(z: [f64; 3], radius: f64) -> [f64; 3] {
    let squared = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    if squared <= radius * radius {
        return z;
    }
    let scale = radius / squared.sqrt();
    z.map(|x| x * scale)
}

fn onto_box(z: [f64; 3], half: [f64; 3]) -> [f64; 3] {
    // Comparisons, so that a number that is not one stays visible.
    std::array::from_fn(|i| {
        if z[i] > half[i] {
            half[i]
        } else if z[i] < -half[i] {
            -half[i]
        } else {
            z[i]
        }
    })
}

/// The nearest point of the solid ellipsoid is x_i = a_i² z_i / (a_i² + τ), where τ > 0 is the root of
/// F(τ) = Σ (a_i z_i / (a_i² + τ))² − 1. F is convex and falls, so Newton's method rises to the root from any
/// point below it. An axis of length zero keeps nothing of its component.
fn onto_ellipsoid(z: [f64; 3], axes: [f64; 3]) -> [f64; 3] {
    let largest = axes[0].max(axes[1]).max(axes[2]);
    if largest <= 0.0 {
        return [0.0; 3];
    }
    // Lengths are measured in the largest axis, so that squares neither overflow nor vanish.
    let a = axes.map(|axis| axis / largest);
    let kept: [f64; 3] = std::array::from_fn(|i| if a[i] > 0.0 { z[i] } else { 0.0 });
    let z = kept.map(|x| x / largest);
    let present = || (0..3).filter(|&i| a[i] > 0.0);
    let level = present().fold(0.0, |level, i| level + (z[i] / a[i]) * (z[i] / a[i]));
    if level <= 1.0 {
        return kept;
    }
    // One term alone reaches one here, so the root lies above.
    let mut tau = (0..3).map(|i| a[i] * z[i].abs() - a[i] * a[i]).fold(0.0, f64::max);
    for _ in 0..ELLIPSOID_NEWTON_LIMIT {
        let mut excess = -1.0;
        let mut slope = 0.0;
        for i in present() {
            let denominator = a[i] * a[i] + tau;
            let term = (a[i] * z[i] / denominator).powi(2);
            excess += term;
            slope += (term + term) / denominator;
        }
        let next = tau + excess / slope;
        if next <= tau || next.is_nan() {
            break;
        }
        tau = next;
    }
    std::array::from_fn(|i| {
        let square = a[i] * a[i];
        if square > 0.0 { largest * square * z[i] / (square + tau) } else { 0.0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distance(x: [f64; 3], y: [f64; 3]) -> f64 {
        (0..3).map(|i| (x[i] - y[i]) * (x[i] - y[i])).sum::<f64>().sqrt()
    }

    /// Whether a point is allowed, up to rounding.
    fn allows(model: FrictionModel, x: [f64; 3], mu: [f64; 3], normal: f64, slack: f64) -> bool {
        let sides = mu.map(|m| m * normal);
        match model {
            FrictionModel::Ball => distance(x, [0.0; 3]) <= sides[0] * (1.0 + slack),
            FrictionModel::Ellipsoid => (0..3).map(|i| (x[i] / sides[i]).powi(2)).sum::<f64>() <= 1.0 + slack,
            FrictionModel::Box => (0..3).all(|i| x[i].abs() <= sides[i] * (1.0 + slack)),
        }
    }

    /// Brute force: walks from a start inside the set over a shrinking lattice of neighbours towards the best allowed one.
    fn brute_force(model: FrictionModel, z: [f64; 3], mu: [f64; 3], normal: f64) -> [f64; 3] {
        let mut best = [0.0; 3];
        let mut stride = mu.iter().fold(0.0f64, |m, x| m.max(*x)) * normal;
        while stride > 1e-9 {
            let mut moved = false;
            for code in 0..125 {
                let offset = [code % 5, code / 5 % 5, code / 25].map(|k| f64::from(k - 2) * 0.5 * stride);
                // Candidates beyond the set are pulled back along the ray to the origin until they are allowed.
                let mut candidate: [f64; 3] = std::array::from_fn(|i| best[i] + offset[i]);
                if !allows(model, candidate, mu, normal, 0.0) {
                    let (mut inside, mut outside) = (0.0, 1.0);
                    for _ in 0..40 {
                        let middle = 0.5 * (inside + outside);
                        if allows(model, candidate.map(|x| x * middle), mu, normal, 0.0) {
                            inside = middle;
                        } else {
                            outside = middle;
                        }
                    }
                    candidate = candidate.map(|x| x * inside);
                }
                if distance(candidate, z) < distance(best, z) {
                    best = candidate;
                    moved = true;
                }
            }
            if !moved {
                stride *= 0.5;
            }
        }
        best
    }

    const MODELS: [FrictionModel; 3] = [FrictionModel::Ball, FrictionModel::Ellipsoid, FrictionModel::Box];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn projection_agrees_with_brute_force(
            z in prop::array::uniform3(-4.0..4.0f64),
            mu in prop::array::uniform3(0.2..1.5f64),
            normal in 0.3..2.0f64,
        ) {
            for model in MODELS {
                let x = model.project(z, mu, normal);
                let oracle = brute_force(model, z, mu, normal);
                prop_assert!(allows(model, x, mu, normal, 1e-12), "{model:?} {x:?}");
                prop_assert!((distance(x, z) - distance(oracle, z)).abs() < 1e-6, "{model:?} {x:?} {oracle:?}");
                prop_assert!(distance(x, oracle) < 2e-3, "{model:?} {x:?} {oracle:?}");
            }
        }
    }

    proptest! {
        /// z − x is normal to the set at x: no allowed y lies further along it. This characterises a projection.
        #[test]
        fn projection_satisfies_the_variational_inequality(
            z in prop::array::uniform3(-1e3..1e3f64),
            y in prop::array::uniform3(-1.0..1.0f64),
            mu in prop::array::uniform3(1e-3..10.0f64),
            normal in 1e-3..1e3f64,
        ) {
            for model in MODELS {
                let x = model.project(z, mu, normal);
                let sides = mu.map(|m| m * normal);
                let y: [f64; 3] = match model {
                    FrictionModel::Box => std::array::from_fn(|i| y[i] * sides[i]),
                    _ => {
                        let unit = y.map(|v| v / distance(y, [0.0; 3]).max(1.0));
                        std::array::from_fn(|i| unit[i] * if model == FrictionModel::Ball { sides[0] } else { sides[i] })
                    }
                };
                let along: f64 = (0..3).map(|i| (z[i] - x[i]) * (y[i] - x[i])).sum();
                let size = |p| distance(p, [0.0; 3]);
                let scale = (size(z) + size(x)) * (size(y) + size(x));
                prop_assert!(along <= 1e-12 * scale, "{model:?}: {along} against {scale}");
            }
        }
    }

    #[test]
    fn special_cases() {
        let mu = [0.5, 0.4, 0.0];
        for model in MODELS {
            assert_eq!(model.project([1.0, 2.0, 3.0], mu, 0.0), [0.0; 3]);
            assert_eq!(model.project([1.0, 2.0, 3.0], mu, -1.0), [0.0; 3]);
            assert_eq!(model.project([1.0, 2.0, 3.0], [0.0; 3], 1.0), [0.0; 3]);
            assert_eq!(model.project([0.1, 0.2, 0.0], [0.5; 3], 1.0), [0.1, 0.2, 0.0]);
        }
        // Without torsional friction the ellipsoid is a flat disc: the moment goes, sliding inside stays.
        assert_eq!(FrictionModel::Ellipsoid.project([0.1, 0.1, 5.0], mu, 1.0), [0.1, 0.1, 0.0]);
        assert_eq!(FrictionModel::Box.project([0.6, -0.6, 5.0], mu, 1.0), [0.5, -0.4, 0.0]);
        // A round ellipsoid is the ball.
        let (z, round) = ([3.0, -4.0, 12.0], [0.5; 3]);
        let ball = FrictionModel::Ball.project(z, round, 2.0);
        assert!(distance(ball, FrictionModel::Ellipsoid.project(z, round, 2.0)) < 1e-15);
        // Very unequal axes and far points still end on the surface.
        let flat = FrictionModel::Ellipsoid.project([1e6, -2e6, 1e-3], [1e-4, 1.0, 10.0], 1.0);
        let level = (flat[0] / 1e-4).powi(2) + flat[1].powi(2) + (flat[2] / 10.0).powi(2);
        assert!((level - 1.0).abs() < 1e-9, "{level}");
    }
}
