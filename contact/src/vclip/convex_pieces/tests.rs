use std::collections::{BTreeMap, BTreeSet};

use dashu_ratio::RBig;
use glam::DQuat;
use proptest::prelude::*;

use super::*;
use crate::shape::sample;
use crate::shape::{Surface, TetrahedralMeshError};
use crate::vclip::hull::convex_hull;

const EXACT: PieceSettings = PieceSettings { tolerance: 0.0, seeds: 8 };

fn cone(surface: &Surface) -> TetrahedralMesh {
    crate::shape::cone::cone_from_kernel(surface).unwrap()
}

fn cut(mesh: &TetrahedralMesh) -> ConvexPieces {
    ConvexPieces::of_mesh(mesh, &PieceSettings::default())
}

fn count(mesh: &TetrahedralMesh) -> usize {
    cut(mesh).pieces().len()
}

/// Unit cubes of a lattice, each as six tetrahedra around the diagonal.
fn cubes(cells: &BTreeSet<[u32; 3]>) -> Result<TetrahedralMesh, TetrahedralMeshError> {
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut tetrahedra = Vec::new();
    for cell in cells {
        for (axes, is_even) in [
            ([0, 1, 2], true),
            ([1, 2, 0], true),
            ([2, 0, 1], true),
            ([0, 2, 1], false),
            ([2, 1, 0], false),
            ([1, 0, 2], false),
        ] {
            let mut corner = *cell;
            let mut path = vec![corner];
            for axis in axes {
                corner[axis] += 1;
                path.push(corner);
            }
            let fresh = |numbers: &BTreeMap<_, u32>| numbers.len() as u32;
            let mut t = [0, 1, 2, 3].map(|k| {
                let next = fresh(&numbers);
                *numbers.entry(path[k]).or_insert(next)
            });
            if !is_even {
                t.swap(2, 3);
            }
            tetrahedra.push(t);
        }
    }
    let mut vertices = vec![DVec3::ZERO; numbers.len()];
    numbers.iter().for_each(|(p, &v)| vertices[v as usize] = DVec3::from_array(p.map(f64::from)));
    TetrahedralMesh::new(vertices, tetrahedra)
}

fn cells(text: &[&str]) -> BTreeSet<[u32; 3]> {
    let row = |(y, row): (u32, &&str)| {
        (0..).zip(row.chars()).filter(|(_, c)| *c == '#').map(move |(x, _)| [x, y, 0]).collect::<Vec<_>>()
    };
    (0..).zip(text).flat_map(row).collect()
}

/// (b−a)·((c−a)×(d−a)), exactly.
fn exact_volume(points: [DVec3; 4]) -> RBig {
    let exact = |p: DVec3| p.to_array().map(|x| RBig::try_from(x).unwrap());
    let [a, b, c, d] = points.map(exact);
    let from_a = |p: [RBig; 3]| [0, 1, 2].map(|k| &p[k] - &a[k]);
    let [b, c, d] = [from_a(b), from_a(c), from_a(d)];
    let minor = |i: usize, j: usize| &c[i] * &d[j] - &c[j] * &d[i];
    &b[0] * minor(1, 2) + &b[1] * minor(2, 0) + &b[2] * minor(0, 1)
}

fn volume_inside(points: &[DVec3], faces: &[Vec<u32>]) -> RBig {
    let at = |v: u32| points[v as usize];
    faces.iter().map(|f| exact_volume([points[0], at(f[0]), at(f[1]), at(f[2])])).fold(RBig::ZERO, |s, v| s + v)
}

/// Every tetrahedron is in one piece, the border of each piece is closed and has the volume of its tetrahedra inside, in
/// rational numbers.
fn check_cut(mesh: &TetrahedralMesh, pieces: &ConvexPieces) {
    let mut all: Vec<u32> = pieces.pieces().iter().flat_map(|piece| piece.tetrahedra.clone()).collect();
    all.sort_unstable();
    assert_eq!(all, (0..mesh.tetrahedra().len() as u32).collect::<Vec<_>>());
    for (number, piece) in (0..).zip(pieces.pieces()) {
        assert!(piece.tetrahedra.iter().all(|&t| pieces.piece_of_tetrahedron()[t as usize] == number));
        let sides: BTreeSet<[u32; 2]> =
            piece.faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]).collect();
        assert_eq!(sides.len(), 3 * piece.faces.len());
        assert!(sides.iter().all(|&[v, w]| sides.contains(&[w, v])));
        assert_eq!(2 * piece.points.len(), piece.faces.len() + 4, "Euler");
        let positions: Vec<DVec3> = piece.vertices.iter().map(|&v| mesh.vertices()[v as usize]).collect();
        assert_eq!(positions, piece.points);
        let volume = piece.tetrahedra.iter().map(|&t| exact_volume(mesh.corners(t))).fold(RBig::ZERO, |s, v| s + v);
        assert_eq!(volume_inside(&piece.points, &piece.faces), volume);
    }
}

/// No point of a piece is above the plane of one of its faces, in rational numbers.
fn check_convex(pieces: &ConvexPieces) {
    for piece in pieces.pieces() {
        for face in &piece.faces {
            let [a, b, c] = [0, 1, 2].map(|k| piece.points[face[k] as usize]);
            assert!(piece.points.iter().all(|&p| exact_volume([a, b, c, p]) <= RBig::ZERO));
        }
    }
}

/// No two pieces that share a face have a convex union: their hull has more volume than both.
fn check_that_none_can_be_joined(mesh: &TetrahedralMesh, pieces: &ConvexPieces) {
    let piece_of = |t: u32| pieces.piece_of_tetrahedron()[t as usize] as usize;
    let neighbours: BTreeSet<[usize; 2]> = mesh
        .faces()
        .iter()
        .filter_map(|face| face.back.map(|back| [piece_of(face.front.tetrahedron), piece_of(back.tetrahedron)]))
        .filter(|[p, q]| p != q)
        .collect();
    for pair in neighbours {
        let [p, q] = pair.map(|k| &pieces.pieces()[k]);
        let (points, faces) = convex_hull(&[p.points.clone(), q.points.clone()].concat()).unwrap();
        let both = volume_inside(&p.points, &p.faces) + volume_inside(&q.points, &q.faces);
        assert!(volume_inside(&points, &faces) > both, "{pair:?}");
    }
}

#[test]
fn solids_that_are_convex_stay_whole() {
    let (vertices, triangles) = sample::sphere(true, 2);
    let (flat, stretched) = (DVec3::new(1.0, 1e-9, 1.0), DVec3::new(1e3, 1.0, 1e-3));
    for surface in [
        sample::corner_tetrahedron(),
        sample::cuboid(DVec3::ZERO, DVec3::ONE),
        sample::cuboid(DVec3::splat(0.1), flat),
        sample::cuboid(DVec3::splat(0.1), stretched),
        sample::split_box(6, 0.0),
        Surface::new(vertices, triangles).unwrap(),
    ] {
        let centre = surface.vertices().iter().sum::<DVec3>() / surface.vertices().len() as f64;
        let mesh = crate::shape::cone::cone_from(&surface, centre).unwrap();
        assert_eq!((count(&mesh), count(&mesh.refined().unwrap())), (1, 1));
        assert_eq!(ConvexPieces::of_mesh(&mesh, &EXACT).pieces().len(), 1);
    }
}

#[test]
fn each_reflex_edge_costs_a_cut() {
    let cases: [(&[&str], usize); 8] = [
        (&["###", "###"], 1),
        (&["##", "#."], 2),
        (&["#.#", "###"], 3),
        (&[".#.", "###"], 2),
        (&[".#.", "###", ".#."], 3),
        (&["###", "#.#", "###"], 4),
        (&["#..", "##.", "###"], 3),
        (&["#.#.#", "#####"], 4),
    ];
    for (text, expected) in cases {
        let mesh = cubes(&cells(text)).unwrap();
        let pieces = cut(&mesh);
        check_cut(&mesh, &pieces);
        check_convex(&pieces);
        assert_eq!(pieces.pieces().len(), expected, "{text:?}");
    }
    let l_prism = cone(&sample::l_prism());
    assert_eq!((count(&l_prism), count(&l_prism.refined().unwrap())), (2, 2));
}

#[test]
fn slivers_are_cut_as_other_tetrahedra() {
    let mesh = cubes(&cells(&["###", "#.#", "###"])).unwrap();
    for scale in [DVec3::new(1.0, 1.0, 1e-9), DVec3::new(1e-7, 1.0, 1.0), DVec3::new(1e3, 1.0, 1e-4)] {
        let thin = mesh.with_vertices(mesh.vertices().iter().map(|&v| v * scale).collect()).unwrap();
        let pieces = ConvexPieces::of_mesh(&thin, &EXACT);
        check_cut(&thin, &pieces);
        check_convex(&pieces);
        assert_eq!(pieces.pieces().len(), 4);
    }
}

#[test]
fn cavities_and_separate_solids_are_cut() {
    let block: BTreeSet<[u32; 3]> =
        (0..27).map(|k| [k % 3, k / 3 % 3, k / 9]).filter(|cell| *cell != [1, 1, 1]).collect();
    let mesh = cubes(&block).unwrap();
    let pieces = cut(&mesh);
    check_cut(&mesh, &pieces);
    check_convex(&pieces);
    assert_eq!(pieces.pieces().len(), 6);
    assert_eq!(count(&cubes(&cells(&["#.#"])).unwrap()), 2);
}

#[test]
fn noise_within_the_tolerance_does_not_cut() {
    let mesh = cone(&sample::split_box(5, 1e-9));
    assert_eq!(count(&mesh), 1);
    let exact = ConvexPieces::of_mesh(&mesh, &EXACT);
    assert!(exact.pieces().len() > 1);
    check_convex(&exact);
    assert!(count(&cone(&sample::split_box(5, 1e-3))) > 1);
}

#[test]
fn deviations_that_add_up_are_cut() {
    // A block whose top sinks towards its middle: by little from each strip to the next, but deep as a whole.
    let steps = 40;
    let x = |k: u32| f64::from(k) / f64::from(steps);
    let top = (0..=steps).rev().map(|k| [x(k), 1.0 + 0.1 * (x(k) - 0.5).powi(2)]);
    let polygon: Vec<[f64; 2]> = [[0.0, 0.0], [1.0, 0.0]].into_iter().chain(top).collect();
    // The top's corners are 2 on the right to `steps` + 2 on the left; those to the right are joined to corner 0.
    let cap: Vec<[u32; 3]> = [[0, 1, 2]].into_iter().chain((2..steps + 2).map(|k| [0, k, k + 1])).collect();
    let mesh = cone(&sample::prism(&polygon, &cap));
    let settings = PieceSettings { tolerance: 1e-3, seeds: 8 };
    let pieces = ConvexPieces::of_mesh(&mesh, &settings);
    check_cut(&mesh, &pieces);
    assert!(pieces.pieces().len() > 1);
    let depth = |piece: &ConvexPiece| {
        let hull = crate::vclip::rounded_hull::rounded_hull(&piece.points, 1e-3).unwrap();
        let inside = |p: &DVec3| -hull.outermost_plane(*p).1;
        piece.points.iter().map(inside).fold(0.0, f64::max)
    };
    assert!(pieces.pieces().iter().all(|piece| depth(piece) <= 2.0 * pieces.tolerance()));
}

#[test]
fn turned_solids_have_as_many_pieces() {
    let solids = [(cone(&sample::l_prism()), 2), (cubes(&cells(&["###", "#.#", "###"])).unwrap(), 4)];
    for (mesh, expected) in solids {
        for k in 1..20 {
            let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.1) * f64::from(k));
            let turned = mesh.vertices().iter().map(|&v| turn * v + DVec3::splat(0.3)).collect();
            let turned = mesh.with_vertices(turned).unwrap();
            let tight = PieceSettings { tolerance: 1e-14, ..PieceSettings::default() };
            for settings in [PieceSettings::default(), tight] {
                let pieces = ConvexPieces::of_mesh(&turned, &settings);
                check_cut(&turned, &pieces);
                assert_eq!(pieces.pieces().len(), expected);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_star_shaped_solids_are_convex_and_largest(radii in prop::collection::vec(1_u32..6, 42), is_refined: bool) {
        let (directions, triangles) = sample::sphere(true, 1);
        let vertices = directions.iter().zip(&radii).map(|(&d, &r)| d * f64::from(r)).collect();
        let Ok(mesh) = Surface::new(vertices, triangles).map(|surface| crate::shape::cone::cone_from(&surface, DVec3::ZERO).unwrap()) else {
            return Err(TestCaseError::reject("no surface"));
        };
        let mesh = if is_refined { mesh.refined().unwrap() } else { mesh };
        let pieces = ConvexPieces::of_mesh(&mesh, &EXACT);
        check_cut(&mesh, &pieces);
        check_convex(&pieces);
        check_that_none_can_be_joined(&mesh, &pieces);
        prop_assert_eq!(&pieces, &ConvexPieces::of_mesh(&mesh, &EXACT));
    }

    #[test]
    fn pieces_of_cubes_are_convex_and_largest(cells in prop::collection::btree_set([0_u32..3, 0_u32..3, 0_u32..3], 1..20)) {
        // Cubes that share an edge or a corner only are no solid.
        if let Ok(mesh) = cubes(&cells) {
            let pieces = cut(&mesh);
            check_cut(&mesh, &pieces);
            check_convex(&pieces);
            check_that_none_can_be_joined(&mesh, &pieces);
        }
    }
}
