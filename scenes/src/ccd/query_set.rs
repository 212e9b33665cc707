//! Queries of one scene and one kind, with what is known of them.

use std::fmt;

use drystone_contact::ccd::{Kind, Query};
use serde::{Deserialize, Serialize};

use super::Fault;

/// Queries of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct QuerySet {
    /// What they are called: the scene that they come from.
    pub name: String,
    /// The kind of all of them.
    pub kind: Kind,
    /// The queries.
    pub queries: Vec<Query>,
    /// Whether they meet while t goes from 0 to 1, one a query; `None`: it is not known.
    pub labels: Vec<Option<bool>>,
    /// Between which two times (0 ≤ lower ≤ upper ≤ 1) they first meet, one a query, if the file tells times at all;
    /// `None` where they do not meet or the time is not known.
    pub times: Option<Vec<Option<(f64, f64)>>>,
}

/// Where the queries of a set come from, told by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Made by hand or from small scenes to be difficult: `hand-…`, or a published name (`erleben-…`, `unit-tests`).
    Hand,
    /// Candidates of a broad phase in simulations, few of which meet: `mix-…`.
    Mix,
    /// Queries of simulations: `sim-…`, or a published name (`chain`, `cow-heads`, `golf-ball`, `mat-twist`).
    Sim,
    /// Features that touch exactly at one time: `touch-…`.
    Touch,
    /// Anything else.
    Other,
}

impl Family {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 5] = [Self::Hand, Self::Mix, Self::Sim, Self::Touch, Self::Other];

    /// The family of a set of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let begins = |with: &[&str]| {
            let mut ends = with.iter().filter_map(|with| name.strip_prefix(with));
            ends.any(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        match () {
            () if begins(&["hand", "erleben", "unit-tests"]) => Self::Hand,
            () if begins(&["mix"]) => Self::Mix,
            () if begins(&["sim", "chain", "cow-heads", "golf-ball", "mat-twist"]) => Self::Sim,
            () if begins(&["touch"]) => Self::Touch,
            () => Self::Other,
        }
    }

    /// As it is written in names, tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hand => "hand",
            Self::Mix => "mix",
            Self::Sim => "sim",
            Self::Touch => "touch",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl QuerySet {
    /// The family that its name tells.
    #[must_use]
    pub fn family(&self) -> Family {
        Family::of_name(&self.name)
    }

    /// That there is a label a query, a time a query if any, every query is sound and of the set's kind, and labels and
    /// times agree.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub fn check(&self) -> Result<(), Fault> {
        let n = self.queries.len();
        if self.labels.len() != n {
            return Err(Fault::Count { what: "labels", there: self.labels.len(), queries: n });
        }
        if let Some(times) = self.times.as_ref().filter(|times| times.len() != n) {
            return Err(Fault::Count { what: "times", there: times.len(), queries: n });
        }
        for (index, query) in self.queries.iter().enumerate() {
            if query.kind != self.kind {
                return Err(Fault::OtherKind { index });
            }
            query.check().map_err(|source| Fault::Query { index, source })?;
        }
        for (index, time) in self.times.iter().flatten().enumerate() {
            let Some((lower, upper)) = *time else { continue };
            if !(0.0 <= lower && lower <= upper && upper <= 1.0) {
                return Err(Fault::Time { index, lower, upper });
            }
            if self.labels[index] == Some(false) {
                return Err(Fault::TimeOfNone { index });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn names_tell_families() {
        let families = [
            ("hand-unit-tests", Family::Hand),
            ("erleben-spikes", Family::Hand),
            ("unit-tests", Family::Hand),
            ("mix-cloth-ball", Family::Mix),
            ("sim", Family::Sim),
            ("cow-heads", Family::Sim),
            ("touch-floor-1e-1", Family::Touch),
            ("simple", Family::Other),
            ("handle", Family::Other),
            ("", Family::Other),
        ];
        for (name, family) in families {
            assert_eq!(Family::of_name(name), family, "{name}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let query = Query::vertex_face([DVec3::ZERO; 4], [DVec3::ONE; 4]);
        let sound = QuerySet {
            name: "s".into(),
            kind: Kind::VertexFace,
            queries: vec![query],
            labels: vec![Some(true)],
            times: Some(vec![Some((0.0, 0.5))]),
        };
        assert_eq!(sound.check(), Ok(()));
        let refused = |change: &dyn Fn(&mut QuerySet)| {
            let mut set = sound.clone();
            change(&mut set);
            set.check().unwrap_err().to_string()
        };
        assert!(refused(&|s| s.labels.clear()).contains("0 labels for 1 queries"));
        assert!(refused(&|s| s.times = Some(vec![])).contains("0 times for 1 queries"));
        assert!(refused(&|s| s.queries[0].kind = Kind::EdgeEdge).contains("other kind"));
        assert!(refused(&|s| s.queries[0].start[2].y = f64::NAN).contains("coordinate y of point 2 at t = 0 is NaN"));
        assert!(refused(&|s| s.times = Some(vec![Some((0.5, 0.2))])).contains("between 0.5 and 0.2"));
        assert!(refused(&|s| s.times = Some(vec![Some((f64::NAN, 0.2))])).contains("between NaN and 0.2"));
        assert!(refused(&|s| s.labels = vec![Some(false)]).contains("do not meet"));
    }
}
