//! Mass properties of solids without a closed form: cells that are halved, and columns through those about the surface.
//!
//! A cell that lies wholly inside counts with its exact moments, one outside not at all, one that meets the surface is
//! halved. What is left at the end bounds the errors: no matter how the surface runs through those cells, the volume is
//! between that of the inner cells and that of the inner and the left ones, and so for the moments. The estimate itself is
//! much better than its bounds: in each cell that is left four columns, along the axis that is most normal to the surface,
//! are cut by the surface exactly, by Gauss's rule of two points a side. The bounds shrink with the size of the cells, the
//! error of the estimate with its square or faster.
//!
//! Source of the bounds: Lee and Requicha, Algorithms for computing the volume and other integral properties of solids,
//! part II, Communications of the ACM 25(9), 1982.

use glam::{DMat3, DVec3};

use super::survey::{parts_inside, split};
use super::{BoundedMass, OrientedBox, Relation, Solid};
use crate::shape::{MassProperties, MassPropertiesError};

/// How far cells are halved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadrature {
    /// The share of the volume that may be left in cells about the surface.
    pub tolerance: f64,
    /// Cells about the surface are not halved where more than this would have to be looked at; at least one is.
    pub cells: usize,
}

impl Default for Quadrature {
    /// A thousandth, or about a hundred thousand cells: of a ball this leaves some per cent of the volume between the
    /// bounds, with an estimate that is good to five digits or so.
    fn default() -> Self {
        Self { tolerance: 1e-3, cells: 100_000 }
    }
}

/// Volume, first and second moments about an origin, of density one.
#[derive(Clone, Copy)]
struct Moments {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

impl Moments {
    const NONE: Self = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Adds a box or a rod: its volume, its centre, and the mean squares of the coordinates about the centre.
    fn add(&mut self, volume: f64, centre: DVec3, spread: DVec3) {
        self.volume += volume;
        self.first += volume * centre;
        let outer = DMat3::from_cols(centre * centre.x, centre * centre.y, centre * centre.z);
        self.second += volume * (outer + DMat3::from_diagonal(spread));
    }
}

impl Quadrature {
    /// The mass properties of a solid with an inside and an end, at a density in kg/m³, with bounds of their errors,
    /// which are infinite if no cell lies wholly inside.
    ///
    /// # Errors
    /// [`MassPropertiesError::Density`]; [`MassPropertiesError::MassOrVolume`] for solids without an end (infinite) or
    /// without an inside (zero).
    pub fn mass_properties(&self, solid: &dyn Solid, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        if !(density.is_finite() && density > 0.0) {
            return Err(MassPropertiesError::Density { density });
        }
        let bounds = solid.bounds();
        if !bounds.is_finite() {
            return Err(MassPropertiesError::MassOrVolume { mass: f64::INFINITY, volume: f64::INFINITY });
        }
        if !solid.is_closed() {
            return Err(MassPropertiesError::MassOrVolume { mass: 0.0, volume: 0.0 });
        }
        let root = OrientedBox::aligned(&bounds);
        let root = root.grown(root.rounding(bounds.largest_coordinate()));
        let origin = root.centre;
        let (mut known, left, looked_at) = self.cells_of(solid, root);
        let inner = known.volume;
        add_columns(solid, origin, &left, &mut known);
        let offset = known.first / known.volume;
        let outer = DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z);
        let covariance = known.second - known.volume * outer;
        let trace = covariance.diagonal().element_sum();
        let inertia = density * (DMat3::from_diagonal(DVec3::splat(trace)) - covariance);
        let volume = known.volume;
        let properties = MassProperties::new(volume, density * volume, origin + offset, inertia)?;

        // However the surface runs through the cells that are left.
        let (mut left_volume, mut first, mut second) = (0.0, DVec3::ZERO, 0.0);
        for cell in &left {
            let volume = 8.0 * cell.half.element_product();
            let about = cell.centre - (origin + offset);
            let (low, high) = ((about - cell.half).min(DVec3::ZERO), (about + cell.half).max(DVec3::ZERO));
            let largest = high.max(-low);
            let squares = largest * largest;
            left_volume += volume;
            first += volume * (high - low);
            second += volume * (squares.element_sum() - squares.min_element());
        }
        let rounding = f64::EPSILON * (looked_at + 4 * left.len()) as f64;
        let size = root.half.length() + origin.abs().max_element();
        let centre_error = first.max_element() / inner + rounding * size;
        let shift = 3.0 * density * (inner + left_volume) * centre_error * centre_error;
        Ok(BoundedMass {
            properties,
            volume_error: (volume - inner).max(inner + left_volume - volume) + rounding * volume,
            centre_error: if inner > 0.0 { centre_error } else { f64::INFINITY },
            inertia_error: if inner > 0.0 {
                density * second + shift + rounding * density * volume * root.half.length_squared()
            } else {
                f64::INFINITY
            },
        })
    }

    /// The moments of the cells inside, about the centre of the root; the cells that are left; how many were looked at.
    fn cells_of(&self, solid: &dyn Solid, root: OrientedBox) -> (Moments, Vec<OrientedBox>, usize) {
        let mut known = Moments::NONE;
        let (mut level, mut looked_at) = (vec![root], 1);
        loop {
            let mut left = Vec::new();
            for cell in level {
                match solid.relation(&cell) {
                    Relation::Outside => {}
                    Relation::Inside => {
                        let volume = 8.0 * cell.half.element_product();
                        known.add(volume, cell.centre - root.centre, cell.half * cell.half / 3.0);
                    }
                    Relation::Undecided => left.push(cell),
                }
            }
            let left_volume = left.len() as f64 * left.first().map_or(0.0, |cell| 8.0 * cell.half.element_product());
            let parts = 8 * left.len();
            if left_volume <= self.tolerance * (known.volume + 0.5 * left_volume)
                || (looked_at > 1 && parts > self.cells)
            {
                return (known, left, looked_at);
            }
            looked_at += parts;
            level = left.iter().flat_map(split).collect();
        }
    }
}

/// Adds what four columns through each cell say is inside.
fn add_columns(solid: &dyn Solid, origin: DVec3, cells: &[OrientedBox], known: &mut Moments) {
    let mut crossings = Vec::new();
    for cell in cells {
        let axis = solid.nearest(cell.centre).map_or(0, |near| {
            let normal = near.normal.abs();
            (1..3).fold(0, |best, k| if normal[k] > normal[best] { k } else { best })
        });
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        let area = cell.half[b] * cell.half[c];
        for corner in 0..4 {
            let place = |side: i32, half: f64| if side == 0 { -half } else { half } / 3.0_f64.sqrt();
            let mut from = cell.centre;
            from[b] += place(corner & 1, cell.half[b]);
            from[c] += place(corner >> 1, cell.half[c]);
            let mut to = from;
            from[axis] -= cell.half[axis];
            to[axis] += cell.half[axis];
            parts_inside(solid, from, to, &mut crossings, |start, end| {
                let length = (end - start) * 2.0 * cell.half[axis];
                let mut spread = DVec3::ZERO;
                spread[axis] = length * length / 12.0;
                known.add(area * length, from.lerp(to, start.midpoint(end)) - origin, spread);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::solid::stand_ins::{StandInBall, StandInBlock, StandInHalfSpace};

    #[test]
    fn a_ball_has_its_mass_within_the_bounds_and_nearer() {
        for radius in [1e-6, 1.0, 1e6] {
            let found =
                Quadrature { tolerance: 1e-3, cells: 20_000 }.mass_properties(&StandInBall { radius }, 3.0).unwrap();
            let (volume, mass) = (4.0 / 3.0 * PI * radius.powi(3), 4.0 * PI * radius.powi(3));
            let moment = 0.4 * mass * radius * radius;
            let off = (found.properties.volume - volume).abs();
            assert!(off <= found.volume_error && found.volume_error < 0.15 * volume, "{off} {found:?}");
            assert!(off < 1e-4 * volume, "{}", off / volume);
            assert!(found.properties.centre.length() < 1e-5 * radius && found.centre_error < 0.2 * radius);
            assert!((found.properties.principal_moments / moment - 1.0).abs().max_element() < 1e-4);
            assert!(
                found.inertia_error > 1e-6 * moment && found.inertia_error < moment,
                "{}",
                found.inertia_error / moment
            );
        }
    }

    #[test]
    fn a_slim_block_is_split_into_cubes() {
        let half = DVec3::new(3.0, 0.1, 0.02);
        let found = Quadrature::default().mass_properties(&StandInBlock { half }, 1.0).unwrap();
        let volume = 8.0 * half.element_product();
        let off = (found.properties.volume - volume).abs();
        assert!(off <= found.volume_error && off < 1e-6 * volume, "{off}");
        let exact = volume / 3.0 * (half.x * half.x + half.y * half.y);
        let off = (found.properties.inertia.z_axis.z - exact).abs();
        assert!(off <= found.inertia_error && off < 1e-5 * exact, "{off}");
    }

    #[test]
    fn more_cells_tighten_the_bounds() {
        let of =
            |cells| Quadrature { tolerance: 0.0, cells }.mass_properties(&StandInBall { radius: 1.0 }, 1.0).unwrap();
        let (few, many) = (of(500), of(30_000));
        assert!(many.volume_error < 0.3 * few.volume_error && many.centre_error < 0.3 * few.centre_error);
        assert!(many.inertia_error < 0.4 * few.inertia_error);
        // The bounds of the volume are those of the cells: they hold for any shape with the same cells.
        assert!(few.volume_error > 0.01);
    }

    #[test]
    fn solids_without_an_end_and_bad_densities_are_refused() {
        let of = |solid: &dyn Solid, density| Quadrature::default().mass_properties(solid, density).unwrap_err();
        assert!(matches!(of(&StandInHalfSpace, 1.0), MassPropertiesError::MassOrVolume { .. }));
        for density in [0.0, -1.0, f64::NAN] {
            assert!(matches!(of(&StandInBall { radius: 1.0 }, density), MassPropertiesError::Density { .. }));
        }
    }
}
