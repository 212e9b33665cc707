use super::{CcdError, Kind, Query};
use glam::DVec3;

/// Queries that are transposed at a time.
const BLOCK: usize = 64;

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

    /// Replaces all by one for each element of `start` and `end`: the coordinates of its four points, x y z each, m, at t = 0
    /// and at t = 1, in the order of [`Query::coordinates`]. Memory is used again.
    ///
    /// # Errors
    /// Another number of queries at t = 1 than at t = 0; nothing is changed.
    // Inlined into the Python module it would be optimised for size.
    #[inline(never)]
    pub fn set_points(&mut self, start: &[[f64; 12]], end: &[[f64; 12]]) -> Result<(), CcdError> {
        if end.len() != start.len() {
            return Err(CcdError::Lengths { array: 12, found: end.len(), expected: start.len() });
        }
        for (points, coordinates) in [start, end].into_iter().zip(self.coordinates.as_chunks_mut::<12>().0) {
            coordinates.iter_mut().for_each(|column| column.resize(points.len(), 0.0));
            // Blocks stay in the nearest cache while they are transposed.
            for (first, block) in points.chunks(BLOCK).enumerate().map(|(k, block)| (k * BLOCK, block)) {
                let (eights, rest) = block.as_chunks::<8>();
                for (axis, column) in coordinates.iter_mut().enumerate() {
                    let (own_eights, own_rest) = column[first..first + block.len()].as_chunks_mut::<8>();
                    for (own, queries) in own_eights.iter_mut().zip(eights) {
                        *own = std::array::from_fn(|k| queries[k][axis]);
                    }
                    for (own, query) in own_rest.iter_mut().zip(rest) {
                        *own = query[axis];
                    }
                }
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_from_points_are_those_that_are_put_in_one_by_one() {
        let mut queries = Queries::new(Kind::EdgeEdge);
        // Every coordinate is another number; the last block is not full.
        let number = |query: usize, k: usize| (24 * query + k) as f64;
        for count in [0, 1, 3 * BLOCK + 5, BLOCK, 8, 2 * BLOCK + 8] {
            let half = |first: usize| -> Vec<[f64; 12]> {
                (0..count).map(|query| std::array::from_fn(|k| number(query, first + k))).collect()
            };
            let (start, end) = (half(0), half(12));
            let mut expected = Queries::new(Kind::EdgeEdge);
            for query in 0..count {
                let coordinates = std::array::from_fn(|k| number(query, k));
                expected.push(&Query::from_coordinates(Kind::EdgeEdge, &coordinates)).unwrap();
            }
            // Whatever was there is gone.
            queries.set_points(&start, &end).unwrap();
            assert_eq!(queries, expected);
        }
        let before = queries.clone();
        let fewer = queries.set_points(&[[0.0; 12]; 2], &[[0.0; 12]]);
        assert_eq!(fewer, Err(CcdError::Lengths { array: 12, found: 1, expected: 2 }));
        assert_eq!(queries, before);
    }
}
