//! Joins vertices that are stated once per facet.
//!
//! A vertex becomes the earliest one within the weld distance, and takes its position. Welding is not transitive:
//! a chain of near vertices is not drawn into one. At distance 0 vertices join when their coordinates are equal
//! (−0 equals 0).

use std::collections::HashMap;

use glam::{DVec3, I64Vec3};

/// Vertices met so far, in cubic cells as wide as the weld distance.
pub(super) struct Weld {
    distance: f64,
    /// The joined vertices, by first mention.
    pub vertices: Vec<DVec3>,
    /// For each cell, the vertices in it. Only looked up, never walked through, so hash order reaches no result.
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl Weld {
    /// For a finite distance ≥ 0, m.
    pub fn new(distance: f64) -> Self {
        Self { distance, vertices: Vec::new(), cells: HashMap::new() }
    }

    /// The index of the vertex that stands for this position; none when there are more than 2³².
    pub fn index(&mut self, position: DVec3) -> Option<u32> {
        let cell = self.cell(position);
        let reach = if self.distance > 0.0 { -1..=1 } else { 0..=0 };
        let mut earliest: Option<u32> = None;
        for dx in reach.clone() {
            for dy in reach.clone() {
                for dz in reach.clone() {
                    let near = cell.saturating_add(I64Vec3::new(dx, dy, dz)).to_array();
                    for &other in self.cells.get(&near).into_iter().flatten() {
                        let apart = self.vertices[other as usize].distance(position);
                        if apart <= self.distance && earliest.is_none_or(|earliest| other < earliest) {
                            earliest = Some(other);
                        }
                    }
                }
            }
        }
        if earliest.is_none() {
            let index = u32::try_from(self.vertices.len()).ok()?;
            self.vertices.push(position);
            self.cells.entry(cell.to_array()).or_default().push(index);
            return Some(index);
        }
        earliest
    }

    /// The cell of a position: its place in the grid, or at distance 0 its very bits.
    fn cell(&self, position: DVec3) -> I64Vec3 {
        if self.distance > 0.0 {
            // Far cells saturate, which costs time, not correctness.
            return (position / self.distance).floor().as_i64vec3();
        }
        // Adding 0 turns −0 into 0.
        let bits = (position + 0.0).to_array().map(|coordinate| coordinate.to_bits().cast_signed());
        I64Vec3::from_array(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_coordinates_join_and_others_do_not() {
        let mut weld = Weld::new(0.0);
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        let found = [0.0, -0.0, 1.0, next, 1.0].map(|x| weld.index(DVec3::new(x, 2.0, 3.0)).unwrap());
        assert_eq!(found, [0, 0, 1, 2, 1]);
        assert!(weld.vertices[0].x.is_sign_positive());
    }

    #[test]
    fn far_cells_do_not_overflow() {
        let mut weld = Weld::new(1e-6);
        let found = [1e300, -1e300, 1e300].map(|x| weld.index(DVec3::splat(x)).unwrap());
        assert_eq!(found, [0, 1, 0]);
    }

    proptest! {
        /// The grid finds what a walk through all earlier vertices finds.
        #[test]
        fn agrees_with_brute_force(
            points in prop::collection::vec(prop::array::uniform3(-2.0f64..2.0), 1..60),
            distance in prop_oneof![Just(0.0), 0.01f64..1.5],
        ) {
            let mut weld = Weld::new(distance);
            let mut kept: Vec<DVec3> = Vec::new();
            for point in points.into_iter().map(DVec3::from) {
                let expected = kept.iter().position(|other| other.distance(point) <= distance);
                let expected = expected.unwrap_or_else(|| { kept.push(point); kept.len() - 1 });
                prop_assert_eq!(weld.index(point), Some(expected as u32));
            }
            prop_assert_eq!(&weld.vertices, &kept);
        }
    }
}
