//! Shapes: from arrays, from objects with vertices and faces, from mesh files, primitives, hulls, compounds, terrain.

use std::path::PathBuf;
use std::sync::Arc;

use drystone_contact::Pose;
use drystone_contact::shape::mesh_file::{self, MeshFile};
use drystone_contact::shape::{
    Ball, Capsule, Compound, CompoundPart, Cone, Cylinder, Ellipsoid, HalfSpace, HeightField, MeshSides, RoundedBox,
    Shape, TetrahedralizationSettings, TriangleMesh,
};
use drystone_engine::{MaterialId, NewBody, World};
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::arrays::{corners, grid, pose, shaped, vector, vectors};
use crate::failure::{Failure, Outcome, guarded};
use crate::method::REGISTRY;
use crate::snapshot;
use crate::threads;

/// A shape in a frame of its own, in metres. It never changes; any number of bodies share it, and it can be pickled.
///
/// ``Shape(vertices, faces)`` is the polyhedron within a closed surface of triangles: vertices (n, 3), faces (m, 3) of indices,
/// counter-clockwise seen from outside. ``Shape(mesh)`` takes any object with ``vertices`` and ``faces``, such as a
/// ``trimesh.Trimesh``. ``Shape(path)`` reads a mesh file: OBJ, STL, Gmsh or TetGen, by its extension.
///
/// Args:
///     mesh: Vertices, an object with vertices and faces, or the path of a file.
///     faces: The triangles, if ``mesh`` is an array of vertices.
///     tetrahedra: Tetrahedra that fill the solid, (k, 4) of indices, for methods that use them. They are made when a method
///         asks, if there are none.
///
/// Raises:
///     ShapeError: The surface is not that of a solid, or the file cannot be read. The message names the first element that is
///         wrong.
///
/// >>> import drystone as ds
/// >>> ds.Shape([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
/// <drystone.Shape polyhedron, 4 vertices, 4 faces>
#[pyclass(name = "Shape", module = "drystone", frozen)]
#[derive(Clone)]
pub struct PyShape(pub Arc<Shape>);

impl PyShape {
    fn make(body: impl FnOnce() -> Outcome<Shape>) -> Outcome<Self> {
        threads::alone()?;
        guarded(body).map(|shape| Self(Arc::new(shape)))
    }
}

#[pymethods]
impl PyShape {
    #[new]
    #[pyo3(signature = (mesh, faces = None, /, *, tetrahedra = None))]
    fn new(
        mesh: &Bound<'_, PyAny>,
        faces: Option<&Bound<'_, PyAny>>,
        tetrahedra: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        let mut mesh = mesh_of(mesh, faces)?;
        if let Some(tetrahedra) = tetrahedra {
            mesh.tetrahedra = corners(tetrahedra, "tetrahedra")?;
        }
        check_corners(&mesh)?;
        Self::make(|| Ok(mesh.into_shape(&TetrahedralizationSettings::default())?))
    }

    /// A ball about the origin, m.
    #[staticmethod]
    fn ball(radius: f64) -> Outcome<Self> {
        Self::make(|| Ok(Ball::new(radius)?.into()))
    }

    /// The points within a radius of the segment from ``-half_length`` to ``half_length`` along y, m.
    #[staticmethod]
    fn capsule(radius: f64, half_length: f64) -> Outcome<Self> {
        Self::make(|| Ok(Capsule::new(radius, half_length).map_err(|error| Failure::Shape(error.to_string()))?.into()))
    }

    /// A cylinder along y about the origin, m.
    #[staticmethod]
    fn cylinder(radius: f64, half_height: f64) -> Outcome<Self> {
        Self::make(|| Ok(Cylinder::new(radius, half_height).map_err(|error| Failure::Shape(error.to_string()))?.into()))
    }

    /// A cone along y about its centre of mass, m: its base a quarter of the height below, its tip three quarters above.
    #[staticmethod]
    fn cone(radius: f64, height: f64) -> Outcome<Self> {
        Self::make(|| Ok(Cone::new(radius, height).map_err(|error| Failure::Shape(error.to_string()))?.into()))
    }

    /// An ellipsoid about the origin by its semi-axes along x, y and z, m.
    #[staticmethod]
    fn ellipsoid(semi_axes: &Bound<'_, PyAny>) -> Outcome<Self> {
        let semi_axes = vector(semi_axes, "semi_axes")?;
        Self::make(|| Ok(Ellipsoid::new(semi_axes)?.into()))
    }

    /// All points below the plane y = 0, for bodies that stay where they are.
    #[staticmethod]
    fn half_space() -> Self {
        Self(Arc::new(HalfSpace.into()))
    }

    /// A box about the origin by its sides along x, y and z, m: a polyhedron.
    #[staticmethod]
    fn r#box(sides: &Bound<'_, PyAny>) -> Outcome<Self> {
        let sides = vector(sides, "sides")?;
        if let Some((axis, &side)) = sides.as_ref().iter().enumerate().find(|(_, side)| **side <= 0.0) {
            return Err(Failure::Shape(format!("sides[{axis}] of a box is {side}; it must be above zero")));
        }
        Self::make(|| {
            let corner = |i: usize| {
                let sign = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
                DVec3::new(sign(1), sign(2), sign(4)) * sides
            };
            let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
            let mesh = MeshFile { vertices: (0..8).map(corner).collect(), triangles, tetrahedra: Vec::new() };
            Ok(mesh.into_shape(&TetrahedralizationSettings::default())?)
        })
    }

    /// The points within a radius of the box with these half sides about the origin, m.
    #[staticmethod]
    fn rounded_box(half_sides: &Bound<'_, PyAny>, radius: f64) -> Outcome<Self> {
        let half = vector(half_sides, "half_sides")?;
        Self::make(|| Ok(RoundedBox::new(half, radius)?.into()))
    }

    /// The convex hull of points (n, 3), m, in any order: a polyhedron.
    #[staticmethod]
    fn convex_hull(points: &Bound<'_, PyAny>) -> Outcome<Self> {
        let points = vectors(points, "points")?;
        if let Some(k) = points.iter().position(|point| !point.is_finite()) {
            return Err(Failure::Shape(format!("points[{k}] is {}; it must be finite", points[k])));
        }
        Self::make(|| Ok(Shape::convex_hull(&points)?))
    }

    /// The union of shapes, each with its pose (4, 4) in the frame of the union: polyhedra, primitives, compounds.
    #[staticmethod]
    fn compound(parts: &Bound<'_, PyAny>) -> Outcome<Self> {
        let mut placed = Vec::new();
        for (number, part) in parts.try_iter()?.enumerate() {
            let (shape, at): (Bound<'_, PyShape>, Bound<'_, PyAny>) = part?
                .extract()
                .map_err(|_| Failure::Kind(format!("parts[{number}] is no pair of a drystone.Shape and a pose")))?;
            let pose = pose(&at, &format!("the pose of parts[{number}]"))?;
            placed.push(CompoundPart { shape: Arc::clone(&shape.get().0), pose });
        }
        Self::make(|| Ok(Compound::new(placed)?.into()))
    }

    /// Terrain, solid below, for bodies that stay where they are.
    ///
    /// Args:
    ///     heights: Heights along y, m, shape (rows, columns): row r and column c are at
    ///         ``(c * spacing[0], height, r * spacing[1])``.
    ///     spacing: The distance of columns along x and of rows along z, m.
    #[staticmethod]
    fn height_field(heights: &Bound<'_, PyAny>, spacing: (f64, f64)) -> Outcome<Self> {
        let (rows, columns, heights) = grid(heights, "heights")?;
        Self::make(|| Ok(HeightField::new(rows, columns, [spacing.0, spacing.1], heights)?.into()))
    }

    /// Triangles that need not bound a solid, for bodies that stay where they are; arguments as of ``Shape``.
    ///
    /// Args:
    ///     two_sided: Whether the triangles hold bodies off on both sides, as a sheet does, or in front alone.
    #[staticmethod]
    #[pyo3(signature = (mesh, faces = None, /, *, two_sided = false))]
    fn open_mesh(mesh: &Bound<'_, PyAny>, faces: Option<&Bound<'_, PyAny>>, two_sided: bool) -> Outcome<Self> {
        let mesh = mesh_of(mesh, faces)?;
        let sides = if two_sided { MeshSides::Both } else { MeshSides::Front };
        Self::make(|| Ok(TriangleMesh::new(&mesh.vertices, &mesh.triangles, sides)?.into()))
    }

    /// ``"polyhedron"``, ``"ball"``, ``"compound"``, ...
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    /// Vertices of the surface of a polyhedron, or of triangles that show another shape, m, shape (n, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let drawn = guarded(|| Ok(self.0.triangles()))?;
        let numbers = drawn.vertices.iter().flat_map(DVec3::to_array).collect();
        Ok(shaped(py, numbers, &[drawn.vertices.len(), 3])?)
    }

    /// Triangles of the surface, or of what shows it, by their vertices, shape (m, 3).
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let drawn = guarded(|| Ok(self.0.triangles()))?;
        let numbers = drawn.triangles.iter().flatten().map(|&corner| i64::from(corner)).collect();
        Ok(shaped(py, numbers, &[drawn.triangles.len(), 3])?)
    }

    /// The lower and the upper corner of the box around the shape along the world axes, m, shape (2, 3). It is infinite where the shape is: of a
    /// half-space and below a height field.
    #[pyo3(signature = (pose = None, /))]
    fn bounds<'py>(&self, py: Python<'py>, pose: Option<&Bound<'py, PyAny>>) -> Outcome<Bound<'py, PyAny>> {
        let at = pose.map_or(Ok(Pose::identity()), |given| crate::arrays::pose(given, "pose"))?;
        let (low, high) = guarded(|| Ok(self.0.bounds_at(&at)))?;
        Ok(shaped(py, [low, high].iter().flat_map(DVec3::to_array).collect(), &[2, 3])?)
    }

    /// Volume, mass, centre and inertia at a density in kg/m³.
    #[pyo3(signature = (density, /))]
    fn mass_properties<'py>(&self, py: Python<'py>, density: f64) -> Outcome<Bound<'py, PyAny>> {
        let found = guarded(|| self.0.mass_properties(density).map_err(|error| Failure::Shape(error.to_string())))?;
        let centre = shaped(py, found.centre.to_array().to_vec(), &[3])?;
        let inertia = shaped(py, found.inertia.transpose().to_cols_array().to_vec(), &[3, 3])?;
        let named = py.import("drystone._shape")?.getattr("MassProperties")?;
        Ok(named.call1((found.volume, found.mass, centre, inertia))?)
    }

    fn __repr__(&self) -> String {
        match self.0.surface() {
            Some(surface) => {
                format!(
                    "<drystone.Shape polyhedron, {} vertices, {} faces>",
                    surface.vertices().len(),
                    surface.triangles().len()
                )
            }
            None => format!("<drystone.Shape {}>", self.0.kind()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let bytes = guarded(|| to_bytes(&self.0))?;
        let make = py.import("drystone._drystone")?.getattr("_shape_of_bytes")?;
        Ok((make, PyTuple::new(py, [PyBytes::new(py, &bytes)])?))
    }
}

/// A shape as the bytes of a world that holds one fixed body of it: whatever is in snapshots comes back bit for bit.
fn to_bytes(shape: &Arc<Shape>) -> Outcome<Vec<u8>> {
    let mut world = World::default();
    let body = drystone_engine::Body::fixed(MaterialId::new(0));
    world.add(NewBody::new(body, Arc::clone(shape))).map_err(|error| Failure::Shape(error.to_string()))?;
    snapshot::to_bytes(&world, &snapshot::Frames::new())
}

/// The shape of [`PyShape::__reduce__`].
#[pyfunction]
#[pyo3(name = "_shape_of_bytes")]
pub fn shape_of_bytes(bytes: &[u8]) -> Outcome<PyShape> {
    let (world, _) = guarded(|| snapshot::from_bytes(bytes, &REGISTRY))?;
    let shape = world.shapes().next().cloned();
    shape.map(PyShape).ok_or_else(|| Failure::Value("the bytes hold no shape".into()))
}

/// The mesh of two arrays, of an object with `vertices` and `faces` as trimesh has them, or of the file at a path.
fn mesh_of(mesh: &Bound<'_, PyAny>, faces: Option<&Bound<'_, PyAny>>) -> Outcome<MeshFile> {
    if let Some(faces) = faces {
        return Ok(MeshFile {
            vertices: vectors(mesh, "vertices")?,
            triangles: corners(faces, "faces")?,
            ..MeshFile::default()
        });
    }
    if let (Ok(vertices), Ok(faces)) = (mesh.getattr("vertices"), mesh.getattr("faces")) {
        let (vertices, triangles) = (vectors(&vertices, "vertices")?, corners(&faces, "faces")?);
        return Ok(MeshFile { vertices, triangles, ..MeshFile::default() });
    }
    if let Ok(path) = mesh.extract::<PathBuf>() {
        return guarded(|| Ok(mesh_file::read(path)?));
    }
    let kind = mesh.get_type();
    Err(Failure::Kind(format!(
        "a shape is made of vertices and faces, of an object that has both, or of the path of a mesh file, not of one {kind}"
    )))
}

/// Corners have to be vertices that there are.
fn check_corners(mesh: &MeshFile) -> Outcome<()> {
    let count = mesh.vertices.len();
    let outside = mesh.tetrahedra.iter().position(|corners| corners.iter().any(|&corner| corner as usize >= count));
    match outside {
        Some(k) => Err(Failure::Shape(format!(
            "tetrahedra[{k}] is {:?}, but there are {count} vertices, numbered from 0",
            mesh.tetrahedra[k]
        ))),
        None => Ok(()),
    }
}
