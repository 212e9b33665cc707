//! Files of FCLIB.

use std::fs;
use std::path::Path;

use super::error::{FclibError, FclibFault};
use super::mass::Mass;
use super::matrix::Matrix;
use super::problem::{FclibContact, FclibProblem};
use crate::hdf5::{Hdf5Error, Hdf5File};

/// The longest file, bytes: some ten times the largest of the collection.
const LONGEST: u64 = 1 << 30;

/// Entries of W at most, of a problem in the global form: a full matrix of some 1,900 contacts.
const MOST_ENTRIES: usize = 1 << 25;

const LOCAL: &str = "fclib_local";
const GLOBAL: &str = "fclib_global";

/// The problem of a file, in the local form.
///
/// # Errors
/// The file cannot be read, is damaged, contradicts itself, or holds a problem that is not supported.
pub fn read(path: &Path) -> Result<FclibProblem, FclibError> {
    let at = |fault: FclibFault| FclibError { path: path.to_owned(), fault };
    let there = fs::metadata(path).map_err(|error| at(error.into()))?;
    if !there.is_file() {
        return Err(at(FclibFault::NotAFile));
    }
    if there.len() > LONGEST {
        return Err(at(FclibFault::Large { length: there.len(), most: LONGEST }));
    }
    let bytes = fs::read(path).map_err(|error| at(error.into()))?;
    parse(&bytes).map_err(at)
}

/// The problem of the bytes of a file, in the local form.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8]) -> Result<FclibProblem, FclibFault> {
    let file = Hdf5File::new(bytes)?;
    let named = |name: &str, source| FclibFault::DataSet { name: name.to_owned(), source };
    let has = |name: &str| file.contains(name).map_err(|source| named(name, source));
    for name in ["fclib_global_rolling", "fclib_local_rolling"] {
        if has(name)? {
            return Err(FclibFault::Rolling { name: name.to_owned() });
        }
    }
    let is_local = has(LOCAL)?;
    if !(is_local || has(GLOBAL)?) {
        return Err(FclibFault::NoProblem);
    }
    let group = Group { file: &file, path: if is_local { LOCAL } else { GLOBAL }.to_owned() };
    if group.contains("vectors/mu_r")? {
        return Err(FclibFault::Rolling { name: group.name("vectors/mu_r") });
    }
    let equality: &[&str] = if is_local { &["V", "R"] } else { &["G"] };
    match group.integer("spacedim")? {
        3 => {}
        5 => return Err(FclibFault::Rolling { name: group.name("spacedim") }),
        found => return Err(FclibFault::Rows { name: group.name("spacedim"), found }),
    }
    for name in equality {
        if group.contains(name)? {
            return Err(FclibFault::EqualityConstraints { name: group.name(name) });
        }
    }
    if is_local { local(&group) } else { global(&group) }
}

fn local(group: &Group<'_>) -> Result<FclibProblem, FclibFault> {
    let q = group.vector("vectors/q")?;
    let contacts = contacts(group, "vectors/q", &q)?;
    let w = Matrix::read(&group.child("W"), (q.len(), q.len()), "the size of q")?;
    FclibProblem::new(contacts, &w, &group.name("W"))
}

fn global(group: &Group<'_>) -> Result<FclibProblem, FclibFault> {
    let (mut f, w) = (group.vector("vectors/f")?, group.vector("vectors/w")?);
    let mut contacts = contacts(group, "vectors/w", &w)?;
    let m = Matrix::read(&group.child("M"), (f.len(), f.len()), "the size of f")?;
    let h = Matrix::read(&group.child("H"), (f.len(), w.len()), "the sizes of f and w")?;
    let mass = Mass::new(&m, &group.name("M"))?;
    mass.solve(&mut f);
    for (k, contact) in contacts.iter_mut().enumerate() {
        for (row, velocity) in contact.velocity.iter_mut().enumerate() {
            *velocity += h.column(3 * k + row).iter().fold(0.0, |sum, &(i, value)| sum + value * f[i]);
        }
    }
    let delassus = delassus(&h, &mass).ok_or_else(|| FclibFault::Matrix {
        name: group.name("H"),
        reason: format!(
            "H' M^-1 H has more than {MOST_ENTRIES} entries that are not zero; give a problem with fewer contacts"
        ),
    })?;
    finite(
        &format!("the matrix H' M^-1 H of {}", group.path),
        &delassus.entries().map(|entry| entry.2).collect::<Vec<_>>(),
    )?;
    let all: Vec<f64> = contacts.iter().flat_map(|contact| contact.velocity).collect();
    finite(&format!("the vector H' M^-1 f + w of {}", group.path), &all)?;
    FclibProblem::new(contacts, &delassus, &group.name("H"))
}

/// W = Hᵀ M⁻¹ H, column by column; `None` if it has too many entries.
fn delassus(h: &Matrix, mass: &Mass) -> Option<Matrix> {
    let by_rows = h.transposed();
    let mut entries = Vec::new();
    let (mut moved, mut sums) = (vec![0.0; h.rows], vec![0.0; h.columns()]);
    for column in 0..h.columns() {
        match mass {
            // The product of two entries is divided: the same bits above and below the diagonal.
            Mass::Diagonal(masses) => {
                for &(row, value) in h.column(column) {
                    by_rows.column(row).iter().for_each(|&(k, other)| sums[k] += value * other / masses[row]);
                }
            }
            Mass::Factored(_) => {
                moved.fill(0.0);
                h.column(column).iter().for_each(|&(row, value)| moved[row] = value);
                mass.solve(&mut moved);
                for (row, value) in moved.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                    by_rows.column(row).iter().for_each(|&(k, other)| sums[k] += value * other);
                }
            }
        }
        for (row, sum) in sums.iter_mut().enumerate().filter(|(_, sum)| **sum != 0.0) {
            entries.push((row, column, std::mem::take(sum)));
        }
        if entries.len() > MOST_ENTRIES {
            return None;
        }
    }
    Some(Matrix::new(h.columns(), h.columns(), entries))
}

/// Contacts by their velocities without impulses, and by mu.
fn contacts(group: &Group<'_>, name: &str, velocities: &[f64]) -> Result<Vec<FclibContact>, FclibFault> {
    let mu = group.vector("vectors/mu")?;
    group.check_size(name, velocities.len(), 3 * mu.len(), "three rows for each number of mu")?;
    if let Some(index) = mu.iter().position(|mu| *mu < 0.0) {
        let allowed = "coefficients of friction must not be negative";
        return Err(FclibFault::Value { name: group.name("vectors/mu"), index, value: mu[index], allowed });
    }
    let contact = |(velocity, friction): (&[f64; 3], &f64)| FclibContact { velocity: *velocity, friction: *friction };
    Ok(velocities.as_chunks::<3>().0.iter().zip(&mu).map(contact).collect())
}

/// Refuses what is not a number.
pub fn finite(name: &str, values: &[f64]) -> Result<(), FclibFault> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => {
            let allowed = "all must be finite";
            Err(FclibFault::Value { name: name.to_owned(), index, value: values[index], allowed })
        }
        None => Ok(()),
    }
}

/// A group of a file, for errors that say where.
pub struct Group<'a> {
    file: &'a Hdf5File<'a>,
    path: String,
}

impl Group<'_> {
    /// The path of a member.
    pub fn name(&self, member: &str) -> String {
        format!("{}/{member}", self.path)
    }

    fn child(&self, name: &str) -> Self {
        Self { file: self.file, path: self.name(name) }
    }

    fn at(&self, member: &str, source: Hdf5Error) -> FclibFault {
        FclibFault::DataSet { name: self.name(member), source }
    }

    fn contains(&self, member: &str) -> Result<bool, FclibFault> {
        self.file.contains(&self.name(member)).map_err(|error| self.at(member, error))
    }

    /// The numbers of a data set.
    pub fn integers(&self, member: &str) -> Result<Vec<i64>, FclibFault> {
        self.file.integers(&self.name(member)).map_err(|error| self.at(member, error))
    }

    /// The only number of a data set.
    pub fn integer(&self, member: &str) -> Result<i64, FclibFault> {
        let values = self.integers(member)?;
        self.check_size(member, values.len(), 1, "the format")?;
        Ok(values.first().copied().unwrap_or_default())
    }

    /// The numbers of a data set.
    pub fn floats(&self, member: &str) -> Result<Vec<f64>, FclibFault> {
        self.file.floats(&self.name(member)).map_err(|error| self.at(member, error))
    }

    /// The finite numbers of a data set.
    fn vector(&self, member: &str) -> Result<Vec<f64>, FclibFault> {
        let values = self.floats(member)?;
        finite(&self.name(member), &values)?;
        Ok(values)
    }

    /// Refuses a data set of another size.
    pub fn check_size(
        &self,
        member: &str,
        found: usize,
        expected: usize,
        reason: &'static str,
    ) -> Result<(), FclibFault> {
        let size = FclibFault::Size { name: self.name(member), found: found as i64, expected, reason };
        if found == expected { Ok(()) } else { Err(size) }
    }

    /// The group is of no use.
    pub fn unusable(&self, reason: &str) -> FclibFault {
        FclibFault::Matrix { name: self.path.clone(), reason: reason.to_owned() }
    }
}

#[cfg(test)]
mod tests;
