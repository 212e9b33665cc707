//! The contacts of a soft step as its report has them.

use super::super::report::WorldReport;
use super::SoftState;
use super::contacts::NO_CONTACT;
use super::pairs::PersistentPair;
use crate::body::BodyId;
use crate::compressed_rows::fill_rows;
use crate::soft_step::SoftSettings;
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;
use crate::stepper::ContactBetween;
use drystone_contact::Contact;

/// A pair whose contacts are reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportedPair {
    pair: usize,
    /// The place of its first contact in the report.
    start: usize,
    /// Its row among the pairs that touch, and the place of its first contact among those that were solved; none of one that sleeps.
    solved: Option<(usize, usize)>,
}

impl SoftState {
    /// The contacts with their impulses of the whole step; those between bodies that sleep as they were when these fell asleep.
    pub(super) fn report_contacts(&mut self, soft: &SoftSettings, report: &mut WorldReport) {
        let is_any_asleep = self.rests.iter().any(|rest| rest.island > 0);
        if !is_any_asleep && self.places.len() == self.contacts.list.len() {
            // All that were found were solved. The next step finds them anew, so that no copy is needed.
            std::mem::swap(&mut self.contacts.list, &mut report.contacts);
            std::mem::swap(&mut self.solver.totals, &mut report.impulses);
            return;
        }
        let mut reported = std::mem::take(&mut self.reported);
        let count = self.reported_pairs(&mut reported, is_any_asleep);
        let start = |row: usize| reported.get(row).map_or(count, |pair| pair.start);
        let WorldReport { contacts, impulses, poses, .. } = report;
        let parts = soft.substeps as f64;
        let report = |row: usize, (contacts, impulses): (&mut [ContactBetween], &mut [Impulse])| {
            let ReportedPair { pair, solved, .. } = reported[row];
            let own = contacts.iter_mut().zip(impulses);
            let pair = &self.pairs[pair];
            let (a, b) = pair.bodies;
            let between =
                |contact: Contact| ContactBetween { a: BodyId::new(a as u32), b: BodyId::new(b as u32), contact };
            if let Some((row, first)) = solved {
                let found = self.contacts.of_row(row).1;
                let totals = &self.solver.totals[first..];
                for ((own, impulse), (total, &(_, i))) in own.zip(totals.iter().zip(&self.places[first..])) {
                    (*own, *impulse) = (found[i], *total);
                }
            } else {
                for ((own, impulse), (_, known)) in own.zip(pair.held()) {
                    let contact = known.at([&poses[a], &poses[b]]);
                    (*own, *impulse) = (between(contact), known.impulse(tangents(contact.normal), parts));
                }
            }
        };
        contacts.resize(count, NO_CONTACT);
        impulses.resize(count, [0.0; 4]);
        fill_rows(reported.len(), &start, (&mut contacts[..], &mut impulses[..]), &report);
        self.reported = reported;
    }

    /// Lists the pairs whose contacts are reported, ascending. Returns how many contacts they have.
    fn reported_pairs(&self, reported: &mut Vec<ReportedPair>, is_any_asleep: bool) -> usize {
        reported.clear();
        let is_asleep = |pair: &PersistentPair| {
            let (a, b) = pair.bodies;
            (self.is_asleep(a) || self.is_asleep(b)) && !self.is_stirred(pair.bodies)
        };
        let mut asleep = (0..self.pairs.len()).filter(|&k| is_any_asleep && is_asleep(&self.pairs[k])).peekable();
        let (mut start, mut first) = (0, 0);
        let mut add_asleep = |until: usize, start: &mut usize, reported: &mut Vec<ReportedPair>| {
            while let Some(pair) = asleep.next_if(|&k| k < until) {
                reported.push(ReportedPair { pair, start: *start, solved: None });
                *start += self.pairs[pair].held_count();
            }
        };
        for (row, (pair, _)) in self.contacts.touching().enumerate() {
            add_asleep(pair, &mut start, reported);
            let solved = self.places[first..].iter().take_while(|(own, _)| *own == pair).count();
            reported.push(ReportedPair { pair, start, solved: Some((row, first)) });
            (start, first) = (start + solved, first + solved);
        }
        add_asleep(self.pairs.len(), &mut start, reported);
        start
    }
}
