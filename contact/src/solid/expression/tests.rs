use std::f64::consts::PI;

use glam::DVec3;

use super::{Expression, ExpressionError};
use crate::solid::{Interval, laws};
use crate::split_mix::SplitMix;

fn at(text: &str, x: f64, y: f64, z: f64) -> f64 {
    Expression::new(text).unwrap().value(DVec3::new(x, y, z))
}

#[test]
fn signs_bind_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 - 4 - 2", 2.0),
        ("8 / 4 / 2", 1.0),
        ("-x^2", -4.0),
        ("(-x)^2", 4.0),
        ("2 * -x", -4.0),
        ("--x", 2.0),
        ("-x * y", -6.0),
        ("x^-1", 0.5),
        ("2 * x^3 / y^2", 16.0 / 9.0),
        ("x * x - y * y", -5.0),
        ("1 - x^0", 0.0),
        ("1e2 + .5 + 2.5E-1", 100.75),
        ("min(x, y, z) + max(x, y, z)", 7.0),
        ("abs(x - z) * sqrt(2 * x)", 6.0),
        ("ln(exp(y))", 3.0),
    ] {
        assert!((at(text, 2.0, 3.0, 5.0) - expected).abs() < 1e-14, "{text}: {}", at(text, 2.0, 3.0, 5.0));
    }
    assert_eq!(at("pi", 0.0, 0.0, 0.0), PI);
    assert!((at("sin(x)^2 + cos(x)^2", 1.7, 0.0, 0.0) - 1.0).abs() < 1e-15);
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("", "column 1: expected a number, x, y, z, pi, a function, a minus or an opening parenthesis, found the end"),
        ("x +", "column 4: expected a number"),
        (
            "x + * y",
            "column 5: expected a number, x, y, z, pi, a function, a minus or an opening parenthesis, found '*'",
        ),
        ("2 x", "column 3: expected an operator or the end, found \"x\""),
        ("(x + y", "column 7: expected an operator or a closing parenthesis, found the end"),
        ("x)", "column 2: expected an operator or the end"),
        ("x^y", "column 3: expected a whole number up to 64 as exponent"),
        ("x^0.5", "column 3: expected a whole number"),
        ("x^65", "column 3: expected a whole number"),
        ("x^2^3", "column 4: expected parentheses"),
        ("tan(x)", "column 1: \"tan\" is unknown; known are x, y, z, pi, and the functions sqrt, abs, sin"),
        ("sin x", "column 5: expected an opening parenthesis after the name of a function"),
        ("sin(x, y)", "column 1: sin takes one argument, not 2"),
        ("1 + min(x)", "column 5: min takes two arguments or more, not 1"),
        ("x $ y", "column 3: '$' has no meaning"),
        ("1.2.3", "column 1: \"1.2.3\" is no finite number"),
        ("1e999", "column 1: \"1e999\" is no finite number"),
        ("3e", "column 2: expected an operator or the end, found \"e\""),
        ("x → y", "column 3: '→' has no meaning"),
    ] {
        let error = Expression::new(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn what_is_too_large_is_refused_without_a_deep_recursion() {
    let deep = [&"(".repeat(100_000), "x"].concat();
    let wide = ["x", &"+x".repeat(5000)].concat();
    let negative = ["-".repeat(100_000), "x".into()].concat();
    for text in [deep, wide, negative] {
        assert!(matches!(Expression::new(&text), Err(ExpressionError::TooLarge { .. })));
    }
    assert_eq!(at(&["x", &"+x".repeat(150)].concat(), 1.0, 0.0, 0.0), 151.0);
}

const TEXTS: [&str; 8] = [
    "x^2 + y^2 + z^2 - 1",
    "(sqrt(x^2 + y^2) - 1)^2 + z^2 - 0.09",
    "sin(3*x)*cos(3*y) + sin(3*y)*cos(3*z) + sin(3*z)*cos(3*x)",
    "exp(-(x^2 + y*z)) / (2 + x*y) - ln(5 + z)",
    "max(abs(x) - 1, abs(y - x) - 0.5, min(z, x*y) - 0.25)",
    "x^3 - 3*x*y^2 + z^-2 * 0.01 + z^5",
    "(x - y)*(x - y)/(1 + z*z) - x/(3 + y)",
    "abs(sin(x) - cos(y)*z)",
];

#[test]
fn gradients_are_those_of_differences() {
    let mut random = SplitMix::new(3);
    for text in TEXTS {
        let expression = Expression::new(text).unwrap();
        for _ in 0..200 {
            let point = laws::vector(&mut random);
            let gradient = expression.gradient(point);
            let step = 1e-6;
            for k in 0..3 {
                let mut shift = DVec3::ZERO;
                shift[k] = step;
                let side =
                    |sign: f64| (expression.value(point + sign * shift) - expression.value(point)) / (sign * step);
                let (left, right) = (side(-1.0), side(1.0));
                // Not near a kink or a pole.
                if (left - right).abs() < 1e-4 && left.abs() < 1e3 {
                    assert!((gradient[k] - left.midpoint(right)).abs() < 1e-4, "{text} at {point}: {gradient}");
                }
            }
        }
    }
}

#[test]
fn intervals_hold_values_and_derivatives_and_shrink_with_the_cell() {
    let mut random = SplitMix::new(4);
    for text in TEXTS {
        let expression = Expression::new(text).unwrap();
        for case in 0..200 {
            let low = laws::vector(&mut random);
            let size = laws::log_uniform(&mut random, 1e-9, 0.5);
            let high = low + (laws::vector(&mut random) + 1.0) * 0.5 * size;
            let cell: [Interval; 3] = std::array::from_fn(|k| Interval::new(low[k], high[k]));
            let (value, gradient) = expression.bound_with_gradient(&cell);
            assert_eq!(value, expression.bound(&cell));
            for _ in 0..10 {
                let share = DVec3::from_array(std::array::from_fn(|_| random.next_fraction()));
                let point = (low + share * (high - low)).clamp(low, high);
                let (here, slope) = (expression.value(point), expression.gradient(point));
                let margin = 1e-13 * here.abs().max(1.0);
                assert!(value.low() - margin <= here && here <= value.high() + margin, "{text} case {case}");
                for k in 0..3 {
                    let margin = 1e-12 * slope[k].abs().max(1.0);
                    let (low, high) = (gradient[k].low() - margin, gradient[k].high() + margin);
                    assert!(low <= slope[k] && slope[k] <= high, "{text} case {case}: {gradient:?} {slope}");
                }
            }
            let steep = gradient.iter().map(|d| d.magnitude()).fold(1.0, f64::max);
            if steep < 100.0 {
                assert!(value.high() - value.low() < 100.0 * steep * size + 1e-12, "{text}: {value:?} of {size}");
            }
        }
    }
}

#[test]
fn what_is_not_defined_says_so() {
    for text in ["1/x", "sqrt(x - 1)", "ln(x)", "min(y, sqrt(x - 1))", "sin(1/x)", "1/(1 + sqrt(x - 1)^2)", "x^-2"] {
        let expression = Expression::new(text).unwrap();
        assert!(!expression.value(DVec3::ZERO).is_finite(), "{text}");
        let about: [Interval; 3] = [Interval::new(-1.0, 0.5); 3];
        assert!(!expression.bound(&about).is_finite(), "{text}");
    }
    // A cone has no gradient at its tip, a square written as a product none below zero.
    assert!(!Expression::new("sqrt(x^2 + y^2) - z").unwrap().gradient(DVec3::ZERO).is_finite());
    assert!(Expression::new("sqrt((x - y)*(x - y) + y*y)").unwrap().bound(&[Interval::new(-1.0, 1.0); 3]).is_finite());
}
