use super::*;
use proptest::prelude::*;

const MODELS: [FrictionModel; 3] = [FrictionModel::Ball, FrictionModel::Ellipsoid, FrictionModel::Box];

fn diagonal(entries: [f64; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { entries[i] } else { 0.0 }))
}

fn velocity(block: &[[f64; 4]; 4], q: &[f64; 4], impulse: &Impulse) -> [f64; 4] {
    std::array::from_fn(|i| q[i] + (0..4).map(|j| block[i][j] * impulse[j]).sum::<f64>())
}

fn close(x: Impulse, y: Impulse) -> bool {
    (0..4).all(|i| (x[i] - y[i]).abs() < 1e-14)
}

/// A 2 kg point that meets the ground: it opens, sticks or slides as the textbook says.
#[test]
fn a_mass_point_opens_sticks_and_slides() {
    let block = diagonal([0.5, 0.5, 0.5, 1.0]);
    for model in MODELS {
        let solve = |q, mu: f64| solve_one_contact(&block, &q, &[mu, mu, 0.0], model).unwrap();
        assert_eq!(solve([0.1, 3.0, 0.0, 0.0], 0.5), [0.0; 4]);
        assert!(close(solve([-1.0, 0.3, -0.4, 0.0], 0.5), [2.0, -0.6, 0.8, 0.0]), "{model:?}");
        assert!(close(solve([-1.0, 3.0, 0.0, 0.0], 0.5), [2.0, -1.0, 0.0, 0.0]), "{model:?}");
        assert!(close(solve([-1.0, 3.0, 0.0, 0.0], 0.0), [2.0, 0.0, 0.0, 0.0]), "{model:?}");
    }
    // Sliding aslant: friction opposes the velocity on a disc, and fills the corner of a box.
    let slide = |model| solve_one_contact(&block, &[-1.0, 30.0, 40.0, 0.0], &[0.5; 3], model).unwrap();
    assert!(close(slide(FrictionModel::Ball), [2.0, -0.6, -0.8, 0.0]));
    assert!(close(slide(FrictionModel::Ellipsoid), [2.0, -0.6, -0.8, 0.0]));
    assert!(close(slide(FrictionModel::Box), [2.0, -1.0, -1.0, 0.0]));
}

/// A rod at 45° that slides: normal and friction are coupled. u_n = 0 and x = −μλ give λ = −q_n / (a − μc) in closed form.
#[test]
fn coupled_sliding_has_its_closed_answer() {
    let mut block = diagonal([2.0, 2.0, 1.0, 1.0]);
    (block[0][1], block[1][0]) = (1.5, 1.5);
    for (mu, speed) in [(0.3, 10.0), (0.9, 10.0), (0.3, -10.0), (0.9, -10.0)] {
        for model in MODELS {
            let got = solve_one_contact(&block, &[-1.0, speed, 0.0, 0.0], &[mu, mu, 0.0], model).unwrap();
            let normal = 1.0 / (2.0 - mu * 1.5 * f64::signum(speed));
            let expected = [normal, -mu * normal * f64::signum(speed), 0.0, 0.0];
            assert!(close(got, expected), "{model:?} {mu} {speed}: {got:?} {expected:?}");
        }
    }
}

#[test]
fn blocks_without_response_are_refused() {
    let solve = |block, q| solve_one_contact(&block, &q, &[0.5; 3], FrictionModel::Ball);
    let unresponsive = Err(SolverError::Unresponsive { contact: 0 });
    assert_eq!(solve(diagonal([1.0, 0.0, 1.0, 1.0]), [0.0; 4]), unresponsive);
    assert_eq!(solve(diagonal([f64::NAN; 4]), [0.0; 4]), unresponsive);
    assert_eq!(solve(diagonal([1.0; 4]), [f64::NAN; 4]), Err(SolverError::Rows { contact: 0 }));
}

/// A random symmetric positive definite block.
fn block() -> impl Strategy<Value = [[f64; 4]; 4]> {
    (prop::array::uniform16(-1.0..1.0f64), 0.01..1.0f64).prop_map(|(g, shift)| {
        let product = |i: usize, j: usize| (0..4).map(|k| g[4 * i + k] * g[4 * j + k]).sum::<f64>();
        std::array::from_fn(|i| std::array::from_fn(|j| product(i, j) + if i == j { shift } else { 0.0 }))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    /// Oracle: Signorini's condition, the bounds of friction, and the principle of maximal dissipation: no allowed
    /// friction impulse takes more power out of the sliding velocity.
    #[test]
    fn the_answer_satisfies_the_law_of_contact(
        block in block(),
        q in prop::array::uniform4(-2.0..2.0f64),
        mu in prop::array::uniform3(0.05..1.2f64),
    ) {
        for model in MODELS {
            let x = solve_one_contact(&block, &q, &mu, model).unwrap();
            let u = velocity(&block, &q, &x);
            let size = x.iter().fold(1.0f64, |m, v| m.max(v.abs())) * 1e-11;
            prop_assert!(x[0] >= 0.0 && u[0] >= -size && x[0] * u[0] <= size * (1.0 + x[0]), "{model:?} {x:?} {u:?}");
            let sides = mu.map(|m| m * x[0]);
            let (used, most) = match model {
                FrictionModel::Ball => (
                    (x[1] * x[1] + x[2] * x[2] + x[3] * x[3]).sqrt() - sides[0],
                    sides[0] * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]).sqrt(),
                ),
                FrictionModel::Ellipsoid => {
                    let part = |i: usize| (sides[i] * u[i + 1]).powi(2);
                    let level = (0..3).map(|i| (x[i + 1] / mu[i]).powi(2)).sum::<f64>().sqrt() - x[0];
                    (level, (part(0) + part(1) + part(2)).sqrt())
                }
                FrictionModel::Box => (
                    (0..3).map(|i| x[i + 1].abs() - sides[i]).fold(f64::NEG_INFINITY, f64::max),
                    (0..3).map(|i| sides[i] * u[i + 1].abs()).sum(),
                ),
            };
            prop_assert!(used <= size, "{model:?}: {used}");
            let power: f64 = -(1..4).map(|i| x[i] * u[i]).sum::<f64>();
            prop_assert!((power - most).abs() <= size * (1.0 + x[0]), "{model:?}: {power} of {most}");
        }
    }

    /// The definition: A v = e v with orthonormal v.
    #[test]
    fn eigenvectors_are_what_they_should_be(block in block()) {
        let a: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| block[i][j]));
        let (values, vectors) = eigen(a);
        for (k, v) in vectors.iter().enumerate() {
            for i in 0..3 {
                let product: f64 = (0..3).map(|j| a[i][j] * v[j]).sum();
                prop_assert!((product - values[k] * v[i]).abs() < 1e-13);
                let dot: f64 = (0..3).map(|j| vectors[i][j] * v[j]).sum();
                prop_assert!((dot - f64::from(u8::from(i == k))).abs() < 1e-13);
            }
        }
    }
}
