//! Which candidates are near which others.

use super::candidate::Candidate;
use super::dominance::is_near;

/// For each candidate those whose regions come near to its own.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// By the lower end of their boxes along x.
    order: Vec<u32>,
    /// Both ways, in ascending order.
    pairs: Vec<(u32, u32)>,
    /// Where the pairs of each candidate begin, and where the last end.
    starts: Vec<u32>,
}

impl Neighbours {
    /// Finds all pairs whose boxes are no farther apart than `reach` (m), by a sweep along x.
    pub fn find(&mut self, list: &[Candidate], reach: f64) {
        let Self { order, pairs, starts } = self;
        order.clear();
        order.extend(0..list.len() as u32);
        let low = |c: u32| list[c as usize].bounds.0.x;
        order.sort_unstable_by(|&c, &d| low(c).total_cmp(&low(d)).then(c.cmp(&d)));
        pairs.clear();
        for (i, &c) in order.iter().enumerate() {
            let end = list[c as usize].bounds.1.x + reach;
            for &d in order[i + 1..].iter().take_while(|&&d| low(d) <= end) {
                if is_near(&list[c as usize], &list[d as usize], reach) {
                    pairs.extend([(c, d), (d, c)]);
                }
            }
        }
        pairs.sort_unstable();
        starts.clear();
        let mut next = 0;
        for c in 0..list.len() as u32 {
            starts.push(next as u32);
            next += pairs[next..].iter().take_while(|pair| pair.0 == c).count();
        }
        starts.push(next as u32);
    }

    /// The neighbours of a candidate, in ascending order.
    pub fn of(&self, c: u32) -> impl Iterator<Item = u32> + '_ {
        let range = self.starts[c as usize] as usize..self.starts[c as usize + 1] as usize;
        self.pairs[range].iter().map(|pair| pair.1)
    }
}
