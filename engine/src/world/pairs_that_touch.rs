//! Which pairs of bodies touch: by groups, and one by one.

use super::{World, WorldError};
use crate::handle::BodyHandle;
use crate::new_body::Groups;
use crate::pair_filter::unordered;

impl World {
    /// Says which groups a body is in and which it touches.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn set_groups(&mut self, handle: BodyHandle, groups: Groups) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        self.entries[index].groups = groups;
        self.soft.wake(index);
        self.soft.forget_pairs();
        Ok(())
    }

    /// The groups of a body.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn groups(&self, handle: BodyHandle) -> Result<Groups, WorldError> {
        Ok(self.entries[self.index(handle)?].groups)
    }

    /// Says whether two bodies touch, whatever their groups say in favour of it.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::OneBody`].
    pub fn set_excluded(&mut self, a: BodyHandle, b: BodyHandle, excluded: bool) -> Result<(), WorldError> {
        let indices = [self.index(a)?, self.index(b)?];
        if a == b {
            return Err(WorldError::OneBody(a));
        }
        indices.into_iter().for_each(|index| self.soft.wake(index));
        if excluded {
            self.excluded.insert(unordered(a, b));
        } else {
            self.excluded.remove(&unordered(a, b));
        }
        self.soft.forget_pairs();
        Ok(())
    }
}
