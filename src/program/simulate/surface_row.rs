//! One row a frame of deformable surfaces, as CSV.

use serde::Serialize;

use super::audit::Audited;
use crate::engine::WorldReport;
use crate::engine::simulator::asynchronous::{AsynchronousReport, EventKind};

/// Events and seconds are those of the frame; layers, distances and the number of all events are those since the start.
#[derive(Serialize)]
pub struct SurfaceRow {
    step: u64,
    time: f64,
    events: u64,
    gravity_events: u64,
    elastic_events: u64,
    prescribed_events: u64,
    penalty_events: u64,
    slab_events: u64,
    broad_phase_events: u64,
    rescheduling_events: u64,
    windows: u64,
    pairs: usize,
    active_pairs: usize,
    /// Empty without contact, as the closest distance is.
    deepest_layer: Option<u32>,
    closest_distance: Option<f64>,
    kinetic_energy: f64,
    elastic_energy: f64,
    contact_energy: f64,
    potential_energy: f64,
    momentum_x: f64,
    momentum_y: f64,
    momentum_z: f64,
    angular_momentum_x: f64,
    angular_momentum_y: f64,
    angular_momentum_z: f64,
    shortest_vertex_step: Option<f64>,
    median_vertex_step: Option<f64>,
    /// Steps and how many vertices have each: `step:count step:count …`.
    vertex_steps: String,
    /// Empty where it was not tested.
    intersections: Option<usize>,
    gravity_seconds: f64,
    elastic_seconds: f64,
    prescribed_seconds: f64,
    penalty_seconds: f64,
    slab_seconds: f64,
    broad_phase_seconds: f64,
    rescheduling_seconds: f64,
    windows_seconds: f64,
    seconds: f64,
    wall_per_simulated_seconds: f64,
}

impl SurfaceRow {
    /// Of a frame of a length in s.
    pub fn new(step: &WorldReport, report: &AsynchronousReport, audited: Option<Audited>, time_step: f64) -> Self {
        let events = |kind: EventKind| report.profile.events(kind);
        let took = |kind: EventKind| report.profile.seconds(kind);
        let [momentum, angular] = report.momenta;
        let seconds = step.timings.total.as_secs_f64();
        let vertex_steps = report.vertex_steps.counts().map(|(step, count)| format!("{step:e}:{count}"));
        Self {
            step: step.step,
            time: step.time,
            events: report.events,
            gravity_events: events(EventKind::Gravity),
            elastic_events: events(EventKind::Elastic),
            prescribed_events: events(EventKind::Prescribed),
            penalty_events: events(EventKind::Penalty),
            slab_events: events(EventKind::Slab),
            broad_phase_events: events(EventKind::BroadPhase),
            rescheduling_events: events(EventKind::Rescheduling),
            windows: events(EventKind::Window),
            pairs: report.pairs[0],
            active_pairs: report.pairs[1],
            deepest_layer: report.contacts.map(|contacts| contacts.deepest_layer),
            closest_distance: report.contacts.map(|contacts| contacts.closest),
            kinetic_energy: report.energies.kinetic,
            elastic_energy: report.energies.elastic,
            contact_energy: report.energies.contact,
            potential_energy: report.energies.potential,
            momentum_x: momentum.x,
            momentum_y: momentum.y,
            momentum_z: momentum.z,
            angular_momentum_x: angular.x,
            angular_momentum_y: angular.y,
            angular_momentum_z: angular.z,
            shortest_vertex_step: report.vertex_steps.quantile(0.0),
            median_vertex_step: report.vertex_steps.quantile(0.5),
            vertex_steps: vertex_steps.collect::<Vec<_>>().join(" "),
            intersections: audited.map(|audited| audited.pairs),
            gravity_seconds: took(EventKind::Gravity),
            elastic_seconds: took(EventKind::Elastic),
            prescribed_seconds: took(EventKind::Prescribed),
            penalty_seconds: took(EventKind::Penalty),
            slab_seconds: took(EventKind::Slab),
            broad_phase_seconds: took(EventKind::BroadPhase),
            rescheduling_seconds: took(EventKind::Rescheduling),
            windows_seconds: took(EventKind::Window),
            seconds,
            wall_per_simulated_seconds: seconds / time_step,
        }
    }
}
