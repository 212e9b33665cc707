//! The search for the first body by a measure, which all queries with one answer make.

use super::QueryFilter;
use crate::world::{World, WorldError};
use drystone_contact::Bounds;
use drystone_contact::query::QueryError;

impl World {
    /// The body that a query sees and that measures least, but no more than `most`; of those that measure the same the one that was added first.
    /// `bound` is what a body in a box measures at least; `ask` says what a body measures, if it is no more than the second argument, and what
    /// is to be known of it.
    ///
    /// # Errors
    /// The first error of `ask`, as [`WorldError::Query`].
    pub(super) fn first_body<T>(
        &self,
        filter: &QueryFilter<'_>,
        most: f64,
        bound: impl Fn(&Bounds) -> f64,
        ask: impl Fn(usize, f64) -> Result<Option<(f64, T)>, QueryError>,
    ) -> Result<Option<(usize, T)>, WorldError> {
        let mut first: Option<(f64, usize, T)> = None;
        let mut error = None;
        self.query_tree().nearest(most, bound, |body, least| {
            if error.is_some() || !self.sees(filter, body) {
                return f64::INFINITY;
            }
            match ask(body, least) {
                Ok(Some((measure, found))) if measure <= least => {
                    if first.as_ref().is_none_or(|(known, index, _)| (measure, body) < (*known, *index)) {
                        first = Some((measure, body, found));
                    }
                    measure
                }
                Ok(_) => f64::INFINITY,
                Err(source) => {
                    error = Some(source);
                    f64::INFINITY
                }
            }
        });
        match error {
            Some(source) => Err(WorldError::Query(source)),
            None => Ok(first.map(|(_, body, found)| (body, found))),
        }
    }

    /// The bodies that a query sees whose boxes pass a test, in their order.
    pub(super) fn bodies_in(&self, filter: &QueryFilter<'_>, is_near: impl Fn(&Bounds) -> bool) -> Vec<usize> {
        let mut near = Vec::new();
        let bound = |bounds: &Bounds| if is_near(bounds) { 0.0 } else { f64::INFINITY };
        self.query_tree().nearest(0.0, bound, |body, _| {
            if self.sees(filter, body) {
                near.push(body);
            }
            f64::INFINITY
        });
        near.sort_unstable();
        near
    }
}
