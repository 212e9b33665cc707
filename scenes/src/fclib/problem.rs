//! A contact problem in the local form, with W as it is.

use drystone_engine::solver::{ContactOperator, Impulse};

use super::error::FclibFault;
use super::matrix::Matrix;
use drystone_contact::sorting::CompactSort;

/// Velocity and friction of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FclibContact {
    /// q: the relative velocity without contact impulses; normal, then two tangents, m/s.
    pub velocity: [f64; 3],
    /// The coefficient of friction.
    pub friction: f64,
}

/// u = W r + q with the law of Coulomb at each contact. W need not be symmetric to the last bit, nor at all; nothing makes it so.
///
/// As a [`ContactOperator`] its velocities are those of W itself. The own block of a contact, by which solvers take their steps, is
/// the mean with its transpose, which changes the way to a solution and not the solution. There is no torsion.
#[derive(Clone, Debug, PartialEq)]
pub struct FclibProblem {
    contacts: Vec<FclibContact>,
    /// Where the blocks of each column start in `blocks`; one more than there are contacts.
    starts: Vec<usize>,
    /// By columns, then rows: the row and the block, `block[row][column]`.
    blocks: Vec<(usize, [[f64; 3]; 3])>,
    /// The own block of each contact.
    own: Vec<[[f64; 3]; 3]>,
    asymmetry: f64,
}

impl FclibProblem {
    /// The problem of a matrix of three rows a contact; `name` is what it is called in the file.
    pub(super) fn new(contacts: Vec<FclibContact>, w: &Matrix, name: &str) -> Result<Self, FclibFault> {
        let (mut starts, mut blocks, mut own) = (vec![0], Vec::new(), Vec::new());
        for contact in 0..contacts.len() {
            let begin = blocks.len();
            let mut entries: Vec<(usize, usize, f64)> = Vec::new();
            for column in 0..3 {
                entries.extend(w.column(3 * contact + column).iter().map(|&(row, value)| (row, column, value)));
            }
            entries.compact_sort_by_key(|entry| entry.0 / 3);
            for block in entries.chunk_by(|a, b| a.0 / 3 == b.0 / 3) {
                let mut values = [[0.0; 3]; 3];
                block.iter().for_each(|&(row, column, value)| values[row % 3][column] = value);
                if values.iter().flatten().any(|value| *value != 0.0) {
                    blocks.push((block[0].0 / 3, values));
                }
            }
            let diagonal =
                blocks[begin..].iter().find(|(row, _)| *row == contact).map_or([[0.0; 3]; 3], |block| block.1);
            if !(0..3).all(|i| diagonal[i][i] > 0.0) {
                return Err(FclibFault::Matrix {
                    name: name.to_owned(),
                    reason: format!(
                        "contact {contact} (from 0) does not respond to impulses: its diagonal entries of W must be above zero"
                    ),
                });
            }
            starts.push(blocks.len());
            own.push(diagonal);
        }
        Ok(Self { contacts, starts, blocks, own, asymmetry: w.asymmetry() })
    }

    /// Velocity and friction of each contact.
    pub fn contacts(&self) -> &[FclibContact] {
        &self.contacts
    }

    /// The blocks of W that are not zero: row, column (both in contacts, from zero), entries by rows; by columns, then rows.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize, &[[f64; 3]; 3])> {
        (0..self.contacts.len()).flat_map(|k| self.column(k).iter().map(move |(row, block)| (*row, k, block)))
    }

    /// max |W − Wᵀ| / max |W|.
    pub fn asymmetry(&self) -> f64 {
        self.asymmetry
    }

    /// The own block of a contact, as it is in W.
    pub(super) fn own_block(&self, contact: usize) -> &[[f64; 3]; 3] {
        &self.own[contact]
    }

    /// The velocities u = W r + q.
    pub fn velocities(&self, impulses: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let mut velocities: Vec<_> = self.contacts.iter().map(|contact| contact.velocity).collect();
        for (contact, impulse) in impulses.iter().enumerate().take(self.contacts.len()) {
            self.add(contact, impulse, &mut velocities);
        }
        velocities
    }

    /// Adds what an impulse of a contact does.
    #[inline]
    pub(super) fn add(&self, contact: usize, impulse: &[f64; 3], velocities: &mut [[f64; 3]]) {
        let [n, s, t] = *impulse;
        for (row, block) in self.column(contact) {
            for (velocity, entries) in velocities[*row].iter_mut().zip(block) {
                *velocity += entries[0] * n + entries[1] * s + entries[2] * t;
            }
        }
    }

    fn column(&self, contact: usize) -> &[(usize, [[f64; 3]; 3])] {
        &self.blocks[self.starts[contact]..self.starts[contact + 1]]
    }
}

impl ContactOperator for FclibProblem {
    type Motion = Vec<[f64; 3]>;

    fn contact_count(&self) -> usize {
        self.contacts.len()
    }

    fn friction(&self, contact: usize) -> [f64; 3] {
        [self.contacts[contact].friction; 3]
    }

    fn motion(&self, impulses: &[Impulse]) -> Self::Motion {
        self.velocities(&impulses.iter().map(|&[n, s, t, _]| [n, s, t]).collect::<Vec<_>>())
    }

    #[inline]
    fn velocity(&self, contact: usize, motion: &Self::Motion) -> [f64; 4] {
        let [n, s, t] = motion[contact];
        [n, s, t, 0.0]
    }

    #[inline]
    fn push(&self, contact: usize, impulse: &Impulse, motion: &mut Self::Motion) {
        let [n, s, t, _] = *impulse;
        self.add(contact, &[n, s, t], motion);
    }

    fn diagonal_block(&self, contact: usize) -> [[f64; 4]; 4] {
        let own = &self.own[contact];
        let mut block = [[0.0; 4]; 4];
        for (i, row) in block.iter_mut().enumerate().take(3) {
            (0..3).for_each(|j| row[j] = 0.5 * (own[i][j] + own[j][i]));
        }
        // Torsion is coupled to nothing, and any positive entry will do; one of the block's own size leaves its largest eigenvalue as it is.
        block[3][3] = own[1][1];
        block
    }
}
