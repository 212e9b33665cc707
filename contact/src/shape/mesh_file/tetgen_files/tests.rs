use super::super::tests::octahedron;
use super::*;

#[test]
fn written_files_read_back_to_the_same_bits() {
    let mesh = octahedron();
    let files = encode(&mesh).unwrap();
    assert_eq!(parse(&files.node, Some(&files.ele), Some(&files.face)).unwrap(), mesh);
    let solid = parse(&files.node, Some(&files.ele), None).unwrap();
    assert_eq!((solid.triangles.len(), solid.tetrahedra.len()), (0, 8));
}

const NODE: &str = "# made by hand\n4 3 1 1 # four nodes\n\n0 0 0 0 7.5 1\n1 1 0 0 0 0\n2 0 1 0 0 0\n3 0 0 1 0 -1\n";
const ELE: &str = "1 4 1\n0 0 1 2 3 9.25\n# end\n";
const FACE: &str = "2 1\n0 0 2 1 -1\n1 0 1 3 0 5 -1\n";

#[test]
fn indices_from_zero_attributes_and_markers_are_read() {
    let mesh = parse(NODE.as_bytes(), Some(ELE.as_bytes()), Some(FACE.as_bytes())).unwrap();
    assert_eq!(mesh.vertices, [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]);
    assert_eq!((&mesh.triangles[..], &mesh.tetrahedra[..]), (&[[0, 2, 1], [0, 1, 3]][..], &[[0, 1, 2, 3]][..]));
}

#[test]
fn errors_name_the_file_and_the_line() {
    for (good, bad, start) in [
        ("4 3 1 1", "5 3 1 1", ".node: line 8: the file declares 5 nodes, but holds 4"),
        ("4 3 1 1", "3 3 1 1", ".node: line 7: the file declares 3 nodes, but holds more"),
        ("4 3 1 1", "-4 3 1 1", ".node: line 2: the number of nodes must be an integer from 0"),
        ("4 3 1 1", "4000000000 3 1 1", ".node: line 2: the file declares 4000000000 nodes"),
        ("4 3 1 1", "4 2 1 1", ".node: line 2: nodes of dimension 2 cannot be read"),
        ("4 3 1 1", "4 3 18446744073709551615 1", ".node: line 4: expected an attribute"),
        ("0 0 0 0 7.5 1", "2 0 0 0 7.5 1", ".node: line 4: expected the row of index 1"),
        ("2 0 1 0 0 0", "2 0 nan 0 0 0", ".node: line 6: the y coordinate must be a finite number, found `nan`"),
        ("2 0 1 0 0 0", "2 0 1 0 0", ".node: line 6: expected the boundary marker"),
        ("1 4 1", "1 10 1", ".ele: line 1: tetrahedra of 10 nodes cannot be read; make tetrahedra of first order"),
        ("0 1 2 3 9.25", "0 1 2 4 9.25", ".ele: line 2: the element refers to vertex 4, but the 4 vertices are"),
        ("0 1 2 3 9.25", "0 1 2 -1 9.25", ".ele: line 2: the element refers to vertex -1"),
        ("1 0 1 3 0", "1 0 1 x 0", ".face: line 3: a node of the element must be an integer"),
        ("1 0 1 3 0", "2 0 1 3 0", ".face: line 3: expected the row of index 1"),
    ] {
        let replaced = |text: &str| text.replacen(good, bad, 1).into_bytes();
        let (node, ele, face) = (replaced(NODE), replaced(ELE), replaced(FACE));
        let found = parse(&node, Some(&ele), Some(&face)).unwrap_err().to_string();
        assert!(found.starts_with(start), "{found}");
    }
    assert!(matches!(*parse(NODE.as_bytes(), None, None).unwrap_err().problem, Problem::Empty));
}

#[test]
fn siblings_are_found_by_stem() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = octahedron();
    for name in ["cube.1.node", "cube.1.ele", "cube.1.face"] {
        write(folder.path().join(name), &mesh).unwrap();
    }
    for name in ["cube.1.node", "cube.1.ele", "cube.1.face"] {
        assert_eq!(read(folder.path().join(name)).unwrap(), mesh);
    }
    std::fs::remove_file(folder.path().join("cube.1.face")).unwrap();
    assert_eq!(read(folder.path().join("cube.1.ele")).unwrap().triangles.len(), 0);
    std::fs::remove_file(folder.path().join("cube.1.node")).unwrap();
    let error = read(folder.path().join("cube.1.ele")).unwrap_err();
    assert_eq!(error.path, Some(folder.path().join("cube.1.node")));
}

#[test]
fn an_older_sibling_is_not_taken_for_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shape.node");
    let mesh = octahedron();
    write(&path, &mesh).unwrap();
    let surface = MeshFile { tetrahedra: Vec::new(), ..mesh };
    write(&path, &surface).unwrap();
    assert_eq!(read(&path).unwrap(), surface);
}
