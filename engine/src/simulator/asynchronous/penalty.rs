//! The penalty of a pair: what its active layers do when their clocks tick, friction and restitution included.

use glam::DVec3;

use super::clock::Ticks;
use super::friction::rub;
use super::layers::{ContactLaw, PenaltyLayers};
use super::separation::{PairKind, Separation};
use super::vertices::Vertices;

/// What a tick has found.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// m.
    pub distance: f64,
    /// How fast the closest points part, m/s; below zero if they come nearer.
    pub parting: f64,
    /// Whether there was an impulse.
    pub has_pressed: bool,
}

/// The first `active` layers of a pair act, those whose clocks tick now; h(1) in s.
pub fn press(
    layers: &PenaltyLayers,
    kind: PairKind,
    of: [u32; 4],
    active: u32,
    first_step: f64,
    vertices: &mut Vertices,
    now: Ticks,
) -> Tick {
    let separation = Separation::of(kind, &of.map(|v| vertices.position(v, now)));
    let Separation { distance, normal, weights } = separation;
    let relative: DVec3 = (0..4).map(|k| vertices.velocity(of[k]) * weights[k]).sum();
    let parting = relative.dot(normal);
    let mut impulse = layers.impulse(distance, active, first_step, now);
    let ContactLaw { restitution, friction, .. } = *layers.law();
    if parting > 0.0 {
        impulse *= restitution * restitution;
    }
    let has_pressed = impulse > 0.0;
    if has_pressed {
        for (vertex, weight) in of.into_iter().zip(weights) {
            vertices.kick(vertex, normal * impulse * weight, now);
        }
        if friction > 0.0 {
            rub(&separation, of, friction, impulse, vertices, now);
        }
    }
    Tick { distance, parting, has_pressed }
}

/// h(1) of a pair, s, by the largest that an impulse can do at either feature; `None` if no force moves them.
pub fn first_step(layers: &PenaltyLayers, kind: PairKind, of: [u32; 4], vertices: &Vertices) -> Option<f64> {
    let most = |side: &[u32]| side.iter().fold(0.0f64, |most, &v| most.max(vertices.inverse_mass(v)));
    let (first, second) = of.split_at(kind.split());
    let mobility = most(first) + most(second);
    (mobility > 0.0).then(|| layers.first_step(1.0 / mobility))
}
