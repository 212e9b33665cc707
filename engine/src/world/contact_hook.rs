//! Hooks into contacts: which pairs collide, and what happens between them, decided by the program in every step.

use super::World;
use crate::body::Body;
use crate::handle::BodyHandle;
use crate::material::{Interaction, MaterialError, check};
use std::sync::Arc;

/// Two bodies that are near each other, as they are when a step begins.
#[derive(Clone, Copy, Debug)]
pub struct HookPair<'w> {
    /// A and B; A was added first.
    pub handles: [BodyHandle; 2],
    /// Their states.
    pub bodies: [&'w Body; 2],
    /// Their user data.
    pub user_data: [u64; 2],
}

/// What a program has to say about contacts. It is asked in every step, from several threads at once and in any order, possibly more than
/// once: the answers must depend on what it is told alone, or results depend on the number of threads.
pub trait ContactHook: Send + Sync {
    /// Whether two bodies collide in this step. Without it, contacts between them are neither found nor solved.
    fn collides(&self, _pair: &HookPair<'_>) -> bool {
        true
    }

    /// What happens between two bodies that touch, in place of what the materials say. Coefficients that none could have are left as they
    /// were.
    fn interaction(&self, _pair: &HookPair<'_>, interaction: Interaction) -> Interaction {
        interaction
    }
}

impl World {
    /// Sets what is asked about contacts, or takes it away. It wakes all bodies. It is no part of snapshots: a world that is restored from
    /// one has to be given it again.
    pub fn set_contact_hook(&mut self, hook: Option<Arc<dyn ContactHook>>) {
        self.contact_hook = hook;
        self.soft.wake_all();
        self.soft.forget_pairs();
    }

    /// Sets another one that answers as the one before does, so that nothing wakes: for a copy of a world, whose hook is to keep its own
    /// accounts.
    pub fn replace_contact_hook(&mut self, hook: Option<Arc<dyn ContactHook>>) {
        self.contact_hook = hook;
    }

    /// Whether there is somebody to ask about contacts.
    pub(super) fn has_contact_hook(&self) -> bool {
        self.contact_hook.is_some()
    }

    fn hook_pair<'b>(&self, bodies: &'b [Body], [a, b]: [usize; 2]) -> HookPair<'b> {
        let dense = self.handles.dense();
        HookPair {
            handles: [dense[a], dense[b]],
            bodies: [&bodies[a], &bodies[b]],
            user_data: [a, b].map(|i| self.entries[i].user_data),
        }
    }

    /// Whether the hook lets two bodies collide, by index.
    pub(super) fn hook_collides(&self, bodies: &[Body], (a, b): (usize, usize)) -> bool {
        self.contact_hook.as_ref().is_none_or(|hook| hook.collides(&self.hook_pair(bodies, [a, b])))
    }

    /// What happens between two bodies, by index: as their materials and the hook say.
    pub(super) fn interaction_between(
        &self,
        bodies: &[Body],
        (a, b): (usize, usize),
    ) -> Result<Interaction, MaterialError> {
        let interaction = self.materials.between(bodies[a].material, bodies[b].material)?;
        Ok(self.hooked(bodies, (a, b), interaction))
    }

    /// What a hook makes of what usually happens between two bodies.
    pub(super) fn hooked(&self, bodies: &[Body], (a, b): (usize, usize), usual: Interaction) -> Interaction {
        let Some(hook) = &self.contact_hook else { return usual };
        let own = hook.interaction(&self.hook_pair(bodies, [a, b]), usual);
        if check(own.friction, own.restitution).is_ok() { own } else { usual }
    }
}
