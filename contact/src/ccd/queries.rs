use super::{CcdError, Kind, Query};
use glam::DVec3;

/// Many queries of one kind as a structure of arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Queries {
    kind: Kind,
    /// By number of the coordinate, in the order of [`Query::coordinates`], then by query; all are as long, m.
    coordinates: [Vec<f64>; 24],
}

impl Queries {
    /// None yet.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self { kind, coordinates: std::array::from_fn(|_| Vec::new()) }
    }

    /// From 24 arrays of coordinates, m, in the order of [`Query::coordinates`].
    ///
    /// # Errors
    /// Arrays that are not equally long.
    pub fn from_arrays(kind: Kind, coordinates: [Vec<f64>; 24]) -> Result<Self, CcdError> {
        let expected = coordinates[0].len();
        match coordinates.iter().position(|array| array.len() != expected) {
            None => Ok(Self { kind, coordinates }),
            Some(array) => Err(CcdError::Lengths { array, found: coordinates[array].len(), expected }),
        }
    }

    /// Puts one at the end.
    ///
    /// # Errors
    /// One of the other kind.
    pub fn push(&mut self, query: &Query) -> Result<(), CcdError> {
        if query.kind != self.kind {
            return Err(CcdError::OtherKind { expected: self.kind, found: query.kind });
        }
        for (array, coordinate) in self.coordinates.iter_mut().zip(query.coordinates()) {
            array.push(coordinate);
        }
        Ok(())
    }

    /// What moves in all of them.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// n: how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.coordinates[0].len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The query at this place.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn get(&self, index: usize) -> Query {
        let point = |i: usize| DVec3::from_array([0, 1, 2].map(|axis| self.coordinates[3 * i + axis][index]));
        Query { kind: self.kind, start: [0, 1, 2, 3].map(point), end: [4, 5, 6, 7].map(point) }
    }

    /// One coordinate of `N` queries from this place on, m.
    #[inline(always)]
    pub(super) fn lanes<const N: usize>(&self, coordinate: usize, from: usize) -> [f64; N] {
        let mut lanes = [0.0; N];
        lanes.copy_from_slice(&self.coordinates[coordinate][from..from + N]);
        lanes
    }
}
