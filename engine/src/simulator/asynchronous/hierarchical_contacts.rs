//! Contact with the paper's broad phase, the [`super::kinetic_hierarchy`], in place of fat boxes: the same motion to the last bit, to measure the one against
//! the other.

use super::clock::Ticks;
use super::contacts::{Contacts, schedule};
use super::error::AsynchronousError;
use super::features::FeaturePair;
use super::kinetic_hierarchy::HierarchyReport;
use super::layers::ContactLaw;
use super::queue::EventQueue;
use super::simulation::AsynchronousSimulation;
use super::vertices::Vertices;

impl AsynchronousSimulation {
    /// Adds contact as [`AsynchronousSimulation::with_contact`] does, with the paper's hierarchy as the broad phase. It is there to be measured: frames and
    /// snapshots take fat boxes only.
    ///
    /// # Errors
    /// As there.
    pub fn with_contact_by_hierarchy(self, law: &ContactLaw) -> Result<Self, AsynchronousError> {
        self.with_contact_by(law, true)
    }

    /// What the hierarchy has done, if contact is by it.
    pub fn hierarchy_report(&self) -> Option<HierarchyReport> {
        Some(self.contacts.as_ref()?.hierarchy.as_ref()?.report())
    }
}

impl Contacts {
    /// All that is due in the hierarchy: pairs of features whose items have met are looked at from now on.
    pub(super) fn run_hierarchy(
        &mut self,
        vertices: &Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        let Some(mut hierarchy) = self.hierarchy.take() else { return Ok(()) };
        let mut met = hierarchy.run(&self.features, vertices, now);
        if hierarchy.has_grown() {
            // Those that have just met are looked at first, so that they can be forgotten.
            let mut result = self.look_at_items(&met, vertices, queue, now);
            let features = std::mem::take(&mut self.features);
            met = hierarchy.rebuild(&features, vertices, now, |[a, b]| {
                let mut pairs = Vec::new();
                features.between(a, b, |pair| pairs.push((pair, features.vertices(pair)[0])));
                result.is_ok() && self.forget(&pairs, queue)
            });
            self.features = features;
            result = result.and_then(|()| self.look_at_items(&met, vertices, queue, now));
            schedule(queue, self.first_event, hierarchy.next());
            self.hierarchy = Some(hierarchy);
            return result;
        }
        schedule(queue, self.first_event, hierarchy.next());
        self.hierarchy = Some(hierarchy);
        self.look_at_items(&met, vertices, queue, now)
    }

    fn look_at_items(
        &mut self,
        met: &[[u32; 2]],
        vertices: &Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        let mut pairs = Vec::new();
        met.iter().for_each(|&[a, b]| self.features.between(a, b, |pair| pairs.push(pair)));
        pairs.into_iter().try_for_each(|pair| self.look_at(pair, vertices, queue, now))
    }

    /// Removes pairs, each with one of its vertices, if none of them has active layers.
    fn forget(&mut self, pairs: &[(FeaturePair, u32)], queue: &mut EventQueue) -> bool {
        let number = |&(features, vertex): &(FeaturePair, u32)| {
            self.pairs.of_vertex(vertex).iter().copied().find(|&number| self.pairs.get(number).features == features)
        };
        let numbers: Vec<u32> = pairs.iter().filter_map(number).collect();
        if numbers.iter().any(|&number| self.pairs.get(number).layers > 0) {
            return false;
        }
        for number in numbers {
            queue.cancel(self.slab_event(number));
            self.pairs.remove(number);
        }
        true
    }
}
