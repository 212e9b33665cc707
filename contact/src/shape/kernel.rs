//! A point in the kernel of a star-shaped polyhedron: one from which every face is seen from inside.
//!
//! The kernel is the intersection of the inner half-spaces of all faces. The point with the largest margin r solves the
//! linear program "maximize r subject to nᵢ·x + r ≤ dᵢ for every face plane nᵢ·x = dᵢ" (Chebyshev centre). Its dual has
//! four equality constraints and one variable per plane, so the revised simplex method on it keeps a basis of four
//! planes: it starts from a regular tetrahedron around the polyhedron (redundant planes, as the kernel lies inside) and
//! brings in the plane that is violated most.
//!
//! A box has many points of largest margin. The program is therefore solved with a tiny push in four directions and
//! their opposites, and the mean of the solutions is taken: it is the centre wherever the set of such points has one,
//! and has the largest margin up to the size of the push.

use glam::DVec3;
use nalgebra::{Matrix4, Vector4};

use super::surface::Surface;

/// The margin of a usable kernel point, as a share of the largest side of the bounding box, is above this.
pub const KERNEL_MARGIN_TOLERANCE: f64 = 1e-6;

/// Weight of a coordinate against the margin in the objective, where the coordinates are scaled to at most 1.
const PUSH: f64 = 1e-9;

/// The directions of the push, each also taken backwards; no simple face is perpendicular to any.
const PUSH_DIRECTIONS: [DVec3; 4] =
    [DVec3::new(1.0, 0.8, 0.6), DVec3::new(0.8, 0.6, -1.0), DVec3::new(0.6, -1.0, 0.8), DVec3::new(-1.0, 0.8, 0.6)];

/// A plane is violated if the current point is past it by more than this (lengths scaled to at most 1).
const VIOLATION_TOLERANCE: f64 = 1e-13;

/// Pivots smaller than this are taken for zero.
const PIVOT_TOLERANCE: f64 = 1e-11;

/// After this many pivots the smallest-index rule (Bland), which cannot cycle, replaces the most-violated rule.
const FAST_PIVOTS: usize = 200;

/// The method gives up after this many pivots.
const MAXIMUM_PIVOTS: usize = 2_000;

/// A point from which all faces of a polyhedron are seen from inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// The point, m, in the frame of the surface.
    pub point: DVec3,
    /// Distance to the nearest face plane, m, positive.
    pub margin: f64,
}

impl Kernel {
    /// The kernel point of a surface with the largest distance to the face planes; `None` if that distance is not
    /// above [`KERNEL_MARGIN_TOLERANCE`] times the largest side of the bounding box: the solid is not star-shaped, or
    /// too barely so for tetrahedra from one point to every face.
    pub fn of(surface: &Surface) -> Option<Self> {
        let (low, high) = surface.bounds();
        let (middle, size) = (low + 0.5 * (high - low), (high - low).max_element());
        let corners: Vec<DVec3> = surface.vertices().iter().map(|&p| (p - middle) / size).collect();
        let planes: Vec<Plane> = surface
            .normals()
            .iter()
            .zip(surface.triangles())
            .map(|(&normal, triangle)| {
                let distance = triangle.map(|v| normal.dot(corners[v as usize])).into_iter().fold(f64::MAX, f64::min);
                Plane { normal, distance }
            })
            .collect();
        let mut point = DVec3::ZERO;
        for direction in PUSH_DIRECTIONS.iter().flat_map(|&d| [d, -d]) {
            let solution = most_central_point(&planes, &corners, PUSH * direction)?;
            point += solution / (2 * PUSH_DIRECTIONS.len()) as f64;
        }
        let margin = planes.iter().map(|p| p.distance - p.normal.dot(point)).fold(f64::MAX, f64::min);
        (margin > KERNEL_MARGIN_TOLERANCE).then(|| Self { point: middle + size * point, margin: size * margin })
    }
}

/// The half-space normal·x ≤ distance.
#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: DVec3,
    distance: f64,
}

/// The point x that maximizes r + push·x subject to nᵢ·x + r ≤ dᵢ; `None` if the method fails or r is not positive.
fn most_central_point(planes: &[Plane], corners: &[DVec3], push: DVec3) -> Option<DVec3> {
    let start = enclosing_tetrahedron(corners);
    let plane = |i: usize| if i < 4 { start[i] } else { planes[i - 4] };
    let column = |p: Plane| Vector4::new(p.normal.x, p.normal.y, p.normal.z, 1.0);
    let objective = Vector4::new(push.x, push.y, push.z, 1.0);
    let mut basis = [0, 1, 2, 3];
    for pivot in 0..MAXIMUM_PIVOTS {
        let matrix = Matrix4::from_columns(&basis.map(|i| column(plane(i)))).lu();
        let tight = Matrix4::from_columns(&basis.map(|i| column(plane(i)))).transpose().lu();
        let distances = Vector4::from(basis.map(|i| plane(i).distance));
        let (weights, solution) = (matrix.solve(&objective)?, tight.solve(&distances)?);
        let (point, margin) = (DVec3::new(solution.x, solution.y, solution.z), solution.w);
        if margin <= 0.0 {
            return None; // the margin only decreases from pivot to pivot
        }
        let excess = |i: usize| plane(i).normal.dot(point) + margin - plane(i).distance;
        let Some(entering) = entering_plane(planes.len() + 4, excess, pivot < FAST_PIVOTS) else {
            return Some(point);
        };
        let change = matrix.solve(&column(plane(entering)))?;
        basis[leaving_place(&basis, &weights, &change)?] = entering;
    }
    None
}

/// The plane that is violated most, or (not `fast`) the first violated one.
fn entering_plane(count: usize, excess: impl Fn(usize) -> f64, fast: bool) -> Option<usize> {
    if !fast {
        return (0..count).find(|&i| excess(i) > VIOLATION_TOLERANCE);
    }
    let worst = (0..count)
        .map(|i| (i, excess(i)))
        .fold((0, VIOLATION_TOLERANCE), |worst, candidate| if candidate.1 > worst.1 { candidate } else { worst });
    (worst.1 > VIOLATION_TOLERANCE).then_some(worst.0)
}

/// The place in the basis whose weight reaches zero first when the entering plane's weight grows; of equals, the one
/// with the smallest plane index.
fn leaving_place(basis: &[usize; 4], weights: &Vector4<f64>, change: &Vector4<f64>) -> Option<usize> {
    (0..4).filter(|&k| change[k] > PIVOT_TOLERANCE).min_by(|&k, &m| {
        let ratio = |place: usize| weights[place].max(0.0) / change[place];
        ratio(k).total_cmp(&ratio(m)).then(basis[k].cmp(&basis[m]))
    })
}

/// Four planes with the normals of a regular tetrahedron that touch the points from outside.
fn enclosing_tetrahedron(points: &[DVec3]) -> [Plane; 4] {
    [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(|n| {
        let normal = DVec3::from_array(n).normalize();
        Plane { normal, distance: points.iter().map(|&p| normal.dot(p)).fold(f64::MIN, f64::max) }
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3Swizzles;
    use proptest::prelude::*;

    use super::super::tetrahedralization_properties::rotation;
    use super::*;
    use crate::shape::sample;

    #[test]
    fn a_long_box_has_its_kernel_point_in_the_middle() {
        let centre = DVec3::new(3.0, -2.0, 0.5);
        let kernel = Kernel::of(&sample::cuboid(centre, DVec3::new(0.5, 0.5, 4.0))).unwrap();
        assert!((kernel.point - centre).length() < 1e-9, "{kernel:?}");
        assert!((kernel.margin - 0.5).abs() < 1e-8);
    }

    #[test]
    fn the_kernel_of_an_l_prism_is_its_corner_square() {
        // Arms along x and y; the kernel is the unit cube between them.
        let kernel = Kernel::of(&sample::l_prism()).unwrap();
        assert!((kernel.point - DVec3::splat(0.5)).length() < 1e-9, "{kernel:?}");
        assert!((kernel.margin - 0.5).abs() < 1e-8);
    }

    #[test]
    fn the_margin_is_the_inradius_of_a_tetrahedron() {
        // Corner tetrahedron: three axis planes and x+y+z ≤ 1; inradius 1/(3+√3).
        let kernel = Kernel::of(&sample::corner_tetrahedron()).unwrap();
        let inradius = 1.0 / (3.0 + 3.0_f64.sqrt());
        assert!((kernel.margin - inradius).abs() < 1e-8);
        assert!((kernel.point - DVec3::splat(inradius)).length() < 1e-8);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// The best point is where four planes have the same distance: try all fours.
        #[test]
        fn the_margin_is_the_best_of_all_fours(radii in prop::collection::vec(0.2..2.0_f64, 6), apart in any::<bool>()) {
            let (directions, triangles) = sample::sphere(false, 0);
            let offset = if apart { DVec3::new(0.3, -0.2, 0.25) } else { DVec3::ZERO };
            let place = |(d, &r): (&DVec3, &f64)| r * d + d.abs().yzx() * offset;
            let surface = Surface::new(directions.iter().zip(&radii).map(place).collect(), triangles);
            prop_assume!(surface.is_ok());
            let surface = surface.unwrap();
            let planes: Vec<Vector4<f64>> = surface.normals().iter().map(|n| Vector4::new(n.x, n.y, n.z, 1.0)).collect();
            let distances: Vec<f64> =
                surface.normals().iter().zip(0..).map(|(n, t)| n.dot(surface.corners(t)[0])).collect();
            let mut best = f64::MIN;
            for fours in 0_u32..1 << planes.len() {
                if fours.count_ones() != 4 {
                    continue;
                }
                let chosen: Vec<usize> = (0..planes.len()).filter(|i| fours >> i & 1 == 1).collect();
                let rows = Matrix4::from_fn(|i, j| planes[chosen[i]][j]);
                let right = Vector4::from_fn(|i, _| distances[chosen[i]]);
                let Some(solution) = rows.full_piv_lu().solve(&right) else { continue };
                if planes.iter().zip(&distances).all(|(p, d)| p.dot(&solution) <= d + 1e-9) {
                    best = best.max(solution.w);
                }
            }
            match Kernel::of(&surface) {
                Some(kernel) => prop_assert!((kernel.margin - best).abs() < 1e-7, "{:?} {}", kernel, best),
                None => prop_assert!(best < 1e-5, "{}", best),
            }
        }

        /// The largest ball in a regular prism touches both caps or all sides.
        #[test]
        fn prisms_have_a_known_margin(
            n in 3..60_u32, logarithm in -3.0..3.0_f64, turn in rotation(), shift in prop::array::uniform3(-9.0..9.0_f64),
        ) {
            let corner = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(n);
            let polygon: Vec<[f64; 2]> = (0..n).map(|i| [corner(i).cos(), corner(i).sin()]).collect();
            let cap: Vec<[u32; 3]> = (2..n).map(|i| [0, i - 1, i]).collect();
            let prism = sample::prism(&polygon, &cap);
            let height = 10_f64.powf(logarithm);
            let place = |p: &DVec3| turn * (*p * DVec3::new(1.0, 1.0, height)) + DVec3::from_array(shift);
            let prism = Surface::new(prism.vertices().iter().map(place).collect(), prism.triangles().to_vec()).unwrap();
            let kernel = Kernel::of(&prism).unwrap();
            let margin = (0.5 * height).min((0.5 * corner(1)).cos());
            prop_assert!((kernel.margin - margin).abs() < 1e-8 * height.max(1.0), "{:?} {}", kernel, margin);
        }
    }

    #[test]
    fn a_u_prism_and_a_hollow_box_have_no_kernel() {
        assert_eq!(Kernel::of(&sample::u_prism()), None);
        assert_eq!(Kernel::of(&sample::hollow_box()), None);
    }
}
