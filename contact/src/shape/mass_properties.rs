//! Volume, mass, centre of mass and inertia of a homogeneous solid, exact up to rounding.
//!
//! Over a tetrahedron with vertices p₀…p₃ and volume V, ∫x = V/4 Σpₖ and ∫xxᵀ = V/20 (Σ pₖpₖᵀ + (Σpₖ)(Σpₖ)ᵀ). A solid's
//! integrals are the sums over its tetrahedra, or over the signed tetrahedra between one point and its triangles.

use glam::{DMat3, DVec3};
use nalgebra::{Matrix3, SymmetricEigen};
use thiserror::Error;

use super::surface::Surface;
use super::tetrahedral_mesh::{TetrahedralMesh, volume};
use crate::sorting::CompactSort;

/// Products of inertia and differences of principal moments below this share of the inertia tensor's trace are taken
/// for zero.
pub const INERTIA_TOLERANCE: f64 = 1e-12;

/// What is wrong with the data for mass properties.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum MassPropertiesError {
    /// The density is not positive.
    #[error("the density is {density} kg/m³; it must be a finite positive number")]
    Density {
        /// The density given, kg/m³.
        density: f64,
    },
    /// The mass or volume is not positive.
    #[error("the mass is {mass} kg and the volume {volume} m³; both must be finite positive numbers")]
    MassOrVolume {
        /// The mass, kg.
        mass: f64,
        /// The volume, m³.
        volume: f64,
    },
    /// The centre of mass is not finite.
    #[error("the centre of mass is {centre}; it must be finite")]
    Centre {
        /// The centre, m.
        centre: DVec3,
    },
    /// The inertia tensor belongs to no body.
    #[error(
        "the inertia tensor has the principal moments {moments} kg·m²; it must be symmetric, and each moment positive \
         and at most the sum of the other two"
    )]
    Inertia {
        /// The principal moments, kg·m².
        moments: DVec3,
    },
    /// A surface without an inside has no volume.
    #[error("the surface has no inside, and so neither volume nor mass; close it, or state its mass properties")]
    NoInside,
}

/// Mass properties of a solid in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume, m³.
    pub volume: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub centre: DVec3,
    /// Inertia tensor about the centre of mass, along the axes of the shape's frame, kg·m².
    pub inertia: DMat3,
    /// Principal moments of inertia about the centre of mass, ascending, kg·m².
    pub principal_moments: DVec3,
    /// The principal axes as columns, in the order of the moments: a rotation from principal to shape axes, so that
    /// `inertia = axes · diag(moments) · axesᵀ`.
    ///
    /// The component of largest magnitude (the first of equals) of the first two axes is positive, the third axis is
    /// their cross product. Where moments are equal within [`INERTIA_TOLERANCE`], the axes are free and follow the
    /// shape's axes: all three are the shape's axes, or of two the first is the projection of the shape's axis that is
    /// most perpendicular to the remaining principal axis (the first of equals).
    pub principal_axes: DMat3,
}

impl MassProperties {
    /// The properties of a solid of some density (kg/m³) that a mesh fills.
    pub fn of_mesh(mesh: &TetrahedralMesh, density: f64) -> Result<Self, MassPropertiesError> {
        let (low, high) = mesh.surface().bounds();
        Self::of_tetrahedra((0..mesh.tetrahedra().len() as u32).map(|t| mesh.corners(t)), low.midpoint(high), density)
    }

    /// The properties of a solid of some density (kg/m³) within a surface.
    pub fn of_surface(surface: &Surface, density: f64) -> Result<Self, MassPropertiesError> {
        let (low, high) = surface.bounds();
        Self::of_cone(surface, low.midpoint(high), density)
    }

    /// As [`MassProperties::of_surface`], over the signed tetrahedra between a point (m) and the triangles. The numbers are
    /// best where the point sees all triangles from inside.
    pub fn of_cone(surface: &Surface, apex: DVec3, density: f64) -> Result<Self, MassPropertiesError> {
        let (low, high) = surface.bounds();
        let join = |t: u32| {
            let [a, b, c] = surface.corners(t);
            [apex, a, b, c]
        };
        Self::of_tetrahedra((0..surface.triangles().len() as u32).map(join), low.midpoint(high), density)
    }

    /// Properties of a solid of this density (kg/m³) and volume (m³) with its centre of mass in the origin; `inertia` is that
    /// of the density, about the origin (kg·m²).
    pub fn of_density(density: f64, volume: f64, inertia: DMat3) -> Result<Self, MassPropertiesError> {
        if !(density.is_finite() && density > 0.0) {
            return Err(MassPropertiesError::Density { density });
        }
        Self::new(volume, density * volume, DVec3::ZERO, inertia)
    }

    /// Properties known by other means: volume (m³), mass (kg), centre of mass (m) and inertia tensor about it (kg·m²).
    pub fn new(volume: f64, mass: f64, centre: DVec3, inertia: DMat3) -> Result<Self, MassPropertiesError> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        if !positive(volume) || !positive(mass) {
            return Err(MassPropertiesError::MassOrVolume { mass, volume });
        }
        if !centre.is_finite() {
            return Err(MassPropertiesError::Centre { centre });
        }
        let threshold = INERTIA_TOLERANCE * trace(inertia);
        let asymmetry = inertia - inertia.transpose();
        if !inertia.is_finite() || asymmetry.to_cols_array().iter().any(|entry| entry.abs() > threshold) {
            return Err(MassPropertiesError::Inertia { moments: inertia.diagonal() });
        }
        let (principal_moments, principal_axes) = principal(inertia);
        let moments = principal_moments;
        if moments.x <= 0.0 || moments.z > moments.x + moments.y + threshold {
            return Err(MassPropertiesError::Inertia { moments });
        }
        Ok(Self { volume, mass, centre, inertia, principal_moments, principal_axes })
    }

    /// Sums the integrals over tetrahedra of signed volume, relative to an origin near them.
    fn of_tetrahedra(
        tetrahedra: impl Iterator<Item = [DVec3; 4]>,
        origin: DVec3,
        density: f64,
    ) -> Result<Self, MassPropertiesError> {
        if !(density.is_finite() && density > 0.0) {
            return Err(MassPropertiesError::Density { density });
        }
        let (mut total, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in tetrahedra {
            let p = corners.map(|corner| corner - origin);
            let (v, sum) = (volume(p), p[0] + p[1] + p[2] + p[3]);
            total += v;
            first += v / 4.0 * sum;
            second += v / 20.0 * p.iter().fold(outer(sum), |squares, &corner| squares + outer(corner));
        }
        let offset = first / total;
        let covariance = second - total * outer(offset);
        let inertia = density * (DMat3::from_diagonal(DVec3::splat(trace(covariance))) - covariance);
        Self::new(total, density * total, origin + offset, inertia)
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

fn trace(m: DMat3) -> f64 {
    m.diagonal().element_sum()
}

/// Ascending eigenvalues of a symmetric matrix and the rotation of their axes, by the rules of [`MassProperties::principal_axes`].
pub(super) fn principal(inertia: DMat3) -> (DVec3, DMat3) {
    let threshold = INERTIA_TOLERANCE * trace(inertia);
    let entry = |row: usize, column: usize| {
        let value = inertia.col(column)[row];
        if row != column && value.abs() <= threshold { 0.0 } else { value }
    };
    let eigen = SymmetricEigen::new(Matrix3::from_fn(entry));
    let mut order = [0, 1, 2];
    order.compact_sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]).then(i.cmp(&j)));
    let moments = DVec3::from_array(order.map(|i| eigen.eigenvalues[i]));
    let [first, second, third] = order.map(|i| {
        let column = eigen.eigenvectors.column(i);
        DVec3::new(column[0], column[1], column[2]).normalize()
    });
    let equal = |s: f64, t: f64| (s - t).abs() <= threshold;
    let axes = match (equal(moments.x, moments.y), equal(moments.y, moments.z)) {
        (true, true) => DMat3::IDENTITY,
        (true, false) => {
            let u = most_perpendicular_axis(third);
            right_handed(u, third.cross(u))
        }
        (false, true) => right_handed(first, most_perpendicular_axis(first)),
        (false, false) => right_handed(first, second),
    };
    (moments, axes)
}

/// The coordinate axis with the smallest component along `u`, made perpendicular to `u`.
fn most_perpendicular_axis(u: DVec3) -> DVec3 {
    let axis = (0..3).min_by(|&i, &j| u[i].abs().total_cmp(&u[j].abs())).map_or(DVec3::X, |k| DMat3::IDENTITY.col(k));
    (axis - axis.dot(u) * u).normalize()
}

/// The rotation with these first two axes, up to their signs.
fn right_handed(first: DVec3, second: DVec3) -> DMat3 {
    let positive = |v: DVec3| {
        let largest = (1..3).fold(0, |best, k| if v[k].abs() > v[best].abs() { k } else { best });
        if v[largest] < 0.0 { -v } else { v }
    };
    let (first, second) = (positive(first), positive(second));
    DMat3::from_cols(first, second, first.cross(second))
}

#[cfg(test)]
mod tests {
    use parry3d_f64::mass_properties::MassProperties as PeerProperties;
    use proptest::prelude::*;

    use super::super::tetrahedralization_properties::{rotation, star};
    use super::*;
    use crate::shape::{cone::cone_from_kernel, sample};

    fn close(s: DMat3, t: DMat3, tolerance: f64) -> bool {
        (s - t).to_cols_array().iter().all(|x| x.abs() <= tolerance)
    }

    #[test]
    fn a_box_has_the_textbook_inertia() {
        let (centre, half) = (DVec3::new(5.0, -3.0, 2.0), DVec3::new(1.0, 0.5, 2.0));
        let mesh = cone_from_kernel(&sample::cuboid(centre, half)).unwrap();
        let found = MassProperties::of_mesh(&mesh, 2000.0).unwrap();
        let mass = 2000.0 * 8.0;
        assert!((found.volume - 8.0).abs() < 1e-12 && (found.mass - mass).abs() < 1e-8);
        assert!((found.centre - centre).length() < 1e-13);
        let squares = half * half;
        let textbook = mass / 3.0 * (DVec3::splat(squares.element_sum()) - squares);
        assert!(close(found.inertia, DMat3::from_diagonal(textbook), 1e-8));
        let ascending = DVec3::new(textbook.z, textbook.x, textbook.y);
        assert!((found.principal_moments - ascending).length() < 1e-8);
        assert!(close(found.principal_axes, DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y), 1e-12));
    }

    #[test]
    fn an_l_prism_is_three_cubes() {
        let found = MassProperties::of_surface(&sample::l_prism(), 1.0).unwrap();
        let centres = [DVec3::new(0.5, 0.5, 0.5), DVec3::new(1.5, 0.5, 0.5), DVec3::new(0.5, 1.5, 0.5)];
        let mean = (centres[0] + centres[1] + centres[2]) / 3.0;
        let inertia = centres.iter().fold(DMat3::ZERO, |sum, &c| {
            let d = c - mean;
            sum + DMat3::from_diagonal(DVec3::splat(1.0 / 6.0 + d.length_squared())) - outer(d)
        });
        assert!((found.centre - mean).length() < 1e-14);
        assert!(close(found.inertia, inertia, 1e-13));
    }

    #[test]
    fn equal_moments_take_the_shapes_axes() {
        let cube = MassProperties::of_surface(&sample::cuboid(DVec3::ONE, DVec3::ONE), 1.0).unwrap();
        assert_eq!(cube.principal_axes, DMat3::IDENTITY);
        let drum = MassProperties::of_surface(&sample::cuboid(DVec3::ZERO, DVec3::new(0.5, 2.0, 0.5)), 1.0).unwrap();
        assert!(close(drum.principal_axes, DMat3::from_cols(DVec3::Y, DVec3::X, -DVec3::Z), 1e-12));
    }

    #[test]
    fn bad_data_are_rejected() {
        let surface = sample::corner_tetrahedron();
        for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let found = MassProperties::of_surface(&surface, density);
            assert!(matches!(found, Err(MassPropertiesError::Density { .. })), "{found:?}");
        }
        let inertia = |x, y, z| DMat3::from_diagonal(DVec3::new(x, y, z));
        let new = |mass, inertia| MassProperties::new(1.0, mass, DVec3::ZERO, inertia);
        assert!(new(1.0, inertia(1.0, 1.5, 2.0)).is_ok());
        assert!(matches!(new(0.0, inertia(1.0, 1.0, 1.0)), Err(MassPropertiesError::MassOrVolume { .. })));
        assert!(matches!(new(1.0, inertia(1.0, 1.0, 3.0)), Err(MassPropertiesError::Inertia { .. })));
        assert!(matches!(new(1.0, inertia(-1.0, 1.0, 1.0)), Err(MassPropertiesError::Inertia { .. })));
        let mut skew = inertia(1.0, 1.0, 1.0);
        skew.x_axis.y = 0.1;
        assert!(matches!(new(1.0, skew), Err(MassPropertiesError::Inertia { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn mesh_surface_and_peer_agree(surface in star(), density in 0.1..1e4_f64) {
            let mesh = cone_from_kernel(&surface).unwrap();
            let ours = MassProperties::of_mesh(&mesh, density).unwrap();
            let from_surface = MassProperties::of_surface(&surface, density).unwrap();
            let peer = PeerProperties::from_trimesh(density, surface.vertices(), surface.triangles());
            let scale = trace(ours.inertia);
            prop_assert!((ours.mass - peer.mass()).abs() <= 1e-10 * ours.mass);
            prop_assert!((ours.centre - peer.local_com).length() <= 1e-10);
            prop_assert!(close(ours.inertia, peer.reconstruct_inertia_matrix(), 1e-8 * scale));
            prop_assert!((ours.volume - from_surface.volume).abs() <= 1e-12 * ours.volume);
            prop_assert!(close(ours.inertia, from_surface.inertia, 1e-10 * scale));
        }

        #[test]
        fn properties_move_with_the_solid(
            surface in star(), turn in rotation(), shift in prop::array::uniform3(-100.0..100.0_f64),
        ) {
            let (turn, shift) = (DMat3::from_quat(turn), DVec3::from_array(shift));
            let still = MassProperties::of_surface(&surface, 1000.0).unwrap();
            let vertices = surface.vertices().iter().map(|&p| turn * p + shift).collect();
            let moved = Surface::new(vertices, surface.triangles().to_vec()).unwrap();
            let moved = MassProperties::of_surface(&moved, 1000.0).unwrap();
            let scale = trace(still.inertia);
            prop_assert!((moved.mass - still.mass).abs() <= 1e-11 * still.mass);
            prop_assert!((moved.centre - (turn * still.centre + shift)).length() <= 1e-11);
            prop_assert!(close(moved.inertia, turn * still.inertia * turn.transpose(), 1e-11 * scale));
            prop_assert!((moved.principal_moments - still.principal_moments).length() <= 1e-11 * scale);
        }

        #[test]
        fn principal_axes_are_a_rotation_that_rebuilds_the_inertia(surface in star()) {
            let found = MassProperties::of_surface(&surface, 1.0).unwrap();
            let axes = found.principal_axes;
            prop_assert!(close(axes * axes.transpose(), DMat3::IDENTITY, 1e-12));
            prop_assert!((axes.determinant() - 1.0).abs() <= 1e-12);
            let rebuilt = axes * DMat3::from_diagonal(found.principal_moments) * axes.transpose();
            prop_assert!(close(rebuilt, found.inertia, 1e-11 * trace(found.inertia)));
            prop_assert!(found.principal_moments.x <= found.principal_moments.y);
            prop_assert!(found.principal_moments.y <= found.principal_moments.z);
            for axis in [axes.x_axis, axes.y_axis] {
                prop_assert!(axis.max_element() >= -axis.min_element());
            }
        }
    }
}
