//! From the mesh of a file to a shape.

use super::MeshFile;
use crate::shape::predicate::orientation_3d;
use crate::shape::{Shape, ShapeError, Surface, TetrahedralMesh, TetrahedralizationSettings};

impl MeshFile {
    /// The polyhedron: of its tetrahedra where it has some, in either order of corners and without the vertices that none has,
    /// otherwise of its triangles.
    ///
    /// # Errors
    /// [`ShapeError`] unless they are those of a solid.
    pub fn into_shape(mut self, settings: &TetrahedralizationSettings) -> Result<Shape, ShapeError> {
        if self.tetrahedra.is_empty() {
            return Shape::from_surface(&Surface::new(self.vertices, self.triangles)?, settings);
        }
        self.drop_unused_vertices();
        for tetrahedron in &mut self.tetrahedra {
            // Programs differ in the order of corners.
            let [a, b, c, d] = tetrahedron.map(|v| self.vertices[v as usize]);
            if orientation_3d(a, b, c, d) < 0.0 {
                tetrahedron.swap(2, 3);
            }
        }
        Ok(Shape::from_mesh(TetrahedralMesh::new(self.vertices, self.tetrahedra)?))
    }

    /// Leaves only the vertices of tetrahedra, in their order: mesh generators keep helper points in their files.
    fn drop_unused_vertices(&mut self) {
        let mut number = vec![None; self.vertices.len()];
        self.tetrahedra.iter().flatten().for_each(|&v| number[v as usize] = Some(0));
        (0..).zip(number.iter_mut().flatten()).for_each(|(new, number)| *number = new);
        let mut kept = number.iter().map(Option::is_some);
        self.vertices.retain(|_| kept.next().unwrap_or(false));
        self.tetrahedra.iter_mut().flatten().for_each(|v| *v = number[*v as usize].unwrap_or(*v));
    }
}
