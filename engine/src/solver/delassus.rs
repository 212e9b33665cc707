//! Contact problems given by their Delassus matrix: u = Wλ + q with W formed, block by block.
//!
//! For problems that do not come from contacts between two rigid bodies: articulated or deformable ones, or collections
//! of problems such as FCLIB. W is symmetric; of each pair of blocks only one is given.

use super::contact_operator::ContactOperator;
use super::{Impulse, SolverError};
use drystone_contact::sorting::CompactSort;

/// A block of a Delassus matrix, `entries[i][j]` for row i of contact `row` and row j of contact `column`. The block at
/// the mirrored place is its transpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelassusBlock<const N: usize> {
    /// The contact whose velocity changes, from zero.
    pub row: usize,
    /// The contact whose impulse does it, from zero.
    pub column: usize,
    /// Velocity per impulse, 1/kg (torsion rows 1/(kg m) and 1/(kg m²)).
    pub entries: [[f64; N]; N],
}

/// Velocity and friction of a contact of a Delassus form with N rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelassusContact<const N: usize> {
    /// The relative velocity without contact impulses, in the order of an [`Impulse`].
    pub velocity: [f64; N],
    /// Friction coefficients in the order s, t, torsion.
    pub friction: [f64; 3],
}

/// A contact problem by its Delassus matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Delassus {
    contacts: Vec<DelassusContact<4>>,
    /// Where the blocks of each column start in `blocks`; one more than there are contacts.
    starts: Vec<usize>,
    /// By columns, then rows: the row and the block by columns.
    blocks: Vec<(usize, [[f64; 4]; 4])>,
    diagonal: Vec<[[f64; 4]; 4]>,
}

impl Delassus {
    /// A problem with four rows a contact: normal, s, t, torsion. Places without a block are zero. A block off the
    /// diagonal is given once, on either side; of a diagonal block the mean with its transpose is taken.
    ///
    /// # Errors
    /// [`SolverError::Block`] for a place that is given twice or lies outside, a block that is not finite, or a contact
    /// whose diagonal entries are not all positive; [`SolverError::Rows`] for a velocity or coefficient that is not finite.
    pub fn new(contacts: Vec<DelassusContact<4>>, blocks: &[DelassusBlock<4>]) -> Result<Self, SolverError> {
        let count = contacts.len();
        let unusable = |contact: &DelassusContact<4>| {
            let friction = contact.friction.iter().all(|mu| mu.is_finite() && *mu >= 0.0);
            !(friction && contact.velocity.iter().all(|v| v.is_finite()))
        };
        if let Some(contact) = contacts.iter().position(unusable) {
            return Err(SolverError::Rows { contact });
        }
        let mut entries: Vec<(usize, usize, [[f64; 4]; 4])> = Vec::with_capacity(2 * blocks.len());
        for block in blocks {
            let DelassusBlock { row, column, entries: b } = *block;
            let refuse = |reason| Err(SolverError::Block { row, column, reason });
            if row >= count || column >= count {
                return refuse("there are not that many contacts");
            }
            if !b.iter().flatten().all(|x| x.is_finite()) {
                return refuse("it has entries that are not finite");
            }
            let transposed: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| b[j][i]));
            if row == column {
                if (0..4).any(|i| b[i][i] <= 0.0) {
                    return refuse("its diagonal entries must be above zero");
                }
                let mean = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (b[i][j] + b[j][i])));
                entries.push((column, row, mean));
            } else {
                // Blocks are kept by columns: the transpose at their own place, themselves at the mirrored one.
                entries.push((column, row, transposed));
                entries.push((row, column, b));
            }
        }
        entries.compact_sort_by_key(|(column, row, _)| (*column, *row));
        if let Some(twice) = entries.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            let (column, row, _) = twice[0];
            return Err(SolverError::Block { row, column, reason: "it is given twice" });
        }
        let diagonal: Vec<_> = entries.iter().filter(|(column, row, _)| column == row).map(|(.., b)| *b).collect();
        if diagonal.len() < count {
            let given = |k: usize| entries.binary_search_by_key(&(k, k), |(column, row, _)| (*column, *row)).is_ok();
            let contact = (0..count).find(|k| !given(*k)).unwrap_or(0);
            let reason = "every contact needs a diagonal block";
            return Err(SolverError::Block { row: contact, column: contact, reason });
        }
        let starts = (0..=count).map(|k| entries.partition_point(|(column, ..)| *column < k)).collect();
        let blocks = entries.into_iter().map(|(_, row, b)| (row, b)).collect();
        Ok(Self { contacts, starts, blocks, diagonal })
    }

    /// A problem with three rows a contact: normal, s, t. Its torsion impulses are zero: the torsion row is not coupled
    /// to anything, and nothing turns.
    ///
    /// # Errors
    /// As [`Delassus::new`].
    pub fn without_torsion(contacts: &[DelassusContact<3>], blocks: &[DelassusBlock<3>]) -> Result<Self, SolverError> {
        let extended = |block: &DelassusBlock<3>| {
            let DelassusBlock { row, column, entries: b } = *block;
            let mut entries = [[0.0; 4]; 4];
            for (wide, narrow) in entries.iter_mut().zip(&b) {
                wide[..3].copy_from_slice(narrow);
            }
            // Any positive entry will do; one of the block's own size leaves its largest eigenvalue as it is.
            entries[3][3] = if row == column { b[1][1] } else { 0.0 };
            DelassusBlock { row, column, entries }
        };
        let contact = |c: &DelassusContact<3>| {
            let [n, s, t] = c.velocity;
            DelassusContact { velocity: [n, s, t, 0.0], friction: c.friction }
        };
        Self::new(contacts.iter().map(contact).collect(), &blocks.iter().map(extended).collect::<Vec<_>>())
    }

    /// Velocity and friction of each contact.
    pub fn contacts(&self) -> &[DelassusContact<4>] {
        &self.contacts
    }

    /// The relative velocities u = Wλ + q that impulses lead to, one per contact.
    pub fn velocities(&self, impulses: &[Impulse]) -> Vec<[f64; 4]> {
        let mut velocities: Vec<_> = self.contacts.iter().map(|c| c.velocity).collect();
        for (contact, impulse) in impulses.iter().enumerate().take(self.contacts.len()) {
            self.push(contact, impulse, &mut velocities);
        }
        velocities
    }
}

impl ContactOperator for Delassus {
    type Motion = Vec<[f64; 4]>;

    fn contact_count(&self) -> usize {
        self.contacts.len()
    }

    #[inline]
    fn friction(&self, contact: usize) -> [f64; 3] {
        self.contacts[contact].friction
    }

    fn motion(&self, impulses: &[Impulse]) -> Self::Motion {
        self.velocities(impulses)
    }

    #[inline]
    fn velocity(&self, contact: usize, motion: &Self::Motion) -> [f64; 4] {
        motion[contact]
    }

    #[inline]
    fn push(&self, contact: usize, impulse: &Impulse, motion: &mut Self::Motion) {
        for (row, block) in &self.blocks[self.starts[contact]..self.starts[contact + 1]] {
            let velocity = &mut motion[*row];
            for (column, x) in block.iter().zip(impulse) {
                for (v, entry) in velocity.iter_mut().zip(column) {
                    *v += entry * x;
                }
            }
        }
    }

    fn diagonal_block(&self, contact: usize) -> [[f64; 4]; 4] {
        self.diagonal[contact]
    }
}

#[cfg(test)]
mod tests;
