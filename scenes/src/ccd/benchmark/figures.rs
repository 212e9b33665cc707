//! What comes of the answers to queries whose truth is known.

use drystone_contact::ccd::{Answer, Outcome};
use serde::{Deserialize, Serialize};

use super::{LogHistogram, Measured, Truth};

/// Counts and times over one set of queries, or over several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// How many queries were asked.
    pub queries: usize,
    /// How many have no known truth: they are neither right nor wrong.
    pub unlabelled: usize,
    /// How many do meet.
    pub positives: usize,
    /// Contact was possible by the answer, but they do not meet.
    pub false_positives: usize,
    /// They meet, but the answer says they do not.
    pub false_negatives: usize,
    /// They had met for certain before the time in the answer.
    pub late: usize,
    /// Answers that end at the limit of checks.
    pub stopped: usize,
    /// Answers decided in integers.
    pub exact: usize,
    /// Queries that got no answer.
    pub errors: usize,
    /// Why, for the first of them.
    pub first_error: Option<String>,
    /// Boxes, intervals or roots looked at.
    pub checks: Checks,
    /// How long an answer took.
    pub seconds: Seconds,
    /// The widest last box of differences, m: the worst tolerance reached.
    pub worst_reached: f64,
    /// How much too early times are, where the truth tells times.
    pub earliness: Option<Earliness>,
    /// Times of the queries that meet.
    pub positive_times: LogHistogram,
    /// Times of the queries that do not meet.
    pub negative_times: LogHistogram,
}

/// Checks a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checks {
    /// Their mean.
    pub mean: f64,
    /// The most.
    pub max: u64,
}

/// Time a query, s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Mean of the times by the clock.
    pub mean: f64,
    /// Median of the times by the clock.
    pub median: f64,
    /// The least by the clock.
    pub min: f64,
    /// The longest by the clock.
    pub max: f64,
    /// Mean of whole passes without a look at the clock in between; of sets without such a pass, by the clock. `None`: no
    /// set had one.
    pub pass_mean: Option<f64>,
}

impl Seconds {
    /// The mean that is nearest to the truth: of whole passes, or by the clock where there was none.
    pub fn best_mean(&self) -> f64 {
        self.pass_mean.unwrap_or(self.mean)
    }
}

/// The lower bound of the true time minus the time in the answer, 0…1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Earliness {
    /// Of how many answers.
    pub answers: usize,
    /// The median.
    pub median: f64,
    /// The most.
    pub max: f64,
}

impl Figures {
    /// Of all these together.
    pub fn of<'a>(parts: impl IntoIterator<Item = (&'a Truth, &'a Measured)>) -> Self {
        let mut tally = Tally::default();
        let (mut pass, mut asked, mut has_pass) = (0.0, 0, false);
        for (truth, measured) in parts {
            let facts = truth.meets.iter().zip(&truth.times);
            for (sample, (meets, time)) in measured.samples.iter().zip(facts) {
                match &sample.answer {
                    Ok(answer) => tally.answer(answer, sample.seconds, *meets, *time),
                    Err(error) => tally.error(&error.to_string(), *meets),
                }
            }
            has_pass |= measured.pass.is_some();
            pass += measured.pass.unwrap_or_else(|| measured.samples.iter().map(|sample| sample.seconds).sum());
            asked += measured.samples.len();
        }
        tally.finish((has_pass && asked > 0).then(|| pass / asked as f64))
    }
}

/// Figures in the making.
#[derive(Default)]
struct Tally {
    figures: Figures,
    times: Vec<f64>,
    early: Vec<f64>,
    checks: u64,
}

impl Tally {
    fn truth(&mut self, meets: Option<bool>) {
        self.figures.queries += 1;
        self.figures.unlabelled += usize::from(meets.is_none());
        self.figures.positives += usize::from(meets == Some(true));
    }

    fn error(&mut self, error: &str, meets: Option<bool>) {
        self.truth(meets);
        self.figures.errors += 1;
        self.figures.first_error.get_or_insert_with(|| error.to_owned());
    }

    fn answer(&mut self, answer: &Answer, seconds: f64, meets: Option<bool>, time: Option<(f64, f64)>) {
        self.truth(meets);
        let figures = &mut self.figures;
        figures.stopped += usize::from(matches!(answer.outcome, Outcome::Stopped { .. }));
        figures.exact += usize::from(answer.exact);
        figures.worst_reached = figures.worst_reached.max(answer.reached);
        figures.checks.max = figures.checks.max.max(answer.checks);
        self.checks = self.checks.saturating_add(answer.checks);
        self.times.push(seconds);
        match meets {
            Some(true) => figures.positive_times.add(seconds),
            Some(false) => figures.negative_times.add(seconds),
            None => {}
        }
        match (meets, answer.outcome.time()) {
            (Some(false), Some(_)) => figures.false_positives += 1,
            (Some(true), None) => figures.false_negatives += 1,
            (_, Some(found)) => {
                if let Some((lower, upper)) = time {
                    figures.late += usize::from(found > upper);
                    self.early.push((lower - found).max(0.0));
                }
            }
            _ => {}
        }
    }

    fn finish(mut self, pass_mean: Option<f64>) -> Figures {
        let mut figures = self.figures;
        let n = self.times.len();
        let mean = |sum: f64| if n == 0 { 0.0 } else { sum / n as f64 };
        figures.checks.mean = mean(self.checks as f64);
        self.times.sort_unstable_by(f64::total_cmp);
        figures.seconds = Seconds {
            mean: mean(self.times.iter().sum()),
            median: median(&self.times).unwrap_or(0.0),
            min: self.times.first().copied().unwrap_or(0.0),
            max: self.times.last().copied().unwrap_or(0.0),
            pass_mean,
        };
        self.early.sort_unstable_by(f64::total_cmp);
        figures.earliness = median(&self.early).zip(self.early.last()).map(|(median, &max)| Earliness {
            answers: self.early.len(),
            median,
            max,
        });
        figures
    }
}

/// Of sorted values: the middle one, or the mean of the middle two.
fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) { 0.5 * (sorted[middle - 1] + upper) } else { upper })
}

#[cfg(test)]
mod tests {
    use super::super::Sample;
    use super::*;
    use drystone_contact::ccd::CcdError;

    fn sample(outcome: Outcome, microseconds: f64) -> Sample {
        let answer = Answer { outcome, checks: 10, reached: 1e-6 * microseconds, exact: outcome == Outcome::Free };
        Sample { answer: Ok(answer), seconds: 1e-6 * microseconds }
    }

    /// Seven queries: right twice, wrong thrice, unknown, no answer.
    fn example() -> (Truth, Measured) {
        let impact = |lo| Outcome::Impact { lo, hi: 1.0 };
        let samples = vec![
            sample(Outcome::Free, 1.0),
            sample(impact(0.25), 2.0),
            sample(impact(0.1), 3.0),
            sample(Outcome::Free, 4.0),
            sample(impact(0.75), 5.0),
            sample(Outcome::Stopped { t: 0.0 }, 106.0),
            Sample { answer: Err(CcdError::Checks), seconds: 9e-6 },
        ];
        let (yes, no) = (Some(true), Some(false));
        let at = Some((0.5, 0.5));
        let truth =
            Truth { meets: vec![no, yes, no, yes, yes, None, yes], times: vec![None, at, None, at, at, None, at] };
        (truth, Measured { samples, pass: Some(70e-6) })
    }

    #[test]
    fn what_is_wrong_is_counted() {
        let (truth, measured) = example();
        let f = Figures::of([(&truth, &measured)]);
        assert_eq!((f.queries, f.unlabelled, f.positives), (7, 1, 4));
        assert_eq!((f.false_positives, f.false_negatives, f.late), (1, 1, 1));
        assert_eq!((f.stopped, f.exact, f.errors), (1, 2, 1));
        assert!(f.first_error.unwrap().contains("limit of checks is 0"));
        assert_eq!((f.checks.mean, f.checks.max), (10.0, 10));
        assert_eq!(f.earliness, Some(Earliness { answers: 2, median: 0.125, max: 0.25 }));
        assert!((f.worst_reached - 106e-6).abs() < 1e-12);
        assert_eq!((f.positive_times.counts.iter().sum::<u64>(), f.negative_times.counts.iter().sum::<u64>()), (3, 2));
    }

    #[test]
    fn times_are_of_the_answers_and_of_the_whole_pass() {
        let (truth, measured) = example();
        let s = Figures::of([(&truth, &measured)]).seconds;
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(s.mean, 121e-6 / 6.0) && near(s.median, 3.5e-6) && near(s.min, 1e-6) && near(s.max, 106e-6));
        assert!(near(s.best_mean(), 10e-6));
        let without = Measured { pass: None, ..measured.clone() };
        let both = Figures::of([(&truth, &measured), (&truth, &without)]);
        assert_eq!(both.queries, 14);
        assert!(near(both.seconds.best_mean(), (70e-6 + 130e-6) / 14.0));
        let none = Figures::of([(&truth, &without)]);
        assert_eq!(none.seconds.pass_mean, None);
        assert!(near(none.seconds.best_mean(), 121e-6 / 6.0));
    }

    #[test]
    fn nothing_has_figures() {
        let f = Figures::of([]);
        assert_eq!(f, Figures::default());
    }
}
