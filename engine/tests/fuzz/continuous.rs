//! Continuous queries of any coordinates and settings: the search by intervals is never later than the exact method.

use drystone_engine::contact::ccd::{METHODS, Metric, Outcome, Query, RootFinder, Settings, method};
use glam::DVec3;

use crate::random::Random;

fn query(random: &mut Random) -> Query {
    let scale = if random.is(0.6) { 1.0 } else { random.power(-60.0, 60.0) };
    let far = random.one_of(&[0.0, 0.0, 0.0, 0.0, 1e3, 1e9, 1e15]);
    let offset = random.vector(far);
    let kind = random.below(4);
    let point = |random: &mut Random| {
        let point = match kind {
            0 => random.lattice(1),
            1 => random.lattice(2) + random.vector(1e-12),
            2 => random.vector(1.0) * DVec3::new(1.0, 0.0, 1.0),
            _ => random.vector(1.0),
        };
        scale * point + offset
    };
    let mut corners = [(); 2].map(|()| [(); 4].map(|()| point(random)));
    if random.is(0.2) {
        corners[0][1] = corners[0][2];
    }
    if random.is(0.1) {
        corners[1] = corners[0];
    }
    if random.is(0.03) {
        corners[random.below(2)][random.below(4)] = random.hostile_vector();
    }
    let [start, end] = corners;
    if random.is(0.5) { Query::vertex_face(start, end) } else { Query::edge_edge(start, end) }
}

fn settings(random: &mut Random) -> Settings {
    let mut settings = Settings {
        checks: random.one_of(&[1, 10, 1000, 20_000]),
        tolerance: random.one_of(&[1e-6, 1e-3, 1e-12, 1.0]),
        separation: random.one_of(&[0.0, 0.0, 1e-6, 1e-3, 1e-200]),
        metric: random.one_of(&[Metric::Chebyshev, Metric::Euclidean]),
        t_max: random.one_of(&[1.0, 1.0, 0.5, 1e-9, 0.0]),
        exact_after: random.one_of(&[None, None, Some(0), Some(100)]),
    };
    if random.is(0.03) {
        settings.tolerance = random.hostile();
    }
    if random.is(0.03) {
        settings.separation = random.hostile();
    }
    settings
}

#[test]
fn searches_are_never_later_than_the_exact_method() {
    crate::run("continuous", 1500, |seed| {
        let random = &mut Random::new(seed);
        let (query, settings) = (query(random), settings(random));
        let answer =
            |name: &str| method(&METHODS, name, settings).and_then(|m| m.solve(&query)).map(|a| a.outcome).ok();
        let exact = answer("exact");
        for named in &METHODS {
            let Some(outcome) = answer(named.name) else { continue };
            match outcome {
                Outcome::Impact { lo, hi } if !(0.0 <= lo && lo <= hi && hi <= settings.t_max) => {
                    return Err(format!("{}: from {lo} to {hi} of {}", named.name, settings.t_max));
                }
                Outcome::Stopped { t } if !(0.0..=1.0).contains(&t) => {
                    return Err(format!("{}: stopped at {t}", named.name));
                }
                _ => {}
            }
            if let Some(Outcome::Impact { hi, .. }) = exact
                && named.name == RootFinder::NAME
            {
                match outcome.time() {
                    None => return Err(format!("{} misses the impact before {hi}", named.name)),
                    Some(time) if time > hi => return Err(format!("{} is late: {time} after {hi}", named.name)),
                    Some(_) => {}
                }
            }
        }
        Ok(())
    });
}
