//! The answers of a method against those of the exact decider.

use super::exact::decide;
use super::sample::near_degenerate;
use super::{Answer, CcdError, Kind, Method, Outcome, Query, Settings};
use crate::sorting::CompactSort;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Failures that are kept.
const SHOWN: usize = 10;
/// Queries that a thread takes at once.
const SHARE: u64 = 256;
/// An invented contact is held against the tolerance if its number is a multiple of this: a decision with a separation takes
/// the decider thirty times as long as one without.
const HELD: u64 = 16;
/// What rounding may add to the tolerance of an answer, over the largest coordinate: 256 units in the last place.
const ROUNDING: f64 = 256.0 * f64::EPSILON;

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// They meet, and it says that they do not.
    Missed,
    /// The time to trust is after the contact.
    Late,
    /// They do not come within the tolerance of meeting until the end of the search, and it says that they do.
    Beyond,
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The number of the query in its row.
    pub number: u64,
    /// What is wrong.
    pub fault: Fault,
    /// What was asked.
    pub query: Query,
    /// What was answered.
    pub answer: Answer,
}

/// How the answers of a method compare with the exact ones.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// n: queries.
    pub queries: u64,
    /// n: queries that meet.
    pub contacts: u64,
    /// n: contacts that were missed.
    pub missed: u64,
    /// n: contacts for which the time to trust is late.
    pub late: u64,
    /// n: queries that do not meet, but may, as the method says.
    pub invented: u64,
    /// n: invented ones that were held against the tolerance.
    pub held: u64,
    /// n: those of them that do not come within the tolerance either.
    pub beyond: u64,
    /// n: searches that ended at the limit of checks.
    pub stopped: u64,
    /// n: answers that integers decided.
    pub exact: u64,
    /// The first wrong answers, in the order of the queries.
    pub failures: Vec<Failure>,
}

/// Puts the queries of these numbers in the row of a seed ([`near_degenerate`]) to a method that was made with these
/// settings. The result does not depend on the number of threads.
///
/// # Errors
/// What the method or the decider refuses.
pub fn audit(
    method: &dyn Method,
    settings: &Settings,
    seed: u64,
    numbers: Range<u64>,
    threads: NonZeroUsize,
) -> Result<Audit, CcdError> {
    let next = AtomicU64::new(numbers.start);
    let work = || -> Result<Audit, CcdError> {
        let mut own = Audit::default();
        loop {
            let start = next.fetch_add(SHARE, Ordering::Relaxed);
            if start >= numbers.end {
                return Ok(own);
            }
            for number in start..(start + SHARE).min(numbers.end) {
                own.examine(method, settings, number, near_degenerate(seed, number))?;
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        let mut whole = Audit::default();
        for worker in workers {
            let part = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            whole.append(part?);
        }
        Ok(whole)
    })
}

impl Audit {
    /// Whether no contact was missed and no time late.
    #[must_use]
    pub fn is_conservative(&self) -> bool {
        self.missed == 0 && self.late == 0
    }

    /// Compares one answer.
    ///
    /// # Errors
    /// What the method or the decider refuses.
    pub fn examine(
        &mut self,
        method: &dyn Method,
        settings: &Settings,
        number: u64,
        query: Query,
    ) -> Result<(), CcdError> {
        let answer = method.solve(&query)?;
        let truth = decide(&query, settings.t_max, settings.separation)?;
        self.queries += 1;
        self.contacts += u64::from(truth.is_some());
        self.stopped += u64::from(matches!(answer.outcome, Outcome::Stopped { .. }));
        self.exact += u64::from(answer.exact);
        let fault = match (truth, answer.outcome) {
            (None, Outcome::Free) => None,
            (Some(_), Outcome::Free) => Some(Fault::Missed),
            (Some(time), Outcome::Impact { lo, .. } | Outcome::Stopped { t: lo }) => {
                (lo > time.lo).then_some(Fault::Late)
            }
            (None, Outcome::Impact { hi, .. }) if number.is_multiple_of(HELD) => {
                self.invented += 1;
                self.held += 1;
                let largest = query.coordinates().into_iter().fold(settings.separation, |most, x| most.max(x.abs()));
                let reach = (settings.separation + settings.tolerance + ROUNDING * largest).min(Query::LARGEST);
                decide(&query, hi, reach)?.is_none().then_some(Fault::Beyond)
            }
            (None, Outcome::Impact { .. } | Outcome::Stopped { .. }) => {
                self.invented += 1;
                None
            }
        };
        let Some(fault) = fault else { return Ok(()) };
        *match fault {
            Fault::Missed => &mut self.missed,
            Fault::Late => &mut self.late,
            Fault::Beyond => &mut self.beyond,
        } += 1;
        // The queries of a thread come in ascending order.
        if self.failures.len() < SHOWN {
            self.failures.push(Failure { number, fault, query, answer });
        }
        Ok(())
    }

    /// Adds the counts of another part of the same row.
    pub fn append(&mut self, other: Self) {
        self.queries += other.queries;
        self.contacts += other.contacts;
        self.missed += other.missed;
        self.late += other.late;
        self.invented += other.invented;
        self.held += other.held;
        self.beyond += other.beyond;
        self.stopped += other.stopped;
        self.exact += other.exact;
        self.failures.extend(other.failures);
        self.failures.compact_sort_by_key(|failure| failure.number);
        self.failures.truncate(SHOWN);
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { queries, contacts, missed, late, invented, held, beyond, stopped, exact, .. } = self;
        write!(
            f,
            "{queries} queries, {contacts} contacts: {missed} missed, {late} late; {invented} invented, {beyond} of the \
             {held} looked at beyond the tolerance; {stopped} stopped, {exact} decided in integers"
        )
    }
}

impl fmt::Display for Failure {
    /// With coordinates as they are read back, and as their bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.query.kind {
            Kind::VertexFace => "vertex-face",
            Kind::EdgeEdge => "edge-edge",
        };
        writeln!(f, "{:?} #{} {kind}: {:?}", self.fault, self.number, self.answer.outcome)?;
        for (point, row) in self.query.coordinates().chunks_exact(3).enumerate() {
            let [x, y, z] = [row[0], row[1], row[2]];
            let bits = row.iter().map(|x| format!("{:016x}", x.to_bits())).collect::<Vec<_>>().join(" ");
            writeln!(f, "  t = {} point {}: {x:?} {y:?} {z:?}  ({bits})", point / 4, point % 4)?;
        }
        Ok(())
    }
}
