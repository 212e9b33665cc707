//! How far meshes can go before features come as near as the separation.
//!
//! Pairs are asked in their order, each up to the earliest time found so far and no further (the running time of
//! impact). What a pair answers may depend on where it is cut off, within its tolerance, so the order is part of the
//! result: it is that of the list, on one thread. Whoever shares pairs among threads hands out whole meshes, or lists
//! of a fixed length.

use super::{Candidate, MovingMesh, Solve, within};
use crate::ccd::{CcdError, Outcome, Settings};

/// How far meshes can go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fraction {
    /// No pair is as near as the separation before this time, 0 to 1; [`Settings::t_max`] if none is in all of it.
    pub time: f64,
    /// The pair that sets the time; `None` if none does.
    pub first: Option<Candidate>,
    /// How many pairs were asked.
    pub queries: usize,
    /// How many boxes, intervals or roots were looked at.
    pub checks: u64,
    /// How many of the pairs were left undecided by the limit of checks; their times are early.
    pub stopped: usize,
}

/// The largest part of the motion of a mesh in which no two of its features come as near as the separation.
///
/// # Errors
/// Those of `solve`.
pub fn collision_free_fraction(
    mesh: &MovingMesh<'_>,
    settings: &Settings,
    solve: Solve<'_>,
) -> Result<Fraction, CcdError> {
    earliest(mesh, mesh, &within(mesh, settings.separation, |_| true), settings, solve)
}

/// The same for a list of pairs of features of A and B.
///
/// # Errors
/// Those of `solve`.
pub fn earliest(
    a: &MovingMesh<'_>,
    b: &MovingMesh<'_>,
    candidates: &[Candidate],
    settings: &Settings,
    solve: Solve<'_>,
) -> Result<Fraction, CcdError> {
    let mut best = Fraction { time: settings.t_max, first: None, queries: 0, checks: 0, stopped: 0 };
    for candidate in candidates {
        let cut = Settings { t_max: best.time, ..*settings };
        let answer = solve(&candidate.query(a, b), &cut)?;
        best.queries += 1;
        best.checks += answer.checks;
        best.stopped += usize::from(matches!(answer.outcome, Outcome::Stopped { .. }));
        if let Some(time) = answer.outcome.time()
            && (time < best.time || best.first.is_none())
        {
            best.time = time.clamp(0.0, best.time);
            best.first = Some(*candidate);
            if best.time == 0.0 {
                break;
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::super::{Topology, between};
    use super::*;
    use crate::ccd::{Answer, Query, RootFinder};
    use glam::DVec3;
    use proptest::prelude::*;

    fn solve(query: &Query, settings: &Settings) -> Result<Answer, CcdError> {
        RootFinder::new(*settings)?.solve(query)
    }

    /// A tetrahedron with its tip at −y and its base in the plane y = 0.5.
    fn tip() -> (Topology, Vec<DVec3>) {
        let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let corners = [[0.0, -0.5, 0.0], [0.3, 0.5, 0.3], [-0.4, 0.5, 0.2], [0.1, 0.5, -0.4]];
        (Topology::new(4, &[], faces).unwrap(), corners.map(DVec3::from).to_vec())
    }

    fn floor() -> (Topology, Vec<DVec3>) {
        let corners = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [9.0, 0.0, 9.0], [-9.0, 0.0, 9.0]];
        (Topology::new(4, &[], vec![[0, 2, 1], [0, 3, 2]]).unwrap(), corners.map(DVec3::from).to_vec())
    }

    proptest! {
        #[test]
        fn the_fraction_is_early_by_no_more_than_the_tolerance(
            height in 0.6..9.0f64,
            fall in 0.1..99.0f64,
            aside in prop::array::uniform2(-2.0..2.0f64),
            d in prop_oneof![Just(0.0), 1e-4..0.05f64],
            scale in -12i32..12,
        ) {
            let scale = f64::from(scale).exp2();
            let ((body, corners), (ground, plane)) = (tip(), floor());
            let start: Vec<DVec3> = corners.iter().map(|p| (*p + DVec3::Y * height) * scale).collect();
            let end: Vec<DVec3> = start.iter().map(|p| *p + DVec3::new(aside[0], -fall, aside[1]) * scale).collect();
            let plane: Vec<DVec3> = plane.iter().map(|p| *p * scale).collect();
            let a = MovingMesh::new(&body, &start, &end).unwrap();
            let b = MovingMesh::new(&ground, &plane, &plane).unwrap();
            let settings = Settings { tolerance: 1e-6 * scale, separation: d * scale, ..Settings::default() };
            let found = earliest(&a, &b, &between(&a, &b, d * scale, |_| true), &settings, &solve).unwrap();
            // The tip is d above the plane at this time.
            let exact = (height - 0.5 - d) / fall;
            if exact < 1.0 - 1e-9 {
                prop_assert!(found.time <= exact * (1.0 + 1e-14) && found.first.is_some());
                prop_assert!((exact - found.time) * fall <= 1e-5, "{} {exact}", found.time);
            } else if exact > 1.0 + 1e-5 {
                prop_assert_eq!((found.time, found.first), (1.0, None));
            }
        }
    }

    #[test]
    fn the_running_time_changes_nothing_but_the_work() {
        // Many tips over one floor, in every order: the earliest is the same up to the tolerance, and never late.
        let ((body, corners), (ground, plane)) = (tip(), floor());
        let (mut faces, mut start, mut end) = (ground.faces().to_vec(), plane.clone(), plane);
        for k in 0..12u32 {
            let at = DVec3::new(f64::from(k) - 6.0, 1.0 + 0.05 * f64::from(k * 7 % 12), 0.5);
            let first = start.len() as u32;
            start.extend(corners.iter().map(|&p| p + at));
            end.extend(corners.iter().map(|&p| p + at - DVec3::Y * 2.0));
            faces.extend(body.faces().iter().map(|face| face.map(|v| v + first)));
        }
        let topology = Topology::new(start.len(), &[], faces).unwrap();
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let settings = Settings::default();
        let whole = collision_free_fraction(&mesh, &settings, &solve).unwrap();
        assert!(whole.time <= 0.25 && whole.time > 0.25 - 1e-6);
        let mut reversed = within(&mesh, 0.0, |_| true);
        reversed.reverse();
        let other = earliest(&mesh, &mesh, &reversed, &settings, &solve).unwrap();
        assert!((other.time - whole.time).abs() < 1e-6);
        assert_eq!(whole, collision_free_fraction(&mesh, &settings, &solve).unwrap());
    }

    #[test]
    fn crossing_edges_of_loose_wires_are_found() {
        let topology = Topology::new(4, &[[0, 1], [2, 3]], vec![]).unwrap();
        let start = [DVec3::NEG_X, DVec3::X, DVec3::new(0.2, 1.0, -1.0), DVec3::new(0.2, 1.0, 1.0)];
        let end = start.map(|p| if p.y > 0.5 { p - DVec3::Y * 4.0 } else { p });
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let found = collision_free_fraction(&mesh, &Settings::default(), &solve).unwrap();
        assert!(found.time <= 0.25 && found.time > 0.2499);
        let nowhere = Settings { t_max: 0.2, ..Settings::default() };
        assert_eq!(collision_free_fraction(&mesh, &nowhere, &solve).unwrap().time, 0.2);
    }
}
