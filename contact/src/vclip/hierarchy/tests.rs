use super::*;
use crate::shape::{Polyhedron, ShapeError, TetrahedralizationSettings, sample};
use glam::DQuat;

fn shape(surface: &crate::shape::Surface) -> Polyhedron {
    Polyhedron::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

/// A prism over a star of six points, turned.
fn star() -> Polyhedron {
    let polygon: Vec<[f64; 2]> = (0..12)
        .map(|k| {
            let (angle, radius) = (std::f64::consts::TAU * f64::from(k) / 12.0, f64::from(2 - k % 2));
            [radius * libm::cos(angle), radius * libm::sin(angle)]
        })
        .collect();
    // The tips 0, 2 … 10 and the hexagon of the others.
    let tips = (0..6).map(|k| [2 * k, 2 * k + 1, (2 * k + 11) % 12]);
    let cap: Vec<[u32; 3]> = tips.chain([[1, 3, 5], [1, 5, 7], [1, 7, 9], [1, 9, 11]]).collect();
    let mesh = shape(&sample::prism(&polygon, &cap)).mesh().unwrap().clone();
    let turn = DQuat::from_xyzw(0.1, 0.7, -0.2, 0.6).normalize();
    let turned = mesh.vertices().iter().map(|&v| turn * v).collect();
    Polyhedron::from_mesh(mesh.with_vertices(turned).unwrap())
}

fn pieces_below(tree: &PieceHierarchy, node: u32) -> Vec<u32> {
    match tree.nodes()[node as usize].content {
        Content::Piece(piece) => vec![piece],
        Content::Nodes(children) => {
            assert!(children.iter().all(|&child| child < node));
            let mut below = children.map(|child| pieces_below(tree, child)).concat();
            below.sort_unstable();
            below
        }
    }
}

#[test]
fn hulls_hold_all_pieces_below() {
    for shape in [shape(&sample::l_prism()), star(), star().refined(1).unwrap(), shape(&sample::split_box(3, 0.1))] {
        let tree = shape.pieces().unwrap();
        let pieces = tree.pieces().pieces();
        assert!(pieces.len() > 1);
        assert_eq!(tree.nodes().len(), 2 * pieces.len() - 1);
        assert_eq!(pieces_below(tree, tree.root()), (0..pieces.len() as u32).collect::<Vec<_>>());
        for (number, node) in (0..).zip(tree.nodes()) {
            assert!(node.margin < 1e-13, "{}", node.margin);
            for piece in pieces_below(tree, number) {
                for &point in &pieces[piece as usize].points {
                    assert!(node.polyhedron.outermost_plane(point).1 <= node.margin);
                }
            }
            if let Content::Piece(piece) = node.content {
                assert_eq!(&node.polyhedron, tree.polyhedron(piece));
            }
        }
    }
}

#[test]
fn a_convex_shape_is_one_node() {
    let shape = shape(&sample::cuboid(DVec3::ZERO, DVec3::ONE)).refined(1).unwrap();
    let tree = shape.pieces().unwrap();
    let [node] = tree.nodes() else { panic!("{}", tree.nodes().len()) };
    let cube = &node.polyhedron;
    assert_eq!([cube.vertices().len(), cube.edge_count(), cube.face_count()], [8, 12, 6]);
    assert_eq!((node.content, tree.root()), (Content::Piece(0), 0));
}

#[test]
fn features_have_one_number_in_the_shape() {
    let shape = star();
    let tree = shape.pieces().unwrap();
    let kinds = [FeatureId::Vertex, FeatureId::Edge, FeatureId::Facet];
    let mut next = [0; 3];
    for piece in 0..tree.pieces().pieces().len() as u32 {
        for (kind, next) in kinds.into_iter().zip(&mut next) {
            for number in (0..).map(kind).take_while(|&feature| tree.polyhedron(piece).has(feature)) {
                assert_eq!(tree.number(piece, number), Some(kind(*next)));
                assert_eq!(tree.feature(kind(*next)), Some((piece, number)));
                *next += 1;
            }
        }
    }
    for (kind, next) in kinds.into_iter().zip(next) {
        assert_eq!((tree.feature(kind(next)), tree.feature(kind(u32::MAX))), (None, None));
        assert_eq!(tree.number(0, kind(next)), None);
        assert_eq!(tree.number(tree.pieces().pieces().len() as u32, kind(0)), None);
    }
}

#[test]
fn the_tree_is_built_once_and_goes_with_copies() {
    let shape = shape(&sample::l_prism());
    let before = shape.clone();
    let tree = shape.pieces().unwrap();
    assert!(std::ptr::eq(tree, shape.clone().pieces().unwrap()));
    assert!(!std::ptr::eq(tree, before.pieces().unwrap()));
    assert_eq!(tree, before.pieces().unwrap());
    assert_eq!(tree, &PieceHierarchy::of_mesh(shape.mesh().unwrap(), &PieceSettings::default()).unwrap());
    assert_eq!(shape, before);
}

#[test]
fn pieces_without_distinct_features_are_reported() {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0 / 3.0, 1.0 / 3.0, 3.2e-15)];
    let shape = Polyhedron::from_mesh(TetrahedralMesh::new(vertices, vec![[0, 1, 2, 3]]).unwrap());
    let error = shape.pieces().unwrap_err();
    let ShapeError::Pieces(error) = error else { panic!("{error}") };
    assert_eq!((error.first, error.pieces), (0, 1));
    assert!(error.to_string().contains("enclose no volume"), "{error}");
}
