//! Compounds, height fields and open triangle meshes of scene files.

use std::path::Path;
use std::sync::Arc;

use drystone_contact::shape::{
    Compound, CompoundPart, HeightField, MeshSides, ShapeError, TetrahedralizationSettings, TriangleMesh, mesh_file,
};
use drystone_engine::Pose;
use drystone_engine::body::UNIT_QUATERNION_TOLERANCE;
use glam::DVec3;

use super::document::{HeightFieldEntry, PartEntry, ShapeEntry, SurfaceSides, Tuple};
use super::error::{SceneFileError, SceneFileProblem};
use super::number;
use super::solid::{Solid, scale_vertices, solid};
use crate::scene::BodyProblem;

/// The union of the parts; `place` is what errors call the whole.
pub fn compound(
    parts: Vec<PartEntry>,
    settings: &TetrahedralizationSettings,
    folder: &Path,
    place: &str,
) -> Result<Solid, SceneFileError> {
    let mut was_filled = false;
    let mut part = |(number, entry): (usize, PartEntry)| {
        let place = format!("{place}.parts[{number}]");
        let pose = pose(&entry, &place)?;
        let made = solid(entry.shape, settings, folder, &format!("{place}.shape"))?;
        was_filled |= made.was_filled;
        Ok(CompoundPart { shape: Arc::new(made.shape), pose })
    };
    let parts = parts.into_iter().enumerate().map(&mut part).collect::<Result<Vec<_>, SceneFileError>>()?;
    let made = Compound::new(parts).map_err(|error| SceneFileError::at(place, BodyProblem::from(error)))?;
    Ok(Solid { shape: made.into(), was_filled })
}

fn pose(entry: &PartEntry, place: &str) -> Result<Pose, SceneFileError> {
    let at = |field: &str, problem| SceneFileError::at(format!("{place}.{field}"), problem);
    let translation = match &entry.position {
        Some(position) => number::bounded(position).map_err(|problem| at("position", problem))?,
        None => DVec3::ZERO,
    };
    // A quaternion is taken to the last bit.
    let (quaternion, turn) = (entry.orientation_xyzw.as_ref(), entry.rotation.as_ref());
    let rotation = number::orientation(quaternion, turn, UNIT_QUATERNION_TOLERANCE, at)?;
    Ok(Pose::from_parts(translation, rotation))
}

/// A height field.
pub fn height_field(entry: HeightFieldEntry, place: &str) -> Result<Solid, SceneFileError> {
    let HeightFieldEntry { rows, columns, spacing: Tuple(spacing), heights } = entry;
    let place = format!("{place}.height_field");
    for &height in &heights {
        let inside = height.is_finite().then(|| number::within_bounds(DVec3::splat(height)));
        inside.transpose().map_err(|problem| SceneFileError::at(format!("{place}.heights"), problem))?;
    }
    let made = HeightField::new(rows, columns, spacing, heights);
    let made = made.map_err(|error| SceneFileError::at(&place, BodyProblem::from(ShapeError::from(error))))?;
    let far = DVec3::new(spacing[0] * columns as f64, 0.0, spacing[1] * rows as f64);
    number::within_bounds(far).map_err(|problem| SceneFileError::at(format!("{place}.spacing"), problem))?;
    Ok(Solid { shape: made.into(), was_filled: false })
}

/// The triangles of a file, or those given, as a surface that need not be closed.
pub fn surface(
    mut entry: ShapeEntry,
    sides: SurfaceSides,
    folder: &Path,
    place: &str,
) -> Result<Solid, SceneFileError> {
    let scale = entry.scale.take();
    let (file, vertices, triangles) = (entry.file.take(), entry.vertices.take(), entry.triangles.take());
    let keys = "beside `surface` give `file`, or `vertices` with `triangles`, and `scale` if need be";
    if !entry.is_empty() {
        return Err(SceneFileError::at(place, SceneFileProblem::Keys(keys)));
    }
    let scale = match scale {
        Some(scale) => number::positive(scale).map_err(|p| SceneFileError::at(format!("{place}.scale"), p))?,
        None => 1.0,
    };
    let (mut vertices, triangles) = match (file, vertices, triangles) {
        (Some(file), None, None) => {
            let mesh = mesh_file::read(folder.join(file)).map_err(|error| SceneFileError::at(place, error))?;
            (mesh.vertices, mesh.triangles)
        }
        (None, Some(vertices), Some(triangles)) => {
            let vertices = vertices.into_iter().map(|Tuple(v)| DVec3::from_array(v)).collect();
            (vertices, triangles.into_iter().map(|Tuple(t)| t).collect())
        }
        _ => return Err(SceneFileError::at(place, SceneFileProblem::Keys(keys))),
    };
    scale_vertices(&mut vertices, scale).map_err(|(k, p)| SceneFileError::at(format!("{place}, vertex {k}"), p))?;
    let sides = match sides {
        SurfaceSides::OneSided => MeshSides::Front,
        SurfaceSides::TwoSided => MeshSides::Both,
    };
    let made = TriangleMesh::new(&vertices, &triangles, sides);
    let made = made.map_err(|error| SceneFileError::at(place, BodyProblem::from(ShapeError::from(error))))?;
    Ok(Solid { shape: made.into(), was_filled: false })
}
