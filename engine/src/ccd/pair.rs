//! How far two bodies can move before they come too near each other.

use super::CcdSettings;
use drystone_contact::ccd::rigid::{Proximity, RigidPair};

/// How far a pair can move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Impact {
    /// They meet where they are.
    Overlapping,
    /// All the way.
    None,
    /// Up to this time of impact, as a fraction of the motion.
    At(f64),
}

/// The part of the motion in which two bodies keep their distance. With `check_overlap`, bodies that meet at the start are
/// told from those that do not. Bodies with positions that are no numbers, or out of range, do not move.
pub(crate) fn impact_of_pair(
    pair: &RigidPair<'_>,
    clearance: f64,
    settings: &CcdSettings,
    check_overlap: bool,
) -> Impact {
    let now = match pair.proximity_at_start(settings.horizon(clearance), check_overlap) {
        Proximity::OutOfRange => return Impact::At(0.0),
        Proximity::Overlapping => return Impact::Overlapping,
        Proximity::Apart(distance) => distance,
    };
    let kept = settings.kept(clearance, now);
    // Settings that a query refuses, as for a separation out of range, let nothing move.
    let time = pair.time_of_impact(kept, &settings.limits()).unwrap_or(Some(0.0));
    let time = if now < settings.floor(clearance) { parting(pair, now, time) } else { time };
    time.map_or(Impact::None, Impact::At)
}

/// As much of the motion up to a time of impact as ends with the bodies no nearer than `now` (m).
fn parting(pair: &RigidPair<'_>, now: f64, time: Option<f64>) -> Option<f64> {
    let end = pair.apart_at(now, time.unwrap_or(1.0));
    if end == 1.0 { time } else { Some(end) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Pose;
    use drystone_contact::ccd::mesh::Topology;
    use drystone_contact::ccd::rigid::{NonlinearRigidMotion, RigidMesh};
    use drystone_contact::shape::Surface;
    use glam::{DQuat, DVec3};

    /// A long flat tetrahedron.
    fn wedge() -> Surface {
        let corners = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.0, 0.2, -0.3], [0.0, 0.1, 0.4]].map(DVec3::from);
        Surface::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
            .or_else(|_| Surface::new(corners.to_vec(), vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]))
            .unwrap()
    }

    /// Two wedges tip over tip, `gap` (m) apart; the upper one moves up at `speed` (m/s) for 10 ms.
    fn impact(gap: f64, speed: f64) -> Impact {
        let surface = wedge();
        let topology = Topology::of_surface(&surface);
        let high = surface.vertices().iter().map(|v| v.y).fold(f64::NEG_INFINITY, f64::max);
        let above = Pose::from_parts(DVec3::Y * (2.0 * high + gap), DQuat::from_rotation_z(std::f64::consts::PI));
        let rigid = |pose, velocity| {
            let motion = NonlinearRigidMotion { pose, velocity, angular_velocity: DVec3::ZERO, duration: 0.01 };
            RigidMesh::new(&topology, surface.vertices(), motion)
        };
        let (a, b) = (rigid(Pose::IDENTITY, DVec3::ZERO), rigid(above, DVec3::Y * speed));
        let pair = RigidPair { a, b, surfaces: [&surface, &surface] };
        impact_of_pair(&pair, 1e-4, &CcdSettings::default(), true)
    }

    #[test]
    fn pairs_below_the_floor_part_or_stay() {
        for (speed, expected) in [(-1.0, Impact::At(0.0)), (-1e-6, Impact::At(0.0)), (1.0, Impact::None)] {
            assert_eq!(impact(1e-6, speed), expected, "{speed}");
        }
    }

    #[test]
    fn pairs_stop_at_half_of_the_clearance_or_at_their_share() {
        for (gap, stop) in [(5e-3, 0.5e-4), (5e-5, 0.7 * 5e-5)] {
            let Impact::At(time) = impact(gap, -1.0) else { panic!("{gap}: nothing is met") };
            let left = gap - 0.01 * time;
            assert!(left >= stop && left <= 1.5 * stop, "{gap}: {left}");
        }
        assert_eq!(impact(5e-3, -0.4), Impact::None);
    }

    #[test]
    fn bodies_out_of_range_do_not_move_and_bodies_in_each_other_are_told() {
        assert_eq!(impact(1e80, 1.0), Impact::At(0.0));
        assert_eq!(impact(f64::NAN, 1.0), Impact::At(0.0));
        assert_eq!(impact(-0.1, 1.0), Impact::Overlapping);
    }
}
