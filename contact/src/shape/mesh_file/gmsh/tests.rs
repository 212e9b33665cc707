use glam::DVec3;

use super::super::error::Location;
use super::super::tests::{octahedron, surface_only};
use super::*;

const ALL: [(Version, Encoding); 4] = [
    (Version::V2_2, Encoding::Text),
    (Version::V2_2, Encoding::Binary),
    (Version::V4_1, Encoding::Text),
    (Version::V4_1, Encoding::Binary),
];

fn message(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn every_version_and_encoding_reads_back_to_the_same_bits() {
    let whole = octahedron();
    let solid = MeshFile { triangles: Vec::new(), ..whole.clone() };
    for (version, encoding) in ALL {
        for mesh in [&whole, &surface_only(&whole), &solid] {
            let bytes = encode(mesh, version, encoding).unwrap();
            assert_eq!(&parse(&bytes).unwrap(), mesh, "{version:?} {encoding:?}");
        }
        let empty = MeshFile { vertices: vec![DVec3::ZERO], ..MeshFile::default() };
        assert!(matches!(*encode(&empty, version, encoding).unwrap_err().problem, Problem::Empty));
    }
}

#[test]
fn sparse_tags_are_numbered_in_file_order() {
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"$Nodes\"\n$EndPhysicalNames\n\
        $Nodes\n4\n70 0 0 0\n3 1 0 0\n\n900 0 1 0\n12 0 0 1\n$EndNodes\n$Elements\n4\n1 15 2 0 1 70\n2 1 2 0 1 70 3\n\
        8 2 0 900 3 70\n9 4 3 0 1 -7 3 12 70 900\n$EndElements\n$NodeData\nanything\n$EndNodeData\n";
    let mesh = parse(text.as_bytes()).unwrap();
    assert_eq!(mesh.triangles, [[2, 1, 0]]);
    assert_eq!(mesh.tetrahedra, [[1, 3, 0, 2]]);
    assert_eq!(mesh.vertices[2], DVec3::Y);
}

const BLOCKS: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n$EndEntities\n\
    $Nodes\n3 5 2 50\n0 1 0 1\n50\n0 0 0\n1 1 1 1\n2\n1 0 0 0.5\n2 1 1 3\n30\n4\n17\n\
    0 1 0 0.1 0.2\n0 0 1 0.1 0.2\n1 1 1 0.1 0.2\n$EndNodes\n\
    $Elements\n3 4 1 9\n1 1 1 1\n1 50 2\n2 1 2 2\n2 50 2 30\n3 30 4 17\n3 1 4 1\n9 2 4 17 50\n$EndElements\n";

#[test]
fn blocks_of_version_4_are_read() {
    let mesh = parse(BLOCKS.as_bytes()).unwrap();
    assert_eq!(mesh.vertices, [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [2, 3, 4]]);
    assert_eq!(mesh.tetrahedra, [[1, 3, 4, 0]]);
}

#[test]
fn big_endian_files_are_read() {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n\0\0\0\x01\n$EndMeshFormat\n$Nodes\n3\n".to_vec();
    for tag in 1..=3i32 {
        bytes.extend(tag.to_be_bytes());
        bytes.extend([f64::from(tag), 0.5, -1.0].map(f64::to_be_bytes).as_flattened());
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n2\n");
    bytes.extend([15, 1, 0, 1, 2, 2, 1, 1, 7, 2, 3, 2, 1].map(i32::to_be_bytes).as_flattened());
    bytes.extend(b"\n$EndElements\n");
    let mesh = parse(&bytes).unwrap();
    assert_eq!((mesh.vertices[1], &mesh.triangles[..]), (DVec3::new(2.0, 0.5, -1.0), &[[2, 1, 0]][..]));
}

#[test]
fn binary_sections_of_others_are_skipped() {
    let mesh = octahedron();
    for version in [Version::V2_2, Version::V4_1] {
        let mut bytes = encode(&mesh, version, Encoding::Binary).unwrap();
        let start = bytes.windows(6).position(|part| part == b"$Nodes").unwrap();
        let section = b"$Entities\n\0\x01\n$\xff\n\n\x02$End\n$EndEntities\n";
        bytes.splice(start..start, section.iter().copied());
        assert_eq!(parse(&bytes).unwrap(), mesh);
    }
}

#[test]
fn errors_name_the_line_of_text() {
    for (good, bad, start) in [
        ("4.1 0 8", "4 0 8", "line 2: version `4` of the Gmsh format cannot be read; save the mesh as version 2.2"),
        ("4.1 0 8", "4.1 2 8", "line 2: the encoding must be 0 (text) or 1 (binary)"),
        ("4.1 0 8", "4.1 0 4", "line 2: a Gmsh file with numbers of 4 bytes cannot be read"),
        ("3 5 2 50", "3 6 2 50", "line 21: the file declares 6 nodes in all blocks, but holds 5"),
        ("3 5 2 50", "1000000000000000000 5 2 50", "line 8: the file declares 1000000000000000000 blocks"),
        ("3 5 2 50", "-3 5 2 50", "line 8: the number of blocks must be an integer from 0"),
        ("2 1 1 3\n", "2 1 1 1000000000000000000\n", "line 15: the file declares 1000000000000000000 nodes in the"),
        ("2 1 1 3\n", "4 1 1 3\n", "line 15: the dimension of the block's entity must be an integer from 0 to 3"),
        ("30\n4", "30\n2", "line 17: node number 2 is given twice"),
        ("0 0 1 0.1 0.2", "0 0 inf 0.1 0.2", "line 20: the z coordinate must be a finite number, found `inf`"),
        ("0 0 1 0.1 0.2", "0 0 1", "line 20: expected a parametric coordinate, found the end of the line"),
        ("$EndNodes\n", "", "line 22: expected `$EndNodes`, found `$Elements`"),
        ("2 1 2 2\n", "2 1 9 2\n", "line 27: a second-order triangle of 6 nodes (type 9) cannot be read; save"),
        ("3 1 4 1\n", "3 1 11 1\n", "line 30: a second-order tetrahedron of 10 nodes (type 11) cannot be read"),
        ("2 1 2 2\n", "2 1 99 2\n", "line 27: an element of type 99 cannot be read"),
        ("9 2 4 17 50", "9 2 4 17 51", "line 31: the tetrahedron refers to vertex 51, but the 5 vertices are numbered"),
        ("$EndElements\n", "", "line 32: expected `$EndElements`, found the end of the file"),
        ("$EndEntities", "$EndEntitles", "line 4: expected `$EndEntities` to close the section"),
        ("$Elements\n", "$Nodes\n", "line 23: expected $MeshFormat, $Nodes and $Elements once"),
    ] {
        assert!(BLOCKS.contains(good));
        let found = message(&BLOCKS.replacen(good, bad, 1));
        assert!(found.starts_with(start), "{found}");
    }
    assert!(message("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n").starts_with("expected a section `$Nodes`, found none"));
}

#[test]
fn errors_name_the_byte_of_binary() {
    let mesh = octahedron();
    let find =
        |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).position(|part| part == word).unwrap() + word.len();
    for version in [Version::V2_2, Version::V4_1] {
        let bytes = encode(&mesh, version, Encoding::Binary).unwrap();
        let end = bytes.len() - b"\n$EndElements\n".len() - 3;
        let error = parse(&bytes[..end]).unwrap_err();
        assert!(matches!(error.place, Some(Location::Byte(at)) if at <= end as u64 && at + 8 >= end as u64), "{error}");
        let mut bad = bytes.clone();
        // The nodes end with a coordinate in both versions.
        let nodes = find(&bytes, b"$EndNodes") - b"\n$EndNodes".len();
        let last_coordinate = nodes - 8;
        bad[last_coordinate..nodes].copy_from_slice(&f64::INFINITY.to_le_bytes());
        let error = parse(&bad).unwrap_err();
        assert_eq!(error.place, Some(Location::Byte(last_coordinate as u64)), "{error}");
    }
    let mut hostile = encode(&mesh, Version::V4_1, Encoding::Binary).unwrap();
    let at = find(&hostile, b"$Nodes\n") + 32 + 12;
    hostile[at..at + 8].fill(0x7f);
    assert!(parse(&hostile).unwrap_err().to_string().contains("declares 9187201950435737471 nodes in the block"));
    hostile[at + 7] = 0xff;
    assert!(matches!(*parse(&hostile).unwrap_err().problem, Problem::Count { .. }));
}
