use super::super::tests::{octahedron, surface_only};
use super::*;

const EXACT: WeldSettings = WeldSettings { weld_distance: 0.0, degenerate_facets: DegenerateFacets::Refuse };

fn positions(mesh: &MeshFile) -> Vec<[DVec3; 3]> {
    facets(mesh).unwrap().collect()
}

fn message(bytes: &[u8]) -> String {
    parse(bytes, &EXACT).unwrap_err().to_string()
}

#[test]
fn text_reads_back_to_the_same_bits() {
    let mesh = surface_only(&octahedron());
    let bytes = encode_text(&mesh).unwrap();
    let read = parse(&bytes, &EXACT).unwrap();
    assert_eq!(positions(&read), positions(&mesh));
    assert_eq!(read.vertices.len(), 6);
    assert_eq!(encode_text(&read).unwrap(), bytes);
}

#[test]
fn binary_reads_back_rounded_even_when_it_begins_with_solid() {
    let mesh = surface_only(&octahedron());
    let mut bytes = encode_binary(&mesh).unwrap();
    bytes[..12].copy_from_slice(b"solid\nfacet ");
    let read = parse(&bytes, &EXACT).unwrap();
    let rounded = positions(&mesh).into_iter().map(|facet| facet.map(|corner| corner.as_vec3().as_dvec3()));
    assert_eq!(positions(&read), rounded.collect::<Vec<_>>());
    assert_eq!(read.vertices.len(), 6);
}

#[test]
fn several_solids_capitals_and_normals_that_are_no_numbers_are_read() {
    let solid = "SOLID a name # of words\r\n\r\n  Facet Normal nan NaN -inf\r\n OUTER LOOP\r\n Vertex 0 0 0\r\n\
        VERTEX 1 0 0\r\n\tvertex +0 1e0 -0\r\nEndLoop\r\nEndFacet\r\nEndSolid a name\r\n";
    let mesh = parse(solid.repeat(2).as_bytes(), &EXACT).unwrap();
    assert_eq!(mesh.vertices, [DVec3::ZERO, DVec3::X, DVec3::Y]);
    assert_eq!(mesh.triangles, [[0, 1, 2]; 2]);
    let bad = solid.replace("1e0", "nan");
    assert!(message(bad.as_bytes()).starts_with("line 7: the y coordinate must be a finite number, found `nan`"));
}

#[test]
fn near_vertices_weld_and_slivers_follow_the_settings() {
    let text = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n\
        facet normal 0 0 1\nouter loop\nvertex 1e-7 0 0\nvertex 0 1 0\nvertex 0 0 0\nendloop\nendfacet\nendsolid\n";
    let parse_by =
        |weld_distance, degenerate_facets| parse(text.as_bytes(), &WeldSettings { weld_distance, degenerate_facets });
    assert_eq!(parse_by(0.0, DegenerateFacets::Refuse).unwrap().vertices.len(), 4);
    let error = parse_by(1e-6, DegenerateFacets::Refuse).unwrap_err();
    let start = "line 9: facet 2 has corners 1 and 3 at the same place";
    assert!(error.to_string().starts_with(start), "{error}");
    let mesh = parse_by(1e-6, DegenerateFacets::Drop).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (3, 1));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(*parse_by(bad, DegenerateFacets::Drop).unwrap_err().problem, Problem::Setting { .. }));
    }
}

#[test]
fn binary_files_cut_short_or_too_long_state_both_counts() {
    let bytes = encode_binary(&surface_only(&octahedron())).unwrap();
    assert_eq!(bytes.len(), 484);
    let start = "byte 383: the file declares 8 binary STL facets, but holds 5 and 49 bytes";
    assert!(message(&bytes[..383]).starts_with(start));
    let mut hostile = bytes.clone();
    hostile[HEADER..PREAMBLE].fill(0xff);
    assert!(message(&hostile).starts_with("byte 484: the file declares 4294967295 binary STL facets, but holds 8"));
    assert!(message(&bytes[..83]).starts_with("byte 83: expected an STL file"));
    hostile[..5].copy_from_slice(b"solid");
    assert!(message(&hostile).contains("4294967295"));
    assert!(message(b"").starts_with("byte 0: expected an STL file"));
}

#[test]
fn binary_numbers_must_be_finite() {
    let mut bytes = encode_binary(&surface_only(&octahedron())).unwrap();
    let at = PREAMBLE + 2 * FACET + NORMAL + 4 * 5;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let start = format!("byte {at}: each coordinate of facet 3 must be a finite number, found `NaN`");
    assert!(message(&bytes).starts_with(&start));
    let mut mesh = surface_only(&octahedron());
    mesh.vertices[0].x = 1e39;
    assert!(encode_binary(&mesh).unwrap_err().to_string().contains("cannot hold a coordinate beyond"));
}

#[test]
fn text_errors_name_the_line() {
    let start = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
    for (rest, expected) in [
        ("endsolid\n", "line 7: expected `endloop`, found `endsolid`"),
        ("endloop\nendfacet\n", "line 9: expected `facet normal` or `endsolid`, found the end of the file"),
        ("endloop\nendfacet x\n", "line 8: expected the end of the line, found `x`"),
        ("endloop\nendfacet\nendsolid\nfacet", "line 10: expected `solid`, found `facet`"),
        ("endloop\nendfacet\nfacet normal 0 x", "line 9: expected a number as a component of the normal"),
    ] {
        let found = message(format!("{start}{rest}").as_bytes());
        assert!(found.starts_with(expected), "{found}");
    }
    assert!(message(b"solid\nendsolid\n").starts_with("there are no triangles"));
}
