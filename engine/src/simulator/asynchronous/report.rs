//! What happened in a frame.

use glam::DVec3;

use super::contact_report::ContactReport;
use super::energies::Energies;
use super::profile::EventProfile;
use super::vertex_steps::VertexSteps;

/// What the asynchronous simulator says of a step besides, which is a frame: all events of that time.
#[derive(Clone, Debug, PartialEq)]
pub struct AsynchronousReport {
    /// How many events there have been since the start.
    pub events: u64,
    /// Those of this frame by kind.
    pub profile: EventProfile,
    /// Pairs of features that are looked at, and those of them that repel each other, at the end.
    pub pairs: [usize; 2],
    /// What has been seen of contacts since the start; `None` without contact.
    pub contacts: Option<ContactReport>,
    /// At the end, J.
    pub energies: Energies,
    /// At the end: momentum, kg m/s, and angular momentum about the origin, kg m²/s.
    pub momenta: [DVec3; 2],
    /// At the end.
    pub vertex_steps: VertexSteps,
}
