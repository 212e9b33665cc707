//! The pairs that meet, with their times (Algorithm 3).

use super::{Candidate, MovingMesh, Solve};
use crate::ccd::{CcdError, Settings};

/// A pair that may meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivePair {
    /// Its features.
    pub candidate: Candidate,
    /// It is not as near as the separation before this time, 0 to 1.
    pub time: f64,
}

/// Those of the pairs that come as near as the separation, in their order (lines 3–8). Each is asked about the whole
/// interval: for a solver that wants constraints before they are violated, give the distance at which it wants them as
/// the separation (section 7.1).
///
/// # Errors
/// Those of `solve`.
pub fn active_set(
    a: &MovingMesh<'_>,
    b: &MovingMesh<'_>,
    candidates: &[Candidate],
    settings: &Settings,
    solve: Solve<'_>,
) -> Result<Vec<ActivePair>, CcdError> {
    let mut active = Vec::new();
    for &candidate in candidates {
        if let Some(time) = solve(&candidate.query(a, b), settings)?.outcome.time() {
            active.push(ActivePair { candidate, time });
        }
    }
    Ok(active)
}

#[cfg(test)]
mod tests {
    use super::super::{Between, Topology, within};
    use super::*;
    use crate::ccd::RootFinder;
    use glam::DVec3;

    #[test]
    fn points_that_fall_at_different_speeds_are_listed_with_their_times() {
        let topology = Topology::new(6, &[], vec![[0, 1, 2]]).unwrap();
        let corners = [DVec3::new(-9.0, 0.0, -9.0), DVec3::new(9.0, 0.0, -9.0), DVec3::new(0.0, 0.0, 9.0)];
        let start: Vec<DVec3> = corners.into_iter().chain([0.0, 0.1, 0.2].map(|x| DVec3::new(x, 1.0, 0.0))).collect();
        let mut end = start.clone();
        for (point, fall) in end[3..].iter_mut().zip([0.5, 2.0, 4.0]) {
            point.y -= fall;
        }
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let solve = |query: &_, settings: &Settings| RootFinder::new(*settings)?.solve(query);
        let times = |separation: f64| {
            let settings = Settings { separation, ..Settings::default() };
            let candidates = within(&mesh, separation, |_| true);
            active_set(&mesh, &mesh, &candidates, &settings, &solve).unwrap()
        };
        let active = times(0.0);
        assert_eq!(
            active.iter().map(|p| (p.candidate.between, p.candidate.a)).collect::<Vec<_>>(),
            [(Between::VertexFace, 4), (Between::VertexFace, 5)]
        );
        assert!(active.iter().zip([0.5, 0.25]).all(|(p, t)| p.time <= t && p.time > t - 1e-5));
        assert_eq!(times(0.6).len(), 3, "the slow one comes within 0.6 m");
    }
}
