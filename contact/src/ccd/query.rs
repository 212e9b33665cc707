use super::CcdError;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What moves in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A vertex and a triangle.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

/// Two features whose points move in straight lines from t = 0 to t = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// What the points are.
    pub kind: Kind,
    /// The points at t = 0, m: vertex and the three corners of the face, or the ends of the first and those of the
    /// second edge.
    pub start: [DVec3; 4],
    /// The same points at t = 1, m.
    pub end: [DVec3; 4],
}

impl Query {
    /// The greatest magnitude of a coordinate that is allowed, m: products of four of them are still finite.
    pub const LARGEST: f64 = 1e70;

    /// A vertex (index 0) and a face (1, 2, 3).
    #[must_use]
    pub fn vertex_face(start: [DVec3; 4], end: [DVec3; 4]) -> Self {
        Self { kind: Kind::VertexFace, start, end }
    }

    /// An edge (indices 0, 1) and another (2, 3).
    #[must_use]
    pub fn edge_edge(start: [DVec3; 4], end: [DVec3; 4]) -> Self {
        Self { kind: Kind::EdgeEdge, start, end }
    }

    /// From 24 coordinates, m: the four points at t = 0, then at t = 1, x y z each.
    #[must_use]
    pub fn from_coordinates(kind: Kind, coordinates: &[f64; 24]) -> Self {
        let point = |i: usize| DVec3::from_slice(&coordinates[3 * i..]);
        Self { kind, start: [0, 1, 2, 3].map(point), end: [4, 5, 6, 7].map(point) }
    }

    /// The 24 coordinates, m, in the order of [`Query::from_coordinates`].
    #[must_use]
    pub fn coordinates(&self) -> [f64; 24] {
        let mut all = [0.0; 24];
        for (place, point) in all.chunks_exact_mut(3).zip(self.start.iter().chain(&self.end)) {
            place.copy_from_slice(&point.to_array());
        }
        all
    }

    /// The largest magnitude of a coordinate by axis, m.
    #[must_use]
    #[inline]
    pub fn largest(&self) -> DVec3 {
        self.start.iter().chain(&self.end).fold(DVec3::ZERO, |largest, point| largest.max(point.abs()))
    }

    /// That all coordinates are finite and at most [`Query::LARGEST`] in magnitude.
    ///
    /// # Errors
    /// The first coordinate that is not.
    pub fn check(&self) -> Result<(), CcdError> {
        let sound = |point: &DVec3| point.abs().max_element() <= Self::LARGEST && !point.is_nan();
        if self.start.iter().chain(&self.end).all(sound) {
            return Ok(());
        }
        for (index, value) in self.coordinates().into_iter().enumerate() {
            let (point, axis, time) = (index / 3 % 4, ["x", "y", "z"][index % 3], index / 12);
            if !value.is_finite() {
                return Err(CcdError::NotFinite { point, axis, time, value });
            }
            if value.abs() > Self::LARGEST {
                return Err(CcdError::TooLarge { point, axis, time, value });
            }
        }
        Ok(())
    }
}
