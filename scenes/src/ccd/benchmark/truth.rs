//! What the answers to a set of queries should be.

use drystone_contact::ccd::{Answer, CcdError, Outcome};

use crate::ccd::QuerySet;

/// Whether and when the queries of a set meet, one entry a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// Whether they meet; `None`: it is not known.
    pub meets: Vec<Option<bool>>,
    /// Between which two times they first meet; `None`: they do not, or it is not known.
    pub times: Vec<Option<(f64, f64)>>,
}

impl Truth {
    /// What the set says of contact without separation at 0 ≤ t ≤ `t_max`. Where the time interval is cut, a query that
    /// meets counts only if its time is known to be on one side of the cut.
    pub fn published(set: &QuerySet, t_max: f64) -> Self {
        let known = set.times.clone().unwrap_or_else(|| vec![None; set.labels.len()]);
        let within = |(label, time): (&Option<bool>, &Option<(f64, f64)>)| match (label, time) {
            (Some(true), Some((_, upper))) if *upper <= t_max => Some(true),
            (Some(true), Some((lower, _))) if *lower > t_max => Some(false),
            (Some(true), _) if t_max < 1.0 => None,
            (label, _) => *label,
        };
        let meets: Vec<_> = set.labels.iter().zip(&known).map(within).collect();
        let times = known.into_iter().zip(&meets).map(|(time, meets)| time.filter(|_| *meets != Some(false)));
        Self { times: times.collect(), meets }
    }

    /// What an exact method says. What it could not answer is not known.
    pub fn decided<'a>(answers: impl IntoIterator<Item = &'a Result<Answer, CcdError>>) -> Self {
        let mut truth = Self::default();
        for answer in answers {
            let (meets, time) = match answer.as_ref().map(|answer| answer.outcome) {
                Ok(Outcome::Free) => (Some(false), None),
                Ok(Outcome::Impact { lo, hi }) => (Some(true), Some((lo, hi))),
                Ok(Outcome::Stopped { .. }) | Err(_) => (None, None),
            };
            truth.meets.push(meets);
            truth.times.push(time);
        }
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::ccd::{Kind, Query};
    use glam::DVec3;

    #[test]
    fn a_shorter_interval_has_fewer_contacts() {
        let times = vec![Some((0.2, 0.3)), Some((0.6, 0.7)), Some((0.4, 0.6)), None, None];
        let set = QuerySet {
            name: "s".into(),
            kind: Kind::EdgeEdge,
            queries: vec![Query::edge_edge([DVec3::ZERO; 4], [DVec3::ZERO; 4]); 5],
            labels: vec![Some(true), Some(true), Some(true), Some(true), Some(false)],
            times: Some(times.clone()),
        };
        let whole = Truth::published(&set, 1.0);
        assert_eq!((&whole.meets, &whole.times), (&set.labels, &times));
        let half = Truth::published(&set, 0.5);
        assert_eq!(half.meets, [Some(true), Some(false), None, None, Some(false)]);
        assert_eq!(half.times, [times[0], None, times[2], None, None]);
    }

    #[test]
    fn what_an_exact_method_says_is_true() {
        let of = |outcome| Ok(Answer { outcome, ..Answer::free(1) });
        let answers = [
            of(Outcome::Free),
            of(Outcome::Impact { lo: 0.5, hi: 0.5 }),
            of(Outcome::Stopped { t: 0.1 }),
            Err(CcdError::Checks),
        ];
        let truth = Truth::decided(&answers);
        assert_eq!(truth.meets, [Some(false), Some(true), None, None]);
        assert_eq!(truth.times, [None, Some((0.5, 0.5)), None, None]);
    }
}
