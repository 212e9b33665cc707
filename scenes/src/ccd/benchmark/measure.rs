//! A method asked, by the clock.

use std::hint::black_box;
use std::time::Instant;

use drystone_contact::ccd::{Answer, CcdError, Method, Query};

/// One query asked once.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What the method said.
    pub answer: Result<Answer, CcdError>,
    /// How long it took, s, the two looks at the clock included (some 50 ns together).
    pub seconds: f64,
}

/// All queries of a set asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// One a query, in their order.
    pub samples: Vec<Sample>,
    /// How long all of them took in a pass of its own without looking at the clock in between, s. `None`: there was none,
    /// for the queries take so long that the clock does not matter, or several threads were at work.
    pub pass: Option<f64>,
}

/// Asks every query, each by the clock.
pub fn timed(method: &dyn Method, queries: &[Query]) -> Vec<Sample> {
    let one = |query: &Query| {
        let start = Instant::now();
        let answer = black_box(method.solve(black_box(query)));
        Sample { answer, seconds: start.elapsed().as_secs_f64() }
    };
    queries.iter().map(one).collect()
}

/// How long all queries take together, s.
pub fn untimed(method: &dyn Method, queries: &[Query]) -> f64 {
    let start = Instant::now();
    for query in queries {
        // What goes wrong is counted by the pass with the clock.
        let _ = black_box(method.solve(black_box(query)));
    }
    start.elapsed().as_secs_f64()
}
