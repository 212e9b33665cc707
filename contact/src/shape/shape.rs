//! A shape: a solid as a checked tetrahedral mesh, with a record of who made the mesh.

use std::path::PathBuf;

use thiserror::Error;

use super::bounding_tree::BoundingTree;
use super::cone::{ConeError, cone_from, fan};
use super::erosion::ErosionError;
use super::features::{FeatureTolerance, Features};
use super::kernel::Kernel;
use super::mass_properties::{MassProperties, MassPropertiesError};
use super::parry_shapes::ParryShapes;
use super::surface::Surface;
use super::tetgen::{TetgenError, TetgenSettings, tetrahedralize};
use super::tetrahedral_mesh::{TetrahedralMesh, TetrahedralMeshError};
use crate::vclip::hierarchy::{HierarchyError, LazyHierarchy, PieceHierarchy};

/// Which way a surface is filled with tetrahedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tetrahedralizer {
    /// [`Self::Cone`] for convex and star-shaped surfaces, [`Self::Tetgen`] for any other.
    #[default]
    Automatic,
    /// From the kernel point, a new interior vertex, to every triangle; star-shaped surfaces only.
    Cone,
    /// From the first vertex that sees all triangles away from it, without a new vertex; fails where there is none.
    Fan,
    /// By the TetGen program.
    Tetgen,
}

/// How a surface is filled with tetrahedra.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetrahedralizationSettings {
    /// The way.
    pub tetrahedralizer: Tetrahedralizer,
    /// How to run TetGen where it is used.
    pub tetgen: TetgenSettings,
}

/// Who made a shape's mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeOrigin {
    /// The mesh was given.
    Given,
    /// The cone from a kernel point, which is the last vertex of the mesh.
    Cone(Kernel),
    /// The fan from this vertex.
    Fan {
        /// The vertex.
        vertex: u32,
    },
    /// The TetGen program.
    Tetgen {
        /// The program that was run.
        program: PathBuf,
        /// Its switches.
        switches: String,
    },
}

/// Why a surface could not be made into a shape.
#[derive(Debug, Error)]
pub enum ShapeError {
    /// No tetrahedra from one point.
    #[error(transparent)]
    Cone(#[from] ConeError),
    /// No tetrahedra from TetGen.
    #[error(transparent)]
    Tetgen(#[from] TetgenError),
}

/// A solid, in the frame in which it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    mesh: TetrahedralMesh,
    tree: BoundingTree,
    features: Features,
    origin: ShapeOrigin,
    parry: ParryShapes,
    pieces: LazyHierarchy,
}

impl Shape {
    /// Fills a surface with tetrahedra. The first vertices of the mesh are those of the surface, in their order.
    pub fn from_surface(surface: &Surface, settings: &TetrahedralizationSettings) -> Result<Self, ShapeError> {
        match settings.tetrahedralizer {
            Tetrahedralizer::Automatic => match Kernel::of(surface) {
                Some(kernel) => Self::from_cone(surface, kernel),
                None => Self::from_tetgen(surface, &settings.tetgen),
            },
            Tetrahedralizer::Cone => Self::from_cone(surface, Kernel::of(surface).ok_or(ConeError::NotStarShaped)?),
            Tetrahedralizer::Fan => {
                let (mesh, vertex) = fan(surface)?;
                Ok(Self::new(mesh, ShapeOrigin::Fan { vertex }))
            }
            Tetrahedralizer::Tetgen => Self::from_tetgen(surface, &settings.tetgen),
        }
    }

    /// A shape from a mesh that is already there.
    pub fn from_mesh(mesh: TetrahedralMesh) -> Self {
        Self::new(mesh, ShapeOrigin::Given)
    }

    fn new(mesh: TetrahedralMesh, origin: ShapeOrigin) -> Self {
        let tree = BoundingTree::new(&mesh);
        let features = Features::new(mesh.surface(), &FeatureTolerance::default());
        Self { mesh, tree, features, origin, parry: ParryShapes::default(), pieces: LazyHierarchy::default() }
    }

    fn from_cone(surface: &Surface, kernel: Kernel) -> Result<Self, ShapeError> {
        let mesh = cone_from(surface, kernel.point)?;
        Ok(Self::new(mesh, ShapeOrigin::Cone(kernel)))
    }

    fn from_tetgen(surface: &Surface, settings: &TetgenSettings) -> Result<Self, ShapeError> {
        let mesh = tetrahedralize(surface, settings)?;
        let (program, switches) = (settings.program().to_owned(), settings.switches()?);
        Ok(Self::new(mesh, ShapeOrigin::Tetgen { program, switches }))
    }

    /// The tetrahedral mesh.
    pub fn mesh(&self) -> &TetrahedralMesh {
        &self.mesh
    }

    /// The tree of bounding volumes over the mesh's surface tetrahedra.
    pub fn tree(&self) -> &BoundingTree {
        &self.tree
    }

    /// The same solid as parry's shapes, each made when it is first asked for.
    pub fn parry(&self) -> &ParryShapes {
        &self.parry
    }

    /// The same solid as convex pieces in a tree of hulls, made when it is first asked for.
    ///
    /// # Errors
    /// [`HierarchyError`] if pieces are too thin.
    pub fn pieces(&self) -> Result<&PieceHierarchy, HierarchyError> {
        self.pieces.of(&self.mesh)
    }

    /// The facets, edges and vertices of the boundary.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The boundary of the mesh. For a shape made from a surface the vertices are that surface's in the same order;
    /// the triangles are the same in the order of the mesh's faces.
    pub fn surface(&self) -> &Surface {
        self.mesh.surface()
    }

    /// Who made the mesh; copies of the shape keep it.
    pub fn origin(&self) -> &ShapeOrigin {
        &self.origin
    }

    /// The mass properties at a density in kg/m³.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        MassProperties::of_mesh(&self.mesh, density)
    }

    /// The shape eroded by `epsilon` (m), see [`TetrahedralMesh::eroded`]; all numbers stay.
    pub fn eroded(&self, epsilon: f64) -> Result<Self, ErosionError> {
        Ok(Self::new(self.mesh.eroded(epsilon)?, self.origin.clone()))
    }

    /// The same solid with every tetrahedron split into eight, `levels` times.
    ///
    /// # Errors
    /// [`TetrahedralMeshError`] if tetrahedra become too small to have a volume.
    pub fn refined(&self, levels: usize) -> Result<Self, TetrahedralMeshError> {
        let mut mesh = self.mesh.clone();
        for _ in 0..levels {
            mesh = mesh.refined()?;
        }
        Ok(Self::new(mesh, self.origin.clone()))
    }

    /// The shape scaled by a factor in (0, 1], see [`TetrahedralMesh::shrunk`]; all numbers stay.
    pub fn shrunk(&self, factor: f64) -> Result<Self, ErosionError> {
        Ok(Self::new(self.mesh.shrunk(factor)?, self.origin.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;

    fn settings(tetrahedralizer: Tetrahedralizer) -> TetrahedralizationSettings {
        TetrahedralizationSettings { tetrahedralizer, ..TetrahedralizationSettings::default() }
    }

    #[test]
    fn star_shaped_solids_become_cones_and_keep_their_frame() {
        let surface = sample::l_prism();
        let shape = Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap();
        let ShapeOrigin::Cone(kernel) = shape.origin() else { panic!("{:?}", shape.origin()) };
        assert_eq!(shape.mesh().vertices().last(), Some(&kernel.point));
        assert_eq!(shape.surface(), &surface);
        let explicit = Shape::from_surface(&surface, &settings(Tetrahedralizer::Cone)).unwrap();
        assert_eq!(explicit, shape);
    }

    #[test]
    fn other_solids_need_tetgen() {
        let mut settings = TetrahedralizationSettings::default();
        settings.tetgen.program = Some(PathBuf::from("no-such-tetgen"));
        let error = Shape::from_surface(&sample::u_prism(), &settings).unwrap_err();
        assert!(matches!(error, ShapeError::Tetgen(TetgenError::MissingProgram { .. })));
        settings.tetrahedralizer = Tetrahedralizer::Cone;
        let error = Shape::from_surface(&sample::u_prism(), &settings).unwrap_err();
        assert!(matches!(error, ShapeError::Cone(ConeError::NotStarShaped)));
    }

    #[test]
    fn the_origin_is_recorded() {
        let surface = sample::corner_tetrahedron();
        let fan = Shape::from_surface(&surface, &settings(Tetrahedralizer::Fan)).unwrap();
        assert_eq!(fan.origin(), &ShapeOrigin::Fan { vertex: 0 });
        let given = Shape::from_mesh(fan.mesh().clone());
        assert_eq!(given.origin(), &ShapeOrigin::Given);
        let filled = Shape::from_surface(&surface, &settings(Tetrahedralizer::Tetgen));
        let filled = filled.expect("this test runs TetGen; scripts/install-packages installs it");
        assert_eq!(filled.origin(), &ShapeOrigin::Tetgen { program: "tetgen".into(), switches: "-pYQ".into() });
    }

    #[test]
    fn smaller_copies_keep_the_numbers() {
        let shape = Shape::from_surface(&sample::l_prism(), &TetrahedralizationSettings::default()).unwrap();
        for smaller in [shape.eroded(0.01).unwrap(), shape.shrunk(0.99).unwrap()] {
            assert_eq!(smaller.mesh().tetrahedra(), shape.mesh().tetrahedra());
            let (mass, full) = (smaller.mass_properties(1.0).unwrap().mass, shape.mass_properties(1.0).unwrap().mass);
            assert!(mass < full);
        }
    }
}
