//! From a shape of a scene file to a solid of tetrahedra.

use std::path::Path;
use std::time::Duration;

use drystone_contact::shape::mesh_file::{self, MeshFile};
use drystone_contact::shape::{
    Shape, ShapeError, Surface, TetgenSettings, TetrahedralMesh, TetrahedralizationSettings, Tetrahedralizer, primitive,
};
use drystone_engine::Pose;
use drystone_engine::body::UNIT_QUATERNION_TOLERANCE;
use glam::DVec3;

use super::composed::{compound, height_field, surface};
use super::document::{FillEntry, FillMethod, ShapeEntry, Tuple};
use super::error::{SceneFileError, SceneFileProblem};
use super::number;
use crate::scene::BodyProblem;
use crate::solids::cuboid;

/// A solid, and whether its surface had to be filled with tetrahedra.
pub struct Solid {
    pub shape: Shape,
    pub was_filled: bool,
}

/// Makes the solid; `place` is what errors call it.
pub fn solid(
    mut entry: ShapeEntry,
    settings: &TetrahedralizationSettings,
    folder: &Path,
    place: &str,
) -> Result<Solid, SceneFileError> {
    if let Some(sides) = entry.surface.take() {
        return surface(entry, sides, folder, place);
    }
    let composed = (entry.parts.take(), entry.height_field.take());
    if matches!(composed, (Some(_), _) | (_, Some(_))) {
        return match composed {
            (Some(parts), None) if entry.is_empty() => compound(parts, settings, folder, place),
            (None, Some(field)) if entry.is_empty() => height_field(field, place),
            _ => Err(SceneFileError::at(place, SceneFileProblem::Keys(ONE_OF))),
        };
    }
    let scale = match entry.scale {
        Some(scale) => number::positive(scale).map_err(|p| SceneFileError::at(format!("{place}.scale"), p))?,
        None => 1.0,
    };
    let at_place = |problem| SceneFileError::at(place, problem);
    match entry {
        ShapeEntry {
            file: Some(file),
            cuboid: None,
            vertices: None,
            triangles: None,
            tetrahedra: None,
            frames: None,
            primitive: None,
            dimensions: None,
            solid: None,
            ..
        } => {
            let path = folder.join(file);
            let mut mesh = mesh_file::read(&path).map_err(|error| at_place(error.into()))?;
            scale_vertices(&mut mesh.vertices, scale)
                .map_err(|(k, p)| SceneFileError::at(format!("{place}, vertex {k} of {}", path.display()), p))?;
            let of_file = |source| at_place(SceneFileProblem::MeshOfFile { path, source });
            of_mesh_file(mesh, settings).map_err(of_file)
        }
        ShapeEntry {
            file: None,
            cuboid: Some(sizes),
            vertices: None,
            triangles: None,
            tetrahedra: None,
            frames: None,
            primitive: None,
            dimensions: None,
            solid: None,
            ..
        } => {
            let sizes = number::all_positive(&sizes).and_then(|sizes| number::within_bounds(sizes * scale));
            let sizes = sizes.map_err(|p| SceneFileError::at(format!("{place}.box"), p))?;
            let made = cuboid(-sizes / 2.0, sizes / 2.0);
            made.map_err(BodyProblem::from).and_then(|s| filled(&s, settings)).map_err(|p| at_place(p.into()))
        }
        ShapeEntry {
            file: None,
            cuboid: None,
            vertices: Some(vertices),
            triangles,
            tetrahedra,
            frames,
            primitive: None,
            dimensions: None,
            solid: None,
            ..
        } => {
            let mut vertices: Vec<DVec3> = vertices.into_iter().map(|Tuple(v)| DVec3::from_array(v)).collect();
            scale_vertices(&mut vertices, scale)
                .map_err(|(k, p)| SceneFileError::at(format!("{place}.vertices[{k}]"), p))?;
            match (triangles, tetrahedra, frames) {
                (Some(triangles), None, frames) => {
                    let surface = Surface::new(vertices, triangles.into_iter().map(|Tuple(t)| t).collect());
                    let surface = surface.map_err(BodyProblem::from);
                    let mut solid = surface.and_then(|s| filled(&s, settings)).map_err(|p| at_place(p.into()))?;
                    for (k, entry) in frames.iter().flatten().enumerate() {
                        let frame = frame(entry).map_err(|p| SceneFileError::at(format!("{place}.frames[{k}]"), p))?;
                        let seen = solid.shape.in_frame(&frame).map_err(BodyProblem::from);
                        solid.shape = seen.map_err(|p| at_place(p.into()))?;
                    }
                    Ok(solid)
                }
                (None, Some(tetrahedra), None) => {
                    let mesh = TetrahedralMesh::new(vertices, tetrahedra.into_iter().map(|Tuple(t)| t).collect());
                    mesh.map(given).map_err(|error| at_place(error.into()))
                }
                _ => Err(at_place(SceneFileProblem::Keys(
                    "beside `vertices` give either `triangles` or `tetrahedra`, and not both; `frames` are for `triangles`",
                ))),
            }
        }
        ShapeEntry {
            primitive: Some(kind),
            solid: None,
            file: None,
            cuboid: None,
            vertices: None,
            triangles: None,
            tetrahedra: None,
            frames: None,
            dimensions,
            ..
        } => {
            let dimensions: Vec<f64> = dimensions.unwrap_or_default().iter().map(|d| d * scale).collect();
            for &dimension in &dimensions {
                number::within_bounds(DVec3::splat(dimension))
                    .map_err(|p| SceneFileError::at(format!("{place}.dimensions"), p))?;
            }
            let shape = primitive(&kind, &dimensions).map_err(|error| at_place(BodyProblem::from(error).into()))?;
            Ok(Solid { shape, was_filled: false })
        }
        ShapeEntry {
            solid: Some(description),
            file: None,
            cuboid: None,
            vertices: None,
            triangles: None,
            tetrahedra: None,
            frames: None,
            primitive: None,
            dimensions: None,
            scale: None,
            ..
        } => {
            let built = description.build().map_err(|error| BodyProblem::from(ShapeError::from(error)));
            let shape = Shape::from(built.map_err(|problem| at_place(problem.into()))?);
            let (low, high) = shape.bounds_at(&Pose::IDENTITY);
            if low.is_finite() && high.is_finite() {
                for corner in [low, high] {
                    number::within_bounds(corner).map_err(|p| SceneFileError::at(format!("{place}.solid"), p))?;
                }
            }
            Ok(Solid { shape, was_filled: false })
        }
        _ => Err(at_place(SceneFileProblem::Keys(ONE_OF))),
    }
}

/// What makes a shape.
const ONE_OF: &str = "give exactly one of `file`, `box`, `primitive` with `dimensions`, `solid`, `parts` and `height_field` (the last three without \
                      `scale`), `vertices` with `triangles`, and `vertices` with `tetrahedra`; `surface` goes with `file` or `triangles`";

/// A frame from which a surface is seen. It is taken to the last bit.
fn frame(&Tuple([x, y, z, rotation @ ..]): &Tuple<f64, 7>) -> Result<Pose, SceneFileProblem> {
    let translation = number::bounded(&Tuple([x, y, z]))?;
    Ok(Pose::from_parts(translation, number::rotation(&Tuple(rotation), UNIT_QUATERNION_TOLERANCE)?))
}

/// Scales the vertices and checks where they end up; errors come with the number of the vertex.
pub fn scale_vertices(vertices: &mut [DVec3], scale: f64) -> Result<(), (usize, SceneFileProblem)> {
    for (index, vertex) in vertices.iter_mut().enumerate() {
        *vertex = number::within_bounds(*vertex * scale).map_err(|problem| (index, problem))?;
    }
    Ok(())
}

/// As [`MeshFile::into_shape`].
fn of_mesh_file(mesh: MeshFile, settings: &TetrahedralizationSettings) -> Result<Solid, BodyProblem> {
    let was_filled = mesh.tetrahedra.is_empty();
    Ok(Solid { shape: mesh.into_shape(settings)?, was_filled })
}

fn given(mesh: TetrahedralMesh) -> Solid {
    Solid { shape: Shape::from_mesh(mesh), was_filled: false }
}

fn filled(surface: &Surface, settings: &TetrahedralizationSettings) -> Result<Solid, BodyProblem> {
    Ok(Solid { shape: Shape::from_surface(surface, settings)?, was_filled: true })
}

/// Whether a program is named by a path, which counts from the scene file's folder; a bare name is looked for on the PATH.
pub fn is_path(program: &Path) -> bool {
    program.components().count() > 1
}

/// The settings of a `fill` table.
pub fn fill_settings(
    entry: &FillEntry,
    folder: &Path,
    place: &str,
) -> Result<TetrahedralizationSettings, SceneFileError> {
    let tetrahedralizer = match entry.method {
        FillMethod::Automatic => Tetrahedralizer::Automatic,
        FillMethod::Cone => Tetrahedralizer::Cone,
        FillMethod::Fan => Tetrahedralizer::Fan,
        FillMethod::Tetgen => Tetrahedralizer::Tetgen,
    };
    let is_for_tetgen =
        entry.program.is_some() || entry.quality.is_some() || entry.maximum_volume.is_some() || entry.timeout.is_some();
    if is_for_tetgen && matches!(entry.method, FillMethod::Cone | FillMethod::Fan) {
        let cure = "`program`, `quality`, `maximum_volume` and `timeout` are for TetGen; remove them, or choose the \
                    method \"tetgen\" or \"automatic\"";
        return Err(SceneFileError::at(place, SceneFileProblem::Keys(cure)));
    }
    let timeout = match entry.timeout {
        None => TetgenSettings::default().timeout,
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok().filter(|t| !t.is_zero()).ok_or_else(|| {
            let problem =
                SceneFileProblem::Value { must: "a number of seconds above zero", found: seconds.to_string() };
            SceneFileError::at(format!("{place}.timeout"), problem)
        })?,
    };
    let program = entry.program.as_ref().map(|p| if is_path(p) { folder.join(p) } else { p.clone() });
    let (quality_ratio, maximum_volume) = (entry.quality, entry.maximum_volume);
    let tetgen = TetgenSettings { program, quality_ratio, maximum_volume, timeout };
    tetgen.switches().map_err(|error| SceneFileError::at(place, drystone_contact::shape::ShapeError::from(error)))?;
    Ok(TetrahedralizationSettings { tetrahedralizer, tetgen })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helper_points_and_mirrored_tetrahedra_of_files_do_no_harm() {
        let vertices = vec![DVec3::splat(9.0), DVec3::ZERO, DVec3::X, DVec3::splat(8.0), DVec3::Y, DVec3::Z];
        let mesh = |tetrahedron| MeshFile {
            vertices: vertices.clone(),
            triangles: vec![[0, 1, 3]],
            tetrahedra: vec![tetrahedron],
        };
        let settings = TetrahedralizationSettings::default();
        let right = of_mesh_file(mesh([1, 2, 4, 5]), &settings).unwrap();
        let mirrored = of_mesh_file(mesh([1, 2, 5, 4]), &settings).unwrap();
        assert_eq!(right.shape, mirrored.shape);
        assert_eq!(
            right.shape.as_polyhedron().unwrap().mesh().unwrap().vertices(),
            [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
        );
        assert!(!right.was_filled);
    }

    #[test]
    fn vertices_are_scaled_before_they_are_checked() {
        let mut vertices = [DVec3::ONE, DVec3::new(1.0, -3e11, 0.0)];
        scale_vertices(&mut vertices, 1e-3).unwrap();
        assert_eq!(vertices, [DVec3::splat(1e-3), DVec3::new(1e-3, -3e8, 0.0)]);
        assert_eq!(scale_vertices(&mut vertices, 10.0).unwrap_err().0, 1);
    }

    #[test]
    fn a_bare_program_is_not_a_path() {
        let program = |name: &str| {
            let entry = FillEntry {
                method: FillMethod::Tetgen,
                program: Some(name.into()),
                quality: Some(2.0),
                maximum_volume: None,
                timeout: Some(0.5),
            };
            let settings = fill_settings(&entry, Path::new("scenes"), "fill").unwrap();
            assert_eq!(settings.tetgen.timeout, Duration::from_millis(500));
            assert_eq!(settings.tetgen.switches().unwrap(), "-pYQq2");
            settings.tetgen.program.unwrap()
        };
        assert_eq!(program("tetgen"), Path::new("tetgen"));
        assert_eq!(program("bin/tetgen"), Path::new("scenes/bin/tetgen"));
    }
}
