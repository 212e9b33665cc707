use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::shape::TetrahedralMeshError;
use crate::shape::sample;
use crate::shape::tetrahedralization_properties::star;

/// What to do where TetGen is missing.
const TO_INSTALL: &str = "this test runs TetGen; scripts/install-packages installs it";

/// A shell script in place of TetGen; `$3` is the path of the input without `.poly`.
///
/// The shell writes it, so that no copy of this process can hold it open while it is run.
fn fake(directory: &Path, body: &str) -> TetgenSettings {
    let program = directory.join("tetgen");
    let text = format!("#!/bin/sh\nset -- \"$1\" \"$2\" \"${{2%.poly}}\"\n{body}\n");
    let status = Command::new("sh")
        .args(["-c", "printf '%s' \"$2\" > \"$1\" && chmod +x \"$1\"", "sh"])
        .arg(&program)
        .arg(text)
        .status()
        .unwrap();
    assert!(status.success());
    TetgenSettings { program: Some(program), ..TetgenSettings::default() }
}

fn answer(body: &str) -> Result<TetrahedralMesh, TetgenError> {
    let directory = tempfile::tempdir().unwrap();
    tetrahedralize(&sample::corner_tetrahedron(), &fake(directory.path(), body))
}

const NODES: &str = "printf '4 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n# end\\n' > \"$3.1.node\"\n";

#[test]
fn switches_follow_the_settings() {
    let mut settings = TetgenSettings::default();
    assert_eq!(settings.switches().unwrap(), "-pYQ");
    settings.quality_ratio = Some(2.0);
    settings.maximum_volume = Some(0.015);
    assert_eq!(settings.switches().unwrap(), "-pYQq2a0.015");
    settings.maximum_volume = Some(0.0);
    assert!(matches!(settings.switches(), Err(TetgenError::MaximumVolume { .. })));
    settings.quality_ratio = Some(f64::NAN);
    assert!(matches!(settings.switches(), Err(TetgenError::QualityRatio { .. })));
}

#[test]
fn solids_of_every_kind_are_filled() {
    for surface in [sample::u_prism(), sample::l_prism(), sample::cuboid(DVec3::splat(0.1), DVec3::splat(1.0 / 3.0))] {
        let mesh = tetrahedralize(&surface, &TetgenSettings::default()).expect(TO_INSTALL);
        assert_eq!(&mesh.vertices()[..surface.vertices().len()], surface.vertices());
        assert!((mesh.volume() - surface.volume()).abs() < 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_solids_are_filled(surface in star(), quality in prop::option::of(1.2..3.0_f64)) {
        let settings = TetgenSettings { quality_ratio: quality, ..TetgenSettings::default() };
        let mesh = tetrahedralize(&surface, &settings).expect(TO_INSTALL);
        prop_assert_eq!(&mesh.vertices()[..surface.vertices().len()], surface.vertices());
        prop_assert!((mesh.volume() - surface.volume()).abs() <= 1e-12 * surface.volume());
    }
}

#[test]
fn cavities_stay_empty() {
    // A cube with a cavity that holds another cube.
    let (mut vertices, mut triangles) = sample::hollow_box_parts();
    let (inner, inner_triangles) = sample::cuboid_parts(DVec3::ZERO, DVec3::splat(0.25));
    vertices.extend(inner);
    triangles.extend(inner_triangles.iter().map(|t| t.map(|v| v + 16)));
    let surface = Surface::new(vertices, triangles).unwrap();
    let mesh = tetrahedralize(&surface, &TetgenSettings::default()).expect(TO_INSTALL);
    assert!((mesh.volume() - 7.125).abs() < 1e-12);
}

#[test]
fn an_answer_with_its_own_order_and_numbering_is_understood() {
    let body = "printf '4 3 0 0\\n1 0 0 0\\n2 1 0 0\\n3 0 1 0\\n4 0 0 1\\n' > \"$3.1.node\"\n\
                    printf '1 4 0\\n1 1 2 4 3\\n' > \"$3.1.ele\"";
    assert_eq!(answer(body).unwrap().tetrahedra(), [[0, 1, 2, 3]]);
    // An unused fifth vertex is dropped.
    let body = "printf '5 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n4 9 9 9\\n' > \"$3.1.node\"\n\
                    printf '1 4 0\\n0 0 1 2 3\\n' > \"$3.1.ele\"";
    assert_eq!(answer(body).unwrap().vertices().len(), 4);
}

#[test]
fn a_missing_program_says_how_to_get_it() {
    let program = Some(PathBuf::from("no-such-tetgen"));
    let error = tetrahedralize(&sample::u_prism(), &TetgenSettings { program, ..TetgenSettings::default() });
    let error = error.unwrap_err();
    assert!(matches!(error, TetgenError::MissingProgram { .. }));
    let text = error.to_string();
    assert!(text.contains("no-such-tetgen") && text.contains("apt install tetgen"), "{text}");
}

#[test]
fn a_program_that_cannot_run_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let settings = TetgenSettings { program: Some(directory.path().to_owned()), ..TetgenSettings::default() };
    assert!(matches!(tetrahedralize(&sample::u_prism(), &settings), Err(TetgenError::Run { .. })));
}

#[test]
fn a_crash_is_quoted() {
    let error = answer("echo the facets intersect >&2; kill -ABRT $$").unwrap_err();
    assert!(matches!(error, TetgenError::Failed { .. }));
    assert!(error.to_string().contains("the facets intersect"), "{error}");
    assert!(matches!(answer("exit 3"), Err(TetgenError::Failed { .. })));
}

#[test]
fn a_program_that_hangs_is_ended() {
    let directory = tempfile::tempdir().unwrap();
    let mut settings = fake(directory.path(), "exec sleep 60");
    settings.timeout = Duration::from_millis(50);
    let start = Instant::now();
    let error = tetrahedralize(&sample::corner_tetrahedron(), &settings).unwrap_err();
    assert!(matches!(error, TetgenError::Timeout { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn empty_answers_are_errors() {
    assert!(matches!(answer("true"), Err(TetgenError::NoTetrahedra { .. })));
    let body = format!("{NODES}printf '0 4 0\\n' > \"$3.1.ele\"");
    assert!(matches!(answer(&body), Err(TetgenError::NoTetrahedra { .. })));
}

#[test]
fn broken_answers_name_the_line() {
    let text = |rows: &str| answer(&format!("{NODES}printf '{rows}' > \"$3.1.ele\"")).unwrap_err().to_string();
    let short = text("2 4 0\\n0 0 1 2 3\\n");
    assert!(short.contains("surface.1.ele: line 1: the file declares 2 tetrahedra, but holds room for"), "{short}");
    assert!(text("1 4 0\\n# note\\n0 0 1 2 x\\n").contains("surface.1.ele: line 3"));
    assert!(text("1 4 0\\n0 0 1 2 4\\n").contains("vertex 4, but the 4 vertices are numbered from 0"));
    assert!(text("many\\n").contains("line 1: the number of tetrahedra must be an integer"));
}

#[test]
fn wrong_answers_are_caught() {
    let moved = "printf '4 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1.1 0\\n3 0 0 1\\n' > \"$3.1.node\"\n\
                     printf '1 4 0\\n0 0 1 2 3\\n' > \"$3.1.ele\"";
    assert!(matches!(answer(moved), Err(TetgenError::LostVertex { vertex: 2 })));
    let doubled = format!("{NODES}printf '2 4 0\\n0 0 1 2 3\\n1 1 0 3 2\\n' > \"$3.1.ele\"");
    assert!(matches!(answer(&doubled), Err(TetgenError::Mesh(TetrahedralMeshError::SameSide { .. }))));
    let more = "printf '5 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n4 1 1 1\\n' > \"$3.1.node\"\n\
                    printf '2 4 0\\n0 0 1 2 3\\n1 1 2 3 4\\n' > \"$3.1.ele\"";
    assert!(matches!(answer(more), Err(TetgenError::Mismatch(_))));
}
